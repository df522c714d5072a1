# ?"hitmiss-objects" against real objects: no field without a word, no word
# without a field.
# SPDX-License-Identifier: GPL-3.0-or-later

# The page as lines: of the source tree, or of the installed package.
objects_page <- function() {
  source <- test_path("..", "..", "man", "hitmiss-objects.Rd")
  if (file.exists(source)) {
    return(readLines(source))
  }
  pages <- tools::Rd_db("hitmiss")
  page <- pages[["hitmiss-objects.Rd"]]
  skip_if(is.null(page), "hitmiss was installed without help pages")
  text <- paste(as.character(page, deparse = FALSE), collapse = "")
  # A parsed page has no line between its sections.
  strsplit(gsub("\\section{", "\n\\section{", text, fixed = TRUE), "\n")[[1L]]
}

code_words <- function(text) {
  found <- regmatches(text, gregexpr("\\\\code\\{[^}]*\\}", text))[[1L]]
  sub("\\}$", "", sub("^\\\\code\\{", "", found))
}

# By section: fields, which of them are optional, and columns by field.
documented <- function() {
  page <- objects_page()
  sections <- split(page, cumsum(grepl("^\\\\section\\{", page)))[-1L]
  names(sections) <- sub(
    "^\\\\section\\{([^}]*)\\}.*", "\\1", vapply(sections, `[[`, "", 1L)
  )
  lapply(sections, function(lines) {
    items <- split(lines, cumsum(grepl("^ *\\\\item ", lines)))[-1L]
    texts <- vapply(items, paste, "", collapse = " ")
    fields <- lapply(texts, function(text) code_words(sub(": .*", "", text)))
    optional <- grepl("^[^:]*: Only ", texts)
    columns <- lapply(texts, function(text) {
      if (grepl("columns ", text)) code_words(sub(".*columns ", "", text))
    })
    list(
      fields = unlist(fields), optional = unlist(fields[optional]),
      columns = stats::setNames(columns, vapply(fields, `[[`, "", 1L))
    )
  })
}

# Both ways; `optional` fields may be absent, and those of `later` versions.
expect_documented <- function(object, sections, page, later = character()) {
  known <- unlist(lapply(page[sections], `[[`, "fields"))
  optional <- unlist(lapply(page[sections], `[[`, "optional"))
  what <- paste(sections, collapse = ", ")
  expect_identical(setdiff(names(object), known), character(), label = what)
  expect_identical(
    setdiff(known, c(optional, later, names(object))), character(),
    label = what
  )
}

# Columns of every data.frame of an object; a table may have more where the page
# names a group of them.
expect_columns <- function(object, section, page, open = character()) {
  columns <- page[[section]]$columns
  tables <- names(object)[vapply(object, is.data.frame, NA)]
  for (table in setdiff(tables, "annotation")) {
    said <- columns[[table]]
    label <- paste(section, table)
    expect_identical(
      setdiff(said, names(object[[table]])), character(), label = label
    )
    if (!table %in% open) {
      expect_identical(
        setdiff(names(object[[table]]), said), character(), label = label
      )
    }
  }
}

test_that("every field of every fit is documented, and the other way round", {
  page <- documented()
  toy <- toy_data(n = 20L)
  for (name in names(selectors)) {
    fit <- muffle(fit_seeded(selectors[[name]], toy$x, toy$y), small_data)
    own <- paste("Fits of", verb_of(name))
    expect_documented(fit, c("Fits", own), page)
    expect_documented(fit$preprocess, "Element preprocess", page)
    expect_documented(fit$report, "Element report", page)
    if (is.null(fit$local)) {
      expect_documented(fit$training, "Element training", page)
    } else {
      expect_documented(fit$local, "Element local", page)
    }
    expect_columns(fit, own, page)
  }
})

test_that("every class has a section, rules of its fields and a constructor", {
  page <- documented()
  text <- paste(objects_page(), collapse = " ")
  fits <- c("llfs", "logo", "relief", "turf", "kbfs", "pwfp")
  fits <- paste0("hitmiss_", fits)
  classes <- grep("^summary", known_kinds, value = TRUE, invert = TRUE)
  expect_in <- function(x, all) expect_identical(setdiff(x, all), character())
  expect_in(sub("hitmiss_", "Fits of ", fits), names(page))
  for (class in setdiff(classes, fits)) {
    expect_match(text, sprintf("\\code{%s}", class), fixed = TRUE)
    expect_true(exists(sub("hitmiss", "new", class), asNamespace("hitmiss")))
  }
  for (class in classes) {
    rules <- rules_of(class)
    expect_true(length(rules$fields) > 0L)
    expect_true(all(vapply(c(rules$fields, rules$relations), is.function, NA)))
  }
})

