# Layer: use. predict() reads new samples here: it matches the needed features
# by name, and reads no others from delayed matrices and containers.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param newdata Any container of samples.
#' @param needed Names of the features that the prediction uses.
#' @param fit The fit, whose features and assay count.
#' @param places NULL, or the positions of the needed features among all: then
#'   new data with the names of the fit are not searched for them.
#' @param drop May needed features be absent? They are then left out.
#' @param holes Does a row with missing values keep its finite values?
#' @return Numeric matrix, samples x needed, with the samples' names if any.
#'   A row with a missing or non-finite value is NA throughout, unless `holes`.
#'   Attribute `measured`: see prepared_newdata().
#' @noRd
as_newdata <- function(newdata, needed, fit, drop = FALSE, places = NULL,
                       holes = drop || !is.null(fit$present)) {
  memory_errors({
    values <- newdata_values(newdata, needed, fit, drop, places, holes)
    NULL
  })
  values
}

newdata_values <- function(newdata, needed, fit, drop, places, holes) {
  measured <- NULL
  if (!is.null(fit$prepared)) {
    newdata <- prepared_newdata(newdata, fit)
    measured <- attr(newdata, "measured")
  }
  other <- setdiff(counts_in(newdata), fit$counts)
  if (length(other) > 0L) {
    what <- if (is.character(other)) paste0("newdata$", other) else "newdata"
    abort_input(
      "{.arg {what[[1L]]}} is a {.cls DGEList}, and the fit was not made of one:
       give values that were computed as those of the fit.", "newdata"
    )
  }
  features <- names(fit$scores)
  newdata <- coded_newdata(newdata, fit, needed)
  opened <- open_newdata(newdata, fit$assay)
  at <- if (!is.null(places) && identical(opened$features, features)) {
    stats::setNames(places, needed)
  } else {
    match_features(opened, needed, features, drop)
  }
  check_numbers_fit(as.double(count_samples(opened)) * length(at), "newdata")
  values <- columns_of(opened, at)
  # The training samples say which values are far from all others, also if there
  # is a single new sample. For pairs, the training values are differences.
  if (is.null(fit$design$pair) && any(values %in% missing_numbers)) {
    known <- training_values(fit, colnames(values))
    inform_missing_numbers(
      values[, colnames(known), drop = FALSE], "newdata", colnames(known), known
    )
  }
  values[!is.finite(values)] <- NA_real_
  if (!holes) values[rowSums(is.na(values)) > 0, ] <- NA_real_
  attr(values, "measured") <- measured[, names(at), drop = FALSE]
  values
}

open_newdata <- function(newdata, assay) {
  opened <- open_data(newdata, assay %||% 1L, "newdata")
  check_valid(opened$values, "newdata")
  opened
}

# Returns the values of those of these features that a fit keeps.
training_values <- function(fit, names) {
  kept <- fit$training$values %||% fit$local$training
  known <- kept[, intersect(names, colnames(kept)), drop = FALSE]
  if (is.null(fit$local)) {
    return(known)
  }
  at <- match(colnames(known), names(fit$scores))
  t(t(known) * fit$preprocess$scale[at] + fit$preprocess$center[at])
}

#' Raw new samples after the preparation that a fit learned
#'
#' Where samples lack values, attribute `measured` says which values were there.
#' The least values, and what a user's function fills in, stand for missing
#' values that say something: only a sample without any value is not measured.
#' @noRd
prepared_newdata <- function(newdata, fit) {
  prepared <- fit$prepared
  opened <- open_newdata(newdata, prepared$assay)
  at <- match_features(opened, prepared$features, prepared$features,
    cure = "The preparation of the fit needs it; if it fills in missing values,
            a column of {.val {NA}} will do."
  )
  if (prepared$frame && is.data.frame(opened$values)) {
    values <- as.data.frame(opened$values)[at]
    names(values) <- prepared$features
    if (length(prepared$imputes) == length(prepared$steps)) {
      values <- unseen_as_missing(values, c(fit$levels, fit$ranks))
    }
  } else {
    values <- columns_of(opened, at)
  }
  measured <- !is.na(values)
  if (!any(prepared$imputes %in% c("median", "mean", "draw"))) {
    measured[] <- rowSums(measured) > 0
  }
  for (step in prepared$steps) values <- step(values)
  if (nrow(values) == length(opened$samples)) {
    rownames(values) <- opened$samples
  }
  attr(values, "measured") <- if (!all(measured)) measured
  values
}

