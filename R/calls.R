# Layer: conditions. An error shows the user's call, and a fit keeps it. Both
# forms of the call are made here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Returns the outermost function of this package that is being called, without
# its arguments: the user typed this name, and it is short even if data were
# passed inline.
user_call <- function() {
  for (i in seq_len(sys.nframe())) {
    if (in_package(sys.function(i))) {
      name <- called_name(sys.call(i))
      return(if (!is.null(name)) as.call(list(as.name(name))))
    }
  }
  NULL
}

# Returns the name of the innermost exported function that is being called.
calling_verb <- function() {
  for (i in rev(seq_len(sys.nframe()))) {
    fun <- sys.function(i)
    name <- if (in_package(fun)) export_name(fun)
    if (is.symbol(name) && !identical(name, quote(...))) {
      return(as.character(name))
    }
  }
  "This function"
}

in_package <- function(fun) {
  !is.null(environment(fun)) && identical(topenv(environment(fun)), topenv())
}

# Returns the name that the user calls: llfs() for hitmiss::llfs() and for the
# method llfs.default(). A function without a name gives NULL.
called_name <- function(call) {
  name <- call[[1L]]
  if (is.call(name) && as.character(name[[1L]])[[1L]] %in% c("::", ":::")) {
    name <- name[[3L]]
  }
  if (is.symbol(name)) {
    sub(
      "[.](default|formula|(summary_)?hitmiss[a-z_]*)$", "", as.character(name)
    )
  }
}

# Returns the call without data that were passed inline (do.call) and without
# environments, because a saved fit must not carry what it was made from. `...`
# stands for what is left out; all else can be evaluated again, as update()
# does.
short_call <- function(call) {
  if (!is.call(call)) {
    return(NULL)
  }
  call <- short_part(call)
  if (is.symbol(call[[1L]])) call[[1L]] <- as.name(called_name(call))
  call
}

short_part <- function(part) {
  if (is.symbol(part) || is.null(part) ||
    is.atomic(part) && length(part) <= 1L) {
    return(part)
  }
  if (is.function(part)) {
    return(export_name(part))
  }
  if (!is.call(part)) {
    return(quote(...))
  }
  # A formula is a call that carries an environment, which is removed.
  for (name in setdiff(names(attributes(part)), "names")) {
    attr(part, name) <- NULL
  }
  if (identical(part[[1L]], quote(`function`))) {
    # The fourth element is the place of the function's text in its file, which
    # is removed.
    return(part[-4L])
  }
  for (i in seq_along(part)) {
    # Assigning NULL would remove the argument, and the empty argument of x[1, ]
    # is a symbol that cannot be handed on.
    if (!is.symbol(part[[i]]) && !is.null(part[[i]])) {
      part[[i]] <- short_part(part[[i]])
    }
  }
  part
}

# do.call(relief, ...) puts the function itself into the call; its name is put
# back.
export_name <- function(fun) {
  names <- getNamespaceExports(topenv())
  same <- vapply(names, function(name) {
    identical(getExportedValue("hitmiss", name), fun)
  }, NA)
  if (any(same)) as.name(names[same][[1L]]) else quote(...)
}

# utils::packageVersion() would read a file every time.
package_version_text <- function() unname(getNamespaceVersion(topenv()))
