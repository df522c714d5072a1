# What a methods section says of a curve, as text.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @rdname hitmiss_curve-methods
#' @export
summary.hitmiss_curve <- function(object, ...) {
  check_no_dots(...)
  check_whole(object, "object")
  structure(list(curve = object), class = "summary_hitmiss_curve")
}

#' @rdname hitmiss_curve-methods
#' @export
format.summary_hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  curve <- check_whole(x$curve, "x$curve")
  c(
    data = data_sentence(curve), validation = validation_sentence(curve),
    selection = selection_sentence(curve),
    classifier = classifier_sentence(curve),
    result = result_sentence(curve), software = software_sentence(curve)
  )
}

#' @rdname hitmiss_curve-methods
#' @export
as.character.summary_hitmiss_curve <- function(x, ...) unname(format(x, ...))

#' @export
print.summary_hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  text <- format(x)
  curve <- x$curve
  cat(to_width(text), "", sep = "\n")
  print(curve_table(curve), row.names = FALSE, right = FALSE)
  notes <- curve_notes(curve)
  if (length(notes) > 0L) cat(to_width(notes), sep = "\n")
  cat("\n")
  cat(to_width(paste0("By size (se: ", se_words, "):")), sep = "\n")
  print(shown(tidy(curve)), row.names = FALSE)
  cat("\nSeconds:\n")
  print(shown(curve$seconds), row.names = FALSE)
  if (nrow(curve$failures) > 0L) {
    cat("\nFailed:\n")
    print(curve$failures, row.names = FALSE)
  }
  invisible(x)
}

# ---- sentences ---------------------------------------------------------------

data_sentence <- function(x) {
  sprintf(
    "The data were %s samples (%s)%s with %s features.", big(x$n_samples),
    listed(paste(x$class_sizes, x$classes), 20L), group_words(x),
    big(length(x$features))
  )
}

group_words <- function(x) {
  if (is.null(x$n_groups)) {
    return("")
  }
  sprintf(
    " of %s groups%s", big(x$n_groups),
    if (is.null(x$group_name)) "" else sprintf(" (%s)", x$group_name)
  )
}

validation_sentence <- function(x) {
  learned <- c(
    if (!is.null(x$prepare)) {
      sprintf("preparation (%s)", paste(x$prepare, collapse = "; "))
    },
    "selection of features", if (uses_scaling(x)) "scaling",
    if (!is.null(x$tune)) "tuning", "classifier"
  )
  sprintf(
    paste(
      "Performance was estimated by %s; %s were learned on each training part",
      "alone."
    ),
    validation_words(x$resampling, x), enumerated(learned)
  )
}

validation_words <- function(plan, x) {
  words <- resampling_words(plan, !is.null(x$n_groups))
  if (!grepl("cross-validation", words)) {
    words <- sub("(fold|leave-one(-group)?-out)", "\\1 cross-validation", words)
  }
  sub(", stratified", ", stratified by class", words)
}

# The selector's own classifier scales by itself.
uses_scaling <- function(x) {
  x$scale != "none" && any(classifier_kinds(x) != "own")
}

selection_sentence <- function(x) {
  calls <- x$selector_calls[x$selectors]
  who <- if (is.null(calls)) {
    x$selectors
  } else {
    ifelse(calls == "", x$selectors, sprintf("%s (`%s`)", x$selectors, calls))
  }
  sprintf(
    "%s features were selected by %s; %s.", alternatives(x$sizes),
    paste(who, collapse = "; "),
    if (!is.null(x$nested)) {
      sprintf(
        "their number was chosen within each training part by nested %s (%s)",
        validation_words(x$nested, x), "one-standard-error rule"
      )
    } else if (length(x$sizes) > 1L) {
      "their number was not chosen by the results (not nested)"
    } else {
      "their number was fixed beforehand"
    }
  )
}

classifier_sentence <- function(x) {
  labels <- unique(x$classifier)
  words <- vapply(labels, classifier_words, "", tune = x$tune)
  if (length(labels) > 1L) {
    who <- vapply(labels, function(label) {
      paste(x$selectors[x$classifier == label], collapse = ", ")
    }, "")
    words <- sprintf("%s (%s)", words, who)
  }
  scaled <- c(
    zscore = "features were standardized (mean 0, standard deviation 1)",
    range = "features were scaled to their range"
  )
  sprintf(
    "The classifier was: %s%s.", paste(words, collapse = "; "),
    if (uses_scaling(x)) paste0("; ", scaled[[x$scale]]) else ""
  )
}

