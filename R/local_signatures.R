# Layer: evaluate. local_signatures() asks which of a sample's own features come
# back on other samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Features of single samples that refits select again
#'
#' [llfs()] selects a feature subset for every sample, which may depend strongly
#' on the other samples in the data. `local_signatures()` fits it again to
#' random subsamples of 80 % of each class. The frequency of a feature in a
#' sample is the share, of the refits in which the sample is a representative,
#' that select the feature for it. A feature is *called* for a sample if its
#' frequency is at least `level`.
#'
#' Probes show how high frequencies are by chance: copies of all features with
#' permuted samples, so that probes are correlated with each other as the
#' features are, but not related to the classes. Each of `sets` such copies is
#' added to the data separately, so `times * sets` fits are made, to twice the
#' features. A larger `alpha` raises the frequencies by chance. With few samples
#' of a class do not lower `share`: at 50 % the relevant feature of
#' [simulate_localized()] is selected again less often
#' (`tests/bench/local_signatures.R`).
#'
#' @param x,y Data and labels, as in [llfs()].
#' @param ... Arguments of [llfs()], by name; a single value of `alpha` takes a
#'   fifth of the time.
#' @param times Number of subsamples.
#' @param sets Number of sets of probes.
#' @param share Share of the samples (or groups) of each class in a subsample.
#' @param level Lowest frequency at which a feature is called.
#' @param block,group,pair As in [llfs()]. Groups and pairs are drawn whole;
#'   probes are permuted within blocks.
#' @param assay Which assay of a container, as in [llfs()].
#' @param threads Number of threads, see [hitmiss-package].
#' @param verbose Show a progress bar? In interactive sessions there always is
#'   one.
#' @return A [result][hitmiss-results] with a row for each sample and feature
#'   called: `sample`, its name or number; `class`, `feature`, `frequency`,
#'   `highest_probe`: the highest frequency of this sample's probes. `$classes`,
#'   a data.frame: `class`, `samples`, `with_calls`: number of samples with a
#'   call; `called`: number of features called in any of its samples;
#'   `probes_called`: the same number for probes, mean over the sets;
#'   `false_share`: (1 + `probes_called`) / `called`, at most 1, on average an
#'   upper bound of the share of false calls; `NA` without calls. `$frequency`,
#'   a sparse matrix samples x features; `$refits`, the number in which each
#'   sample is a representative; `$highest_probe`, `$labels`, `$parameters`.
#' @seealso [stability()] for features selected for all samples together.
#' @examples
#' toy <- simulate_localized(samples = c(10, 10, 20), noise = 10)
#' set.seed(1)
#' local_signatures(toy$x, toy$y, alpha = 2, times = 5, sets = 2, threads = 1)
#' @export
local_signatures <- function(x, y, ..., times = 50, sets = 5, share = 0.8,
                             level = 0.9, block = NULL, group = NULL,
                             pair = NULL, assay = NULL, threads = NULL,
                               verbose = FALSE) {
  problem <- as_problem(x, y, assay = assay) |>
    with_design(x, block, group, pair)
  if (is.null(group) && is.null(pair)) inform_copies(problem)
  options <- list(
    times = check_count(times), sets = check_count(sets),
    share = check_number(share, above = 0, max = 1),
    level = check_number(level, above = 0, max = 1)
  )
  verbose <- check_flag(verbose)
  n <- as.double(length(problem$y))
  check_numbers_fit(2 * n * length(problem$features), "x")
  check_numbers_fit(n * options$times, "times")
  check_numbers_fit(n * options$sets, "sets")
  fit <- function(x, y, block, group) {
    llfs(x, y, ..., block = block, group = group, threads = threads)
  }
  counts <- signature_counts(problem, fit, options, verbose)
  new_signatures(problem, counts, options, match.call())
}

#' How often is each feature in the subset of each sample?
#'
#' @return list(refits: of each sample in each set; selected: samples x
#'   features, over all sets; probes: the same of each set's probes).
#' @noRd
signature_counts <- function(problem, fit, options, verbose) {
  n <- length(problem$y)
  # Probes are added as columns, so all values are read into memory whatever
  # holds x.
  values <- as.matrix(problem_rows(problem, seq_len(n)))
  storage.mode(values) <- "double"
  strata <- problem$block %||% rep(1L, n)
  orders <- lapply(seq_len(options$sets), \(set) permuted_rows(strata))
  draws <- lapply(
    seq_len(options$times), \(r) draw_subsample(problem, options$share)
  )
  refits <- matrix(0L, n, options$sets) # as representatives
  none <- empty_counts(n, ncol(values))
  selected <- none
  probes <- rep(list(none), options$sets)
  say_once <- once_by_class()
  progress <- progress_reporter("Local signatures", verbose)
  progress(0)
  for (set in seq_len(options$sets)) {
    both <- cbind(values, values[orders[[set]], , drop = FALSE])
    colnames(both) <- seq_len(ncol(both))
    for (r in seq_along(draws)) {
      rows <- draws[[r]]
      found <- say_once(fit(
        both[rows, , drop = FALSE], problem$y[rows], problem$block[rows],
        problem$group[rows]
      ))
      at <- Matrix::t(subset_matrix(found))
      rows <- rows[representatives(found)]
      refits[rows, set] <- refits[rows, set] + 1L
      real <- seq_len(ncol(values))
      selected <- add_rows(selected, at[, real, drop = FALSE], rows)
      probes[[set]] <- add_rows(probes[[set]], at[, -real, drop = FALSE], rows)
      progress(
        ((set - 1) * length(draws) + r) / (options$sets * length(draws))
      )
    }
  }
  list(refits = refits, selected = selected, probes = probes)
}

