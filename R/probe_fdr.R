# How many of the selected features would be there by chance?
# SPDX-License-Identifier: GPL-3.0-or-later

#' False discoveries of a selection, by shuffled twins of all features
#'
#' Each gene gets a shuffled twin that can have nothing to do with the classes.
#' We select again with all twins present and count how many reach the list. If
#' 3 twins on average rank as high as your 30th gene, expect about 3 of the 30
#' to be there by chance.
#'
#' @details
#' Over many studies a list cut at q = 0.1 contains at most about 10 percent
#' genes *unrelated to the classes*; in one study it may be more, the band
#' (`upper`) shows how much. A gene that merely goes along with a true cause is
#' not counted as false. The figure says nothing about batch effects or
#' mislabelled samples, and shuffling is only fair if samples are exchangeable:
#' with pairs, batches or repeated measurements it is not (argument `strata`:
#' permute within strata).
#'
#' **What is computed.** In each of \eqn{B} = `times` runs the rows of the whole
#' matrix are permuted \eqn{c} = `probes` times, each time in one way for all
#' features, so that probes are correlated among each other as features are. The
#' selector is run on features and probes together, columns in random order.
#' With \eqn{r_b(n)} the \eqn{n}-th largest score of a real feature in run
#' \eqn{b}, and \eqn{V_b(n)} the number of probes that score as high or higher,
#' \deqn{FDR(n) = \min(1, (1 + \sum_b V_b(n)) / (c B n)), \quad
#' q(n) = \min_{m \ge n} FDR(m).}
#' The feature at rank \eqn{n} of the fit without probes gets \eqn{q(n)}. For a
#' sparse selector, the list is what that fit selects, and its figure
#' (`list_fdr`) is \eqn{\min(1, (1 + \sum_b V_b) / (c \max(1, \sum_b R_b)))},
#' \eqn{V_b} probes and \eqn{R_b} real features selected in run \eqn{b}. With
#' \eqn{B = 1} this is the knockoff+ form; many runs make it Benjamini and
#' Hochberg's procedure with pooled permutation p-values.
#'
#' `type = "permute"` permutes the labels instead: \eqn{V_b(n)} is the number of
#' features whose score for permuted labels reaches the \eqn{n}-th best of the
#' real fit. Half the cost, and as good for rankers. For sparse selectors it is
#' far too pessimistic (a factor of 8 in simulations), because with permuted
#' labels they explain all labels by noise, whereas with real ones the true
#' features do it first; it is refused there.
#'
#' **Limits.** Right on average over data sets; in one data set the estimate
#' scatters, as correlated genes come in packs. Features that share noise with
#' relevant ones are taken for helpers by sparse selectors; probes cannot imitate
#' that: mild optimism.
#'
#' @inheritParams relief
#' @param selector A function of `(x, y)` that returns a fit of this package,
#'   named scores (larger is better) or names of features, best first. It is
#'   sparse if it is [llfs()], returns names, orders fewer features than there
#'   are (`n_ranked`), or gives at least half of the features its lowest score.
#' @param probes Number of complete shuffled copies of the features per run, a
#'   whole number. (Fewer probes than features underestimate what chance does.)
#' @param times Number of runs.
#' @param type `"append"` or `"permute"`, see Details.
#' @param n Length of the longest list that is judged.
#' @param level The quantile over runs that `upper` shows.
#' @param strata `NULL`, or a factor or vector, one value per sample: samples
#'   are permuted within its groups only.
#' @param force Use `type = "permute"` for a sparse selector nevertheless?
#' @param BPPARAM `NULL` or a `BiocParallelParam`, as in [error_curve()].
#' @return An object of class `hitmiss_fdr`, a list: `table`, a data.frame of
#'   the best `n` features (`feature`, annotation, `rank`, `score`, `fdr`, `q`,
#'   `upper`: the `level` quantile over runs of \eqn{V_b(n)/n}); `list_fdr` and
#'   `list_size` for a sparse selector, else `NA`; `n_at`, the largest n with q
#'   at most .05, .1 and .2; `auc`, the chance that a real feature scores above
#'   a probe; `probe_counts` (runs x n); `probe_scores`, a data.frame of
#'   percentiles of real and probe scores; `type`, `times` (runs that did not
#'   fail), `probes`, `sparse`, `level`, `n_features`, `n_samples`, `fit` (what
#'   the selector returned without probes), `call`.
#' @references
#' Barber, Candes (2015). Controlling the false discovery rate via knockoffs.
#' Annals of Statistics 43, 2055-2085.
#'
#' Wu, Boos, Stefanski (2007). Controlling variable selection by the addition of
#' pseudovariables. JASA 102, 235-243.
#' @examples
#' array <- simulate_microarray(n = c(20, 20), genes = 300, relevant = 5)
#' set.seed(1)
#' found <- probe_fdr(array$x, array$y, relief, times = 5, n = 50)
#' found
#' selected(found, q = 0.2)
#' @export
probe_fdr <- function(x, y, selector, ..., probes = 1, times = 10,
                      type = c("append", "permute"), n = 200, level = 0.9,
                      strata = NULL, force = FALSE, BPPARAM = NULL) {
  problem <- as_problem(x, y, ...)
  options <- list(
    probes = check_count(probes), times = check_count(times),
    type = check_choice(type, c("append", "permute")),
    n = min(check_count(n), length(problem$features)),
    level = check_level(level), force = check_flag(force)
  )
  if (missing(selector)) abort_missing("selector")
  if (!is.function(selector)) {
    abort_input(
      "{.arg selector} must be a function of (x, y), not {describe(selector)}.",
      "selector"
    )
  }
  check_two_arguments(selector)
  strata <- check_strata(strata, length(problem$y))
  check_numbers_fit(
    as.double(options$times) * options$probes * length(problem$y), "times"
  )
  check_backend(BPPARAM)
  stream <- draw_stream()
  raw <- with_stream(
    stream, selector(problem_rows(problem, seq_along(problem$y)), problem$y)
  )
  plain <- probe_scores(raw, problem$features)
  if (plain$sparse && options$type == "permute" && !options$force) {
    abort_input(c(
      "{.code type = \"permute\"} is far too pessimistic for a sparse selector:
       with permuted labels it explains all labels by noise, with real ones the
       true features do it first.",
      i = "Use {.code type = \"append\"}, or insist with {.code force = TRUE}."
    ), "type")
  }
  units <- probe_units(problem, options, strata, stream)
  runs <- spread(units, probe_run, problem, selector, options$type,
    Sys.getpid(),
    BPPARAM = BPPARAM, label = "Probes"
  )
  runs <- finished_runs(runs)
  new_fdr(problem, raw, plain, runs, options, match.call())
}

