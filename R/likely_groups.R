# Layer: input. An evaluation reads its design here: if no groups are given, a
# message says which columns or names suggest some.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A problem with the design of an evaluation, which tests on whole groups
#'
#' Gives a message if samples look grouped and no group is given.
#' @param ... As read_design() takes them.
#' @param harm What would happen without groups, in words; NULL for no message.
#' @noRd
with_groups <- function(problem, x, ..., harm = NULL) {
  problem <- read_design(problem, x, ...)
  if (is.null(problem$group) && !is.null(harm)) {
    inform_groups(problem, x, harm)
    inform_copies(problem)
  }
  if (!is.null(problem$group) && max(problem$group) == 1L) {
    abort_input(c(
      "{.arg group} is the same for all samples: no group is left to test on.",
      i = "Give one value for each patient, donor or animal."
    ), "group")
  }
  problem
}

inform_groups <- function(problem, x, harm) {
  found <- likely_groups(problem, x)
  if (is.null(found)) {
    return(invisible())
  }
  inform(
    c(
      paste(
        "{.arg {found$where}} has {found$n} different values for
         {length(problem$y)} samples, and no {.arg group} is given:", harm
      ),
      i = if (found$group) {
        "Give {.code group = {found$code}} to keep the samples of each group
         together."
      } else {
        "Give {.arg group}, one value for each sample, to keep the samples of
         each group together; as they are, these values cannot be groups."
      },
      i = if (found$pair) {
        "If each is a matched pair, such as tumour and normal of one patient,
         give {.code pair = {found$code}}."
      },
      i = "If all samples are independent, nothing is wrong; the class of this
           message is {.cls hitmiss_message_group}."
    ),
    "hitmiss_message_group"
  )
}

#' Columns or sample names that suggest which samples belong together
#'
#' @return list(where, and what counted_groups() gives), or NULL.
#' @noRd
likely_groups <- function(problem, x) {
  table <- sample_table(x)
  for (name in Filter(names_group, colnames(table$columns))) {
    where <- paste0(table$where, "$", deparse(as.name(name), backtick = TRUE))
    found <- counted_groups(problem, x, encodeString(name, quote = "\""))
    if (!is.null(found)) {
      return(c(where = where, found))
    }
  }
  if (!is.null(problem$samples)) {
    where <- if (is.null(table)) "rownames(x)" else "colnames(x)"
    names <- problem$samples
    found <- counted_groups(problem, x, root_call(names, where, root_code))
    if (is.null(found) && few_endings(names, problem$y)) {
      found <- counted_groups(problem, x, root_call(names, where, ending_code))
    }
    if (!is.null(found)) c(where = where, found)
  }
}

#' What the code of a group gives, when it is run
#'
#' @param code Text: code with `x`, or the name of a column in quotes.
#' @return list(n: different values, code, group, pair: may it be given as
#'   such?), or NULL where no value comes twice.
#' @noRd
counted_groups <- function(problem, x, code) {
  works <- function(run) {
    catch_error({
      suppressMessages(suppressWarnings(run))
      TRUE
    }, function(e) FALSE)
  }
  values <- catch_error(
    plain_vector(design_column(eval(parse(text = code)), x, "group")),
    function(e) NULL
  )
  n <- number_of_groups(values, problem$y)
  if (n == 0L) {
    return(NULL)
  }
  list(
    n = n, code = code,
    group = works(with_design(problem, x, group = values)),
    pair = is.null(problem$block) &&
      works(check_pairs(sample_codes(problem, values, "pair"), problem, values))
  )
}

# Finds columns such as patient, Patient_ID, donor.id, bcr_patient_barcode and
# individual:ch1.
names_group <- function(name) {
  letters <- gsub("[^a-z]", "", tolower(name))
  grepl(paste0(
    "^(bcr)?(patient|subject|donor|animal|individual|participant|person|mouse)",
    "s?(ids?|identifier|no|nr|num|number|code|name|barcode)?(ch)?$"
  ), letters)
}

# These are what names of samples of one patient share: P01_T and P01_N, P01T
# and P01N, pat1.tumor and pat1.normal, P01_rep1, and the patient of a TCGA
# barcode. The R code is kept as text: the text that is evaluated to count the
# groups is the text that the message offers.
root_code <- paste0(
  "sub(\"([0-9])[TN]$\", \"\\\\1\", sub(\"[._ -](t|n|tumou?r|normal|pre|post|",
  "before|after|case|ctrl|control|rep[._-]?[0-9]+)$\", \"\", sub(",
  "\"^(TCGA-..-....).*\", \"\\\\1\", %s), ignore.case = TRUE))"
)

# These may be samples of one patient: P01_1 and P01_2, P01a and P01b, P01.T1
# and P01.T2, P01 and P01-2.
ending_code <- "sub(\"[._ -][[:alnum:]]{1,3}$|[A-Za-z]$\", \"\", %s)"

#' Do the names look like patients with an ending?
#'
#' At least ten patients with a number, many more than classes, nearly all with
#' several samples, and the same few endings: so tumor_1 to tumor_20, or s1 to
#' s60, of one batch or of several, are no patients.
#' @noRd
few_endings <- function(names, y) {
  roots <- eval(parse(text = sprintf(ending_code, "names")))
  n <- table(roots)
  endings <- table(substring(names, nchar(roots) + 1L))
  most <- utils::head(sort(endings, decreasing = TRUE), 4L)
  length(n) >= max(10L, 3L * nlevels(y)) && all(grepl("[0-9]", roots)) &&
    mean(n[roots] > 1L) >= 0.9 && sum(most) >= 0.9 * length(names)
}

# Returns the shortest code that divides the names as `code` does.
root_call <- function(names, where, code) {
  codes <- c(
    "%s", "substr(%s, 1, 12)", "sub(\".$\", \"\", %s)",
    "sub(\"[._ -][^._ -]*$\", \"\", %s)", code
  )
  groups <- lapply(codes, function(code) {
    roots <- eval(parse(text = sprintf(code, "names")))
    match(roots, roots)
  })
  same <- vapply(groups, identical, NA, groups[[length(groups)]])
  sprintf(codes[same][[1L]], where)
}

# Returns 0 if no value repeats (no groups), or if there are no more values than
# classes (the classes themselves).
number_of_groups <- function(values, y) {
  values <- as.character(values)
  values <- values[!is.na(values)]
  n <- length(unique(values))
  if (n == length(values) || n <= nlevels(y)) 0L else n
}
