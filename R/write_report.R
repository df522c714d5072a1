# Layer: show. write_report() writes a fit as one page of HTML: the new samples
# first, then the error and the model.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Write a report of a fit as one HTML page
#'
#' Writes one file that opens in any browser, without a network. Below the title
#' stand the date, who made it, the model and its settings, and that it is for
#' research and not validated for diagnosis. New samples come first: what is
#' predicted for each, and why. Then come the error, if it has been measured,
#' the features of the model, and, with a `curve`, its sentence for a methods
#' section.
#'
#' @details
#' A table has the answer and the flag of every new sample. A card shows the
#' predicted class, the true one if `truth` has it, how many of its five nearest
#' training samples have this class (for [llfs()], in how many hyperspheres of
#' each class it lies), and, for at most six features that decide, a strip plot
#' of its value among those of the training samples of each class. There is no
#' reliable prediction of a sample that is far from the training samples, as
#' [predict()][predict.hitmiss] says it, or that of [llfs()] lies in no
#' hypersphere. Fits with features that are factors have
#' no distances and no strip plots.
#'
#' A fit with `pair` has a page without new samples: it says which of two
#' samples of one pair is which, and no more of any of them. [predict()] and
#' [validate()] take new pairs.
#'
#' The page never shows a share of votes as a probability. With a `curve` whose
#' classifier is the fit's own, it says instead how many of the curve's held-out
#' predictions of the same class with a share of votes within 0.05 of it (or, if
#' none has more, with at least that share) were right, if they are of at least
#' five samples.
#'
#' What begins with `https://` in the annotation is a link.
#'
#' @param fit A fit of [llfs()], [logo()], [relief()], [kbfs()] or [pwfp()].
#' @param newdata `NULL`, or new samples, as for [predict()][predict.hitmiss].
#' @param truth `NULL`, or what is known of the classes of the new samples, as
#'   in [validate()]; `NA` where nothing is.
#' @param positive As in [validate()]: of two classes the one whose found
#'   samples are the sensitivity. `NULL`: that of the curve, or the first class.
#' @param author Who made the report, for its head.
#' @param file Path of the file to write; an existing file is replaced.
#' @param ... Must be empty.
#' @param curve `NULL`, or the result of [error_curve()] on the same samples,
#'   features and classes, in which one of the selectors makes fits of this
#'   method with these settings; any other curve is an error.
#' @param annotation `NULL` for the annotation of the fit (from a container), or
#'   a data.frame with a row for each feature, whose row names are the features'
#'   names; it may have more rows, or another order.
#' @param label As in [plot()][plot.hitmiss]: the text that stands for a feature
#'   in strip plots; `NULL` for the gene symbol, if there is one, else the
#'   features' own names.
#' @param n Number of features in the table, best first.
#' @param title Title of the page.
#' @return The path of the file, invisibly.
#' @examplesIf requireNamespace("htmltools", quietly = TRUE)
#' toy <- simulate_localized(noise = 20)
#' train <- seq_along(toy$y) %% 5 != 0
#' fit <- llfs(toy$x[train, ], toy$y[train], alpha = 2, threads = 1)
#' page <- tempfile(fileext = ".html")
#' write_report(fit, toy$x[!train, ][1:2, ], page)
#' file.size(page)
#' @export
write_report <- function(fit, newdata = NULL, file, ..., curve = NULL,
                         truth = NULL, positive = NULL, annotation = NULL,
                         label = NULL, n = 50,
                         title = "Report of a classification",
                         author = NULL) {
  check_no_dots(...)
  check_fit(fit, "fit")
  refuse_survival(fit$training$y, "fit")
  if (missing(file)) abort_missing("file")
  n <- check_top(n)
  title <- check_one_text(title, "title")
  require_package("htmltools", "a report")
  if (!is.null(author)) author <- check_one_text(author, "author")
  if (is.null(newdata) && !is.null(truth)) {
    abort_input("{.arg truth} needs {.arg newdata}.", "truth")
  }
  if (!is.null(newdata) && !is.null(fit$design$pair)) {
    abort_input(c(
      "A report of a fit with {.arg pair} has no new samples: the fit says which
       of two samples of one pair is which, not what one sample is.",
      i = "Leave out {.arg newdata}. {.code predict(fit, newdata, pair = )} and
           {.code validate(fit, newdata, truth, pair = )} take new pairs."
    ), "newdata")
  }
  if (!is.null(positive) && is.null(curve)) {
    abort_input(
      "{.arg positive} needs {.arg curve}, whose errors it is about.",
      "positive"
    )
  }
  if (!is.null(annotation)) fit <- with_annotation(fit, annotation)
  report <- list(
    fit = fit, labels = report_labels(fit, label),
    error = if (!is.null(curve)) curve_of_fit(curve, fit),
    positive = positive %||% curve$positive
  )
  found <- if (!is.null(newdata)) {
    sample_predictions(fit, newdata, truth)
  }
  page <- report_page(title, head_part(fit, author), list(
    samples = if (!is.null(found)) samples_part(report, found),
    error = error_part(report, curve, positive),
    model = model_part(report, n), appendix = if (!is.null(curve)) {
      htmltools::tags$p(class = "soft", page_text(format(summary(curve))))
    }
  ))
  connection <- open_output(file)
  on.exit(close(connection))
  writeLines(enc2utf8(page), connection, useBytes = TRUE)
  invisible(normalizePath(file))
}

