# Layer: show. The parts of a report on new samples are written here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Up to this number of new samples are shown.
most_samples <- 50L

#' Predictions and their grounds
#'
#' @return list(names; predicted; truth: or NULL; share: of the votes, or NULL;
#'   spheres, or NULL; keys: of the samples in that table; space, see
#'   sample_space(); warnings).
#' @noRd
sample_predictions <- function(fit, newdata, truth = NULL) {
  kind <- fit_kind(fit)
  warnings <- character()
  hear <- function(code) {
    withCallingHandlers(
      code,
      hitmiss_warning = function(w) {
        warnings <<- union(warnings, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
  }
  ask <- function(type) hear(stats::predict(fit, newdata, type = type))
  predicted <- ask(kind$types[[1L]])
  hear(warn_known_samples(fit, newdata, arg = "newdata"))
  if (!is.null(truth)) {
    truth <- known_classes(truth, newdata, predicted, fit, "newdata")
  }
  # These are the names that predict(type = "spheres") gives.
  keys <- unique_names(names(predicted), length(predicted))
  list(
    names = if (is.null(names(predicted))) sprintf("sample %s", keys) else keys,
    keys = keys,
    predicted = kind$stated(predicted),
    truth = as.character(truth),
    share = if (length(kind$types) > 1L) {
      stated_share(ask(kind$types[[2L]]), predicted, fit)
    },
    spheres = if (inherits(fit, "hitmiss_llfs")) near_spheres(ask("spheres")),
    space = sample_space(fit, newdata), warnings = warnings
  )
}

samples_part <- function(report, found) {
  tags <- htmltools::tags
  n <- length(found$names)
  if (n == 0L) {
    return(tags$p("There are no new samples."))
  }
  verdicts <- lapply(seq_len(n), function(i) sample_verdict(report, found, i))
  column <- function(name) vapply(verdicts, `[[`, "", name)
  positive <- report$positive
  htmltools::tagList(
    lapply(page_text(found$warnings), tags$p, class = "warn"),
    html_table(data.frame(
      sample = column("name"), answer = column("answer"), flag = column("flag")
    )),
    if (!is.null(positive)) {
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
        strip_legend()
      )
    },
    lapply(seq_len(min(n, most_samples)), function(i) {
      sample_card(report, found, i, verdicts[[i]])
    }),
    if (n > most_samples) {
      tags$p(class = "soft", sprintf(
        "The first %d of %d cards are shown.", most_samples, n
      ))
    }
  )
}

#' New and training samples in the features that predict
#'
#' @return list(training, values: on the scale of the data; near: of each new
#'   sample without missing values, the classes of its five nearest training
#'   samples, in a column; far: see is_far()). NULL if features are factors, or
#'   if no feature predicts.
#' @noRd
sample_space <- function(fit, newdata) {
  if (!is.null(fit$levels)) {
    return(NULL)
  }
  if (inherits(fit, "hitmiss_llfs")) {
    weights <- fit$scores[order(-fit$scores)][seq_len(sum(fit$scores > 0))]
    classes <- fit$local$class
  } else {
    weights <- vote_space(fit, default_n(fit))$weights
    classes <- strata_of(fit$training$y)
  }
  if (length(weights) == 0L) {
    return(NULL)
  }
  at <- match(names(weights), names(fit$scores))
  # predict() has refused data without one of these features. A row that lacks
  # some of its values keeps the others, so that these can be named.
  new <- as_newdata(newdata, names(weights), fit, drop = TRUE)
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
    design_of(fit)
  )
  near <- matrix(NA_character_, nrow(found$sample), nrow(new))
  near[, whole] <- as.character(classes)[found$sample + 1L]
  list(
    training = training, values = new, classes = factor(classes), near = near,
    far = seq_len(nrow(new)) %in% whole[far]
  )
}

#' What is said of a sample
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
  far <- !is.null(found$space) && found$space$far[[i]]
  lonely <- !is.null(found$spheres) &&
    !found$keys[[i]] %in% found$spheres$sample
  flag <- c(
    if (far) {
      paste(
        "Farther from the training samples, or farther to one side of them,",
        "than any of them is from the others."
      )
    },
    if (lonely) "Near no training sample in the features chosen for it."
  )
  reliable <- length(flag) == 0L
  list(
    name = name, answer = if (reliable) predicted else "no reliable prediction",
    flag = paste(flag, collapse = " "), reliable = reliable
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
  grounds <- c(
    if (!verdict$reliable) {
      sprintf("The answer without regard to this: '%s'.", predicted)
    },
    if (!is.null(found$spheres)) {
      sphere_words(found$spheres, found$keys[[i]], fit, predicted)
    } else if (!is.null(space) && !is.null(found$share)) {
      neighbour_words(space, i, predicted)
    },
    if (!is.null(found$share) && verdict$reliable) {
      calibrated_words(report$error, found$share[[i]], predicted, fit)
    }
  )
  features <- deciding_features(fit, found, i, predicted)
  tags$article(
    head, truth_part(found, i, verdict$reliable),
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

# Says what is known of the class of a sample.
truth_part <- function(found, i, reliable) {
  truth <- found$truth[i]
  if (!is.na(truth)) {
    right <- truth == found$predicted[[i]]
    htmltools::tags$p(class = if (reliable && !right) "warn", page_text(paste0(
      "True class: '", truth, "'.", if (reliable) {
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
