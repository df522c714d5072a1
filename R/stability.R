# Layer: evaluate. stability() asks how much selections agree from one sample of
# the data to the next.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Stability of feature selection
#'
#' Measures how much the features selected on different samples agree: corrected
#' for chance (Nogueira, Kuncheva), as a plain overlap (Jaccard), and for
#' permuted labels (`baseline`).
#'
#' @details **Halves.** `error_curve(resampling = kfold(2, times = 10))` selects
#' on both halves of ten random halvings. Two halves share no sample, so they
#' are two independent studies of half the size, and the mean index of the two
#' lists over the halvings says how much two such studies agree. Studies of your
#' size agree more; how much more cannot be told from one study. The interval is
#' \deqn{h \pm t_{B - 1} s \sqrt{1 + 1/B}}{h +- t_(B-1) s sqrt(1 + 1/B)}, with h
#' and s the mean and the standard deviation of the index over B halvings: the
#' index of one halving varies within a study about as h varies between studies.
#' Over six kinds of studies, two selectors and two sizes of lists (60 data sets
#' each, `tests/bench/levels.R`), the index of independent studies lay in .92 to
#' 1.00 of the intervals (mean .97).
# csv: "lay in .92" levels-stability min:share * # nolint
# csv: "lay in .92 to 1.00" levels-stability max:share * # nolint
# csv: "the intervals (mean .97" levels-stability mean:share * # nolint
#'
#' Other training parts share samples, which makes lists agree: their index has
#' no interval, nor has that of sets of your own.
#'
#' **Indices.** There are `M` sets among `J` features (two, of a halving); `p_j`
#' is the share of the sets that hold feature `j`, `k_i` the size of set `i`,
#' and `k` the mean size.
#'
#' * **Nogueira** (Nogueira, Sechidis, Brown 2018, Definition 4): `Phi = 1 -
#'   M/(M-1) mean_j(p_j (1 - p_j)) / (k/J (1 - k/J))`. Sets may differ in size;
#'   random sets give about 0, equal sets 1, and no value is below `-1/(M-1)`.
#'   `NA` if all sets are empty, if all hold every feature, or if `M < 2`.
#' * **Kuncheva** (2007): mean over pairs of sets of `(r - k^2/J) / (k -
#'   k^2/J)`, `r` their overlap. Defined only for sets of one size, where it
#'   equals Nogueira's index; otherwise `NA`.
#' * **Jaccard**: mean over pairs of sets of the number of features in both
#'   sets, divided by the number in at least one; pairs of empty sets are left
#'   out. Not corrected for chance: longer lists agree more.
#'
#' **Baseline.** The mean index over `error_curve(permuted = )` permutations of
#' the labels, on the same splits; without them the column is `NA`. Of halves it
#' is about 0. Training parts that share samples agree for this reason alone:
#' compare with it, not with 0. With `group`, labels are permuted between groups
#' as in [probe_fdr()].
#'
#' Several samples of one patient need `group` in the curve, see
#' [hitmiss-designs]. Empty sets count as sets.
#'
#' @param sets The result of [error_curve()]; or a list of sets, each the names
#'   or the positions of features, or a fit.
#' @param n_features Number of features that the sets were selected from; not
#'   needed for curves and fits.
#' @param level Level of the interval.
#' @param ... Must be empty.
#' @return A [result][hitmiss-results] with a row per selector and size:
#'   `selector`, `size`, `mean_k`, `sd_k` (of the sizes of the sets), `empty`:
#'   the number of empty sets, `nogueira`, `lower`, `upper`, `kuncheva`,
#'   `jaccard`, `baseline`. `$frequency`, a matrix, features x rows of the
#'   table, the share of sets that hold a feature; `$n_sets` (per row),
#'   `$n_features`, `$exact` (whether every set of a row has the row's size).
#'   `plot()` draws the index against the number of features, with interval and
#'   baseline; `plot(type = "frequency", n = 30)` the features selected most
#'   often, of the row that `selector` and `size` name, with the texts of
#'   `label` (named by feature) for their names.
#' @references
#' `r reference("stability")`
#'
#' `r reference("kuncheva")`
#'
#' `r reference("stability_selection")`
#' @seealso [selected.hitmiss_stability()]
#' @examples
#' stability(list(c("a", "b"), c("a", "c"), c("a", "b")), n_features = 6)
#'
#' array <- simulate_microarray(samples = c(15, 15), genes = 200)
#' selectors <- list(fisher = function(x, y) reference_scores(x, y))
#' set.seed(1)
#' curve <- error_curve(array$x, array$y, selectors,
#'   sizes = c(5, 10, 20), resampling = kfold(2, times = 10)
#' )
#' stability(curve)
#' @export
stability <- function(sets, n_features = NULL, level = 0.95, ...) {
  check_no_dots(...)
  if (missing(sets)) abort_missing("sets")
  level <- check_number(level, above = 0, below = 1)
  groups <- if (inherits(sets, "hitmiss_curve")) {
    curve_groups(check_curve(sets, "sets"))
  } else {
    list_group(sets, n_features)
  }
  new_stability(groups, level, match.call())
}

