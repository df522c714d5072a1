# Layer: evaluate. Splits that the user has made, by hand or with rsample, caret
# and others, are read here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Says whether something other than a description of resampling was given.
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
  given <- as_split_list(resampling, problem)
  if (length(given) == 0L) {
    abort_input("{.arg resampling} is a list without any split.", "resampling")
  }
  splits <- numbered_splits(
    Map(given_split, unname(given), seq_along(given), list(problem))
  )
  label <- if (inherits(resampling, "rset")) {
    text <- catch_error(pretty(resampling), function(e) "Resampling set")
    paste(trimws(paste(text, collapse = " ")), "(rsample)")
  } else {
    in_words("{length(splits)} split{?s} given by the user")
  }
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
#'   as a curve keeps them; the fold of every sample; a list of rows, as caret
#'   makes them; an rset, rows of one, or a single rsplit.
#' @noRd
as_split_list <- function(given, problem) {
  n <- length(problem$y)
  if (inherits(given, "rsplit")) given <- data.frame(splits = I(list(given)))
  if (is.data.frame(given)) {
    return(rset_splits(given, problem))
  }
  everyone <- seq_len(n)
  if (!is.list(given)) {
    check_matched(given, n, problem$samples, "resampling", problem$features)
    if (anyNA(given)) {
      abort_input("{.arg resampling} lacks the fold of a sample.", "resampling")
    }
    given <- split(everyone, given, drop = TRUE)
  }
  if (length(given) == 0L || !all(vapply(given, is.numeric, NA))) {
    return(given)
  }
  # Parts that hold every sample once are folds to test on. Others are training
  # parts, as in caret::trainControl(index = ).
  folds <- identical(sort(as.integer(unlist(given))), everyone)
  lapply(given, function(part) {
    rest <- setdiff(everyone, part)
    list(train = if (folds) rest else part, test = if (folds) part else rest)
  })
}

rset_splits <- function(rset, problem) {
  n <- length(problem$y)
  fine <- is.list(rset[["splits"]]) && !inherits(rset, "nested_cv") &&
    all(vapply(rset$splits, function(split) {
      inherits(split, "rsplit") && NROW(split$data) == n
    }, NA))
  if (!fine) {
    abort_input(c(
      "{.arg resampling} must be a set of splits of package {.pkg rsample}, made
       from a data.frame with one row for each of the {n} samples of {.arg x},
       in the same order.",
      i = "Of {.fn nested_cv} give the outer resamples alone, and {.arg nested}:
           the inner ones would not be used."
    ), "resampling")
  }
  check_sample_names(
    frame_samples(rset$splits[[1L]]$data), problem$samples, "resampling",
    remedy = "Split the samples in the order in which {.arg x} has them."
  )
  require_package("rsample", "reading its resampling sets")
  repetition <- if (!is.null(rset[["id2"]])) {
    match(rset[["id"]], unique(rset[["id"]]))
  }
  lapply(seq_along(rset$splits), function(s) {
    list(
      train = as.integer(rset$splits[[s]], data = "analysis"),
      test = as.integer(rset$splits[[s]], data = "assessment"),
      repetition = repetition[s]
    )
  })
}

# Returns one split, or signals what is wrong with it.
given_split <- function(split, s, problem) {
  n <- length(problem$y)
  known <- c("train", "test", "repetition", "fold")
  rows <- function(v) length(v) > 0L && is_whole_numbers(v, low = 1, high = n)
  if (!is.list(split) || !all(names(split) %in% known) || !rows(split$train) ||
    !rows(split$test)) {
    abort_given(s, c(
      "must be a list of {.field train} and {.field test}, row numbers from 1 to
       {n}.",
      i = "Or use {.fn holdout}, {.fn kfold} or {.fn leave_one_out}."
    ))
  }
  twice <- c(
    intersect(split$train, split$test), split$test[duplicated(split$test)]
  )
  if (length(twice) > 0L) {
    abort_given(s, "has sample {twice[[1L]]} in the training part and in the
      test part, or twice in the latter.")
  }
  absent <- setdiff(
    kind_of(problem$y)$needed(problem$y),
    as.character(strata_of(problem$y)[split$train])
  )
  if (length(absent) > 0L) {
    abort_given(s, "has no sample of class {.val {absent}} in the training
      part.")
  }
  unit <- problem$design$unit
  divided <- intersect(unit[split$train], unit[split$test])
  if (length(divided) > 0L) {
    given <- problem$design$given[[problem$design$word]]
    name <- given[[match(divided[[1L]], unit)]]
    abort_given(s, c(
      "has {length(divided)} group{?s} in the training part and in the test
       part; the first is {.val {as.character(name)}}.",
      i = "Splits must keep each value of {.arg group} together, as
           {.fn rsample::group_vfold_cv} and {.fn kfold} do."
    ))
  }
  # A repeated sample, as in a bootstrap, would be its own near hit, so it
  # counts once.
  split[known[1:2]] <- lapply(split[known[1:2]], function(rows) {
    sort(unique(as.integer(rows)))
  })
  split
}

abort_given <- function(s, message, envir = parent.frame()) {
  message[[1L]] <- paste0("split ", s, " of {.arg resampling} ", message[[1L]])
  abort_input(message, "resampling", envir = envir)
}

# If the user does not say, splits that test no sample twice are the folds of
# one repetition; otherwise each split is a repetition.
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
