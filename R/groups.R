# Layer: evaluate. Groups of samples in evaluation: kept whole, passed on, and
# noticed where they are not given.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A problem with what its evaluation needs to know of blocks and groups
#'
#' Adds `design` (the values of `block` and `group`, as given, if they are),
#' `group` (integer codes) and `group_name` (of a column). Gives a message if
#' samples look grouped and no group is given.
#' @param x What the problem was made from, for columns of a container.
#' @param harm What would happen without groups, in words; NULL for no message.
#' @noRd
with_groups <- function(problem, x, block = NULL, group = NULL, pair = NULL,
                        harm = NULL) {
  block <- force_given(block, "block")
  group <- force_given(group, "group")
  pair <- force_given(pair, "pair")
  if (!is.null(pair)) {
    problem <- with_pairs(problem, x, pair, block, group)
    problem$design$group <- problem$pair
    return(problem)
  }
  problem <- problem |>
    with_values(x, block, "block") |>
    with_values(x, group, "group")
  if (is.null(group) && !is.null(harm)) {
    inform_groups(problem, x, harm)
    inform_copies(problem)
  }
  if (!is.null(group)) {
    if (max(problem$group) == 1L) {
      abort_input(c(
        "{.arg group} is the same for all samples: no group is left to test
         on.",
        i = "Give one value for each patient, donor or animal."
      ), "group")
    }
    if (is.character(group) && length(group) == 1L) problem$group_name <- group
  }
  problem
}

with_values <- function(problem, x, values, arg) {
  if (is.null(values)) {
    return(problem)
  }
  problem[[arg]] <- sample_codes(problem, design_column(values, x, arg), arg)
  problem$design[[arg]] <- unname(plain_vector(design_column(values, x, arg)))
  problem
}

#' The fields about groups that a result keeps
#' @noRd
kept_groups <- function(problem) {
  list(
    n_groups = if (!is.null(problem$group)) max(problem$group),
    group_name = problem$group_name
  ) |> Filter(f = Negate(is.null))
}

samples_words <- function(x, count = x$n_samples) {
  paste0(
    count, " samples",
    if (!is.null(x$n_groups)) paste(" in", x$n_groups, "groups"),
    if (!is.null(x$group_name)) paste0(" (", x$group_name, ")")
  )
}

# ---- what selectors get ----------------------------------------------------

#' Call a selector with those of `size`, `block` and `group` that it takes
#'
#' @param design list of values of `block` and `group`, of the rows of `x`.
#' @noRd
call_selector <- function(selector, x, y, size = NA, design = NULL) {
  block <- design$block
  group <- design$group
  passed <- Filter(function(arg) takes_argument(selector, arg), names(design))
  if (!is.na(size)) passed <- c("size", passed)
  # By name, so that no data stand in the call that a fit keeps.
  arguments <- stats::setNames(lapply(passed, as.name), passed)
  eval(as.call(c(quote(selector), quote(x), quote(y), arguments)))
}

# A generic takes what its default method takes. `...` is no promise.
takes_argument <- function(selector, arg) {
  generic <- utils::isS3stdGeneric(selector)
  if (generic) {
    selector <- utils::getS3method(names(generic), "default",
      optional = TRUE, envir = environment(selector)
    )
  }
  arg %in% names(formals(args(selector)))
}

design_rows <- function(problem, rows) lapply(problem$design, `[`, rows)

check_block_used <- function(block, selectors) {
  takes <- vapply(selectors, takes_argument, NA, "block")
  if (!is.null(block) && !any(takes)) {
    abort_input(c(
      "{.arg block} is given, but no selector has an argument of that name.",
      i = "Give the function itself, such as {.fn relief}, or
           {.code function(x, y, block) relief(x, y, block = block, k = 20)}."
    ), "block")
  }
}

# ---- permutations -----------------------------------------------------------

#' Rows in random order within strata; groups move as a whole
#'
#' A group takes the rows of another group in random order: as many as it has
#' samples, with repeats if the other group is smaller.
#' @param strata Integer codes.
#' @param group Integer codes, or NULL; a group is within one stratum.
#' @noRd
permuted_rows <- function(strata, group = NULL) {
  group <- group %||% seq_along(strata)
  rows <- split(seq_along(group), factor(group, unique(group)))
  from <- seq_along(rows)
  for (members in split(from, strata[vapply(rows, `[[`, 0L, 1L)])) {
    from[members] <- draw_from(members, length(members))
  }
  order <- integer(length(group))
  for (i in seq_along(rows)) {
    other <- rows[[from[[i]]]]
    if (length(other) > 1L) other <- draw_from(other, length(other))
    order[rows[[i]]] <- rep_len(other, length(rows[[i]]))
  }
  order
}

# ---- groups that are not given ----------------------------------------------

inform_groups <- function(problem, x, harm) {
  found <- likely_groups(problem, x)
  if (is.null(found)) {
    return(invisible())
  }
  inform(
    c(
      paste(
        "{.code {found$where}} has {found$n} different values for
         {length(problem$y)} samples, and no {.arg group} is given:", harm
      ),
      i = "Give {.code group = {found$group}} to keep the samples of each group
           together.",
      i = "If each is a matched pair, such as tumour and normal of one patient,
           give it as {.code pair}.",
      i = "If all samples are independent, nothing is wrong; the class of this
           message is {.cls hitmiss_message_group}."
    ),
    "hitmiss_message_group"
  )
}

