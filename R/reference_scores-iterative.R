# Layer: evaluate. These scores are solutions of a problem over all features:
# RFS, Inf-FS, Simba.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- RFS: least sum of lengths of residuals and of rows of weights -----------

#' Reweighted least squares in the dual, N x N: see ?reference_scores
#'
#' Let U be the weights of features and intercept over the residuals / gamma,
#' and A = (X 1 gamma I). The problem is to minimise the sum of the lengths of
#' U's rows subject to A U = Y. Each step is U = D^-1 A' (A D^-1 A')^-1 Y, with
#' 1 / D twice the previous lengths.
#' @noRd
rfs_scores <- function(problem, options, runtime) {
  rows <- standardised_rows(problem, runtime)
  y <- outer(problem$y, levels(problem$y), "==") + 0
  n <- nrow(y)
  gamma <- options$gamma
  twice <- function(length) 2 * sqrt(length^2 + 1e-12)
  lengths <- list(
    feature = lapply(rows$chunks, function(at) rep(0.5, length(at))),
    intercept = 0.5, residual = rep(0.5, n)
  )
  objective <- numeric()
  repeat {
    inverse <- rapply(lengths, twice, how = "list")
    gram <- matrix(inverse$intercept, n, n)
    diag(gram) <- diag(gram) + gamma^2 * inverse$residual
    for (chunk in seq_along(rows$chunks)) {
      weighted <- rows$values(chunk) *
        rep(sqrt(inverse$feature[[chunk]]), each = n)
      gram <- gram + tcrossprod(weighted)
    }
    root <- cholesky(gram) %||% abort_input(c(
      "With {.arg gamma} = {gamma} rounding leaves no solution of the equations
       of RFS.",
      i = "Give a value nearer to 1."
    ), "gamma")
    dual <- backsolve(root, backsolve(root, y, transpose = TRUE))
    lengths <- list(
      feature = lapply(seq_along(rows$chunks), function(chunk) {
        inverse$feature[[chunk]] *
          sqrt(rowSums(crossprod(rows$values(chunk), dual)^2))
      }),
      intercept = inverse$intercept * sqrt(sum(colSums(dual)^2)),
      residual = gamma * inverse$residual * sqrt(rowSums(dual^2))
    )
    objective <- c(objective, gamma * sum(unlist(lengths)))
    last <- length(objective)
    change <- if (last > 1L) abs(1 - objective[[last]] / objective[[last - 1L]])
    converged <- last > 1L && change <= options$tol
    if (converged || last == options$max_iter) break
  }
  report <- list(
    status = if (converged) "converged" else "max_iter", iterations = last,
    objective = objective, residual = change %||% NA_real_
  )
  warn_unconverged(report, "Raise {.arg max_iter}.")
  ifelse(rows$constant, 0, unlist(lengths$feature))
}

# Returns NULL if there is no factor in double precision.
cholesky <- function(gram) {
  if (all(is.finite(gram))) catch_error(chol(gram), function(e) NULL)
}

#' Standardised values, samples x features, for a chunk of features at a time;
#' 0 if a feature does not vary
#'
#' @return list(chunks: positions, values: a function of the chunk's number,
#'   constant).
#' @noRd
standardised_rows <- function(problem, runtime) {
  learned <- prepare_scaling(problem, "zscore", runtime)
  chunks <- feature_chunks(problem)
  read <- function(chunk) {
    at <- chunks[[chunk]]
    values <- feature_values(problem, at, runtime$threads)
    n <- nrow(values)
    values <- (values - rep(learned$center[at], each = n)) /
      rep(learned$scale[at], each = n)
    values[, learned$constant[at]] <- 0
    values
  }
  if (problem$storage == "dense") {
    # The chunks that are kept are as large as the data, which are in memory
    # already.
    kept <- lapply(seq_along(chunks), read)
    read <- function(chunk) kept[[chunk]]
  }
  list(chunks = chunks, values = read, constant = learned$constant)
}

