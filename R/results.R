# Layer: evaluate. Results of evaluations: a table with what else is known of
# it. A part or an edit of the table is a plain data.frame, so nothing beside it
# can contradict it.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Results of evaluations
#'
#' The results of [best_size()], [compare_selectors()], [stability()],
#' [probe_fdr()], [interactions()], [audit_labels()], [local_signatures()] and
#' [bayes_error()] are data frames. `$` also finds the figures that the
#' function's page lists with a `$`, such as `$auc`, before columns of the same
#' name; `$table` is the table alone. What is taken from a result by `[`, or
#' changed in it, is a plain data.frame without these figures.
#'
#' @param x,object A result.
#' @param n,selector,size,label Of pictures of some kinds, see the page
#'   of the function.
#' @param name,i,value A column, rows, and what is put there.
#' @param row.names,optional Ignored.
#' @param ... Must be empty. Of `plot()`: arguments of `autoplot()`.
#' @return `as.data.frame()`: the table, a plain data.frame. `tidy()`: the same,
#'   a tibble where package tibble is installed. `glance()`: a data.frame of one
#'   row. `print()`: the result, invisibly. `autoplot()`: a ggplot object.
#'   `plot()`: draws it, and returns it invisibly (not for [best_size()],
#'   [bayes_error()], [audit_labels()] and [local_signatures()]).
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
#' @noRd
new_result <- function(subclass, table, lines, glance, ..., call = NULL,
                       notes = NULL, what = "rows",
                       columns = names(table), rows = NULL) {
  structure(table,
    info = list(...,
      call = short_call(call), lines = lines, notes = notes, glance = glance,
      what = what, columns = columns, rows = rows
    ),
    class = c(paste0("hitmiss_", subclass), "hitmiss_result", "data.frame")
  )
}

plain_table <- function(x) {
  attr(x, "info") <- NULL
  class(x) <- "data.frame"
  x
}

#' @rdname hitmiss-results
#' @export
print.hitmiss_result <- function(x, ...) {
  check_no_dots(...)
  info <- attr(x, "info")
  print_lines(info$lines)
  table <- plain_table(x)[info$columns]
  if (length(table) > 0L && nrow(table) > 0L) {
    cat("\n")
    if (is.null(info$rows)) {
      print_first(table, info$what)
    } else {
      print(rounded_table(table[info$rows, ]), row.names = FALSE)
    }
  }
  if (!is.null(info$notes)) print_lines(info$notes)
  invisible(x)
}

#' @rdname hitmiss-results
#' @export
as.data.frame.hitmiss_result <- function(x, row.names = NULL, optional = FALSE,
                                         ...) {
  check_no_dots(...)
  plain_table(x)
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
  data.frame(attr(x, "info")$glance)
}

#' @rdname hitmiss-results
#' @export
`$.hitmiss_result` <- function(x, name) {
  if (name == "table") {
    return(plain_table(x))
  }
  attr(x, "info")[[name]] %||% plain_table(x)[[name]]
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
