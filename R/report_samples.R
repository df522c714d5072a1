# Layer: show. A report has parts on new samples and on the model, which are
# written here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Up to this number of new samples are shown.
most_samples <- 50L

#' Predictions and their grounds
#'
#' @return list(names; predicted; truth: or NULL; none: is the pair without a
#'   difference?, or NULL; share: of the votes, or NULL; spheres, or NULL; keys:
#'   of the samples in that table; space, see sample_space(); warnings).
#' @noRd
sample_predictions <- function(fit, newdata, pair = NULL, truth = NULL) {
  numeric <- fit_outcome(fit) == "numeric"
  warnings <- character()
  ask <- function(type) {
    withCallingHandlers(
      stats::predict(fit, newdata, type = type, pair = pair),
      hitmiss_warning = function(w) {
        warnings <<- union(warnings, conditionMessage(w))
        invokeRestart("muffleWarning")
      },
      # The page marks these pairs.
      hitmiss_message_no_difference = function(m) {
        invokeRestart("muffleMessage")
      }
    )
  }
  predicted <- ask(if (numeric) "response" else "class")
  if (!is.null(truth)) {
    truth <- known_classes(truth, newdata, predicted, fit, "newdata")
  }
  # These are the names that predict(type = "spheres") gives.
  keys <- unique_names(names(predicted), length(predicted))
  list(
    names = if (is.null(names(predicted))) sprintf("sample %s", keys) else keys,
    keys = keys,
    predicted = if (numeric) predicted else as.character(predicted),
    truth = as.character(truth), none = attr(predicted, "no_difference"),
    share = if (!numeric) unname(apply(ask("prob"), 1L, max)),
    spheres = if (inherits(fit, "hitmiss_llfs")) ask("spheres"),
    space = sample_space(fit, newdata, pair), warnings = warnings
  )
}

samples_part <- function(report, found) {
  tags <- htmltools::tags
  n <- length(found$names)
  htmltools::tagList(
    lapply(page_text(found$warnings), tags$p, class = "warn"),
    if (!is.null(report$fit$pair_of)) {
      tags$p(paste(
        "The model says which of two samples of a pair is which, not what a",
        "single sample is."
      ))
    },
    if (n > 0L && !is.null(found$space)) {
      htmltools::tagList(
        tags$p(class = "soft", paste(
          "The pictures of a sample are of the six features that decide most,",
          "or of fewer if fewer decide."
        )),
        strip_legend(!is.null(report$fit$pair_of))
      )
    },
    lapply(seq_len(min(n, most_samples)), function(i) {
      sample_card(report, found, i)
    }),
    if (n == 0L) {
      tags$p("There are no new samples.")
    } else if (n > most_samples) {
      tags$p(
        class = "soft",
        sprintf("The first %d of %d samples are shown.", most_samples, n)
      )
    }
  )
}

#' New and training samples in the features that predict
#'
#' @return list(training, values: on the scale of the data; near: of each new
#'   sample without missing values, the classes of its five nearest training
#'   samples, in a column; far: is it farther from the nearest than any training
#'   sample is from another?). NULL if features are factors, or if no feature
#'   predicts.
#' @noRd
sample_space <- function(fit, newdata, pair = NULL) {
  if (!is.null(fit$levels)) {
    return(NULL)
  }
  if (inherits(fit, "hitmiss_llfs")) {
    weights <- fit$scores[fit$scores > 0]
    classes <- fit$local$class
  } else {
    weights <- vote_space(fit, default_n(fit))$weights
    classes <- fit$training$y
    if (fit_outcome(fit) == "numeric") classes <- rep("all", length(classes))
  }
  if (length(weights) == 0L) {
    return(NULL)
  }
  at <- match(names(weights), names(fit$scores))
  new <- as_newdata(newdata, names(weights), fit)
  new <- centre_newdata(fit, new, newdata, pair)
  training <- training_values(fit, names(weights))
  preprocess <- lapply(
    fit$preprocess[c("center", "scale", "constant")], `[`, at
  )
  nearest <- function(from, ...) {
    cpp_nearest_samples(
      from, list(values = training), preprocess, weights,
      list(metric = "manhattan", simd = resolve_simd(), ...), core_runtime()
    )
  }
  whole <- which(!rowSums(is.na(new)) > 0)
  found <- nearest(new[whole, , drop = FALSE], k = min(5L, nrow(training)))
  reach <- max(nearest(training, k = 1L, themselves = TRUE)$distance)
  near <- matrix(NA_character_, nrow(found$sample), nrow(new))
  near[, whole] <- as.character(classes)[found$sample + 1L]
  list(
    training = training, values = new, classes = factor(classes), near = near,
    far = seq_len(nrow(new)) %in% whole[found$distance[1L, ] > reach]
  )
}