# ---- Inf-FS: the energy of all paths through a feature -----------------------

inf_fs_scores <- function(problem, options, runtime) {
  learned <- prepare_scaling(problem, "zscore", runtime)
  scores <- numeric(length(problem$features))
  varies <- which(!learned$constant)
  if (length(varies) > 0L) {
    ranks <- cpp_centred_ranks(problem, runtime)[, varies, drop = FALSE]
    times <- path_matrix(ranks, learned$scale[varies], options$alpha, runtime)
    scores[varies] <- path_energies(times, length(varies))
  }
  scores
}

#' The matrix of Inf-FS as a function that multiplies a vector by it
#'
#' The matrix is alpha times the larger of two deviations, in [0, 1], plus (1 -
#' alpha) times (1 less the absolute rank correlation). Neither part is formed.
#' @noRd
path_matrix <- function(ranks, deviation, alpha, runtime) {
  deviation <- deviation / max(deviation)
  deviation <- deviation - min(deviation)
  if (max(deviation) > 0) deviation <- deviation / max(deviation)
  up <- order(deviation)
  length <- sqrt(colSums(ranks^2))
  function(v) {
    sorted <- v[up]
    larger <- deviation[up] * cumsum(sorted) +
      rev(cumsum(rev(deviation[up] * sorted))) - deviation[up] * sorted
    larger[up] <- larger
    alike <- cpp_rank_products(
      ranks, v / length, resolve_simd(), runtime
    ) / length
    alpha * larger + (1 - alpha) * (sum(v) - alike)
  }
}

#' Row sums of (I - r A)^-1 - I, r = 0.9 over the largest eigenvalue of A
#'
#' Uses the Lanczos method, started from the vector of ones: its Krylov space
#' gives both the solution and the eigenvector to about 1e-10.
#' @param times A, symmetric and without negative elements, as a function.
#' @noRd
path_energies <- function(times, n) {
  basis <- matrix(1 / sqrt(n), n, 1L)
  diagonal <- beside <- numeric()
  for (m in seq_len(n)) {
    image <- times(basis[, m])
    diagonal[[m]] <- sum(image * basis[, m])
    for (again in 1:2) image <- image - basis %*% crossprod(basis, image)
    beside[[m]] <- sqrt(sum(image^2))
    small <- diag(diagonal, m)
    small[cbind(seq_len(m - 1L), seq_len(m)[-1L])] <- beside[-m]
    small[cbind(seq_len(m)[-1L], seq_len(m - 1L))] <- beside[-m]
    spectrum <- eigen(small, symmetric = TRUE)
    largest <- spectrum$values[[1L]]
    # If no two features are joined, all scores are equal.
    if (largest <= 0) {
      return(numeric(n))
    }
    step <- 0.9 / largest
    solution <- solve(diag(m) - step * small, c(sqrt(n), numeric(m - 1L)))
    rest <- beside[[m]] * c(
      abs(spectrum$vectors[m, 1L]) / largest,
      step * abs(solution[[m]]) / sqrt(n)
    )
    if (rest[[1L]] < 1e-7 && rest[[2L]] < 1e-11) break
    basis <- cbind(basis, image / beside[[m]])
  }
  drop(basis[, seq_len(m), drop = FALSE] %*% solution) - 1
}

# ---- Simba -------------------------------------------------------------------

simba_scores <- function(problem, options, runtime) {
  warn_single_samples(problem$y)
  n_features <- length(problem$features)
  if (problem$storage != "dense") {
    check_numbers_fit(length(problem$y) * as.double(n_features), "x")
  }
  learned <- prepare_scaling(problem, "range", runtime)
  values <- feature_values(problem, seq_len(n_features), runtime$threads)
  cpp_simba(
    values, problem$y, learned,
    list(passes = options$passes, simd = resolve_simd()), runtime
  )$scores
}
