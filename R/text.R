# Layer: conditions. Numbers and lists are written here as prints show them.
# SPDX-License-Identifier: GPL-3.0-or-later

# Breaks lines at the width of the console.
print_lines <- function(lines) {
  writeLines(strwrap(lines, getOption("width") + 1L, exdent = 2L))
}

#' Names of at most `most` letters, without their middle
#'
#' Names that would be alike keep what differs between them in place of the
#' middle, or else all their letters: two names never look the same.
#' @noRd
cut_names <- function(names, most = 24L) {
  names <- enc2utf8(as.character(names))
  given <- unique(names)
  full <- gsub("[[:space:]]+", " ", given)
  short <- ifelse(nchar(full) <= most, full, paste0(
    substr(full, 1L, most - 11L), "...",
    substring(full, nchar(full) - 7L)
  ))
  for (alike in split(seq_along(full), short)) {
    if (length(alike) > 1L) short[alike] <- cut_alike(full[alike])
  }
  kept <- short %in% short[duplicated(short)] | nchar(short) >= nchar(full)
  short <- ifelse(kept, full, short)
  alike <- short %in% short[duplicated(short)]
  short[alike] <- encodeString(given[alike])
  short[match(names, given)]
}

# Keeps what differs between the names, with a few letters around it, their
# beginning and their end.
cut_alike <- function(names) {
  letters <- strsplit(names, "")
  least <- min(lengths(letters))
  same <- function(ends) {
    equal <- vapply(seq_len(least), function(i) {
      length(unique(vapply(ends, `[[`, "", i))) == 1L
    }, NA)
    match(FALSE, equal, least + 1L) - 1L
  }
  before <- same(letters)
  after <- min(same(lapply(letters, rev)), least - before)
  n <- nchar(names)
  middle <- substring(names, max(before - 5L, 7L), pmin(n - after + 6L, n - 8L))
  paste(substr(names, 1L, 6L), middle, substring(names, n - 7L), sep = "...")
}

# Names that as.numeric() reads, whatever the options `scipen` and `OutDec`.
number_names <- function(values) {
  old <- options(scipen = 0, OutDec = ".")
  on.exit(options(old))
  as.character(values)
}

# Rounds numbers and shortens names for the print; the object keeps them as they
# are.
rounded_table <- function(table, digits = 4L) {
  # Counts keep all their digits.
  number <- vapply(table, function(v) {
    is.double(v) && !is.object(v) && any(v %% 1 != 0, na.rm = TRUE)
  }, NA)
  text <- vapply(table, is.character, NA)
  table[number] <- lapply(table[number], signif, digits)
  table[text] <- lapply(table[text], cut_names, 40L)
  table
}

#' Print a table without the names of its rows; where it is wider than the
#' console, each row as a text that names its columns
#' @noRd
print_table <- function(table, ...) {
  old <- options(width = 10000L)
  on.exit(options(old))
  text <- utils::capture.output(print(table, row.names = FALSE, ...))
  options(old)
  if (max(nchar(text, "width")) <= getOption("width")) {
    writeLines(text)
    return(invisible())
  }
  cells <- lapply(table, function(v) {
    if (is.numeric(v)) vapply(v, format, "") else as.character(v)
  })
  for (i in seq_len(nrow(table))) {
    row <- vapply(cells, `[[`, "", i)
    print_lines(paste(
      names(row)[!is.na(row)], row[!is.na(row)], sep = ": ", collapse = "; "
    ))
  }
}

# Prints the first `n` rows, and says how many follow.
print_first <- function(table, n, what, ...) {
  top <- utils::head(table, n)
  print_table(rounded_table(top), ...)
  if (nrow(table) > nrow(top)) {
    more <- thousands(nrow(table) - nrow(top))
    cat("... and ", more, " more ", what, "\n", sep = "")
  }
}

listed <- function(names, most = 10L) {
  shown <- paste(utils::head(names, most), collapse = ", ")
  if (length(names) > most) {
    paste0(shown, ", ... (", length(names), ")")
  } else {
    shown
  }
}

#' Names of samples for tables and prints, of which none comes twice: a name
#' that several samples have is followed by the number of the sample
#' @param names Their names, or NULL. @param n How many samples there are.
#' @noRd
unique_names <- function(names, n = length(names)) {
  if (is.null(names)) {
    return(integer_text(seq_len(n)))
  }
  shared <- names %in% names[duplicated(names)]
  names[shared] <- sprintf("%s (%d)", names[shared], which(shared))
  make.unique(names)
}

parameter_text <- function(p, between = ", ") {
  value <- vapply(p, function(p) {
    if (is.list(p)) {
      paste0("(", parameter_text(p), ")")
    } else if (length(p) > 6L) {
      paste0(format(p[[1L]]), ", ..., ", format(p[[length(p)]]))
    } else {
      paste(format(p, trim = TRUE, digits = 4L), collapse = ", ")
    }
  }, "")
  paste0(names(value), " = ", value, collapse = between)
}

# Writes whole numbers as text, whatever the options `scipen` and `OutDec`.
integer_text <- function(n) sprintf("%.0f", n)

thousands <- function(n) {
  formatC(n, format = "d", big.mark = ",", decimal.mark = ".")
}

percent <- function(share) paste0(format(100 * share, digits = 3L), " %")
