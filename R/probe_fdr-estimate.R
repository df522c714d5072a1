# Layer: evaluate. The runs with probes become estimates here: the table, its
# print, its features.
# SPDX-License-Identifier: GPL-3.0-or-later

new_fdr <- function(problem, raw, observed, runs, options, call) {
  ranks <- seq_len(min(options$n, length(observed$order)))
  copies <- if (options$type == "append") options$probes else 1L
  counts <- do.call(rbind, lapply(runs, function(run) {
    count_reaching(run$probe, run$real %||% observed$scores, length(ranks))
  }))
  fdr <- pmin(1, (1 + colSums(counts)) / (copies * nrow(counts) * ranks))
  q <- rev(cummin(rev(fdr)))
  at <- observed$order[ranks]
  share <- counts / copies / rep(ranks, each = nrow(counts))
  table <- data.frame(
    feature = problem$features[at], rank = ranks, score = observed$scores[at],
    fdr = fdr, q = q,
    upper = pmin(1, apply(share, 2L, stats::quantile, options$level)) |>
      pmax(q)
  ) |>
    cbind(kind_of(problem$y)$alone_columns(problem, at)) |>
    join_annotation(problem$annotation[at, , drop = FALSE])
  figures <- list(
    list_fdr = list_fdr(observed, runs, copies),
    list_size = if (observed$sparse) length(observed$selected) else NA_integer_,
    n_at = vapply(c("0.05" = 0.05, "0.1" = 0.1, "0.2" = 0.2), function(level) {
      max(0L, which(q <= level))
    }, 0L),
    auc = mean(vapply(runs, function(run) {
      mean(placements(run$real %||% observed$scores, run$probe))
    }, 0)),
    probe_counts = counts,
    type = options$type, times = nrow(counts), probes = copies,
    sparse = observed$sparse, level = options$level,
    n_features = length(problem$features), n_samples = length(problem$y),
    fit = raw, n_groups = n_groups(problem$design),
    samples = samples_words(problem$design),
    n_lacking = if (!is.null(problem$present)) {
      sum(at[q <= 0.1] %in% lacking_features(problem))
    }
  ) |>
    Filter(f = Negate(is.null))
  empty <- observed$sparse && length(observed$selected) == 0L
  # A sparse selector orders only the features that it selects, so the print
  # ends there.
  last <- if (observed$sparse) length(observed$selected) else nrow(table)
  do.call(new_result, c(
    list("fdr", table, call = call),
    figures,
    list(
      lines = fdr_lines(figures, nrow(table), empty), what = "features",
      columns = if (!empty) {
        intersect(c(
          "rank", "feature", "score", "q", "upper", "class", "direction",
          "effect", "z"
        ), names(table))
      },
      rows = unique(pmin(c(1, 5, 10, 20, 50, 100, 200), last)),
      notes = if (!empty) {
        fdr_notes(figures, nrow(table), kind_of(problem$y))
      },
      glance = c(
        figures[c("type", "times", "n_samples", "n_features")],
        stats::setNames(as.list(figures$n_at), c("q_05", "q_1", "q_2")),
        figures[c("list_size", "list_fdr", "auc")], figures["n_groups"]
      ) |> Filter(f = Negate(is.null))
    )
  ), quote = TRUE)
}

# Counts how many of `probe` reach the 1st, 2nd, ..., n-th largest of `real`.
count_reaching <- function(probe, real, n) {
  best <- sort(real, decreasing = TRUE)[seq_len(n)]
  length(probe) - findInterval(best, sort(probe), left.open = TRUE)
}

list_fdr <- function(observed, runs, copies) {
  if (!observed$sparse) {
    return(NA_real_)
  }
  false <- sum(vapply(runs, `[[`, 0, "n_probe"))
  real <- vapply(runs, `[[`, 0, "n_real")
  min(1, (1 + false) / (copies * max(1, sum(real))))
}

#' Features among which few false discoveries are expected
#'
#' @param x The result of [probe_fdr()].
#' @param q Largest estimated share of false discoveries, in (0, 1].
#' @param ... Must be empty.
#' @return Names of features, best first; possibly `character(0)`.
#' @export
selected.hitmiss_fdr <- function(x, q = 0.1, ...) {
  check_no_dots(...)
  check_result(x)
  q <- check_number(q, above = 0, max = 1)
  x$feature[x$q <= q]
}

fdr_lines <- function(x, n, empty) {
  c(
    paste("False discoveries by", if (x$type == "append") {
      in_words("probes, {x$probes} permuted cop{?y/ies} of each feature")
    } else {
      "permuted labels"
    }),
    sprintf("(%s)", fdr_size(x)),
    if (empty) {
      "The selector chose no feature, so there is no list to assess."
    } else {
      sprintf(
        "Features with q at most .05: %d; .1: %d; .2: %d (of the best %d)",
        x$n_at[[1L]], x$n_at[[2L]], x$n_at[[3L]], n
      )
    },
    if (x$sparse && !empty) {
      sprintf(
        "Of the %d selected, about %.0f %% are false", x$list_size,
        100 * x$list_fdr
      )
    }
  )
}

fdr_size <- function(x) {
  in_words(
    "{x$times} run{?s}; {x$samples} x {x$n_features} features"
  )
}

fdr_notes <- function(x, n, kind) {
  least <- 1 / (x$probes * x$times * n)
  expected <- sub(" *[;(].*", "", expected_words(x$n_features))
  c(
    if (x$n_at[["0.2"]] == 0L) {
      if (least > 0.2) {
        sprintf("q cannot be below %.2g here: use more runs (`times`).", least)
      } else {
        "No list has q at most .2: probes reach the top about as often as
         features."
      }
    },
    sprintf(paste(
      "q: expected share of false features in the list down to this one, on",
      "average over data sets; conservative where features are correlated.",
      "upper: what it may be in one data set (%g %% quantile over runs).",
      kind$alone_words(expected), "Batch effects are not detected."
    ), 100 * x$level),
    if (isTRUE(x$n_lacking > 0L)) {
      in_words("{x$n_lacking} of the {x$n_at[[2L]]} features with q at most .1
                {?misses/miss} values more often in one class:
                {cli::qty(x$n_lacking)}{?its difference/their differences} may
                be {?that/those} of what is missing.")
    }
  )
}

#' What each feature shows alone: the class
#' @noRd
class_columns <- function(problem, at) {
  runtime <- core_runtime()
  preprocess <- prepare_scaling(problem, "none", runtime)
  run <- structure(list(), threads = runtime$threads)
  table <- class_direction(c(
    class_differences(problem, preprocess, run), list(
      scores = problem$features, classes = levels(problem$y),
      preprocess = preprocess
    )
  ), at, means = TRUE)
  table <- table[c("class", "difference", "effect", "effect_raw")]
  # Nothing is known of what varies between classes alone.
  table[3:4][!is.finite(as.matrix(table[3:4]))] <- NA
  table[problem$features[at] %in% names(problem$levels), ] <- NA
  table
}
