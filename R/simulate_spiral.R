# Layer: input. Two spirals among noise, the example of the LOGO paper.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Simulate two spirals among irrelevant features
#'
#' Simulates the arms of a Fermat spiral, `+-sqrt(t) (cos t, sin t)`, one for
#' each class, with `t^2` uniform up to `(2 pi turns)^2`. Neither of the two
#' relevant features separates the classes alone.
#'
#' @param samples Their numbers in the two classes.
#' @param noise Number of irrelevant N(0, 1) features.
#' @param turns Number of turns of an arm. With more than 2, the first feature
#'   has hardly any signal.
#' @param sd Standard deviation of the noise on the two relevant features.
#' @return A list: `x` (samples x features: `x1`, `x2`, `noise1`, ...), `y`
#'   (factor), `relevant` (names).
#' @references
#' `r reference("logo")`
#' @examples
#' spiral <- simulate_spiral(noise = 0)
#' plot(spiral$x, col = spiral$y)
#' @export
simulate_spiral <- function(samples = c(230, 230), noise = 100, turns = 1.5,
                            sd = 0.05) {
  n <- check_samples(samples, 2L)
  noise <- check_count(noise, min = 0)
  turns <- check_number(turns, above = 0)
  sd <- check_number(sd, min = 0)
  check_numbers_fit(sum(as.double(n)) * (noise + 2), "noise")
  t <- 2 * pi * turns * sqrt(stats::runif(sum(n)))
  arm <- rep(c(1, -1), n)
  # The spiral is drawn first: it is the same for any number of noise features.
  spiral <- cbind(arm * sqrt(t) * cos(t), arm * sqrt(t) * sin(t)) +
    stats::rnorm(2L * sum(n), sd = sd)
  x <- cbind(spiral, matrix(stats::rnorm(sum(n) * noise), sum(n)))
  colnames(x) <- c("x1", "x2", sprintf("noise%d", seq_len(noise)))
  list(
    x = x, y = factor(rep(c("one", "two"), n)), relevant = c("x1", "x2")
  )
}
