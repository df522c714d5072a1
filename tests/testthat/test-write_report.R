# The report: what stands in it, that nothing in it is interpreted, and in a
# browser that its table sorts.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_without_report <- function(env = parent.frame()) {
  skip_if_not_installed("htmltools")
  withr::local_options(hitmiss.threads = 1L, .local_envir = env)
}

evil <- paste0("\"'><script>alert(1)</script>&<b>", strrep("x", 200))

report_fit <- function() {
  toy <- simulate_localized(c(9, 9, 10), noise = 10)
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  colnames(toy$x)[1] <- evil
  levels(toy$y)[1] <- "<i>first</i>"
  list(
    x = toy$x, y = toy$y,
    fit = llfs(toy$x[-(1:3), ], toy$y[-(1:3)], alpha = 2)
  )
}

written <- function(...) {
  page <- withr::local_tempfile(fileext = ".html")
  expect_identical(write_report(..., file = page), normalizePath(page))
  paste(readLines(page, encoding = "UTF-8"), collapse = "\n")
}

# Not expect_match(), which prints the whole page where it fails.
expect_has <- function(page, text) {
  expect_true(
    grepl(text, page, fixed = TRUE), label = paste("the page has", text)
  )
}

without_resources <- function(page) {
  gsub("<script>.*</script>|<style>.*</style>|data:[^\"]*", "", page)
}

test_that("the page has every new sample, and the features", {
  skip_without_report()
  made <- withr::with_seed(1, report_fit())
  new <- made$x[1:3, ]
  page <- written(made$fit, new, title = "For the <ward>")
  for (feature in setdiff(selected(made$fit), evil)) {
    expect_has(page, paste0(">", feature, "</td>"))
  }
  expect_has(page, "<title>For the &lt;ward&gt;</title>")
  predicted <- predict(made$fit, new)
  spheres <- predict(made$fit, new, type = "spheres")
  for (i in 1:3) {
    class <- htmltools::htmlEscape(as.character(predicted[[i]]))
    expect_has(page, paste0("<h3>s", i, ": ", class, "</h3>"))
    own <- spheres$class[spheres$sample == paste0("s", i)]
    expect_has(page, if (length(own) == 0L) {
      "It resembles no training sample"
    } else {
      paste("training samples that it resembles,", max(table(own)))
    })
  }
  # Shares are no probabilities: without a curve there is no percentage.
  expect_false(grepl("[0-9] ?%", without_resources(page)))
  expect_has(page, "The error of this model has not been measured.")
  first <- regexpr("<section id=\"[a-z]*\"", page)
  expect_identical(
    regmatches(page, first), "<section id=\"samples\""
  )
})

test_that("error and certainty come from a curve of the fit, and no other", {
  skip_without_report()
  toy <- small_array()
  fit <- relief(toy$x, toy$y, k = 3)
  curve <- withr::with_seed(1, error_curve(toy$x, toy$y, list(relief = relief),
    c(5, 20), resampling = holdout(times = 5), classifier = "own"
  ))
  page <- written(fit, toy$x[1:2, ], curve = curve)
  kept <- curve$predictions[curve$predictions$size == 20, ]
  wrong <- mean(kept$predicted != kept$truth)
  expect_has(page, sprintf("%.1f %% wrongly", 100 * wrong))
  share <- max(predict(fit, toy$x[1, , drop = FALSE], type = "prob"))
  like <- abs(apply(kept$score, 1L, max) - share) <= 0.05
  if (length(unique(kept$sample[like])) >= 5L) {
    expect_has(page, sprintf(
      "%.0f %% were predicted correctly",
      100 * mean((kept$predicted == kept$truth)[like])
    ))
  }
  expect_has(page, htmltools::htmlEscape(format(summary(curve))[[2]]))
  refused <- function(fit, curve) {
    expect_input_error(
      write_report(fit, file = tempfile(), curve = curve), "not of this fit"
    )
  }
  refused(logo(toy$x, toy$y), curve)
  refused(relief(toy$x[-1, ], toy$y[-1]), curve)
  refused(relief(toy$x[, -1], toy$y), curve)
  refused(relief(toy$x, factor(toy$y, labels = c("u", "v"))), curve)
})

