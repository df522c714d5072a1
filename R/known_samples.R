# Layer: evaluate. A warning says if samples that are judged as new are training
# samples of the fit.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Warn if new samples are equal to training samples, of which the fit has
#' learned
#'
#' The best 100 features are compared that the fit keeps and the new samples
#' have.
#' @param arg Name of the argument with the samples.
#' @return The positions of these new samples.
#' @noRd
warn_known_samples <- function(fit, newdata, pair = NULL, arg = "new") {
  training <- fit$training$values %||% fit$local$training
  used <- utils::head(intersect(usual_list(fit), colnames(training)), 100L)
  # predict() has refused what it cannot read of the features that it needs.
  new <- catch_error(
    as_newdata(newdata, used, fit, drop = TRUE) |>
      suppressWarnings(
        classes = c("hitmiss_warning_unnamed", "hitmiss_warning_unseen")
      ) |>
      suppressMessages(classes = "hitmiss_message"),
    function(e) NULL
  )
  if (length(new) == 0L) {
    return(integer())
  }
  used <- colnames(new)
  new <- centre_newdata(fit, new, newdata, pair)
  if (!is.null(fit$local)) {
    new <- apply_scaling(new, fit$preprocess, match(used, names(fit$scores)))
  }
  training <- signif(training[, used, drop = FALSE], 8L)
  text <- function(values) apply(values, 1L, toString)
  known <- which(text(signif(new, 8L)) %in% text(training))
  if (length(known) == 0L || !tells_samples(training)) {
    return(integer())
  }
  names <- unique_names(rownames(new), nrow(new))[known]
  warn(
    c(
      "{length(known)} of {nrow(new)} sample{?s} of {.arg {arg}}
       {cli::qty(length(known))}{?is/are} equal to training samples:
       {listed(names, 3L)}.",
      i = "The fit has learned from {cli::qty(length(known))}{?it/them}, so
           errors on {cli::qty(length(known))}{?it/them} are too small:
           {.fn error_curve} tests on held-out samples."
    ),
    "hitmiss_warning_known",
    samples = names
  )
  known
}

# The line that says of which samples predictions are. `known`: positions of
# training samples.
new_samples_line <- function(rows, known, design) {
  known <- sum(rows[known])
  count <- samples_words(design_rows(design, which(rows)))
  paste0(
    "Predictions of ", count, if (known > 0L) {
      sprintf(", of which %d equal training samples", known)
    } else {
      " that the fit has not seen"
    }
  )
}
