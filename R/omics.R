# Layer: input. Several omics of the same samples, a list of containers or a
# MultiAssayExperiment, become one matrix.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Values and names of any container, or of several
#' @return As open_container(); of several omics also the `omics` of each
#'   feature.
#' @noRd
open_data <- function(x, assay = NULL, arg = "x") {
  if (is_several_omics(x)) {
    join_omics(x, assay, arg)
  } else {
    open_container(x, assay, arg)
  }
}

is_several_omics <- function(x) {
  inherits(x, "MultiAssayExperiment") ||
    is.list(x) && !is.object(x) && length(x) > 0L &&
      all(vapply(x, function(part) length(dim(part)) == 2L, NA))
}

#' Several omics, joined by the names of the samples
#'
#' Features are called by their omics and their name, "RNA:TP53".
#' @return See open_data().
#' @noRd
join_omics <- function(x, assay, arg) {
  if (!is.null(assay) && arg == "x") {
    abort_input(
      "{.arg assay} is given, but {.arg x} has several omics: choose their
       assays before they are joined.", "assay"
    )
  }
  names <- names(x)
  if (length(names) == 0L || any(c(NA, "") %in% names) ||
    anyDuplicated(names) > 0L) {
    abort_input(c(
      "{.arg {arg}} must have a name of its own for each of its {length(x)}
       omics.",
      i = "As in {.code {arg} = list(RNA = rna, protein = protein)}."
    ), arg)
  }
  experiments <- inherits(x, "MultiAssayExperiment")
  parts <- if (experiments) {
    experiment_values(x, arg)
  } else {
    Map(omics_values, x, names, arg)
  }
  for (name in names) {
    check_omics_samples(rownames(parts[[name]]), name, arg, experiments)
  }
  samples <- if (experiments) {
    rownames(MultiAssayExperiment::colData(x))
  } else {
    Reduce(union, lapply(parts, rownames))
  }
  check_all_omics(samples, parts, arg, experiments)
  check_numbers_fit(sum(as.double(lengths(parts))), arg)
  values <- lapply(parts, `[`, samples, , drop = FALSE)
  omics <- rep(names, vapply(parts, ncol, 0L))
  features <- lapply(parts, \(part) colnames(part) %||% seq_len(ncol(part)))
  features <- paste0(omics, ":", unlist(features))
  list(
    values = do.call(cbind, unname(values)), features_in = "columns",
    features = features, samples = samples, omics = omics
  )
}

# Returns the values of one omics: double, samples x features.
omics_values <- function(part, name, arg) {
  arg <- paste0(arg, "$", name)
  opened <- open_container(part, arg = arg)
  values <- if (is.data.frame(opened$values)) {
    numeric_columns(opened$values, arg)
  } else {
    check_numeric_matrix(as.matrix(opened$values), arg)
  }
  if (opened$features_in == "rows") values <- t(values)
  storage.mode(values) <- "double"
  dimnames(values) <- list(opened$samples, opened$features)
  values
}

# The experiments of a MultiAssayExperiment have features in rows, and columns
# that its sample map gives to the samples.
experiment_values <- function(x, arg) {
  require_container_package("MultiAssayExperiment", x)
  map <- as.data.frame(MultiAssayExperiment::sampleMap(x))
  Map(function(part, name) {
    plain <- is.matrix(part) || inherits(part, c("Matrix", "DelayedMatrix"))
    if (plain) part <- t(as.matrix(part))
    values <- omics_values(part, name, arg)
    own <- map[map$assay == name, ]
    rownames(values) <- own$primary[match(rownames(values), own$colname)]
    values
  }, as.list(MultiAssayExperiment::experiments(x)), names(x))
}

check_omics_samples <- function(samples, name, arg, experiments) {
  if (is.null(samples) || anyNA(samples) || anyDuplicated(samples) > 0L) {
    abort_input(c(
      "{.arg {arg}} needs a name of its own for each sample of {.val {name}}:
       omics are joined by the names of the samples.",
      i = if (experiments) {
        "Merge several columns of a sample first:
         {.code MultiAssayExperiment::mergeReplicates({arg})}."
      } else {
        "The samples are the rows of a matrix:
         {.code rownames({arg}${name}) <- ids}."
      }
    ), arg)
  }
}

# Refuses samples that lack an omics.
check_all_omics <- function(samples, parts, arg, experiments) {
  lacking <- lapply(parts, function(part) setdiff(samples, rownames(part)))
  lacking <- lacking[lengths(lacking) > 0L]
  if (length(lacking) > 0L) {
    abort_input(c(
      "{.arg {arg}} must have all omics of every sample: {.val
       {names(lacking)[[1L]]}} lacks {listed(lacking[[1L]], 3L)}.",
      i = if (experiments) {
        "Keep the complete samples:
         {.code MultiAssayExperiment::intersectColumns({arg})}."
      } else {
        "Keep the samples that all omics have, here and in the labels:
         {.code Reduce(intersect, lapply({arg}, rownames))}."
      }
    ), arg)
  }
}