new_stability <- function(groups, level, call) {
  # The indices need all pairs of sets, and the frequency of each feature in
  # each row.
  most <- as.double(max(lengths(groups$sets)))
  check_numbers_fit(2 * most^2, "sets")
  check_numbers_fit(
    as.double(length(groups$features)) * length(groups$sets), "sets"
  )
  indices <- Map(set_indices,
    groups$sets, groups$halves %||% list(NULL), groups$n_features, level
  )
  table <- cbind(
    data.frame(selector = groups$selector, size = groups$size),
    do.call(rbind, indices),
    baseline = groups$chance %||% rep(NA_real_, length(groups$sets))
  )
  rownames(table) <- NULL
  n_sets <- lengths(groups$sets)
  frequency <- do.call(cbind, lapply(groups$sets, function(sets) {
    feature_counts(sets, length(groups$features)) / max(1, length(sets))
  }))
  dimnames(frequency) <- list(
    groups$features, ifelse(is.na(table$size), table$selector,
      paste(table$selector, integer_text(table$size))
    )
  )
  exact <- mapply(
    \(sets, size) all(lengths(sets) == size), groups$sets, table$size
  )
  about <- paste(c(
    sprintf("%s sets among %d features",
      paste(unique(range(n_sets)), collapse = " to "), groups$n_features
    ), if (!is.null(groups$resampling)) {
      resampling_words(groups$resampling, groups$design)
    }
  ), collapse = ": ")
  known <- table$nogueira[!is.na(table$nogueira)]
  new_result("stability", table, call = call,
    frequency = frequency, n_sets = n_sets, n_features = groups$n_features,
    level = level, resampling = groups$resampling, exact = exact,
    n_groups = if (!is.null(groups$design)) n_groups(groups$design),
    about = about, lines = paste("Stability of", about),
    columns = setdiff(names(table), c(
      "sd_k", if (all(is.na(table$size))) "size"
    )),
    notes = stability_notes(table, n_sets, level, groups$of_halves),
    glance = list(
      rows = nrow(table), n_sets = min(n_sets), n_features = groups$n_features,
      nogueira_min = if (length(known) > 0L) min(known) else NA_real_,
      nogueira_max = if (length(known) > 0L) max(known) else NA_real_,
      level = level
    )
  )
}

# `of_halves`: the samples of a half in words, or NULL where the sets are not
# those of halves.
stability_notes <- function(table, n_sets, level, of_halves) {
  undefined <- sum(is.na(table$nogueira))
  c(
    if (undefined > 0L) undefined_words(n_sets, undefined),
    if (is.null(of_halves)) {
      "No interval: training parts that share samples agree more than studies
       do. For two studies of half the size: error_curve(resampling = kfold(2,
       times = 10))."
    } else if (nrow(table) == 1L && !is.na(table$lower)) {
      sprintf(
        "Agreement of two studies of %s each: %.2f [%.2f, %.2f]; studies of your
         size agree more.", of_halves, table$nogueira, table$lower, table$upper
      )
    } else {
      sprintf(
        "Agreement of two studies of %s each, with %g %% interval; studies of
         your size agree more.", of_halves, 100 * level
      )
    },
    if (all(is.na(table$baseline))) {
      "No baseline: error_curve(permuted = 10) compares with permuted labels."
    } else {
      "baseline: the same with permuted labels; compare with it, not with 0."
    }
  )
}

