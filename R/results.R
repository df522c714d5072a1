# Layer: evaluate. The result of an evaluation is a table with what else is
# known of it. A part or an edit of the table is a plain data.frame, so that
# nothing beside it can contradict it.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Results of evaluations
#'
#' The results of [best_size()], [compare_selectors()], [stability()],
#' [probe_fdr()], [selector_power()], [interactions()], [audit_labels()] and
#' [bayes_error()] are data frames. `$` also finds the figures that the
#' function's page lists with a `$`, such as `$auc`, before columns of the same
#' name; `$table` is the table alone. What is taken from a result by `[` or by
#' the verbs of dplyr and tidyr, or changed in it, is a plain data.frame without
#' these figures.
#'
#' @param x,object A result.
#' @param n Of `print()`: how many rows are printed, the first of each table;
#'   `NULL`: ten, of [validate()] and [selector_power()] all, of [probe_fdr()]
#'   those of some lengths of the list. Of some pictures, as `selector`, `size`
#'   and `label`: see the page of the function.
#' @param selector,size,label Of some pictures, see there.
#' @param name,i,value A column, rows, and what is put there.
#' @param row.names,optional Ignored.
#' @param stringsAsFactors Turn texts of the table into factors?
#' @param ... Must be empty. Of `plot()`: arguments of `autoplot()`.
#' @return `as.data.frame()`: the table, a plain data.frame. `tidy()`: the same,
#'   a tibble where package tibble is installed. `glance()`: a data.frame of one
#'   row. `print()`: the result, invisibly. `autoplot()`: a ggplot object.
#'   `plot()`: draws it, and returns it invisibly (not for [best_size()],
#'   [bayes_error()] and [audit_labels()]).
#' @examples
#' toy <- simulate_localized(noise = 50)
#' fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
#' found <- audit_labels(fit, threads = 1)
#' found
#' found$k
#' glance(found)
#' found[found$neighbours > 0.5, ]
#' @name hitmiss-results
NULL

#' @param subclass Name of the class, without `hitmiss_`.
#' @param table A data.frame.
#' @param lines,notes What print() says above and below the table.
#' @param glance List: the row of glance().
#' @param ... Other figures, which `$` finds before columns.
#' @param what What the rows are.
#' @param columns,rows What print() shows of the table.
#' @param shown NULL, or the data.frames that print() shows in its place.
#' @noRd
new_result <- function(subclass, table, lines, glance, ..., call = NULL,
                       notes = NULL, what = "rows",
                       columns = names(table), rows = NULL, shown = NULL) {
  structure(table,
    info = list(...,
      call = short_call(call), lines = lines, notes = notes, glance = glance,
      what = what, columns = columns, rows = rows, shown = shown,
      version = package_version_text(),
      # The copy is made because data.table changes columns in place.
      made = unserialize(serialize(table, NULL))
    ),
    class = c(paste0("hitmiss_", subclass), "hitmiss_result", "data.frame")
  )
}

# Returns the figures beside the table, or NULL if the table is no longer the
# one that was made: tibble::add_row() and other functions without a method of
# ours keep the class and the attributes of what they change.
info_of <- function(x, arg = "x") {
  info <- attr(x, "info")
  check_version(info$version, arg, "a result", "make it again")
  if (identical(plain_table(x), info$made)) info
}

#' An error if the figures beside a table are not those of its rows
#' @noRd
check_result <- function(x, arg = "x") {
  if (is.null(info_of(x, arg))) {
    abort_input(c(
      "the table {.arg {arg}} has been changed since it was made: what was known
       of it need no longer be true.",
      i = "Use the result as it was returned, or {.fn as.data.frame}."
    ), arg)
  }
  invisible(x)
}

plain_table <- function(x) {
  attr(x, "info") <- NULL
  class(x) <- "data.frame"
  x
}

#' @rdname hitmiss-results
#' @export
print.hitmiss_result <- function(x, n = NULL, ...) {
  check_no_dots(...)
  if (!is.null(n)) n <- check_top(n)
  info <- info_of(x)
  if (is.null(info)) {
    print_first(plain_table(x), n %||% 10L, "rows")
    return(invisible(x))
  }
  print_lines(info$lines)
  table <- plain_table(x)[info$columns]
  if (is.null(n) && !is.null(info$rows)) table <- table[info$rows, ]
  for (part in info$shown %||% list(table)) {
    if (length(part) > 0L && nrow(part) > 0L) {
      cat("\n")
      most <- if (is.null(info$shown)) 10L else Inf
      print_first(part, n %||% most, info$what)
    }
  }
  if (!is.null(info$notes)) print_lines(info$notes)
  invisible(x)
}

#' @rdname hitmiss-results
#' @export
as.data.frame.hitmiss_result <- function(x, row.names = NULL, optional = FALSE,
                                         ..., stringsAsFactors = FALSE) {
  check_no_dots(...)
  with_factors(plain_table(x), stringsAsFactors)
}

#' @rdname hitmiss-results
#' @export
tidy.hitmiss_result <- function(x, ...) {
  tidy_table(as.data.frame(x, ...))
}

#' @rdname hitmiss-results
#' @export
glance.hitmiss_result <- function(x, ...) {
  check_no_dots(...)
  check_result(x)
  data.frame(attr(x, "info")$glance)
}

#' @rdname hitmiss-results
#' @export
`$.hitmiss_result` <- function(x, name) {
  if (name == "table") {
    return(plain_table(x))
  }
  info_of(x)[[name]] %||% plain_table(x)[[name]]
}

#' @rdname hitmiss-results
#' @export
`[.hitmiss_result` <- function(x, ...) plain_table(x)[...]

#' @rdname hitmiss-results
#' @export
`$<-.hitmiss_result` <- function(x, name, value) {
  `[[<-`(plain_table(x), name, value = value)
}

#' @rdname hitmiss-results
#' @export
`[[<-.hitmiss_result` <- function(x, i, ..., value) {
  `[[<-`(plain_table(x), i, ..., value = value)
}

#' @rdname hitmiss-results
#' @export
`[<-.hitmiss_result` <- function(x, i, ..., value) {
  `[<-`(plain_table(x), i, ..., value = value)
}

#' @rdname hitmiss-results
#' @export
`names<-.hitmiss_result` <- function(x, value) {
  `names<-`(plain_table(x), value)
}

#' @rdname hitmiss-results
#' @export
rbind.hitmiss_result <- function(...) {
  do.call(rbind, lapply(list(...), function(x) {
    if (is.list(x) && !is.data.frame(x)) {
      abort_input("Only tables can be bound, not {describe(x)}.", "...")
    }
    if (inherits(x, "hitmiss_result")) plain_table(x) else x
  }))
}

# dplyr, tidyr and vctrs call these methods for the results of their verbs.

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.hitmiss_result <- function(data, template) plain_table(data)

#' @exportS3Method vctrs::vec_restore
vec_restore.hitmiss_result <- function(x, to, ...) plain_table(x)

#' @exportS3Method tibble::as_tibble
as_tibble.hitmiss_result <- function(x, ...) {
  tibble::as_tibble(plain_table(x), ...)
}
