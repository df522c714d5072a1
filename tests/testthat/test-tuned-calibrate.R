# The inner folds of calibrated probabilities: what is repeated in them.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- withr::with_seed(2, simulate_microarray(c(14, 12), 40, relevant = 5))
rownames(toy$x) <- paste0("s", 1:26)
quick <- function(x, y, ...) relief(x, y, k = 3, ..., threads = 1)

seeded <- function(selector, ..., seed = 1) {
  withr::with_seed(seed, selector(...))
}

test_that("inner fits are those of the folds, and see no held-out sample", {
  seen <- list()
  spy <- function(x, y) {
    seen[[length(seen) + 1L]] <<- rownames(x)
    quick(x, y)
  }
  fit <- seeded(tuned(spy, calibrate = TRUE), toy$x, toy$y)
  expect_length(seen, 6L)
  folds <- fit$calibration$folds
  expect_length(folds, 5L)
  held <- lapply(folds, function(fold) rownames(fold$values))
  expect_setequal(unlist(held), rownames(toy$x))
  for (f in 1:5) {
    expect_length(intersect(held[[f]], seen[[f + 1L]]), 0L)
    rows <- match(seen[[f + 1L]], rownames(toy$x))
    expect_identical(
      folds[[f]]$fit$scores, quick(toy$x[rows, ], toy$y[rows])$scores
    )
    expect_identical(folds[[f]]$y, as.integer(toy$y)[match(
      held[[f]], rownames(toy$x)
    )])
  }
  expect_identical(fit$scores, quick(toy$x, toy$y)$scores)
  again <- seeded(tuned(spy, calibrate = TRUE), toy$x, toy$y)
  expect_identical(
    predict(again, toy$x, "prob"), predict(fit, toy$x, "prob")
  )
  expect_output(print(fit), "votes count [0-9.]+ of their face\\s+value")
  expect_output(print(tuned(quick, calibrate = TRUE)), "five inner folds")
})

test_that("groups are kept whole, and the loss counts them", {
  patient <- rep(1:13, each = 2)
  y <- factor(rep(c("a", "b"), c(14, 12)))
  fit <- seeded(tuned(relief, calibrate = TRUE), toy$x, y,
    group = patient, k = 3, threads = 1
  )
  for (fold in fit$calibration$folds) {
    rows <- match(rownames(fold$values), rownames(toy$x))
    expect_length(intersect(patient[rows], patient[-rows]), 0L)
  }
  expect_identical(fit$calibration$weight, 0.5)
})

test_that("parameters and preparations are learned inside", {
  raw <- toy$x
  raw[3, 2] <- NA
  fit <- seeded(tuned(quick,
    prepare = list(prepare_impute("mean"), prepare_filter(n = 20)),
    calibrate = TRUE
  ), raw, toy$y)
  prob <- predict(fit, raw, "prob")
  expect_equal(unname(rowSums(prob)), rep(1, 26))
  kept <- vapply(fit$calibration$folds, function(fold) {
    identical(sort(names(fold$fit$scores)), sort(names(fit$scores)))
  }, NA)
  expect_false(all(kept))
  chosen <- seeded(tuned(function(x, y, k) relief(x, y, k = k, threads = 1),
    k = c(1, 3), resampling = kfold(2), calibrate = TRUE
  ), toy$x, toy$y)
  expect_true(all(vapply(chosen$calibration$folds, function(fold) {
    is.data.frame(fold$fit$tuned)
  }, NA)))
})

test_that("factors and other selectors", {
  frame <- data.frame(toy$x, sex = factor(rep_len(c("f", "m"), 26)))
  fit <- seeded(tuned(quick, calibrate = TRUE), frame, toy$y)
  expect_equal(unname(rowSums(predict(fit, frame, "prob"))), rep(1, 26))
  for (selector in list(logo, kbfs, pwfp)) {
    fit <- suppressWarnings(seeded(
      tuned(selector, calibrate = TRUE), toy$x, toy$y, threads = 1
    ))
    expect_equal(unname(rowSums(predict(fit, toy$x, "prob"))), rep(1, 26))
  }
})

test_that("on noise the probabilities are about the shares of the classes", {
  confidence <- vapply(1:4, function(seed) {
    withr::local_seed(seed)
    x <- matrix(rnorm(80 * 100), 80, dimnames = list(NULL, paste0("g", 1:100)))
    y <- factor(rep_len(c("a", "b"), 80))
    fit <- tuned(quick, calibrate = TRUE)(x[1:40, ], y[1:40])
    plain <- quick(x[1:40, ], y[1:40])
    of <- function(fit) mean(apply(predict(fit, x[41:80, ], "prob"), 1, max))
    c(of(fit), of(plain))
  }, c(0, 0))
  expect_lt(mean(confidence[1, ]), 0.61)
  expect_gt(mean(confidence[2, ]), 0.65)
})

