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
    "?", "missing", "-", "N.A.", "not applicable", "'--", "#N/A", "No data",
    "Not_Evaluated", "-9", "999", "#VALUE!", "#DIV/0!", "unclassified",
    "Not done", "pending"
  )) {
    labels <- replace(y, c(2, 7, 15), word)
    said <- heard(relief(x, labels, k = 2))
    expect_match(said, "for 3 samples, which is taken as a class", info = word)
    expect_length(heard(relief(x, factor(labels), k = 2)), 1L)
  }
  for (word in c("none", "other", "nan1", "no", "0", "normal", "native", "9")) {
    expect_null(heard(relief(x, replace(y, c(2, 7, 9), word), k = 2)))
  }
  digits <- as.character(rep(c(0:9, 99, -9), 2))
  expect_match(heard(relief(x, digits)), "`y` is \"99\" for 2 samples")
  expect_null(heard(relief(x, as.character(rep(c(9, 77), 12)))))
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
  outcome[6:8] <- c(999, -99, 999)
  expect_match(
    heard(relief(x, outcome, "rrelieff")), "`y` is 999 and -99 for 4 samples,"
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
  d$kind <- factor(d$kind, c("", "p", "q", "NA"), ordered = TRUE)
  for (select in list(relief, logo)) {
    expect_match(heard(select(d[c("a", "kind")], y)), "12 values of column")
  }
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
  sparse <- Matrix::Matrix(cbind(x, age = coded[[1]]), sparse = TRUE)
  expect_match(heard(relief(sparse, y, k = 2)), "\"age\" of `x` are far")
  expect_null(heard(relief(
    Matrix::Matrix(cbind(x, age = plain[[1]]), sparse = TRUE), y, k = 2
  )))
  # Of all samples, and once for all splits.
  d <- cbind(x, age = coded[[1]])
  expect_length(heard(
    error_curve(d, y, quick_relief, 2, resampling = holdout(times = 3))
  ), 2L)
})

test_that("codes in new samples are told by the training samples", {
  d <- cbind(x, age = rep(c(30, 50), each = 12) + 1:24)
  fits <- list(
    relief(d, y, k = 2), logo(d, y, scale = "none"), llfs(d, y, alpha = 2),
    relief(d, d[, "age"], "rrelieff"),
    relief(Matrix::Matrix(d, sparse = TRUE), y, k = 2)
  )
  for (fit in fits) {
    expect_true("age" %in% selected(fit, 4))
    one <- d[3, , drop = FALSE]
    expect_null(heard(predict(fit, d)))
    expect_null(heard(predict(fit, replace(one, is.na(one), 0))))
    one[, "age"] <- 999
    sparse <- function(m) Matrix::Matrix(m, sparse = TRUE)
    for (of in list(identity, data.frame, sparse)) {
      expect_match(
        heard(predict(fit, of(one))),
        "^1 value of column \"age\" of `newdata` is far from the others.* 999"
      )
    }
    all <- d
    all[c(2, 5), "age"] <- c(-99, 777)
    expect_match(heard(predict(fit, all, type = "features")), "^2 values")
  }
  # An age of 99 is none among ages, and neither is what the fit does not use.
  expect_null(heard(predict(fits[[1]], replace(d, 3 * 24 + 1, 99))))
  few <- relief(d[, -4], y, k = 2)
  expect_null(heard(predict(few, replace(d, 3 * 24 + 1, 999))))
  kind <- data.frame(x, kind = rep(c("p", "q"), each = 12))
  fit <- relief(kind, y, k = 2)
  error <- expect_refusal(
    predict(fit, transform(kind[1:2, ], kind = "unknown")), "newdata"
  )
  expect_match(conditionMessage(error), "must be NA")
  expect_match(conditionMessage(expect_refusal(
    validate(fit, kind, replace(y, 1, "unknown")), "truth"
  )), "must be NA")
})

test_that("bytes that are no text are looked at as they are", {
  odd <- rep(c("caf\xe9", "b", "unknown"), 8)
  expect_match(heard(relief(x, y, k = 2, block = odd)), "for 8 samples")
  for (of in list(identity, factor)) {
    x <- data.frame(x[, 1:3], place = of(odd))
    error <- expect_refusal(relief(x, y, k = 2), "x")
    code <- regmatches(
      conditionMessage(error), regexpr("(?<=`)[^`]+iconv[^`]+",
        conditionMessage(error), perl = TRUE)
    )
    eval(parse(text = code))
    expect_match(heard(relief(x, y, k = 2)), "^8 values of column \"place\"")
  }
})
