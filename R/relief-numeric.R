# RReliefF: what differs in a fit to a numeric outcome.
# SPDX-License-Identifier: GPL-3.0-or-later

# Labels that lost their class are still labels.
has_numeric_outcome <- function(fit) {
  is.numeric(fit$training$y) && is.null(attr(fit$training$y, "levels"))
}

# Any other sample is a neighbour: for the design, each is a class of its own.
with_numeric_design <- function(problem, x, block, group) {
  outcome <- problem$y
  problem$y <- factor(seq_along(outcome))
  problem <- with_design(problem, x, block, group)
  problem$y <- outcome
  problem
}

# As many neighbours as any sample has; of a number, one warning.
outcome_k <- function(k, n) {
  if (is.null(k)) {
    return(max(1L, min(10L, n - 1L)))
  }
  if (k > n - 1L) {
    warn(
      "every sample has {n - 1L} neighbour{?s}, fewer than {.arg k} = {k}; all
       of them are used.",
      "hitmiss_warning_k"
    )
  }
  k
}

# Of nothing selected: the mean of all.
mean_response <- function(fit, values) {
  stats::setNames(rep(mean(fit$training$y), nrow(values)), rownames(values))
}

check_type_of_fit <- function(fit, type) {
  wrong <- if (has_numeric_outcome(fit)) c("class", "prob") else "response"
  if (type %in% wrong) {
    abort_input(c(
      "{.arg type} = {.val {type}} is not available for this fit.",
      i = if (type == "response") {
        "The fit has classes: use {.val class}, {.val prob} or {.val features}."
      } else {
        "The outcome is numeric: use {.val response} or {.val features}."
      }
    ), "type")
  }
  type
}
