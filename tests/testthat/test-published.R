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

# The functions that write the pages.
page_functions <- function(folder) {
  place <- new.env()
  sys.source(file.path(folder, "readme.R"), place, chdir = TRUE)
  place
}

test_that("the tables of the pages are those that are stored", {
  folder <- reproduce_folder()
  place <- page_functions(folder)
  for (page in c("README.md", "comparisons.md")) {
    lines <- readLines(file.path(folder, page), encoding = "UTF-8")
    expect_gt(sum(grepl("^<!-- table: ", lines)), 2L)
    expect_identical(place$with_tables(lines), lines)
    expect_length(grep("at hand", lines), 0L)
  }
  for (name in names(place$compared)) {
    table <- place$stored(name)
    expect_equal(table, place$judge(table, name), label = name)
  }
  times <- place$stored("llfs-table4")
  expect_equal(times$paper, place$published(
    "LLFS", "Table IV", times$set, "LLFS, one core", "seconds"
  )$value)
})

test_that("figures that no row reproduces have a cause", {
  folder <- reproduce_folder()
  place <- page_functions(folder)
  figures <- place$figures_of()
  causes <- utils::read.csv(file.path(folder, "causes.csv"))
  missed <- figures$verdict == "not reproduced"
  expect_false(anyNA(place$cause_of(figures[missed, ])))
  # The others are what is to be said against rows that reproduce a figure.
  others <- setdiff(
    place$figure_key(causes), place$figure_key(figures[missed, ])
  )
  at <- match(others, place$figure_key(figures))
  expect_match(figures$verdict[at], "^reproduced: ")
  expect_true(all(nzchar(causes$cause)))
})

# Every way to count the errors by class, as rows.
compositions <- function(errors, parts) {
  if (parts == 1L) {
    return(matrix(errors, 1L))
  }
  do.call(rbind, lapply(0:errors, function(first) {
    cbind(first, compositions(errors - first, parts - 1L), deparse.level = 0)
  }))
}

# The least and the largest macro F1 with so many errors in classes of sizes n.
macro_range <- function(errors, n) {
  all <- compositions(errors, length(n))
  missed <- all[colSums(t(all) <= n) == length(n), , drop = FALSE]
  f1 <- lapply(seq_len(nrow(missed)), function(i) {
    right <- n - missed[i, ]
    given <- t(all)[, colSums(t(all) + missed[i, ] > errors) == 0, drop = FALSE]
    range(colMeans(2 * right / (right + n + given)))
  })
  range(unlist(f1))
}

test_that("the figures that cannot be are those that arithmetic excludes", {
  folder <- reproduce_folder()
  papers <- page_functions(folder)$papers
  f1 <- papers[papers$paper == "DoC" & papers$item == "Table 3", ]
  macro <- f1[f1$measure == "macro_f1", ]
  micro <- f1$value[f1$measure == "micro_f1"]
  classes <- list(
    leukemia1 = c(38, 25, 9), leukemia2 = c(28, 24, 20), dlbcl = c(58, 19),
    srbct = c(29, 25, 18, 11)
  )
  for (i in which(macro$set %in% names(classes))) {
    n <- classes[[macro$set[[i]]]]
    # The errors whose accuracy, cut or rounded to two digits, is printed.
    right <- (0:sum(n)) / sum(n)
    errors <- sum(n) - which(
      floor(100 * right + 1e-9) == round(100 * micro[[i]]) |
        round(100 * right) == round(100 * micro[[i]])
    ) + 1L
    # Both are the largest over the sizes, so macro F1 is no less than with most
    # of these errors.
    excluded <- if (min(errors) > 12) {
      FALSE # 23 errors in four classes: most values are possible
    } else {
      macro$value[[i]] > macro_range(min(errors), n)[[2L]] + 0.005 ||
        macro$value[[i]] < macro_range(max(errors), n)[[1L]] - 0.01
    }
    expect_identical(
      macro$impossible[[i]] == "value", excluded,
      label = paste(macro$set[[i]], macro$method[[i]])
    )
  }
  # p of a paired t-test: the sd of the differences is between the difference
  # and the sum of both.
  table <- papers[papers$paper == "BFS" & papers$item == "Table II", ]
  of <- function(measure) table[table$measure == measure, ]
  best <- of("p")[of("p")$value == 1, ]
  for (i in which(of("p")$value < 1 & of("p")$set != "average")) {
    one <- of("accuracy")[i, ]
    other <- of("accuracy")[
      of("accuracy")$set == one$set &
        of("accuracy")$method == best$method[best$set == one$set],
    ]
    p_of <- function(sd) {
      2 * stats::pt(-abs(one$value - other$value) / (sd / sqrt(20)), 19)
    }
    # Values and deviations are rounded to two digits.
    p <- of("p")[i, ]
    low <- p_of(abs(one$sd - other$sd) + 0.01)
    high <- p_of(one$sd + other$sd + 0.01)
    expect_identical(
      p$impossible == "value", p$value < low - 0.02 || p$value > high + 0.02,
      label = paste(p$set, p$method)
    )
  }
})