# R warns about longer paths when it tests whether they exist.
open_output <- function(file) {
  fine <- is_texts(file, 1L) && nchar(file, "bytes") %in% 1:4000 &&
    !dir.exists(file) && dir.exists(dirname(file))
  opened <- if (fine) {
    tryCatch(base::file(file, "wb"), warning = identity, error = identity)
  }
  if (!inherits(opened, "connection")) {
    abort_input(c(
      "{.arg file} must be the path of a file that can be written, not
       {describe(file)}.",
      i = "As in {.code write_report(fit, file = \"report.html\")}, in a folder
           that exists."
    ), "file")
  }
  opened
}

# ---- the error ---------------------------------------------------------------

#' What a curve says of the fit's method
#'
#' @return list(selector: its name; size; classifier; prepare: its words, or
#'   NULL; own: is it that of the fit?; predictions: of held-out samples at that
#'   size, or NULL).
#' @noRd
curve_of_fit <- function(curve, fit) {
  check_curve(curve)
  check_curve_data(curve, fit)
  found <- like_fit(curve, fit)
  at <- found$selector
  used <- if (is_ranker(fit)) default_n(fit) else length(fit$selected)
  size <- curve$sizes[[found$size %||%
    which.min(abs(log(curve$sizes / max(used, 1L))))]]
  kept <- curve$predictions
  classifier <- curve$classifier[[at]]
  own <- identical(classifier, classifier_labels[["own"]])
  list(
    selector = curve$selectors[[at]],
    size = size, classifier = if (own) "its own" else classifier,
    prepare = curve$prepare, design = curve$design, splits = curve$splits,
    # A fit that only ranks predicts by a number of features, which must be that
    # of the curve.
    own = own && (inherits(fit, "hitmiss_llfs") ||
      if (is_ranker(fit)) size == used else size >= used),
    predictions = kept[kept$selector == curve$selectors[[at]] &
      kept$size == size & !is.na(kept$predicted), ]
  )
}

check_curve_data <- function(curve, fit) {
  y <- fit$local$class %||% fit$training$y
  sizes <- tabulate(y, length(fit$classes))[match(curve$classes, fit$classes)]
  other <- c(
    "number of samples" = curve$n_samples != fit$n_samples,
    features = !setequal(curve$features, names(fit$scores)),
    assay = length(unique(names(c(curve$assay, fit$assay)))) > 1L,
    classes = !setequal(curve$classes, fit$classes) ||
      # Fits of kbfs() may have samples without a label.
      length(y) == fit$n_samples && !identical(sizes, curve$class_sizes),
    labels = length(y) == curve$n_samples && any(
      as.character(y)[curve$predictions$sample] !=
        as.character(curve$predictions$truth),
      na.rm = TRUE
    )
  )
  if (any(other)) {
    abort_input(c(
      "{.arg curve} is not of this fit: they differ in {names(other)[other]}.",
      i = "Run {.fn error_curve} on the data of the fit, with its selector."
    ), "curve")
  }
}

