# Layer: input. A message if columns or names suggest groups that are not given.
# SPDX-License-Identifier: GPL-3.0-or-later

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
