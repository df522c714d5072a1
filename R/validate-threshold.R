# Layer: evaluate. validate() with a cut-off that the user chose, and with
# predictive values at another prevalence than that of the samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @section Cut-off and prevalence:
#' With two classes, `threshold` replaces the classifier's own rule: a sample is
#' called positive if its score is at least `threshold`. The score of new
#' samples is `predict(type = "prob")`; that of a curve is the score of its
#' `classifier`, which is the same with `"own"`. A cut-off is chosen on a curve,
#' by the sensitivity and specificity that it gives there (optimistically
#' biased, because they were chosen), and then used on new samples.
#'
#' Predictive values depend on how frequent the positive class is: studies often
#' have as many cases as controls, where one patient in 100 is ill. With
#' `prevalence` they are those of Bayes' rule: with p the prevalence, and se and
#' sp the sensitivity and specificity, the positive one is p se / (p se + (1 -
#' p) (1 - sp)), and the negative one (1 - p) sp / ((1 - p) sp + p (1 - se)).
#' Both grow with se and sp, so each interval goes from the value at the two
#' lower limits to that at the two upper ones. It is wider than `level` needs.
#' @name validate
#' @rdname validate
NULL

check_cutoff <- function(threshold, prevalence) {
  list(
    threshold = if (!is.null(threshold)) check_number(threshold),
    prevalence = if (!is.null(prevalence)) {
      check_number(prevalence, above = 0, below = 1)
    }
  ) |>
    Filter(f = Negate(is.null))
}

# For outcomes in which no class is positive.
refuse_cutoff <- function(cutoff) {
  for (arg in names(cutoff)) {
    abort_input(
      "{.arg {arg}} needs two classes, in samples that are not compared with
       their pair.", arg
    )
  }
}

# Returns the predicted classes, with a cut-off those by the scores.
called_classes <- function(predictions, threshold, positive) {
  called <- predictions$predicted
  if (is.null(threshold)) {
    return(called)
  }
  score <- predictions$score[, positive]
  if (anyNA(score)) {
    abort_user(
      "{.arg threshold} needs class scores, and the classifier of this curve
       returned none.", "threshold", "hitmiss_error_scores"
    )
  }
  # Scores of a user's classifier need not be probabilities.
  check_number(threshold, min = min(0, score), max = max(1, score))
  # Shares of votes that tie with it may be less in the last digit.
  called[] <- ifelse(
    score >= threshold - 1e-9, positive, setdiff(levels(called), positive)
  )
  called
}

# Replaces predictive values of the samples by those at a prevalence.
at_prevalence <- function(table, prevalence) {
  if (is.null(prevalence)) {
    return(table)
  }
  ends <- c("estimate", "lower", "upper")
  of <- function(name) unlist(table[table$measure == name, ends])
  sensitivity <- of("sensitivity")
  specificity <- of("specificity")
  share <- function(right, wrong) {
    # Where no sample is called so, there is no value.
    ifelse(right + wrong > 0, right / (right + wrong), NA)
  }
  rows <- match(
    paste(c("positive", "negative"), "predictive value"), table$measure
  )
  table[rows, ends] <- rbind(
    share(prevalence * sensitivity, (1 - prevalence) * (1 - specificity)),
    share((1 - prevalence) * specificity, prevalence * (1 - sensitivity))
  )
  table$n[rows] <- table$n[[1L]]
  table
}

cutoff_lines <- function(cutoff, positive) {
  c(
    if (!is.null(cutoff$threshold)) {
      sprintf("Called %s: scores of %g or more", positive, cutoff$threshold)
    },
    if (!is.null(cutoff$prevalence)) {
      paste(
        "Predictive values: at a prevalence of", cutoff$prevalence,
        "(limits: from those of sensitivity and specificity)"
      )
    }
  )
}