test_that("no text is interpreted, and nothing is loaded", {
  skip_without_report()
  made <- withr::with_seed(1, report_fit())
  annotation <- data.frame(
    symbol = rep(c("FGFR4", evil, NA), length.out = 12),
    site = rep(c("https://example.org/a?b=1", "javascript:alert(1)"), 6),
    row.names = colnames(made$x)
  )
  rownames(made$x)[1] <- evil
  page <- written(
    made$fit, made$x[1:3, ], annotation = annotation, title = evil
  )
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

test_that("distances are those of the definition", {
  withr::local_options(hitmiss.threads = 1L)
  toy <- small_array()
  new <- toy$x[1:3, ] + 0.1
  for (fit in list(
    logo(toy$x, toy$y), relief(toy$x, toy$y), llfs(toy$x, toy$y, alpha = 2)
  )) {
    weights <- if (inherits(fit, "hitmiss_llfs")) {
      fit$scores
    } else {
      replace(
        fit$scores * 0, names(fit$scores) %in% names(vote_weights(fit)),
        vote_weights(fit)
      )
    }
    scaled <- function(x) {
      t((t(x) - fit$preprocess$center) / fit$preprocess$scale)
    }
    distance <- function(a, b) sum(weights * abs(a - b)) / sum(weights)
    slow <- outer(
      1:3, 1:24,
      Vectorize(function(i, j) distance(scaled(new)[i, ], scaled(toy$x)[j, ]))
    )
    found <- sample_space(fit, new)
    expect_equal(found$distances, slow)
    expect_equal(found$training, toy$x[, colnames(found$training)],
      ignore_attr = TRUE
    )
    own <- outer(1:24, 1:24, Vectorize(function(i, j) {
      if (i == j) Inf else distance(scaled(toy$x)[i, ], scaled(toy$x)[j, ])
    }))
    expect_equal(unname(found$own), apply(own, 1, min))
    expect_identical(found$classes, toy$y, ignore_attr = TRUE)
  }
})

test_that("all fits have reports, also of a single, far or incomplete sample", {
  skip_without_report()
  toy <- small_array()
  fits <- list(
    relief(toy$x, toy$y), logo(toy$x, toy$y),
    kbfs(toy$x, toy$y, n = 5),
    pwfp(toy$x, toy$y), turf(toy$x, toy$y, relief)
  )
  for (fit in fits) {
    page <- suppressWarnings(written(fit, toy$x[1, , drop = FALSE]))
    expect_has(page, "<h3>")
  }
  far <- toy$x[1:4, ] + 100
  far[2, ] <- NA
  expect_has(written(fits[[1]], far), "Farther from the training samples")
  expect_has(
    written(fits[[1]], far), "A feature used for prediction is missing"
  )
  expect_has(written(fits[[1]], toy$x[0, ]), "There are no new samples")
  numeric <- relief(toy$x, toy$x[, 1], method = "rrelieff")
  expect_has(written(numeric, toy$x[1:2, ]), "<h3>sample 1: ")
  frame <- data.frame(g = toy$x[, 1], f = factor(rep(c("u", "v"), 12)))
  expect_has(written(relief(frame, toy$y), frame[1:2, ]), "<h3>")
})

test_that("a microarray's report with five new samples is small, soon made", {
  skip_without_report()
  skip_if_not_installed("ISLR2")
  khan <- ISLR2::Khan
  name <- function(x) {
    dimnames(x) <- list(
      paste0("s", seq_len(nrow(x))), paste0("gene", seq_len(ncol(x)))
    )
    x
  }
  fit <- llfs(name(khan$xtrain), factor(khan$ytrain), alpha = 5)
  page <- withr::local_tempfile(fileext = ".html")
  seconds <- system.time(write_report(fit, name(khan$xtest)[1:5, ], page))
  expect_lt(file.size(page), 3e6)
  expect_lt(sum(seconds[c("user.self", "sys.self")]), 20)
})

test_that("what cannot be a report is refused", {
  toy <- small_array()
  fit <- relief(toy$x, toy$y, threads = 1L)
  page <- withr::local_tempfile()
  refused <- function(...) {
    expect_input_error(write_report(...))
  }
  refused()
  refused(1, file = page)
  refused(fit)
  refused(fit, file = file.path(page, "nowhere.html"))
  refused(fit, file = tempdir())
  refused(fit, file = file.path(tempdir(), strrep("a", 5000)))
  refused(fit, file = file.path(tempdir(), strrep("a", 500)))
  refused(fit, file = page, curve = 1)
  refused(fit, file = page, annotation = data.frame(a = 1))
  refused(fit, file = page, label = "symbol")
  refused(fit, file = page, n = 0)
  refused(fit, file = page, colour = "red")
  expect_false(file.exists(page))
})

# ---- in a browser -----------------------------------------------------------

browser <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  found <- found[nzchar(found)]
  skip_if(length(found) == 0L, "no browser")
  skip_on_cran()
  found[[1L]]
}

test_that("in a browser the table sorts, and no name's script runs", {
  skip_without_report()
  chromium <- browser()
  made <- withr::with_seed(1, report_fit())
  page <- withr::local_tempfile(fileext = ".html")
  write_report(made$fit, made$x[1:3, ], page)
  # A script of ours at the end does what a reader does and writes down what it
  # sees.
  script <- "<script>
    const table = document.querySelector('table.sorted'), seen = [];
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
