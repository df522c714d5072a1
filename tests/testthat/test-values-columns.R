# What a column of a data.frame, and an outcome, may be: read the same by every
# verb, by prediction and by the frameworks.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- withr::with_seed(7, {
  x <- matrix(round(rnorm(24 * 5), 2), 24, dimnames = list(NULL, letters[1:5]))
  x[1:12, 2] <- x[1:12, 2] + 3
  list(x = x, y = factor(rep(c("case", "control"), each = 12)))
})
plain <- data.frame(data$x, flag = data$x[, 1] > 0)
plain$flag <- as.numeric(plain$flag)

fit_all <- list(
  relief = function(x, y) relief(x, y, k = 3),
  logo = logo, kbfs = kbfs, pwfp = pwfp,
  llfs = function(x, y) withr::with_seed(1, llfs(x, y, alpha = 2))
)

# The same fit from both, and the same prediction of both.
expect_same_fits <- function(columns, info, numbers = plain) {
  for (verb in names(fit_all)) {
    fit <- fit_all[[verb]](columns, data$y)
    expect_identical(coef(fit), coef(fit_all[[verb]](numbers, data$y)),
      info = paste(verb, info)
    )
    known <- suppressWarnings(predict(fit, columns[1:6, , drop = FALSE]))
    # A part of a data.frame has the numbers of its rows as names.
    wanted <- suppressWarnings(predict(fit, numbers[1:6, ]))
    expect_identical(unname(known), unname(wanted), info = paste(verb, info))
  }
}

test_that("a column is read as the numbers that it holds", {
  as_is <- function(change) {
    columns <- plain
    columns[] <- lapply(columns, change)
    columns
  }
  logical <- plain
  logical$flag <- plain$flag == 1
  expect_same_fits(logical, "logical")
  expect_same_fits(as_is(function(v) matrix(v)), "matrices of one column")
  expect_same_fits(as_is(I), "AsIs")
  expect_same_fits(as_is(stats::ts), "series")
  packed <- plain
  packed$a <- data.frame(inner = plain$a)
  expect_same_fits(packed, "a table of one column")
  hmisc <- as_is(function(v) {
    structure(v, class = "labelled", label = "a label")
  })
  expect_same_fits(hmisc, "labels of variables")
  scaled <- as_is(scale)
  expect_equal(
    coef(logo(scaled, data$y)), coef(logo(plain, data$y)), tolerance = 1e-6
  )
  if (requireNamespace("haven", quietly = TRUE)) {
    expect_same_fits(as_is(haven::labelled), "haven, without labels")
  }
  skip_if_not_installed("S4Vectors")
  runs <- as_is(S4Vectors::Rle)
  expect_same_fits(runs, "Rle in a data.frame")
  frame <- S4Vectors::DataFrame(logical)
  frame$a <- S4Vectors::Rle(plain$a)
  expect_same_fits(frame, "DataFrame")
})

test_that("haven's values are numbers, categories or missing", {
  skip_if_not_installed("haven")
  spss <- plain
  spss$a <- haven::labelled_spss(plain$a, na_values = -9)
  expect_same_fits(spss, "no declared value occurs")
  declared <- plain$b
  declared[3] <- 99
  spss$b <- haven::labelled_spss(declared, na_values = 99)
  expect_error(logo(spss, data$y), "not finite; the first is NA in row 3",
    class = "hitmiss_error_input"
  )
  spss$b <- haven::labelled_spss(declared, na_range = c(90, Inf))
  expect_error(logo(spss, data$y), "1 value", class = "hitmiss_error_input")
  # The label of a missing value is no category.
  code <- rep(c(1, 2, 1, 9), 6)
  kinds <- c(no = 1, yes = 2, refused = 9)
  outcome <- haven::labelled_spss(code, kinds, na_values = 9)
  expect_error(relief(data$x, outcome), "6 missing",
    class = "hitmiss_error_input")
  expect_identical(kbfs(data$x, outcome, n = 2)$classes, c("no", "yes"))
  expect_identical(
    coef(relief(data$x[code < 9, ], outcome[code < 9])),
    coef(relief(data$x[code < 9, ], factor(code[code < 9], 1:2, c("no",
      "yes"))))
  )
  plain$kind <- factor(c("no", "yes")[1 + (code == 2)])
  spss <- plain
  spss$kind <- haven::labelled(ifelse(code == 2, 2, 1), kinds)
  expect_message(
    fit <- relief(spss, data$y, k = 3), class = "hitmiss_message_categories"
  )
  expect_identical(coef(fit), coef(relief(plain, data$y, k = 3)))
  expect_refusal(logo(spss, data$y), "x")
  # Numbers, of which one has a meaning of its own.
  spss$kind <- haven::labelled(plain$a, c(odd = 99))
  expect_length(coef(logo(spss, data$y)), 7L)
  spss$kind[[2L]] <- 99
  expect_refusal(logo(spss, data$y), "x")
})

test_that("a matrix of series, loadings or a table is its numbers", {
  x <- as.matrix(plain)
  for (matrix in list(
    stats::ts(x), structure(x, class = "loadings"), as.table(x), I(x), x > -9
  )) {
    values <- matrix(as.numeric(matrix), nrow(x),
      dimnames = list(NULL, names(plain)))
    dimnames(matrix) <- dimnames(values)
    expect_identical(coef(logo(matrix, data$y)), coef(logo(values, data$y)))
  }
})

