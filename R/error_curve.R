# Layer: evaluate. error_curve() measures the error on held-out samples against
# the number of features. This file has the function, the checks of its
# arguments and its plan.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Error on held-out samples against the number of features
#'
#' Splits the samples. In every split, and for every number of features (size),
#' each selector chooses features on the training part; a classifier is trained
#' on these features and tested on the test part. Scaling, selection and the
#' choice of the size (`nested`) use the training part only.
#'
#' @details **Selectors.** A selector is a function of `(x, y)`, called on the
#' training rows (unscaled; selectors scale by themselves). It returns a fit of
#' this package, named scores (larger is better; for p-values return
#' `-log10(p)`), or names of features in order. At size n the first n features
#' are used: with three or more classes those of [relief()] are taken for the
#' classes in turn (see [hitmiss-methods]), named scores are ranked over all
#' classes. Features that share the lowest score have no order and are not used
#' (`n_used` says how many are). A fit of other samples than those given, and
#' unknown or repeated names, are errors. A feature that is to be in every list
#' is put in front: `function(x, y) unique(c("age", selected(relief(x, y),
#' 50)))`. A character vector is a list that was fixed in advance, such as a
#' published one, best first: names that `x` lacks are left out and printed. If
#' it was chosen from these samples, its error is too small. A selector that
#' fails in a split gives `NA` there, with a warning; if every fit fails, this
#' is an error. A function that gives the same list in all splits gets a
#' warning.
#'
#' The result of [llfs()] is the same for every size, and its `n_used` is the
#' mean number of features of a representative. A function of `(x, y, size)` is
#' fitted for every size, and all features that it selects are used, as in
#' `selectors = list(llfs = function(x, y, size) llfs(x, y, alpha = size))`.
#' With an empty selection, the most frequent training class is predicted.
#'
#' **Classifiers.** `"knn"`, the default: the 5 nearest neighbours by Euclidean
#' distance (`"knn3"`: 3, and so on); ties go to the class of the nearest sample
#' among the tied. `"svm_linear"`, `"svm_rbf"`: support vector machines of
#' package e1071 with cost 1 and gamma 1/n. `"own"`: the fit's own `predict()`,
#' the default for fits of [llfs()]. Or a function of `(x_train, y_train,
#' x_test)` that returns, in the order of the test samples, a factor, or a
#' numeric matrix of class scores (the classes as column names, none missing),
#' for example `function(x_train, y_train, x_test)
#' predict(randomForest::randomForest(x_train, y_train), x_test)`. Features are
#' scaled by the training part; one that is constant there becomes 0. To choose
#' parameters of a selector, see [tuned()].
#'
#' **Preparation.** `prepare` is a function of `(x, y)` that is called on every
#' training part, also on the inner ones of `nested`, and returns a function of
#' `x`, which is applied to both parts before anything is selected, as to fill
#' in missing values or to remove batch effects. It must keep the samples and
#' their order; features may be changed and left out, but not added. Several
#' steps are a list: `prepare = list(prepare_impute(), prepare_filter(n =
#' 1000))`, see [prepare_impute()]. Selectors see factors of a data.frame,
#' classifiers indicators of their levels.
#'
#' **Metrics.** `"error"`; `"balanced_error"`, one minus the mean over classes
#' of the share predicted correctly; `"macro_f1"`, the mean F1 over classes with
#' a test sample; `"micro_f1"`, here equal to the accuracy; `"auc"`, the area
#' under the ROC curve (AUC), with ties counting 1/2, for more than two classes
#' the mean over ordered pairs of classes of the area by the scores of the
#' first, for which a function as `classifier` must return scores. The metric is
#' averaged over splits; F1 and AUC in k-fold cross-validation, and all metrics
#' in leave-one-out, are computed from the predictions of a whole repetition.
#' The `value` of a single split is then `NA` (for the error in leave-one-out,
#' the sample's 0/1 error). A test part that lacks a class has no balanced
#' error, F1 or AUC: it is left out of the mean.
#'
#' A metric of your own is a function of `(truth, predicted)`, factors with the
#' same levels, or of `(truth, predicted, probabilities)`, whose third argument
#' is the matrix of class scores, samples x classes. It returns one number. It
#' is named, and larger values are better, with `metric = list(fun = f, name =
#' "MCC", larger = TRUE)`; a function alone is a loss. It is computed as F1 is.
#' The predictions are `as.data.frame(curve, "predictions")`.
#'
#' **Survival times** (`y` a `Surv(time, event)`). Metrics are `"cindex"`, the
#' default: Harrell's C, the share of the comparable pairs of a test part in
#' which the sample with the earlier event has the larger risk; `"uno"`: Uno's
#' C, of events up to the `horizon`; `"ibs"`: the Brier score, integrated by
#' steps from 0 to the `horizon` and divided by it. The weights of the last two
#' are the inverse chance to be seen, by the Kaplan-Meier curve of the censoring
#' times of all samples (events first where they tie). Splits are stratified by
#' event and censored; a test part without a comparable pair has no C.
#' Classifiers are `"knn"`, the neighbours' risk and curve as in
#' [predict()][predict.hitmiss], by half of the training samples (`"knn25"`: 25)
#' and unweighted features; `"cox"`, Cox's model with a ridge penalty chosen by
#' five inner folds and Breslow's hazard (package glmnet); `"own"`; or a
#' function of `(x_train, y_train, x_test)` that returns a risk for each test
#' sample, larger for earlier events, or a matrix of survival probabilities with
#' the times as column names. A metric of your own is a function of a `Surv` and
#' the risks, or of these and the matrix of curves. The baseline "(no features)"
#' is the Kaplan-Meier curve of the training part. Predictions are `time`,
#' `event`, `risk` and `surv_<time>` at up to 50 times.
#'
#' **Baselines.** All features with each classifier; the most frequent class of
#' all samples; and random features, as many as each size, drawn in every split:
#' a selection whose error is not below theirs is no better than chance.
#'
#' **Which number to quote.** `best`, the best mean of all sizes, is
#' optimistically biased. `aggregate`, the mean over sizes, and `chosen`, the
#' result at the size that each training part chose (`nested`), are not.
#'
#' **Random numbers.** `set.seed()` fixes the result, which is bit for bit the
#' same for any `BPPARAM`.
#'
#' **Splits of your own.** `resampling` may be a list of `list(train = , test =
#' )`, row numbers of samples; the fold of each sample; a list of training rows
#' as in `caret::trainControl(index = )`, or of test rows that hold each sample
#' once; an `rset` of package rsample such as `group_vfold_cv()`, rows of one,
#' or an `initial_split()`, made from a data.frame of one row per sample. Each
#' training part must hold every class. A sample that it repeats, as in a
#' bootstrap, counts once. Splits that test no sample twice are taken as the
#' folds of one repetition, unless an element `repetition` (as in the result's
#' `splits`) or the repeats of an `rset` say otherwise. `nested` cannot take
#' splits of your own.
#'
#' **Groups and blocks.** With `group`, `resampling` and `nested` split groups
#' of samples, see [holdout()] and [hitmiss-designs]; splits of your own that
#' divide a group are refused. Standard errors count groups, and in
#' leave-one-out the error is the mean of the groups' errors. A selector that
#' has an argument `group` or `block`, not `...` alone, gets its values for the
#' training rows: write `list(relief = relief)`, or `function(x, y, group)
#' relief(x, y, k = 3, group = group)`.
#'
#' @param x,y Samples and class labels, or survival times, as in [relief()].
#' @param selectors A named list of functions, and of character vectors of
#'   features, see Details; or one function.
#' @param sizes Numbers of features (for a function with an argument `size`, the
#'   values of that argument). `Inf` means all. By default 5, 10, 20, 50 and
#'   100, and for [llfs()] alone one size.
#' @param classifier A name or function, or a list of them named by selector
#'   whose unnamed element stands for the rest. `NULL`: `"knn"`, but the own
#'   classifier for fits of [llfs()].
#' @param resampling [kfold()], [holdout()] or [leave_one_out()]; or splits of
#'   your own, see Details.
#' @param metric One of the names in Details, or a metric of your own. `NULL`:
#'   `"error"`, and for survival times `"cindex"`.
#' @param scale Scaling of the classifier's features: `"zscore"`, `"range"` or
#'   `"none"`.
#' @param nested `NULL`, or a resampling such as `kfold(5)`: in every training
#'   part [best_size()] chooses the size by inner splits, and the choice is
#'   tested.
#' @param rule How `nested` chooses the size: `"min"`, the best mean, or
#'   `"one_se"`, the smallest within one standard error of it.
#' @param group Patient, donor or animal of each sample, as in [logo()].
#' @param block Batch, chip or cohort of each sample, passed on to selectors.
#' @param pair Matched pair of each sample, as in [logo()]: values are
#'   differences from the mean of their own pair, also of test samples, and
#'   pairs are never split. Not together with `prepare`.
#' @param prepare `NULL`, a function of `(x, y)`, or a list of them, see
#'   Details.
#' @param permuted How often the labels are permuted and the selections
#'   repeated, for the baseline of [stability()].
#' @param keep Keep all predictions in the result?
#' @param positive As in [validate()]: the scores of this class give the AUC and
#'   the ROC curve of [plot()][plot.hitmiss_curve].
#' @param horizon For survival times: the time up to which `"uno"` and `"ibs"`
#'   go; `NULL`: the time by which 80 % of the samples have left, or that of the
#'   last event if no event comes before, or none later.
#' @param assay Of a container: name or number of the assay, as in [relief()].
#' @param BPPARAM `NULL`, or a `BiocParallelParam` over which the splits are
#'   spread. Selectors then run on one thread each. Other processes
#'   (`SnowParam`) lack the objects of your session: make such a selector by a
#'   function of them, and write functions of other packages as
#'   `package::name()`.
#' @return An object of class `c("hitmiss_curve", "hitmiss_evaluation")`, see
#'   [hitmiss_curve-methods]: `results` (data.frame: selector, size, split,
#'   repetition, value, n_used, n_train, n_test, empty), `summary` (selector,
#'   size, mean, sd, lower, upper, n_used), `aggregate`, `best` (selector, size,
#'   mean, sd, lower, upper), `chosen` (with `nested`: selector, split,
#'   repetition, size, value), `predictions`, `selections` (by selector and
#'   split: positions of features, best first; for functions with `size` a list
#'   of them), `splits` (lists of train, test, repetition, fold), `baseline`,
#'   `random` (random features of each size: size, mean, sd), `permuted`
#'   (selections by selector, permutation and split), `seconds`, `failures`,
#'   `warnings`, and what the curve was made from (`sizes`, `classes`,
#'   `features`, `call` and others).
#' @seealso [best_size()], [compare_selectors()].
#' @references
#' `r reference("corrected_se")`
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' set.seed(1)
#' curve <- error_curve(toy$x, toy$y,
#'   selectors = list(relief = relief, logo = logo),
#'   sizes = c(1, 2, 5, 10, 20, 50), resampling = holdout(times = 5)
#' )
#' curve
#' head(as.data.frame(curve))
#' @export
error_curve <- function(x, y, selectors, sizes = NULL, classifier = NULL,
                        resampling = kfold(5, times = 4),
                        metric = NULL, scale = "zscore", nested = NULL,
                        rule = "min", group = NULL, block = NULL, pair = NULL,
                        prepare = NULL, permuted = 0, keep = TRUE,
                        positive = NULL, horizon = NULL, assay = NULL,
                        BPPARAM = NULL) {
  if (missing(x)) abort_missing("x")
  if (missing(selectors)) abort_missing("selectors")
  call <- match.call()
  selectors <- check_selectors(selectors, call, lists = TRUE)
  check_unprepared(selectors, pair)
  # A preparation may fill in missing values, and gets categories as they are.
  as_given <- if (is.null(prepare)) as_problem_coded else as_problem
  problem <- as_given(x, y,
    assay = assay, complete = is.null(prepare), outcome = evaluated,
    missing = TRUE
  ) |>
    with_groups(x, block, group, pair, raw = !is.null(prepare))
  plan <- curve_plan(
    problem, with_lists(selectors, problem$features), sizes, classifier,
    resampling, curve_metric(metric, horizon, problem$y), scale, nested, rule,
    permuted, prepare, keep, BPPARAM
  )
  # A curve tells of imputed values once, of all samples.
  imputes <- unlist(lapply(plan$preparation$steps, attr, "imputes"))
  if (any(imputes %in% c("median", "mean"))) {
    values <- problem$values
    if (problem$features_in == "rows") values <- t(values)
    inform_by_class(values, problem$y, "median")
  }
  classes <- levels(problem$y)
  plan$metric$positive <- match(positive_class(positive, classes), classes)
  plan["positive"] <- list(positive)
  splits <- plan$given %||%
    draw_splits(problem$y, plan$resampling, design = problem$design)
  # Each test sample is predicted at each size, by each selector and baseline.
  tested <- sum(lengths(lapply(splits, `[[`, "test")))
  check_numbers_fit(
    as.double(tested) * length(plan$sizes) * length(plan$specs) *
      (length(plan$columns) + 2), "resampling"
  )
  # The stream is drawn here, because a draw within a unit would not move the
  # caller's stream.
  stream <- draw_stream()
  ran <- run_curve(problem, plan, splits, stream, BPPARAM)
  new_curve(problem, plan, splits, ran, keep, call)
}

