# What is cited: the package, and on each help page the right paper.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("citation() works without a warning and sends to the methods' papers", {
  expect_silent(entry <- utils::citation("hitmiss"))
  text <- paste(format(entry, style = "citation"), collapse = " ")
  expect_match(text, "Near Hits and Near Misses")
  expect_match(text, "Cite the paper of the method")
})

help_page <- function(name) {
  folder <- test_path("..", "..", "man")
  lines <- if (dir.exists(folder)) {
    readLines(file.path(folder, paste0(name, ".Rd")))
  } else {
    installed <- tools::Rd_db("hitmiss")
    skip_if(length(installed) == 0L, "hitmiss was installed without help pages")
    utils::capture.output(print(installed[[paste0(name, ".Rd")]]))
  }
  gsub("[[:space:]]+", " ", paste(lines, collapse = " "))
}

help_pages <- function() {
  folder <- test_path("..", "..", "man")
  pages <- if (dir.exists(folder)) dir(folder, "[.]Rd$") else names(tools::Rd_db("hitmiss"))
  sub("[.]Rd$", "", pages)
}

test_that("every selector's page cites the paper of its method", {
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
    expect_match(help_page(name), titles[[name]], fixed = TRUE, label = name)
  }
})

# Each was looked up in an index before it was printed; add one only then.
looked_up <- c(
  "(2018). Logistic localized modeling of the sample space for feature selection and classification.",
  "(2016). Local feature selection for data classification.",
  "(2010). Local-learning-based feature selection for high-dimensional data analysis.",
  "(2012). Discriminative feature selection by nonparametric Bayes error minimization.",
  "(2014). A binary feature selection framework in kernel spaces.",
  "(2017). An effective feature selection method based on pair-wise feature proximity for high dimensional low sample size data.",
  "(1992). A practical approach to feature selection.",
  "(1994). Estimating attributes: analysis and extensions of RELIEF.",
  "(2003). Theoretical and empirical analysis of ReliefF and RReliefF.",
  "(2009). Spatially uniform ReliefF (SURF) for computationally-efficient filtering of gene-gene interactions.",
  "(2010). The informative extremes.",
  "(2007). Tuning ReliefF for genome-wide genetic analysis.",
  "(2018). Benchmarking relief-based feature selection methods for bioinformatics data mining.",
  "(2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.",
  "(2003). Inference for the generalization error.",
  "(2004). Evaluating the replicability of significance tests for comparing learning algorithms.",
  "(2001). A simple generalisation of the area under the ROC curve for multiple class classification problems.",
  "(2015). Controlling the false discovery rate via knockoffs.",
  "(2007). Controlling variable selection by the addition of pseudovariables.",
  "(2018). On the stability of feature selection algorithms.",
  "(2007). A stability index for feature selection.",
  "(2010). Stability selection.",
  "(1967). Nearest neighbor pattern classification.",
  "(2005). Laplacian score for feature selection.",
  "(1993). Multi-interval discretization of continuous-valued attributes for classification learning.",
  "(2005). Feature selection based on mutual information: criteria of max-dependency, max-relevance, and min-redundancy.",
  "(2007). Spectral feature selection for supervised and unsupervised learning.",
  "(2008). Trace ratio criterion for feature selection.",
  "(2008). Locality sensitive semi-supervised feature selection.",
  "(2015). Infinite feature selection.",
  "(2010). Efficient and robust feature selection via joint l2,1-norms minimization.",
  "(2004). Margin based feature selection - theory and algorithms."
)

test_that("no page prints a reference that was not looked up", {
  printed <- unlist(lapply(help_pages(), function(name) {
    section <- sub(".*\\\\references\\{", "", help_page(name))
    if (section == help_page(name)) {
      return(NULL)
    }
    section <- gsub("\\\\emph|[{}]", "", sub("\\\\(examples|seealso|keyword|author)\\{.*", "", section))
    starts <- gregexpr("\\((19|20)[0-9]{2}\\)[.]", section)[[1L]]
    substring(section, starts, c(starts[-1L] - 1L, nchar(section)))
  }))
  expect_gt(length(printed), 20L)
  known <- vapply(printed, function(one) any(startsWith(one, looked_up)), NA)
  expect_identical(unname(printed[!known]), character())
  used <- vapply(looked_up, function(one) any(startsWith(printed, one)), NA)
  expect_identical(looked_up[!used], character())
})