#' A classifier with its parameters, or with the values they were chosen from
#' @noRd
classifier_words <- function(label, tune) {
  kind <- names(classifier_labels)[match(label, classifier_labels)]
  values <- lapply(names(classifier_parameters[[kind]]), function(name) {
    default <- classifier_parameters[[kind]][[name]] %||% "1/number of features"
    tried <- tune[[name]]
    if (is.null(tried)) {
      sprintf("%s = %s", name, default)
    } else {
      sprintf(
        "%s chosen from %s", name, listed(format_each(sort(unique(tried))))
      )
    }
  })
  folds <- if (any(names(classifier_parameters[[kind]]) %in% names(tune))) {
    sprintf("by %d-fold cross-validation in each training part", tune$folds)
  }
  details <- c(unlist(values), folds)
  if (is.null(details)) {
    return(label)
  }
  sprintf("%s (%s)", label, paste(details, collapse = ", "))
}

format_each <- function(values) vapply(values, format, "", digits = 4L)

result_sentence <- function(x) {
  se <- curve_se(x)
  nested <- !is.null(x$chosen_summary)
  value <- if (nested) x$chosen_summary$mean else x$aggregate$mean
  with_se <- function(mean, se) {
    # What is the same in all splits, as the largest class, has none.
    error <- ifelse(is.na(se) | se == 0, "", sprintf(" (SE %.3f)", se))
    ifelse(is.na(mean), "no value", paste0(sprintf("%.3f", mean), error))
  }
  value <- with_se(value, if (nested) se$chosen else se$aggregate)
  more <- if (nested) {
    sprintf(" with %g features (median)", x$chosen_summary$size)
  }
  baseline <- with_se(x$baseline$mean, x$baseline$se %||% NA_real_)
  names <- gsub("[()]", "", x$baseline$name)
  sprintf(
    "The %s%s was: %s; without selection: %s.%s", metric_label(x),
    if (nested) {
      " at the chosen number of features"
    } else if (length(x$sizes) > 1L) {
      ", averaged over the numbers of features,"
    } else {
      ""
    },
    paste0(x$selectors, " ", value, more, collapse = "; "),
    paste(names, baseline, collapse = ", "),
    if (all(is.na(c(se$chosen, se$aggregate)))) {
      ""
    } else {
      sprintf(" SE: %s (Nadeau, Bengio 2003).", se_words)
    }
  )
}

software_sentence <- function(x) {
  versions <- x$versions %||% c(hitmiss = x$version)
  sprintf(
    "Computed with %s.", paste(names(versions), versions, collapse = ", ")
  )
}

# "1, 2 and 5"
enumerated <- function(words) {
  n <- length(words)
  if (n < 2L) {
    return(words)
  }
  paste(paste(words[-n], collapse = ", "), "and", words[[n]])
}

alternatives <- function(sizes) {
  sub(" and ", " or ", enumerated(vapply(sizes, big, "")))
}

# ---- what is kept for them ---------------------------------------------------

#' The packages that a curve's values depend on, with their versions, and R's
#' @noRd
used_versions <- function(plan) {
  kinds <- vapply(plan$classifiers, `[[`, "", "kind")
  packages <- c("hitmiss", if (any(startsWith(kinds, "svm"))) "e1071")
  c(
    R = as.character(getRversion()),
    vapply(packages, function(package) {
      utils::packageDescription(package, fields = "Version")
    }, "")
  )
}

#' The selectors as they were given, as text
#'
#' @param given Argument `selectors` of the call: its text is shorter than the
#'   function that it makes.
#' @return Named character, "" for a function without a useful text.
#' @noRd
selector_texts <- function(selectors, given) {
  inline <- is.call(given) && identical(given[[1L]], quote(list))
  vapply(stats::setNames(nm = names(selectors)), function(name) {
    selector_text(selectors[[name]], if (inline) given[[name]])
  }, "")
}

selector_text <- function(fun, given = NULL) {
  made <- is.call(given) && !identical(given[[1L]], quote(`function`))
  name <- export_name(fun)
  code <- if (made) {
    list(given)
  } else if (!identical(name, quote(...))) {
    list(call(as.character(name), quote(x), quote(y)))
  } else if (is.call(body(fun)) && identical(body(fun)[[1L]], quote(`{`))) {
    as.list(body(fun))[-1L]
  } else {
    list(body(fun))
  }
  # Data that stand in the code are no part of the text.
  text <- vapply(code, function(part) {
    paste(trimws(deparse(plain_part(part), 500L)), collapse = " ")
  }, "")
  text <- paste(setdiff(text, "NULL"), collapse = "; ")
  if (nchar(text) > 200L) paste0(substr(text, 1L, 197L), "...") else text
}
