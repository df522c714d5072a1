# Layer: fit. A checked problem is scaled here, and the object that a selector
# returns is made.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Make a fit
#'
#' @param method Name of the selector, such as "llfs".
#' @param problem,preprocess What was fitted, and its scaling.
#' @param scores Numeric, input order, larger is better.
#' @param selected Logical or integer positions, or names, best first; logical
#'   ones are put in rank order.
#' @param report list(status, iterations, objective, residual, kkt, gap).
#' @param parameters Named list of what the user could have set.
#' @param run The result of run_core(), for seconds and threads.
#' @param ... Fields that only this method has.
#' @param ranking Positions, best first; by default by decreasing score, ties
#'   to the lower index.
#' @noRd
new_selector <- function(method, problem, preprocess, scores, selected,
                         parameters, run, report = NULL, ...,
                         ranking = order(-scores),
                         n_ranked = length(scores), call = NULL) {
  report <- utils::modifyList(
    list(
      status = "converged", iterations = NA_integer_, objective = NA_real_,
      residual = NA_real_, kkt = NA_real_, gap = NA_real_
    ),
    as.list(report)
  )
  report$seconds <- attr(run, "seconds")
  report$threads <- attr(run, "threads")
  report <- c(report, block_traffic(problem))
  names(scores) <- problem$features
  if (!is.null(problem$block) && n_ranked == length(scores)) {
    known <- constant_in_blocks(problem, which(scores == 0))
    preprocess$constant[known] <- TRUE
  }
  # The first fit of TuRF has told it.
  kind <- kind_of(problem$y)
  if (method != "turf") {
    inform_leakage(kind$leaks(problem, preprocess, ranking), problem$features)
  }
  alone <- kind$alone(problem, preprocess, run)
  preprocess[c("class_means", "class_spread")] <- NULL
  fit <- structure(
    list(
      scores = scores, ranking = as.integer(ranking),
      n_ranked = as.integer(n_ranked),
      selected = problem$features[ranking[selected[ranking]]],
      classes = levels(problem$y) %||% character(),
      n_samples = length(problem$y),
      n_features = length(problem$features), parameters = parameters,
      preprocess = preprocess, class_means = alone$class_means,
      class_spread = alone$class_spread, contrasts = alone$contrasts,
      report = report,
      annotation = problem$annotation, ..., call = short_call(call),
      version = package_version_text()
    ),
    class = c(paste0("hitmiss_", method), "hitmiss")
  )
  if (any(c("block", "group", "pair") %in% names(problem$design))) {
    # Of the samples whose values are kept for predict().
    fit$design <- design_rows(problem$design, which(!is.na(problem$y)))
    fit$design$given <- NULL
  }
  for (field in c(
    "assay", "counts", "ranks", "ordered", "present", "effects_of_blocks"
  )) {
    fit[[field]] <- problem[[field]]
  }
  fit$lacking <- problem$lacking %||% lacking_in_blocks(problem)
  if (anyNA(problem$y)) fit$n_labelled <- sum(!is.na(problem$y))
  for (field in c("n_events", "hazard", "censored")) {
    fit[[field]] <- alone[[field]]
  }
  fit
}

# Returns those of the features `at` that are constant within each block: no
# list may hold them, as none that are constant in all samples.
constant_in_blocks <- function(problem, at) {
  values <- feature_values(problem, at)
  apart <- centre_pairs(values, problem$block, known = TRUE)
  size <- \(of) colSums(abs(of), na.rm = TRUE)
  at[size(apart) <= 1e-12 * size(values)]
}

# Returns the positions of the features that one class lacks more often than
# others of its block; NULL without blocks, where the counts of a fit say it.
lacking_in_blocks <- function(problem) {
  if (!is.null(problem$block) && !is.null(problem$present)) {
    strata <- strata_of(problem$y)
    cell <- interaction(strata, problem$block)
    missing_by_class(
      count_present(problem, cell)$features,
      matrix(tabulate(cell, nlevels(cell)), nlevels(strata))
    )
  }
}

# Returns the same of any problem with missing values.
lacking_features <- function(problem) {
  problem$lacking %||% lacking_in_blocks(problem) %||% missing_by_class(
    problem$present, tabulate(strata_of(problem$y), ncol(problem$present))
  )
}

# An iteration leaves what rounding makes of a weight of 0.
without_rounding <- function(weights) {
  replace(weights, weights <= 1e-12 * max(weights, 0), 0)
}

#' The part of the training samples that a fit keeps for predict()
#'
#' @param weights Numeric, one per feature; features with weight 0 are left out,
#'   and those of lowest `score` where the values would take more than 64 MB, so
#'   that a fit does not become a second copy of its data.
#' @param threads Resolved.
#' @return list(values, y, features): raw values, samples x features kept, and
#'   the positions of these features.
#' @noRd
vote_memory <- function(problem, weights, threads, score = weights) {
  used <- which(weights > 0)
  room <- columns_at_once(length(problem$y))
  if (length(used) > room) {
    best <- order(-score[used], used)[seq_len(room)]
    used <- sort(used[best])
  }
  values <- feature_values(problem, used, threads)
  dimnames(values) <- list(NULL, problem$features[used])
  list(values = values, y = problem$y, features = used)
}

# Returns how many features' values of so many samples a fit keeps.
columns_at_once <- function(n_samples) max(1, floor(2^26 / (8 * n_samples)))

warn_unconverged <- function(report, remedy) {
  if (identical(report$status, "converged")) {
    return(invisible(report))
  }
  warn(
    c(
      "the solver did not converge: status {.val {report$status}} after
       {report$iterations} iteration{?s}, residual
       {signif(report$residual, 2)}.",
      i = remedy
    ),
    "hitmiss_warning_unconverged",
    report = report
  )
}

# ---- scaling -----------------------------------------------------------------

scalings <- c("zscore", "range", "none")

#' Learn centring and scaling on the training samples
#'
#' @param scale "zscore", "range" or "none".
#' @return list(method, center, scale, constant), one entry per feature, and
#'   class_means, raw means, features x classes; class_spread, the pooled
#'   standard deviations within classes.
#' @noRd
prepare_scaling <- function(problem, scale, runtime) {
  scale <- check_choice(scale, scalings, "scale")
  stage_blocks(problem, runtime)
  learned <- cpp_scaling(problem, scale, runtime)
  beyond <- which(!is.finite(learned$center) | !is.finite(learned$scale))
  if (length(beyond) > 0L) {
    abort_input(c(
      "the values of feature{?s} {.val {problem$features[beyond]}} of {.arg x}
       are too large or too small: their differences, or the squares of these,
       exceed what a double can hold.",
      i = "Change {cli::qty(length(beyond))}{?its/their} unit first."
    ), "x", column = beyond[[1L]])
  }
  c(list(method = scale), learned)
}

# Returns the training samples on some features, scaled: samples x features.
scaled_values <- function(problem, preprocess, features) {
  values <- feature_values(problem, features)
  dimnames(values) <- list(problem$samples, problem$features[features])
  apply_scaling(values, preprocess, features)
}

# Returns (x - center) / scale, column by column.
apply_scaling <- function(values, preprocess, features) {
  scaled <- cpp_scaled(
    values, preprocess$center[features], preprocess$scale[features]
  )
  dimnames(scaled) <- dimnames(values)
  scaled
}
