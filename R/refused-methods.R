# Verbs that a class of ours does not have: an error that names those it has.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Signal an error that lists the methods that the object does have
#'
#' @param x The object. @param generic Name of the generic.
#' @noRd
abort_no_method <- function(x, generic, arg = "x") {
  kind <- class(x)[[1L]]
  verbs <- sort(methods_of(kind))
  abort_input(c(
    "{.fn {generic}} is not available for an object of class {.cls {kind}}.",
    i = "Available are {.fn {verbs}}."
  ), arg)
}

# The generics that have a method for a class, and it is not one that refuses.
methods_of <- function(kind) {
  registered <- getNamespaceInfo(topenv(), "S3methods")
  own <- registered[registered[, 2L] == kind, 1L]
  refused <- vapply(own, function(generic) {
    name <- paste(sub("^.*::", "", generic), kind, sep = ".")
    "abort_no_method" %in% all.names(body(get(name, topenv())))
  }, NA)
  sub("^.*::", "", own[!refused])
}

#' Methods for results and plans without a plot
#'
#' For these objects, `plot()` and `autoplot()` fail with an error that lists
#' the methods that the objects have. `tidy()` and `glance()` give a resampling
#' plan as one row. For the result of [best_size()], `tidy()` gives its table
#' and `glance()` one row.
#'
#' @param x,object A result of [bayes_error()] or [best_size()], or a resampling
#'   plan such as [holdout()].
#' @param ... Not used.
#' @return `tidy()`, `glance()`: data frames. The others always fail.
#' @examples
#' glance(kfold(5))
#' try(plot(kfold(5)))
#' @name hitmiss-refused
NULL

#' @rdname hitmiss-refused
#' @export
plot.hitmiss_evaluation <- function(x, ...) abort_no_method(x, "plot")

#' @rdname hitmiss-refused
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_evaluation <- function(object, ...) {
  abort_no_method(object, "autoplot", "object")
}

#' @rdname hitmiss-refused
#' @export
plot.hitmiss_resampling <- function(x, ...) abort_no_method(x, "plot")

#' @rdname hitmiss-refused
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_resampling <- function(object, ...) {
  abort_no_method(object, "autoplot", "object")
}

#' @rdname hitmiss-refused
#' @export
tidy.hitmiss_resampling <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  as.data.frame(unclass(x))
}

#' @rdname hitmiss-refused
#' @export
glance.hitmiss_resampling <- function(x, ...) tidy(x, ...)

#' @rdname hitmiss-refused
#' @export
plot.hitmiss_size <- function(x, ...) abort_no_method(x, "plot")

#' @rdname hitmiss-refused
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_size <- function(object, ...) {
  abort_no_method(object, "autoplot", "object")
}

#' @rdname hitmiss-refused
#' @export
tidy.hitmiss_size <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  class(x) <- "data.frame"
  x
}

#' @rdname hitmiss-refused
#' @export
glance.hitmiss_size <- function(x, ...) {
  check_no_dots(...)
  check_whole(x, needs = c("selector", "rule", "size"))
  data.frame(
    selectors = nrow(x), rule = x$rule[[1L]],
    smallest = min(x$size), largest = max(x$size)
  )
}
