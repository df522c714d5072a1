# Layer: input. A design says which samples belong to one block, group or pair,
# and so which may be compared.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Patients, pairs and batches
#'
#' Selectors and evaluations take `group`, `pair` and `block`, [markers()]
#' `group` alone: one value per sample, as a vector or as the name of a column
#' of a container's samples.
#'
#' @details
#' * `group`: the patient, donor or animal, where one of them has several
#'   samples. Samples of one group are never compared: a replicate is not a near
#'   hit. Evaluations never split a group between training and test parts, and
#'   what is counted, permuted or averaged are groups, not samples: see Units.
#' * `pair`: the matched pair (tumour and normal of one patient, case and
#'   controls of one set). The mean of its pair is subtracted from every value
#'   before scaling, and samples of one pair are not compared. Each pair must
#'   hold two classes; not together with `group`. Such a fit predicts whole
#'   pairs: `predict(fit, new, pair = )`. With a `block` that varies within
#'   pairs (tumours and normal samples in different batches) the effects of the
#'   blocks are taken out first, by least squares with pair and class in the
#'   training samples; new samples need their `block` too. A block that is the
#'   same for all samples of each pair has no effect on differences and is
#'   refused.
#' * `block`: the batch, chip or cohort. Only samples of the same block are
#'   compared, so that effects that are constant in a block, such as a batch
#'   shift, cancel. Scaling uses all samples. `block` does not increase power:
#'   where a class lies mostly in one batch, few pairs are left. With survival
#'   times see [relief()].
#'
#' A sample that may be compared with no sample of its own class is left out by
#' [relief()] with the methods `"relieff"` and `"relief"`, with one warning;
#' other methods use its near misses alone. A sample without any near miss is
#' left out, with one warning. Prediction ignores the design: new samples are
#' compared with all training samples.
#'
#' @section Several samples per patient:
#' If one sample of a patient (or donor, animal, cell line) is in the training
#' part and another in the test part, a classifier recognises the patient. Give
#' the patient as `group`:
#' \preformatted{error_curve(x, y, list(relief = relief), sizes = c(10, 20, 50),
#' resampling = kfold(5), group = patient)} The table shows the error for 30
#' patients of 3 samples each, 500 features that distinguish patients, and
#' labels drawn at random per patient, so that the true error is 50 % (40 data
#' sets, `tests/bench/patients.R`).
#'
#' | | error (standard error) |
#' |---|---|
#' | `kfold(5)` | 11.7 % (0.5) |
#' | `kfold(5)`, `group = patient` | 50.2 % (1.3) |
#' | `kfold(5)`, `nested = kfold(3)`, `group = patient` | 50.3 % (1.6) |
#'
#' [stability()], [probe_fdr()] and the `q` of [markers()] go wrong in the same
#' way. If names of samples such as `P01_T` and `P01_N`, or a column such as
#' `patient`, suggest groups that are not given, a message of class
#' `hitmiss_message_group` says so.
#'
#' To compare samples within patients, give `pair`.
#'
#' @section Units:
#' The unit of a sample is its `group`, else its `pair`, else the sample itself.
#' With units of several samples
#' * `difference` and `effect` are those of units: of each unit and class the
#'   mean of its samples. Units with both classes (with several, with the class
#'   and any other) give their differences, the other units a difference of two
#'   means; the two, and those of blocks, are weighted by the inverse of their
#'   variances, with Satterthwaite's degrees of freedom. Where a unit has one
#'   sample nothing changes. With fewer than three units in a class `effect` is
#'   `NA`. The means in the tables are those of samples.
#' * `z` of survival times has the variance of the score by units (Lin and Wei).
#' * a new sample is far from the training samples ([predict()]
#'   [predict.hitmiss]) if it is farther than a training sample from those of
#'   other units.
#' * permuted labels ([probe_fdr()], [interactions()], `permuted` of
#'   [error_curve()]) and probes: the classes of a unit with several classes
#'   change places within it, units of one class change places within their
#'   block. With numbers and survival times whole units do.
#'
#' @return None: this page is about arguments.
#' @name hitmiss-designs
#' @examples
#' toy <- simulate_microarray(samples = c(12, 12), genes = 100)
#' patient <- rep(1:12, each = 2)
#' fit <- relief(toy$x, toy$y, group = patient, threads = 1)
#' selected(fit, 5)
NULL

# ---- what is given -----------------------------------------------------------

