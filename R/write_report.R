# A report of a fit as one page of HTML.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Write a report of a fit as one HTML page
#'
#' Writes one file that opens in any browser, without a network and at any
#' width. It shows the table of features, which can be searched and sorted, the
#' plots, the error on held-out samples and the stability if they are given, and
#' for each new sample the prediction and its reasons.
#'
#' @details
#' For every new sample the page shows the predicted class, the shares of the
#' classes, for [llfs()] the hyperspheres that contain it and their features,
#' and its distances from the training samples: the mean difference over the
#' features that predict, in scaled units and weighted by their scores (no
#' distances if features are factors). A new sample is marked if it lies farther
#' from its nearest training sample than every training sample does from its
#' own. The first 50 new samples have a section of their own; all have a row in
#' a table.
#'
#' **Links.** Columns of the annotation become links by their names: gene
#' symbols (`symbol`, `gene_symbol`, `hgnc_symbol`) to GeneCards, Entrez
#' identifiers (`entrez`, `entrez_id`, `gene_id`) to NCBI Gene, Ensembl
#' (`ensembl`, `ensembl_id`) and UniProt (`uniprot`) ones to their sites, and
#' addresses that begin with `https://` to where they point. `links` adds
#' others. The page itself loads nothing.
#'
#' All texts, such as names of genes, samples and classes, are shown unchanged:
#' what looks like HTML is not interpreted.
#'
#' @param fit A fit of [llfs()], [logo()], [relief()], [kbfs()] or [pwfp()].
#' @param newdata `NULL`, or new samples, as for [predict()][predict.hitmiss].
#' @param file Path of the file to write; an existing file is replaced.
#' @param ... Must be empty.
#' @param curve `NULL`, or the result of [error_curve()] on the same data; the
#'   page then has its plot, its table and the text for a methods section.
#' @param stability `NULL`, or the result of [stability()].
#' @param annotation `NULL` for the annotation of the fit (from a container), or
#'   a data.frame with a row for each feature, whose row names are the features'
#'   names; it may have more rows, or another order.
#' @param links Named character vector of addresses in which `%s` stands for the
#'   value; the names are columns of the annotation (or `"feature"`).
#' @param label Name of the column of the annotation to show instead of the
#'   names of features in plots and for the spheres' features; `NULL` for the
#'   gene symbol, if there is one, else the features' own names.
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
                         stability = NULL, annotation = NULL, links = NULL,
                         label = NULL, n = 200, title = NULL) {
  check_no_dots(...)
  if (missing(fit)) abort_missing("fit")
  check_fit(fit, "fit")
  if (missing(file)) abort_missing("file")
  check_output_file(file)
  check_kind(curve, "hitmiss_curve", "curve", "error_curve")
  check_kind(stability, "hitmiss_stability", "stability", "stability")
  n <- check_count(n)
  if (!is.null(title)) title <- check_one_text(title, "title")
  for (package in c("htmltools", "knitr")) require_package(package, "a report")
  fit <- with_annotation(fit, annotation)
  report <- list(
    fit = fit, labels = report_labels(fit, label),
    links = check_links(links, fit)
  )
  parts <- list(
    features = features_part(report, n), plots = plots_part(report),
    error = if (!is.null(curve)) error_part(curve),
    stability = if (!is.null(stability)) stability_part(stability),
    samples = if (!is.null(newdata)) samples_part(report, newdata),
    fit = fit_part(fit), session = session_part()
  )
  page <- report_page(title %||% "Report of a feature selection", fit, parts)
  connection <- open_output(file)
  on.exit(close(connection))
  writeLines(enc2utf8(page), connection, useBytes = TRUE)
  invisible(normalizePath(file))
}

check_output_file <- function(file) {
  # Of longer paths R warns where it looks for them.
  if (!is_texts(file, 1L) || !nzchar(file) || nchar(file, "bytes") > 4000L ||
    dir.exists(file) || !dir.exists(dirname(file))) {
    abort_input(c(
      "{.arg file} must be the path of a file in a folder that exists, not
       {describe(file)}.",
      i = "As in {.code write_report(fit, file = \"report.html\")}."
    ), "file")
  }
}

open_output <- function(file) {
  refuse <- function(condition) {
    abort_input(
      "{.arg file} cannot be written: {quoted(conditionMessage(condition))}.",
      "file"
    )
  }
  tryCatch(base::file(file, "wb"), warning = refuse, error = refuse)
}

