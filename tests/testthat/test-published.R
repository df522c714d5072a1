# The figures on the pages are those of the stored tables, and the papers' are
# those of inst/reproduce/published.csv.
# SPDX-License-Identifier: GPL-3.0-or-later

reproduce_folder <- function() {
  folder <- test_path("..", "..", "inst", "reproduce")
  skip_if_not(
    file.exists(file.path(folder, "published.csv")), "only a checkout has it"
  )
  folder
}

stored_table <- function(folder, name) {
  utils::read.csv(
    file.path(folder, "results", paste0(name, ".csv")),
    check.names = FALSE
  )
}

test_that("the tables of the README are those that are stored", {
  folder <- reproduce_folder()
  place <- new.env()
  sys.source(file.path(folder, "readme.R"), place)
  lines <- readLines(file.path(folder, "README.md"), encoding = "UTF-8")
  expect_gt(sum(grepl("^<!-- table: ", lines)), 8L)
  expect_identical(place$with_tables(lines, folder), lines)
  expect_length(grep("at hand", lines), 0L)
})

test_that("every table and figure of the papers has a row in its section", {
  folder <- reproduce_folder()
  papers <- utils::read.csv(file.path(folder, "published.csv"))
  lines <- readLines(file.path(folder, "README.md"), encoding = "UTF-8")
  headings <- grep("^## ", lines)
  items <- unique(papers[c("paper", "item")])
  expect_identical(nrow(items), 60L)
  for (i in seq_len(nrow(items))) {
    start <- grep(paste0("^## ", items$paper[[i]], "\\b"), lines)
    end <- c(headings[headings > start], length(lines))[[1L]]
    rows <- startsWith(lines[start:end], paste0("| ", items$item[[i]], " |"))
    expect_identical(sum(rows), 1L, label = paste(items[i, ], collapse = ", "))
  }
})

test_that("what stored tables call the paper's figure is what it prints", {
  folder <- reproduce_folder()
  papers <- utils::read.csv(file.path(folder, "published.csv"))
  named <- c(
    llfs = "LLFS", logo = "LOGO", relief = "DoC", bfs = "BFS", pwfp = "PWFP"
  )
  numerals <- c(`1` = "I", `2` = "II", `3` = "III", `4` = "IV", `5` = "V")
  names <- sub("[.]csv$", "", dir(file.path(folder, "results")))
  names <- grep("-table[1-5]$", names, value = TRUE)
  expect_gte(length(names), 8L)
  for (name in names) {
    number <- sub(".*-table", "", name)
    table <- stored_table(folder, name)
    table <- table[!is.na(table$paper), ]
    set <- sub("-(unit|letters|equal)$", "", table$set)
    set <- sub("leukemia$", "leukemia1", set)
    for (row in seq_len(nrow(table))) {
      printed <- papers$value[
        papers$paper == named[[sub("-.*", "", name)]] &
          papers$item %in% paste("Table", c(number, numerals[[number]])) &
          papers$set == set[[row]]
      ]
      expect_true(
        table$paper[[row]] %in% printed,
        label = paste(name, "row", row)
      )
    }
  }
})

# A page marks a figure by a comment, csv: "QUOTE" TABLE COLUMN KEY=VALUE; ...
# The last number of QUOTE, a piece of the page, is that cell, rounded.
marked_figures <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  found <- grep("csv: \"", lines, value = TRUE)
  pattern <- ".*csv: \"(.*)\" (\\S+) (\\S+) (.*?)( -->| # nolint)?$"
  page <- sub("^#' ?", "", lines[!grepl("csv: \"", lines)])
  page <- gsub("\\s+", " ", paste(page, collapse = " "))
  data.frame(
    file = rep(basename(file), length(found)),
    quote = sub(pattern, "\\1", found), table = sub(pattern, "\\2", found),
    column = sub(pattern, "\\3", found),
    where = sub(pattern, "\\4", found),
    on_page = vapply(sub(pattern, "\\1", found), function(quote) {
      grepl(quote, page, fixed = TRUE)
    }, NA)
  )
}

cell_of <- function(folder, mark) {
  table <- stored_table(folder, mark$table)
  for (pair in strsplit(mark$where, "; ")[[1L]]) {
    key <- as.character(table[[sub("=.*", "", pair)]])
    table <- table[key == sub("[^=]*=", "", pair), ]
  }
  if (nrow(table) == 1L) as.numeric(table[[mark$column]]) else NA_real_
}

# Rows "| set | mean +- standard error | ..." of a page, by set.
rows_of_sets <- function(file, sets) {
  lines <- sub("^#' *", "", readLines(file, encoding = "UTF-8"))
  rows <- strsplit(grep("^\\|.*\\+-", lines, value = TRUE), " *\\| *")
  rows <- rows[vapply(rows, `[[`, "", 2L) %in% sets]
  stats::setNames(lapply(rows, `[`, -(1:2)), vapply(rows, `[[`, "", 2L))
}

test_that("tables of held-out errors on pages are those of auto.R", {
  folder <- reproduce_folder()
  auto <- stored_table(folder, "auto")
  page <- "vignettes/methods.Rmd"
  rows <- rows_of_sets(test_path("..", "..", page), auto$set)
  expect_gt(length(rows), 8L)
  for (set in names(rows)) {
    expect_identical(
      setdiff(rows[[set]], unlist(auto[auto$set == set, ])), character(),
      label = paste(page, set)
    )
  }
})

test_that("figures that pages quote are cells of the stored tables", {
  folder <- reproduce_folder()
  root <- test_path("..", "..")
  files <- c(
    file.path(root, "README.md"), file.path(folder, "README.md"),
    dir(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE),
    dir(file.path(root, "R"), "[.]R$", full.names = TRUE)
  )
  marks <- do.call(rbind, lapply(files, marked_figures))
  expect_gt(nrow(marks), 30L)
  expect_true(all(marks$on_page), label = toString(marks$quote[!marks$on_page]))
  for (i in seq_len(nrow(marks))) {
    numbers <- regmatches(
      marks$quote[[i]], gregexpr("[0-9]*[.]?[0-9]+", marks$quote[[i]])
    )[[1L]]
    quoted <- utils::tail(numbers, 1L)
    digits <- nchar(sub("^[^.]*[.]?", "", quoted))
    off <- abs(cell_of(folder, marks[i, ]) - as.numeric(quoted))
    expect_lte(
      off, 0.5 * 10^-digits + 1e-9,
      label = paste(marks$file[[i]], marks$quote[[i]])
    )
  }
})
