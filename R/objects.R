# The help topic that lists the fields of all objects. test-objects.R reads it:
# a field is a bullet that begins with its name in backticks, "Only" marks one
# that not every object has, and "columns" begins those of a data.frame.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Structure of the objects
#'
#' The results of this package are plain lists with a class, except scores, see
#' below: `fit$scores` reads a field. This page lists every field of every
#' class, with its type, shape, unit, and when it is `NA`. These fields stay
#' within a major version (see `vignette("trust")`). Do not edit fields: all
#' functions refuse an object whose fields contradict each other, with an error
#' that names them. To remove features from a fit, use [drop_features()].
#'
#' J is the number of features, N the number of samples, C the number of
#' classes. "In input order" means in the order of the columns of the data (for
#' a container, of its rows). Scaled units are those of `scale`: standard
#' deviations of a feature for `"zscore"`, its range for `"range"`, the data's
#' own for `"none"`.
#'
#' @section Fits: of class `hitmiss`, common to all selectors.
#' * `scores`: named numeric of length J, in input order; larger is better, and
#'   never `NA`. Share of representatives for [llfs()]; weight for [logo()],
#'   [kbfs()] and I-Relief; mean margin in scaled units for the other methods of
#'   [relief()]; sum of the logarithms of two shares for [pwfp()].
#' * `ranking`: integer of length J, positions of the features, best first; ties
#'   by the lower position.
#' * `n_ranked`: integer, how many of the first features in the ranking have an
#'   order; the rest tie at the lowest score.
#' * `selected`: character, names of the features that the method selects, best
#'   first, possibly empty. For a ranking, which selects none, the features that
#'   may enter the distance of [predict()][predict.hitmiss]: those of positive
#'   score ([relief()]) or marked in both kinds of pairs ([pwfp()]).
#' * `classes`: character of length C, the levels of `y`; empty for a numeric
#'   outcome.
#' * `n_samples`: integer, N.
#' * `n_features`: integer, J.
#' * `parameters`: list of the arguments that the method used, by their names.
#' * `preprocess`: list, see "Element preprocess".
#' * `class_means`: numeric matrix J x C with names, the mean of each feature in
#'   the labelled samples of each class, on the scale of the data as given; `NA`
#'   for categories. Since version 0.2.0: fits of 0.1.0 lack it.
#' * `report`: list, see "Element report".
#' * `annotation`: data.frame of J rows in input order, plain columns of
#'   `rowData` or `fData`; `NULL` if the data had none.
#' * `call`: the call, without data that were passed inline.
#' * `version`: character, version of hitmiss that made the fit.
#' * `assay`: Only of fits of a container with assays: its name or number.
#' * `levels`: Only of fits of [relief()] and [turf()] to data with factors: a
#'   list of character vectors, one for each such feature. Values of these
#'   features are the positions of their levels.
#' * `tuned`: Only of fits from a selector of [tuned()]: data.frame, a row for
#'   each combination, its parameters and columns `error` (share of wrong
#'   predictions in inner splits; `NA` where a fit failed), `chosen`.
#' * `dropped`: Only of fits from [drop_features()]: character, the features
#'   that were removed from the fit.
#' @section Element preprocess: of a fit.
#' * `method`: character, `"zscore"`, `"range"` or `"none"`.
#' * `center`, `scale`: numeric of length J, in input order, in units of the
#'   data: a scaled value is (x - center) / scale.
#' * `constant`: logical of length J: is the feature constant?
#' @section Element report: of a fit.
#' * `status`: character, `"converged"`, `"max_iter"` (stopped at the largest
#'   number of iterations) or `"stalled"`.
#' * `iterations`: integer; `NA` for a method that computes its scores directly.
#' * `objective`: numeric, the objective at each iteration (of [kbfs()]: at each
#'   `lambda`); `NA` where nothing is minimised, empty for [llfs()].
#' * `residual`: numeric, the change in the last iteration; `NA` if there are no
#'   iterations.
#' * `kkt`: numeric, the largest violation of the optimality conditions; `NA`
#'   where there are none.
#' * `gap`: numeric, the duality gap; `NA` where there is none.
#' * `seconds`: numeric, elapsed seconds.
#' * `threads`: integer, number of threads.
#' * `passes`: Only of fits to data read in blocks: named numeric, how often the
#'   container (`source`) and the scratch file (`scratch`) were read.
#' * `bytes_read`: Only of fits to data read in blocks: numeric, bytes read from
#'   the scratch file.
#' @section Element training: of all fits but those of llfs.
#' * `values`: numeric matrix N x features, raw values of the features that
#'   [predict()][predict.hitmiss] may use (at most 64 MB of them); for [kbfs()]
#'   of the labelled samples only.
#' * `y`: factor, classes of its rows; numeric for a numeric outcome.
#' @section Fits of llfs: more fields.
#' * `local`: list, see "Element local".
#' @section Element local: of a fit of llfs. R is the number of representatives,
#' which are in the order of the samples: N, or fewer if they were drawn, see
#' [llfs()].
#' * `subsets`: sparse logical matrix J x R with names: is the feature in the
#'   representative's subset?
#' * `representatives`: Only of fits since 0.2.0: integer of length R, positions
#'   among the training samples.
#' * `radius`: numeric of length R, radius of the hypersphere, in scaled units.
#' * `alpha`: numeric of length R, the `alpha` chosen for the representative.
#' * `beta`: numeric of length R, the `beta` chosen for it.
#' * `score`: numeric of length R, leave-one-out score of its sphere: the share
#'   of its class inside minus the share of the others inside; optimistically
#'   biased.
#' * `objective`: numeric of length R, U1 of its binary subset, equation (1).
#' * `log_odds`: numeric matrix R x 4, the log odds that the vote `"evidence"`
#'   adds for a sample outside or inside the sphere, whose nearest neighbour is
#'   of another class or of the representative's class.
#' * `class`: factor of length N, classes of all training samples.
#' * `samples`: character of length N, names of the samples; `NULL` if they had
#'   none.
#' * `training`: numeric matrix N x used features, scaled values of the training
#'   samples on the features that at least one representative uses.
#' @section Fits of logo: more fields.
#' * `training`: list, see "Element training".
#' @section Fits of relief: more fields.
#' * `weights`: named numeric of length J, the positive part of the scores with
#'   Euclidean norm 1.
#' * `score_se`: Only with `samples`: named numeric of length J, standard errors
#'   of the scores.
#' * `training`: list, see "Element training".
#' @section Fits of turf: more fields.
#' * `last_round`: named integer of length J, the last round in which the
#'   feature was scored.
#' * `training`: list, see "Element training".
#' @section Fits of kbfs: more fields.
#' * `entry`: named integer of length J, the position on the path at which a
#'   feature became active; `NA` if it never did.
#' * `path`: data.frame with a row for each `lambda`, columns `lambda`, `active`
#'   (number of features), `objective`, `gap` (relative to the objective).
#' * `training`: list, see "Element training".
#' @section Fits of pwfp: more fields.
#' * `within`, `between`: named numeric of length J, the numbers of pairs of one
#'   class, and of two classes, in which the feature is marked.
#' * `pairs`: named numeric of length 2, the numbers of pairs of the two kinds.
#' * `training`: list, see "Element training".
#' @section Error curves: of class `hitmiss_curve`. Values are those of the
#'   metric (errors and AUC between 0 and 1), `NA` where the fit failed or the
#'   metric is not defined.
#' * `results`: data.frame, a row for each selector, size and split, columns
#'   `selector`, `size` (requested number of features), `split`, `repetition`,
#'   `value`, `n_used` (number of features used; mean per sample for LLFS),
#'   `n_train`, `n_test` (samples), `empty` (was the selection empty?).
#' * `summary`: data.frame, a row for each selector and size, columns
#'   `selector`, `size`, `mean`, `sd` (over splits), `n_used`.
#' * `aggregate`: data.frame, a row for each selector, the mean over sizes,
#'   columns `selector`, `mean`, `sd`.
#' * `best`: data.frame, a row for each selector, the size with the best mean,
#'   an optimistically biased value, columns `selector`, `size`, `mean`, `sd`.
#' * `chosen`: data.frame, a row for each selector and split, the value at the
#'   size chosen within the training part, `NULL` without `nested`, columns
#'   `selector`, `split`, `repetition`, `size`, `value`.
#' * `chosen_summary`: data.frame, its means by selector, `NULL` without
#'   `nested`, columns `selector`, `mean`, `sd`, `size` (the median).
#' * `predictions`: data.frame, a row for each prediction, `NULL` with
#'   `keep = FALSE`, columns `selector`, `size`, `split`, `sample` (position),
#'   `truth`, `predicted`, `score` (a matrix with a column for each class,
#'   missing values where the classifier gives no scores; in curves of 0.1.0, of
#'   two classes, a vector for the second one).
#' * `selections`: list by selector of lists by split: positions of features,
#'   best first; for selectors with `size` a list of them, one for each size.
#' * `splits`: list of lists: `train` and `test` (positions of samples),
#'   `repetition`, `fold`, and `labelled` if only a share is labelled.
#' * `baseline`: data.frame, all features (without tuning) and the largest
#'   class, columns `name`, `mean`, `sd`, `se` (corrected for overlapping
#'   training parts).
#' * `tuned`: data.frame, a row for each selector, split and size, the parameter
#'   that inner cross-validation chose and its error there, `NULL` without
#'   `tune`, columns `selector`, `split`, `size`, `error`, and those of the
#'   parameters.
#' * `values`: list by selector of numeric matrices, splits (or repetitions) x
#'   sizes.
#' * `metric`: character, name of the metric.
#' * `sizes`: numeric, increasing numbers of features.
#' * `selectors`: character, their names.
#' * `classes`: character of length C.
#' * `features`: character of length J.
#' * `n_samples`: integer, N.
#' * `class_sizes`: integer of length C, samples of each class.
#' * `classifier`: named character, label of each selector's classifier.
#' * `tune`: list of the values tried; `NULL` without tuning.
#' * `scale`: character, scaling of the classifier's features.
#' * `resampling`: a resampling plan.
#' * `nested`: a resampling plan, or `NULL`.
#' * `prepare`: character, a description of each step of preparation; `NULL`
#'   without any.
#' * `redrawn`: integer, how many splits lacked a class and were drawn again.
#' * `labelled_only`: character, selectors that were given only the labelled
#'   samples.
#' * `seconds`: data.frame, CPU time on one thread, summed over splits, columns
#'   `selector`, `select`, `classify`, `nested`.
#' * `failures`: data.frame, a row for each fit that failed, columns `selector`,
#'   `split`, `message`.
#' * `warnings`: data.frame, a row for each warning inside the splits, columns
#'   `selector`, `split`, `message`.
#' * `assay`: Only of curves of a container with assays: its name or number.
#' * `group`, `block`: Only where they were given: vectors of length N.
#' * `n_groups`: Only with `group`: integer, number of groups.
#' * `group_name`: Only where `group` was the name of a column: character.
#' * `selector_calls`: named character, the code of each selector. Since version
#'   0.2.0.
#' * `call`: the call, without data that were passed inline.
#' * `version`: character, version of hitmiss.
#' * `versions`: named character, versions of R, hitmiss and, if it was used,
#'   e1071. Since version 0.2.0.
#' @section Sizes: of classes `hitmiss_size` and `data.frame`, from
#'   [best_size()], a row for each selector.
#' * `selector`: factor.
#' * `metric`: character, name of the curve's metric.
#' * `rule`: character, `"one_se"` or `"min"`.
#' * `size`: numeric, the chosen number of features; `NA` if no size has a
#'   value.
#' * `value`: numeric, mean of the metric at this size; optimistically biased.
#' * `se`: numeric, its standard error, corrected for overlapping training
#'   parts; `NA` for a single split and for metrics computed over several splits
#'   together.
#' * `best_size`, `best_value`, `best_se`: numeric, the size with the best mean,
#'   and the same two values at that size.
#' * `plain_se`: numeric, the standard error of `best_value` as if splits were
#'   independent, which the rule uses.
#' @section Comparisons: of classes `hitmiss_comparison` and `data.frame`, from
#' [compare_selectors()], a row for each pair of selectors. It has the
#' attributes `note` (character) and `metric` (name).
#' * `first`, `second`: character, the two selectors.
#' * `difference`: numeric, first minus second, in units of the metric.
#' * `lower`, `upper`: numeric, its 95 % interval; `NA` where the test has none.
#' * `statistic`, `df`: numeric, of the test.
#' * `p`, `p_adjusted`: numeric, the p value, unadjusted and adjusted for the
#'   number of pairs; `NA` where nothing could be compared.
#' * `test`: character, name of the test.
#' @section Resampling plans: of class `hitmiss_resampling`, from [holdout()],
#' [kfold()] and [leave_one_out()], or of splits that the user supplied.
#' * `method`: character, `"holdout"`, `"kfold"`, `"leave_one_out"` or
#'   `"given"`.
#' * `times`: integer, number of repetitions.
#' * `train`: Only of holdout: numeric, share (below 1) or number of training
#'   samples.
#' * `k`: Only of k-fold: integer, number of folds.
#' * `labelled`: numeric, share of the training samples that keep their label.
#' * `stratified`: logical, are the parts drawn within classes?
#' * `label`: Only of splits given: character, a description of the splits.
#' * `folds`: Only of splits given: logical, is every sample tested at most once
#'   in each repetition?
#' @section Stability: of class `hitmiss_stability`.
#' * `table`: data.frame, a row for each selector and size, indices from -1 to
#'   1, `NA` where the index is not defined, columns `selector`, `size`,
#'   `mean_k`, `sd_k` (of the sizes of the sets), `empty` (number of empty
#'   sets), `nogueira`, `lower`, `upper` (its interval), `kuncheva`, `jaccard`,
#'   `baseline` (with permuted labels).
#' * `frequency`: numeric matrix J x rows of the table with names, the share of
#'   the sets that hold the feature.
#' * `n_sets`: integer, number of sets for each row of the table.
#' * `n_features`: integer, J.
#' * `interval`: character, `"jackknife"` or `"published"`.
#' * `level`: numeric, level of the interval.
#' * `resampling`: a resampling plan; `NULL` for lists of sets.
#' * `exact`: logical, for each row: does every set have the size of the row?
#' * `n_groups`: Only of a curve with `group`: integer, number of groups.
#' * `call`: the call, without data that were passed inline.
#' @section False discoveries: of class `hitmiss_fdr`, from [probe_fdr()].
#' * `table`: data.frame of the best features, with their annotation, columns
#'   `feature`, `rank`, `score`, `fdr`, `q`, `upper` (shares between 0 and 1).
#' * `list_fdr`: numeric, estimated share of false discoveries among the
#'   features that a sparse selector selects; `NA` for a ranking.
#' * `list_size`: integer, number of features that it selects; `NA` for a
#'   ranking.
#' * `n_at`: named integer of length 3, lengths of the longest lists with q at
#'   most .05, .1 and .2.
#' * `auc`: numeric, probability that a feature scores above a probe.
#' * `probe_counts`: integer matrix, runs x ranks: number of probes that score
#'   at least as high as the feature of that rank.
#' * `probe_scores`: data.frame, percentiles of the scores, columns `prob`,
#'   `real`, `probe`.
#' * `type`: character, `"append"` or `"permute"`.
#' * `times`: integer, number of runs that did not fail.
#' * `probes`: integer, copies of all features in a run.
#' * `sparse`: logical, was the selector treated as sparse?
#' * `level`: numeric, `upper` is this quantile over runs.
#' * `n_features`: integer, J.
#' * `n_samples`: integer, N.
#' * `fit`: what the selector returned without probes.
#' * `call`: the call, without data that were passed inline.
#' @section Selection ROC: of class `hitmiss_roc`, from [selection_roc()].
#' * `auc`: numeric between 0 and 1.
#' * `curve`: data.frame, a row for each distinct score, columns `n` (features
#'   taken), `threshold` (lowest score taken), `relevant`, `other` (shares
#'   taken).
#' * `n_relevant`: integer, number of relevant features.
#' * `n_features`: integer, J.
#' * `call`: the call, without data that were passed inline.
#' @section Redundancy: of class `hitmiss_redundancy`.
#' * `mean`: numeric, mean absolute correlation over pairs of features.
#' * `histogram`: data.frame of 10 bins, columns `lower`, `upper`, `pairs`,
#'   `share`.
#' * `features`: character, features that vary.
#' * `constant`: character, constant features, which are left out.
#' * `n_samples`: integer, N.
#' * `call`: the call, without data that were passed inline.
#' @section Interactions: of class `hitmiss_interactions`, from
#'   [interactions()].
#' * `pairs`: data.frame, a row for each pair of features, columns `rank`,
#'   `feature1`, `feature2`, `interaction`, `expected`, `hits`, `misses`,
#'   `p_value`.
#' * `features`: character, the features whose pairs were tested.
#' * `largest_by_chance`: numeric, for each permutation the largest absolute
#'   value of interaction minus expected.
#' * `times`: integer, number of permutations.
#' * `n_samples`: integer, N.
#' * `call`: the call, without data that were passed inline.
#' @section Label audits: of class `hitmiss_audit`, from [audit_labels()].
#' * `samples`: data.frame, a row for each training sample, columns `sample`,
#'   `class`, `suspicion`, `suggested`, `spheres`, `neighbours`.
#' * `k`: integer, number of neighbours of the last column.
#' * `classes`: character, the class labels.
#' * `call`: the call, without data that were passed inline.
#' @section Local signatures: of class `hitmiss_signatures`, from
#'   [local_signatures()].
#' * `calls`: data.frame, a row for each sample and feature called, columns
#'   `sample`, `class`, `feature`, `frequency`, `highest_probe`.
#' * `classes`: data.frame, a row for each class, columns `class`, `samples`,
#'   `with_calls`, `called`, `probes_called`, `false_share`.
#' * `frequency`: sparse matrix N x J (class dgCMatrix), share of the refits
#'   that select the feature for the sample, among the refits that contain it.
#' * `refits`: integer of length N, number of refits that contain each sample.
#' * `highest_probe`: named numeric of length N, highest frequency of its
#'   probes.
#' * `labels`: named factor of length N.
#' * `parameters`: list of `times`, `sets`, `share` and `level`.
#' * `call`: the call, without data that were passed inline.
#' @section Bayes errors: of class `hitmiss_bayes_error`.
#' * `error`: numeric, leave-one-out error of the rule, as a share of the
#'   samples.
#' * `se`: numeric, its standard error.
#' * `plugin`: numeric, mean of one minus the largest posterior probability.
#' * `criterion`: numeric from -1 to 1, equation (7).
#' * `nn_error`: numeric, error of the nearest neighbour.
#' * `lower`: numeric, the lower bound that follows from it.
#' * `estimates`: data.frame, a row for each rule, columns `method`, `error`,
#'   `se`, `plugin`, `criterion`.
#' * `per_class`: data.frame, a row for each class, columns `class`, `n`,
#'   `error`.
#' * `method`: character, `"parzen"` or `"knn"`, the rule to which the values
#'   above belong.
#' * `bandwidth`: numeric, in standard deviations of a feature.
#' * `k`: integer, number of neighbours.
#' * `rule`: character, `"vote"` or `"density"`.
#' * `n_constant`: integer, number of constant features.
#' * `features`: character, the features.
#' * `n`: integer, N.
#' * `selected_here`: logical, always `NA`: it is unknown whether the features
#'   were selected on the same samples.
#' * `note`: character, how the estimate must not be interpreted.
#' * `call`: the call, without data that were passed inline.
#' @section Scores: of class `hitmiss_scores`, from [reference_scores()]: a
#'   named numeric vector of length J, in input order, larger is better, with
#'   attributes, read as in `attr(scores, "method")`.
#' * `method`: character, name of the score.
#' * `parameters`: list of the arguments that the method used, by their names.
#' * `classes`: character of length C, the levels of `y`.
#' * `n_samples`: integer, N.
#' * `report`: list of `status`, `iterations`, `objective` and `residual`, see
#'   "Element report"; `NA` for a method that computes its scores directly.
#' * `version`: character, version of hitmiss that made the scores.
#' * `ranking`: Only of mRMR: integer of length J, positions of the features,
#'   best first.
#' * `n_ranked`: Only of mRMR: integer, number of features that were selected.
#' * `annotation`: Only of a container with annotation: data.frame of J rows in
#'   input order, plain columns of `rowData` or `fData`.
#' @seealso [hitmiss-methods], [hitmiss_curve-methods]
#' @examples
#' toy <- simulate_localized(noise = 5)
#' fit <- logo(toy$x, toy$y, threads = 1)
#' str(fit[c("scores", "ranking", "selected", "class_means")])
#' str(fit$report)
#' @name hitmiss-objects
NULL
