# Layer: evaluate. Markers: features that tell one class from all others.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Markers of every class
#'
#' For each class (cluster, cell type), the features that tell it from all other
#' samples together. Candidates are, of the features that are higher in the
#' class, the `max(50, 2 n)` with the largest effect; among them [kbfs()]
#' selects half of the list. The other half is in the order of the effect.
#' Sparse data stay sparse. Effects are of all samples; [kbfs()] gets at most
#' 1,000 of the class and 1,000 of the others, evenly spaced.
#'
#' See `vignette("single-cell")`.
#'
#' @inheritParams logo
#' @param x Samples, as in [relief()]: logarithms of normalised values. Cells
#'   are samples: give `t(x)` of a matrix with cells in columns, or a
#'   SingleCellExperiment.
#' @param y Classes of the samples, or the name of a column.
#' @param n Number of features for each class.
#' @param direction `"up"`: features that are higher in the class; `"down"`:
#'   lower; `"any"`: both.
#' @param times 0, or the number of runs of [probe_fdr()], for the column `q`:
#'   the whole search of a class is repeated so many times with probes, which
#'   takes `2 times` as long.
#' @param group `NULL`, or the patient, donor or animal of each sample, as in
#'   [probe_fdr()], which permutes whole groups. Without it cells of one donor
#'   count as independent, and `q` is far too small. The other columns do not
#'   depend on it.
#' @return A [result][hitmiss-results] with `n` rows for each class: `class`,
#'   `rank`, `feature`, annotation, `direction`, `difference`, the mean in the
#'   class minus that in all other samples (the log fold change, if values are
#'   logarithms); `effect`, the difference in standard deviations within the
#'   two that is expected on new samples, see [hitmiss-methods], and
#'   `effect_raw`, that of these samples; `share_in` and `share_out`, the shares
#'   of samples in the class and outside with a value other than 0; `weight` of
#'   [kbfs()] (0: by effect alone); `t`, Welch's statistic, and `rank_t`,
#'   its rank among the features of the direction; `q` if `times` is above 0,
#'   otherwise `NA`. `$mean` and `$share`: matrices of the features in the table
#'   by class. `plot(n = 5)` draws the first `n` features of each class as dots
#'   (size: share; colour: mean).
#' @seealso [plot_heatmap()] for all samples: `plot_heatmap(x, y,
#'   unique(found$feature))`.
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15, 15), genes = 300)
#' found <- markers(toy$x, toy$y, n = 5, threads = 1)
#' found
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(found)
#' @export
markers <- function(x, y, n = 20, direction = c("up", "down", "any"),
                    times = 0, ..., group = NULL, assay = NULL,
                    threads = NULL) {
  n <- check_count(n)
  direction <- check_choice(direction)
  times <- check_count(times, min = 0, max = 1e6)
  check_no_dots(...)
  problem <- as_problem(x, y, assay = assay) |>
    with_groups(x, group = group, tell = times > 0L)
  warn_single_samples(problem$y)
  sums <- marker_sums(problem, threads)
  tables <- lapply(seq_len(nlevels(problem$y)), function(class) {
    table <- class_markers(problem, sums, class, n, direction, threads)
    table$q <- if (times > 0L && nrow(table) > 0L) {
      marker_q(problem, class, table$feature, n, direction, times, threads)
    } else {
      rep(NA_real_, nrow(table))
    }
    table
  })
  table <- do.call(rbind, tables)
  at <- match(table$feature, problem$features)
  table <- join_annotation(table, problem$annotation[at, , drop = FALSE])
  row.names(table) <- NULL
  shown <- unique(at)
  by_class <- function(sums) {
    sums <- t(t(sums[shown, , drop = FALSE]) / tabulate(problem$y))
    dimnames(sums) <- list(problem$features[shown], levels(problem$y))
    sums
  }
  new_result("markers", table, call = match.call(),
    mean = by_class(sums$sum), share = by_class(sums$nonzero), n = n,
    what = "markers",
    columns = setdiff(names(table), c(
      "weight", "effect_raw", "direction"[direction != "any"], "q"[!times]
    )),
    lines = sprintf(
      "markers (%s) of %d classes: %d samples x %s features", direction,
      nlevels(problem$y), length(problem$y), thousands(length(problem$features))
    ),
    notes = paste0(
      "difference: mean in the class minus that of all other samples; ",
      effect_words(length(problem$features), "within the two")
    ),
    glance = list(
      n_classes = nlevels(problem$y), n_samples = length(problem$y),
      n_features = length(problem$features), n = n, direction = direction
    )
  )
}

