# Layer: fit. Users give functions: this file says what they must be, how they
# are called, and what is said if they fail.
# SPDX-License-Identifier: GPL-3.0-or-later

check_selector <- function(selector) {
  selector <- force_given(selector, "selector")
  if (!is.function(selector)) {
    name <- if (inherits(selector, "hitmiss")) method_name(selector)
    abort_input(c(
      "{.arg selector} must be a function of (x, y), not {describe(selector)}.",
      i = if (is.null(name)) {
        "Give the function itself, such as {.code relief}."
      } else {
        "It is called on other samples or features. Give the function instead of
         the fit: {.code {name}} or {.code function(x, y) {name}(x, y)}."
      }
    ), "selector")
  }
  takes <- names(formals(args(selector)))
  if (length(takes) < 2L && !"..." %in% takes) {
    abort_input(
      "{.arg selector} must take two arguments, the samples and their labels.",
      "selector"
    )
  }
}

# With pairs, evaluations give selectors differences, but the preparation of a
# selector that tuned() made is learned from values as they are.
check_unprepared <- function(selectors, pair) {
  of_selectors <- lapply(selectors, \(s) attr(s, "tuning")$prepare)
  given <- !vapply(of_selectors, is.null, NA)
  if (!is.null(pair) && any(given)) {
    abort_input(c(
      "{.arg pair} and a selector with {.arg prepare} cannot be given together:
       values are differences from their pair before the selector has them.",
      i = "Give {.arg prepare} to {.fn error_curve}, or take logarithms or fill
           in values of {.arg x} first."
    ), "pair")
  }
}

#' Call a selector with what it takes of `size`, `block`, `group` and `pair`
#'
#' @param design Of the rows of `x`.
#' @noRd
call_selector <- function(selector, x, y, size = NA, design = NULL) {
  given <- taken_design(selector, design$given)
  block <- given$block
  group <- given$group
  pair <- given$pair
  passed <- names(given)
  if (!is.na(size)) passed <- c("size", passed)
  # The arguments enter the call as symbols, not as values: a fit keeps its
  # call, and values would put the data into it.
  arguments <- stats::setNames(lapply(passed, as.name), passed)
  eval(as.call(c(quote(selector), quote(x), quote(y), arguments)))
}

# Returns what a selector takes of a design. One without an argument for pairs,
# whose values are differences already, gets them as groups.
taken_design <- function(selector, given) {
  given <- Filter(Negate(is.null), as.list(given))
  if (!takes_argument(selector, "pair")) {
    names(given)[names(given) == "pair"] <- "group"
  }
  given[vapply(names(given), takes_argument, NA, selector = selector)]
}

#' Call a function of the user where nothing can be had without it
#'
#' An error that is not one of this package gets a class and the argument's
#' name.
#' @param code The call.
#' @noRd
call_user <- function(code, arg = "selector") {
  catch_error(memory_errors(code), function(e) {
    if (inherits(e, "hitmiss_error")) stop(e)
    abort(
      "the function given as {.arg {arg}} failed: {conditionMessage(e)}",
      c("hitmiss_error_failed", "hitmiss_error_input"),
      arg = arg, parent = e
    )
  })
}

#' Call functions of the user where one failure among many is allowed
#'
#' @param failed A function of the error, whose value takes the result's place.
#' @param stopped What is done with an error that must end the evaluation: a
#'   mistake in the function, which it would make in every split, or the end of
#'   memory.
#' @noRd
try_user <- function(code, failed, stopped = stop) {
  catch_error(memory_errors(code), function(e) {
    mistakes <- c(user_mistakes, "hitmiss_error_scores")
    if (inherits(e, mistakes) || is_out_of_memory(e)) stopped(e) else failed(e)
  })
}

# A generic takes what its default method takes. `...` does not count, because
# it may refuse the argument.
takes_argument <- function(selector, arg) {
  arg %in% names(formals(args(default_method(selector))))
}

# Does a selector do something with what its `...` gets?
uses_dots <- function(selector) {
  method <- default_method(selector)
  used <- all.names(body(method))
  is.null(method) || "..." %in% names(formals(args(method))) &&
    any(startsWith(used, "..")) && !"check_no_dots" %in% used
}

# Returns the default method of a generic, NULL if it has none, and any other
# function itself.
default_method <- function(selector) {
  generic <- utils::isS3stdGeneric(selector)
  if (!generic) {
    return(selector)
  }
  utils::getS3method(names(generic), "default",
    optional = TRUE, envir = environment(selector)
  )
}

check_block_used <- function(design, selectors) {
  takes <- vapply(selectors, takes_argument, NA, "block")
  if ("block" %in% names(design) && !any(takes)) {
    abort_input(c(
      "{.arg block} is given, but no selector has an argument of that name.",
      i = "Give the function itself, such as {.fn relief}, or
           {.code function(x, y, block) relief(x, y, block = block)}."
    ), "block")
  }
}

#' What is told of fits that failed: an error if all did, else a warning
#'
#' @param messages Those of the errors.
#' @param n Number of fits. @param text Of the warning, a cli template.
#' @noRd
tell_failures <- function(messages, n, text, arg, elsewhere = FALSE) {
  if (length(messages) == 0L) {
    return(invisible())
  }
  envir <- list2env(list(messages = messages, n = n), parent = parent.frame())
  details <- c(
    x = "The first error: {messages[[1L]]}",
    handing_over(messages[[1L]], elsewhere)
  )
  if (length(messages) < n) {
    warn(c(text, details), "hitmiss_warning_failed", envir = envir)
  } else {
    abort(
      c("all {n} fit{?s} failed.", details),
      c("hitmiss_error_failed", "hitmiss_error_input"),
      arg = arg, envir = envir
    )
  }
}

# Returns advice on how to pass an object, if an error on another process is
# about a name that is not found there.
handing_over <- function(message, elsewhere) {
  unknown <- grepl("object '.*' not found|could not find function", message)
  if (!elsewhere || !unknown) {
    return(NULL)
  }
  c(i = "The other processes of {.arg BPPARAM} have hitmiss, and none of the
         objects of this session: create the function within another one that
         takes them as arguments and calls {.fn force} on them, and name the
         packages of others' functions.")
}

#' A mistake in a function of the user stops the evaluation, unlike a fit that
#' fails
#'
#' @param arg The argument that the function was given as.
#' @noRd
abort_user <- function(message, arg, class = user_mistakes[[arg]],
                       envir = parent.frame()) {
  abort(message, c(class, "hitmiss_error_input"), arg = arg, envir = envir)
}

user_mistakes <- c(
  selectors = "hitmiss_error_selector", prepare = "hitmiss_error_prepare",
  classifier = "hitmiss_error_classifier", metric = "hitmiss_error_metric"
)

# If predictions carry the samples' names, these must be in the samples' order.
check_prediction_names <- function(names, samples) {
  wrong <- which(names %in% samples & names != samples)
  if (length(names) == length(samples) && length(wrong) > 0L) {
    abort_user(
      "{.arg classifier} returned its predictions in another order than the
       test samples: number {wrong[[1L]]} is named
       {.val {names[[wrong[[1L]]]]}}, but that sample is
       {.val {samples[[wrong[[1L]]]]}}.", "classifier"
    )
  }
}
