# What is done to the samples before features are selected: learned on every
# training part, and applied to both parts.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Prepare samples inside every training part
#'
#' Steps for the argument `prepare` of [error_curve()]: they fill in missing
#' values, or leave out features before the selector sees them. Each step is a
#' function of `(x, y)` that learns from training samples and returns a function
#' of `x`, which applies what was learned to any samples.
#'
#' @details
#' `prepare_impute()` fills a missing number by the median (or mean) of the
#' feature over the training samples, and a missing category (of a factor, text
#' or logical column of a data.frame) by the most frequent one, ties to the
#' first level. Features without any value in the training part are left out.
#' The labels are not used.
#'
#' `prepare_filter()` leaves out features whose variance over the training
#' samples is not above `variance`, or keeps only the `n` with the largest
#' variance (of ties, the first). Missing values do not count. Columns of a
#' data.frame that are not numeric are kept.
#'
#' **Without a curve.** `prepare_impute()(x, y)(x)` gives the samples with their
#' missing values filled in, for [stability()], [probe_fdr()] or a selector that
#' is called directly. New samples must go through the same function as the
#' training samples: `prep <- prepare_impute()(x, y)`, then
#' `relief(prep(x), y)` and `predict(fit, prep(new))`.
#'
#' **Steps of your own** have the same form. Put into a step whatever uses the
#' labels or moves samples towards each other. If it is applied to all samples
#' first, the training part gets information on the test samples (see the
#' examples).
#'
#' @param method `"median"` or `"mean"`.
#' @param variance Features are kept if their variance is above this number.
#' @param n `NULL`, or the largest number of features to keep.
#' @return A function of `(x, y)` of class `hitmiss_prepare` that returns a
#'   function of `x`. `x` is a numeric matrix or a data.frame, samples in rows;
#'   the filter takes sparse matrices too.
#' @seealso [error_curve()]
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 200)
#' x <- toy$x
#' x[sample(length(x), 300)] <- NA
#' curve <- error_curve(x, toy$y, list(relief = relief),
#'   sizes = c(5, 20), resampling = holdout(times = 4),
#'   prepare = list(prepare_impute(), prepare_filter(n = 100))
#' )
#' curve
#'
#' # Directly:
#' prep <- prepare_impute()(x, toy$y)
#' fit <- relief(prep(x), toy$y, threads = 1)
#'
#' # A step of your own: the means of the batches, learned on the training part
#' # by the names of the samples, are subtracted from both parts.
#' rownames(toy$x) <- paste0("s", 1:30)
#' batch <- setNames(rep(c("a", "b", "c"), 10), rownames(toy$x))
#' without_batch <- function(x, y) {
#'   from <- batch[rownames(x)]
#'   means <- rowsum(x, from) / as.vector(table(from))
#'   function(x) x - means[batch[rownames(x)], ]
#' }
#' error_curve(toy$x, toy$y, list(relief = relief), c(5, 20),
#'   resampling = holdout(times = 4),
#'   prepare = list("batch means" = without_batch)
#' )
#' @export
prepare_impute <- function(method = c("median", "mean")) {
  method <- check_choice(method)
  new_preparation(paste(method, "imputation"), function(x, y) {
    check_step_input(x, "prepare_impute", sparse = FALSE)
    values <- typical_values(x, method)
    function(x) fill_missing(x, values)
  })
}

#' @rdname prepare_impute
#' @export
prepare_filter <- function(variance = 0, n = NULL) {
  variance <- check_number(variance, min = 0)
  if (!is.null(n)) n <- check_count(n)
  words <- c(
    if (variance > 0 || is.null(n)) paste("variance above", format(variance)),
    if (!is.null(n)) sprintf("the %d features of largest variance", n)
  )
  new_preparation(paste(words, collapse = ", "), function(x, y) {
    check_step_input(x, "prepare_filter")
    kept <- colnames(x)[varying_columns(x, variance, n)]
    function(x) learned_columns(x, kept, "prepare_filter")
  })
}

new_preparation <- function(words, learn) {
  structure(learn, words = words, class = "hitmiss_prepare")
}

#' @export
print.hitmiss_prepare <- function(x, ...) {
  check_no_dots(...)
  if (!is.function(x) || !is_texts(attr(x, "words"), 1L)) {
    abort_input("{.arg x} is not a complete preparation step.", "x")
  }
  cat("Preparation step: ", attr(x, "words"), "\n", sep = "")
  invisible(x)
}