#' Some features of a container: double, samples x features
#'
#' @param at Positions of the features, with their names.
#' @noRd
columns_of <- function(opened, at) {
  values <- opened$values
  if (is.data.frame(values)) {
    part <- numeric_columns(as.data.frame(values)[at], "newdata")
  } else {
    # The features are read in the order of the file, because a reader seeks
    # forward only.
    sorted <- order(at)
    places <- unname(at)[sorted]
    part <- reading(
      if (opened$features_in == "rows") {
        t(as.matrix(values[places, , drop = FALSE]))
      } else {
        as.matrix(values[, places, drop = FALSE])
      },
      "{.arg newdata}"
    )
    part <- check_numeric_matrix(part[, order(sorted), drop = FALSE], "newdata")
  }
  storage.mode(part) <- "double"
  dimnames(part) <- list(opened$samples, names(at))
  part
}

#' Positions of the needed features among the columns of new data, with names
#'
#' @param drop May features be absent?
#' @param cure What to do if they are and may not; NULL: drop them.
#' @noRd
match_features <- function(opened, needed, features, drop = FALSE,
                           cure = NULL) {
  names <- opened$features
  if (is.null(names)) {
    return(match_unnamed(count_features(opened), needed, features))
  }
  # If few of many names are needed, looking up only these is faster.
  found <- which(names %in% needed)
  twice <- unique(names[found][duplicated(names[found])])
  at <- stats::setNames(found[match(needed, names[found])], needed)
  absent <- needed[is.na(at)]
  if (drop) at <- at[!is.na(at)]
  if (length(absent) > 0L && !drop) {
    abort_absent(absent, needed, names, opened$samples, cure)
  }
  if (length(twice) > 0L) {
    abort_input(
      "{.arg newdata} has more than one column called {.val {twice}}.",
      "newdata",
      features = twice
    )
  }
  at
}

# Says why features may be absent: new data are transposed, data.frame() renamed
# their columns.
abort_absent <- function(absent, needed, names, samples, cure) {
  mangled <- intersect(make.names(absent), names)
  abort_input(c(
    "{.arg newdata} lacks {length(absent)} feature{?s} that the prediction
     needs: {.val {absent}}.",
    i = "Columns are matched by name; order and extra columns do not matter.",
    i = if (any(absent %in% samples)) {
      "It looks transposed: samples go in rows. Use {.code t(newdata)}."
    } else if (length(mangled) > 0L) {
      "It has {.val {mangled}}: {.fn data.frame} changes names, unless it is
       called with {.code check.names = FALSE}."
    },
    i = if (!is.null(cure)) {
      cure
    } else if (2L * length(absent) < length(needed)) {
      "{.code missing = \"drop\"} predicts from the features that are present,
       if these have at least half of the vote."
    }
  ), "newdata", features = absent)
}

match_unnamed <- function(n_columns, needed, features) {
  if (n_columns != length(features)) {
    abort_input(c(
      "{.arg newdata} has no column names and {n_columns} column{?s}; the fit
       has {length(features)} features.",
      i = "Name the columns: features are matched by name."
    ), "newdata")
  }
  warn(
    "{.arg newdata} has no column names: its columns are taken to be the
     {length(features)} features of the fit, in the same order.",
    "hitmiss_warning_unnamed"
  )
  stats::setNames(match(needed, features), needed)
}