# A card has the name, the prediction, its grounds, and the features that
# decide.
sample_card <- function(report, found, i) {
  tags <- htmltools::tags
  predicted <- found$predicted[[i]]
  if (is.na(predicted)) {
    return(tags$article(
      tags$h3(page_text(found$names[[i]])),
      tags$p(class = "warn", "A feature used for prediction is missing.")
    ))
  }
  if (is.numeric(predicted)) predicted <- three_digits(predicted)
  space <- found$space
  grounds <- if (!is.null(found$share)) {
    c(
      if (!is.null(found$spheres)) {
        sphere_words(found$spheres, found$keys[[i]], report$fit)
      } else if (!is.null(space)) {
        neighbour_words(space, i, predicted)
      },
      calibrated_words(report$error, found$share[[i]])
    )
  }
  none <- isTRUE(found$none[[i]])
  tags$article(
    tags$h3(page_text(sprintf(
      "%s: %s", found$names[[i]],
      if (none) "no difference from the other of its pair" else predicted
    ))),
    truth_part(found$truth[i], if (!none) predicted),
    if (none) {
      tags$p(class = "warn", page_text(sprintf(
        paste(
          "Of two samples one is always called '%s'. The difference of these",
          "two is too small to tell."
        ), report$fit$classes[[2L]]
      )))
    } else {
      tags$p(page_text(paste(grounds, collapse = " ")))
    },
    if (!none && !is.null(space) && space$far[[i]]) {
      tags$p(class = "warn", paste(
        "Farther from the training samples than any of them is from the",
        "others: do not rely on the prediction."
      ))
    },
    lapply(deciding_features(report$fit, found, i, predicted), function(name) {
      strip_plot(space, i, name, report$labels[[name]], predicted)
    })
  )
}

truth_part <- function(truth, predicted) {
  if (isFALSE(is.na(truth))) {
    right <- is.null(predicted) || truth == predicted
    htmltools::tags$p(class = if (!right) "warn", page_text(paste0(
      "True class: '", truth, "'.", if (!is.null(predicted)) {
        paste(" The prediction is", if (right) "right." else "wrong.")
      }
    )))
  }
}

neighbour_words <- function(space, i, predicted) {
  k <- nrow(space$near)
  same <- sum(space$near[, i] == predicted)
  sprintf(
    "%s of its %d nearest training samples are from class '%s'.",
    if (same == k) "All" else same, k, predicted
  )
}

# A new sample in the hypersphere of a training sample is like it in that
# sphere's features.
sphere_words <- function(spheres, key, fit) {
  all <- table(factor(representative_class(fit)[subset_sizes(fit) > 0L],
    fit$classes))
  times <- table(factor(spheres$class[spheres$sample == key], fit$classes))
  if (sum(times) == 0L) {
    return("It resembles no training sample.")
  }
  order <- order(-times / pmax(all, 1L))
  order <- order[times[order] > 0L]
  sprintf("It resembles %s.", paste(sprintf(
    "%d of the %d training samples of class '%s'", times[order], all[order],
    fit$classes[order]
  ), collapse = ", "))
}

# Returns at most six features. Of an LLFS fit, these are the features that the
# spheres of the predicted class around this sample use, most frequent first.
# Without such spheres, they are the best features of the fit.
deciding_features <- function(fit, found, i, predicted) {
  used <- colnames(found$space$training)
  if (!is.null(found$spheres)) {
    own <- found$spheres[found$spheres$sample == found$keys[[i]] &
      found$spheres$class == predicted, ]
    at <- match(own$representative, training_names(fit)[representatives(fit)])
    times <- tabulate(
      as.integer(unlist(lapply(at, subset_of, x = fit))), length(fit$scores)
    )
    if (any(times > 0L)) {
      used <- names(fit$scores)[order(-times, -fit$scores)]
      used <- used[seq_len(min(6L, sum(times > 0L)))]
    }
  }
  utils::head(used, 6L)
}

