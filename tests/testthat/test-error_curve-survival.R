# Curves of survival times: classifiers, baselines, and what goes on from them.
# SPDX-License-Identifier: GPL-3.0-or-later

Surv <- survival::Surv

followed <- withr::with_seed(1, local({
  n <- 90
  x <- matrix(rnorm(n * 20), n, dimnames = list(NULL, paste0("g", 1:20)))
  event <- rexp(n, exp(1.5 * x[, 1] - x[, 2]))
  leave <- rexp(n, 0.4)
  list(
    x = x, y = Surv(ceiling(20 * pmin(event, leave)) / 20, event <= leave)
  )
}))
quick <- function(x, y) suppressWarnings(relief(x, y, threads = 1))
quick_by <- function(x, y, k) suppressWarnings(relief(x, y, k = k, threads = 1))
run_followed <- function(..., resampling = kfold(3),
                         selectors = list(a = quick)) {
  withr::with_seed(2, error_curve(followed$x, followed$y, selectors, c(2, 8),
    ..., resampling = resampling
  ))
}

test_that("a curve's C is that of the neighbours in each test part", {
  curve <- run_followed(resampling = kfold(3, times = 2))
  expect_identical(curve$metric, "cindex")
  for (s in seq_along(curve$splits)) {
    split <- curve$splits[[s]]
    fit <- quick(followed$x[split$train, ], followed$y[split$train])
    best <- selected(fit, 8)
    known <- scale(followed$x[split$train, best])
    new <- scale(followed$x[split$test, best],
      attr(known, "scaled:center"), attr(known, "scaled:scale"))
    y <- unclass(followed$y[split$train])
    u <- hitmiss:::survival_positions(y[, 1], y[, 2] == 1)$expected
    risk <- apply(new, 1, function(v) {
      d <- sqrt(colSums((t(known) - v)^2))
      1 - mean(u[order(d)[seq_len(max(10, round(length(u) / 2)))]])
    })
    kept <- curve$predictions
    kept <- kept[kept$split == s & kept$size == 8, ]
    expect_equal(kept$predicted, unname(risk), tolerance = 1e-9)
    truth <- followed$y[split$test]
    expect_equal(curve$values$a[[s, 2]], unname(survival::concordance(
      truth ~ risk, reverse = TRUE
    )$concordance), tolerance = 1e-9)
  }
  none <- curve$baseline
  expect_identical(none$name[[nrow(none)]], "(no features)")
  expect_identical(none$mean[[nrow(none)]], 0.5)
  expect_gt(curve$best$mean, 0.6)
})

test_that("curves of neighbours weigh them as predict() does", {
  whole <- function(x, y) colnames(x)
  curve <- withr::with_seed(2, error_curve(
    followed$x, followed$y, list(all = whole, own = quick), 20,
    classifier = list("knn9", own = "own"), resampling = holdout(2),
    metric = "ibs"
  )) |> suppressWarnings()
  expect_match(curve$classifier[["all"]], "9 nearest")
  table <- as.data.frame(curve, "predictions")
  expect_true(all(c("time", "event", "risk") %in% names(table)))
  times <- grep("^surv_", names(table), value = TRUE)
  expect_lte(length(times), 50L)
  split <- curve$splits[[1]]
  own <- table[table$selector == "own" & table$split == 1, ]
  fit <- quick(followed$x[split$train, ], followed$y[split$train])
  expect_equal(
    unname(as.matrix(own[times])), unname(predict(fit,
      followed$x[split$test, ], "survival",
      n = 20, times = curve$study$grid
    ))
  )
  # The same neighbours in an unweighted space, by the function of predict().
  known <- scale(followed$x[split$train, ])
  new <- scale(followed$x[split$test, ],
    attr(known, "scaled:center"), attr(known, "scaled:scale"))
  y <- followed$y[split$train]
  votes <- hitmiss:::cpp_nearest_survival(
    new, list(values = known, voters = hitmiss:::survival_voters(y,
      curve$study$grid)), list(center = rep(0, 20), scale = rep(1, 20),
      constant = rep(FALSE, 20)), rep(1, 20),
    list(k = 9, metric = "euclidean", simd = "baseline", missing = FALSE),
    hitmiss:::core_runtime()
  )
  all <- table[table$selector == "all" & table$split == 1, ]
  expect_equal(all$risk, votes$risk, tolerance = 1e-9)
  expect_equal(as.vector(as.matrix(all[times])), votes$curve, tolerance = 1e-9)
})

