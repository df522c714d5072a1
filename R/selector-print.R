# Layer: use. print() and summary() of a fit are made of the lines in this file.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @rdname hitmiss-methods
#' @export
print.hitmiss <- function(x, n = 10, digits = 4, ...) {
  check_no_dots(...)
  check_fit(x)
  n <- check_top(n)
  digits <- check_count(digits, "digits", max = 15)
  print_lines(c(title_lines(x), body_lines(x)))
  cat("\n")
  # A sparse fit does not order the features that it leaves out.
  all <- if (is_ranker(x)) x$n_features else length(x$selected)
  # The table has room for one column of the annotation: the gene symbol.
  shown <- x
  shown$annotation <- x$annotation[symbol_column(x$annotation)]
  top <- feature_table(shown, min(n, all), means = FALSE)
  top$selected <- NULL
  top <- rounded_table(top, digits)
  if (all > 0L) print_table(top, digits = max(digits, 7L))
  if (all > nrow(top)) {
    cat(sprintf("... and %s more\n", thousands(all - nrow(top))))
  }
  print_lines(c(
    fit_kind(x)$legend(x), best_counts_lines(x),
    calibration_line(x),
    if (!is_ranker(x) && all < 10L && x$n_features > 1000L) {
      "Other samples may give other features: see stability() of an
       error_curve()."
    }
  ))
  invisible(x)
}

#' @rdname hitmiss-methods
#' @export
summary.hitmiss <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(fit = check_fit(object, "object")), class = "summary_hitmiss"
  )
}

#' @export
print.summary_hitmiss <- function(x, n = 10, ...) {
  check_no_dots(...)
  fit <- check_fit(x$fit, "x$fit")
  print(fit, n = n)
  cat("\n")
  constant <- names(fit$scores)[fit$preprocess$constant]
  print_lines(c(
    paste0("Parameters: ", parameter_text(fit$parameters, "; ")),
    solver_line(fit),
    paste0(
      "Constant features (never selected): ",
      if (length(constant) == 0L) "none" else listed(constant)
    ),
    "Scores order the features of this fit. Between fits compare ranks, effects,
     or the q of probe_fdr().",
    sprintf(
      "Took %.2f s on %d thread%s; hitmiss %s.", fit$report$seconds,
      fit$report$threads, if (fit$report$threads == 1L) "" else "s", fit$version
    )
  ))
  invisible(x)
}

#' The name of the column that holds gene symbols, or none
#' @param annotation A data.frame, or NULL.
#' @noRd
symbol_column <- function(annotation) {
  columns <- as.character(names(annotation))
  plain <- gsub("[^a-z0-9]", "", tolower(valid_text(columns)))
  utils::head(columns[grepl("^(hgnc|gene)?symbol$", plain)], 1L)
}

#' Lines of a method's own between the title and the table of print()
#' @noRd
body_lines <- function(x) {
  if (inherits(x, "hitmiss_llfs")) {
    llfs_lines(x)
  } else if (!is_ranker(x)) {
    sprintf("%d of %d features selected", length(x$selected), x$n_features)
  } else {
    paste0("ranking of ", thousands(x$n_features), " features", if (
      inherits(x, "hitmiss_turf")) sprintf(" in %d rounds", max(x$last_round)))
  }
}

# Says how many of the best features are of each of three or more classes, and
# of each of several omics.
best_counts_lines <- function(x) {
  best <- best_of(match(usual_list(x), names(x$scores)), default_n(x))
  omics <- x$annotation$omics
  words <- function(by, of) {
    if (length(best) > 0L) {
      count <- listed(paste(levels(of), tabulate(of, nlevels(of))), 12L)
      sprintf("the best %d by %s: %s", length(best), by, count)
    }
  }
  c(
    if (length(x$classes) > 2L) {
      contrasts <- class_contrasts(x, best)
      # Such a class is farthest by chance, and proposes no feature.
      contrasts[, class_sizes(x) < 3L] <- 0
      farthest <- farthest_class(contrasts)
      words("class", factor(x$classes[farthest], x$classes))
    },
    if (!is.null(omics)) words("omics", factor(omics[best], unique(omics)))
  )
}

