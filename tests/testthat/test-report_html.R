# The page of a report: text is escaped, and tables sort.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- in a browser -----------------------------------------------------------

browser <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  found <- found[nzchar(found)]
  skip_if(length(found) == 0L, "no browser")
  skip_on_cran()
  found[[1L]]
}

test_that("no text is interpreted, and nothing is loaded", {
  skip_without_report()
  made <- withr::with_seed(1, report_fit())
  annotation <- data.frame(
    symbol = rep(c("FGFR4", evil, NA), length.out = 12),
    site = rep(c("https://example.org/a?b=1", "javascript:alert(1)"), 6),
    since = as.Date("2026-11-28") + 1:12,
    row.names = colnames(made$x)
  )
  rownames(made$x)[1] <- evil
  withr::local_options(OutDec = ",")
  page <- written(
    made$fit, made$x[1:3, ], annotation = annotation, title = evil
  )
  expect_has(page, "2026-11-29")
  # Numbers of a picture have a point, and a comma between two.
  expect_match(page, "d=\"M[0-9]+[.][0-9] 4V[0-9]+\"")
  expect_false(grepl("<script>alert", page, fixed = TRUE))
  expect_false(grepl("<b>", page, fixed = TRUE))
  expect_has(page, htmltools::htmlEscape(evil))
  bare <- without_resources(page)
  expect_false(grepl("href=\"javascript", bare, ignore.case = TRUE))
  # Addresses stand in links only, which a reader must click.
  expect_false(grepl("(src|url)[=(] *[\"']?(https?:)?//", bare))
  expect_has(page, "href=\"https://example.org/a?b=1\"")
  expect_has(page, "default-src &#39;none&#39;; img-src data:")
})

test_that("in a browser the table sorts, and no name's script runs", {
  skip_without_report()
  chromium <- browser()
  made <- withr::with_seed(1, report_fit())
  page <- withr::local_tempfile(fileext = ".html")
  write_report(made$fit, made$x[1:3, ], page)
  # A script of ours at the end does what a reader does and writes down what it
  # sees.
  script <- "<script>
    const table = document.querySelector('#model table'), seen = [];
    const names = () => Array.from(table.tBodies[0].rows)
      .map((r) => r.cells[0].textContent);
    const head = table.querySelector('th button');
    seen.push(names().join(' '));
    head.click(); head.click(); seen.push(names().join(' '));
    document.title = seen.join('|') + '|' + document.scripts.length;
    </script>"
  lines <- readLines(page, encoding = "UTF-8")
  writeLines(
    sub("</body>", paste0(script, "</body>"), lines, fixed = TRUE), page
  )
  output <- system2(chromium, c(
    "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
    paste0("file://", page)
  ), stdout = TRUE, stderr = FALSE)
  title <- sub(
    ".*<title>(.*)</title>.*", "\\1", grep("<title>", output, value = TRUE)[[1]]
  )
  seen <- strsplit(title, "|", fixed = TRUE)[[1]]
  ranks <- as.integer(strsplit(seen[[1]], " ")[[1]])
  expect_identical(ranks, seq_along(selected(made$fit)))
  expect_identical(as.integer(strsplit(seen[[2]], " ")[[1]]), rev(ranks))
  # The page's and this one.
  expect_identical(seen[[3]], "2")
})