check_step_input <- function(x, step, sparse = TRUE) {
  fine <- is.data.frame(x) ||
    is.matrix(x) && (is.numeric(x) || is.logical(x)) ||
    sparse && inherits(x, "sparseMatrix")
  if (!fine) {
    abort_input(c(
      "{.fn {step}} prepares a numeric matrix or a data.frame with samples in
       rows, not {describe(x)}.",
      i = if (inherits(x, c("SummarizedExperiment", "ExpressionSet"))) {
        "Give its values with samples in rows, as in {.code t(assay(x))}."
      } else if (inherits(x, "Matrix")) {
        "Give {.code as.matrix(x)}."
      }
    ), "x")
  }
  if (is.null(colnames(x))) {
    abort_input("{.arg x} needs column names for {.fn {step}}.", "x")
  }
}

#' The value that replaces missing values of each feature; NA if all are missing
#' @noRd
typical_values <- function(x, method) {
  middle <- if (method == "median") stats::median else mean
  column <- if (is.data.frame(x)) \(j) x[[j]] else \(j) x[, j]
  values <- lapply(seq_len(ncol(x)), function(j) {
    known <- column(j)
    known <- known[!is.na(known)]
    if (length(known) == 0L) {
      NA
    } else if (is.numeric(known) || is.matrix(x)) {
      middle(as.double(known))
    } else {
      most_frequent(known)
    }
  })
  stats::setNames(values, colnames(x))
}

most_frequent <- function(known) {
  of <- if (is.factor(known)) {
    levels(known)
  } else {
    sort(unique(known), method = "radix")
  }
  of[[which.max(tabulate(match(known, of), length(of)))]]
}

#' @param values See typical_values().
#' @noRd
fill_missing <- function(x, values) {
  values <- values[!is.na(values)]
  x <- learned_columns(x, names(values), "prepare_impute")
  if (is.matrix(x)) {
    holes <- which(is.na(x))
    x[holes] <- unlist(values)[(holes - 1) %/% nrow(x) + 1]
    return(x)
  }
  for (name in names(values)) {
    at <- is.na(x[[name]])
    if (any(at)) x[[name]][at] <- values[[name]]
  }
  x
}

# The columns that a step learned of, in samples that may lack some.
learned_columns <- function(x, names, step) {
  absent <- setdiff(names, colnames(x))
  if (length(absent) > 0L) {
    abort_input(
      "{.arg x} lacks {length(absent)} feature{?s} that {.fn {step}} was trained
       on: {.val {absent}}.", "x"
    )
  }
  x[, names, drop = FALSE]
}

# Which columns a filter keeps, in order.
varying_columns <- function(x, variance, n) {
  if (is.data.frame(x)) {
    number <- vapply(x, is.numeric, NA)
    kept <- !number
    values <- as.matrix(x[number])
    kept[number][varying_columns(values, variance, n)] <- TRUE
    return(which(kept))
  }
  means <- Matrix::colMeans(x, na.rm = TRUE)
  known <- if (is.matrix(x)) {
    colSums(!is.na(x))
  } else {
    nrow(x) - Matrix::colSums(is.na(x))
  }
  # By deviations: x^2 less the squared mean loses what is small beside the
  # mean.
  squares <- vapply(seq_len(ncol(x)), function(j) {
    sum((x[, j] - means[[j]])^2, na.rm = TRUE)
  }, 0)
  found <- ifelse(known > 1, squares / (known - 1), 0)
  kept <- which(found > variance)
  if (!is.null(n)) kept <- sort(first(kept[order(-found[kept], kept)], n))
  kept
}

# ---- the argument `prepare` -------------------------------------------------

