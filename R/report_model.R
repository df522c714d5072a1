# Layer: show. A report begins with what was fitted, with its settings, and ends
# with the table of the model.
# SPDX-License-Identifier: GPL-3.0-or-later

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
    lapply(page_text(c(
      fit_kind(fit)$legend(fit), calibration_line(fit), if (local) {
        paste(
          "score: share of the training samples whose spheres use the feature;",
          "used in: the same share of each class. The class in which the mean",
          "differs most need not be one that uses the feature."
        )
      }
    )), tags$p, class = "soft")
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

# Returns the share of votes of each new sample, or its calibrated probability
# to be of the class by the votes, which need not be the most probable one.
stated_share <- function(prob, predicted, fit) {
  if (is.null(fit$calibration)) {
    return(unname(apply(prob, 1L, max)))
  }
  prob[cbind(seq_along(predicted), as.integer(predicted))]
}

#' How often held-out predictions of the same class with a similar share of
#' votes were right
#'
#' The interval is that of as many samples, because repetitions predict the same
#' ones, or of as many as those of several units are worth.
#' @return Sentences, or NULL without held-out predictions of such a classifier.
#' @noRd
calibrated_words <- function(error, share, predicted, fit) {
  if (!is.null(fit$calibration)) {
    return(sprintf("Its probability to be '%s' is %.2f.", predicted, share))
  }
  table <- error$predictions
  if (is.null(table) || !error$own || anyNA(table$score)) {
    return(NULL)
  }
  table <- table[table$predicted == predicted, ]
  shares <- apply(table$score, 1L, max)
  like <- abs(shares - share) <= 0.05
  n_like <- sum(like)
  n <- length(unique(table$sample[like]))
  own <- sprintf("Its share of the votes is %.2f.", share)
  if (n < 5L) {
    return(paste(own, sprintf(
      "Too few similar answers of class '%s' were held out to say how often",
      predicted
    ), "such an answer is right."))
  }
  table <- table[like, ]
  hit <- table$predicted == table$truth
  right <- sum(hit)
  of <- design_rows(error$design, unique(table$sample))
  worth <- if (!has_several(of)) {
    n
  } else {
    effective_size(hit, held_out(list(table), error))
  }
  interval <- exact_interval(worth * right / n_like, worth, 0.95)
  paste(own, sprintf(
    paste(
      "Of %d held-out predictions of '%s' with %s of the votes (of %s%s),",
      "%d were right (%s)."
    ), n_like, predicted, if (any(shares > share + 0.05)) {
      sprintf("a share of %.3f to %.3f", min(shares[like]), max(shares[like]))
    } else {
      sprintf("a share of at least %.3f", min(shares[like]))
    }, samples_words(of), if (n_like > n) ", some in several splits" else "",
    right, share_words(right / n_like, interval)
  ))
}
