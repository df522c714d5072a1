# Layer: evaluate. The nearest other samples vote here in the core's order.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The vote of the k nearest other samples
#'
#' Samples that tie for the last places share them. If classes have equal
#' shares, that of the nearest sample wins, and of equally near ones the first
#' class.
#' @param squared Squared distances.
#' @return list(share: samples x classes; winner: class numbers).
#' @noRd
nearest_votes <- function(squared, y, k) {
  key <- neighbour_key(sqrt(squared))
  diag(key) <- Inf
  share <- matrix(0, length(y), nlevels(y))
  winner <- integer(length(y))
  for (n in seq_along(y)) {
    last <- sort(key[n, ])[[k]]
    tied <- key[n, ] == last
    place <- (key[n, ] < last) + tied * (k - sum(key[n, ] < last)) / sum(tied)
    share[n, ] <- tapply(place, y, sum, default = 0) / k
    nearest <- tapply(ifelse(place > 0, key[n, ], Inf), y, min, default = Inf)
    best <- share[n, ] > max(share[n, ]) - 1e-9
    winner[[n]] <- which(best)[[which.min(nearest[best])]]
  }
  list(share = share, winner = winner)
}

# Rounds distances to 30 binary digits, as the core does, so that rounding noise
# breaks no ties.
neighbour_key <- function(distance) {
  step <- 2^(floor(log2(pmax(distance, .Machine$double.xmin))) - 30)
  round(distance / step) * step
}