test_that("functions give risks or curves, and what they give wrong is named", {
  by_risk <- function(x_train, y_train, x_test) {
    stopifnot(inherits(y_train, "Surv"))
    x_test[, 1]
  }
  by_curve <- function(x_train, y_train, x_test) {
    curve <- exp(-outer(exp(x_test[, 1]), c(0.5, 1, 2)))
    colnames(curve) <- c("0.5", "1", "2")
    curve
  }
  risk <- run_followed(classifier = by_risk)
  curve <- run_followed(classifier = by_curve)
  expect_equal(risk$summary$mean, curve$summary$mean)
  expect_true(all(is.na(risk$predictions$score)))
  table <- as.data.frame(risk, "predictions")
  expect_false(any(startsWith(names(table), "surv")))
  grid <- curve$study$grid
  score <- curve$predictions$score
  expect_true(all(score[, grid < 0.5] == 1))
  expect_gt(run_followed(classifier = by_curve, metric = "ibs")$best$mean, 0)
  expect_error(run_followed(classifier = by_risk, metric = "ibs"),
    class = "hitmiss_error_scores"
  )
  for (bad in list(
    function(a, b, c) rowSums(c)[-1], function(a, b, c) rep(NA, nrow(c)),
    function(a, b, c) matrix(2, nrow(c), 1, dimnames = list(NULL, "1")),
    function(a, b, c) matrix(0.5, nrow(c), 2),
    function(a, b, c) factor(rep("a", nrow(c)))
  )) {
    expect_refusal(run_followed(classifier = bad), "classifier")
  }
  expect_refusal(run_followed(classifier = "svm_rbf"), "classifier")
  expect_refusal(run_followed(metric = "auc"), "metric")
  expect_refusal(run_followed(positive = "event"), "positive")
  expect_refusal(run_followed(horizon = 1e6), "horizon")
  expect_refusal(
    run_followed(resampling = holdout(2, labelled = 0.5)), "resampling"
  )
  toy <- edge_data()
  expect_refusal(error_curve(toy$x, toy$y, relief, 2, horizon = 1), "horizon")
  expect_refusal(error_curve(toy$x, toy$y, relief, 2, metric = "uno"), "metric")
  expect_refusal(
    error_curve(toy$x, toy$y, relief, 2, classifier = "cox"), "classifier"
  )
  expect_error(run_followed(selectors = list(a = logo)), "takes classes")
})

test_that("Cox's model with a ridge penalty predicts", {
  skip_if_not_installed("glmnet")
  curve <- run_followed(classifier = "cox", metric = "ibs")
  expect_lt(curve$best$mean, curve$baseline$mean[[nrow(curve$baseline)]])
  one <- withr::with_seed(1, error_curve(followed$x, followed$y, quick, 1,
    classifier = "cox", resampling = holdout(2)
  ))
  expect_gt(one$best$mean, 0.5)
})

test_that("where no feature varies, Cox's model gives all the same hazard", {
  skip_if_not_installed("glmnet")
  n <- nrow(followed$x)
  splits <- list(list(train = 5:n, test = 1:4), list(train = 1:40, test = 41:n))
  # The first varies in test parts alone, the second in a sample of each
  # training part: not in all inner folds.
  x <- cbind(seq_len(n) == 2, seq_len(n) == 30)
  colnames(x) <- c("a", "b")
  curve <- withr::with_seed(1, error_curve(x, followed$y,
    list(all = function(x, y) c("a", "b"), first = function(x, y) c("a")),
    1:2, classifier = "cox", resampling = splits
  ))
  expect_identical(nrow(curve$failures), 0L)
  y <- followed$y[5:n]
  grid <- sort(unique(y[, 1]))
  flat <- hitmiss:::ridge_survival(
    list(train = x[5:n, "a", drop = FALSE], test = x[1:4, "a", drop = FALSE]),
    list(y = y, grid = grid)
  )
  expect_identical(flat$class, numeric(4))
  nelson <- exp(-survival::survfit(y ~ 1)$cumhaz)
  expect_equal(flat$score, matrix(nelson, 4, length(grid), byrow = TRUE))
})

