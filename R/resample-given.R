# Splits that the user has made, by hand or with package rsample.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Was something other than a description of resampling given?
#' @noRd
is_given_splits <- function(resampling) {
  inherits(resampling, "rset") || is.list(resampling) && !is.object(resampling)
}

#' The user's own splits, in the form that draw_splits() gives, and their plan
#'
#' @param resampling A list of list(train, test), perhaps with repetition and
#'   fold, as a curve keeps them; or an rset.
#' @return list(plan, splits). The plan's `folds` says whether the splits of a
#'   repetition test no sample twice, as folds do.
#' @noRd
given_resampling <- function(resampling, problem) {
  label <- NULL
  if (inherits(resampling, "rset")) {
    label <- rset_label(resampling)
    resampling <- rset_splits(resampling, length(problem$y))
  }
  if (length(resampling) == 0L) {
    abort_input("{.arg resampling} is a list without any split.", "resampling")
  }
  for (s in seq_along(resampling)) {
    resampling[[s]] <- given_split(resampling[[s]], s, problem)
  }
  splits <- numbered_splits(unname(resampling))
  label <- label %||% sprintf(
    "%d split%s given by the user", length(splits),
    if (length(splits) == 1L) "" else "s"
  )
  list(
    plan = new_resampling("given",
      times = length(unique(vapply(splits, `[[`, 0L, "repetition"))),
      labelled = 1, stratified = FALSE, label = label, folds = are_folds(splits)
    ),
    splits = splits
  )
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
      "has {length(divided)} group{?s} in the training part and in the test part;
       the first is {.val {as.character(name)}}.",
      i = "Splits must keep each value of {.arg group} together, as
           {.code rsample::group_vfold_cv()} and {.code kfold()} do."
    ))
  }
  split
}

given_rows <- function(rows, part, s, n_samples) {
  if (length(rows) == 0L || !is_whole(rows, low = 1, high = n_samples)) {
    abort_given(s, c(
      "must have as {.field {part}} row numbers from 1 to {n_samples}, not
       {describe(rows)}."
    ))
  }
  rows <- as.integer(rows)
  repeated <- rows[duplicated(rows)]
  if (length(repeated) > 0L) {
    abort_given(s, c(
      "has sample {repeated[[1L]]} in {.field {part}} more than once.",
      i = if (part == "train") {
        "A repeated sample is its own near hit, so bootstrap samples are not
         accepted; {.fn holdout} and {.code rsample::mc_cv()} draw each sample
         once."
      }
    ))
  }
  sort(rows)
}

abort_given <- function(s, message, envir = parent.frame()) {
  message[[1L]] <- paste0("split ", s, " of {.arg resampling} ", message[[1L]])
  abort_input(message, "resampling", envir = envir)
}

# Where the user does not say: splits that test no sample twice are the folds of
# one repetition, others are repetitions each.
numbered_splits <- function(splits) {
  repetition <- lapply(splits, `[[`, "repetition")
  stated <- vapply(repetition, is_whole, NA, n = 1L)
  repetition <- if (all(stated)) {
    match(unlist(repetition), unique(unlist(repetition)))
  } else if (tests_none_twice(splits)) {
    rep(1L, length(splits))
  } else {
    seq_along(splits)
  }
  fold <- stats::ave(seq_along(splits), repetition, FUN = seq_along)
  Map(function(split, r, f) {
    list(train = split$train, test = split$test, repetition = r, fold = f)
  }, splits, repetition, fold)
}

tests_none_twice <- function(splits) {
  anyDuplicated(unlist(lapply(splits, `[[`, "test"))) == 0L
}

are_folds <- function(splits) {
  by_repetition <- split(splits, vapply(splits, `[[`, 0L, "repetition"))
  all(lengths(by_repetition) > 1L) && all(vapply(
    by_repetition, tests_none_twice, NA
  ))
}

# ---- rsample ----------------------------------------------------------------

rset_splits <- function(rset, n_samples) {
  require_package("rsample", "reading its resampling sets")
  lapply(seq_along(rset$splits), function(s) {
    split <- rset$splits[[s]]
    if (!inherits(split, "rsplit")) {
      abort_given(s, "is not one of {.pkg rsample}, but {describe(split)}.")
    }
    if (NROW(split$data) != n_samples) {
      abort_input(c(
        "{.arg resampling} was made for {NROW(split$data)} sample{?s}, but
         {.arg x} has {n_samples}.",
        i = "Make it from a data.frame with one row for each sample of {.arg x},
             in the same order."
      ), "resampling")
    }
    list(
      train = as.integer(split, data = "analysis"),
      test = as.integer(split, data = "assessment"),
      # With a second number, the first is that of the repetition.
      repetition = if (!is.null(rset[["id2"]])) {
        match(rset[["id"]][[s]], unique(rset[["id"]]))
      }
    )
  })
}

rset_label <- function(rset) {
  require_package("rsample", "reading its resampling sets")
  label <- catch_error(pretty(rset), function(e) "Resampling set")
  paste0(trimws(paste(label, collapse = " ")), " (rsample)")
}
