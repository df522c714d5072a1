# Layer: input. These functions say for each kind of outcome what it must be,
# and what predict() gives for it.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The outcome of each sample, checked
#'
#' @param y factor, character or logical; one label per sample; or numbers.
#' @param outcome "classes"; "partly": NA marks a sample of unknown class;
#'   "numeric": a number for each sample.
#' @param samples,features Names of the samples and features, or NULL.
#' @param order Code that gives the names of the samples, for error messages.
#' @return A factor without unused levels, or a vector of doubles.
#' @noRd
as_outcome <- function(y, n_samples, outcome = "classes", samples = NULL,
                       features = NULL, arg = "y", order = "rownames(x)") {
  y <- plain_vector(force_given(y, arg))
  if (outcome == "numeric") {
    check_numeric_outcome(y, arg)
  } else {
    check_label_type(y, arg)
  }
  if (length(y) != n_samples) {
    abort_input(c(
      "{.arg {arg}} has {length(y)} label{?s}, but {.arg x} has {n_samples}
       sample{?s}.",
      i = order_remedy(names(y), samples, arg, order)
    ), arg)
  }
  check_sample_names(names(y), samples, arg, features, order = order)
  # The names may be those of permuted samples, so they are removed.
  names(y) <- NULL
  if (outcome == "numeric") {
    finite_outcome(y, arg)
  } else {
    as_labels(y, samples, arg, partly = outcome == "partly")
  }
}

check_numeric_outcome <- function(y, arg) {
  if (!is.numeric(y) || is.object(y) || !is.null(dim(y))) {
    abort_input(c(
      "{.arg {arg}} must be a numeric vector for method {.val rrelieff}, not
       {describe(y)}.",
      i = "Other methods of {.fn relief} take class labels."
    ), arg)
  }
}

finite_outcome <- function(y, arg) {
  bad <- which(!is.finite(y))
  if (length(bad) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {length(bad)} value{?s} that {?is/are} not finite; the
       first belongs to sample {bad[[1L]]}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out."
    ), arg, row = bad[[1L]])
  }
  if (min(y) == max(y)) {
    abort_input(
      "{.arg {arg}} has the same value for all samples: there is nothing to
       explain.", arg
    )
  }
  codes <- numbers_for_missing(y)
  if (length(codes) > 0L) {
    inform_codes(c(
      "{.arg {arg}} is {.val {unique(codes)}} for {length(codes)} sample{?s},
       far from the other values.",
      i = "If it means missing, leave {cli::qty(codes)}{?this sample/these
           samples} out."
    ))
  }
  as.double(y)
}

# ---- what differs by kind ----------------------------------------------------

#' The kind of a checked outcome, "classes" or "numeric"
#'
#' Integer codes with levels are class labels, even if the attribute "class" was
#' lost.
#' @noRd
outcome_kind <- function(y) {
  if (is.numeric(y) && is.null(attr(y, "levels"))) "numeric" else "classes"
}

# Returns the kind of outcome to which a fit was made.
fit_outcome <- function(fit) outcome_kind(fit$training$y)

# predict() gives these types for each kind; the first is the default.
prediction_types <- list(
  classes = c("class", "prob", "features"), numeric = c("response", "features")
)

check_type_of_fit <- function(fit, type) {
  if (!type %in% prediction_types[[fit_outcome(fit)]]) {
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

# A fit without selected features predicts the mean training outcome.
mean_response <- function(fit, values) {
  stats::setNames(rep(mean(fit$training$y), nrow(values)), rownames(values))
}
