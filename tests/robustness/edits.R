# What may be done to a stored object by hand: where its fields are, and the
# edits of a field.
# SPDX-License-Identifier: GPL-3.0-or-later

#' All fields of an object: its elements, theirs, and the attributes of each.
#'
#' A path is a character vector of steps from the object: the name or number of
#' an element, or "@" and the name of an attribute (or slot). Of lists without
#' names, whose elements are alike, the first alone is looked into.
#' @param deep Also into objects inside others? They are of kinds that are
#'   there.
field_paths <- function(part, path = character(), deep = FALSE) {
  steps <- c(element_steps(part), attribute_steps(part))
  inner <- length(path) > 0L && inherits(part, c("hitmiss", "hitmiss_curve"))
  if (inner && !deep) steps <- character()
  unlist(lapply(steps, function(step) {
    below <- c(path, step)
    c(list(below), field_paths(step_into(part, step), below, deep))
  }), recursive = FALSE)
}

element_steps <- function(part) {
  if (!is.list(part) || length(part) == 0L) {
    return(character())
  }
  names <- names(part)
  if (is.null(names)) "1" else names[nzchar(names)]
}

# Row names are no field of ours; names of lists are checked with the elements
# that they lead to, and those of vectors here.
attribute_steps <- function(part) {
  if (is.null(part) || is.language(part)) {
    return(character())
  }
  names <- setdiff(names(attributes(part)), c("row.names", "class"))
  if (is.list(part)) names <- setdiff(names, "names")
  if (is.factor(part) || isS4(part)) names <- c(names, "class")
  if (length(names) > 0L) paste0("@", names) else character()
}

is_attribute <- function(step) startsWith(step, "@")

step_into <- function(part, step) {
  if (is_attribute(step)) {
    return(attr(part, substring(step, 2L), exact = TRUE))
  }
  unclass(part)[[element_at(part, step)]]
}

element_at <- function(part, step) {
  if (is.null(names(part))) as.integer(step) else match(step, names(part))
}

#' The object with another value at a path; stops where R itself does not let
#' it.
edit_at <- function(object, path, edit) {
  if (length(path) == 0L) {
    return(edit(object))
  }
  step <- path[[1L]]
  value <- edit_at(step_into(object, step), path[-1L], edit)
  if (is_attribute(step)) {
    attr(object, substring(step, 2L)) <- value
    return(object)
  }
  at <- element_at(object, step)
  kept <- attributes(object)
  # By hand: `[[<-` of a data.frame would not let columns differ in length.
  attributes(object) <- NULL
  if (is.null(value)) {
    object <- object[-at]
    kept$names <- kept$names[-at]
  } else {
    object[[at]] <- value
  }
  attributes(object) <- kept
  object
}

#' The edits of a field. Each stops, or returns what it was given, where it has
#' no meaning.
field_edits <- list(
  `NULL` = function(v) NULL,
  `NA` = function(v) NA,
  `an NA` = function(v) with_first(v, NA),
  `a NaN` = function(v) if (is_number(v)) with_first(v, NaN) else v,
  empty = function(v) take(v, 0L),
  `too short` = function(v) take(v, seq_len(size_of(v) - 1L)),
  `too long` = function(v) take(v, c(seq_len(size_of(v)), size_of(v))),
  `a column less` = function(v) {
    if (is.matrix(v)) v[, -ncol(v), drop = FALSE] else v
  },
  `other type` = function(v) other_type(v),
  `out of range` = function(v) {
    with_first(v, if (is.character(v)) {
      "no such"
    } else if (is.integer(v)) {
      .Machine$integer.max
    } else if (is.double(v)) {
      1e300
    })
  },
  negative = function(v) if (is_number(v)) with_first(v, -1L) else v,
  `names exchanged` = function(v) exchange_names(v)
)

#' Edits of an object as a whole: another class.
class_edits <- list(
  `class of llfs` = function(v) with_class(v, c("hitmiss_llfs", "hitmiss")),
  `class of relief` = function(v) with_class(v, c("hitmiss_relief", "hitmiss")),
  `class of logo` = function(v) with_class(v, c("hitmiss_logo", "hitmiss")),
  `class of kbfs` = function(v) with_class(v, c("hitmiss_kbfs", "hitmiss")),
  `class of pwfp` = function(v) with_class(v, c("hitmiss_pwfp", "hitmiss")),
  # Of a table, columns that users may call what they like.
  `names exchanged` = function(v) {
    if (is.data.frame(v)) stop("a table")
    exchange_names(v)
  }
)

with_class <- function(v, class) {
  if (!inherits(v, "hitmiss")) stop("no fit")
  class(v) <- class
  v
}

is_number <- function(v) is.atomic(v) && typeof(v) %in% c("integer", "double")

# Of a factor its codes: any integer may stand there.
with_first <- function(v, value) {
  if (length(v) == 0L || !is.atomic(v) || is.null(value)) {
    stop("nothing to edit")
  }
  kept <- attributes(v)
  attributes(v) <- NULL
  if (is.integer(v) && is_number(value) && !is.nan(value)) {
    value <- as.integer(value)
  }
  v[[1L]] <- value
  attributes(v) <- kept
  v
}

size_of <- function(v) {
  if (is.matrix(v) || is.data.frame(v)) nrow(v) else length(v)
}

take <- function(v, at) {
  if (is.language(v) || is.null(v)) stop("nothing to take")
  if (is.matrix(v) || is.data.frame(v) || isS4(v)) {
    return(v[at, , drop = FALSE])
  }
  kept <- attributes(v)
  taken <- unclass(v)[at]
  kept$names <- names(taken)
  attributes(taken) <- kept
  taken
}

other_type <- function(v) {
  if (is.factor(v)) {
    return(as.character(v))
  }
  if (!is.atomic(v)) {
    return("a")
  }
  kept <- attributes(v)
  v <- if (is.character(v)) seq_along(v) else as.character(v)
  attributes(v) <- kept
  v
}

exchange_names <- function(v) {
  names <- if (is.matrix(v)) colnames(v) else names(v)
  if (length(names) < 2L || is.factor(v)) stop("no names")
  names[1:2] <- names[2:1]
  if (is.matrix(v)) colnames(v) <- names else names(v) <- names
  v
}
