# From checked arguments to a fit of the Relief family.
# SPDX-License-Identifier: GPL-3.0-or-later

# The methods and their names in the literature, by the rule that finds the
# neighbours.
relief_families <- list(
  nearest = c(
    relieff = "ReliefF", relief = "Relief", map = "M-Relief",
    map15 = "M-Relief, weights of (15)"
  ),
  radius = c(
    surf = "SURF", surfstar = "SURF*", multisurf = "MultiSURF",
    multisurfstar = "MultiSURF*"
  ),
  parzen = c(parzen = "P-Relief"), irelief = c(irelief = "I-Relief"),
  rrelieff = c(rrelieff = "RReliefF")
)

relief_family <- function(method) {
  names(Filter(\(titles) method %in% names(titles), relief_families))
}

fit_relief <- function(problem, parameters, threads, verbose, call) {
  family <- relief_family(parameters$method)
  sizes <- intersect(c("k", "samples"), names(parameters))
  check_memory(parameters$method, problem, parameters[sizes], threads)
  preprocess <- NULL
  compute <- switch(parameters$method,
    parzen = cpp_parzen_relief, irelief = cpp_soft_relief,
    rrelieff = cpp_rrelieff, cpp_near_relief
  )
  rule <- switch(parameters$method,
    relief = "pooled", map = , map15 = parameters$method,
    parameters$weighting %||% "conditional"
  )
  run <- run_core("Relief", threads, verbose, function(runtime) {
    preprocess <<- prepare_scaling(
      if (family == "rrelieff") problem[names(problem) != "y"] else problem,
      parameters$scale, runtime
    )
    options <- c(parameters, rule = rule, simd = resolve_simd())
    compute_by_feature(compute, problem, preprocess, options, runtime)
  }, random = !is.null(parameters$samples))
  if (!is.null(run$report)) {
    warn_unconverged(run$report, if (run$report$status == "stalled") {
      "No feature has a positive margin: near misses are nearer than near hits."
    } else {
      "Raise {.arg max_iter}."
    })
  }
  fit <- new_selector("relief", problem, preprocess, run$scores,
    run$scores > 0 & !preprocess$constant, parameters, run,
    report = run$report,
    weights = stats::setNames(run$weights, problem$features),
    training = vote_memory(problem, run$weights, attr(run, "threads")),
    call = call
  )
  if (!is.null(problem$levels)) {
    fit$levels <- problem$levels
    if (!is.null(fit$class_means)) {
      fit$class_means[names(problem$levels), ] <- NA
    }
  }
  if (!is.null(run$score_se)) {
    fit$score_se <- stats::setNames(run$score_se, problem$features)
  }
  fit
}

# Samples drawn must be two of each class, where there are two.
check_reference_samples <- function(problem, samples) {
  if (is.null(samples)) {
    return(invisible())
  }
  counted <- problem$y[allowed_misses(problem) > 0L]
  least <- sum(pmin(2L, table(counted)))
  if (samples < least) {
    abort_input(c(
      "{.arg samples} = {samples} cannot hold two samples of each class.",
      i = "It must be at least {least} here."
    ), "samples")
  }
}

# As many as every class has: what a default asks for is no reason to warn.
usual_k <- function(y, method) {
  if (method == "relieff") max(1L, min(10L, min(table(y)) - 1L)) else 1L
}

relief_arguments <- local({
  nearest <- names(relief_families$nearest)
  radius <- names(relief_families$radius)
  list(
    k = c(nearest, "rrelieff"), weighting = c("relieff", radius),
    metric = c(nearest, radius, "rrelieff"), samples = c(nearest, radius),
    bandwidth = "parzen", self = "parzen", sigma = "irelief", tol = "irelief",
    max_iter = "irelief"
  )
})

near_parameters <- function(method) {
  names <- c("k", "metric", "weighting")
  names[vapply(relief_arguments[names], \(used) method %in% used, NA)]
}

# One warning if some class cannot give k neighbours; a class of one sample has
# a warning of its own.
warn_small_classes <- function(y, k, method) {
  if (is.null(k)) {
    return(invisible())
  }
  counts <- table(y)
  hits <- counts - 1L
  misses <- if (method == "relieff") counts else sum(counts) - counts
  small <- names(counts)[hits > 0L & (hits < k | misses < k)]
  if (length(small) > 0L) {
    warn(
      "{cli::qty(length(small))}class{?es} {.val {small}} {?has/have} fewer than
       {.arg k} = {k} neighbours available; all of them are used.",
      "hitmiss_warning_k",
      classes = small
    )
  }
}
