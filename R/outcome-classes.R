# Layer: show. Classes as an outcome: all that is different about them.
# SPDX-License-Identifier: GPL-3.0-or-later

kind_of.factor <- function(y) {
  list(
    name = "factor", what = "classes", said = "The fit has classes",
    check = check_label_type, read = as_labels,
    at = labels_at, classes = identity,
    strata = as.factor, needed = levels, partly = TRUE,
    # ---- fits ----
    relief = "relieff", neighbours = class_neighbours, compared = identity,
    pairs = check_pairs, placed = identity, alone = class_differences,
    alone_columns = class_columns, leaks = class_leaks,
    # ---- predict() ----
    types = c("class", "prob"), weighted = TRUE, usual_votes = function(n) 5,
    votes = function(fit, times) c(winner = 1L, share = length(fit$classes)),
    nearest = function(..., times) cpp_nearest_vote(...),
    answer = function(votes, y, k, balanced, times) {
      vote_probabilities(votes, y, k, balanced)
    },
    calibrated = calibrated, worth = vote_calibration,
    calibrated_at = function(y) NULL,
    constant = function(y, n, grid) class_shares_of(y, n),
    without = "the largest class.", predicted = function(y, numbers) {
      factor(levels(y)[numbers], levels(y), ordered = is.ordered(y))
    },
    score_names = function(y, times) levels(y), stated = as.character,
    # ---- lists and prints ----
    direction = class_direction, of_class = rows_of_class, in_turn = in_turn,
    signed = signed_contrasts, legend = class_legend, words = function(fit) {
      sprintf("%d classes (%s)", length(fit$classes), listed(fit$classes, 6L))
    },
    alone_words = function(n) {
      paste0(
        "Features that differ between classes only in spread count as true: ",
        "see effect, in standard deviations, ", n, "."
      )
    },
    pictures = list(gene = plot_gene, volcano = plot_volcano),
    # ---- evaluations ----
    study = function(y, horizon) {
      if (!is.null(horizon)) {
        abort_input(
          "{.arg horizon} is a time; {.arg y} holds classes.", "horizon"
        )
      }
    },
    metrics = class_metrics, columns = function(y) list(truth = y),
    truth = function(table) table$truth,
    shown = function(table) table[c("truth", "predicted")], prefix = "score_",
    usual_k = 5L, knn = nearest_classes, models = list(
      svm_linear = function(parts, data) svm_predict(parts, data$y, "linear"),
      svm_rbf = function(parts, data) svm_predict(parts, data$y, "radial")
    ),
    own = own_classes, custom = custom_classes, classifier_help = c(
      i = "{.val knn} has 5 neighbours, {.val knn3} has 3, and so on.",
      i = "A function takes {.arg (x_train, y_train, x_test)} and returns a
           factor of predicted classes or a matrix of class scores, such as
           {.code function(x_train, y_train, x_test)
           class::knn(x_train, x_test, y_train)}."
    ),
    scores = "class scores", baseline = largest_class, none = "largest_class",
    together = TRUE, p_value = one_way_p,
    curve_words = function(x, sizes) {
      paste0(length(x$classes), " classes", if (sizes) {
        sprintf(
          " (%s)", listed(paste(cut_names(x$classes, 40L), x$class_sizes), 5L)
        )
      })
    },
    study_words = function(x) NULL,
    empty = "{n} empty selection{?s} predicted the largest class.",
    lost = "{n} test part{?s} {?lacks/lack} a class and {?has/have} no
            {metric_label(x)}.",
    curve_pictures = list(curve = plot_curve, roc = plot_curve_roc),
    validate = validate_classes, validate_curve = validate_held_out_classes
  )
}

# Frameworks give labels as the user has them, also texts.
labels_at <- function(y, rows) {
  if (is.factor(y)) droplevels(y[rows]) else y[rows]
}

# NA marks a sample of unknown class.
kind_of.partly <- function(y) {
  utils::modifyList(kind_named("factor"), list(
    read = function(y, samples, arg) as_labels(y, samples, arg, partly = TRUE)
  ))
}

# ---- what is taken -----------------------------------------------------------

