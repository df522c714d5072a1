# Writes the tables of README.md from the stored tables, between a line
# "<!-- table: NAME -->" and the next "<!-- end -->".
# Usage: Rscript inst/reproduce/readme.R, in the root of the sources
# SPDX-License-Identifier: GPL-3.0-or-later

# What a table shows: the figure's column, its digits, the columns that name it.
readme_tables <- list(
  `llfs-table2` = list("smallest", 1, c("set", "selector")),
  `llfs-table3` = list("smallest", 1, c("set", "classifier", "selector")),
  `llfs-table5` = list("smallest", 1, c("selector", "at")),
  `logo-table2` = list("error", 1, c("set", "way")),
  `relief-table3` = list("f1", 2, c("set", "metric", "selector", "size")),
  `bfs-table2` = list("accuracy", 2, c("set", "selector")),
  `bfs-table3` = list("accuracy", 2, c("set", "selector")),
  `pwfp-table1` = list("accuracy", 1, c("set", "selector"))
)

# Wide ones: a row per selector, a column per set; the cell's columns, digits.
wide_tables <- list(
  `relief-roc` = list("area", 2),
  `relief-minority` = list(c("area", "error"), 2:1),
  `relief-error-smallest` = list(c("error", "mean_over_sizes"), c(1, 1))
)

wide_table <- function(table, shape) {
  number <- function(i) {
    formatC(table[[shape[[1L]][[i]]]], shape[[2L]][[i]], format = "f")
  }
  cells <- number(1L)
  if (length(shape[[1L]]) > 1L) cells <- paste0(cells, " (", number(2L), ")")
  rows <- if (is.null(table$classifier)) {
    table$selector
  } else {
    paste(table$classifier, table$selector, sep = ", ")
  }
  in_order <- function(names) factor(names, unique(names))
  wide <- tapply(cells, list(in_order(rows), in_order(table$set)), `[[`, 1L)
  wide[is.na(wide)] <- ""
  markdown_table(
    data.frame(selector = rownames(wide), wide, check.names = FALSE)
  )
}

markdown_table <- function(cells) {
  line <- function(row) paste0("| ", paste(row, collapse = " | "), " |")
  rows <- unname(apply(cells, 1L, line))
  c(line(names(cells)), paste0(strrep("|---", ncol(cells)), "|"), rows)
}

# In the folder of the scripts.
readme_table <- function(name, folder) {
  file <- file.path(folder, "results", paste0(name, ".csv"))
  if (!is.null(wide_tables[[name]])) {
    return(wide_table(utils::read.csv(file), wide_tables[[name]]))
  }
  table <- utils::read.csv(file, check.names = FALSE, colClasses = "character")
  shape <- readme_tables[[name]]
  if (is.null(shape)) {
    return(markdown_table(table))
  }
  digits <- shape[[2L]]
  number <- function(column, digits) {
    value <- suppressWarnings(as.numeric(table[[column]]))
    ifelse(is.na(value), "", formatC(value, digits, format = "f"))
  }
  blank <- function(text) ifelse(is.na(text) | text == "NA", "", text)
  z <- number("z", 1)
  seeds <- table$z_by_seed
  if (is.null(seeds)) seeds <- rep(NA, nrow(table))
  cells <- data.frame(
    table[shape[[3L]]],
    published = number("paper", digits),
    ours = paste(number(shape[[1L]], digits), "+-", number(
      "standard_error", digits
    )),
    z = ifelse(is.na(seeds) | seeds == "NA", z, paste0(z, " (", seeds, ")")),
    verdict = blank(table$verdict), check.names = FALSE
  )
  markdown_table(cells)
}

with_tables <- function(lines, folder) {
  start <- grep("^<!-- table: .* -->$", lines)
  for (at in rev(start)) {
    name <- sub("^<!-- table: (.*) -->$", "\\1", lines[[at]])
    end <- at + which(lines[-seq_len(at)] == "<!-- end -->")[[1L]]
    lines <- c(
      lines[seq_len(at)], "", readme_table(name, folder), "",
      lines[end:length(lines)]
    )
  }
  lines
}

if (sys.nframe() == 0L) {
  file <- "inst/reproduce/README.md"
  lines <- readLines(file, encoding = "UTF-8")
  writeLines(with_tables(lines, dirname(file)), file, useBytes = TRUE)
}
