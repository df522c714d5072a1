# Compares what two installed builds of the package compute and say:
#   Rscript tests/freeze/compare.R OLD_LIBRARY NEW_LIBRARY
# The same script, objects.R, runs once with each library. Values are what is
# computed and the classes of conditions; prints are what is printed and the
# texts of conditions. Each that differs has a line. Ends with status 1 if any
# does. About a minute on two processors.
# SPDX-License-Identifier: GPL-3.0-or-later

libraries <- normalizePath(commandArgs(TRUE), mustWork = TRUE)
stopifnot("two libraries are needed" = length(libraries) == 2L)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))

made <- parallel::mclapply(libraries, function(library) {
  file <- tempfile(fileext = ".rds")
  status <- system2(file.path(R.home("bin"), "Rscript"), shQuote(c(
    "--vanilla", file.path(dirname(script), "objects.R"), library, file
  )))
  if (status == 0L) readRDS(file)
}, mc.cores = 2L)
if (any(lengths(made) == 0L)) stop("objects.R failed with one of the libraries")

#' Where two values differ: the path and the size of each difference, in order
differences <- function(a, b, path = "") {
  if (identical(a, b)) {
    return(NULL)
  }
  of_a <- attributes(a)
  of_b <- attributes(b)
  if (is.list(a) && is.list(b)) {
    keys <- function(v) {
      if (is.null(names(v)) || anyDuplicated(names(v))) seq_along(v) else names(v)
    }
    both <- intersect(keys(a), keys(b))
    lost <- sprintf("%s$%s: in old only", path, setdiff(keys(a), both))
    gained <- sprintf("%s$%s: in new only", path, setdiff(keys(b), both))
    inner <- lapply(both, function(k) {
      differences(a[[k]], b[[k]], paste0(path, "$", k))
    })
    of_a$names <- of_b$names <- of_a$row.names <- of_b$row.names <- NULL
    return(c(
      lost, gained, unlist(inner),
      if (!identical(of_a, of_b)) differences(of_a, of_b, paste0(path, "@"))
    ))
  }
  said <- all.equal(a, b, tolerance = 0, check.class = FALSE)
  size <- if (isTRUE(said)) "not identical" else said[[1L]]
  if (is.character(a) && is.character(b)) {
    size <- paste0(
      size, ", '", toString(setdiff(a, b)), "' became '",
      toString(setdiff(b, a)), "'"
    )
  }
  paste0(path, ": ", substr(size, 1L, 200L))
}

# Returns no, one or two lines.
value_difference <- function(a, b) {
  if (is.null(a$failed) != is.null(b$failed)) {
    return(paste0(
      "error in ", if (is.null(a$failed)) "new" else "old", " only: ",
      sub("\n.*", "", c(a$failed, b$failed))
    ))
  }
  found <- differences(a$value, b$value)
  more <- length(found) - 1L
  c(
    if (more > 0L) sprintf("%s (and %d more)", found[[1L]], more) else found,
    differences(a$conditions, b$conditions, "conditions")
  )
}

print_difference <- function(a, b) {
  a <- a$print
  b <- b$print
  if (identical(a, b)) {
    return(NULL)
  }
  rows <- seq_len(max(length(a), length(b)))
  first <- which(!mapply(identical, a[rows], b[rows]))[[1L]]
  sprintf(
    "line %d of %d, %d\n  old: %s\n  new: %s",
    first, length(a), length(b), a[first], b[first]
  )
}

all_names <- union(names(made[[1L]]), names(made[[2L]]))
compared <- function(kind, difference) {
  found <- lapply(stats::setNames(nm = all_names), function(name) {
    a <- made[[1L]][[name]]
    b <- made[[2L]][[name]]
    if (is.null(a)) {
      "in new only"
    } else if (is.null(b)) {
      "in old only"
    } else {
      difference(a, b)
    }
  })
  found <- found[lengths(found) > 0L]
  lines <- sprintf("%s | %s: %s", kind, rep(names(found), lengths(found)), unlist(found))
  list(same = length(all_names) - length(found), lines = lines)
}
values <- compared("value", value_difference)
prints <- compared("print", print_difference)
n <- length(all_names)
cat(sprintf("%d values, %d identical; %d prints, %d identical\n", n, values$same, n, prints$same))
writeLines(c(values$lines, prints$lines))
quit(status = as.integer(values$same + prints$same < 2L * n))