#' Steps of preparation, in whatever form they were given
#'
#' @param prepare NULL, a function, a recipe, or a list of them.
#' @param problem For the names of the features in a recipe.
#' @return NULL, or list(steps: functions of (x, y), words: one for each).
#' @noRd
as_preparation <- function(prepare, problem) {
  if (is.null(prepare)) {
    return(NULL)
  }
  if (problem$storage == "blocks") {
    abort_input(c(
      "{.arg prepare} needs samples in memory, and {.arg x} is read in blocks.",
      i = "Convert it, as in {.code as.matrix(x)}, or prepare it beforehand:
           steps that use one sample at a time, such as logarithms, cause no
           leakage."
    ), "prepare")
  }
  given <- if (is.list(prepare) && !is.object(prepare)) {
    prepare
  } else {
    list(prepare)
  }
  fine <- vapply(given, function(step) {
    is.function(step) || inherits(step, "recipe")
  }, NA)
  if (length(given) == 0L || !all(fine)) {
    wrong <- if (length(given) > 0L) given[[which(!fine)[[1L]]]]
    abort_input(c(
      "{.arg prepare} must be a function of (x, y), a recipe, or a list of them
       in the order in which they are applied, not
       {describe(if (length(given) > 1L) wrong else prepare)}.",
      i = "It is called on every training part and returns a function of x:
           {.code function(x, y) {{ m <- colMeans(x); function(x) x - rep(m,
           each = nrow(x)) }}}.",
      i = "{.fn prepare_impute} and {.fn prepare_filter} make such functions."
    ), "prepare")
  }
  names <- names(given) %||% rep("", length(given))
  list(
    steps = unname(lapply(given, as_step, problem)),
    words = unname(ifelse(names == "", vapply(given, step_words, ""), names))
  )
}

step_words <- function(step) {
  if (inherits(step, "recipe")) {
    sprintf(
      "a recipe of %d step%s", length(step$steps),
      if (length(step$steps) == 1L) "" else "s"
    )
  } else if (inherits(step, "hitmiss_prepare")) {
    attr(step, "words")
  } else {
    "user's function"
  }
}

as_step <- function(step, problem) {
  if (inherits(step, "recipe")) {
    return(recipe_step(step, problem))
  }
  takes <- names(formals(args(step)))
  if (length(takes) < 2L && !"..." %in% takes) {
    abort_input(c(
      "a function in {.arg prepare} must take two arguments, the training
       samples and their labels, and return a function of the samples.",
      i = "For a step that needs no training: {.code function(x, y) function(x)
           log2(x)}."
    ), "prepare")
  }
  step
}

#' A recipe of package recipes as a step
#' @noRd
recipe_step <- function(recipe, problem) {
  require_package("recipes", "a recipe as {.arg prepare}")
  role <- recipe$var_info$role
  outcome <- unique(recipe$var_info$variable[role %in% "outcome"])
  needed <- unique(setdiff(recipe$var_info$variable, outcome))
  absent <- setdiff(needed, problem$features)
  if (length(outcome) > 1L || length(absent) > 0L) {
    abort_input(c(
      "the recipe in {.arg prepare} does not match {.arg x} and {.arg y}.",
      x = if (length(absent) > 0L) {
        "It uses {.val {absent}}, which {cli::qty(absent)}{?is not a column/are
         not columns} of {.arg x}."
      } else {
        "It has {length(outcome)} outcomes: {.val {outcome}}; {.arg y} is one."
      }
    ), "prepare")
  }
  if (any(outcome %in% problem$features)) {
    abort_input(
      "{.arg x} has a column {.val {outcome}}, which the recipe in
       {.arg prepare} names as its outcome: take it out of {.arg x}, the labels
       are {.arg y}.",
      "prepare"
    )
  }
  frame_of <- function(x) as.data.frame(as_plain(x), optional = TRUE)
  function(x, y) {
    training <- frame_of(x)
    if (length(outcome) == 1L) training[[outcome]] <- y
    trained <- recipes::prep(recipe, training, fresh = TRUE, retain = FALSE)
    function(x) {
      as.data.frame(recipes::bake(
        trained, frame_of(x), recipes::all_predictors()
      ))
    }
  }
}

as_plain <- function(x) if (inherits(x, "Matrix")) as.matrix(x) else x

# ---- inside a split ---------------------------------------------------------

