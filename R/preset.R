# Layer: input. One word asks for the settings that the papers print.
# SPDX-License-Identifier: GPL-3.0-or-later

# These are the values that each paper gives in its text or algorithm. The
# papers on LOGO and the Relief family do not say that features are scaled.
paper_presets <- list(
  llfs = list(
    alpha = 10, gamma = 0.2, beta = seq(0, 1, by = 0.05), vote = "spheres",
    neighbour = "full", impurity = "count",
    control = list(draws = 1000L, enumerate = 0L, init = "one", starts = "cold")
  ),
  logo = list(
    sigma = 2, lambda = 1, tol = 0.01, init = "one", scale = "none"
  ),
  relief = list(
    k = 1, weighting = "prior", metric = "euclidean", hubs = "none",
    bandwidth = 0.01, self = TRUE, scale = "none"
  ),
  kbfs = list(n = 200, rank_by = "weight", kernel = "linear", redundancy = 0),
  pwfp = list(fraction = 0.1, score = "ratio", scale = "zscore"),
  bayes_error = list(method = "parzen", bandwidth = 0.01, k = 1)
)

# In a function with an argument `preset`, "paper" gives the arguments that the
# caller left out the values of the function's paper.
use_preset <- function(verb, except = NULL, frame = parent.frame()) {
  choices <- c("default", "paper")
  if (check_choice(frame$preset, choices, "preset") == "default") {
    return(FALSE)
  }
  values <- paper_presets[[verb]]
  left_out <- vapply(names(values), function(name) {
    eval(call("missing", as.name(name)), frame)
  }, NA)
  if (!is.null(values$control) && !is.null(names(frame$control))) {
    values$control <- utils::modifyList(values$control, frame$control)
    left_out[["control"]] <- TRUE
  }
  list2env(values[setdiff(names(values)[left_out], except)], frame)
  TRUE
}
