# Layer: evaluate. probe_fdr() estimates how many of the selected features would
# be selected by chance.
# SPDX-License-Identifier: GPL-3.0-or-later

#' False discoveries of a selection, estimated with permuted features (probes)
#'
#' Each feature gets a probe: a permuted copy, which has no relation to the
#' classes. The selector is run on features and probes together. If 3 probes on
#' average rank as high as your 30th feature, expect about 3 of the 30 to be
#' there by chance.
#'
#' @details
#' Over many studies, about 10 percent of the features in lists cut at q = 0.1
#' are *unrelated to the classes*; in one study it may be more, see `upper`. A
#' feature that is only correlated with a true cause is not counted as false.
#' Batch effects and mislabelled samples are not covered.
#'
#' A feature counts as true if it is related to the classes *in any way* that
#' the selector sees; near neighbours also see features that only vary more in
#' one class. For features that are higher or lower in a class, read the columns
#' `difference` and `effect`, or use a score of the means such as
#' `reference_scores(method = "fisher")`.
#'
#' Permutation is valid only if samples are exchangeable. Give batches or sites
#' as `block`: samples are permuted within blocks only. If in every block all
#' samples have one label, as with repeated measurements of a patient, this
#' would not remove the relation to the classes, and is refused.
#'
#' Give the patient of several samples as `group`, see [hitmiss-designs]. A
#' group whose samples are of one class takes the rows of another such group
#' (with `type = "permute"`, its labels) in random order, with repeats if the
#' other group is smaller. In a group with several classes the samples of one
#' class take those of another class of the group: what a patient's tumours have
#' in common beside what all tumours have is in the probes too. Fewer than five
#' groups of either kind are refused. The selector gets `group`, `block` and
#' `pair` as in [error_curve()].
#'
#' **What is computed.** In each of `B` = `times` runs the rows of the whole
#' matrix are permuted `c` = `probes` times, each time in the same way for all
#' features, so that probes are correlated with each other as features are. With
#' `r_b(n)` the `n`-th largest score of a real feature in run `b`, and `V_b(n)`
#' the number of probes that score as high or higher, \deqn{FDR(n) = \min(1, (1
#' + \sum_b V_b(n)) / (c B n)), \quad q(n) = \min_{m \ge n} FDR(m).}{FDR(n) =
#' min(1, (1 + sum_b V_b(n)) / (c B n)), q(n) = min of FDR(m) over m >= n.} The
#' feature at rank `n` of the fit without probes gets `q(n)`. For a sparse
#' selector, the list is what that fit selects, and its estimate (`list_fdr`) is
#' `min(1, (1 + sum_b V_b) / (c max(1, sum_b R_b)))`, with `V_b` probes and
#' `R_b` real features selected in run `b`.
#'
#' `type = "permute"` permutes the labels instead: `V_b(n)` is the number of
#' features whose score for permuted labels reaches the `n`-th best of the real
#' fit. It takes half the time, and is as good for rankings. For sparse
#' selectors it is too pessimistic by a factor of 8 (simulated), and is refused.
#'
#' **Limits.** For a list of fixed length the estimate is right on average if
#' features are independent, and conservative if they come in correlated blocks.
#' The table shows the first 30 of the list, for 80 samples and 1,000 features,
#' 20 of them true (shifted by 0.9 standard deviations), over 200 data sets
#' (ReliefF: 100; `tests/bench/probe_fdr.R`):
#'
#' | features | score | true share | `fdr` | false in the list cut at q = 0.1 |
#' |---|---|---|---|---|
#' | independent | F | .39 | .41 | .10 |
#' | independent | ReliefF | .47 | .48 | .09 |
#' | blocks of 50, correlation .5 | F | .38 | .48 | .11 |
#' | blocks of 50, correlation .5 | ReliefF | .43 | .47 | .08 |
#' | blocks of 50, correlation .8 | F | .38 | .60 | .10 |
#'
#' On pure noise in blocks, 9 percent of the data sets have features with q of
#' at most 0.1. For sparse selectors it is slightly optimistic: they also select
#' features that share noise with relevant ones.
#'
#' @section Missing values:
#' [relief()] takes missing values as they are ([hitmiss-missing]): a probe
#' lacks as many as its feature. For other selectors fill them in first, as in
#' `probe_fdr(prepare_impute("draw")(x)(x), y, logo)`. A step that uses the
#' labels must be part of the selector: `function(x, y) logo(step(x, y)(x), y)`.
#'
#' @inheritParams relief
#' @param selector A function of `(x, y)` that returns a fit of this package,
#'   named scores (larger is better; for p-values return `-log10(p)`) or names
#'   of features, best first. A selector is *sparse* if it is [llfs()], returns
#'   names, orders fewer features than there are (`n_ranked`), or gives at least
#'   half of the features its lowest score.
#' @param ... Must be empty.
#' @param probes Number of complete permuted copies of the features per run.
#' @param times Number of runs.
#' @param type `"append"` or `"permute"`, see Details. Of pictures: `"list"` or
#'   `"volcano"`.
#' @param label Of the volcano: texts for the features, as in
#'   [plot()][plot.hitmiss].
#' @param n For how many of the best features the estimate is computed; `Inf`:
#'   for all that the selector orders, so that any feature has its q. Of the
#'   volcano: how many of the best features are named.
#' @param level The quantile over runs that `upper` shows.
#' @param block,group,pair Batch, patient and matched pair of each sample: a
#'   vector, or the name of a column, see [hitmiss-designs].
#' @param BPPARAM `NULL` or a `BiocParallelParam`, as in [error_curve()].
#' @return A [result][hitmiss-results] with a row for each of the best `n`
#'   features: `feature`, annotation, `rank`, `score`, `fdr`, `q`, `upper`: the
#'   `level` quantile over runs of `V_b(n)/n`; `class`, `difference`,
#'   `effect` and `effect_raw`, see [hitmiss-methods] (`NA` for categories, and
#'   for what does not vary). `$list_fdr` and `$list_size` for a sparse
#'   selector, else `NA`; `$n_at`, the largest n with q at most .05, .1 and .2;
#'   `$auc`, the probability that a real feature scores above a probe;
#'   `$probe_counts` (runs x n); `$times` (runs that did not fail), `$sparse`,
#'   `$n_features`, `$n_samples`, `$fit` (what the selector returned without
#'   probes), and with `group` `$n_groups`. `plot()` draws q
#'   against the length of the list, or with `type = "volcano"` against `effect`
#'   (take `n = Inf` in `probe_fdr()` to have all features there).
#' @references
#' `r reference("knockoffs")`
#'
#' `r reference("pseudovariables")`
#' @examples
#' array <- simulate_microarray(samples = c(20, 20), genes = 300, relevant = 5)
#' set.seed(1)
#' found <- probe_fdr(array$x, array$y, relief, times = 5, n = 50)
#' found
#' selected(found, q = 0.2)
#' @export
probe_fdr <- function(x, y, selector, ..., probes = 1, times = 10,
                      type = c("append", "permute"), n = 200, level = 0.9,
                      block = NULL, group = NULL, pair = NULL,
                      assay = NULL, BPPARAM = NULL) {
  check_no_dots(...)
  problem <- as_problem_coded(x, y,
    assay = assay, outcome = evaluated, missing = TRUE
  ) |>
    with_groups(x, block, group, pair) |>
    staged()
  options <- list(
    probes = check_count(probes), times = check_count(times),
    type = check_choice(type),
    n = min(check_top(n), length(problem$features)),
    level = check_number(level, above = 0, below = 1)
  )
  check_selector(selector)
  check_unprepared(list(selector), pair)
  check_blocks(problem)
  check_numbers_fit(
    as.double(options$times) * options$probes * length(problem$y), "times"
  )
  if (options$type == "append") {
    # Memory holds features and probes side by side, and the same in random
    # order.
    check_numbers_fit(
      (options$probes + 1.5) * length(problem$y) * length(problem$features),
      "probes"
    )
  }
  check_backend(BPPARAM)
  stream <- draw_stream()
  all <- seq_along(problem$y)
  given <- decoded(problem_rows(problem, all), problem$levels)
  raw <- call_user(with_stream(stream, call_selector(
    selector, given, problem$y, design = problem$design
  )))
  warn_p_values(raw, given, problem$y)
  observed <- probe_scores(raw, problem$features)
  if (observed$sparse && options$type == "permute") {
    abort_input(c(
      "{.arg type = \"permute\"} is far too pessimistic for a sparse selector:
       with permuted labels it explains all labels by noise; with real labels
       the true features explain them first.",
      i = "Use {.code type = \"append\"}."
    ), "type")
  }
  units <- probe_units(problem, options, stream)
  runs <- spread(units, probe_run, problem, selector, options$type,
    Sys.getpid(),
    BPPARAM = BPPARAM, label = "Probes"
  )
  failures <- unlist(lapply(runs, `[[`, "failure"))
  tell_failures(
    failures, length(runs), "{length(messages)} of {n} runs failed and
     {cli::qty(length(messages))}{?is/are} left out.", "selector",
    on_other_processes(BPPARAM)
  )
  runs <- Filter(function(run) is.null(run$failure), runs)
  new_fdr(problem, raw, observed, runs, options, match.call())
}

