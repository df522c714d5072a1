# What a fit of llfs() holds of its representatives: `local$features` are the
# features of all of them, one representative after the other, and
# `local$offsets` where each begins (from 0), with the end as the last one.
# SPDX-License-Identifier: GPL-3.0-or-later

# Positions of the representatives among the training samples.
representatives <- function(x) x$local$representatives

representative_class <- function(x) x$local$class[representatives(x)]

representative_names <- function(x) training_names(x)[representatives(x)]

training_names <- function(x) {
  x$local$samples %||% as.character(seq_len(x$n_samples))
}

# How many features each representative has.
subset_sizes <- function(x) diff(x$local$offsets)

# The features of the representative at position i.
subset_of <- function(x, i) {
  x$local$features[x$local$offsets[[i]] + seq_len(subset_sizes(x)[[i]])]
}

# As a sparse matrix: features x representatives.
subset_matrix <- function(x) {
  Matrix::sparseMatrix(
    i = x$local$features, p = x$local$offsets,
    dims = c(x$n_features, length(x$local$radius)), x = 1
  )
}
