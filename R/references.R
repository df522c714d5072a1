# Layer: conditions. Writes references in the form of the help pages. The file
# CITATION has all of them.
# SPDX-License-Identifier: GPL-3.0-or-later

# The file is written for readCitationFile(), which gives it `meta` and keeps
# only what citation() shows.
read_references <- function() {
  place <- list2env(list(meta = list()), parent = asNamespace("utils"))
  sys.source(system.file("CITATION", package = "hitmiss"), place)
  place$references
}

# Writes one entry in Markdown.
format_reference <- function(entry) {
  authors <- vapply(entry$author, function(one) {
    paste0(one$family, ", ", paste(one$given, collapse = " "))
  }, "")
  paste0(
    paste(authors, collapse = ", "), " (", entry$year, "). ", entry$title,
    ". *", entry$journal, entry$booktitle, "*", sprintf(" %s", entry$volume),
    sprintf("(%s)", entry$number), sprintf(", %s", entry$pages), ".",
    sprintf(" doi:%s.", entry$doi), sprintf(" %s.", entry$note)
  )
}

# Returns the entry of a key, for `r reference("key")` on help pages.
reference <- function(key) {
  entries <- read_references()
  text <- format_reference(entries[[check_choice(key, names(entries))]])
  sub("doi:([^ ]+)[.]$", "\\\\doi{\\1}.", text)
}