# Checks that samples can be permuted within blocks, and that this changes
# labels.
check_blocks <- function(problem) {
  check_permutable(problem)
  if (!is.null(problem$design$pair)) {
    return(invisible())
  }
  block <- blocks_of(problem$design)
  units <- problem$design$unit
  if (any(block != block[match(units, units)])) {
    abort_input(
      "a group of {.arg group} has samples in several blocks of {.arg block}:
       groups are permuted as a whole, within blocks.", "block"
    )
  }
  if (anyDuplicated(block[!duplicated(units)]) == 0L) {
    abort_input(
      "{.arg block} has a single {problem$design$word} in every block: nothing
       can be permuted.", "block"
    )
  }
  cells <- unique(data.frame(block, kind_of(problem$y)$columns(problem$y)))
  if (anyDuplicated(cells$block) == 0L) {
    abort_input(c(
      "all samples of each block of {.arg block} have one label, so permuting
       within blocks leaves the labels as they are.",
      i = "Blocks are batches or sites with samples of several classes. For
           several samples per patient, give the patient as {.arg group}."
    ), "block")
  }
}

# Returns the permutations of each run, drawn before any run.
probe_units <- function(problem, options, stream) {
  n_columns <- length(problem$features) * (options$probes + 1L)
  lapply(seq_len(options$times), function(b) {
    stream <<- parallel::nextRNGStream(stream)
    append <- options$type == "append"
    list(
      rows = if (append) {
        lapply(seq_len(options$probes), function(i) {
          permuted_units(problem)
        })
      } else {
        list(permuted_labels(problem))
      },
      columns = if (append) sample.int(n_columns), stream = stream
    )
  })
}