# Says why an index is NA: there are too few sets, or all features or none are
# in each.
undefined_words <- function(n_sets, n_rows) {
  sprintf(
    "NA in %d row%s: %s", n_rows, if (n_rows > 1L) "s" else "",
    if (all(n_sets < 2L)) {
      "at least two sets are needed for a comparison."
    } else {
      "all sets empty, all sets of all features, or fewer than two sets."
    }
  )
}

# ---- where the sets come from -----------------------------------------------

#' Sets of a curve by selector and size
#'
#' @return list(sets: a list of sets per group; halves: per group the pairs of
#'   sets of one halving, or NULL; of_halves: how many samples a half has, in
#'   words; selector, size, features, n_features, resampling); splits that
#'   failed are left out.
#' @noRd
curve_groups <- function(curve) {
  grid <- expand.grid(
    size = seq_along(curve$sizes), selector = curve$selectors,
    stringsAsFactors = FALSE
  )
  known <- function(sets) Filter(Negate(is.null), sets)
  halvings <- curve_halvings(curve)
  pairs <- function(sets) {
    Filter(\(pair) length(pair) == 2L, lapply(halvings, \(at) known(sets[at])))
  }
  sets <- Map(function(selector, at) {
    size_sets(curve$selections[[selector]], curve$sizes, at)
  }, grid$selector, grid$size)
  # The baseline is the mean index of the same selections with permuted labels.
  chance <- unlist(Map(function(selector, at) {
    mean_index(vapply(curve$permuted[[selector]], function(lists) {
      sets <- size_sets(lists, curve$sizes, at)
      sets <- if (is.null(halvings)) list(known(sets)) else pairs(sets)
      mean_index(vapply(sets, nogueira, 0, length(curve$features)))
    }, 0))
  }, grid$selector, grid$size))
  list(
    sets = unname(lapply(sets, known)),
    halves = if (!is.null(halvings)) unname(lapply(sets, pairs)),
    of_halves = if (!is.null(halvings)) half_words(curve),
    chance = if (!is.null(curve$permuted)) unname(chance),
    selector = grid$selector,
    size = curve$sizes[grid$size], features = curve$features,
    n_features = length(curve$features), resampling = curve$resampling,
    design = curve$design
  )
}

# Returns the positions of the two splits of each repetition, if no training
# sample of one is in the other; otherwise NULL.
curve_halvings <- function(curve) {
  by_repetition <- split(seq_along(curve$splits), repetition_of(curve$splits))
  unit <- curve$design$unit
  disjoint <- vapply(by_repetition, function(at) {
    parts <- lapply(curve$splits[at], \(split) unique(unit[split$train]))
    length(at) == 2L && anyDuplicated(unlist(parts)) == 0L
  }, NA)
  if (all(disjoint)) unname(by_repetition)
}

half_words <- function(curve) {
  unit <- curve$design$unit
  sizes <- vapply(curve$splits, \(s) length(unique(unit[s$train])), 0L)
  sprintf(
    "%.0f %ss", mean(sizes), curve$design$word
  )
}

