# Layer: evaluate. This file describes how samples are split, and draws the
# splits.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Ways to split samples into training and test parts
#'
#' These functions describe splits, for the argument `resampling` of
#' [error_curve()], which draws them before any fit (`set.seed()` fixes them).
#' All selectors and sizes use the same splits.
#'
#' @details
#' Stratified splits, the default, keep the shares of the classes. `holdout()`
#' takes `round(train * n_c)` samples of class c for training, at least 1 and at
#' most `n_c - 1`; if `train` is a number of samples, it is apportioned to the
#' classes by largest remainder, so that the total is exact. A class of one
#' sample goes to training, with one warning. `kfold()` deals the samples of
#' each class out to the folds in random order. Without strata, a draw that
#' leaves a class without a training sample is drawn again, at most 100 times.
#' With survival times, the samples with the event and the censored ones are the
#' two classes.
#'
#' **With groups** (`group` of [error_curve()]) all of this applies to groups,
#' not to samples: shares, counts and folds are of groups, of any size. The
#' class of a group is the class of most of its samples, the first one if
#' classes tie. `leave_one_out()` leaves out one group.
#'
#' @param times How often all samples are split anew.
#' @param train Share of the samples (or groups) in the training part, in (0,
#'   1), or their number, a whole number of at least 2.
#' @param labelled Share of the training samples that keep their label, in (0,
#'   1\]. Below 1 the comparison is semi-supervised: selectors see `NA` for the
#'   other labels, and classifiers are trained on labelled samples only.
#' @param stratified Keep the shares of the classes?
#' @param k Number of folds.
#' @return An object of class `hitmiss_resampling`.
#' @examples
#' holdout(times = 20, train = 0.5)
#' kfold(10)
#' leave_one_out()
#' @export
holdout <- function(times = 10, train = 0.5, labelled = 1, stratified = TRUE) {
  times <- check_count(times)
  if (!is_plain_number(train) || train <= 0 ||
    train >= 1 && (train < 2 || train != floor(train))) {
    abort_input(
      "{.arg train} must be a share above 0 and below 1, or a whole number of
       samples, at least 2; not {describe(train)}.", "train"
    )
  }
  new_resampling("holdout",
    times = times, train = train,
    labelled = check_number(labelled, above = 0, max = 1),
    stratified = check_flag(stratified)
  )
}

#' @rdname holdout
#' @export
kfold <- function(k = 10, times = 1, stratified = TRUE) {
  new_resampling("kfold",
    k = check_count(k, min = 2), times = check_count(times), labelled = 1,
    stratified = check_flag(stratified)
  )
}

#' @rdname holdout
#' @export
leave_one_out <- function() {
  new_resampling("leave_one_out", times = 1L, labelled = 1, stratified = FALSE)
}

new_resampling <- function(method, ...) {
  structure(list(method = method, ...),
    version = package_version_text(), class = "hitmiss_resampling"
  )
}

#' @export
print.hitmiss_resampling <- function(x, ...) {
  check_no_dots(...)
  check_resampling(x, "x")
  cat(resampling_words(x), "\n", sep = "")
  invisible(x)
}

#' @param design Of the samples, whose units are kept whole.
#' @noRd
resampling_words <- function(x, design = NULL) {
  groups <- !identical(design$word %||% "sample", "sample")
  strata <- paste0(
    if (x$stratified) ", stratified", if (groups) ", groups kept whole",
    if (x$labelled < 1) {
      sprintf(", %s of the training part labelled", percent(x$labelled))
    }
  )
  switch(x$method,
    holdout = paste0(
      x$times, if (x$times == 1L) " random split, " else " random splits, ",
      if (x$train < 1) {
        percent(x$train)
      } else {
        paste(x$train, if (groups) "groups" else "samples")
      }, " for training", strata
    ),
    kfold = paste0(
      if (x$times > 1L) paste0(x$times, " times "), x$k,
      "-fold cross-validation", strata
    ),
    leave_one_out = if (groups) "leave-one-group-out" else "leave-one-out",
    given = paste0(x$label, strata)
  )
}

check_resampling <- function(resampling, arg = "resampling") {
  if (!inherits(resampling, "hitmiss_resampling")) {
    abort_input(c(
      "{.arg {arg}} must be a way to split the samples, such as
       {.code kfold(5)}, not {describe(resampling)}.",
      i = "See {.fn holdout}, {.fn kfold} and {.fn leave_one_out}."
    ), arg)
  }
  check_version(attr(resampling, "version"), arg, "a plan", "make it again")
  resampling
}