as_columns <- function(counts) methods::as(counts, "CsparseMatrix")

empty_counts <- function(n, j) {
  Matrix::sparseMatrix(
    i = integer(), j = integer(), x = numeric(), dims = c(n, j)
  )
}

# Adds `part` to those rows of `total` to which it belongs.
add_rows <- function(total, part, rows) {
  places <- Matrix::sparseMatrix(
    i = rows, j = seq_along(rows), x = 1, dims = c(nrow(total), length(rows))
  )
  total + places %*% part
}

# Draws a proportion of each class, at least one sample, and keeps groups whole.
# A group belongs to the class that most of its samples have.
draw_subsample <- function(problem, share) {
  y <- as.integer(problem$y)
  units <- sample_units(problem$y, problem$group)
  chosen <- unlist(lapply(split(seq_along(units$y), units$y), function(of) {
    draw_from(of, max(1L, round(share * length(of))))
  }), use.names = FALSE)
  rows <- samples_of(chosen, units)
  # A class may have samples only in groups that belong to another class, and is
  # then absent.
  absent <- setdiff(y, y[rows])
  sort(c(rows, vapply(absent, \(c) draw_from(which(y == c), 1L), 1L)))
}

new_signatures <- function(problem, counts, options, call) {
  y <- problem$y
  samples <- unique_names(problem$samples, length(y))
  of_refits <- function(selected, refits) {
    selected@x <- selected@x / pmax(refits, 1)[selected@i + 1L]
    selected
  }
  refits <- as.integer(rowSums(counts$refits))
  frequency <- of_refits(as_columns(counts$selected), refits)
  dimnames(frequency) <- list(samples, problem$features)
  probes <- Map(function(selected, set) {
    of_refits(as_columns(selected), counts$refits[, set])
  }, counts$probes, seq_len(options$sets))
  highest <- Reduce(pmax, lapply(probes, row_maxima))
  called <- called_cells(frequency, options$level)
  calls <- data.frame(
    sample = samples[called$row], class = y[called$row],
    feature = problem$features[called$column], frequency = called$frequency,
    highest_probe = highest[called$row]
  )
  calls <- calls[order(called$row, -called$frequency, called$column), ]
  row.names(calls) <- NULL
  classes <- called_by_class(called, probes, y, options$level)
  new_result("signatures", calls, call = call,
    classes = classes, frequency = frequency, refits = refits,
    highest_probe = stats::setNames(highest, samples),
    labels = stats::setNames(y, samples), parameters = options,
    what = "calls", lines = signature_lines(classes, options),
    glance = list(
      n_samples = length(y), n_features = length(problem$features),
      n_calls = nrow(calls), with_calls = sum(classes$with_calls),
      times = options$times, sets = options$sets, level = options$level
    )
  )
}

signature_lines <- function(classes, options) {
  c(
    sprintf(
      "local signatures of %d samples: %d x %d refits to %g %% of each class",
      sum(classes$samples), options$times, options$sets, 100 * options$share
    ),
    sprintf(
      "%d of %d samples %s features in at least %g %% of their refits",
      sum(classes$with_calls), sum(classes$samples),
      if (sum(classes$with_calls) == 1L) "has" else "have",
      100 * options$level
    ),
    sprintf(
      "%s: %d of %d samples with calls, %d features called%s",
      classes$class, classes$with_calls, classes$samples, classes$called,
      ifelse(classes$called == 0L, "", sprintf(
        "; %.3g probes called on average, share of false calls at most %.2g",
        classes$probes_called, classes$false_share
      ))
    )
  )
}

# This works because values are sorted and not negative: the last assignment to
# a row is its maximum.
row_maxima <- function(m) {
  maxima <- numeric(nrow(m))
  order <- order(m@x)
  maxima[m@i[order] + 1L] <- m@x[order]
  maxima
}

# Frequencies are quotients of counts, so those exactly at the level are called
# too.
called_cells <- function(frequency, level) {
  at <- which(frequency@x >= level - 1e-9)
  list(
    row = frequency@i[at] + 1L,
    column = rep(seq_len(ncol(frequency)), diff(frequency@p))[at],
    frequency = frequency@x[at]
  )
}

called_by_class <- function(called, probes, y, level) {
  of_probes <- lapply(probes, called_cells, level)
  features <- function(cells, class) {
    length(unique(cells$column[y[cells$row] == class]))
  }
  found <- vapply(levels(y), \(class) features(called, class), 1L)
  by_chance <- vapply(levels(y), function(class) {
    mean(vapply(of_probes, features, 1L, class))
  }, 0)
  data.frame(
    class = factor(levels(y), levels(y)), samples = tabulate(y, nlevels(y)),
    with_calls = vapply(levels(y), \(class) {
      length(unique(called$row[y[called$row] == class]))
    }, 1L),
    called = found, probes_called = by_chance,
    false_share = ifelse(found > 0L, pmin(1, (1 + by_chance) / found), NA),
    row.names = NULL
  )
}