model_part <- function(report, n) {
  tags <- htmltools::tags
  fit <- report$fit
  # A sparse fit does not order the features that it leaves out.
  table <- feature_table(fit, min(n, max(fit$n_ranked, 1L)), means = FALSE)
  if (is_ranker(fit) || all(table$selected)) table$selected <- NULL
  local <- inherits(fit, "hitmiss_llfs")
  if (local) {
    # The class in which the mean of a feature differs most need not be the one
    # whose samples use the feature, so the column is renamed.
    names(table)[names(table) == "class"] <- "differs most in"
    shares <- length(table) - length(fit$classes) + seq_along(fit$classes)
    names(table)[shares] <- paste("used in", fit$classes)
  }
  htmltools::tagList(
    lapply(page_text(title_lines(fit)[-1L]), tags$p), html_table(table),
    lapply(page_text(c(direction_line(fit), if (local) {
      paste(
        "score: share of the training samples whose spheres use the feature;",
        "used in: the same share of each class. The class in which the mean",
        "differs most need not be one that uses the feature."
      )
    })), tags$p, class = "soft")
  )
}

# Returns the lines under the title.
head_part <- function(fit, author) {
  tags <- htmltools::tags
  settings <- Filter(Negate(is.null), fit$parameters)
  settings <- settings[!vapply(settings, is.list, NA)]
  lines <- c(
    Date = format(Sys.Date()), "Made by" = author %||% "not stated",
    Model = method_label(fit),
    "Trained on" = title_lines(fit)[[2L]],
    Settings = parameter_text(settings, "; "),
    Software = sprintf(
      "hitmiss %s (model: %s), %s", package_version_text(), fit$version,
      R.version.string
    )
  )
  htmltools::tagList(
    tags$p(
      class = "warn", "For research use. Not validated for diagnosis."
    ),
    tags$dl(Map(function(name, text) {
      htmltools::tagList(tags$dt(name), tags$dd(page_text(text)))
    }, names(lines), lines, USE.NAMES = FALSE))
  )
}

# The appendix is for those who write or check the methods of a study.
appendix_part <- function(report, curve) {
  fit <- report$fit
  words <- c(
    body_lines(fit), parameter_line(fit), solver_line(fit),
    # The report shows the curve's error above, at the size of the model, so
    # that sentence of the summary is left out.
    if (!is.null(curve)) format(summary(curve))[c("data", "validation")]
  )
  htmltools::tagList(
    lapply(page_text(unname(words)), htmltools::tags$p, class = "soft")
  )
}

with_annotation <- function(fit, annotation) {
  features <- names(fit$scores)
  if (!is.data.frame(annotation) || ncol(annotation) == 0L ||
    !all(features %in% row.names(annotation))) {
    abort_input(c(
      "{.arg annotation} must be a data.frame that has the name of every feature
       among its row names, not {describe(annotation)}.",
      i = "As in {.code row.names(annotation) <- colnames(x)}."
    ), "annotation")
  }
  rows <- annotation[match(features, row.names(annotation)), , drop = FALSE]
  simple <- vapply(rows, function(v) is.atomic(v) && !is.object(v), NA)
  rows[!simple] <- lapply(rows[!simple], as.character)
  fit$annotation <- rows
  fit
}

#' The text that stands for each feature, named by feature
#' @noRd
report_labels <- function(fit, label) {
  symbol <- symbol_column(fit$annotation)
  if (is.null(label) && length(symbol) > 0L) label <- symbol
  own <- names(fit$scores)
  stats::setNames(feature_labels(own, label, fit$annotation), own)
}

#' How often held-out samples with a similar share of votes were predicted
#' correctly
#'
#' @return A sentence, or NULL where less than five samples tell.
#' @noRd
calibrated_words <- function(error, share) {
  table <- error$predictions
  if (is.null(table) || !error$own || anyNA(table$score)) {
    return(NULL)
  }
  shares <- apply(table$score, 1L, max)
  like <- abs(shares - share) <= 0.05
  n <- length(unique(table$sample[like]))
  if (n >= 5L) {
    sprintf(
      paste(
        "Of the %d held-out samples (of %d) whose predicted class had %s of",
        "the votes, %.0f %% were predicted correctly."
      ), n, length(unique(table$sample)),
      if (any(shares > share + 0.05)) {
        sprintf("a share of %.2f to %.2f", min(shares[like]), max(shares[like]))
      } else {
        sprintf("a share of at least %.2f", min(shares[like]))
      }, 100 * mean(table$predicted[like] == table$truth[like])
    )
  }
}
