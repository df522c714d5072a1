# Layer: evaluate. The nearest other samples vote here in the core's order.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The vote of the k nearest other samples
#'
#' Samples that tie for the last places share them. If classes have equal
#' shares, that of the nearest sample wins, and of equally near ones the first
#' class.
#' @param x Samples x features, Euclidean when scaled by `preprocess`.
#' @return list(share: samples x classes; winner: class numbers).
#' @noRd
nearest_votes <- function(x, y, k, preprocess, runtime) {
  votes <- cpp_nearest_vote(
    x, list(values = x, y = y), preprocess, rep(1, ncol(x)),
    list(
      k = k, metric = "euclidean", simd = resolve_simd(), missing = FALSE,
      themselves = TRUE
    ), runtime
  )
  list(share = votes$share, winner = votes$winner + 1L)
}