check_two_arguments <- function(selector) {
  takes <- names(formals(args(selector)))
  if (length(takes) < 2L && !"..." %in% takes) {
    abort_input(
      "{.arg selector} must take two arguments, the samples and their labels.",
      "selector"
    )
  }
}

check_strata <- function(strata, n_samples) {
  if (is.null(strata)) {
    return(rep(1L, n_samples))
  }
  if (!is.atomic(strata) || length(strata) != n_samples || anyNA(strata)) {
    abort_input(
      "{.arg strata} must have one value for each of the {n_samples} samples,
       without NA, not {describe(strata)}.", "strata"
    )
  }
  strata <- match(strata, unique(strata))
  if (max(tabulate(strata)) == 1L) {
    abort_input(
      "{.arg strata} has a single sample in every group: nothing can be
       permuted.", "strata"
    )
  }
  strata
}

#' What each run permutes, drawn before any run
#' @noRd
probe_units <- function(problem, options, strata, stream) {
  n_columns <- length(problem$features) * (options$probes + 1L)
  lapply(seq_len(options$times), function(b) {
    stream <<- parallel::nextRNGStream(stream)
    append <- options$type == "append"
    list(
      rows = lapply(seq_len(if (append) options$probes else 1L), function(i) {
        permuted_within(strata)
      }),
      columns = if (append) sample.int(n_columns), stream = stream
    )
  })
}

permuted_within <- function(strata) {
  order <- seq_along(strata)
  for (members in split(order, strata)) {
    order[members] <- draw_from(members, length(members))
  }
  order
}

#' One run
#'
#' @return list(real, probe: scores, n_real, n_probe: how many are selected), or
#'   list(failure).
#' @noRd
probe_run <- function(unit, problem, selector, type, pid) {
  if (pid != Sys.getpid()) attach_here()
  all <- seq_along(problem$y)
  catch_error(
    with_stream(unit$stream, suppressWarnings(
      if (type == "append") {
        appended_run(unit, problem, selector)
      } else {
        y <- problem$y[unit$rows[[1L]]]
        found <- probe_scores(
          selector(problem_rows(problem, all), y), problem$features
        )
        list(
          real = NULL, probe = found$scores, n_real = NA,
          n_probe = length(found$selected)
        )
      }
    )),
    function(e) {
      if (inherits(e, "hitmiss_error_selector")) stop(e)
      list(failure = conditionMessage(e))
    }
  )
}

appended_run <- function(unit, problem, selector) {
  n <- length(problem$features)
  values <- problem_rows(problem, seq_along(problem$y), seq_len(n))
  # Features and probes get names by number: those of users never clash.
  both <- do.call(cbind, c(list(values), lapply(unit$rows, function(rows) {
    values[rows, , drop = FALSE]
  })))
  colnames(both) <- paste0("f", seq_len(ncol(both)))
  found <- probe_scores(
    selector(both[, unit$columns, drop = FALSE], problem$y), colnames(both)
  )
  list(
    real = found$scores[seq_len(n)], probe = found$scores[-seq_len(n)],
    n_real = sum(found$selected <= n), n_probe = sum(found$selected > n)
  )
}

finished_runs <- function(runs) {
  failed <- vapply(runs, function(run) !is.null(run$failure), NA)
  if (all(failed)) {
    abort_input(
      "{.arg selector} failed in all {length(runs)} runs; in the first:
       {runs[[1L]]$failure}", "selector"
    )
  }
  if (any(failed)) {
    first <- runs[[which(failed)[[1L]]]]$failure
    warn(
      "{sum(failed)} of {length(runs)} runs failed and are left out; the first:
       {first}",
      "hitmiss_warning_failures"
    )
  }
  runs[!failed]
}

#' What a selector returned, as scores of all features
#'
#' @return list(scores: in the order of `features`, -Inf if not listed, selected:
#'   positions of the list, best first, order: positions, sparse).
#' @noRd
probe_scores <- function(result, features) {
  listed <- as_feature_list(result, features)$order
  if (inherits(result, "hitmiss")) {
    scores <- unname(result$scores[match(features, names(result$scores))])
    return(list(
      scores = scores, selected = positions(result$selected, features),
      order = positions(names(result$scores)[result$ranking], features),
      sparse = inherits(result, "hitmiss_llfs") ||
        result$n_ranked < length(features)
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
    scores = scores, selected = listed,
    order = order(-scores, seq_along(scores)),
    sparse = 2L * length(listed) <= length(features)
  )
}
