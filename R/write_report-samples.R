# New samples in a report: what is predicted, why, and whether they are like the
# training samples.
# SPDX-License-Identifier: GPL-3.0-or-later

# So many new samples have a section of their own.
most_sections <- 50L

samples_part <- function(report, newdata) {
  fit <- report$fit
  warnings <- character()
  found <- withCallingHandlers(
    sample_predictions(fit, newdata),
    hitmiss_warning = function(w) {
      warnings <<- c(warnings, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  tags <- htmltools::tags
  if (nrow(found$table) == 0L) {
    return(tags$p("There are no new samples."))
  }
  shown <- seq_len(min(most_sections, nrow(found$table)))
  htmltools::tagList(
    lapply(
      unique(warnings), function(text) tags$p(class = "warn", shown_text(text))
    ),
    html_table(found$table, search = "search-samples"),
    if (!is.null(found$distances)) {
      tags$p(class = "soft", paste(
        "Distance: mean difference over the features used for prediction,",
        "weighted by their scores, in scaled units. The training samples lie",
        paste(three_digits(range(found$distances$own)), collapse = " to "),
        "from their nearest neighbour."
      ))
    },
    lapply(shown, function(i) sample_section(report, found, i)),
    if (length(shown) < nrow(found$table)) {
      tags$p(
        class = "soft",
        sprintf("The first %d samples are shown.", length(shown))
      )
    }
  )
}

#' Predictions for new samples
#'
#' @return list(table, a row per sample; prob, spheres or NULL; distances, see
#'   sample_distances()).
#' @noRd
sample_predictions <- function(fit, newdata) {
  numeric <- has_numeric_outcome(fit)
  predicted <- stats::predict(
    fit, newdata, type = if (numeric) "response" else "class"
  )
  # It has warned.
  prob <- if (!numeric) {
    suppressWarnings(stats::predict(fit, newdata, type = "prob"))
  }
  names <- names(predicted) %||% sprintf("sample %d", seq_along(predicted))
  table <- data.frame(sample = names, stringsAsFactors = FALSE)
  if (numeric) {
    table$predicted <- unname(predicted)
  } else {
    table$class <- as.character(predicted)
    table$share <- unname(apply(prob, 1L, function(row) max(row)))
  }
  distances <- sample_distances(fit, newdata)
  if (!is.null(distances) && length(predicted) > 0L) {
    table$distance <- unname(apply(distances$new, 1L, min))
    far <- !is.na(table$distance) & table$distance > max(distances$own)
    if (any(far)) table$note <- ifelse(far, "unlike all training samples", "")
  }
  list(
    table = table, prob = prob, distances = distances,
    spheres = if (inherits(fit, "hitmiss_llfs")) {
      suppressWarnings(stats::predict(fit, newdata, type = "spheres"))
    },
    # In the table of spheres, a sample without a name is its number.
    keys = names(predicted) %||% seq_along(predicted)
  )
}

#' Distances of new samples from the training samples
#'
#' @return list(new: new samples x training samples; own: of each training
#'   sample from its nearest other one; classes: of the training samples). NULL
#'   if features are factors, or if no feature predicts.
#' @noRd
sample_distances <- function(fit, newdata) {
  if (!is.null(fit$levels)) {
    return(NULL)
  }
  if (inherits(fit, "hitmiss_llfs")) {
    used <- which(fit$scores > 0)
    weights <- fit$scores[used]
    training <- fit$local$training[, names(used), drop = FALSE]
    classes <- fit$local$class
  } else {
    weights <- vote_weights(fit)
    best <- names(fit$scores)[fit$ranking]
    known <- intersect(names(weights), colnames(fit$training$values))
    names <- first(best[best %in% known], default_n(fit))
    weights <- weights[names]
    used <- match(names, names(fit$scores))
    training <- apply_scaling(
      fit$training$values[, names, drop = FALSE], fit$preprocess, used
    )
    classes <- if (!has_numeric_outcome(fit)) fit$training$y
  }
  if (length(weights) == 0L) {
    return(NULL)
  }
  names <- names(weights)
  values <- as_newdata(newdata, names, names(fit$scores), fit$assay %||% 1L)
  new <- apply_scaling(values, fit$preprocess, match(names, names(fit$scores)))
  share <- weights / sum(weights)
  to_training <- function(sample) {
    as.vector(abs(t(t(training) - sample)) %*% share)
  }
  between <- apply(training, 1L, to_training)
  diag(between) <- Inf
  list(
    new = matrix(
      apply(new, 1L, to_training), nrow(new), nrow(training), byrow = TRUE
    ),
    own = apply(between, 1L, min),
    classes = classes %||% factor(rep("training samples", nrow(training)))
  )
}

sample_section <- function(report, found, i) {
  tags <- htmltools::tags
  row <- found$table[i, ]
  predicted <- row$class %||% three_digits(row$predicted)
  if (is.na(predicted) || identical(predicted, "NA")) {
    return(htmltools::tagList(
      tags$h3(shown_text(row$sample)),
      tags$p(class = "warn", "A feature used for prediction is missing.")
    ))
  }
  htmltools::tagList(
    tags$h3(shown_text(paste0(row$sample, ": ", predicted))),
    if (nzchar(row$note %||% "")) {
      tags$p(
        class = "warn", paste(
          "Farther from the training samples than any of them is from its",
          "nearest neighbour: do not rely on the prediction."
        )
      )
    },
    if (!is.null(found$prob)) share_bars(found$prob[i, ]),
    if (!is.null(found$spheres)) {
      spheres_of_sample(found$spheres, found$keys[[i]], report$labels)
    },
    if (!is.null(found$distances)) distance_picture(found$distances, i)
  )
}

share_bars <- function(share) {
  tags <- htmltools::tags
  tags$div(class = "shares", lapply(names(share), function(class) {
    percent <- sprintf("%.0f%%", 100 * share[[class]])
    htmltools::tagList(
      tags$div(shown_text(class)),
      tags$div(class = "bar", tags$div(style = paste0("width:", percent))),
      tags$div(percent)
    )
  }))
}

# The ten in which the sample lies deepest.
spheres_of_sample <- function(spheres, key, labels) {
  tags <- htmltools::tags
  shown <- c(
    "class", "features", "representative", "distance", "radius", "vote"
  )
  own <- spheres[spheres$sample == key, shown]
  if (nrow(own) == 0L) {
    return(tags$p("It lies in no sphere."))
  }
  own <- own[order(own$distance / own$radius, seq_len(nrow(own))), ]
  if (!is.null(labels)) own$features <- relabelled(own$features, labels)
  htmltools::tagList(
    tags$p(sprintf(
      "It lies in %d sphere%s%s.", nrow(own), if (nrow(own) == 1L) "" else "s",
      if (nrow(own) > 10L) {
        ", of which these are the ten where it is deepest"
      } else {
        ""
      }
    )),
    html_table(utils::head(own, 10L))
  )
}

# Names of features may hold what joins them: whole names are looked for first.
relabelled <- function(joined, labels) {
  vapply(joined, function(text) {
    parts <- strsplit(text, "; ", fixed = TRUE)[[1L]]
    if (all(parts %in% names(labels))) {
      paste(labels[parts], collapse = "; ")
    } else {
      text
    }
  }, "", USE.NAMES = FALSE)
}

#' A line for each class, with its distances from one sample; and a line with
#' the distance of each training sample from its nearest other one
#' @noRd
distance_picture <- function(distances, i) {
  rows <- c(
    split(distances$new[i, ], distances$classes),
    list("training, to nearest" = distances$own)
  )
  most <- max(unlist(rows), 1e-300)
  left <- 150
  width <- 620
  place <- function(value) round(left + (width - left - 20) * value / most, 1L)
  svg <- htmltools::tag
  lines <- Map(function(values, name, at) {
    y <- 18 * at
    list(
      svg("text", list(x = 0, y = y + 4, shorten_text(shown_text(name), 22L))),
      svg("path", list(
        class = if (at == length(rows)) "own",
        d = paste0("M", place(values), " ", y - 6, "v12", collapse = "")
      ))
    )
  }, rows, names(rows), seq_along(rows))
  bottom <- 18 * length(rows) + 14
  marks <- pretty(c(0, most), 4L)
  marks <- marks[marks <= most]
  axis <- list(
    svg(
      "path", list(
        class = "axis", d = sprintf("M%s %sH%s", left, bottom, width - 20)
      )
    ),
    lapply(marks, function(mark) {
      svg("text", list(
        x = place(mark), y = bottom + 15, `text-anchor` = "middle", format(mark)
      ))
    })
  )
  htmltools::tags$figure(
    class = "wide",
    svg("svg", list(
      viewBox = sprintf("0 0 %d %d", width, as.integer(bottom + 20)),
      width = width, role = "img",
      `aria-label` = "Distances from the training samples", unname(lines), axis
    )),
    htmltools::tags$figcaption(paste(
      "Distances of the sample from the training samples of each class,",
      "a mark for each."
    ))
  )
}

shorten_text <- function(text, most) {
  if (nchar(text) > most) paste0(substr(text, 1L, most - 3L), "...") else text
}