list_group <- function(sets, n_features) {
  if (!is.list(sets) || is.object(sets) || length(sets) == 0L) {
    abort_input(
      "{.arg sets} must be the result of {.fn error_curve} or a list of sets,
       not {describe(sets)}.", "sets"
    )
  }
  fits <- all(vapply(sets, inherits, NA, "hitmiss"))
  if (fits) {
    for (fit in sets) check_fit(fit, "sets")
    features <- unique(unlist(lapply(sets, function(f) names(f$scores))))
    n_features <- n_features %||% length(features)
    if (any(vapply(sets, is_ranker, NA))) {
      abort_input(c(
        "{.arg sets} holds rankings, which do not say how many features to
         select.",
        i = "Give lists of the same length: {.code lapply(sets, selected, n =
             20)}, with {.arg n_features}."
      ), "sets")
    }
    sets <- lapply(sets, function(fit) fit$selected)
  }
  if (is.null(n_features)) {
    abort_input(
      "{.arg n_features} must say how many features there were to choose from:
       {.arg sets} does not contain this number.", "n_features"
    )
  }
  n_features <- check_count(n_features, "n_features")
  check_numbers_fit(as.double(n_features) * (length(sets) + 8), "n_features")
  if (!fits) features <- known_features(sets, n_features)
  if (length(features) > n_features) {
    abort_input(
      "{.arg sets} names {length(features)} features, more than
       {.arg n_features} = {n_features}.", "n_features"
    )
  }
  list(
    sets = list(lapply(sets, function(set) {
      if (length(set) == 0L) {
        return(integer())
      }
      feature_positions(set, features, "sets")
    })),
    selector = "sets", size = NA_real_, features = features,
    n_features = n_features, resampling = NULL
  )
}

# Sets may hold these names: all that occur, or all positions.
known_features <- function(sets, n_features) {
  bare <- lengths(sets) == 0L
  if (all(vapply(sets, is.character, NA) | bare)) {
    return(unique(as.character(unlist(sets))))
  }
  if (!all(vapply(sets, is.numeric, NA) | bare)) {
    abort_input(
      "the elements of {.arg sets} must all be names of features, or all
       positions, or all fits.", "sets"
    )
  }
  as.character(seq_len(n_features))
}

# ---- features of a result ----------------------------------------------------

#' Features that are selected in many training parts
#'
#' @details
#' With halves for training ([holdout()], or `kfold(2)`), and sets that all have
#' the same size \eqn{q} (as from a ranking), the names carry an attribute
#' `bound`: at most \eqn{q^2 / ((2 \pi - 1) J)} of them are expected to be
#' false, for a share \eqn{\pi} above 1/2 and \eqn{J} features (Meinshausen,
#' Buehlmann 2010, Theorem 1; it assumes that irrelevant features are
#' exchangeable and that the selector is no worse than chance). The bound
#' is very conservative; [probe_fdr()] finds more.
#'
#' @param x The result of [stability()].
#' @param share The least share of the sets that a feature must be in.
#' @param selector,size Which row of the table, if there are several.
#' @param ... Must be empty.
#' @return Names of features, most often selected first.
#' @examples
#' sets <- list(c("a", "b"), c("a", "c"), c("a", "b"))
#' stab <- stability(sets, n_features = 6)
#' selected(stab, share = 0.6)
#' @export
selected.hitmiss_stability <- function(x, share = 0.8, selector = NULL,
                                       size = NULL, ...) {
  check_no_dots(...)
  check_result(x)
  share <- check_number(share, above = 0, max = 1)
  row <- stability_row(x, selector, size)
  frequency <- x$frequency[, row]
  keep <- which(frequency >= share - 1e-12)
  names <- names(frequency)[keep[order(-frequency[keep], keep)]]
  plan <- x$resampling
  half <- identical(as.double(plan$train), 0.5) || identical(plan$k, 2L)
  if (half && share > 0.5 && isTRUE(x$exact[[row]])) {
    attr(names, "bound") <-
      x$size[[row]]^2 / ((2 * share - 1) * x$n_features)
  }
  names
}

# Returns the one row that `selector` and `size` name.
stability_row <- function(x, selector, size) {
  is_one_of <- function(column, wanted) {
    is.null(wanted) | column %in% (if (is.atomic(wanted)) wanted)
  }
  meant <- is_one_of(x$selector, force_given(selector, "selector"))
  rows <- which(meant & is_one_of(x$size, force_given(size, "size")))
  if (length(rows) != 1L) {
    single <- length(unique(x$selector[meant])) == 1L
    abort_input(
      "{.arg selector} and {.arg size} must name one row of the table: a
       selector of {.or {.val {unique(x$selector)}}}, a size of
       {.or {.val {unique(x$size)}}}.", if (single) "size" else "selector"
    )
  }
  rows
}
