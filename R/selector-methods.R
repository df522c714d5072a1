# What every fit understands, whatever its method.

#' Methods for fits
#'
#' Every selector of this package returns a fit that these functions
#' understand. A fit is plain R data: it can be saved with [saveRDS()], read in
#' another session and used there.
#'
#' @param x,object A fit of [llfs()], [logo()], [relief()], [kbfs()] or
#'   [pwfp()].
#' @param n Number of features, counted from the best; `NULL` for all.
#' @param class For [llfs()]: the name of a class, to see the features that
#'   representatives of this class use.
#' @param row.names,optional Ignored.
#' @param ... Must be empty.
#' @return
#' * `print()` and `summary()`: the fit, or an object that prints more of it.
#' * `coef()`: the scores, a named numeric vector in the order of the columns.
#' * `selected()`: names of the selected features, best first; possibly
#'   `character(0)`.
#' * `as.data.frame()`, `tidy()`: a data.frame with a row per feature, best
#'   first: `rank`, `feature`, annotation columns, `score`, `selected`, and for
#'   [llfs()] the share of each class's representatives that use the feature.
#' * `top_features()`: its first `n` rows.
#' * `glance()`: a data.frame with one row: method, sizes, status, seconds;
#'   `residual` is how far the solver was from its tolerance, and for [llfs()]
#'   the share of its problems that a limit of steps ended (0 in a normal fit).
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- relief(toy$x, toy$y, threads = 1)
#' fit
#' selected(fit, n = 3)
#' top_features(fit, 3)
#' glance(fit)
#' @name hitmiss-methods
NULL

#' @rdname hitmiss-methods
#' @export
selected <- function(x, ...) UseMethod("selected")

#' @export
selected.default <- function(x, ...) abort_no_fit("selected", x)

#' @rdname hitmiss-methods
#' @export
selected.hitmiss <- function(x, n = NULL, class = NULL, ...) {
  check_no_dots(...)
  check_fit(x)
  if (!is.null(class)) {
    abort_input(
      "{.arg class} is understood for fits of {.fn llfs} only: the other
       methods select the same features for all classes.", "class"
    )
  }
  first(x$selected, n)
}

#' @rdname hitmiss-methods
#' @export
top_features <- function(x, ...) UseMethod("top_features")

#' @export
top_features.default <- function(x, ...) abort_no_fit("top_features", x)

#' @rdname hitmiss-methods
#' @export
top_features.hitmiss <- function(x, n = 10, ...) {
  check_no_dots(...)
  feature_table(check_fit(x), check_count(n, "n"))
}

#' @rdname hitmiss-methods
#' @export
coef.hitmiss <- function(object, ...) {
  check_no_dots(...)
  check_fit(object, "object")$scores
}

#' @rdname hitmiss-methods
#' @export
as.data.frame.hitmiss <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  feature_table(check_fit(x), x$n_features)
}

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @rdname hitmiss-methods
#' @export
tidy.hitmiss <- function(x, ...) {
  check_no_dots(...)
  as.data.frame(x)
}

#' @rdname hitmiss-methods
#' @export
glance.hitmiss <- function(x, ...) {
  check_no_dots(...)
  check_fit(x)
  data.frame(
    method = method_name(x), n_samples = x$n_samples,
    n_features = x$n_features, n_classes = length(x$classes),
    n_selected = length(x$selected), status = x$report$status,
    iterations = x$report$iterations, residual = x$report$residual,
    seconds = x$report$seconds, threads = x$report$threads
  )
}

#' @rdname hitmiss-methods
#' @export
print.hitmiss <- function(x, ...) {
  check_no_dots(...)
  check_fit(x)
  cat(title_line(x), "\n", sep = "")
  cat(body_lines(x), sep = "\n")
  cat("\n")
  top <- feature_table(x, min(10L, x$n_features))
  print(shown(top), row.names = FALSE)
  if (x$n_features > nrow(top)) {
    cat("... and ", x$n_features - nrow(top), " more features\n", sep = "")
  }
  invisible(x)
}

