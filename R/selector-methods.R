# Layer: use. What every fit understands, whatever its method.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Methods for fits
#'
#' These functions work on the fits of all selectors of this package. A fit is
#' plain R data: it can be saved with [saveRDS()], read in another session and
#' used there.
#'
#' @param x,object A fit of [llfs()], [logo()], [relief()], [kbfs()] or
#'   [pwfp()].
#' @param n Number of features, counted from the best; `NULL` for all that the
#'   method selected. Rankings select no features of their own: `selected()`
#'   then needs `n`.
#' @param class For [llfs()]: the name of a class, to see the features that
#'   representatives of this class use.
#' @param row.names,optional Ignored.
#' @param ... For `update()`: arguments of the selector to be changed. Else
#'   empty.
#' @return
#' * `print()`: the fit, invisibly; `summary()`: an object that prints more.
#' * `coef()`: the scores, a named numeric vector in the order of the columns.
#' * `selected()`: names of the selected features, best first; possibly
#'   `character(0)`. For a ranking, the names of the best `n` features that are
#'   not constant.
#' * `as.data.frame()`, `tidy()`: a data.frame with a row per feature, best
#'   first: `rank`, `feature`, annotation columns, `score`, `selected` (`NA` for
#'   a ranking), the direction (see below), and for [llfs()] the share of each
#'   class's representatives that use the feature.
#' * `top_features()`: its first `n` rows.
#' * `glance()`: a data.frame with one row: method, sizes, status, seconds;
#'   `residual` is the change in the last iteration, and for [llfs()] the share
#'   of its problems that ended at an iteration limit (0 in a normal fit);
#'   `n_selected` is `NA` for a ranking.
#' * `formula()`: the formula of a fit that was made with one.
#' * `update()`: the result of calling the selector again with other arguments,
#'   evaluated where `update()` is called.
#'
#' `print()` and `summary()` show numbers to four digits and no class means; the
#' tables have all digits and the class means.
#' @section Rankings:
#' [pwfp()] and [relief()] (except with `method = "irelief"`) order the features
#' and select none: a score above 0 does not show that a feature is relevant,
#' because about half of all noise features have one. To choose how many of the
#' best features to use, see [error_curve()] with [best_size()], and
#' [probe_fdr()].
#' @section Direction:
#' A score shows that a feature differs between the classes, but not in which
#' direction. The tables therefore have more columns, on the original scale of
#' the data and over the labelled training samples: `highest`, the class in
#' which the mean of the feature is highest (`NA` where means tie, as for a
#' constant feature); `mean_` followed by the name of a class, its mean there;
#' and for two classes `difference`, the mean of the second class minus that of
#' the first, in the order of `levels(y)`. For values that are logarithms this
#' is the log fold change. A feature that acts only in interaction with others
#' may have equal means. Fits stored by hitmiss 0.1.0 lack these columns.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- logo(toy$x, toy$y, threads = 1)
#' fit
#' selected(fit)
#' top_features(fit, 3)
#' glance(fit)
#' update(fit, lambda = 2)$parameters$lambda
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
    return(first(features_of_class(x, class), n))
  }
  if (!is_ranker(x)) {
    return(first(x$selected, n))
  }
  if (is.null(n)) {
    abort_input(c(
      "{.arg n} is missing: this fit ({method_label(x)}) ranks all features and
       does not choose how many to select.",
      i = "Say how many, as in {.code selected(fit, n = 20)}. {.fn best_size} of
           an {.fn error_curve} finds a number, and {.fn probe_fdr} estimates
           how many of them are false."
    ), "n")
  }
  first(ranked_features(x), n)
}

# Those that representatives of a class use, most used first.
features_of_class <- function(x, class) {
  if (!inherits(x, "hitmiss_llfs")) {
    abort_input(
      "{.arg class} is available for fits of {.fn llfs} only: the other methods
       select the same features for all classes.", "class"
    )
  }
  share <- class_shares(x)[, check_choice(class, x$classes, "class")]
  best <- order(-share, seq_along(share))
  names(x$scores)[best[share[best] > 0]]
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

#' @return What the methods of [hitmiss-methods] return.
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
    n_selected = if (is_ranker(x)) NA_integer_ else length(x$selected),
    status = x$report$status,
    iterations = x$report$iterations, residual = x$report$residual,
    seconds = x$report$seconds, threads = x$report$threads
  )
}

#' @rdname hitmiss-methods
#' @export
print.hitmiss <- function(x, ...) {
  check_no_dots(...)
  check_fit(x)
  say(c(title_lines(x), body_lines(x)))
  cat("\n")
  top <- feature_table(x, min(10L, x$n_features), means = FALSE)
  if (is_ranker(x)) top$selected <- NULL
  print(shown(top), row.names = FALSE)
  if (x$n_features > nrow(top)) {
    cat("... and ", x$n_features - nrow(top), " more features\n", sep = "")
  }
  say(direction_line(x))
  invisible(x)
}

#' @rdname hitmiss-methods
#' @export
summary.hitmiss <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(fit = check_fit(object, "object")), class = "summary_hitmiss"
  )
}