#' A problem with its blocks, groups or pairs
#'
#' Adds the `design`, and as fields `block` and `group` the codes by which the
#' core compares samples: only those of one block, and never those of one group.
#' For pairs see with_pairs().
#' @param x What the problem was made from, for columns of a container.
#' @param block,group,pair One value per sample, the name of a column, or NULL.
#' @param ... See with_pairs().
#' @noRd
read_design <- function(problem, x, block = NULL, group = NULL, pair = NULL,
                        ...) {
  # What is wrong with the data is told before what lacks in the design.
  force(problem)
  block <- force_given(block, "block")
  group <- force_given(group, "group")
  pair <- force_given(pair, "pair")
  if (!is.null(pair)) {
    return(with_pairs(problem, x, pair, block, group, ...))
  }
  given <- Filter(Negate(is.null), list(block = block, group = group))
  values <- Map(design_column, given, list(x), names(given))
  codes <- Map(sample_codes, list(problem), values, names(given))
  names(codes) <- names(given)
  problem[names(codes)] <- codes
  problem$design <- new_design(
    length(problem$y), codes, lapply(values, \(v) unname(plain_vector(v))),
    if (is_texts(group, 1L)) group
  )
  problem
}

#' A problem with the design of a fit
#'
#' Warns about samples that cannot be compared with any sample of another class,
#' and so do not count. Fails if no sample is left.
#' @param x,block,group,pair As read_design() takes them.
#' @param by_sample Does the method sum over samples? Otherwise it sums over
#'   pairs, and a sample without a miss still counts through its hits.
#' @param hits Does a sample count only if it has a hit?
#' @noRd
with_design <- function(problem, x, block, group, pair = NULL, by_sample = TRUE,
                        hits = FALSE) {
  problem <- read_design(problem, x, block, group, pair, fitted = TRUE)
  # Each pair holds two classes, so that its samples have others to compare.
  if (is.null(pair)) {
    compared <- kind_of(problem$y)$compared(problem)
    given <- intersect(c("block", "group"), names(compared))
    if (length(given) > 0L) {
      check_comparable(compared, given, by_sample, hits)
    }
  }
  problem
}

#' A problem with the design of an evaluation, which tests on whole groups
#'
#' @param ... As read_design() takes them.
#' @param tell Give a message if samples look grouped and no group is given?
#' @noRd
with_groups <- function(problem, x, ..., tell = TRUE) {
  problem <- read_design(problem, x, ...)
  if (problem$design$word == "sample") {
    if (tell) {
      inform_groups(problem, sample_table(x)$columns)
      inform_copies(problem)
    }
  } else if (n_units(problem$design) == 1L) {
    abort_input(c(
      "{.arg group} is the same for all samples: no group is left to test on.",
      i = "Give one value for each patient, donor or animal."
    ), "group")
  }
  problem
}

# With survival times, samples of all blocks are compared after the block's mean
# is subtracted from each value, and a block has a Kaplan-Meier curve of its
# own.
check_strata <- function(problem) {
  if (is.null(problem$block)) {
    return(invisible())
  }
  poor <- tapply(times_of(problem$y)$event, problem$block, function(event) {
    length(event) < 10L || !any(event)
  })
  if (any(poor)) {
    names <- as.character(unique(problem$design$given$block)[poor])
    abort_input(c(
      "{cli::qty(length(names))}{?a value/values} of {.arg block} {?has/have}
       fewer than 10 samples or no event: {.val {utils::head(names, 5)}}.",
      i = "A block has means and a Kaplan-Meier curve of its own. Join small
           blocks, or leave their samples out."
    ), "block")
  }
}

sample_codes <- function(problem, values, arg) {
  n <- length(problem$y)
  values <- plain_vector(values)
  if (is.factor(values)) check_factor(values, arg)
  if (!is.atomic(values) || !is.null(dim(values)) || is.complex(values) ||
    is.raw(values) || length(values) != n) {
    abort_input(
      "{.arg {arg}} must be a vector with one value for each of the {n}
       sample{?s} of {.arg x}, not {describe(values)}.", arg
    )
  }
  check_sample_names(names(values), problem$samples, arg, problem$features)
  missing <- which(is.na(values))
  if (length(missing) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {length(missing)} missing value{?s}; the first belongs
       to sample {missing[[1L]]}.",
      i = if (arg == "pair") {
        "Keep the samples of which the pair is whole:
         {.code pair %in% pair[duplicated(pair, incomparables = NA)]}."
      } else {
        "A sample of unknown {arg} cannot be compared: leave it out, or give it
         a {arg} of its own."
      }
    ), arg, row = missing[[1L]])
  }
  inform_missing_text(values, arg)
  match(values, unique(values))
}

# ---- pairs -------------------------------------------------------------------

