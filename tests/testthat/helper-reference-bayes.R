# Parzen and nearest neighbour leave-one-out rules, sample by sample.
# SPDX-License-Identifier: GPL-3.0-or-later

# Small data may rightly be warned of.
estimate <- function(...) {
  muffle(
    bayes_error(..., threads = 1),
    c("hitmiss_warning_dimension", "hitmiss_warning_single")
  )
}

# Class probabilities of sample n from all others.
reference_parzen_posterior <- function(x, y, n, h) {
  d2 <- colSums((t(x) - x[n, ])^2)
  share <- table(y) / length(y)
  joint <- vapply(levels(y), function(c) {
    others <- setdiff(which(y == c), n)
    if (length(others) == 0L) {
      return(0)
    }
    share[[c]] * mean(exp(-d2[others] / (2 * h^2)))
  }, 0)
  joint / sum(joint)
}

reference_log_likelihood <- function(x, y, h) {
  sum(vapply(seq_along(y), function(n) {
    others <- setdiff(which(y == y[n]), n)
    if (length(others) == 0L) {
      return(0)
    }
    d2 <- colSums((t(x[others, , drop = FALSE]) - x[n, ])^2)
    # The nearest is taken out of the sum, which would underflow.
    exponent <- -d2 / (2 * h^2)
    largest <- max(exponent)
    largest + log(mean(
      exp(exponent - largest)
    )) - ncol(x) * log(sqrt(2 * pi) * h)
  }, 0))
}

reference_neighbours <- function(x, y, k) {
  d <- reference_distances(x, metric = "euclidean")
  key <- reference_key(d)
  vapply(seq_along(y), function(n) {
    reference_winner(reference_shares(key[n, -n], k), key[n, -n], y[-n])
  }, "")
}