# ---- what is asked of a curve, checked before anything is drawn --------------

#' @param metric See curve_metric().
#' @return list(selectors, specs: see curve_specs(), sizes, resampling, given:
#'   the user's own splits or NULL, metric, columns: names of scores, scale,
#'   nested, rule, permuted, scores: are class scores wanted of classifiers that
#'   need extra work for them?, preparation, here: in this process?, elsewhere:
#'   without the objects of this session?, pid).
#' @noRd
curve_plan <- function(problem, selectors, sizes, classifier, resampling,
                       metric, scale, nested, rule, permuted, prepare, keep,
                       BPPARAM) {
  check_backend(BPPARAM)
  kind <- kind_of(problem$y)
  classifiers <- resolve_classifiers(classifier, names(selectors), kind)
  # LLFS chooses by itself how many features it uses, so a single size is
  # enough.
  local <- all(vapply(selectors, identical, NA, llfs))
  sizes <- check_sizes(
    sizes %||% if (local) Inf else c(5, 10, 20, 50, 100),
    length(problem$features)
  )
  check_block_used(problem$design, selectors)
  own <- if (is_given_splits(resampling)) given_resampling(resampling, problem)
  resampling <- own$plan %||% check_resampling(resampling)
  if (!kind$partly && resampling$labelled < 1) {
    abort_input(
      "{.arg labelled} below 1 needs classes; {.arg y} holds {kind$what}.",
      "resampling"
    )
  }
  list(
    columns = kind$score_names(problem$y, metric$study$grid),
    selectors = selectors, classifiers = classifiers,
    specs = curve_specs(selectors, classifiers, sizes, problem), sizes = sizes,
    resampling = resampling, given = own$splits, metric = metric,
    scale = check_choice(scale, scalings),
    nested = if (!is.null(nested)) check_resampling(nested, "nested"),
    rule = check_choice(rule, c("one_se", "min"), "rule"),
    permuted = check_count(permuted, min = 0, max = 1e6),
    scores = check_flag(keep) || isTRUE(metric$scores),
    preparation = as_preparation(prepare, problem),
    here = is.null(BPPARAM), elsewhere = on_other_processes(BPPARAM),
    pid = Sys.getpid()
  )
}