#' @export
print.summary_hitmiss <- function(x, ...) {
  check_no_dots(...)
  fit <- check_fit(x$fit, "x$fit")
  print(fit)
  cat("\n")
  constant <- names(fit$scores)[fit$preprocess$constant]
  say(c(
    parameter_line(fit), solver_line(fit),
    paste0(
      "Constant features (never selected): ",
      if (length(constant) == 0L) "none" else listed(constant)
    ),
    sprintf(
      "Took %.2f s on %d thread%s; hitmiss %s.", fit$report$seconds,
      fit$report$threads, if (fit$report$threads == 1L) "" else "s", fit$version
    )
  ))
  invisible(x)
}

# ---- formula() and update(): what was called, and calling it again ------------

#' @param formula. For `update()` of a fit with a formula: the new formula, in
#'   which `.` stands for the old part, as in [stats::update.formula()].
#' @param evaluate For `update()`: fit again, or return the call?
#' @rdname hitmiss-methods
#' @export
update.hitmiss <- function(object, formula., ..., evaluate = TRUE) {
  call <- check_fit(object, "object")$call
  evaluate <- check_flag(evaluate)
  if (!missing(formula.)) {
    call$formula <- changed_formula(fit_formula(object, "object"), formula.)
  }
  changes <- match.call(expand.dots = FALSE)$...
  if (length(changes) > sum(names(changes) != "")) {
    abort_input(
      "{.fn update} takes arguments of the selector by name only.",
      "(unnamed)"
    )
  }
  for (name in names(changes)) call[[name]] <- changes[[name]]
  if (!is.call(call) || any(grepl("^[.][.]([.]|[0-9]+)$", all.names(call)))) {
    abort_input(c(
      "{.arg object} does not say with which arguments it was fitted: some were
       passed by value.",
      i = "Give them again, as in {.code update(fit, x = x, y = y)}, or call the
           selector itself."
    ), "object")
  }
  if (evaluate) eval(call, parent.frame()) else call
}

#' @rdname hitmiss-methods
#' @export
formula.hitmiss <- function(x, ...) {
  check_no_dots(...)
  stats::as.formula(fit_formula(check_fit(x), "x"), env = parent.frame())
}

#' The formula of a fit, as a call
#' @noRd
fit_formula <- function(fit, arg) {
  formula <- fit$call$formula
  if (!is_operation(formula, "~")) {
    abort_input(
      "{.arg {arg}} is a fit that was made without a formula: its {.field call}
       has none.", arg
    )
  }
  formula
}

# Not by update.formula(), which asks for data where the old formula has a `.`.
changed_formula <- function(old, new) {
  if (!inherits(new, "formula")) {
    abort_input(
      "{.arg formula.} must be a formula such as {.code . ~ . - gene1}, not
       {describe(new)}.", "formula."
    )
  }
  new <- plain_part(new)
  right <- new[[length(new)]]
  before <- old[[3L]]
  if (is.call(before)) before <- call("(", before)
  old[[3L]] <- do.call(substitute, list(right, list(. = before)))
  if (length(new) == 3L && !identical(new[[2L]], quote(.))) {
    old[[2L]] <- new[[2L]]
  }
  old
}

# ---- shared pieces ----------------------------------------------------------

#' First `n` rows of the table of features, best first
#'
#' Methods add columns through `extra_columns()`.
#' @param means Include the means by class?
#' @noRd
feature_table <- function(x, n, means = TRUE) {
  rows <- x$ranking[seq_len(min(n, length(x$ranking)))]
  name <- names(x$scores)[rows]
  table <- data.frame(
    rank = seq_along(rows), feature = name, score = unname(x$scores[rows]),
    selected = if (is_ranker(x)) NA else name %in% x$selected
  )
  table <- cbind(table, direction_columns(x, rows, means))
  join_annotation(
    join_columns(table, extra_columns(x, rows)),
    x$annotation[rows, , drop = FALSE]
  )
}

#' A table with more columns, whose names give way to its own
#' @noRd
join_columns <- function(table, more) {
  if (length(more) == 0L) {
    return(table)
  }
  own <- names(table)
  # Not by cbind(), which would change names that are not syntactic.
  table[length(own) + seq_along(more)] <- unclass(more)
  names(table) <- make.unique(c(own, names(more)))
  table
}

#' The same with the annotation of the rows, behind the column `feature`
#' @param annotation A data.frame, or NULL.
#' @noRd
join_annotation <- function(table, annotation) {
  n <- length(table)
  table <- join_columns(table, annotation)
  first <- seq_len(match("feature", names(table)))
  table[c(first, n + seq_along(annotation), seq_len(n)[-first])]
}

