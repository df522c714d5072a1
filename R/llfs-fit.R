# Layer: fit. The object that llfs() returns is made here, and what it holds of
# its representatives is read here.
# SPDX-License-Identifier: GPL-3.0-or-later

new_llfs <- function(problem, run, parameters, call, threads) {
  core <- run$local
  preprocess <- run$preprocess
  n_features <- length(problem$features)
  scores <- tabulate(core$features, n_features) / sum(core$sizes > 0L)
  used <- which(scores > 0)
  fit <- new_selector(
    "llfs", problem, preprocess,
    scores = scores, selected = scores > 0, parameters = parameters, run = run,
    report = core$report, n_ranked = length(used), call = call,
    local = list(
      features = core$features, offsets = c(0L, cumsum(core$sizes)),
      radius = core$radius, alpha = core$alpha,
      beta = core$beta, score = core$score, objective = core$objective,
      cells = core$cells, cell = core$cell, evidence = core$evidence,
      intercept = core$intercept, representatives = run$representatives,
      class = problem$y, samples = problem$samples,
      training = scaled_values(problem, preprocess, used)
    )
  )
  if (!by_evidence(fit)) {
    return(fit)
  }
  model <- classifier_model(fit, used, names(fit$scores)[used])
  balanced <- parameters$weights == "balanced"
  wanted <- core_draws(parameters$control)$intercept_samples
  learned <- run_core("LLFS votes", threads, FALSE, function(runtime) {
    runtime$key <- run$key
    c(
      list(),
      if (length(core$intercept) == 0L) {
        list(intercept = cpp_llfs_intercept(model, balanced, wanted, runtime))
      },
      if (parameters$vote == "frames") {
        cpp_llfs_frames(model, problem, balanced, wanted, runtime)
      }
    )
  })
  fit$local[names(learned)] <- learned
  fit$report$seconds <- fit$report$seconds + attr(learned, "seconds")
  fit
}

# Does the vote use the evidence of the representatives?
by_evidence <- function(object) object$parameters$vote != "spheres"

warn_unsettled <- function(report) {
  if (report$status == "converged") {
    return(invisible(report))
  }
  warn(
    c(
      "{signif(100 * report$residual, 2)} % of the {report$iterations} problems
       that {.fn llfs} solved reached a limit of steps: their feature sets are
       feasible, but others may have less spread.",
      i = "A larger tolerance, {.code control = list(tol = 0.01)}, lets more of
           them converge; {.arg glance()} has the share as {.field residual}."
    ),
    "hitmiss_warning_unconverged",
    report = report
  )
}

# ---- representatives ---------------------------------------------------------

# Returns the positions of the representatives among the training samples.
representatives <- function(x) x$local$representatives

representative_class <- function(x) x$local$class[representatives(x)]

training_names <- function(x) {
  unique_names(x$local$samples, x$n_samples)
}

# Counts the features of each representative.
subset_sizes <- function(x) diff(x$local$offsets)

# Returns the features of the representative at position i.
subset_of <- function(x, i) {
  x$local$features[x$local$offsets[[i]] + seq_len(subset_sizes(x)[[i]])]
}

# Returns the subsets as a sparse matrix, features x representatives.
subset_matrix <- function(x) {
  Matrix::sparseMatrix(
    i = x$local$features, p = x$local$offsets,
    dims = c(x$n_features, length(x$local$radius)), x = 1
  )
}

# A representative that lacks one of the features goes to the core without
# features, as does a training sample that is no representative: it does not
# vote.
classifier_model <- function(object, used, names) {
  local <- object$local
  who <- representatives(object)
  n <- length(local$class)
  complete <- complete_representatives(object, names)
  sizes <- subset_sizes(object)
  learned <- if (object$parameters$vote == "frames") {
    local[c("learners", "slopes")]
  }
  list(
    training = local$training, y = local$class,
    features = match(local$features, used)[rep(complete, sizes)],
    sizes = replace(integer(n), who, sizes * complete),
    radius = replace(numeric(n), who, local$radius),
    cells = replace(integer(n), who, local$cells * complete),
    cell = local$cell[rep(complete, 3L * local$cells)],
    evidence = local$evidence[rep(complete, local$cells)],
    intercept = local$intercept, neighbour = object$parameters$neighbour,
    by_evidence = by_evidence(object),
    learners = as.integer(learned$learners),
    slopes = learned$slopes %||% matrix(0, 0L, 0L)
  )
}

# Says which representatives use no features but those in `names`.
complete_representatives <- function(object, names) {
  sizes <- subset_sizes(object)
  own <- names(object$scores)[object$local$features]
  if (anyNA(own)) {
    abort_input(c(
      "{.arg object} is not a complete fit: its representatives have features
       that it lacks.",
      i = "Read the saved copy again, or fit it again."
    ), "object")
  }
  lacking <- rep(seq_along(sizes), sizes)[!own %in% names]
  tabulate(lacking, length(sizes)) == 0L
}

# Returns the share of each class's representatives that use a feature.
class_shares <- function(x, rows = seq_len(x$n_features)) {
  sizes <- subset_sizes(x)
  vapply(x$classes, function(class) {
    own <- representative_class(x) == class
    used <- tabulate(x$local$features[rep(own, sizes)], x$n_features)[rows]
    used / max(1L, sum(sizes[own] > 0L))
  }, numeric(length(rows))) |>
    matrix(nrow = length(rows), dimnames = list(NULL, x$classes))
}