#' A problem of matched pairs (tumour and normal of one patient, say)
#'
#' From every value the mean of its pair is subtracted, before anything is
#' scaled or selected, and samples of one pair are not compared (`group` is the
#' pair). The means need no other sample and no label, so pairs may be centred
#' before they are split into training and test parts.
#' @param fitted Are all samples training samples? Then the effects of blocks
#'   are taken out of pairs.
#' @param raw Is a preparation learned first, see prepared_problem()?
#' @noRd
with_pairs <- function(problem, x, pair, block = NULL, group = NULL,
                       fitted = FALSE, raw = FALSE) {
  if (!is.null(group)) {
    abort_input(c(
      "{.arg pair} and {.arg group} cannot be given together: samples of one
       pair are never compared already.",
      i = "Leave out {.arg group}."
    ), "pair")
  }
  pair <- design_column(pair, x, "pair")
  codes <- sample_codes(problem, pair, "pair")
  kind_of(problem$y)$pairs(codes, problem, pair)
  problem$design <- new_design(
    length(codes), list(pair = codes), list(pair = codes)
  )
  if (!is.null(block)) {
    problem <- with_crossed_blocks(problem, design_column(block, x, "block"))
  }
  if (raw) {
    return(problem)
  }
  problem$values <- dense_by_sample(problem)
  problem$storage <- "dense"
  problem$features_in <- "columns"
  # A value that one of a pair lacks is missing in both from here on.
  if (!is.null(problem$present)) {
    problem$lacking <- missing_by_class(problem$present, tabulate(problem$y))
  }
  # Tables of evaluations are of all samples, too.
  adjusted <- without_blocks(problem)
  if (fitted) problem <- adjusted
  problem$values <- centre_pairs(problem$values, codes)
  problem$group <- codes
  # All samples of another pair are compared, not only the nearest of them.
  problem$matched <- TRUE
  problem$differences <- within_pairs(adjusted$values, codes, problem$y)
  if (is.null(problem$present)) {
    return(problem)
  }
  with_present(
    problem, "Of a pair in which one sample lacks a feature, both lack it."
  )
}

# Blocks (batches) say something of pairs only where they differ within them.
with_crossed_blocks <- function(problem, block) {
  codes <- sample_codes(problem, block, "block")
  pair <- problem$design$pair
  if (anyDuplicated(unique(cbind(pair, codes))[, 1L]) == 0L) {
    abort_input(c(
      "{.arg block} is the same for all samples of each {.arg pair}: differences
       within pairs are free of its effect already.",
      i = "Leave out {.arg block}."
    ), "block")
  }
  problem$design$block <- codes
  problem$design$given$block <- as.character(block)
  problem
}

# Returns a problem that was prepared with differences from its pairs, if any.
prepared_pairs <- function(problem) {
  if (is.null(problem$design$pair)) {
    return(problem)
  }
  problem$values <- centre_pairs(dense_by_sample(problem), problem$design$pair)
  problem[c("storage", "features_in")] <- c("dense", "columns")
  if (is.null(problem$present)) problem else with_present(problem)
}

refuse_pairs <- function(...) {
  abort_input(
    "{.arg pair} needs classes: with numbers or survival times no two samples
     of a pair are a hit or a miss.", "pair"
  )
}

# Each pair must hold two classes, because only differences within pairs are
# used.
check_pairs <- function(codes, problem, names) {
  if (max(codes) == 1L) {
    abort_input(
      "{.arg pair} is the same for all samples: samples of one pair are not
       compared, and nothing is left.", "pair"
    )
  }
  known <- function(y) length(unique(y[!is.na(y)]))
  n_classes <- tapply(problem$y, codes, known)
  bad <- which(n_classes < 2L)
  if (length(bad) > 0L) {
    which <- as.character(names[match(bad, codes)])
    abort_input(c(
      "{length(bad)} value{?s} of {.arg pair} {?has/have} no samples of two
       classes: {.val {utils::head(which, 5)}}.",
      i = "Leave {cli::qty(length(bad))}{?its/their} samples out. For several
           samples of a patient that are all of one class, give {.arg group}."
    ), "pair")
  }
}

# Returns the values as doubles with samples in rows. Differences within pairs
# (or blocks: `arg`) are no longer sparse.
dense_by_sample <- function(problem, arg = "pair") {
  if (!is.null(problem$levels)) {
    abort_input(c(
      "{.arg {arg}} needs numbers, and {.arg x} has categories: {.val
       {utils::head(names(problem$levels), 3)}}.",
      i = "Leave these columns out."
    ), arg)
  }
  if (problem$storage == "blocks") {
    abort_input(c(
      "{.arg {arg}} needs values in memory.",
      i = "Let them be read: {.code options(hitmiss.realise_memory = Inf)}."
    ), arg)
  }
  check_numbers_fit(3 * length(problem$y) * length(problem$features), "x")
  values <- as.matrix(problem$values)
  if (problem$features_in == "rows") values <- t(values)
  storage.mode(values) <- "double"
  values
}