# Explain the last columns under the table.
hazard_legend <- function(x) {
  c(
    paste0(
      "direction: \"up\" if high values go with early events; effect: log ",
      "hazard ratio per standard deviation, ", expected_words(x$n_features),
      ", and z, by Cox's score test of the feature alone"
    ),
    if (!is.null(x$censored)) {
      sprintf("censored samples carry %.0f %% of the weight", 100 * x$censored)
    }
  )
}

class_legend <- function(x) {
  design <- design_of(x)
  within <- within_words(design)
  y <- x$training$y %||% x$local$class
  one_each <- !duplicated(data.frame(design$unit[seq_along(y)], y))
  few <- x$classes[tabulate(y[one_each], length(x$classes)) < 3]
  c(paste0(
    "difference: mean in the class minus that of the ",
    if (length(x$classes) == 2L) "other" else "others",
    within$difference, "; ", effect_words(x$n_features, within$spread)
  ), if (length(few) > 0L) {
    sprintf("effect is NA where one or two %s do not show it: %s",
      unit_words(design), listed(few, 6L))
  })
}

effect_words <- function(n_features, of) {
  sprintf(
    "effect: in standard deviations %s, %s", of, expected_words(n_features)
  )
}

# Says what the column `effect` holds.
expected_words <- function(n_features) {
  if (n_features < enough_effects) {
    sprintf("of these samples (fewer than %d features)", enough_effects)
  } else {
    "expected on new samples; raw: `effect_raw`"
  }
}

title_lines <- function(x) {
  outcome <- fit_kind(x)$words(x)
  c(method_label(x), sprintf(
    "%s%s x %d features, %s", samples_words(design_of(x), x$n_samples),
    if (is.null(x$n_labelled)) "" else sprintf(" (%d labelled)", x$n_labelled),
    x$n_features, outcome[[1L]]
  ), outcome[-1L], if (is.character(x$assay)) paste("assay", x$assay),
  balanced_line(x), design_line(x$parameters),
  if (!is.null(x$design$pair)) {
    "says which of two samples of one pair is which, not what one sample is"
  },
  if (!is.null(x$prepared)) {
    paste("new samples are prepared by:", toString(x$prepared$words))
  }, tuned_line(x), missing_lines(x))
}

# Lines of print() about missing values.
missing_lines <- function(fit) {
  present <- fit$present
  if (is.null(present)) {
    return(NULL)
  }
  n <- rowSums(present)
  found <- fit$lacking %||% missing_by_class(
    present, tabulate(strata_of(fit$training$y), ncol(present))
  )
  design <- intersect(c("pair", "block", "group"), names(fit$design))
  c(
    sprintf(
      "%.3g %% of the values are missing, in %s of %s features",
      100 * (1 - mean(n) / fit$n_samples), thousands(sum(n < fit$n_samples)),
      thousands(fit$n_features)
    ),
    missing_by_class_words(found),
    if (length(found) > 0L) {
      c(
        sprintf(
          "Above all %s. If missing means low, rank such features by",
          toString(rownames(present)[utils::head(found, 3L)])
        ),
        sprintf(
          "tuned(relief, prepare = prepare_impute(\"min\"))(x, y%s)",
          paste(sprintf(", %1$s = %1$s", design), collapse = "")
        )
      )
    }
  )
}