#' Sums, sums of squares and numbers of values other than 0, by class
#'
#' A few features at a time, so that copies of them take some tens of megabytes.
#' @return list(sum, square, nonzero): features x classes.
#' @noRd
marker_sums <- function(problem, threads) {
  class <- outer(as.integer(problem$y), seq_len(nlevels(problem$y)), "==") + 0
  sparse <- problem$storage == "sparse"
  places <- seq_along(problem$features)
  before <- if (sparse) {
    problem$values@p[-1L]
  } else {
    places * as.double(length(problem$y))
  }
  threads <- resolve_threads(threads)
  parts <- lapply(unname(split(places, before %/% 2^21)), function(at) {
    x <- if (sparse) {
      problem$values[, at, drop = FALSE]
    } else {
      feature_values(problem, at, threads)
    }
    lapply(list(sum = x, square = x^2, nonzero = (x != 0) * 1), function(of) {
      unname(as.matrix(Matrix::crossprod(of, class)))
    })
  })
  kinds <- c(sum = "sum", square = "square", nonzero = "nonzero")
  lapply(kinds, function(kind) do.call(rbind, lapply(parts, `[[`, kind)))
}

#' One class against all other samples
#'
#' @return list(difference, effect, expected, t, share_in, share_out), by
#'   feature.
#' @noRd
contrast_of_class <- function(sums, sizes, class) {
  n <- c(sizes[[class]], sum(sizes[-class]))
  both <- function(sums) {
    cbind(sums[, class], rowSums(sums[, -class, drop = FALSE]))
  }
  mean <- t(t(both(sums$sum)) / n)
  square <- both(sums$square)
  inner <- square - t(t(mean^2) * n)
  # Sums of squares below this are what rounding leaves of equal values.
  inner[inner < 1e-12 * square] <- 0
  difference <- mean[, 1L] - mean[, 2L]
  share <- t(t(both(sums$nonzero)) / n)
  over <- function(by) ifelse(difference == 0, 0, difference / by)
  effect <- over(sqrt(rowSums(inner) / max(1, sum(n) - 2)))
  list(
    difference = difference, effect = effect,
    expected = effect * expected_share(effect / sqrt(sum(1 / n)), sum(n) - 2),
    t = over(sqrt(rowSums(t(t(inner) / (pmax(1, n - 1) * n))))),
    share_in = share[, 1L], share_out = share[, 2L]
  )
}

# Returns those that kbfs() selects among the features of largest effect, then
# the others in the order of the effect.
class_markers <- function(problem, sums, class, n, direction, threads) {
  of <- contrast_of_class(sums, tabulate(problem$y), class)
  sign <- switch(direction, up = 1, down = -1, any = sign(of$difference))
  ordered <- function(by) {
    at <- order(-sign * by)
    at[(sign * by)[at] > 0 & is.finite(by[at])]
  }
  best <- utils::head(ordered(of$effect), max(50, 2 * n))
  weight <- numeric(length(of$t))
  if (length(best) > 1L) {
    inside <- as.integer(problem$y) == class
    # kbfs() takes 24 bytes for each pair of samples.
    some <- sort(c(spaced(which(inside), 1000L), spaced(which(!inside), 1000L)))
    values <- feature_values(problem, best, resolve_threads(threads))
    fit <- suppressMessages(suppressWarnings(
      kbfs.default(values[some, , drop = FALSE], factor(inside[some]),
        n = ceiling(n / 2), threads = threads
      ),
      classes = "hitmiss_warning"
    ), classes = "hitmiss_message")
    weight[best] <- fit$scores
  }
  at <- utils::head(best[order(-weight[best])], n)
  data.frame(
    class = rep(levels(problem$y)[[class]], length(at)), rank = seq_along(at),
    feature = problem$features[at],
    direction = c("down", "up")[1L + (of$difference[at] > 0)],
    difference = of$difference[at], effect = of$expected[at],
    effect_raw = of$effect[at],
    share_in = of$share_in[at], share_out = of$share_out[at],
    weight = weight[at], t = of$t[at], rank_t = match(at, ordered(of$t))
  )
}

# Returns the q of the features of a class by probes of the whole search. The
# messages on the data were given once for all classes.
marker_q <- function(problem, class, features, n, direction, times, threads) {
  rest <- factor(as.integer(problem$y) == class)
  x <- problem_rows(problem, seq_along(problem$y))
  listed <- function(x, y) {
    part <- as_problem(x, y)
    class_markers(
      part, marker_sums(part, threads), 2L, n, direction, threads
    )$feature
  }
  found <- suppressMessages(
    probe_fdr(x, rest, listed,
      times = times, n = n, group = problem$design$group
    ),
    classes = "hitmiss_message"
  )
  found$q[match(features, found$feature)]
}