test_that("what is no number is refused, also in new data", {
  dates <- plain
  dates$b <- as.Date("2020-01-01") + 1:24
  expect_refusal(logo(dates, data$y), "x")
  expect_refusal(predict(logo(plain, data$y), dates), "newdata")
  wide <- plain
  wide$a <- data$x[, 1:2]
  expect_refusal(logo(wide, data$y), "x")
})

# ---- ordered factors ---------------------------------------------------------

stages <- c("I", "II", "III", "IV")
staged <- plain
staged$stage <- factor(
  stages[c(rep(1:3, 4), rep(2:4, 4))], stages, ordered = TRUE
)
ranked <- staged
ranked$stage <- as.integer(staged$stage)

test_that("ordered features are the ranks of their levels", {
  expect_same_fits(staged, "ordered", ranked)
  # Ranks of the levels there may be, not of those that are there.
  gap <- staged[staged$stage != "II", ]
  fit <- relief(gap, data$y[staged$stage != "II"], k = 3)
  expect_identical(
    coef(fit), coef(relief(ranked[staged$stage != "II", ],
      data$y[staged$stage != "II"],
      k = 3
    ))
  )
  # New data may have other levels, in another order, or text.
  new <- staged[1:8, ]
  known <- predict(fit, new)
  new$stage <- factor(as.character(new$stage), c("IV", "I", "III", "II", "V"))
  expect_identical(predict(fit, new), known)
  new$stage <- as.character(new$stage)
  expect_identical(predict(fit, new), known)
  new$stage[[1L]] <- "V"
  expect_warning(
    unseen <- predict(fit, new),
    class = "hitmiss_warning_unseen"
  )
  expect_identical(unname(which(is.na(unseen))), 1L)
  missing <- staged[1:8, ]
  missing$stage[[2L]] <- NA
  expect_identical(which(is.na(predict(fit, missing))), c(`2` = 2L),
    ignore_attr = TRUE)
  back <- predict(fit, staged[1:8, ], type = "features", n = 7)
  expect_identical(back$stage, staged$stage[1:8])
  bad <- staged
  bad$stage <- structure(rep(9L, 24), levels = stages,
    class = class(staged$stage))
  expect_refusal(relief(bad, data$y), "x")
})

test_that("evaluations, formulas and frameworks take ordered features", {
  both <- data.frame(staged, class = data$y)
  expect_identical(
    coef(relief(class ~ ., both, k = 3)), coef(relief(ranked, data$y, k = 3))
  )
  mixed <- staged
  mixed$kind <- factor(rep(c("u", "v", "w"), 8))
  coded <- mixed
  coded$stage <- ranked$stage
  expect_identical(
    coef(relief(mixed, data$y, k = 3)), coef(relief(coded, data$y, k = 3))
  )
  run <- function(x) {
    withr::with_seed(2, error_curve(x, data$y, quick_relief, 2,
      resampling = holdout(times = 2)))
  }
  expect_identical(run(staged)$values, run(ranked)$values)
  expect_identical(run(mixed)$values, run(coded)$values)
  found <- function(x) {
    withr::with_seed(3, probe_fdr(x, data$y, quick_relief, times = 2))
  }
  expect_identical(
    as.data.frame(found(staged)), as.data.frame(found(ranked))
  )
  expect_identical(
    coef(turf(staged, data$y, quick_relief)),
      coef(turf(ranked, data$y, quick_relief))
  )
  holes <- staged
  holes$stage[3] <- NA
  expect_s3_class(error_curve(holes, data$y, quick_relief, 2,
    resampling = holdout(times = 2), prepare = prepare_impute()
  ), "hitmiss_curve")
  skip_if_not_installed("mlr3filters")
  task <- mlr3::as_task_classif(
    data.frame(staged, on = staged$a > 0, class = data$y), target = "class"
  )
  for (method in names(fit_all)) {
    filter <- mlr3filters::flt(paste0("hitmiss_", method))
    if (method == "llfs") filter$param_set$values$alpha <- 2
    expect_setequal(names(filter$calculate(task)$scores), task$feature_names)
  }
  learner <- mlr3::lrn("classif.hitmiss_llfs", alpha = 2)
  learner$train(task)
  expect_length(learner$predict(task)$response, 24L)
})

test_that("predictions of an ordered outcome are ordered as it is", {
  y <- cut(rank(data$x[, 2]), 3, c("low", "mid", "high"), ordered_result = TRUE)
  for (verb in names(fit_all)) {
    expect_message(
      fit <- fit_all[[verb]](data$x, y), class = "hitmiss_message_ordered"
    )
    found <- predict(fit, data$x)
    expect_s3_class(found, "ordered")
    expect_identical(levels(found), levels(y))
    # R warns where a factor is compared with an ordered one.
    expect_silent(expect_identical(mean(found == y), mean(as.integer(
      found) == as.integer(y))))
    expect_identical(
      as.character(found), as.character(predict(
        fit_all[[verb]](data$x, factor(y, ordered = FALSE)), data$x
      ))
    )
    both <- data.frame(data$x, class = y)
    if (verb != "llfs") {
      by_formula <- suppressMessages(do.call(verb, list(class ~ ., both)))
      expect_s3_class(predict(by_formula, both), "ordered")
    }
    expect_silent(expect_s3_class(
      knowingly(validate(fit, data$x, y)), "hitmiss_result"
    )) |> suppressMessages()
  }
  constant <- suppressMessages(logo(data$x[, 1:2] * 0 + 1, y))
  expect_s3_class(suppressWarnings(predict(constant, data$x)), "ordered")
  curve <- suppressMessages(error_curve(data$x, y, quick_relief, 2,
    resampling = holdout(times = 2)))
  expect_gt(nrow(as.data.frame(curve, "predictions")), 0L)
})