test_that("a metric of one's own gets times, risks and curves", {
  own <- function(truth, risk) {
    unname(survival::concordance(truth ~ risk, reverse = TRUE)$concordance)
  }
  known <- run_followed(resampling = holdout(3))
  found <- run_followed(
    metric = list(fun = own, name = "C", larger = TRUE), resampling = holdout(3)
  )
  expect_equal(found$summary, known$summary)
  last <- run_followed(metric = function(truth, risk, curve) {
    stopifnot(is.matrix(curve), !anyNA(as.numeric(colnames(curve))))
    mean(curve[, ncol(curve)])
  }, resampling = holdout(3))
  expect_true(all(last$values$a > 0 & last$values$a < 1))
})

test_that("what takes a curve takes one of survival times", {
  curve <- run_followed(
    resampling = kfold(3, times = 2), nested = kfold(3), permuted = 1,
    selectors = list(a = quick, b = function(x, y) {
      reference_scores(x, y, "cox", threads = 1)
    })
  )
  expect_true(all(best_size(curve)$size %in% c(2, 8)))
  expect_true(is.finite(compare_selectors(curve)$p))
  expect_true(is.finite(compare_selectors(curve, "chosen")$difference))
  expect_false(anyNA(stability(curve)$nogueira))
  expect_named(glance(curve)[c("no_features", "chosen")])
  text <- format(summary(curve))
  expect_match(text, "survival times, [0-9]+ events.*horizon: [0-9]")
  expect_output(print(curve), "survival times, [0-9]+ events")
  alone <- run_followed(resampling = leave_one_out())
  expect_true(all(is.na(alone$results$value)))
  expect_gt(alone$best$mean, 0.5)
  # Splits of one's own need events in training, not censored samples.
  events <- which(unclass(followed$y)[, 2] == 1)
  rest <- setdiff(seq_len(90), events)
  expect_refusal(
    run_followed(resampling = list(list(train = rest, test = events))),
    "resampling"
  )
  expect_no_error(suppressWarnings(
    run_followed(resampling = list(list(train = events[-1], test = rest)))
  ))
  empty <- run_followed(
    selectors = list(a = function(x, y) character()), metric = "ibs"
  )
  expect_equal(
    empty$best$mean, empty$baseline$mean[[nrow(empty$baseline)]]
  )
  expect_output(print(empty), "predicted the survival of all")
})

test_that("groups, blocks and a preparation reach the selectors", {
  group <- rep(1:45, each = 2)
  block <- rep(1:2, 45)
  curve <- run_followed(
    selectors = list(relief = relief), group = group, block = block
  )
  expect_identical(n_units(curve$design), 45L)
  expect_identical(curve$settings$relief[[1]]$block, "given")
  x <- followed$x
  x[5, 3] <- NA
  prepared <- withr::with_seed(1, error_curve(x, followed$y, quick, 4,
    resampling = kfold(3), prepare = prepare_impute()
  ))
  expect_gt(prepared$best$mean, 0.5)
  expect_error(
    error_curve(x, followed$y, quick, 4,
      prepare = list(prepare_impute(), prepare_adjust(rnorm(90)))
    ), "takes classes"
  )
})

test_that("other processes split survival times alike", {
  skip_if_not_installed("BiocParallel")
  here <- run_followed()
  there <- run_followed(BPPARAM = BiocParallel::SnowParam(2))
  expect_identical(there$values, here$values)
})

