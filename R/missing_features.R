# predict(missing = "drop"): votes by what is left where new data lack features.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Groups of samples with the same features, and the share of the vote left
#'
#' @param values Samples x features, NA where a value is missing.
#' @param share Function of names of features: the share of the vote that is
#'   left with these alone.
#' @return list(groups: lists of `rows` and `features`, only those with at least
#'   half of the vote; left: one share for each sample).
#' @noRd
split_by_features <- function(values, share) {
  there <- !is.na(values)
  pattern <- character(nrow(values))
  holed <- rowSums(there) < ncol(values)
  pattern[holed] <- vapply(which(holed), function(row) {
    paste(c("-", which(there[row, ])), collapse = " ")
  }, "")
  of_pattern <- unname(split(seq_len(nrow(values)), pattern))
  groups <- lapply(of_pattern, function(rows) {
    features <- colnames(values)[there[rows[[1L]], ]]
    list(rows = rows, features = features, left = share(features))
  })
  left <- stats::setNames(numeric(nrow(values)), rownames(values))
  for (group in groups) left[group$rows] <- group$left
  list(groups = Filter(function(group) group$left >= 0.5, groups), left = left)
}

#' Refuse new data that lack so many features that less than half of the vote is
#' left
#'
#' @param needed,values See as_newdata(): the needed features, and the values.
#' @param share See split_by_features().
#' @param of Kind of the share: "weight", "spheres" or "features".
#' @noRd
check_half_left <- function(values, needed, share, of) {
  absent <- setdiff(needed, colnames(values))
  left <- if (length(absent) > 0L) share(colnames(values)) else 1
  if (left < 0.5) {
    abort_input(c(
      "{.arg newdata} lacks {length(absent)} of the {length(needed)} feature{?s}
       that the prediction needs, which leaves {percent(left)} of the
       {vote_shares[[of]]}.",
      i = "At least half must be left."
    ), "newdata", features = absent, left = left)
  }
}

vote_shares <- c(
  weight = "weight",
  spheres = "spheres of a class (the one that loses most)",
  features = "features"
)

#' The result with the share of the vote that was left for each sample
#' @noRd
with_left <- function(result, left, of) {
  some <- left < 1 & left >= 0.5
  few <- sum(left < 0.5)
  if (any(left < 1)) {
    span <- unique(percent(range(c(left[some], if (!any(some)) 0))))
    inform(c(
      if (any(some)) {
        "{sum(some)} of {length(left)} samples {cli::qty(sum(some))}{?is/are}
         predicted from {paste(span, collapse = \" to \")} of the
         {vote_shares[[of]]}; the rest depends on missing features."
      },
      if (few > 0L) {
        "{few} of {length(left)} samples {cli::qty(few)}{?has/have} less than
         half of the {vote_shares[[of]]} left: {cli::qty(few)}{?its prediction
         is/their predictions are} NA."
      },
      i = "The shares are attribute {.val left} of the result."
    ), "hitmiss_message_missing")
  }
  attr(result, "left") <- left
  result
}
