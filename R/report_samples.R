# Layer: show. The parts of a report on new samples are written here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Up to this number of new samples are shown.
most_samples <- 50L

#' Predictions and their grounds
#'
#' @return list(names; predicted; truth: or NULL; pair: names, or NULL; none: is
#'   the pair without a difference?, or NULL; share: of the votes, or NULL;
#'   spheres, or NULL; keys: of the samples in that table; space, see
#'   sample_space(); warnings).
#' @noRd
sample_predictions <- function(fit, newdata, pair = NULL, truth = NULL) {
  numeric <- fit_outcome(fit) == "numeric"
  warnings <- character()
  hear <- function(code) {
    withCallingHandlers(
      code,
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
  ask <- function(type) {
    hear(stats::predict(fit, newdata, type = type, pair = pair))
  }
  predicted <- ask(if (numeric) "response" else "class")
  hear(warn_known_samples(fit, newdata, pair, "newdata"))
  if (!is.null(truth)) {
    truth <- known_classes(truth, newdata, predicted, fit, "newdata")
  }
  # These are the names that predict(type = "spheres") gives.
  keys <- unique_names(names(predicted), length(predicted))
  list(
    names = if (is.null(names(predicted))) sprintf("sample %s", keys) else keys,
    keys = keys,
    predicted = if (numeric) predicted else as.character(predicted),
    truth = as.character(truth), pair = if (!is.null(pair)) {
      as.character(design_column(pair, newdata, "pair", "newdata"))
    }, none = attr(predicted, "no_difference"),
    share = if (!numeric) stated_share(ask("prob"), predicted, fit),
    spheres = if (inherits(fit, "hitmiss_llfs")) near_spheres(ask("spheres")),
    space = sample_space(fit, newdata, pair), warnings = warnings
  )
}

samples_part <- function(report, found) {
  tags <- htmltools::tags
  found$other <- others_of_pairs(report$fit, found)
  shown <- setdiff(seq_along(found$other), found$other)
  if (!is.null(found$pair)) {
    shown <- shown[order(match(found$pair[shown], found$pair))]
  }
  n <- length(shown)
  if (n == 0L) {
    return(tags$p("There are no new samples."))
  }
  verdicts <- lapply(shown, function(i) sample_verdict(report, found, i))
  column <- function(name) vapply(verdicts, `[[`, "", name)
  paired <- !is.null(report$fit$pair_of)
  positive <- report$positive
  htmltools::tagList(
    lapply(page_text(found$warnings), tags$p, class = "warn"),
    if (paired) {
      tags$p(paste(
        "The model says which of two samples of a pair is which, not what a",
        "single sample is."
      ))
    },
    html_table(data.frame(
      sample = column("name"), answer = column("answer"), flag = column("flag")
    )),
    if (!paired && !is.null(positive)) {
      tags$p(page_text(sprintf(
        "A '%s' answer does not exclude '%s'.",
        setdiff(report$fit$classes, positive), positive
      )))
    },
    if (!is.null(found$space)) {
      htmltools::tagList(
        tags$p(class = "soft", paste(
          "The pictures of a sample are of the six features that decide most,",
          "or of fewer if fewer decide."
        )),
        strip_legend(paired)
      )
    },
    Map(
      function(i, verdict) sample_card(report, found, i, verdict),
      utils::head(shown, most_samples), utils::head(verdicts, most_samples)
    ),
    if (n > most_samples) {
      tags$p(class = "soft", sprintf(
        "The first %d of %d cards are shown.", most_samples, n
      ))
    }
  )
}

# The sample of a pair that is called of the second class stands for both,
# because its values are the other's with the opposite sign. If both are called
# alike and show no difference, the first stands for both. Returns the position
# of the other one, and NA for samples that stand for themselves.
others_of_pairs <- function(fit, found) {
  all <- seq_along(found$names)
  others <- rep(NA_integer_, length(all))
  if (length(fit$classes) == 2L && !is.null(found$pair)) {
    for (rows in split(all, found$pair)) {
      called <- match(found$predicted[rows], fit$classes)
      none <- all(found$none[rows] %in% TRUE) && !anyNA(called)
      if (length(rows) == 2L && (none || setequal(called, 1:2))) {
        at <- match(2L, called, 1L)
        others[rows[[at]]] <- rows[[3L - at]]
      }
    }
  }
  others
}

#' New and training samples in the features that predict
#'
#' @return list(training, values: on the scale of the data; near: of each new
#'   sample without missing values, the classes of its five nearest training
#'   samples, in a column; far: see is_far()). NULL if features are factors, or
#'   if no feature predicts.
#' @noRd
sample_space <- function(fit, newdata, pair = NULL) {
  if (!is.null(fit$levels)) {
    return(NULL)
  }
  if (inherits(fit, "hitmiss_llfs")) {
    weights <- fit$scores[order(-fit$scores)][seq_len(sum(fit$scores > 0))]
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
  # predict() has refused data without one of these features. A row that lacks
  # some of its values keeps the others, so that these can be named.
  new <- as_newdata(newdata, names(weights), fit, drop = TRUE)
  new <- centre_newdata(fit, new, newdata, pair)
  training <- training_values(fit, names(weights))
  preprocess <- lapply(
    fit$preprocess[c("center", "scale", "constant")], `[`, at
  )
  whole <- which(!rowSums(is.na(new)) > 0)
  found <- cpp_nearest_samples(
    new[whole, , drop = FALSE], list(values = training), preprocess, weights,
    list(
      metric = "manhattan", simd = resolve_simd(),
      missing = !is.null(fit$present), k = min(5L, nrow(training))
    ), core_runtime()
  )
  far <- is_far(
    new[whole, , drop = FALSE], training, weights / preprocess$scale,
    !is.null(fit$parameters$pair)
  )
  near <- matrix(NA_character_, nrow(found$sample), nrow(new))
  near[, whole] <- as.character(classes)[found$sample + 1L]
  list(
    training = training, values = new, classes = factor(classes), near = near,
    far = seq_len(nrow(new)) %in% whole[far]
  )
}

#' What is said of a sample, or of the pair for which it stands
#'
#' @return list(name; answer; flag: a warning, or ""; reliable: may the answer
#'   be marked in pictures?).
#' @noRd
sample_verdict <- function(report, found, i) {
  name <- found$names[[i]]
  predicted <- found$predicted[[i]]
  if (is.na(predicted)) {
    return(list(
      name = name, answer = "no prediction", reliable = FALSE,
      flag = absent_words(found$space, i)
    ))
  }
  if (is.numeric(predicted)) predicted <- three_digits(predicted)
  classes <- report$fit$classes
  other <- found$other[[i]]
  answer <- predicted
  if (!is.na(other)) {
    answer <- sprintf(
      "%s is '%s' rather than %s", name, predicted, found$names[[other]]
    )
    name <- paste("Pair", found$pair[[i]])
  }
  far <- !is.null(found$space) && found$space$far[[i]]
  none <- isTRUE(found$none[[i]])
  lonely <- !is.null(found$spheres) &&
    !found$keys[[i]] %in% found$spheres$sample
  flag <- c(
    if (far) {
      paste(
        "Farther from the training samples, or farther to one side of them,",
        "than any of them is from the others."
      )
    },
    if (lonely) "Near no training sample in the features chosen for it.",
    if (none) {
      c(
        # A probability of one half says so, see pair_evidence().
        if (isTRUE(found$share[[i]] <= 0.5 + 1e-9) &&
          !found$predicted[[i]] %in% found$predicted[other]) {
          "The difference points the other way than the vote."
        },
        sprintf(
          paste(
            "No clear change of the kind learned: both may be '%s', both may",
            "be '%s', or the change may be weak; this excludes nothing."
          ), classes[[1L]], classes[[2L]]
        )
      )
    }
  )
  list(
    # Two samples without a difference may well be far from the differences of
    # the training pairs.
    name = name, answer = if (none) {
      "no clear change"
    } else if (far || lonely) {
      "no reliable prediction"
    } else {
      answer
    },
    flag = paste(flag, collapse = " "), reliable = length(flag) == 0L
  )
}

absent_words <- function(space, i) {
  absent <- colnames(space$values)[is.na(space$values[i, ])]
  sprintf(
    "No prediction: the value of %s is missing.",
    if (length(absent) > 0L) listed(absent, 5L) else "a feature that it needs"
  )
}

# A card has the name, the answer, its grounds, and the features that decide.
sample_card <- function(report, found, i, verdict) {
  tags <- htmltools::tags
  fit <- report$fit
  predicted <- found$predicted[[i]]
  head <- htmltools::tagList(
    tags$h3(page_text(sprintf(
      "%s: %s", verdict$name, if (is.na(predicted)) {
        sub("^N", "n", verdict$flag)
      } else {
        verdict$answer
      }
    ))),
    if (nzchar(verdict$flag)) tags$p(class = "warn", page_text(verdict$flag))
  )
  if (is.na(predicted)) {
    return(tags$article(head))
  }
  if (is.numeric(predicted)) predicted <- three_digits(predicted)
  space <- found$space
  other <- found$other[[i]]
  grounds <- c(
    if (!verdict$reliable) {
      sprintf(
        "The answer without regard to this: '%s'%s.", predicted,
        if (is.na(other)) "" else paste(" for", found$names[[i]])
      )
    },
    if (!is.null(fit$pair_of) && verdict$reliable) {
      if (is.na(other)) {
        "This holds only if the samples of its pair are of different classes."
      } else {
        sprintf("This holds only if one of the two is '%s'.", predicted)
      }
    },
    if (!is.null(found$spheres)) {
      sphere_words(found$spheres, found$keys[[i]], fit, predicted)
    } else if (!is.null(space) && !is.null(found$share)) {
      neighbour_words(space, i, predicted)
    },
    # The probability of a pair is no share of votes, as those of a curve are.
    if (!is.null(found$share) && is.null(fit$pair_of) && verdict$reliable) {
      calibrated_words(report$error, found$share[[i]], predicted, fit)
    }
  )
  features <- deciding_features(fit, found, i, predicted)
  tags$article(
    head, truth_part(found, c(i, other), verdict$reliable),
    tags$p(page_text(paste(grounds, collapse = " "))),
    if (isTRUE(features$best)) {
      tags$p(class = "soft", sprintf(
        "The pictures are of the %d best features of the model.",
        length(features$names)
      ))
    },
    # A feature that the sample lacks has no place in a picture.
    lapply(features$names[!is.na(space$values[i, features$names])], \(name) {
      strip_plot(
        space, i, name, report$labels[[name]], predicted, verdict$reliable
      )
    })
  )
}

# Says what is known of the classes of a sample, or of both of a pair.
truth_part <- function(found, rows, reliable) {
  rows <- rows[!is.na(rows) & !is.na(found$truth[rows])]
  if (length(rows) > 0L) {
    right <- all(found$truth[rows] == found$predicted[rows])
    htmltools::tags$p(class = if (reliable && !right) "warn", page_text(paste0(
      "True class", if (length(rows) > 1L) "es", ": ", paste0(
        "'", found$truth[rows], "'",
        if (length(rows) > 1L) sprintf(" (%s)", found$names[rows]),
        collapse = ", "
      ), ".", if (reliable) {
        paste(" The prediction is", if (right) "right." else "wrong.")
      }
    )))
  }
}

neighbour_words <- function(space, i, predicted) {
  if (anyNA(space$near[, i])) {
    return("It lacks values; its nearest training samples are not told.")
  }
  same <- sum(space$near[, i] == predicted)
  sprintf(
    "%s of its %d nearest training samples are from class '%s'.",
    if (same == nrow(space$near)) "All" else same, nrow(space$near), predicted
  )
}

#' At most six features that decide
#'
#' If the fit is of LLFS, these are the features that the spheres of the
#' predicted class around this sample use, most frequent first. Without such
#' spheres, they are the best features of the fit.
#' @return list(names; best: are they those of the fit, for want of spheres?).
#' @noRd
deciding_features <- function(fit, found, i, predicted) {
  best <- utils::head(colnames(found$space$training), 6L)
  if (is.null(found$spheres)) {
    return(list(names = best, best = FALSE))
  }
  own <- found$spheres[found$spheres$sample == found$keys[[i]] &
    found$spheres$class == predicted, ]
  at <- match(own$representative, training_names(fit)[representatives(fit)])
  times <- tabulate(
    as.integer(unlist(lapply(at, subset_of, x = fit))), length(fit$scores)
  )
  used <- names(fit$scores)[order(-times, -fit$scores)]
  used <- utils::head(used, min(6L, sum(times > 0L)))
  none <- length(used) == 0L
  list(names = if (none) best else used, best = none)
}