#' @rdname hitmiss-methods
#' @export
summary.hitmiss <- function(object, ...) {
  check_no_dots(...)
  structure(list(fit = check_fit(object, "object")), class = "summary_hitmiss")
}

#' @export
print.summary_hitmiss <- function(x, ...) {
  check_no_dots(...)
  fit <- check_fit(x$fit)
  print(fit)
  cat("\n")
  constant <- names(fit$scores)[fit$preprocess$constant]
  cat(c(
    parameter_line(fit), solver_line(fit),
    paste0(
      "Constant features (never selected): ",
      if (length(constant) == 0L) "none" else listed(constant)
    ),
    sprintf(
      "Took %.2f s on %d thread%s; hitmiss %s.", fit$report$seconds,
      fit$report$threads, if (fit$report$threads == 1L) "" else "s", fit$version
    )
  ), sep = "\n")
  invisible(x)
}

# ---- shared pieces ----------------------------------------------------------

#' The first `n` rows of the table of features, best first
#'
#' Methods add columns through `extra_columns()`.
#' @noRd
feature_table <- function(x, n) {
  rows <- x$ranking[seq_len(min(n, length(x$ranking)))]
  name <- names(x$scores)[rows]
  table <- data.frame(rank = seq_along(rows), feature = name)
  if (!is.null(x$annotation)) {
    table <- cbind(table, x$annotation[rows, , drop = FALSE])
  }
  table$score <- unname(x$scores[rows])
  table$selected <- name %in% x$selected
  table <- cbind(table, extra_columns(x, rows))
  rownames(table) <- NULL
  table
}

#' Columns of the feature table that a method adds, for the given positions
#' @noRd
extra_columns <- function(x, rows) UseMethod("extra_columns")

#' @exportS3Method
extra_columns.default <- function(x, rows) {
  data.frame(row.names = seq_along(rows))
}

#' Lines of a method's own between the title and the table of print()
#' @noRd
body_lines <- function(x) UseMethod("body_lines")

#' @exportS3Method
body_lines.default <- function(x) {
  sprintf(
    "%d of %d features selected", length(x$selected), x$n_features
  )
}

title_line <- function(x) {
  sprintf(
    "%s: %d samples x %d features, %d classes (%s)",
    toupper(method_name(x)), x$n_samples, x$n_features, length(x$classes),
    listed(x$classes, 6L)
  )
}

parameter_line <- function(x) {
  value <- vapply(x$parameters, function(p) {
    if (is.list(p)) {
      parameter_text(p)
    } else if (length(p) > 6L) {
      paste0(format(p[[1L]]), ", ..., ", format(p[[length(p)]]))
    } else {
      paste(format(p, trim = TRUE, digits = 4L), collapse = ", ")
    }
  }, "")
  paste0("Parameters: ", paste0(names(value), " = ", value, collapse = "; "))
}

parameter_text <- function(p) {
  paste0("(", paste0(names(p), " = ", vapply(p, format, ""),
    collapse = ", "
  ), ")")
}

solver_line <- function(x) {
  r <- x$report
  figure <- function(name) {
    if (!is.na(r[[name]])) paste0(name, " ", format(r[[name]], digits = 3L))
  }
  paste0("Solver: ", paste(c(
    r$status,
    if (!is.na(r$iterations)) paste(r$iterations, "iterations"),
    figure("residual"), figure("kkt"), figure("gap")
  ), collapse = ", "))
}

# Numbers rounded for the eye; the object keeps them whole.
shown <- function(table) {
  number <- vapply(table, is.double, NA)
  table[number] <- lapply(table[number], signif, 4L)
  table
}

listed <- function(names, most = 10L) {
  shown <- paste(utils::head(names, most), collapse = ", ")
  if (length(names) > most) {
    paste0(shown, ", ... (", length(names), ")")
  } else {
    shown
  }
}

first <- function(names, n) {
  if (is.null(n)) names else utils::head(names, check_count(n, "n"))
}

method_name <- function(x) sub("^hitmiss_", "", class(x)[[1L]])

abort_no_fit <- function(generic, x) {
  if (missing(x)) abort_missing("x")
  abort_input(
    "{.fn {generic}} takes a fit of this package, not {describe(x)}.", "x"
  )
}