test_that("fits of containers and of blocks have documented fields only", {
  skip_if_not_installed("SummarizedExperiment")
  skip_if_not_installed("DelayedArray")
  withr::local_options(hitmiss.realise_memory = 0)
  page <- documented()
  toy <- toy_data()
  set <- SummarizedExperiment::SummarizedExperiment(
    list(a = DelayedArray::DelayedArray(t(toy$x))),
    rowData = data.frame(spot = seq_len(ncol(toy$x)))
  )
  fit <- logo(set, toy$y, assay = "a", threads = 1)
  expect_true(all(c("assay", "annotation") %in% names(fit)))
  expect_true("passes" %in% names(fit$report))
  expect_documented(fit, c("Fits", "Fits of logo"), page)
  expect_documented(fit$report, "Element report", page)
})

test_that("every field of the evaluation's objects is documented", {
  page <- documented()
  toy <- small_array()
  some <- list(relief = function(x, y) relief(x, y, k = 2, threads = 1))
  curve <- withr::with_seed(1, error_curve(toy$x, toy$y, some,
    sizes = c(2, 5), resampling = holdout(times = 3), nested = kfold(2),
    tune = list(k = c(1, 3))
  ))
  expect_documented(curve, "Error curves", page)
  expect_columns(curve, "Error curves", page, open = "tuned")
  expect_documented(best_size(curve), "Sizes", page)
  two <- withr::with_seed(1, error_curve(toy$x, toy$y, c(some, other = logo),
    sizes = c(2, 5), resampling = holdout(times = 3)
  ))
  expect_documented(compare_selectors(two), "Comparisons", page)
  plans <- list(holdout(), kfold(3), leave_one_out())
  for (plan in plans) expect_documented(plan, "Resampling plans", page)
  sets <- stability(curve)
  expect_documented(sets, "Stability", page)
  expect_columns(sets, "Stability", page)
  found <- withr::with_seed(
    1, probe_fdr(toy$x, toy$y, some$relief, times = 2, n = 5)
  )
  expect_documented(found, "False discoveries", page)
  expect_columns(found, "False discoveries", page)
  roc <- selection_roc(some$relief(toy$x, toy$y), toy$relevant)
  expect_documented(roc, "Selection ROC", page)
  expect_columns(roc, "Selection ROC", page)
  repeated <- redundancy(toy$x, toy$relevant)
  expect_documented(repeated, "Redundancy", page)
  expect_columns(repeated, "Redundancy", page)
  for (method in eval(formals(reference_scores)$method)) {
    scores <- muffle(reference_scores(toy$x, toy$y, method), small_data)
    fields <- attributes(scores)
    fields <- fields[setdiff(names(fields), c("names", "class"))]
    expect_documented(fields, "Scores", page)
  }
  error <- bayes_error(toy$x, toy$y, toy$relevant[1:2])
  expect_documented(error, "Bayes errors", page)
  expect_columns(error, "Bayes errors", page)
  pairs <- interactions(some$relief(toy$x, toy$y), toy$x, toy$y, times = 2)
  expect_documented(pairs, "Interactions", page)
  expect_columns(pairs, "Interactions", page)
  local <- fit_seeded(selectors$llfs, toy$x, toy$y)
  audit <- audit_labels(local, threads = 1)
  expect_documented(audit, "Label audits", page)
  expect_columns(audit, "Label audits", page)
  signatures <- withr::with_seed(1, local_signatures(toy$x, toy$y,
    alpha = 2, times = 3, sets = 2, level = 0.5, threads = 1
  ))
  expect_documented(signatures, "Local signatures", page)
  expect_columns(signatures, "Local signatures", page)
  fit <- turf(toy$x, toy$y, some$relief)
  expect_documented(fit, c("Fits", "Fits of turf"), page)
  tried <- withr::with_seed(
    1, tuned(relief, k = c(1, 3), resampling = kfold(2))(toy$x, toy$y)
  )
  expect_documented(tried, c("Fits", "Fits of relief"), page)
})

test_that("fits of 0.1.0 have the fields that were promised, and no others", {
  page <- documented()
  saved <- readRDS(test_path("fixtures", "fits-0.1.0.rds"))
  for (verb in names(saved$fits)) {
    fit <- saved$fits[[verb]]
    own <- paste("Fits of", verb)
    expect_documented(fit, c("Fits", own), page, later = "class_means")
    expect_documented(fit$preprocess, "Element preprocess", page)
    expect_documented(fit$report, "Element report", page)
    part <- if (verb == "llfs") "local" else "training"
    expect_documented(fit[[part]], paste("Element", part), page)
  }
})

test_that("evaluations of 0.1.0 have the fields that were promised", {
  page <- documented()
  saved <- readRDS(test_path("fixtures", "evaluations-0.1.0.rds"))
  sections <- c(
    curve = "Error curves", size = "Sizes", comparison = "Comparisons",
    holdout = "Resampling plans", kfold = "Resampling plans",
    leave_one_out = "Resampling plans", stability = "Stability",
    fdr = "False discoveries", roc = "Selection ROC",
    redundancy = "Redundancy", bayes_error = "Bayes errors"
  )
  expect_setequal(names(sections), names(saved))
  # Since 0.2.0.
  later <- c("prepare", "selector_calls", "versions", "plain_se")
  for (name in names(saved)) {
    object <- saved[[name]]
    expect_documented(object, sections[[name]], page, later)
    expect_silent(check_whole(object))
    expect_output(print(object))
  }
})
