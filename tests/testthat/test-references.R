# What is cited: the package and, everywhere, entries of inst/CITATION only.
# SPDX-License-Identifier: GPL-3.0-or-later

entries <- hitmiss:::read_references()
references <- vapply(entries, hitmiss:::format_reference, "")

# Without markup and line ends.
plain <- function(text) {
  text <- gsub("\\\\(emph|strong)|[{}*]", "", text)
  trimws(gsub("[[:space:]]+", " ", text))
}
printed <- plain(references)

help_pages <- function() {
  folder <- test_path("..", "..", "man")
  if (dir.exists(folder)) {
    files <- dir(folder, "[.]Rd$", full.names = TRUE)
    pages <- lapply(stats::setNames(files, basename(files)), readLines)
  } else {
    installed <- tools::Rd_db("hitmiss")
    skip_if(length(installed) == 0L, "hitmiss was installed without help pages")
    pages <- lapply(
      installed, function(page) utils::capture.output(print(page))
    )
  }
  vapply(pages, paste, "", collapse = "\n")
}

section <- "\\\\references\\{((?:[^{}]|(\\{(?:[^{}]|(?2))*\\}))*)\\}"

# The references of a page, one a paragraph.
page_references <- function(page) {
  found <- regmatches(page, regexec(section, page, perl = TRUE))[[1L]]
  if (length(found) == 0L) {
    return(character())
  }
  paragraphs <- plain(strsplit(found[[2L]], "\n[[:space:]]*\n")[[1L]])
  paragraphs[nzchar(paragraphs)]
}

# The keys of printed references; NA for one that is no entry. An identifier is
# looked for by itself: an installed page has its link in one of many forms.
keys_of <- function(paragraphs) {
  before <- sub(" doi:.*", "", printed)
  identifiers <- sub("[.]$", "", sub(".* doi:", "", printed))
  vapply(paragraphs, function(one) {
    has <- vapply(identifiers, grepl, NA, x = one, fixed = TRUE)
    match <- names(references)[startsWith(one, before) & has]
    if (length(match) == 1L) match else NA_character_
  }, "", USE.NAMES = FALSE)
}

test_that("citation() works without a warning and has the methods' papers", {
  expect_silent(entry <- utils::citation("hitmiss"))
  expect_match(
    plain(format(entry[[1L]], style = "text")), "Near Hits and Near Misses"
  )
  keys <- vapply(unclass(entry)[-1L], attr, "", "key")
  expect_identical(setdiff(keys, names(entries)), character())
  methods <- c("llfs", "logo", "bayes_error", "relieff", "kbfs", "pwfp")
  expect_identical(setdiff(methods, keys), character())
  expect_silent(bibtex <- utils::toBibtex(entry))
  expect_true(all(paste0("  doi = {", entries$llfs$doi, "},") %in% bibtex))
})

test_that("the entries have keys of their own", {
  expect_gt(length(entries), 30L)
  expect_identical(anyDuplicated(names(entries)), 0L)
  expect_identical(anyDuplicated(printed), 0L)
  expect_input_error(hitmiss:::reference("unknown"))
})

test_that("help pages print entries only, and every entry is printed", {
  pages <- help_pages()
  paragraphs <- lapply(pages, page_references)
  cited <- lapply(paragraphs, keys_of)
  strange <- unlist(paragraphs)[is.na(unlist(cited))]
  expect_identical(unname(strange), character())

  has <- c(
    llfs = "llfs", logo = "logo", logo = "logo_conference",
    relief = "bayes_error", bayes_error = "bayes_error",
    kbfs = "kbfs", pwfp = "pwfp"
  )
  for (i in seq_along(has)) {
    page <- names(has)[[i]]
    expect_true(has[[i]] %in% cited[[paste0(page, ".Rd")]], label = page)
  }

  # vignette("hitmiss") alone has the paper of its data.
  expect_setequal(c(unlist(cited), "khan"), names(entries))
})

test_that("whoever is named with a year in a text is an entry", {
  folder <- test_path("..", "..", "vignettes")
  pages <- c(
    sub(section, "", help_pages(), perl = TRUE),
    vapply(dir(folder, "[.]Rmd$", full.names = TRUE), function(file) {
      paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
    }, "")
  )
  pages <- gsub("[[:space:]]+", " ", pages)
  named <- unlist(regmatches(pages, gregexpr(
    paste0(
      "\\p{Lu}[\\p{L}-]+((, | and | et al[.])[\\p{L} .,-]*)?",
      " [(]?(19|20)\\d\\d\\b"
    ), pages, perl = TRUE
  )))
  expect_gt(length(named), 15L)
  is_entry <- vapply(named, function(one) {
    any(vapply(entries, function(entry) {
      families <- unlist(entry$author$family)
      endsWith(one, entry$year) &&
        any(vapply(families, grepl, NA, x = one, fixed = TRUE))
    }, NA))
  }, NA)
  expect_identical(unique(named[!is_entry]), character())
})