#' What is run on every split: the selectors, then the baselines
#'
#' The baselines are all features with each classifier of the curve ("own" has
#' no meaning there and is replaced by neighbours), and random features.
#' @return List by name of list(name, selector: a function, or NULL of a
#'   baseline, by_size: is it fitted for each size?, random: random features?,
#'   sizes, classifier, nested: may its size be chosen?, all_features: of a
#'   selector, the name of the baseline with its classifier).
#' @noRd
curve_specs <- function(selectors, classifiers, sizes, problem) {
  spec <- function(name, selector, sizes, classifier, random = FALSE) {
    list(
      name = name, selector = selector, by_size = takes_size(selector),
      random = random, sizes = sizes, classifier = classifier,
      nested = is.function(selector)
    )
  }
  specs <- Map(spec, names(selectors), selectors, list(sizes), classifiers)
  each <- unname(lapply(classifiers, function(classifier) {
    if (classifier$kind == "own") {
      classifier <- as_classifier("knn", kind_of(problem$y))
    }
    classifier["default"] <- FALSE
    classifier
  }))
  others <- unique(each)
  names <- if (length(others) == 1L) {
    "(all features)"
  } else {
    labels <- vapply(others, `[[`, "", "label")
    make.unique(sprintf("(all features, %s)", labels))
  }
  specs <- Map(function(spec, own) {
    c(spec, all_features = names[vapply(others, identical, NA, own)])
  }, specs, each)
  all <- Map(spec, names, list(NULL), length(problem$features), others)
  random <- spec("(random features)", NULL, sizes, others[[1L]], random = TRUE)
  c(specs, stats::setNames(all, names), list("(random features)" = random))
}

