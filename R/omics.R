# Layer: input. Several omics of the same samples, a list of containers or a
# MultiAssayExperiment, become one matrix.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Values and names of any container, or of several
#' @return As open_container(); of several omics also `annotation`, a table with
#'   the omics of each feature.
#' @noRd
open_data <- function(x, assay = NULL, arg = "x") {
  if (!is.null(assay) && arg == "x" && !has_assays(x)) {
    abort_input(
      "{.arg assay} chooses among the assays of a {.cls SummarizedExperiment} or
       an {.cls ExpressionSet}; {.arg x} is {describe(x)}.", "assay"
    )
  }
  if (is_several_omics(x)) join_omics(x, arg) else open_container(x, assay, arg)
}

is_several_omics <- function(x) {
  inherits(x, "MultiAssayExperiment") ||
    is.list(x) && !is.object(x) && length(x) > 0L &&
      all(vapply(x, function(part) length(dim(part)) == 2L, NA))
}

# Returns TRUE for a DGEList, the names of those among several omics, or NULL.
counts_in <- function(x) {
  if (is_several_omics(x) && is.list(x)) {
    of <- names(x)[vapply(x, inherits, NA, "DGEList")]
    if (length(of) > 0L) of
  } else if (inherits(x, "DGEList")) {
    TRUE
  }
}

#' Several omics, joined by the names of the samples
#'
#' Features are called by their omics and their name, "RNA:TP53".
#' @return See open_data().
#' @noRd
join_omics <- function(x, arg) {
  several <- inherits(x, "MultiAssayExperiment")
  if (several) require_container_package("MultiAssayExperiment", x)
  check_own_names(names(x), arg, "omics",
    "As in {.code {arg} = list(RNA = rna, protein = protein)}."
  )
  parts <- if (several) {
    experiment_values(x, arg)
  } else {
    Map(omics_values, x, names(x), arg)
  }
  for (name in names(x)) {
    check_own_names(
      rownames(parts[[name]]), arg, "sample of {.val {name}}",
      if (several) {
        "Merge several columns of a sample:
         {.code MultiAssayExperiment::mergeReplicates({arg})}."
      } else {
        "The samples are the rows of a matrix:
         {.code rownames({arg}${name}) <- ids}."
      }
    )
  }
  samples <- Reduce(union, lapply(parts, rownames), if (several) {
    rownames(MultiAssayExperiment::colData(x))
  })
  lacking <- lapply(parts, function(part) setdiff(samples, rownames(part))) |>
    Filter(f = length)
  if (length(lacking) > 0L) {
    abort_input(c(
      "{.arg {arg}} must have all omics of each sample:
       {.val {names(lacking)[[1L]]}} lacks {listed(lacking[[1L]], 3L)}.",
      i = if (several) {
        "Keep the complete samples:
         {.code MultiAssayExperiment::intersectColumns({arg})}."
      } else {
        "Keep the samples that all omics have, here and in the labels:
         {.code Reduce(intersect, lapply({arg}, rownames))}."
      }
    ), arg)
  }
  check_numbers_fit(sum(as.double(lengths(parts))), arg)
  omics <- rep(names(x), vapply(parts, ncol, 0L))
  features <- lapply(parts, \(part) colnames(part) %||% seq_len(ncol(part)))
  values <- lapply(unname(parts), `[`, samples, , drop = FALSE)
  list(
    values = do.call(cbind, values), features_in = "columns",
    features = paste0(omics, ":", unlist(features)), samples = samples,
    annotation = data.frame(omics = omics)
  )
}

# Omics and samples are joined by these names.
check_own_names <- function(names, arg, what, cure, envir = parent.frame()) {
  if (length(names) == 0L || any(c(NA, "") %in% names) ||
    anyDuplicated(names) > 0L) {
    abort_input(c(
      paste0("{.arg {arg}} must have a name of its own for each ", what, "."),
      i = cure
    ), arg, envir = envir)
  }
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
