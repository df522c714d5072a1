# Layer: evaluate. Splits that the user has made: by hand, or with rsample,
# caret and others.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Was something other than a description of resampling given?
#' @noRd
is_given_splits <- function(resampling) {
  !inherits(resampling, "hitmiss_resampling") && (is.list(resampling) ||
    (is.numeric(resampling) || is.factor(resampling)) &&
      length(resampling) > 1L)
}

#' The user's own splits, in the form that draw_splits() gives, and their plan
#'
#' @param resampling See as_split_list().
#' @return list(plan, splits). The plan's `folds` says whether the splits of a
#'   repetition test no sample twice, as folds do.
#' @noRd
given_resampling <- function(resampling, problem) {
  label <- if (inherits(resampling, "rset")) {
    require_package("rsample", "reading its resampling sets")
    label <- catch_error(pretty(resampling), function(e) "Resampling set")
    paste0(trimws(paste(label, collapse = " ")), " (rsample)")
  }
  given <- as_split_list(resampling, length(problem$y))
  if (length(given) == 0L) {
    abort_input("{.arg resampling} is a list without any split.", "resampling")
  }
  splits <- Map(given_split, unname(given), seq_along(given), list(problem))
  splits <- numbered_splits(splits)
  label <- label %||% sprintf(
    "%d split%s given by the user", length(splits),
    if (length(splits) == 1L) "" else "s"
  )
  repeated <- any(vapply(given, function(s) anyDuplicated(s$train) > 0L, NA))
  list(
    plan = new_resampling("given",
      times = length(unique(vapply(splits, `[[`, 0L, "repetition"))),
      labelled = 1, stratified = FALSE, folds = are_folds(splits),
      label = paste0(label, if (repeated) ", a repeated sample counts once")
    ),
    splits = splits
  )
}

