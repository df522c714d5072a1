# SPDX-License-Identifier: GPL-3.0-or-later

#' Unbiased error against the number of features
#'
#' Splits the samples, and in every split lets each selector choose features on
#' the training part, trains a classifier on them and tests it on the other
#' part, for every number of features. Scaling, selection, tuning and, with
#' `nested`, the choice of the size see the training part only: test samples
#' never reach a selector.
#'
#' @details
#' **Selectors.** A function of `(x, y)`, called on the training rows (unscaled;
#' selectors scale by themselves). It returns a fit of this package, named
#' scores (larger is better), or names of features in order. At size n the first
#' n features are used. Only features that are truly ordered count: a fit's
#' first `n_ranked`, or, of scores, those above a lowest score that several
#' features share. When there are fewer than n, all of them are used (`n_used`
#' says how many). A selector that returns unknown or repeated names stops the
#' curve; one that fails in a split gives `NA` there, with a warning, and a
#' curve in which every fit fails is an error. Scores that are p-values rank the
#' worst feature first: return `-log10(p)`.
#'
#' A function of `(x, y, size)` is fitted anew for every size and all it selects
#' is used. So LLFS is run on its `alpha`, with its own classifier:
#' `selectors = list(llfs = function(x, y, size) llfs(x, y, alpha = size))`,
#' `classifier = "own"`; `n_used` is then the mean number of features of a
#' representative. A selection that is empty predicts the most frequent training
#' class.
#'
#' **Classifiers.** `"knn"`: the 5 nearest neighbours, Euclidean, ties to the
#' class of the nearest among the tied. `"svm_linear"`, `"svm_rbf"`: support
#' vector machines of package e1071 with cost 1 and gamma 1/n. `"own"`: the
#' fit's own `predict()`. Or a function of `(x_train, y_train, x_test)` that
#' returns a factor, or a numeric matrix of class scores (one row per test
#' sample, the classes as column names), for example
#' `function(x_train, y_train, x_test)
#' predict(randomForest::randomForest(x_train, y_train), x_test)`. Features are
#' scaled by the training part; one that is constant there becomes 0.
#'
#' **Tuning.** `tune = list(k = c(1, 3, 5, 7, 9))` or
#' `tune = list(cost = 2^(-2:6), gamma = 2^(-8:0), folds = 10)`: stratified
#' cross-validation (5 folds) on the training part, with the features of that
#' split and size; ties go to the smallest `k`, `cost`, `gamma`.
#'
#' **Preparation.** `prepare` is a function of `(x, y)` that is called on every
#' training part, inner ones (`nested`, `tune`) too, and returns a function of
#' `x` that both parts go through before anything is selected: filling in
#' missing values (with `prepare`, `x` may have `NA`), logarithms, taking out
#' batches, filters. `y` is `NA` for unlabelled samples. Its result has the
#' samples in their order and features of `x` under their names: they may be
#' changed and left out, not added. Factors of a data.frame stay factors for the
#' selectors, and are indicators of their levels for the classifiers. A recipe
#' of package recipes is prepared on the training part and baked on both, its
#' outcome, if it has one, being `y`. Several steps are given as a list, and are
#' done in that order:
#' `prepare = list(prepare_impute(), prepare_filter(n = 1000))`, see
#' [prepare_impute()].
#'
#' **Metrics.** `"error"`; `"balanced_error"`, one minus the mean over classes
#' of the share predicted right; `"macro_f1"`, the mean F1 over classes with a
#' test sample; `"micro_f1"`, which for data with one label per sample *is* the
#' accuracy; `"auc"`, ties 1/2, for more than two classes the mean over ordered
#' pairs (Hand and Till 2001), for which a user's classifier must return scores.
#' Averaged over splits. In k-fold
#' cross-validation F1 and AUC are formed from the predictions of a whole
#' repetition, as is everything in leave-one-out; their `value` by split is NA
#' (leave-one-out: the sample's 0/1 error).
#'
#' **Which number to quote.** `best`, the best mean of all sizes, is
#' optimistically biased: it is a minimum over noise. `aggregate`, the mean over
#' sizes, and `chosen`, the result at the size that each training part chose by
#' itself (`nested`), are unbiased.
#'
#' **Random numbers.** Splits are drawn first, then one state of L'Ecuyer's
#' generator, from which every unit (split and selector) has a stream of its
#' own. So `set.seed()` governs, and any `BPPARAM` gives the same bits.
#'
#' **Splits of your own.** `resampling` may be a list of
#' `list(train = , test = )`, row numbers of samples, or an `rset` of package
#' rsample such as `group_vfold_cv()`, made from a data.frame of one row per
#' sample. A training part must hold every class, and no sample twice: bootstrap
#' samples are refused, because a repeated sample is its own near hit. Splits
#' that test no sample twice are taken for the folds of one repetition (an
#' element `repetition`, as the result's `splits` have it, or the repeats of an
#' `rset`, say otherwise); F1 and AUC are then formed as in k-fold
#' cross-validation, else from each split. `nested` takes no splits of your own:
#' every training part is split anew.
#'
#' **Groups and blocks.** With `group`, groups of samples are what is split: by
#' `resampling`, by `nested` and by `tune`, see [holdout()] and the section on
#' patients. Splits of your own that divide a group are refused. Standard errors
#' count groups, not samples. In leave-one-out, the error is the mean of the
#' groups' errors: all groups count the same. The values of `group` and `block`,
#' of the training rows, are passed to the selectors that have an argument of
#' that name (a generic: whose default method has it), as those of this package
#' do. `relief` gets them; `function(x, y) relief(x, y, k = 3)` does not, and
#' `...` is not enough. `block` has no other use.
#'
#' @section Several samples per patient:
#' Without `group`, samples are taken to be independent. Two samples of one
#' patient (or donor, animal, cell line) are not: with one of them in the
#' training part and the other in the test part, a classifier recognises the
#' patient. Give the patient of each sample, or the name of the column of
#' `colData` or `pData`, as `group`:
#' \preformatted{error_curve(x, y, list(relief = relief), sizes = c(10, 20, 50),
#'   resampling = kfold(5), group = patient)}
#' With 30 patients of 3 samples each, 500 features that tell patients apart,
#' and labels drawn at random per patient, so that the truth is 50 % (40 data
#' sets, `tests/bench/patients.R`; 15 patients of each class where splits are
#' stratified, by a coin in the rows of leave-one-out and rsample: without
#' strata, equal classes make noise look worse than chance, since what is
#' frequent in the test part is rare in the training part):
#'
#' | | error (standard error) |
#' |---|---|
#' | `kfold(5)` | 11.7 % (0.5) |
#' | `kfold(5)`, `group = patient` | 50.2 % (1.3) |
#' | `leave_one_out()`, `group = patient` | 48.3 % (1.8) |
#' | five folds by `rsample::group_vfold_cv()` | 49.0 % (1.5) |
#' | `kfold(5)`, `nested = kfold(3)`, `group = patient` | 50.3 % (1.6) |
#'
#' [stability()] and [probe_fdr()] go wrong in the same way without groups: of
#' such noise all of the best 200 features are discoveries at q = 0.1 (10 data
#' sets), with `group` none. Where a column such as `patient`, `donor` or
#' `subject_id`, or the names of the samples, say that samples belong together
#' and `group` is not given, a message of class `hitmiss_message_group` says so.
#'
#' Where a patient has samples of several classes (tumour and normal), `group`
#' still keeps the patient whole, and selectors then compare samples of
#' different patients only. To compare within patients, give the patient as
#' `block` too, in a selector of your own:
#' `function(x, y, block) relief(x, y, block = block)`.
#'
#' @param x,y Samples and class labels, as in [relief()].
#' @param selectors A named list of functions, see Details; or one function.
#' @param sizes Numbers of features (of a function with an argument `size`: its
#'   values). `Inf` means all.
#' @param classifier A name or function, or a list of them named by selector
#'   whose unnamed element stands for the rest.
#' @param resampling [holdout()], [kfold()] or [leave_one_out()]; or splits of
#'   your own: a list of `list(train = , test = )`, or an `rset` of package
#'   rsample, see Details.
#' @param metric One of the names in Details.
#' @param tune `NULL`, or a list of values to try, see Details.
#' @param scale Scaling of the classifier's features: `"zscore"`, `"range"` or
#'   `"none"`.
#' @param nested `NULL`, or a resampling such as `kfold(5)`: in every training
#'   part the whole curve is run on its inner splits, [best_size()] chooses, and
#'   the choice is tested. Costs one curve per inner split more.
#' @param group Patient, donor or animal of each sample: a vector, or the name
#'   of a column of the container's samples. Groups are never split between
#'   training and test parts.
#' @param block Batch, chip, cohort or matched set of each sample, as `group`;
#'   for selectors with an argument `block`, see Details.
#' @param prepare `NULL`, or what the samples go through in every split: a
#'   function of `(x, y)`, a recipe, or a list of them, see Details.
#'   [prepare_impute()] and [prepare_filter()] make such functions.
#' @param keep Keep all predictions in the result?
#' @param assay Of a container: name or number of the assay, as in [relief()].
#' @param BPPARAM `NULL`, or a `BiocParallelParam` over which the units are
#'   spread. Selectors then run on one thread each. On other processes
#'   (`SnowParam`) hitmiss is attached. Other objects must come with a selector:
#'   make it by a function that takes them as arguments, such as
#'   `make <- function(cutoff) { force(cutoff); function(x, y) ... }`. Functions
#'   of other packages are written `package::name()`.
#' @return An object of class `c("hitmiss_curve", "hitmiss_evaluation")`, see
#'   [hitmiss_curve-methods]: `results` (data.frame: selector, size, split,
#'   repetition, value, n_used, n_train, n_test, empty), `summary` (selector,
#'   size, mean, sd, n_used), `aggregate`, `best` (selector, size, mean, sd: the
#'   best mean of all sizes), `chosen` (with `nested`:
#'   selector, split, repetition, size, value), `predictions`, `selections` (by
#'   selector and split: positions of features, best first; for functions with
#'   `size` a list of them), `splits` (lists of train, test, repetition, fold),
#'   `baseline` (all features, without tuning, and the largest class),
#'   `tuned`, `metric`, `sizes`, `classes`, `features`, `n_samples`,
#'   `classifier`, `resampling`, `prepare` (words for each step), `seconds`,
#'   `failures`, `warnings`, `assay` (of a container), `group`, `n_groups`,
#'   `group_name` and `block` (where given), `call`, `version`.
#' @seealso [best_size()], [compare_selectors()].
#' @references
#' `r reference("corrected_se")`
#'
#' `r reference("multiclass_auc")`
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 200)
#' set.seed(1)
#' curve <- error_curve(toy$x, toy$y,
#'   selectors = list(relief = relief, logo = logo),
#'   sizes = c(1, 2, 5, 10, 20, 50), resampling = holdout(times = 5)
#' )
#' curve
#' head(as.data.frame(curve))
#' @export
error_curve <- function(x, y, selectors, sizes, classifier = "knn",
                        resampling = holdout(times = 10, train = 0.5),
                        metric = "error", tune = NULL, scale = "zscore",
                        nested = NULL, group = NULL, block = NULL,
                        prepare = NULL, keep = TRUE, assay = NULL,
                        BPPARAM = NULL) {
  if (missing(x)) abort_missing("x")
  if (missing(selectors)) abort_missing("selectors")
  if (missing(sizes)) abort_missing("sizes")
  problem <- as_problem(x, y, assay = assay, complete = is.null(prepare)) |>
    with_groups(x, block, group, harm = "samples that belong together are split
      between training and test parts, which makes the error too small.")
  plan <- curve_plan(
    problem, selectors, sizes, classifier, resampling, metric, tune, scale,
    nested, BPPARAM
  )
  plan$scores <- check_flag(keep) || needs_scores(plan$metric)
  plan$preparation <- as_preparation(prepare, problem)
  splits <- plan$given %||%
    draw_splits(problem$y, plan$resampling, group = problem$group)
  runs <- run_curve(problem, plan, splits, draw_stream(), BPPARAM)
  new_curve(problem, plan, splits, runs, keep, match.call())
}
