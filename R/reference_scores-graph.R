# Layer: evaluate. These scores are quadratic forms of a feature over graphs of
# the samples: the Laplacian score, SPEC, the trace ratio and LSDF.
# SPDX-License-Identifier: GPL-3.0-or-later

#' How to read the values of features for distances between samples
#'
#' Raw values are read in units of one power of two for all features, so that
#' squares neither vanish nor overflow and nothing is rounded.
#' @return As prepare_scaling(), with the features' ranges as `range`.
#' @noRd
common_units <- function(problem, runtime) {
  preprocess <- prepare_scaling(problem, "range", runtime)
  preprocess$range <- preprocess$scale
  spread <- max(preprocess$scale[!preprocess$constant], 0)
  preprocess$center[] <- 0
  preprocess$scale[] <- if (spread > 0) 2^floor(log2(spread)) else 1
  preprocess
}

laplacian_scores <- function(problem, options, runtime) {
  if (options$supervised) {
    # With S = 1/N_c within classes, the score is the proportion of the variance
    # that lies within classes.
    return(-1 / (1 + cpp_fisher(problem, "variances", runtime)))
  }
  preprocess <- common_units(problem, runtime)
  cpp_laplacian(problem, preprocess, c(options, simd = resolve_simd()), runtime)
}

# The similarity is exp(-d^2 / t), where t is the mean of d^2 over all pairs.
gaussian_similarity <- function(problem, units, runtime) {
  squared <- cpp_sample_distances(problem, units, resolve_simd(), runtime)^2
  t <- mean(squared[upper.tri(squared)])
  exp(-squared / if (length(squared) > 1L && t > 0) t else 1)
}

# Returns the edges as a symmetric matrix.
graph_matrix <- function(n, edges, weight) {
  graph <- matrix(0, n, n)
  graph[edges[, 1:2]] <- weight
  graph + t(graph)
}

# The form of this graph is f'Df, where f is taken less its mean under the
# degrees D.
spread_graph <- function(degree) tcrossprod(degree) / sum(degree)

# ---- SPEC -------------------------------------------------------------------

spec_scores <- function(problem, options, runtime) {
  units <- common_units(problem, runtime)
  y <- problem$y
  similar <- if (options$supervised) {
    # The similarity of two samples of class c is 1/N_c, and that of a sample to
    # itself as well.
    outer(y, y, "==") / as.vector(table(y)[y])
  } else {
    gaussian_similarity(problem, units, runtime)
  }
  degree <- rowSums(similar)
  graph <- if (options$style == "phi3") {
    leading_graph(similar, degree, nlevels(problem$y))
  } else {
    similar
  }
  forms <- cpp_graph_forms(problem, list(graph, spread_graph(degree)), runtime)
  norm <- forms[, 2L]
  if (options$style != "phi2") {
    # These styles do not centre f: the part of its mean, which spread_graph()
    # takes off, is added back to the norm.
    weights <- degree / sum(degree)
    means <- lapply(feature_chunks(problem), function(at) {
      drop(crossprod(feature_values(problem, at, runtime$threads), weights))
    })
    norm <- norm + sum(degree) * (unlist(means) / units$range)^2
  }
  scores <- forms[, 1L] / norm
  if (options$style == "phi3") {
    return(ifelse(units$constant, 0, pmax(scores, 0)))
  }
  ifelse(units$constant, -2, -scores)
}

#' The graph of the quadratic form: the sum, over the 2nd to n-th smallest
#' eigenvalues, of (2 - eigenvalue) times the squared projection on the
#' eigenvector
#'
#' The mean of a feature, weighted by the degrees, is subtracted from it, which
#' removes the first eigenvector.
#' @noRd
leading_graph <- function(similar, degree, n) {
  root <- sqrt(degree)
  # The eigenvalues of the normalised Laplacian are 1 minus these eigenvalues.
  spectrum <- eigen(similar / tcrossprod(root), symmetric = TRUE)
  vectors <- root * spectrum$vectors[, seq_len(n), drop = FALSE]
  form <- vectors %*% ((1 + spectrum$values[seq_len(n)]) * t(vectors))
  centred <- function(form) {
    form - tcrossprod(rowSums(form), degree) / sum(degree)
  }
  -centred(t(centred(form)))
}