#' One run
#'
#' @return list(real, probe: scores, n_real, n_probe: how many are selected), or
#'   list(failure).
#' @noRd
probe_run <- function(unit, problem, selector, type, pid) {
  if (pid != Sys.getpid()) attach_here()
  all <- seq_along(problem$y)
  try_user(
    with_stream(unit$stream, suppressWarnings(
      if (type == "append") {
        appended_run(unit, problem, selector)
      } else {
        y <- problem$y[unit$rows[[1L]]]
        found <- probe_scores(call_selector(
          selector, decoded(problem_rows(problem, all), problem$levels), y,
          design = problem$design
        ), problem$features)
        list(real = NULL, probe = found$scores)
      }
    ) |> suppressMessages(classes = "hitmiss_message_leakage")),
    function(e) list(failure = conditionMessage(e))
  )
}

appended_run <- function(unit, problem, selector) {
  n <- length(problem$features)
  values <- problem_rows(problem, seq_along(problem$y), seq_len(n))
  # Features and probes are named by number, so that their names cannot clash.
  both <- do.call(cbind, c(list(values), lapply(unit$rows, function(rows) {
    values[rows, , drop = FALSE]
  })))
  of <- rep_len(problem$features, ncol(both))
  colnames(both) <- paste0("f", seq_len(ncol(both)))
  coded <- of %in% names(problem$levels)
  levels <- as.list(problem$levels)[of[coded]]
  names(levels) <- colnames(both)[coded]
  found <- probe_scores(call_selector(
    selector, decoded(both[, unit$columns, drop = FALSE], levels), problem$y,
    design = problem$design
  ), colnames(both))
  list(
    real = found$scores[seq_len(n)], probe = found$scores[-seq_len(n)],
    n_real = sum(found$selected <= n), n_probe = sum(found$selected > n)
  )
}

#' What a selector returned, as scores of all features
#'
#' @return list(scores: in the order of `features`, -Inf if not listed,
#'   selected: positions of the list, best first, order: positions, sparse).
#' @noRd
probe_scores <- function(result, features) {
  listed <- as_feature_list(result, features)$order
  if (inherits(result, "hitmiss")) {
    constant <- which(result$preprocess$constant)
    scores <- replace(result$scores, constant, -Inf)
    ranked <- names(scores)[setdiff(result$ranking, constant)]
    # A preparation may have dropped features.
    of_all <- unname(scores[match(features, names(scores))])
    return(list(
      scores = replace(of_all, is.na(of_all), -Inf),
      selected = positions(result$selected, features),
      order = positions(ranked, features),
      sparse = inherits(result, "hitmiss_llfs") ||
        result$n_ranked < length(scores)
    ))
  }
  if (is.character(result)) {
    scores <- rep(-Inf, length(features))
    scores[listed] <- rev(seq_along(listed))
    return(list(
      scores = scores, selected = listed, order = listed, sparse = TRUE
    ))
  }
  scores <- rep(-Inf, length(features))
  known <- !is.na(result)
  scores[positions(names(result), features)[known]] <- result[known]
  list(
    scores = scores, selected = listed, order = order(-scores),
    sparse = 2L * length(listed) <= length(features)
  )
}
