# Reports that several files of tests look at.
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