#' A split after the preparation of its parts
#'
#' @param problem All samples, not prepared; as_problem(complete = FALSE).
#' @param split list(train, test, labelled or NULL).
#' @param preparation See as_preparation(); NULL: nothing is done.
#' @return list(problem, split), with the samples of the split alone; the
#'   problem has the features that are left, in the order of `x`.
#' @noRd
prepare_split <- function(problem, split, preparation) {
  if (is.null(preparation)) {
    return(list(problem = problem, split = split))
  }
  y <- problem$y[split$train]
  if (!is.null(split$labelled)) y[!split$train %in% split$labelled] <- NA
  given <- lapply(split[c("train", "test")], raw_rows, problem = problem)
  parts <- given
  for (step in preparation$steps) {
    apply <- learned_step(step, parts$train, present_classes(y))
    parts <- lapply(parts, apply)
  }
  rows <- c(split$train, split$test)
  n <- lengths(split[c("train", "test")])
  prepared <- prepared_problem(problem, parts, given, rows)
  at <- seq_len(n[["train"]])
  list(problem = prepared, split = list(
    train = at, test = n[["train"]] + seq_len(n[["test"]]),
    labelled = if (!is.null(split$labelled)) match(split$labelled, split$train)
  ))
}

#' The inner folds of tuning, each prepared by its own training samples
#'
#' @param problem,split Not prepared.
#' @param folds Fold of each labelled training sample, or NULL.
#' @param picked,features What was selected, and from which features.
#' @return List by fold of list(problem: the selected features alone, train,
#'   test); NULL if nothing is tuned or prepared.
#' @noRd
prepare_folds <- function(problem, split, folds, picked, features, plan) {
  if (is.null(plan$preparation) || is.null(folds)) {
    return(NULL)
  }
  lists <- lapply(picked$lists, utils::head, max(plan$sizes))
  used <- features[unique(unlist(lists))]
  known <- split$labelled %||% split$train
  lapply(split(known, folds), function(test) {
    part <- list(train = setdiff(split$train, test), test = test)
    if (!is.null(split$labelled)) part$labelled <- setdiff(known, test)
    ready <- prepare_split(problem, part, plan$preparation)
    kept <- which(ready$problem$features %in% used)
    everyone <- seq_along(ready$problem$y)
    ready$problem$values <- problem_rows(ready$problem, everyone, kept)
    ready$problem$features <- ready$problem$features[kept]
    list(
      problem = ready$problem,
      train = ready$split$labelled %||% ready$split$train,
      test = ready$split$test
    )
  })
}

raw_rows <- function(problem, rows) {
  if (problem$storage == "frame") {
    return(problem$values[rows, , drop = FALSE])
  }
  problem_rows(problem, rows)
}

learned_step <- function(step, x, y) {
  apply <- step(x, y)
  if (!is.function(apply)) {
    abort_prepare(c(
      "{.arg prepare} must return a function of x, not {describe(apply)}.",
      i = "It learns from the training part, and what it returns is called on
           both parts:
           {.code function(x, y) {{ m <- colMeans(x); function(x) x - rep(m,
           each = nrow(x)) }}}."
    ))
  }
  apply
}

prepared_problem <- function(problem, parts, given, rows) {
  # Also of a tibble or a data.table.
  frames <- any(vapply(parts, is.data.frame, NA))
  if (frames) parts <- lapply(parts, as.data.frame)
  names <- prepared_names(parts, given, problem)
  parts <- lapply(parts, function(part) part[, names, drop = FALSE])
  levels <- NULL
  if (frames) {
    levels <- category_levels(do.call(rbind, lapply(parts, with_row_numbers)))
    parts <- lapply(parts, function(part) {
      prepared_columns(code_categories(part, levels))
    })
  }
  values <- do.call(rbind, unname(parts))
  dimnames(values) <- list(problem$samples[rows], names)
  problem$levels <- levels
  problem$y <- problem$y[rows]
  for (codes in intersect(c("block", "group"), names(problem))) {
    problem[[codes]] <- problem[[codes]][rows]
  }
  problem$design <- design_rows(problem, rows)
  problem$samples <- problem$samples[rows]
  plain <- plain_values(values, "columns", "prepare")
  check_prepared_finite(plain, nrow(parts[[1L]]))
  problem[c("values", "storage", "features_in")] <- plain
  problem$features <- names
  problem
}

# Rows of two parts may have the same names.
with_row_numbers <- function(frame) {
  attr(frame, "row.names") <- .set_row_names(nrow(frame))
  frame
}

# A data.frame's numbers as a matrix.
prepared_columns <- function(frame) {
  number <- vapply(frame, function(v) {
    (is.numeric(v) || is.logical(v)) && !is.object(v) && is.null(dim(v))
  }, NA)
  if (!all(number)) {
    bad <- names(frame)[!number]
    abort_prepare(
      "{.arg prepare} returned {length(bad)} column{?s} that {?is/are} neither
       {?a number nor a factor/numbers nor factors}: {.val {bad}}."
    )
  }
  numeric_columns(frame, "prepare")
}

