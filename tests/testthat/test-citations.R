# What is cited: the package, and on each help page the right paper.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("citation() works without a warning and sends to the methods' papers", {
  expect_silent(entry <- utils::citation("hitmiss"))
  text <- paste(format(entry, style = "citation"), collapse = " ")
  expect_match(text, "Near Hits and Near Misses")
  expect_match(text, "Cite the paper of the method")
})

test_that("every selector's page cites the paper of its method", {
  folder <- test_path("..", "..", "man")
  pages <- if (dir.exists(folder)) {
    function(name) readLines(file.path(folder, paste0(name, ".Rd")))
  } else {
    installed <- tools::Rd_db("hitmiss")
    skip_if(length(installed) == 0L, "hitmiss was installed without help pages")
    function(name) as.character(installed[[paste0(name, ".Rd")]])
  }
  titles <- c(
    llfs = "Logistic localized modeling of the sample space",
    logo = "Local-learning-based feature selection for high-dimensional data",
    relief = "Discriminative feature selection by nonparametric Bayes error",
    bayes_error = "Discriminative feature selection by nonparametric Bayes error",
    selection_roc = "Discriminative feature selection by nonparametric Bayes error",
    kbfs = "A binary feature selection framework in kernel spaces",
    redundancy = "A binary feature selection framework in kernel spaces",
    pwfp = "An effective feature selection method based on pair-wise feature"
  )
  for (name in names(titles)) {
    text <- gsub("[[:space:]]+", " ", paste(pages(name), collapse = " "))
    expect_match(text, titles[[name]], fixed = TRUE, label = name)
  }
})
