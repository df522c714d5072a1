# Layer: fit. Is this a fit that this version can read? The bindings check what
# they read of it; its other fields are its owner's.
# SPDX-License-Identifier: GPL-3.0-or-later

# Fits of earlier versions have other fields.
oldest_readable <- "0.3.0"

#' The fit unchanged, or an error that says what is wrong
#'
#' @param arg Name of the argument. @param fields Further fields that the caller
#'   reads.
#' @noRd
check_fit <- function(x, arg = "x", fields = NULL) {
  if (!inherits(x, "hitmiss") || !is.list(x)) {
    abort_input(
      "{.arg {arg}} must be a fit of this package, not {describe(x)}.", arg
    )
  }
  version <- if (is_texts(x[["version"]], 1L)) x[["version"]] else "unknown"
  if (is.na(numeric_version(version, strict = FALSE)) ||
    utils::compareVersion(version, oldest_readable) < 0) {
    abort_input(
      "{.arg {arg}} is a fit of hitmiss {version}, which hitmiss
       {package_version_text()} cannot read: fit it again.", arg
    )
  }
  needed <- c(
    "scores", "ranking", "n_ranked", "classes", "parameters", "preprocess",
    if (inherits(x, "hitmiss_llfs")) "local" else "training", fields
  )
  lacking <- needed[vapply(needed, \(field) is.null(x[[field]]), NA)]
  if (length(lacking) > 0L) {
    abort_input(c(
      "{.arg {arg}} is not a complete fit: {.field {lacking}} {?is/are}
       missing.",
      i = "Read the saved copy again, or fit it again."
    ), arg, fields = lacking)
  }
  invisible(x)
}

# Until the results of evaluations are of one class.
check_whole <- function(x, arg = "x", needs = NULL) {
  if (inherits(x, "hitmiss") || !any(grepl("hitmiss_", class(x)))) {
    check_fit(x, arg)
  }
  invisible(x)
}

# As utils::packageVersion(), which reads a file every time.
package_version_text <- function() unname(getNamespaceVersion(topenv()))