test_that("stored rows are of a commit, and such as their script makes", {
  folder <- reproduce_folder()
  place <- page_functions(folder)
  # Rows of error_curve(), and what scripts make of a set's name.
  usual <- "(all features) (random features) (largest class)"
  scripts <- dir(c(folder, test_path("..", "bench")), "[.]R$",
                 full.names = TRUE)
  bases <- sub("[.]R$", "", basename(scripts))
  for (file in dir(file.path(folder, "results"), full.names = TRUE)) {
    table <- place$read_table(file)
    expect_true(
      all(grepl("^[0-9a-f]{7,12}[+]?$|^auto-SET.csv$", table$commit)),
      label = basename(file)
    )
    # A table's name begins with that of its script.
    made_by <- startsWith(gsub("-", "_", basename(file)), bases)
    expect_true(any(made_by), label = basename(file))
    code <- paste(c(usual, unlist(lapply(scripts[made_by], readLines))),
                  collapse = " ")
    for (column in intersect(
      c("selector", "way", "method", "vote", "setting", "first", "second"),
      names(table)
    )) {
      # Without numbers, which are pasted to some.
      pieces <- unlist(strsplit(sub(" *[0-9.]+$", "", table[[column]]), ", "))
      made <- vapply(unique(pieces), grepl, NA, x = code, fixed = TRUE)
      expect_identical(
        names(made)[!made], character(), label = paste(basename(file), column)
      )
    }
  }
})

test_that("every table and figure of the papers has a row in its section", {
  folder <- reproduce_folder()
  papers <- page_functions(folder)$papers
  lines <- readLines(file.path(folder, "README.md"), encoding = "UTF-8")
  headings <- grep("^## ", lines)
  items <- unique(papers[c("paper", "item")])
  expect_identical(nrow(items), 60L)
  for (i in seq_len(nrow(items))) {
    start <- grep(paste0("^## ", items$paper[[i]], "\\b"), lines)
    end <- c(headings[headings > start], length(lines))[[1L]]
    first <- sub("^\\| (.*?) \\|.*", "\\1", lines[start:end], perl = TRUE)
    named <- unlist(strsplit(first, ", ", fixed = TRUE))
    expect_identical(
      sum(named == items$item[[i]]), 1L,
      label = paste(items[i, ], collapse = ", ")
    )
  }
})

# A page marks a figure by a comment, csv: "QUOTE" TABLE COLUMN KEY=VALUE; ...
# The last number of QUOTE, a piece of the page, is that cell, rounded. The
# least, the largest or the mean of several cells is min:COLUMN, max:COLUMN,
# mean:COLUMN; KEY~PATTERN is for a regular expression, and * takes all rows.
# Those of README and the vignettes stand in quoted-figures.txt, behind the
# page's name; the README of inst/reproduce has its own comments.
marked_figures <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  quoted <- readLines(test_path("quoted-figures.txt"), encoding = "UTF-8")
  own <- basename(dirname(file)) == "reproduce"
  quoted <- quoted[!own & startsWith(quoted, paste0(basename(file), " csv: "))]
  found <- c(grep("csv: \"", lines, value = TRUE), quoted)
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

cell_of <- function(place, mark) {
  table <- place$stored(mark$table)
  column <- strsplit(mark$column, ":", fixed = TRUE)[[1L]]
  for (pair in setdiff(strsplit(mark$where, "; ")[[1L]], "*")) {
    key <- as.character(table[[sub("[=~].*", "", pair)]])
    value <- sub("[^=~]*[=~]", "", pair)
    exact <- grepl("^[^=~]*=", pair)
    table <- table[if (exact) key == value else grepl(value, key), ]
  }
  values <- as.numeric(table[[column[[length(column)]]]])
  if (length(column) == 2L && length(values) > 1L) {
    values <- match.fun(column[[1L]])(values)
  }
  if (length(values) == 1L) values else NA_real_
}

test_that("figures that pages quote are cells of the stored tables", {
  folder <- reproduce_folder()
  place <- page_functions(folder)
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
    off <- abs(cell_of(place, marks[i, ]) - as.numeric(quoted))
    expect_lte(
      off, 0.5 * 10^-digits + 1e-9,
      label = paste(marks$file[[i]], marks$quote[[i]])
    )
  }
})
