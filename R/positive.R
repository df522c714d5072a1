# Layer: input. One of two classes is positive: the share of its samples that is
# found is the sensitivity, and its scores make the ROC curve.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The positive one of two classes
#'
#' @param positive As the user gave it.
#' @return Its name: by default the first class, but TRUE of logical labels.
#'   NULL if there are not two classes.
#' @noRd
positive_class <- function(positive, classes) {
  if (length(classes) != 2L) {
    if (!is.null(positive)) {
      abort_input(c(
        "{.arg positive} needs two classes; here are {length(classes)}.",
        i = if (length(classes) > 0L) "Each is compared with the rest."
      ), "positive")
    }
    return(NULL)
  }
  if (is.null(positive)) {
    return(classes[[1L + identical(classes, c("FALSE", "TRUE"))]])
  }
  # Labels that are TRUE and FALSE, or numbers, have become texts.
  convertible <- is.logical(positive) || is_plain_number(positive)
  if (convertible) positive <- as.character(positive)
  if (length(positive) != 1L) {
    abort_input(
      "{.arg positive} must be one of {.val {classes}}, not
       {describe(positive)}.", "positive"
    )
  }
  check_choice(positive, classes, "positive")
}

#' Say which class is positive, if the user did not
#' @param counts What is known of it, such as "43 of 91 found".
#' @noRd
inform_positive <- function(class, counts) {
  inform(
    "The positive class is {.val {class}} ({counts}). Choose with
     {.arg positive}.", "hitmiss_message_positive"
  )
}