test_that("tuned() and probe_fdr() judge by C and by z", {
  tune <- tuned(relief, k = c(5, 30), resampling = kfold(3))
  fit <- withr::with_seed(1, tune(followed$x, followed$y, threads = 1))
  expect_true(all(fit$tuned$error > 0 & fit$tuned$error < 0.5))
  knn <- tuned(relief, k = c(5, 30), resampling = kfold(3), classifier = "knn7")
  expect_s3_class(
    withr::with_seed(1, knn(followed$x, followed$y)), "hitmiss_relief"
  )
  svm <- tuned(relief, k = c(5, 30), classifier = "svm_rbf")
  expect_refusal(svm(followed$x, followed$y), "classifier")
  toy <- edge_data()
  cox <- tuned(relief, k = 2:3, classifier = function(a, b, c) b[1:2])
  expect_s3_class(cox, "hitmiss_tuned")
  found <- withr::with_seed(1, probe_fdr(followed$x, followed$y, quick,
    times = 4
  ))
  expect_true(all(c("direction", "effect", "z") %in% names(found)))
  expect_false("class" %in% names(found))
  fit <- quick(followed$x, followed$y)
  at <- match(found$feature, names(fit$scores))
  expect_equal(found$z, fit$hazard$z[at])
  expect_identical(found$feature[[1]], "g1")
  expect_output(print(found), "hazard ratio")
  by <- rep(1:2, 45)
  within <- withr::with_seed(1, probe_fdr(followed$x, followed$y, relief,
    times = 2, block = by
  ))
  expect_equal(
    within$z, relief(followed$x, followed$y, block = by)$hazard$z[
      match(within$feature, colnames(followed$x))
    ]
  )
})

test_that("frameworks hand on survival times", {
  skip_if_not_installed("recipes")
  data <- data.frame(followed$x)
  data$y <- followed$y
  rec <- recipes::recipe(data) |>
    recipes::update_role(dplyr::starts_with("g"), new_role = "predictor") |>
    recipes::update_role("y", new_role = "outcome") |>
    step_select_hitmiss(recipes::all_predictors(), top_p = 2)
  baked <- recipes::bake(recipes::prep(rec), new_data = NULL)
  expect_setequal(
    names(baked), c(selected(quick(followed$x, followed$y), 2), "y")
  )
})

test_that("the filter of mlr3 takes tasks of survival times", {
  task <- list(
    task_type = "surv", feature_names = colnames(followed$x),
    truth = function() followed$y, groups = NULL,
    data = function(cols) data.frame(followed$x)[cols]
  )
  fit <- hitmiss:::fit_mlr3_task("relief", task, list(threads = 1))
  expect_identical(fit$scores, quick(followed$x, followed$y)$scores)
  skip_if_not_installed("mlr3filters")
  known <- mlr3::mlr_reflections$task_types
  skip_if("surv" %in% known$type)
  expect_false("surv" %in% mlr3filters::flt("hitmiss_relief")$task_types)
  # As package mlr3proba does, of which nothing else is asked for.
  more <- as.data.frame(known)[1L, ]
  more$type <- "surv"
  assign(
    "task_types", data.table::rbindlist(list(known, more)),
    mlr3::mlr_reflections
  )
  withr::defer(assign("task_types", known, mlr3::mlr_reflections))
  expect_true("surv" %in% mlr3filters::flt("hitmiss_relief")$task_types)
  expect_false("surv" %in% mlr3filters::flt("hitmiss_logo")$task_types)
})