#' Columns or sample names that suggest which samples belong together
#'
#' @return list(where, n: different values, group: what to write), or NULL.
#' @noRd
likely_groups <- function(problem, x) {
  table <- sample_table(x)
  for (name in Filter(names_group, colnames(table$columns))) {
    n <- number_of_groups(table$columns[[name]], problem$y)
    if (n > 0L) {
      where <- paste0(table$where, "$", deparse(as.name(name), backtick = TRUE))
      return(list(where = where, n = n, group = quoted(name)))
    }
  }
  n <- number_of_groups(name_roots(problem$samples), problem$y)
  if (n > 0L) {
    where <- if (is.null(table)) "rownames(x)" else "colnames(x)"
    list(where = where, n = n, group = root_call(problem$samples, where))
  }
}

# Such as patient, Patient_ID, donor.id, bcr_patient_barcode, individual:ch1.
names_group <- function(name) {
  plain <- gsub("[^a-z]", "", tolower(name))
  grepl(paste0(
    "^(bcr)?(patient|subject|donor|animal|individual|participant|person|mouse)",
    "s?(ids?|identifier|no|nr|num|number|code|name|barcode)?(ch)?$"
  ), plain)
}

# What names of samples of one patient share: P01_T and P01_N, P01T and P01N,
# pat1.tumor and pat1.normal, P01_rep1, and the patient of a TCGA barcode.
name_roots <- function(names) {
  if (is.null(names)) {
    return(NULL)
  }
  roots <- sub("^(TCGA-..-....).*", "\\1", names)
  kinds <- "t|n|tumou?r|normal|pre|post|before|after|case|ctrl|control"
  roots <- sub(paste0("[._ -](", kinds, "|rep[._-]?[0-9]+)$"), "", roots,
    ignore.case = TRUE
  )
  sub("([0-9])[TN]$", "\\1", roots)
}

# The call that makes roots of names.
root_call <- function(names, where) {
  if (identical(name_roots(names), names)) {
    where
  } else if (any(startsWith(names, "TCGA-"))) {
    sprintf("substr(%s, 1, 12)", where)
  } else if (any(grepl("[._ -]", names))) {
    sprintf("sub(\"[._ -][^._ -]*$\", \"\", %s)", where)
  } else {
    sprintf("sub(\".$\", \"\", %s)", where)
  }
}

# 0 where no value comes twice, or values only stand for the classes.
number_of_groups <- function(values, y) {
  values <- as.character(values)
  values <- values[!is.na(values)]
  n <- length(unique(values))
  if (n == length(values) || n <= nlevels(y)) 0L else n
}

# ---- copies of samples ------------------------------------------------------

#' A message on samples that are copies of others: then held-out samples are
#' known, and errors are too small
#'
#' Copies are equal, or nearer to each other than a fifth of what lies between
#' other samples, after each sample's own level and spread are taken out (so
#' that it may be scaled). Of few features or many samples, only equal ones are
#' named.
#' @noRd
inform_copies <- function(problem) {
  n <- length(problem$y)
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  some <- max(10, min(1000, 1e7 %/% n))
  values <- feature_values(problem, spaced(seq_along(problem$features), some))
  copies <- if (n <= 1000L && ncol(values) >= 50L) {
    which(near_pairs(values), arr.ind = TRUE)
  } else {
    equal_pairs(values)
  }
  copies <- copies[copies[, 1L] < copies[, 2L], , drop = FALSE]
  if (nrow(copies) == 0L) {
    return(invisible())
  }
  names <- problem$samples %||% integer_text(seq_len(n))
  pairs <- paste(names[copies[, 1L]], "and", names[copies[, 2L]])
  inform(
    c(
      "{nrow(copies)} pair{?s} of samples {?is/are} equal or nearly so:
       {listed(pairs, 5L)}.",
      i = "If they are copies of one sample, give them one value of {.arg group}
           each, or leave all but one out: errors of samples whose copies are
           known are too small."
    ),
    "hitmiss_message_group"
  )
}

#' Rows that are equal to an earlier one, where hardly one would be by chance
#'
#' Chance: were features independent. Of few features, or of few levels, equal
#' samples tell nothing.
#' @noRd
equal_pairs <- function(values) {
  n <- nrow(values)
  values[!is.finite(values)] <- 0
  share <- apply(values[, spaced(seq_len(ncol(values)), 50L), drop = FALSE], 2L,
    \(v) sum((tabulate(match(v, unique(v))) / n)^2)
  )
  sums <- rowSums(values * rep(sqrt(seq_len(ncol(values))), each = n))
  first <- match(sums, sums)
  at <- which(first < seq_len(n) & choose(n, 2) * prod(share) < 1e-3)
  differ <- values[first[at], , drop = FALSE] != values[at, , drop = FALSE]
  cbind(first[at], at)[rowSums(differ) == 0, , drop = FALSE]
}

# By features in units of their own, after the samples' level and spread are
# taken out.
near_pairs <- function(values) {
  z <- t(standardised(t(standardised(values))))
  z[!is.finite(z)] <- 0
  distance <- as.matrix(stats::dist(z))
  diag(distance) <- Inf
  # Beyond the copies that a sample may have: the third nearest.
  usual <- apply(distance, 1L, function(d) sort(d, partial = 3L)[[3L]])
  distance < 0.2 * stats::median(usual)
}

# Rows of mean 0 and variance 1.
standardised <- function(values) {
  values <- values - rowMeans(values, na.rm = TRUE)
  values / sqrt(rowMeans(values^2, na.rm = TRUE))
}