#' Class in which features are highest, and the difference, for given positions
#' @noRd
direction_columns <- function(x, rows, means) {
  if (is.null(x$class_means)) {
    return(data.frame(row.names = seq_along(rows)))
  }
  by_class <- x$class_means[rows, , drop = FALSE]
  dimnames(by_class) <- list(NULL, paste0("mean_", x$classes))
  table <- data.frame(highest = highest_class(by_class, x$classes))
  table$highest[x$preprocess$constant[rows]] <- NA
  if (length(x$classes) == 2L) {
    table$difference <- by_class[, 2L] - by_class[, 1L]
  }
  if (means) table <- cbind(table, by_class)
  table
}

# NA where the largest mean is another's as well, but for rounding.
highest_class <- function(means, classes) {
  at <- max.col(means, "first")
  largest <- means[cbind(seq_along(at), at)]
  noise <- 1e-12 * apply(abs(means), 1L, max)
  tied <- rowSums(means >= largest - noise) > 1L
  classes[ifelse(tied, NA_integer_, at)]
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
  if (is_ranker(x)) {
    return(sprintf(
      "ranking of %s features", thousands(x$n_features)
    ))
  }
  sprintf(
    "%d of %d features selected", length(x$selected), x$n_features
  )
}

#' @exportS3Method
body_lines.hitmiss_turf <- function(x) {
  sprintf(
    "ranking of %s features in %d rounds", thousands(x$n_features),
    max(x$last_round)
  )
}

#' @exportS3Method
extra_columns.hitmiss_turf <- function(x, rows) {
  data.frame(last_round = unname(x$last_round[rows]))
}

# What `difference` is, under the table.
direction_line <- function(x) {
  if (!is.null(x$class_means) && length(x$classes) == 2L) {
    sprintf(
      "difference: mean of %s minus mean of %s, on the scale of the data",
      x$classes[[2L]], x$classes[[1L]]
    )
  }
}

title_lines <- function(x) {
  outcome <- if (has_numeric_outcome(x)) {
    "numeric outcome"
  } else {
    sprintf("%d classes (%s)", length(x$classes), listed(x$classes, 6L))
  }
  c(method_label(x), sprintf(
    "%d samples x %d features, %s", x$n_samples, x$n_features, outcome
  ), if (is.character(x$assay)) paste("assay", x$assay),
  design_line(x$parameters), tuned_line(x))
}

# A line of print() for fits that were tuned.
tuned_line <- function(x) {
  if (is.null(x$tuned)) {
    return(NULL)
  }
  chosen <- x$tuned[x$tuned$chosen, ]
  own <- setdiff(names(chosen), c("error", "chosen"))
  sprintf(
    "chosen among %d by cross-validation: %s (error %.3f)", nrow(x$tuned),
    parameter_text(as.list(chosen[own])), chosen$error
  )
}

parameter_line <- function(x) {
  paste0("Parameters: ", parameter_text(x$parameters, "; "))
}

# Nothing for a method that computes its scores directly.
solver_line <- function(x) {
  r <- x$report
  if (all(is.na(unlist(r[c("iterations", "residual", "kkt", "gap")])))) {
    return(NULL)
  }
  figure <- function(name) {
    if (!is.na(r[[name]])) paste0(name, " ", format(r[[name]], digits = 3L))
  }
  paste0("Solver: ", paste(c(
    r$status,
    if (!is.na(r$iterations)) paste(r$iterations, "iterations"),
    figure("residual"), figure("kkt"), figure("gap")
  ), collapse = ", "))
}

abort_no_fit <- function(generic, x) {
  if (missing(x)) abort_missing("x")
  abort_input(
    "{.fn {generic}} takes a fit of this package, not {describe(x)}.", "x"
  )
}

# ---- of llfs() ---------------------------------------------------------------

#' Share of each class's representatives that use a feature
#' @noRd
class_shares <- function(x, rows = seq_len(x$n_features)) {
  sizes <- subset_sizes(x)
  vapply(x$classes, function(class) {
    mine <- representative_class(x) == class
    used <- tabulate(x$local$features[rep(mine, sizes)], x$n_features)[rows]
    used / max(1L, sum(sizes[mine] > 0L))
  }, numeric(length(rows))) |>
    matrix(nrow = length(rows), dimnames = list(NULL, x$classes))
}

#' @exportS3Method
extra_columns.hitmiss_llfs <- function(x, rows) {
  as.data.frame(class_shares(x, rows), optional = TRUE)
}

#' @exportS3Method
body_lines.hitmiss_llfs <- function(x) {
  sizes <- subset_sizes(x)
  sizes <- sizes[sizes > 0]
  c(
    drawn_line(x),
    sprintf(
      paste(
        "%d of %d features used by at least one representative;",
        "%s per representative (mean %.1f)"
      ),
      length(x$selected), x$n_features,
      if (min(sizes) == max(sizes)) {
        as.character(min(sizes))
      } else {
        sprintf("%d to %d", min(sizes), max(sizes))
      },
      mean(sizes)
    ),
    if (length(x$parameters$alpha) > 1L) {
      taken <- table(factor(x$local$alpha, x$parameters$alpha))
      paste0(
        "alpha taken by representatives: ",
        paste(names(taken), taken, sep = " x ", collapse = ", ")
      )
    },
    "score = share of representatives that use the feature, also by class:"
  )
}
