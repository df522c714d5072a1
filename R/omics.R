# Layer: input. Several omics of the same samples, a list of containers or a
# MultiAssayExperiment, become one matrix.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Values and names of any container, or of several
#' @return As open_container(); of several omics also the `omics` of each
#'   feature.
#' @noRd
open_data <- function(x, assay = NULL, arg = "x", library_size = NULL) {
  if (is_several_omics(x)) {
    join_omics(x, assay, arg)
  } else {
    open_container(x, assay, arg, library_size)
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
    abort_input(c(
      "{.arg assay} is given, but {.arg x} has several omics.",
      i = "Choose the assays before they are joined."
    ), "assay")
  }
  several <- inherits(x, "MultiAssayExperiment")
  parts <- if (several) {
    assay_parts(x, arg)
  } else {
    lapply(stats::setNames(seq_along(x), names(x)), function(i) {
      omics_values(x[[i]], names(x)[i] %||% "", arg)
    })
  }
  names <- names(parts) %||% rep("", length(parts))
  if (length(parts) == 0L || anyNA(names) || !all(nzchar(names)) ||
    anyDuplicated(names) > 0L) {
    abort_input(c(
      "{.arg {arg}} must have a name of its own for each of its
       {length(parts)} omics.",
      i = "As in {.code {arg} = list(RNA = rna, protein = protein)}."
    ), arg)
  }
  samples <- if (several) {
    rownames(MultiAssayExperiment::colData(x))
  } else {
    Reduce(union, lapply(parts, rownames))
  }
  lost <- lapply(parts, function(part) setdiff(samples, rownames(part)))
  here <- lengths(lost) > 0L
  if (any(here)) {
    which <- vapply(lost[here], listed, "", 5L)
    lacking <- paste0("no ", names[here], ": ", which, collapse = "; ")
    abort_input(c(
      "{length(unique(unlist(lost)))} of {length(samples)} samples of
       {.arg {arg}} lack a block of values ({lacking}).",
      i = if (several) {
        "Keep the complete ones:
         {.code MultiAssayExperiment::intersectColumns({arg})}."
      } else {
        "Keep the samples that all omics have, here and in the labels:
         {.code Reduce(intersect, lapply({arg}, rownames))}."
      }
    ), arg, features = names[here])
  }
  sizes <- vapply(parts, ncol, 0L)
  check_numbers_fit(as.double(length(samples)) * sum(sizes), arg)
  values <- do.call(cbind, lapply(unname(parts), `[`, samples, ,
    drop = FALSE
  ))
  omics <- rep(names, sizes)
  features <- paste0(omics, ":", unlist(lapply(parts, function(part) {
    colnames(part) %||% seq_len(ncol(part))
  })))
  dimnames(values) <- list(samples, features)
  list(
    values = values, features_in = "columns", features = features,
    samples = samples, assay = NULL, omics = omics
  )
}

#' The values of one omics: double, samples x features
#' @noRd
omics_values <- function(part, name, arg) {
  opened <- open_container(part, arg = paste0(arg, "$", name))
  values <- opened$values
  plain <- !is.data.frame(values) ||
    all(vapply(values, \(v) is.numeric(v) || is.logical(v), NA))
  if (!plain) {
    abort_input(
      "{.arg {arg}} has columns of {.val {name}} that are no numbers: several
       omics are joined as numbers.", arg
    )
  }
  values <- as.matrix(values)
  if (opened$features_in == "rows") values <- t(values)
  storage.mode(values) <- "double"
  check_omics_samples(opened$samples, name, arg)
  dimnames(values) <- list(opened$samples, opened$features)
  values
}

check_omics_samples <- function(samples, name, arg) {
  if (is.null(samples) || anyNA(samples) || anyDuplicated(samples) > 0L) {
    abort_input(c(
      "{.arg {arg}} needs a name of its own for each sample of {.val {name}}:
       omics are joined by the names of the samples.",
      i = "The samples are the rows of a matrix:
           {.code rownames({arg}${name}) <- ids}."
    ), arg)
  }
}

# The experiments of a MultiAssayExperiment have features in rows, and columns
# that its sample map gives to the samples.
assay_parts <- function(x, arg) {
  require_container_package("MultiAssayExperiment", x)
  map <- as.data.frame(MultiAssayExperiment::sampleMap(x))
  experiments <- MultiAssayExperiment::experiments(x)
  lapply(stats::setNames(nm = names(experiments)), function(name) {
    part <- experiments[[name]]
    if (is.matrix(part) || inherits(part, c("Matrix", "DelayedMatrix"))) {
      part <- t(part)
    }
    values <- omics_values(part, name, arg)
    own <- map[map$assay == name, ]
    primary <- as.character(own$primary)[match(rownames(values), own$colname)]
    if (anyDuplicated(primary) > 0L) {
      twice <- unique(primary[duplicated(primary)])
      abort_input(c(
        "{.arg {arg}} has several columns of {.val {name}} for a sample:
         {listed(twice, 5L)}.",
        i = "Merge them first:
             {.code MultiAssayExperiment::mergeReplicates({arg})}."
      ), arg)
    }
    rownames(values) <- primary
    values
  })
}

#' The weight of each feature in distances that count all omics alike
#'
#' @param constant Does the feature not vary? Such features do not count.
#' @return Weights whose sum is the same in each omics, with a mean of 1 over
#'   the features that vary.
#' @noRd
omics_weights <- function(features, constant) {
  omics <- sub(":.*", "", features)
  none <- which(omics == features)
  if (length(none) > 0L) {
    abort_input(c(
      "{.arg omics} = \"equal\" needs the omics of each feature, which stands
       before a colon in its name, as in \"RNA:TP53\": {length(none)}
       feature{?s} of {.arg x} ha{?s/ve} none; the first is
       {.val {features[[none[[1L]]]]}}.",
      i = "Give the omics as a list, {.code x = list(RNA = rna, protein =
           protein)}, or name the features so."
    ), "omics", column = none[[1L]])
  }
  omics <- factor(omics)
  count <- tabulate(omics[!constant], nlevels(omics))
  sum(count) / sum(count > 0L) / pmax(count, 1L)[omics]
}