check_kind <- function(value, kind, arg, verb) {
  if (is.null(value)) {
    return(invisible())
  }
  if (!inherits(value, kind)) {
    abort_input(
      "{.arg {arg}} must be the result of {.fn {verb}}, not {describe(value)}.",
      arg
    )
  }
  check_whole(value, arg)
}

# ---- annotation, labels, links ----------------------------------------------

with_annotation <- function(fit, annotation) {
  if (is.null(annotation)) {
    return(fit)
  }
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
  columns <- lapply(unclass(rows), function(column) {
    if (is.atomic(column) && is.null(dim(column)) && !is.factor(column)) {
      column
    } else {
      as.character(column)
    }
  })
  row.names(rows) <- NULL
  fit$annotation <- as.data.frame(columns[names(rows)], optional = TRUE)
  fit
}

# Where columns of these names point to, and what their values look like.
known_links <- list(
  symbol = list(
    names = c("symbol", "genesymbol", "hgncsymbol", "externalgenename"),
    url = "https://www.genecards.org/cgi-bin/carddisp.pl?gene=%s", like = "."
  ),
  entrez = list(
    names = c("entrez", "entrezid", "entrezgene", "entrezgeneid", "geneid"),
    url = "https://www.ncbi.nlm.nih.gov/gene/%s", like = "^[0-9]+$"
  ),
  ensembl = list(
    names = c("ensembl", "ensemblid", "ensemblgeneid", "geneid"),
    url = "https://www.ensembl.org/id/%s", like = "^ENS[A-Z]*[0-9]+"
  ),
  uniprot = list(
    names = c("uniprot", "uniprotid"),
    url = "https://www.uniprot.org/uniprotkb/%s", like = "."
  )
)

plain_name <- function(name) gsub("[^a-z0-9]", "", tolower(plain_text(name)))

check_links <- function(links, fit) {
  if (is.null(links)) {
    return(character())
  }
  fine <- is_texts(links) && !is.null(names(links)) &&
    all(grepl("^https?://", links) & grepl("%s", links, fixed = TRUE))
  if (!fine) {
    abort_input(c(
      "{.arg links} must be addresses that begin with https:// and contain %s,
       each named by a column, not {describe(links)}.",
      i = "As in
           {.code c(symbol =
           \"https://www.genecards.org/cgi-bin/carddisp.pl?gene=%s\")}."
    ), "links")
  }
  unknown <- setdiff(names(links), c("feature", names(fit$annotation)))
  if (length(unknown) > 0L) {
    abort_input(
      "{.arg links} names {.val {unknown}}, which {cli::qty(unknown)}{?is not a
       column/are not columns} of the annotation.", "links"
    )
  }
  links
}

#' Addresses for the values of a column, NA where there is none
#' @noRd
link_addresses <- function(values, name, links) {
  values <- plain_text(as.character(values))
  found <- ifelse(grepl("^https?://[^[:space:]\"<>]+$", values), values, NA)
  fill <- function(url, like) {
    here <- is.na(found) & !is.na(values) & nzchar(values) & grepl(like, values)
    code <- vapply(values[here], utils::URLencode, "", reserved = TRUE)
    parts <- strsplit(paste0(url, " "), "%s", fixed = TRUE)[[1L]]
    found[here] <<- trimws(vapply(
      code, function(one) paste(parts, collapse = one), ""
    ))
  }
  if (name %in% names(links)) {
    fill(links[[name]], ".")
  } else {
    for (known in known_links) {
      if (plain_name(name) %in% known$names) fill(known$url, known$like)
    }
  }
  found
}

#' Texts to show for the features, named by feature; NULL if there are none
#' @noRd
report_labels <- function(fit, label) {
  columns <- names(fit$annotation) %||% character()
  if (is.null(label)) {
    label <- columns[plain_name(columns) %in% known_links$symbol$names][1L]
    if (length(label) == 0L || is.na(label)) {
      return(NULL)
    }
  }
  if (!is_texts(label, 1L) || !label %in% columns) {
    abort_input(c(
      "{.arg label} must be the name of a column of the annotation, not
       {describe(label)}.",
      i = if (length(columns) > 0L) "It has {.val {columns}}."
    ), "label")
  }
  text <- as.character(fit$annotation[[label]])
  own <- names(fit$scores)
  stats::setNames(ifelse(is.na(text) | !nzchar(text), own, text), own)
}