#' Every form of splits as a list of list(train, test)
#'
#' @param given A list of list(train, test), perhaps with repetition and fold,
#'   as
#'   a curve keeps them; the fold of every sample; a list of rows, as caret
#'   makes
#'   them; an rset, rows of one, or a single rsplit.
#' @noRd
as_split_list <- function(given, n) {
  if (inherits(given, "nested_cv")) {
    abort_input(c(
      "{.arg resampling} is a set of {.fn nested_cv}, whose inner resamples
       {.fn error_curve} would not use.",
      i = "Give the outer resamples alone, and {.code nested = kfold(5)}."
    ), "resampling")
  }
  if (inherits(given, "rsplit")) given <- data.frame(splits = I(list(given)))
  if (is.data.frame(given) && is.list(given[["splits"]])) {
    return(rset_splits(given, n))
  }
  if (is.data.frame(given)) {
    abort_given(1L, "cannot be read from a data.frame without a column
      {.field splits}, as those of rsample have.")
  }
  everyone <- seq_len(n)
  if (!is.list(given)) {
    if (length(given) != n || anyNA(given)) {
      abort_input(
        "{.arg resampling} holds the folds of {length(given)} sample{?s}, but
         {.arg x} has {n}; none may be missing.", "resampling"
      )
    }
    given <- unname(split(everyone, given))
    return(lapply(given, function(test) {
      list(train = setdiff(everyone, test), test = test)
    }))
  }
  rows <- length(given) > 0L && all(vapply(given, is.numeric, NA))
  if (!rows) {
    return(given)
  }
  # Parts that hold every sample once are folds to test on; else, as in
  # caret::trainControl(index = ), each is a training part.
  folds <- identical(sort(as.integer(unlist(given))), everyone)
  lapply(given, function(part) {
    rest <- setdiff(everyone, part)
    if (folds) list(train = rest, test = part) else list(train = part,
      test = rest)
  })
}

rset_splits <- function(rset, n) {
  require_package("rsample", "reading its resampling sets")
  repetition <- if (!is.null(rset[["id2"]])) {
    match(rset[["id"]], unique(rset[["id"]]))
  }
  lapply(seq_along(rset$splits), function(s) {
    split <- rset$splits[[s]]
    if (!inherits(split, "rsplit")) {
      abort_given(s, "is not one of {.pkg rsample}, but {describe(split)}.")
    }
    if (NROW(split$data) != n) {
      abort_input(c(
        "{.arg resampling} was made for {NROW(split$data)} sample{?s}, but
         {.arg x} has {n}.",
        i = "Make it from a data.frame with one row for each sample of {.arg x},
             in the same order."
      ), "resampling")
    }
    list(
      train = as.integer(split, data = "analysis"),
      test = as.integer(split, data = "assessment"),
      repetition = repetition[s]
    )
  })
}

#' One split, or an error that says what is wrong with it
#' @noRd
given_split <- function(split, s, problem) {
  known <- c("train", "test", "repetition", "fold")
  named <- is.list(split) && !is.object(split) && !is.null(names(split))
  if (!named || !all(known[1:2] %in% names(split)) ||
    !all(names(split) %in% known)) {
    abort_given(s, c(
      "must be a list of {.field train} and {.field test}, not
       {if (named) 'of {.field {names(split)}}' else describe(split)}.",
      i = "As in {.code list(list(train = 1:20, test = 21:30), ...)}; or use
           {.fn holdout}, {.fn kfold} or {.fn leave_one_out}."
    ))
  }
  for (part in c("train", "test")) {
    split[[part]] <- given_rows(split[[part]], part, s, length(problem$y))
  }
  both <- intersect(split$train, split$test)
  if (length(both) > 0L) {
    abort_given(s, c(
      "has sample {both[[1L]]} in the training part and in the test part."
    ))
  }
  absent <- setdiff(levels(problem$y), as.character(problem$y[split$train]))
  if (length(absent) > 0L) {
    abort_given(s, c(
      "has no sample of class {.val {absent}} in the training part."
    ))
  }
  divided <- intersect(problem$group[split$train], problem$group[split$test])
  if (length(divided) > 0L) {
    name <- problem$design$group[[match(divided[[1L]], problem$group)]]
    abort_given(s, c(
      "has {length(divided)} group{?s} in the training part and in the test
       part; the first is {.val {as.character(name)}}.",
      i = "Splits must keep each value of {.arg group} together, as
           {.code rsample::group_vfold_cv()} and {.code kfold()} do."
    ))
  }
  split
}

# A repeated sample, as in a bootstrap, would be its own near hit: it counts
# once.
given_rows <- function(rows, part, s, n_samples) {
  if (length(rows) == 0L ||
    !is_whole_numbers(rows, low = 1, high = n_samples)) {
    abort_given(s, c(
      "must have as {.field {part}} row numbers from 1 to {n_samples}, not
       {describe(rows)}."
    ))
  }
  if (part == "test" && anyDuplicated(rows)) {
    abort_given(s, c(
      "has sample {rows[duplicated(rows)][[1L]]} in {.field test} more than
       once."
    ))
  }
  sort(unique(as.integer(rows)))
}

abort_given <- function(s, message, envir = parent.frame()) {
  message[[1L]] <- paste0("split ", s, " of {.arg resampling} ", message[[1L]])
  abort_input(message, "resampling", envir = envir)
}

# Where the user does not say: splits that test no sample twice are the folds of
# one repetition, others are repetitions each.
numbered_splits <- function(splits) {
  repetition <- lapply(splits, `[[`, "repetition")
  repetition <- if (all(vapply(repetition, is_whole_numbers, NA, n = 1L))) {
    match(unlist(repetition), unique(unlist(repetition)))
  } else if (tests_once(splits)) {
    rep(1L, length(splits))
  } else {
    seq_along(splits)
  }
  fold <- stats::ave(seq_along(splits), repetition, FUN = seq_along)
  Map(function(split, r, f) {
    list(train = split$train, test = split$test, repetition = r, fold = f)
  }, splits, repetition, fold)
}

tests_once <- function(splits) {
  anyDuplicated(unlist(lapply(splits, `[[`, "test"))) == 0L
}

are_folds <- function(splits) {
  by_repetition <- split(splits, vapply(splits, `[[`, 0L, "repetition"))
  all(lengths(by_repetition) > 1L) && all(vapply(by_repetition, tests_once, NA))
}