# Returns positions of features in chunks, each as large as a few megabytes
# hold.
feature_chunks <- function(problem) {
  n <- length(problem$features)
  size <- max(1, floor(2^20 / length(problem$y)))
  unname(split(seq_len(n), (seq_len(n) - 1L) %/% size))
}

# ---- trace ratio ------------------------------------------------------------

trace_ratio_scores <- function(problem, options, runtime) {
  sums <- if (options$supervised) {
    class_sums(problem, runtime)
  } else {
    graph_sums(problem, options$k, runtime)
  }
  constant <- sums$constant
  if (all(constant)) {
    return(numeric(length(constant)))
  }
  # Sizes are in the features' own units; those of the widest feature are common
  # to all.
  size <- ifelse(constant, 0, sums$unit / max(sums$unit[!constant]))^2
  between <- sums$between * size
  within <- sums$within * size
  ratio <- best_ratio(between, within, options$n)
  scores <- (between - ratio * within) / max(between + within)
  # Constant features get the lowest score that is possible.
  ifelse(constant, -ratio, scores)
}

# Returns the sums of squares between and within classes, as proportions of
# their sum.
class_sums <- function(problem, runtime) {
  learned <- prepare_scaling(problem, "zscore", runtime)
  quotient <- cpp_fisher(problem, "variances", runtime)
  list(
    between = quotient / (1 + quotient), within = 1 / (1 + quotient),
    unit = learned$scale, constant = learned$constant
  )
}

# Returns the sums over the graph of neighbours, in units of the squared range.
graph_sums <- function(problem, k, runtime) {
  units <- common_units(problem, runtime)
  edges <- cpp_neighbour_graph(problem, units, k, resolve_simd(), runtime)
  near <- graph_matrix(length(problem$y), edges, edges[, 3L])
  forms <- cpp_graph_forms(
    problem, list(near, spread_graph(rowSums(near))), runtime
  )
  list(
    between = forms[, 2L], within = forms[, 1L], unit = units$range,
    constant = units$constant
  )
}

#' The largest ratio of sum(above) to sum(below) over any n features
#'
#' Each step takes the n features with the largest above - ratio below. Their
#' ratio is larger than the one before, until the largest ratio is reached.
#' @noRd
best_ratio <- function(above, below, n) {
  # If nothing varies within classes, the quotient would be infinite. It is
  # limited to 2^52, so that above - ratio * below does not lose the digits of
  # `above`.
  quotient <- function(at) min(sum(above[at]) / sum(below[at]), 2^52)
  ratio <- 0
  repeat {
    value <- above - ratio * below
    best <- quotient(utils::head(order(-value), n))
    if (is.nan(best) || best <= ratio) {
      return(ratio)
    }
    ratio <- best
  }
}

# ---- LSDF -------------------------------------------------------------------

lsdf_scores <- function(problem, options, runtime) {
  y <- problem$y
  units <- common_units(problem, runtime)
  edges <- cpp_neighbour_graph(
    problem, units, options$k, resolve_simd(), runtime
  )
  near <- graph_matrix(length(y), edges, 1)
  same <- outer(y, y, "==")
  within <- ifelse(is.na(same), near, options$gamma * same)
  between <- ifelse(is.na(same), 0, !same)
  forms <- cpp_graph_forms(problem, list(between, within), runtime)
  forms[units$constant, ] <- 0
  ifelse(
    forms[, 2L] > 0, pmin(forms[, 1L] / forms[, 2L], .Machine$double.xmax),
    ifelse(forms[, 1L] > 0, .Machine$double.xmax, 0)
  )
}
