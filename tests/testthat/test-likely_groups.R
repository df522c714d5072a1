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
