# Centring and scaling, learned on the training samples.
# SPDX-License-Identifier: GPL-3.0-or-later

scalings <- c("zscore", "range", "none")

#' Learn centring and scaling on the training samples
#'
#' @param scale "zscore", "range" or "none".
#' @return list(method, center, scale, constant), one entry per feature, and
#'   class_means, raw means, features x classes.
#' @noRd
prepare_scaling <- function(problem, scale, runtime) {
  scale <- check_choice(scale, scalings, "scale")
  stage_blocks(problem, runtime)
  learned <- cpp_scaling(problem, scale, runtime)
  beyond <- which(!is.finite(learned$center) | !is.finite(learned$scale))
  if (length(beyond) > 0L) {
    abort_input(c(
      "the values of feature{?s} {.val {problem$features[beyond]}} of {.arg x}
       are too large or too small: their differences, or the squares of these,
       exceed what a double can hold.",
      i = "Change {cli::qty(length(beyond))}{?its/their} unit first."
    ), "x", column = beyond[[1L]])
  }
  c(list(method = scale), learned)
}

#' Training samples on some features, scaled: samples x features
#' @noRd
scaled_values <- function(problem, preprocess, features) {
  values <- feature_values(problem, features)
  dimnames(values) <- list(problem$samples, problem$features[features])
  apply_scaling(values, preprocess, features)
}

#' (x - center) / scale, column by column
#' @noRd
apply_scaling <- function(values, preprocess, features) {
  scaled <- cpp_scaled(
    values, preprocess$center[features], preprocess$scale[features]
  )
  dimnames(scaled) <- dimnames(values)
  scaled
}