# Says how many neighbours classes of unlike size are compared by, see Scores of
# noise in ?relief.
balanced_line <- function(x) {
  p <- x$parameters
  # With a design, or missing values, each sample or feature has its own number.
  own <- c(x$design, x$present)
  if (!isTRUE(p$control$balance) || length(own) > 0L) {
    return(NULL)
  }
  n <- sort(tabulate(x$training$y, length(x$classes)))
  two <- if (p$method == "relief") {
    rbind(pmin(n, sum(n) - n), pmax(n, sum(n) - n))
  } else {
    utils::combn(n, 2L)
  }
  two <- unique(two, MARGIN = 2L)
  hits <- two - 1
  few <- pmin(hits, two[2:1, ])
  k <- ceiling(pmin(few, p$k) * sqrt(few / pmax(hits, two[2:1, ])) - 1e-9)
  fewer <- k[2L, ] < p$k & k[1L, ] < p$k
  words <- sprintf("%s for classes of %d and %d",
    ifelse(k[1L, ] == k[2L, ], k[1L, ], paste(k[1L, ], "to", k[2L, ])),
    two[1L, ], two[2L, ]
  )[fewer]
  if (any(fewer)) sprintf("k = %d: %s", p$k, listed(words, 3L))
}

# Makes a line of print() for fits that were tuned.
tuned_line <- function(x) {
  if (is.null(x$tuned)) {
    return(NULL)
  }
  chosen <- x$tuned[x$tuned$chosen, ]
  own <- setdiff(names(x$tuned), c("error", "chosen"))
  tried <- Filter(\(name) length(unique(x$tuned[[name]])) > 1L, own)
  if (length(tried) > 0L) own <- tried
  sprintf(
    "chosen among %d by cross-validation: %s (%s %.3f)%s", nrow(x$tuned),
    parameter_text(as.list(chosen[own])), attr(x$tuned, "loss") %||% "error",
    chosen$error, if (is.null(x$tuned_n)) {
      ""
    } else {
      sprintf("; predicts by %d features", x$tuned_n)
    }
  )
}

# A method that computes its scores directly has no such line.
solver_line <- function(x) {
  r <- x$report
  if (all(is.na(unlist(r[c("iterations", "residual", "kkt", "gap")])))) {
    return(NULL)
  }
  figure <- function(name) {
    if (!is.na(r[[name]])) paste0(name, " ", format(r[[name]], digits = 3L))
  }
  paste0("Solver: ", paste(c(
    r$status,
    if (!is.na(r$iterations)) paste(r$iterations, "iterations"),
    figure("residual"), figure("kkt"), figure("gap")
  ), collapse = ", "))
}

llfs_lines <- function(x) {
  sizes <- subset_sizes(x)
  sizes <- sizes[sizes > 0]
  c(
    drawn_line(x),
    sprintf(
      paste(
        "%d of %d features used by at least one representative;",
        "%s per representative (mean %.1f)"
      ),
      length(x$selected), x$n_features,
      if (min(sizes) == max(sizes)) {
        as.character(min(sizes))
      } else {
        sprintf("%d to %d", min(sizes), max(sizes))
      },
      mean(sizes)
    ),
    if (length(x$parameters$alpha) > 1L) {
      taken <- table(factor(x$local$alpha, x$parameters$alpha))
      paste0(
        "representatives with alpha = ",
        paste(names(taken), taken, sep = ": ", collapse = ", ")
      )
    },
    if (x$parameters$vote == "frames") {
      sprintf(
        paste(
          "vote: the mean of the evidence of %d representatives and of a",
          "regression on %s samples in their frames and the consensus frame of",
          "%d features"
        ),
        length(sizes), thousands(length(x$local$learners)), length(x$selected)
      )
    },
    paste(
      "class: where the mean differs most; representatives of other",
      "classes may be those that use the feature"
    ),
    "score = share of representatives that use the feature, also by class:"
  )
}

# Says what was drawn, for print().
drawn_line <- function(x) {
  control <- x$parameters$control
  if (!is.null(control$program_samples)) {
    draw_text(
      c(control, list(representatives = length(representatives(x)))),
      x$n_samples
    )
  }
}
