# Layer: conditions. These functions refuse arguments that are missing, that a
# function does not have, or that its method does not use.
# SPDX-License-Identifier: GPL-3.0-or-later

check_no_dots <- function(...) {
  if (...length() == 0L) {
    return(invisible())
  }
  given <- ...names() %||% rep("", ...length())
  given[is.na(given) | given == ""] <- "(unnamed)"
  taken <- taken_arguments(sys.parent())
  abort_unknown_arguments(given, taken$names, taken$verb)
}

#' The arguments that could have been given
#'
#' They are those of the function that has the dots, and of the functions of
#' this package that passed the dots on to it.
#' @param frame Number of the frame of the function that has the dots.
#' @return list(names, verb: what the user called, such as "relief").
#' @noRd
taken_arguments <- function(frame) {
  names <- character()
  verb <- "the function"
  while (frame > 0L && in_package(sys.function(frame))) {
    own <- names(formals(sys.function(frame)))
    if (!"..." %in% own) break
    names <- union(own, names)
    verb <- called_name(sys.call(frame)) %||% verb
    frame <- parent_number(frame)
  }
  # The names leave out what verbs do not hand on, and `x` and `y` where a
  # formula stands for them.
  not <- c("...", handed_on_never, if ("formula" %in% names) c("x", "y"))
  list(names = setdiff(names, not), verb = verb)
}

# Returns the number of the frame from which another was called, or 0. dplyr and
# parsnip evaluate calls in an environment that is no function's: for these R
# gives the frame itself, or a later one.
parent_number <- function(frame) {
  parent <- sys.parents()[[frame]]
  if (parent < frame) parent else 0L
}

# Arguments of as_problem() that verbs set, and that nobody else may.
handed_on_never <- c("outcome", "complete", "missing")

# The dots of a verb reach as_problem(), where these would be taken as the
# verb's own: what the user called is looked at.
check_not_handed_on <- function() {
  frame <- top <- sys.parent()
  while ((parent <- parent_number(top)) > 0L &&
    in_package(sys.function(parent))) {
    top <- parent
  }
  called <- match.call(
    sys.function(top), sys.call(top), TRUE, sys.frame(parent)
  )
  given <- setdiff(names(called), names(formals(sys.function(top))))
  given <- intersect(given, handed_on_never)
  if (length(given) > 0L) {
    taken <- taken_arguments(frame)
    abort_unknown_arguments(given, taken$names, taken$verb)
  }
}

abort_unknown_arguments <- function(given, known, verb) {
  if (given[[1L]] == "(unnamed)") {
    abort_input(c(
      "{.fn {verb}} was given more unnamed arguments than it accepts.",
      i = "Name each argument. The names are {.arg {known}}."
    ), given[[1L]])
  }
  meant <- unique(unlist(lapply(given, meant_argument, known)))
  abort_input(c(
    "{cli::qty(length(given))}{.arg {given}} {?is not an argument/are not
     arguments} of {.fn {verb}}.",
    i = if (length(meant) > 0L) {
      "Did you mean {.or {.arg {meant}}}?"
    } else if (verb %in% verbs && given[[1L]] %in% count_names) {
      "A fit has all features: {.code selected(fit, n = 10)} gives the best 10
       of those that it ranks or selects."
    } else if (given[[1L]] %in% case_weights) {
      "Samples have no weights here: scores are sums over pairs of samples, for
       which weights of single samples are not defined. Methods balance classes
       by {.arg weighting} or {.arg weights}, see their pages."
    } else if (verb %in% verbs && given[[1L]] == "data") {
      "It is used with a formula: {.code {verb}(class ~ ., data = data)}."
    } else {
      "Its {cli::qty(length(known))}argument{?s} {?is/are} {.arg {known}}."
    }
  ), given[[1L]])
}

# Other packages call the weights of samples by these names.
case_weights <- c(
  "weights", "case_weights", "case.weights", "sample_weight", "wts"
)

verbs <- c("llfs", "logo", "relief", "kbfs", "pwfp")

# Other packages call the number of features to select by these names.
count_names <- c(
  "n", "n_features", "nfeatures", "num_features", "n_top", "top", "size"
)

# Other packages, or older versions of this one, call our argument by these
# names.
other_names <- list(
  k = c("neighbours", "neighbors", "n_neighbours", "n_neighbors", "nn"),
  max_iter = c("control", "maxit", "n_iter", "iterations", "max_iterations"),
  tol = c("tolerance", "eps", "epsilon"),
  threads = c("cores", "n_cores", "ncores", "n_threads", "nthreads", "workers"),
  y = c("labels", "label", "class", "classes", "target", "outcome", "response"),
  n = count_names, n_features = count_names, longest = "n", searched = "n"
)

# Returns the argument among `known` that `name` probably stands for, or none.
meant_argument <- function(name, known) {
  other <- Filter(function(names) tolower(name) %in% names, other_names)
  utils::head(c(
    intersect(names(other), known), similar_name(name, known)
  ), 1L)
}

#' The known name that is most similar to `name`, if any is similar enough
#'
#' A name that differs in case only comes first, then one that begins with
#' `name`, then one with few letters changed.
#' @noRd
similar_name <- function(name, known) {
  if (length(known) == 0L) {
    return(NULL)
  }
  name <- tolower(valid_text(name))
  letters <- tolower(valid_text(known))
  distance <- drop(utils::adist(strtrim(name, 60L), strtrim(letters, 60L)))
  if (nchar(name) >= 3L) distance[startsWith(letters, name)] <- 0.5
  distance[letters == name] <- 0
  if (min(distance) <= findInterval(nchar(name), c(2, 5, 9))) {
    known[[which.min(distance)]]
  }
}

#' Refuse an argument that the chosen method does not use
#'
#' @param given Names of the arguments in the call.
#' @param used_by Named list: argument -> the methods that use it.
#' @noRd
check_used_by <- function(given, used_by, method) {
  for (arg in intersect(names(used_by), given)) {
    if (!method %in% used_by[[arg]]) {
      abort_input(
        "{.arg {arg}} is not used by method {.val {method}}, only by
         {.val {used_by[[arg]]}}.", arg
      )
    }
  }
}

abort_missing <- function(arg) {
  abort_input("{.arg {arg}} is missing; it has no default.", arg)
}

# Returns the value of an argument. If a call leaves it empty, as f(x, y = ) and
# do.call(f, list(x, y = quote(expr = ))) do, the error names it.
force_given <- function(value, arg) {
  value <- tryCatch(value, error = function(e) {
    if (grepl("is missing, with no default", conditionMessage(e))) {
      abort_missing(arg)
    }
    stop(e)
  })
  if (missing(value)) abort_missing(arg)
  value
}