test_that("held-out curves by thirds of risk are drawn with numbers at risk", {
  skip_if_not_installed("ggplot2")
  curve <- run_followed(resampling = kfold(3, times = 2))
  picture <- plot(curve, type = "survival", size = 8)
  drawn <- picture$data
  expect_identical(levels(drawn$group), c("lowest", "middle", "highest"))
  kept <- curve$predictions
  kept <- kept[kept$size == 8, ]
  place <- ave(kept$predicted, kept$split, FUN = function(v) {
    (rank(v) - 0.5) / length(v)
  })
  high <- kept[place >= 2 / 3, ]
  km <- survival::survfit(Surv(time, event) ~ 1, high)
  own <- drawn[drawn$group == "highest", ]
  expect_equal(min(own$y), min(km$surv))
  at_risk <- picture$layers[[2]]$data
  expect_equal(
    at_risk$n[at_risk$x == 0 & at_risk$group == "highest"], nrow(high) / 2
  )
  expect_refusal(plot(curve, type = "roc"), "type")
  toy <- edge_data()
  other <- edge_curve(toy, relief, 2, resampling = holdout(2))
  expect_refusal(plot(other, type = "survival"), "type")
  fit <- quick(followed$x, followed$y)
  risks <- plot(fit, type = "risk", n = 4)
  expect_identical(nlevels(risks$data$panel), 4L)
  expect_equal(unique(risks$data$y), unname(unique(predict(fit, followed$x))))
  unrelated <- withr::with_seed(1, relief(
    matrix(rnorm(20), dimnames = list(NULL, "a")), Surv(rexp(20), rep(1:0, 10))
  ))
  expect_lt(unrelated$scores, 0)
  expect_refusal(plot(unrelated, type = "risk"), "x")
})

test_that("the Cox model's curves are Breslow's, ties at risk together", {
  skip_if_not_installed("glmnet")
  withr::local_seed(5)
  x <- matrix(rnorm(60 * 3), 60)
  time <- ceiling(8 * rexp(60, exp(x[, 1])))
  event <- runif(60) < 0.7
  grid <- c(2, 5, 9)
  found <- hitmiss:::ridge_survival(
    list(train = x, test = x),
    list(y = Surv(time, event), grid = grid)
  )
  hazard <- exp(found$class - mean(found$class))
  expect_gt(stats::sd(found$class), 0)
  for (k in seq_along(grid)) {
    at <- which(event & time <= grid[[k]])
    total <- sum(vapply(at, function(i) 1 / sum(hazard[time >= time[[i]]]), 0))
    expect_equal(found$score[, k], exp(-hazard * total))
  }
})

test_that("no foreign warning where no sample lacks a prediction", {
  p <- withr::with_seed(1, list(
    x = matrix(rnorm(40 * 4), 40, dimnames = list(NULL, letters[1:4])),
    y = survival::Surv(rexp(40), rep(1, 40))
  ))
  curve <- curve_of(p$x, p$y, list(relief = relief), 2,
    classifier = "own", resampling = kfold(3)
  )
  expect_length(unlist(curve$warnings), 0L)
  fit <- suppressWarnings(logo(p$x, p$x[, 1] > 0, lambda = 1e6, threads = 1))
  warnings <- capture_warnings(
    prob <- predict(fit, p$x[0, ], type = "prob", threads = 1)
  )
  expect_match(warnings, "positive weight")
  expect_identical(dim(prob), c(0L, 2L))
})

# No event comes before the time by which 80 % have left: the horizon is that of
# the last event.
test_that("late events have a horizon, and a function may give any times", {
  n <- 40
  x <- withr::with_seed(3, matrix(rnorm(n * 4), n,
    dimnames = list(NULL, letters[1:4])))
  y <- Surv(seq_len(n), seq_len(n) > 32)
  curve <- error_curve(x, y, quick, 2, resampling = kfold(2))
  expect_identical(curve$study$horizon, 40)
  risk <- function(x_train, y_train, x_test) x_test[, 1]
  curves <- function(x_train, y_train, x_test) {
    alive <- stats::plogis(-outer(x_test[, 1], 1:3 / 10))
    structure(alive, dimnames = list(NULL, c(5, 20, 50)))
  }
  error <- lapply(list("knn", risk, curves), function(classifier) {
    select <- tuned(quick_by, k = c(5, 9), classifier = classifier)
    withr::with_seed(4, select(x, y))$tuned$error
  })
  expect_false(anyNA(unlist(error)))
  expect_equal(error[[2L]], error[[3L]])
})
