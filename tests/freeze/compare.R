# Compares what two installed builds of the package compute and say:
#   Rscript tests/freeze/compare.R OLD_LIBRARY NEW_LIBRARY
# The same script, objects.R, runs once with each library. Values are what is
# computed and the classes of conditions; prints are what is printed and the
# texts of conditions. Each that differs has a line. Ends with status 1 if any
# does. About a minute on two free processors.
# SPDX-License-Identifier: GPL-3.0-or-later

libraries <- normalizePath(commandArgs(TRUE), mustWork = TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))

made <- parallel::mclapply(libraries[1:2], function(library) {
  file <- tempfile(fileext = ".rds")
  system2(file.path(R.home("bin"), "Rscript"), shQuote(c(
    "--vanilla", file.path(dirname(script), "objects.R"), library, file
  )))
  readRDS(file)
}, mc.cores = 2L)

#' The path and the size of each difference between two values, in order
differences <- function(a, b, path) {
  if (identical(a, b)) {
    return(NULL)
  }
  keys <- union(names(a), names(b))
  if (is.null(keys) && length(a) == length(b)) keys <- seq_along(a)
  if (is.list(a) && is.list(b) && length(keys) > 0L) {
    found <- unlist(lapply(keys, function(key) {
      differences(a[[key]], b[[key]], paste0(path, "$", key))
    }))
    if (length(found) > 0L) {
      return(found)
    }
    return(differences(attributes(a), attributes(b), paste0(path, "@")))
  }
  size <- all.equal(a, b, tolerance = 0, check.class = FALSE)
  if (isTRUE(size)) size <- "not identical"
  if (is.character(a) && is.character(b)) {
    size <- paste0(toString(setdiff(a, b)), " -> ", toString(setdiff(b, a)))
  }
  paste0(path, ": ", substr(size[[1L]], 1L, 200L))
}

value_difference <- function(a, b) {
  if (is.null(a$failed) != is.null(b$failed)) {
    where <- if (is.null(a$failed)) "new" else "old"
    text <- strsplit(c(a$failed, b$failed), "\n")[[1L]][[1L]]
    return(paste0("error in ", where, " only: ", text))
  }
  found <- differences(a$value, b$value, "value")
  more <- length(found) - 1L
  c(
    if (more > 0L) sprintf("%s (and %d more)", found[[1L]], more) else found,
    differences(a$conditions, b$conditions, "conditions")
  )
}

print_difference <- function(a, b) {
  if (identical(a$print, b$print)) {
    return(NULL)
  }
  rows <- seq_len(max(length(a$print), length(b$print)))
  first <- which(!mapply(identical, a$print[rows], b$print[rows]))[[1L]]
  sprintf(
    "line %d\n  old: %s\n  new: %s", first, a$print[first], b$print[first]
  )
}

compare <- function(name, difference) {
  here <- vapply(made, function(objects) name %in% names(objects), NA)
  if (!all(here)) {
    return(paste("in", c("old", "new")[here], "only"))
  }
  difference(made[[1L]][[name]], made[[2L]][[name]])
}

objects <- stats::setNames(nm = unique(unlist(lapply(made, names))))
values <- lapply(objects, compare, value_difference)
prints <- lapply(objects, compare, print_difference)
cat(sprintf(
  "%1$d values, %2$d identical; %1$d prints, %3$d identical\n",
  length(objects), sum(lengths(values) == 0L), sum(lengths(prints) == 0L)
))
listed <- function(kind, found) {
  sprintf(
    "%s of %s: %s", kind, rep(names(found), lengths(found)), unlist(found)
  )
}
writeLines(c(listed("value", values), listed("print", prints)))
quit(status = as.integer(sum(lengths(values), lengths(prints)) > 0L))