#' Draw the splits
#'
#' @param y Classes without NA, or survival times.
#' @param design Its units are kept together.
#' @return A list of lists: train, test (increasing positions), repetition,
#'   fold, and, if only a share is labelled, labelled (positions, part of
#'   train).
#' @noRd
draw_splits <- function(y, resampling, arg = "resampling",
                        design = new_design(length(y))) {
  y <- strata_of(y)
  units <- sample_units(y, design)
  # Each split stores one integer for every sample, and an integer takes half
  # the size of a double.
  count <- switch(resampling$method,
    leave_one_out = length(units$y), resampling$times * (resampling$k %||% 1)
  )
  check_numbers_fit(0.5 * as.double(count) * length(y), arg)
  splits <- switch(resampling$method,
    holdout = holdout_splits(units, resampling, arg),
    kfold = kfold_splits(units, resampling, arg),
    leave_one_out = {
      all <- seq_along(units$y)
      lapply(all, function(i) {
        list(train = all[-i], test = i, repetition = 1L, fold = i)
      })
    }
  )
  splits[] <- lapply(splits, function(split) {
    parts <- intersect(c("train", "test", "labelled"), names(split))
    split[parts] <- lapply(split[parts], samples_of, units)
    split
  })
  splits
}

has_all_classes <- function(train, units) {
  all(levels(units$samples) %in% units$samples[samples_of(train, units)])
}

holdout_splits <- function(units, resampling, arg) {
  y <- units$y
  if (resampling$train >= length(y)) {
    abort_input(
      "{.arg {arg}} requests {resampling$train} training {units$word}s; there
       are {length(y)} {units$word}s, and a test part is needed.", arg
    )
  }
  quota <- if (resampling$stratified) class_quota(units, resampling$train, arg)
  lapply(seq_len(resampling$times), function(repetition) {
    for (attempt in 0:100) {
      train <- draw_training(y, resampling, quota)
      if (has_all_classes(train, units)) break
    }
    split <- list(
      train = train, test = setdiff(seq_along(y), train),
      repetition = repetition, fold = 1L
    )
    if (resampling$labelled < 1) {
      split$labelled <- draw_labelled(y, train, resampling$labelled)
    }
    split
  })
}

draw_training <- function(y, resampling, quota) {
  if (is.null(quota)) {
    n <- resampling$train
    if (n < 1) n <- max(1, round(n * length(y)))
    return(sort(sample.int(length(y), n)))
  }
  sort(unlist(lapply(seq_len(nlevels(y)), function(c) {
    draw_from(which(as.integer(y) == c), quota[[c]])
  })))
}

draw_labelled <- function(y, train, share) {
  sort(unlist(lapply(split(train, droplevels(y[train])), function(members) {
    draw_from(members, max(1, round(share * length(members))))
  }), use.names = FALSE))
}

# Returns how many units of each class go to training.
class_quota <- function(units, train, arg) {
  size <- tabulate(units$y, nlevels(units$y))
  most <- pmax(1, size - 1)
  if (all(size == 1L)) {
    abort_input(
      "every class has a single {units$word}: there is none to test on.",
      if (is.null(units$of)) "y" else "group"
    )
  }
  warn_single_samples(units$y, paste0(
    units$word, ", which is in every training part and never tested."
  ))
  if (train < 1) {
    return(pmin(pmax(round(train * size), 1), most))
  }
  if (train < length(size) || train > sum(most)) {
    abort_input(
      "{.arg {arg}} requests {train} training {units$word}s; with at least one
       of each class in training and one left for the test, {length(size)} to
       {sum(most)} are possible.", arg
    )
  }
  apportion(train * size / sum(size), train, most)
}

# Returns whole numbers near `ideal` whose sum is `total`, each from 1 to
# `most`. The largest remainders come first, and ties go to the lower index.
apportion <- function(ideal, total, most) {
  quota <- pmin(pmax(floor(ideal), 1), most)
  while (sum(quota) != total) {
    step <- sign(total - sum(quota))
    able <- if (step > 0) quota < most else quota > 1
    distance <- ifelse(able, step * (ideal - quota), -Inf)
    quota[[which.max(distance)]] <- quota[[which.max(distance)]] + step
  }
  quota
}

kfold_splits <- function(units, resampling, arg) {
  y <- units$y
  k <- resampling$k
  if (k > length(y)) {
    abort_input(
      "{.arg {arg}} requests {k} folds of {length(y)} {units$word}s; give
       {.arg k} = {length(y)} or fewer.", arg
    )
  }
  size <- tabulate(y, nlevels(y))
  if (resampling$stratified && k > min(size)) {
    least <- levels(y)[[which.min(size)]]
    warn(
      "class {.val {least}} has {min(size)}
       {units$word}{cli::qty(min(size))}{?s}, fewer than the {k} folds: some
       test parts lack it.",
      "hitmiss_warning_folds"
    )
  }
  unlist(lapply(seq_len(resampling$times), function(repetition) {
    fold <- assign_folds(y, k, resampling$stratified)
    lapply(seq_len(k), function(f) {
      list(
        train = which(fold != f), test = which(fold == f),
        repetition = repetition, fold = f
      )
    })
  }), recursive = FALSE)
}

# Returns a fold for every sample. Each class is dealt out in random order,
# starting at the fold after the last one of the previous class.
assign_folds <- function(y, k, stratified = TRUE) {
  order <- if (stratified) {
    unlist(lapply(seq_len(nlevels(y)), function(c) {
      members <- which(as.integer(y) == c)
      draw_from(members, length(members))
    }))
  } else {
    sample.int(length(y))
  }
  fold <- integer(length(y))
  fold[order] <- rep_len(seq_len(k), length(y))
  fold
}
