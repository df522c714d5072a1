# Judges the stored tables anew and writes the tables of README.md and
# comparisons.md from them, between a line "<!-- table: NAME -->" and the next
# "<!-- end -->".
# Usage: Rscript inst/reproduce/readme.R, in the root of the sources
# SPDX-License-Identifier: GPL-3.0-or-later
source(file.path(
  if (file.exists("common.R")) "." else "inst/reproduce", "common.R"
), local = TRUE)

stored <- function(name) {
  read_table(file.path(folder, "results", paste0(name, ".csv")))
}

markdown_table <- function(cells) {
  line <- function(row) paste0("| ", paste(row, collapse = " | "), " |")
  rows <- unname(apply(cells, 1L, line))
  c(line(colnames(cells)), paste0(strrep("|---", ncol(cells)), "|"), rows)
}

# ---- one row per figure of the papers ----------------------------------------

# The rows of a stored table that have a figure of a paper: its row in
# published.csv, and our row as text, with what is different about it in front.
rows_of <- function(name) {
  table <- stored(name)
  paper <- published_for(table, name)
  digits <- if (grepl("relief|bfs", name)) 2L else 1L
  number <- function(x) formatC(x, digits, format = "f")
  more <- c(table$way, table$selector)
  label <- ifelse(grepl(",", more), sub("^[^,]*, *", "", more), "")
  label[label == "0.01" | !is.null(table$classifier)] <- ""
  of_set <- ifelse(grepl("-", table$set), sub(".*-", "", table$set), "")
  label <- sub("^, |, $", "", paste(of_set, label, sep = ", "))
  data.frame(
    row = paper$row, digits = digits, label = label,
    ours = paste0(
      ifelse(label == "", "", paste0(label, ": ")),
      number(table[[compared[[name]][[3L]]]]), " +- ",
      number(table$standard_error), " (", formatC(table$z, 1L, format = "f"),
      ")"
    ),
    z = table$z, verdict = table$verdict
  )[!is.na(paper$value), ]
}

# A figure of a paper with all digits that the paper prints, but no fewer than
# ours has.
printed <- function(value, digits) {
  formatC(
    value, max(digits, nchar(sub("^[^.]*[.]?", "", value))), format = "f"
  )
}

# All figures with a row of ours, in the order of the tables: what they are, our
# rows, the one nearest to the paper, and the verdict on all of them.
figures_of <- function(tables = names(compared)) {
  parts <- lapply(tables, function(name) {
    rows <- rows_of(name)
    by_figure <- split(rows, factor(rows$row, unique(rows$row)))
    do.call(rbind, lapply(by_figure, function(g) {
      good <- g$verdict == "reproduced"
      data.frame(
        table = name, papers[g$row[[1L]], ],
        published = printed(papers$value[[g$row[[1L]]]], g$digits[[1L]]),
        ours = paste(g$ours, collapse = "; "),
        nearest = g$ours[[which.min(abs(g$z))]],
        verdict = if (any(g$verdict == "cannot be")) {
          "cannot be"
        } else if (all(good)) {
          "reproduced"
        } else if (any(good)) {
          paste("reproduced:", paste(
            ifelse(g$label == "", "the plain setting", g$label)[good],
            collapse = "; "
          ))
        } else if (all(g$verdict == "differs (better)")) {
          "better"
        } else {
          "not reproduced"
        }
      )
    }))
  })
  do.call(rbind, parts)
}

# Each table of a paper, and how many of its figures have which verdict.
counts_table <- function() {
  figures <- figures_of()
  kinds <- c(
    "reproduced", `by some of our rows` = "reproduced:", "better",
    "not reproduced", "cannot be"
  )
  of_table <- paste(figures$paper, figures$item, sep = ", ")
  counts <- table(
    factor(of_table, unique(of_table)),
    factor(sub(":.*", ":", figures$verdict), kinds)
  )
  names(kinds)[names(kinds) == ""] <- kinds[names(kinds) == ""]
  cells <- rbind(counts, all = colSums(counts))
  markdown_table(cbind(
    table = rownames(cells), figures = rowSums(cells),
    matrix(cells, nrow(cells), dimnames = list(NULL, names(kinds)))
  ))
}

figure_key <- function(rows) {
  do.call(paste, rows[c("paper", "item", "set", "method", "measure")])
}

# DoC's Table 3 has two figures of each method.
method_of <- function(figures) {
  f1 <- ifelse(grepl("_f1", figures$measure), figures$measure, "")
  paste0(figures$method, sub("(.+)_f1", ", \\1 F1", f1))
}

# The causes of figures that no row of ours reproduces, and what is to be said
# against rows that reproduce one.
cause_of <- function(figures) {
  causes <- utils::read.csv(file.path(folder, "causes.csv"))
  causes$cause[match(figure_key(figures), figure_key(causes))]
}

# The figures that no row of ours reproduces, each with its cause.
never_table <- function() {
  figures <- figures_of()
  figures <- figures[figures$verdict == "not reproduced", ]
  markdown_table(data.frame(
    figure = paste0(
      figures$paper, ", ", figures$item, ": ", figures$set, ", ",
      method_of(figures)
    ),
    published = figures$published, `nearest of ours` = figures$nearest,
    `cause, or what was tried` = cause_of(figures), check.names = FALSE
  ))
}

figure_table <- function(name) {
  figures <- figures_of(name)
  but <- ifelse(grepl("^reproduced", figures$verdict), cause_of(figures), NA)
  markdown_table(data.frame(
    set = figures$set, method = method_of(figures),
    published = figures$published, `ours (z)` = figures$ours,
    verdict = paste0(
      figures$verdict, ifelse(is.na(but), "", paste0(", but ", but))
    ), check.names = FALSE
  ))
}

page_table <- function(name) {
  if (name == "counts") {
    return(counts_table())
  }
  if (name == "never") {
    return(never_table())
  }
  if (!is.null(compared[[name]])) {
    return(figure_table(name))
  }
  file <- file.path(folder, "results", paste0(name, ".csv"))
  table <- utils::read.csv(
    file, check.names = FALSE, colClasses = "character"
  )
  markdown_table(table[names(table) != "commit"])
}

with_tables <- function(lines) {
  start <- grep("^<!-- table: .* -->$", lines)
  for (at in rev(start)) {
    name <- sub("^<!-- table: (.*) -->$", "\\1", lines[[at]])
    end <- at + which(lines[-seq_len(at)] == "<!-- end -->")[[1L]]
    lines <- c(
      lines[seq_len(at)], page_table(name), lines[end:length(lines)]
    )
  }
  lines
}

if (sys.nframe() == 0L) {
  for (name in names(compared)) {
    utils::write.csv(
      judge(stored(name), name),
      file.path(folder, "results", paste0(name, ".csv")), row.names = FALSE
    )
  }
  for (page in file.path(folder, c("README.md", "comparisons.md"))) {
    lines <- readLines(page, encoding = "UTF-8")
    writeLines(with_tables(lines), page, useBytes = TRUE)
  }
}