#' The features that both parts have after preparation, in the order of `x`
#' @noRd
prepared_names <- function(parts, given, problem) {
  for (name in names(parts)) check_prepared(
    parts[[name]], given[[name]], name, problem
  )
  names <- lapply(parts, colnames)
  apart <- c(setdiff(names$train, names$test), setdiff(names$test, names$train))
  if (length(apart) > 0L) {
    abort_prepare(c(
      "{.arg prepare} returned other features for the training part than for the
       test part: {.val {apart}} {?is/are} in one only.",
      i = "Decide in {.code function(x, y)} which features stay, and keep to it
           in the function that it returns."
    ))
  }
  names$train[order(match(names$train, problem$features))]
}

check_prepared <- function(part, given, name, problem) {
  part_name <- c(train = "training part", test = "test part")[[name]]
  fine <- is.data.frame(part) || inherits(part, "Matrix") ||
    is.matrix(part) && (is.numeric(part) || is.logical(part))
  if (!fine) {
    abort_prepare(
      "{.arg prepare} must give a numeric matrix or a data.frame with samples in
       rows; from the {part_name} it made {describe(part)}."
    )
  }
  if (nrow(part) != nrow(given)) {
    abort_prepare(
      "{.arg prepare} made {nrow(part)} row{?s} from the {nrow(given)}
       sample{?s} of the {part_name}: none may be left out or added."
    )
  }
  check_prepared_order(row_labels(part), row_labels(given), part_name)
  names <- colnames(part)
  if (length(names) == 0L || anyNA(names) || any(names == "")) {
    abort_prepare(c(
      "{.arg prepare} left {if (ncol(part) == 0L) 'no feature' else 'features
       without names'} in the {part_name}.",
      i = if (ncol(part) > 0L) {
        "Columns keep the names that they have in {.arg x}."
      }
    ))
  }
  new <- setdiff(names, problem$features)
  if (length(new) > 0L) {
    abort_prepare(c(
      "{.arg prepare} made {length(new)} feature{?s} that {.arg x} does not
       have: {.val {new}}.",
      i = "Selected features are reported by their names in {.arg x}. Features
           may be changed and left out, not added or renamed: add columns to
           {.arg x} first."
    ))
  }
  twice <- unique(names[duplicated(names)])
  if (length(twice) > 0L) {
    abort_prepare("{.arg prepare} made several columns called {.val {twice}}.")
  }
}

# Not the numbers that a data.frame has where it has no names.
row_labels <- function(x) {
  if (!is.data.frame(x) || .row_names_info(x) > 0L) rownames(x)
}

# Names of rows are not needed, but may not say that samples changed places.
check_prepared_order <- function(names, given, part_name) {
  if (is.null(names) || is.null(given) || identical(names, given)) {
    return(invisible())
  }
  if (all(given %in% names)) {
    abort_prepare(
      "{.arg prepare} put the samples of the {part_name} in another order."
    )
  }
}

check_prepared_finite <- function(plain, n_train) {
  values <- if (plain$storage == "sparse") plain$values@x else plain$values
  if (all(is.finite(values))) {
    return(invisible())
  }
  bad <- !is.finite(as.matrix(plain$values))
  at <- which(bad, arr.ind = TRUE)[1L, ]
  feature <- colnames(plain$values)[[at[["col"]]]]
  part <- if (at[["row"]] <= n_train) "training part" else "test part"
  abort_prepare(c(
    "{.arg prepare} left {sum(bad)} value{?s} that {?is/are} not finite; the
     first is {plain$values[at[['row']], at[['col']]]} in feature
     {.val {feature}} of the {part}.",
    i = "{.fn prepare_impute} fills in what is missing; steps are applied in
         order, as in {.code prepare = list(prepare_impute(), ...)}."
  ))
}

# A mistake in the preparation itself: stops the curve, unlike a fit that fails.
abort_prepare <- function(message, envir = parent.frame()) {
  abort(
    message, c("hitmiss_error_prepare", "hitmiss_error_input"),
    arg = "prepare", envir = envir
  )
}