#' A factor without unused levels
#' @param partly Does NA mark samples of unknown class?
#' @noRd
as_labels <- function(y, samples, arg, partly = FALSE) {
  check_text(if (is.factor(y)) levels(y) else as.character(y), arg, "labels")
  labels <- label_factor(y, arg)
  # Labels are compared without case and outer spaces, to find those that differ
  # in nothing else.
  words <- tolower(gsub("^\\s+|\\s+$", "", levels(labels)))
  check_known_labels(labels, words, samples, arg, partly)
  if (nlevels(labels) < 2L) {
    found <- levels(labels)
    abort_input(c(
      "{.arg {arg}} must name at least two classes; it has
       {length(found)}: {.val {found}}.",
      i = "Selection needs near misses, samples of another class."
    ), arg)
  }
  if (anyDuplicated(words) > 0L) {
    alike <- levels(labels)[words %in% words[duplicated(words)]]
    inform(
      c(
        "Labels of {.arg {arg}} that differ only in case or spaces are treated
         as different classes: {.val {alike}}.",
        i = "If they mean one class, make them equal first, as in
             {.code tolower(trimws({arg}))}."
      ),
      "hitmiss_message_labels"
    )
  }
  # An unknown or missing part may be a class, and empty labels are refused.
  # Where paste() meets a missing factor value, it makes "NA" or "<NA>".
  inform_missing_text(labels, arg, \(text) trimws(text) %in% c("NA", "<NA>"))
  labels
}

# Stops with an error if a label is missing (NA, unless `partly`) or blank
# (nothing but spaces).
check_known_labels <- function(labels, words, samples, arg, partly) {
  blank <- words == ""
  if (!any(blank) && (partly || !anyNA(labels))) {
    return(invisible())
  }
  bad <- blank[labels]
  bad <- which(if (partly) bad else bad | is.na(labels))
  if (length(bad) > 0L) {
    kind <- if (anyNA(labels[bad])) "missing" else "blank"
    first <- position("sample", bad[[1L]], samples)
    abort_input(c(
      "{.arg {arg}} has {length(bad)} {kind} {cli::qty(length(bad))}label{?s};
       the first belongs to {first}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out, or
           call {.fn kbfs} itself, where NA marks an unlabelled sample."
    ), arg, row = bad[[1L]])
  }
}

check_label_type <- function(y, arg) {
  refuse_survival(y, arg)
  if (is.factor(y)) {
    return(check_factor(y, arg))
  }
  if ((is.character(y) || is.logical(y)) && !is.object(y) &&
    length(dim(y)) < 2L) {
    return(invisible())
  }
  abort_input(c(
    "{.arg {arg}} must be a factor, character or logical vector, not
     {describe(y)}.",
    i = if (inherits(y, "haven_labelled")) {
      "Some of its values have labels and others have none: use
       {.code haven::as_factor({arg})}."
    } else if (is.atomic(y) && length(y) > 0L && is.null(dim(y))) {
      "If its values name classes, use {.code factor({arg})}."
    },
    i = column_remedy(y, arg),
    i = if (is.numeric(y) && !is.object(y) && is.null(dim(y))) {
      "Features for a numeric outcome are ranked by
       {.code relief(x, {arg}, method = \"rrelieff\")}."
    }
  ), arg)
}

# Character labels are ordered byte by byte, so that the user's language does
# not matter.
label_factor <- function(y, arg) {
  if (identical(class(y), "factor") && !anyNA(levels(y)) &&
    all(tabulate(y, nlevels(y)) > 0L)) {
    return(structure(as.integer(y), levels = levels(y), class = "factor"))
  }
  if (!is.factor(y)) {
    y <- enc2utf8(as.character(y))
    return(factor(y, levels = sort(unique(y[!is.na(y)]), method = "radix")))
  }
  if (is.ordered(y)) {
    inform(
      "{.arg {arg}} is an ordered factor; the order of its levels is not used.",
      "hitmiss_message_ordered"
    )
  }
  # A level NA marks samples without a label.
  known <- levels(y)[!is.na(levels(y))]
  unused <- setdiff(known, as.character(y))
  if (length(unused) > 0L) {
    warn(
      c(
        "{.arg {arg}} has {length(unused)} level{?s} without samples, which
         {?is/are} dropped: {.val {unused}}.",
        i = "{.code droplevels({arg})} does so silently."
      ),
      "hitmiss_warning_levels",
      levels = unused
    )
  }
  factor(as.character(y), levels = setdiff(known, unused))
}
