# Text and numbers that may stand for missing values: a message with the count.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- withr::with_seed(3, matrix(
  rnorm(24 * 3), 24, dimnames = list(NULL, c("a", "b", "c"))
))
y <- rep(c("u", "v"), each = 12)
code <- "hitmiss_message_codes"

heard <- function(expr) {
  found <- NULL
  withCallingHandlers(expr, message = function(m) {
    if (inherits(m, code)) found <<- c(found, conditionMessage(m))
    invokeRestart("muffleMessage")
  })
  found
}

test_that("labels that mean missing are counted", {
  for (word in c(
    "NA", "N/A", "<NA>", "na ", "unknown", "Unknown", "[Not Available]", "null",
    "?", "missing", "-"
  )) {
    labels <- replace(y, c(2, 7, 15), word)
    said <- heard(relief(x, labels, k = 2))
    expect_match(said, "for 3 samples, which is taken as a class", info = word)
    expect_length(heard(relief(x, factor(labels), k = 2)), 1L)
  }
  for (word in c("none", "other", "nan1", "no", "0", "normal", "native")) {
    expect_null(heard(relief(x, replace(y, c(2, 7, 9), word), k = 2)))
  }
  expect_match(
    heard(relief(x, y, k = 2, group = replace(rep(1:12, 2), 1:4, "unknown"))),
    "`group` is \"unknown\" for 4 samples.*taken as a group"
  )
  expect_match(
    heard(relief(x, y, k = 2, block = c("NA", "a", "b")[rep(1:3, 8)])),
    "a block"
  )
  outcome <- replace(round(x[, 1], 1), 5, 999)
  expect_match(
    heard(relief(x, outcome, "rrelieff")), "`y` is 999 for 1 sample,"
  )
})

test_that("categories that mean missing are counted", {
  d <- data.frame(x, kind = rep(c("p", "q", "NA", ""), 6), sex = "m")
  d$sex[1:5] <- "Unknown"
  said <- heard(relief(d, y, k = 2))
  expect_match(said, "17 values of columns \"kind\" and \"sex\"")
  d$kind <- factor(d$kind)
  expect_match(
    heard(relief(d[c("a", "kind")], y, k = 2)), "12 values of column"
  )
  d$kind <- rep(c("p", "none"), 12)
  expect_null(heard(relief(d[c("a", "kind")], y, k = 2)))
})

test_that("numbers far from all others that are codes are counted", {
  numbers <- function(value, others, times = 3L) {
    replace(rep_len(others, 24), seq_len(times), value)
  }
  coded <- list(
    numbers(999, 0:1), numbers(9, 0:1), numbers(-9, 0:2, 1L), numbers(99, 1:5),
    numbers(-999, x[, 1], 1L), numbers(999, 20:80), numbers(-9999, x[, 2]),
    numbers(c(888, 999, 999), 0:1), numbers(77, 0:3), numbers(-99, 18:40)
  )
  for (values in coded) {
    d <- cbind(x, age = values)
    said <- heard(relief(d, y, k = 2))
    expect_match(said, "of column \"age\" of `x` .* far from the others")
    count <- sum(values %in% missing_numbers)
    expect_match(said, sprintf("^%d value", count))
    expect_length(heard(logo(as.data.frame(d), y)), 1L)
  }
  expect_match(heard(
    relief(cbind(x, d = coded[[1]], e = coded[[2]]), y, k = 2)
  ), "^6 val")
  plain <- list(
    numbers(9, 1:10), numbers(9, 0:1, 1L), numbers(99, seq(0, 98, 7)),
    numbers(9, 5), numbers(999, c(0, 400, 700)), numbers(98, 0:1),
    numbers(-1, 0:1), 1:24, 100:123
  )
  for (values in plain) {
    expect_null(heard(relief(cbind(x, age = values), y, k = 2)))
  }
  # Of all samples, and once for all splits.
  d <- cbind(x, age = coded[[1]])
  expect_length(heard(
    error_curve(d, y, quick_relief, 2, resampling = holdout(times = 3))
  ), 2L)
})
