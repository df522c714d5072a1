# Names and columns that suggest groups, if none are given.
# SPDX-License-Identifier: GPL-3.0-or-later

plain_relief <- function(x, y) relief(x, y, k = 2, threads = 1L)

test_that("repeated sample names without group are noticed once in a call", {
  p <- patients()
  said <- said_groups(error_curve(p$x, p$y,
    list(a = plain_relief, b = plain_relief), 2,
    resampling = kfold(3), nested = kfold(2)
  ))
  expect_length(said, 1L)
  expect_s3_class(said[[1L]], "hitmiss_message")
  expect_wording(said[[1L]])
  said <- said_groups(probe_fdr(p$x, p$y, plain_relief, times = 2))
  expect_length(said, 1L)
  expect_wording(said[[1L]])
  expect_silent(error_curve(p$x, p$y, list(a = plain_relief), 2,
    resampling = kfold(3), group = p$patient
  ))
  rownames(p$x) <- seq_along(p$y)
  expect_silent(error_curve(p$x, p$y, list(a = plain_relief), 2,
    resampling = kfold(3)
  ))
})

test_that("columns that name patients are noticed", {
  skip_if_not_installed("SummarizedExperiment")
  p <- patients()
  said <- function(...) {
    x <- SummarizedExperiment::SummarizedExperiment(list(t(unname(p$x))),
      colData = S4Vectors::DataFrame(type = p$y, ..., check.names = FALSE)
    )
    said_groups(error_curve(x, "type", list(a = plain_relief), 2,
      resampling = kfold(3)
    ))
  }
  found <- said(patient = p$patient)
  expect_length(found, 1L)
  expect_wording(found[[1L]])
  for (name in c(
    "Patient", "PATIENT_ID", "subject.id", "donorID", "animal no",
    "individual:ch1", "bcr_patient_barcode", "participants", "mouse"
  )) {
    expect_length(do.call(said, stats::setNames(list(p$patient), name)), 1L)
  }
  for (name in c("patient_age", "donor_sex", "batch", "subjective", "id")) {
    expect_length(do.call(said, stats::setNames(list(p$patient), name)), 0L)
  }
  # A patient each, and names of the classes.
  expect_length(said(patient = seq_along(p$y)), 0L)
  expect_length(said(mouse = p$y), 0L)
})

test_that("names that only number the samples suggest nothing", {
  made <- withr::with_seed(8, matrix(rnorm(60 * 20), 60))
  y <- rep(c("u", "v"), 30)
  one <- 1:60
  six <- rep(1:6, each = 10)
  for (names in list(
    paste0("s", one), paste0("tumor_", one), paste0(y, "_", one),
    paste0("TCGA-XX-", 1000 + one), paste0("GSM", one, "_", 1:2),
    paste0("batch1_s", one), paste0("batch", six, "_s", one),
    paste0("batch", six, "_", 1:10), paste0("day", six, letters[1:10]),
    paste0(LETTERS[six], 1:10), sprintf("%.1f", one / 10), paste0(one, "-1"),
    sprintf("2021-%02d-%02d", rep(1:12, 5), six),
    c("P1_1", "P1_2", paste0("P", 2:59, "_1"))
  )) {
    rownames(made) <- names
    expect_length(said_groups(error_curve(made, y, list(a = plain_relief), 2,
      resampling = kfold(2)
    )), 0L)
  }
})

test_that("the code that is offered gives the groups that are counted", {
  made <- withr::with_seed(8, matrix(rnorm(24 * 60), 24))
  y <- rep(c("u", "v"), 12)
  heard <- function(names) {
    rownames(made) <- names
    x <- made
    said <- said_groups(error_curve(x, y, list(a = plain_relief), 2,
      resampling = kfold(2)
    ))
    expect_length(said, 1L)
    text <- conditionMessage(said[[1L]])
    counted <- as.integer(sub(".* has ([0-9]+) different.*", "\\1", text))
    codes <- regmatches(text, gregexpr("`(group|pair) = [^`]*`", text))[[1L]]
    for (code in codes) {
      given <- parse(text = paste0("list(", gsub("`", "", code), ")"))[[1L]]
      arg <- as.list(given)[-1L]
      values <- eval(arg[[1L]])
      expect_length(unique(values), counted)
      # Accepted, and nothing is left to say.
      expect_length(said_groups(do.call(error_curve, c(
        list(x, y, list(a = plain_relief), 2, resampling = kfold(2)),
        stats::setNames(list(values), names(arg))
      ))), 0L)
    }
    sub("`([a-z]*) .*", "\\1", codes)
  }
  pairs <- rep(1:12, each = 2)
  side <- rep(c("T", "N"), 12)
  both <- list(
    paste0("P-", pairs, side), paste0("P", pairs, "_", side),
    paste0("p ", pairs, ".", tolower(side)),
    paste0("TCGA-AA-", 1000 + pairs, "-0", side),
    paste0("s", pairs, "_rep", rep(1:2, 12)),
    paste("GSM", pairs, side, sep = "_"),
    paste0("id_", pairs, "-", rep(c("pre", "post"), 12)),
    paste0(pairs, c("_Tumour", "_Normal")),
    paste0("a.b_", pairs, c("_case", "_ctrl")),
    paste0("x_", pairs, side), paste0("P", pairs, c("_1", "_2")),
    paste0("P", pairs, c("a", "b")), paste0("P", pairs, c(".1", ".2")),
    paste0("P", pairs, c("_T1", "_T2")), make.unique(paste0("P", pairs)),
    paste0("P", pairs, c("", "b"))
  )
  for (names in both) {
    expect_identical(heard(names), c("group", "pair"), info = names[[1]])
  }
  # Some samples are alone, some names have no ending: no pairs.
  alone <- c(
    paste("GSM", pairs[1:12], side[1:12], sep = "_"), paste0("GSM_", 7:18)
  )
  expect_identical(heard(alone), "group")
  repeated <- rep(paste0("p", 1:8), each = 3)
  expect_identical(heard(repeated), c("group", "pair"))
  skip_if_not_installed("SummarizedExperiment")
  p <- patients()
  patient <- replace(as.character(p$patient), 2, NA)
  x <- SummarizedExperiment::SummarizedExperiment(list(t(unname(p$x))),
    colData = S4Vectors::DataFrame(type = p$y, patient = patient)
  )
  text <- conditionMessage(said_groups(error_curve(x, "type",
    list(a = plain_relief), 2, resampling = kfold(3)
  ))[[1L]])
  expect_false(grepl("group = ", text))
})