#' The selector of a curve whose fits are made as `fit` is
#'
#' @return list(selector: its number; size: the number of the size of which it
#'   is, for a selector that is called for each size, or NULL).
#' @noRd
like_fit <- function(curve, fit) {
  own <- fit_settings(fit)
  n <- lengths(curve$settings)
  at <- rep(seq_along(n), n)
  there <- do.call(c, unname(curve$settings))
  differ <- lapply(there, differing_settings, own)
  other <- vapply(differ, \(names) "selector" %in% names, NA)
  best <- order(other, lengths(differ))[1L]
  if (length(there) > 0L && length(differ[[best]]) == 0L) {
    at <- at[[best]]
    return(list(
      selector = at, size = if (n[[at]] > 1L) best - sum(n[seq_len(at - 1L)])
    ))
  }
  same <- isFALSE(other[best])
  text <- function(of) {
    given <- intersect(differ[[best]], names(of))
    toString(c(
      if (length(given) > 0L) {
        parameter_text(lapply(of[given], \(values) values[[1L]]))
      },
      sprintf("no %s", setdiff(differ[[best]], given))
    ))
  }
  abort_input(c(
    "{.arg curve} is of other models than this fit: of another
     {if (same) differ[[best]] else 'method'}.",
    x = if (same) {
      "In the curve: {text(there[[best]])}. In the fit: {text(own)}."
    },
    i = "Give {.fn error_curve} the selector with the settings of the fit."
  ), "curve")
}

# Says how many held-out samples, or pairs, are wrong, and how many samples of
# each class are found.
error_part <- function(report, curve, positive) {
  tags <- htmltools::tags
  error <- report$error
  if (is.null(error$predictions) || nrow(error$predictions) == 0L) {
    return(tags$p(
      class = "warn", "The error of this model has not been measured."
    ))
  }
  measured <- validate(
    curve, selector = error$selector, size = error$size, positive = positive
  )
  model <- if (error$own) {
    "Models made in the same way"
  } else {
    sprintf(
      "A different classifier than the one used above (%s, %d features)",
      error$classifier, as.integer(error$size)
    )
  }
  if (!is.null(error$prepare)) {
    model <- sprintf(
      "%s, prepared inside each training part (%s),", model,
      paste(error$prepare, collapse = "; ")
    )
  }
  total <- measured$table[1L, ]
  words <- c(
    sprintf(
      "%s misclassified %.1f %% of %g held-out %s (%s).", model,
      100 * total$estimate, total$n,
      if (is.null(curve$design$pair)) "samples" else "pairs",
      interval_words(total)
    ),
    paired_line(curve$design, ".") %||% found_words(measured, curve)
  )
  htmltools::tagList(
    lapply(page_text(c(words, sprintf(
      paste(
        "This was measured on parts of the same %d samples left out of",
        "training, not on new patients."
      ), curve$n_samples
    ))), tags$p)
  )
}

# Says for each class, the positive one first, how many of its samples were
# found, and how many of the samples that were called by its name belong to it.
found_words <- function(measured, curve) {
  confusion <- measured$confusion
  positive <- measured$positive
  repeats <- max(repetition_of(curve$splits))
  classes <- unique(c(positive, rownames(confusion)))
  share <- function(measure, class) {
    table <- measured$table
    row <- table[table$measure == measure & table$class == class, ]
    share_words(row$estimate, row)
  }
  vapply(classes, function(class) {
    n <- sum(confusion[class, ])
    hits <- confusion[[class, class]]
    if (n == 0) {
      return(sprintf("Of class '%s' no sample was held out.", class))
    }
    called <- sum(confusion[, class])
    # What is found of the other of two classes is not of the positive one.
    measures <- if (class == (positive %||% class)) {
      c("sensitivity", "positive predictive value")
    } else {
      c("specificity", "negative predictive value")
    }
    of <- positive %||% class
    kind <- if (is.null(positive)) c("", "") else sprintf(
      c(" (%s)", "%s, "), measures
    )
    paste(c(
      sprintf(
        "Of %g samples of class '%s', %g%s were found%s: %s.", n, class,
        signif(hits, 4L),
        if (repeats > 1L) sprintf(" (mean of %d repeats)", repeats) else "",
        kind[[1L]], share(measures[[1L]], of)
      ),
      if (called > 0) {
        sprintf(
          "The answer '%s' was right in %s (%sat %g '%s' of %g samples).",
          class, share(measures[[2L]], of), kind[[2L]], n, class, sum(confusion)
        )
      }
    ), collapse = " ")
  }, "")
}