# Evaluations take these kinds of outcome.
evaluated <- c("factor", "Surv")

# Returns the metric, with what it needs to know of all samples.
curve_metric <- function(metric, horizon, y) {
  kind <- kind_of(y)
  metric <- as_metric(metric, kind)
  metric$study <- kind$study(y, horizon)
  metric
}

# Returns what the user called the selector: relief and hitmiss::relief give
# "relief", hitmiss::tuned(relief) gives "tuned".
written_name <- function(code) {
  within <- function(code) {
    is.call(code) && is.symbol(code[[1L]]) &&
      as.character(code[[1L]]) %in% c("::", ":::", "$")
  }
  if (is.call(code) && !within(code)) code <- code[[1L]]
  if (within(code)) code <- code[[3L]]
  named <- is.symbol(code) && !identical(code, quote(`function`))
  if (named) as.character(code) else "selector"
}

#' @param call The user's call, which says what a single function is called.
#' @param lists May lists of features be among them? See with_lists().
#' @noRd
check_selectors <- function(selectors, call = NULL, lists = FALSE) {
  if (is.function(selectors)) {
    selectors <- stats::setNames(list(selectors), written_name(call$selectors))
  }
  names <- names(selectors)
  if (!is.list(selectors) || length(selectors) == 0L || is.null(names) ||
    any(is.na(names) | names == "") || anyDuplicated(names) ||
    any(startsWith(names, "(")) || !all(vapply(selectors, function(selector) {
      is.function(selector) || lists && is_fixed_list(selector)
    }, NA))) {
    fits <- is.list(selectors) && (inherits(selectors, "hitmiss") ||
      any(vapply(selectors, inherits, NA, "hitmiss")))
    abort_input(c(
      "{.arg selectors} must be a list of functions{if (lists) ', or lists of
       features,'} with different names, none in parentheses, as those of
       baselines are.",
      x = if (fits) {
        "A fit is made from all samples: give the selector function, which is
         called on every training part."
      },
      i = "For example {.code list(relief = relief, logo = logo)}."
    ), "selectors")
  }
  selectors
}

check_sizes <- function(sizes, n_features) {
  if (!is.numeric(sizes) || is.object(sizes) || length(sizes) == 0L ||
    anyNA(sizes) || any(sizes < 1) ||
    any(sizes[is.finite(sizes)] != floor(sizes[is.finite(sizes)]))) {
    abort_input(
      "{.arg sizes} must be whole numbers of at least 1, or Inf for all
       features, not {describe(sizes)}.", "sizes"
    )
  }
  sort(unique(pmin(sizes, n_features)))
}

# Says what print() tells of missing values.
curve_missing_line <- function(x) {
  if (!is.null(x$missing)) {
    sprintf(
      paste(
        "%.3g %% of the values are missing; classifiers get medians of the",
        "training parts"
      ), 100 * x$missing
    )
  }
}