test_that("curves and reports take calibrated fits", {
  sure <- tuned(quick, calibrate = TRUE)
  curve <- seeded(error_curve, toy$x, toy$y, list(relief = sure), 5,
    classifier = "own", resampling = kfold(3)
  )
  expect_equal(unname(rowSums(curve$predictions$score)), rep(1, 26))
  fit <- seeded(sure, toy$x, toy$y)
  expect_true("calibrate" %in% differing_settings(
    fit_settings(fit), fit_settings(quick(toy$x, toy$y))
  ))
  skip_if_not_installed("htmltools")
  file <- withr::local_tempfile(fileext = ".html")
  suppressMessages(write_report(fit, file, new = toy$x[1:4, ]))
  text <- paste(readLines(file), collapse = " ")
  expect_match(text, "votes count [0-9.]+ of their\\s+face\\s+value")
  expect_match(text, "Its probability to be")
})

test_that("the time is told where it is long", {
  expect_no_message(
    seeded(tuned(quick, calibrate = TRUE), toy$x, toy$y),
    class = "hitmiss_message_time"
  )
  now <- 0
  own <- hitmiss:::elapsed
  utils::assignInNamespace("elapsed", function() now <<- now + 4, "hitmiss")
  withr::defer(utils::assignInNamespace("elapsed", own, "hitmiss"))
  said <- testthat::capture_messages(
    seeded(tuned(quick, calibrate = TRUE), toy$x, toy$y)
  )
  expect_match(said, "Inner folds: about .*expected", all = FALSE)
})

test_that("what cannot be calibrated is refused", {
  refused <- function(arg, selector, ...) {
    expect_refusal(
      suppressWarnings(tuned(selector, calibrate = TRUE)(...)), arg
    )
  }
  refused("calibrate", llfs, toy$x, toy$y, alpha = 2, threads = 1)
  refused("pair", relief, toy$x[1:24, ], factor(rep_len(1:2, 24)),
    pair = rep(1:12, each = 2)
  )
  expect_input_error(
    tuned(relief, calibrate = TRUE)(toy$x[1:24, ], rep_len(c("a", "b"), 24),
      pair = rep(1:12, each = 2)
    ), "nothing to\\s+calibrate"
  )
  refused("y", quick, toy$x[1:15, ], toy$y[1:15])
  expect_refusal(tuned(quick, calibrate = NA), "calibrate")
  expect_refusal(tuned(quick, calibrate = FALSE), "...")
  refused("calibrate", relief, toy$x, as.double(1:26),
    method = "rrelieff", threads = 1
  )
})

test_that("survival curves are those of all to the power of the inner folds", {
  made <- withr::with_seed(3, {
    x <- matrix(rnorm(70 * 12), 70, dimnames = list(NULL, letters[1:12]))
    event <- rexp(70, exp(x[, 1]))
    leave <- rexp(70, 0.3)
    list(x = x, y = survival::Surv(pmin(event, leave), event <= leave))
  })
  old <- 1:60
  x <- made$x[old, ]
  y <- made$y[old]
  fit <- seeded(tuned(relief, calibrate = TRUE), x, y, threads = 1)
  plain <- relief(x, y, threads = 1)
  time <- sort(y[, 1])[[36]]
  hazard <- function(fit, x, ...) {
    # Some are far from the samples of a fold.
    s <- suppressWarnings(predict(fit, x, "survival", times = time, ...))[, 1]
    log(-log(pmin(0.99, pmax(0.01, s))))
  }
  for (n in c(3, 12)) {
    folds <- fit$calibration$folds
    h <- unlist(lapply(folds, function(f) hazard(f$fit, f$values, n = n)))
    of <- rep(seq_along(folds), vapply(folds, \(f) nrow(f$values), 0L))
    held <- do.call(rbind, lapply(folds, function(f) as.matrix(f$y)))
    model <- survival::coxph(
      survival::Surv(held[, 1], held[, 2]) ~ h + strata(of)
    )
    b <- min(1.5, max(0, coef(model)))
    expect_gt(b, 0)
    all <- summary(survival::survfit(y ~ 1), c(0.2, 0.1, 1))$surv[c(2, 1, 3)]
    new <- made$x[-old, ]
    wanted <- outer(exp(b * (hazard(plain, new, n = n) - mean(h))), log(all))
    found <- predict(fit, new, "survival", times = c(0.2, 0.1, 1), n = n)
    expect_equal(unname(found), unname(exp(wanted)))
    expect_identical(colnames(found), c("0.2", "0.1", "1"))
    expect_identical(predict(fit, new, n = n), predict(plain, new, n = n))
  }
  expect_output(print(fit), "survival curves calibrated by inner folds")
  # Folds in which high risks come late: all have one curve.
  none <- fit
  none$calibration$folds <- lapply(folds, function(f) {
    late <- rank(hazard(f$fit, f$values))
    f$y <- survival::Surv(late, rep(TRUE, length(late)))
    f
  })
  none$calibration$usual <- hazard_calibration(none$calibration)
  expect_identical(none$calibration$usual$b, 0)
  same <- predict(none, new, "survival", times = c(0.2, 1))
  expect_equal(unname(same[5, ]), all[c(1, 3)])
  expect_output(print(none), "no better than one curve for all")
  new[1, ] <- NA
  quiet <- suppressMessages(predict(none, new, "survival", missing = "drop"))
  expect_true(all(is.na(quiet[1, ])))
  expect_false(anyNA(quiet[-1, ]))
  expect_identical(unname(attr(quiet, "left")[1:2]), c(0, 1))
})
