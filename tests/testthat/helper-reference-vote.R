# predict() by the nearest training samples, from its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param x,new Scaled training samples and one new one, all features.
#' @param w Weights of the features, 0 for those that are not used. Features
#'   that are NA in `new` are left out; below half of the weight nobody votes.
#' @return list(class, share: the probabilities, left).
reference_vote <- function(x, y, new, w, k, metric = "manhattan") {
  there <- !is.na(new)
  left <- sum(w[there]) / sum(w)
  if (left < 0.5) {
    return(list(
      class = NA_character_, share = rep(NA_real_, nlevels(y)), left = left
    ))
  }
  difference <- abs(t(x[, there, drop = FALSE]) - new[there])
  d <- if (metric == "euclidean") {
    sqrt(colSums(w[there] * difference^2))
  } else {
    colSums(w[there] * difference)
  }
  key <- if (max(d) > 0) round(d / max(d) * 2^30) else 0 * d
  share <- reference_shares(key, k)
  list(
    class = reference_winner(share, key, y),
    share = as.vector(
      tapply(share, y, sum, default = 0) + table(y) / length(y)
    ) / (sum(share) + 1),
    left = left
  )
}