#' New samples, centred by their own pairs
#'
#' @param fit A fit.
#' @param values Samples x features, as as_newdata() gives them.
#' @param pair,block As the user of predict() gave them.
#' @noRd
centre_newdata <- function(fit, values, newdata, pair, block = NULL) {
  if (is.null(fit$design$pair)) {
    if (!is.null(pair)) {
      abort_input(
        "This fit was made without {.arg pair}, so {.fn predict} does not take
         it.", "pair"
      )
    }
    return(values)
  }
  if (is.null(pair)) {
    abort_input(c(
      "This fit is of matched pairs and predicts whole pairs only.",
      i = "Give {.arg pair}: one value for each new sample, the same for the
           samples of a pair."
    ), "pair")
  }
  known <- list(y = seq_len(nrow(values)), samples = rownames(values))
  values <- without_block_effects(fit, values, newdata, block)
  pair <- design_column(pair, newdata, "pair", "newdata")
  codes <- sample_codes(known, pair, "pair")
  alone <- which(tabulate(codes)[codes] == 1L)
  if (length(alone) > 0L) {
    abort_input(c(
      "Sample {alone[[1L]]} is the only one of its {.arg pair}: a difference
       from itself says nothing.",
      i = "Give whole pairs."
    ), "pair", row = alone[[1L]])
  }
  measured <- attr(values, "measured")
  if (!is.null(measured)) {
    # Of a pair in which one sample lacks a feature, both lack it.
    measured <- !is.na(centre_pairs(replace(values, !measured, NA), codes))
  }
  structure(centre_pairs(values, codes),
    pair = as.character(pair), measured = measured
  )
}

# Takes the effects of training blocks out of new samples of these blocks.
without_block_effects <- function(fit, values, newdata, block) {
  effects <- fit$effects_of_blocks
  if (is.null(effects)) {
    return(values)
  }
  known <- list(y = seq_len(nrow(values)), samples = rownames(values))
  block <- force_given(block, "block") |>
    design_column(newdata, "block", "newdata")
  if (length(block) > 0L) sample_codes(known, block, "block")
  if (length(block) == 0L || !all(as.character(block) %in% rownames(effects))) {
    abort_input(c(
      "This fit has taken the effects of {.arg block} out of its pairs, and
       needs the block of each new sample.",
      i = "Blocks of the training samples: {.val {rownames(effects)}}."
    ), "block")
  }
  values - effects[as.character(block), colnames(values), drop = FALSE]
}

# ---- groups kept whole -------------------------------------------------------

#' The units that are split: samples, or groups of them
#'
#' The class of a group is that of most of its samples, the first one if classes
#' tie.
#' @return list(y: class of each unit; of: the unit of each sample, or NULL if
#'   each sample is a unit; samples: classes of the samples; word: name of a
#'   unit).
#' @noRd
sample_units <- function(y, design = new_design(length(y))) {
  if (design$word == "sample") {
    return(list(y = y, samples = y, word = "sample"))
  }
  of <- match(design$unit, unique(design$unit))
  class <- vapply(split(as.integer(y), of), \(c) which.max(tabulate(c)), 1L)
  list(
    y = droplevels(factor(levels(y)[class], levels(y))), of = of, samples = y,
    word = "group"
  )
}

# Returns the positions of the samples of some units.
samples_of <- function(chosen, units) {
  if (is.null(units$of)) chosen else which(units$of %in% chosen)
}

# ---- in words ----------------------------------------------------------------

# Returns what the parameters of a fit say of a design: the numbers of blocks,
# groups and pairs.
design_sizes <- function(problem) {
  count <- function(codes) if (!is.null(codes)) length(unique(codes))
  design <- problem$design
  c(
    list(block = count(design$block), group = count(design$group)),
    if (!is.null(design$pair)) list(pair = count(design$pair))
  )
}

design_line <- function(parameters) {
  number <- parameters[c("pair", "block", "group")]
  words <- c(
    "differences from the mean of each of %d pairs",
    if (is.null(parameters$pair)) {
      "samples of different blocks not compared (%d blocks)"
    } else {
      "effects of %d blocks are taken out"
    },
    "samples of one group not compared (%d groups)"
  )
  given <- !vapply(number, is.null, NA)
  if (any(given)) toString(sprintf(words[given], unlist(number)))
}
