# Results of evaluations are tables; what is taken from them is a plain table.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("n limits and extends the table of every print", {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  made[c("selectors", "resampling")] <- NULL
  made$edited <- structure(made$audit, row.names = rev(row.names(made$audit)))
  made$validation <- suppressMessages(validate(made$curve, "relief"))
  fits <- battery_fits(data$x, data$y)
  for (object in c(made, fits, lapply(fits, summary))) {
    lines <- function(n) capture.output(print(object, n = n))
    many <- !is.data.frame(object) || nrow(object) > 1L
    expect_no_match(lines(Inf), "^[.]{3} and ")
    expect_identical(any(grepl("^[.]{3} and ", lines(1))), many)
    for (n in list(0, 1.5, NA, "a")) expect_refusal(print(object, n = n), "n")
  }
  expect_output(print(made$fdr, n = 2), "and 2 more features")
})

test_that("parts and edits are plain tables, without what was known of it", {
  found <- results()$fdr
  edits <- list(
    found[1:2, ], found["q"], found[order(found$q), ], head(found, 2),
    subset(found, q < 2), transform(found, q = 0), rbind(found, found),
    rbind(found[1, ], found), merge(found, found), unique(found),
    stats::setNames(found, letters[seq_along(found)]),
    {
      edit <- found
      edit$q <- 0
      edit
    },
    {
      edit <- found
      edit[["q"]] <- 0
      edit
    },
    {
      edit <- found
      edit[1, "q"] <- 0
      edit
    },
    {
      edit <- found
      edit["q"] <- 0
      edit
    }
  )
  for (edit in edits) {
    expect_s3_class(edit, "data.frame", exact = TRUE)
    expect_null(attr(edit, "info"))
  }
  expect_identical(found[2, "q"], found$q[[2L]])
  expect_identical(found[, "q"], found$q)
  expect_identical(nrow(rbind(found, found)), 2L * nrow(found))
  expect_null(found$nonsense)
})

test_that("dplyr and vctrs give plain tables, for every class of result", {
  skip_if_not_installed("dplyr")
  skip_if_not_installed("vctrs")
  for (object in results()) {
    size <- seq_len(nrow(object))
    edits <- list(
      dplyr::filter(object, rev(size) > 1), dplyr::slice(object, 1L),
      dplyr::arrange(object, -size), dplyr::mutate(object, more = 1),
      dplyr::select(object, 1L), dplyr::rename(object, first = 1L),
      dplyr::distinct(object), dplyr::bind_rows(object, object),
      dplyr::bind_cols(object, more = 1),
      dplyr::left_join(object, object$table, by = names(object)),
      dplyr::slice_sample(object, n = 1), vctrs::vec_slice(object, 1L),
      vctrs::vec_c(object, object), vctrs::vec_rbind(object, object),
      vctrs::vec_unique(object), vctrs::vec_rep(object, 2L)
    )
    for (edit in edits) expect_s3_class(edit, "data.frame", exact = TRUE)
  }
})

test_that("a table that others changed does not speak of what it was", {
  skip_if_not_installed("data.table")
  skip_if_not_installed("tibble")
  for (object in results()) {
    said <- capture.output(print(object))[[1L]]
    n <- nrow(object)
    edits <- list(
      tibble::add_row(object), tibble::add_column(object, more = 1),
      tibble::rowid_to_column(object), `rownames<-`(object, 100 + seq_len(n)),
      data.table::setnames(data.table::copy(object), 1L, "other"),
      data.table::setorderv(
        data.table::copy(object), names(object)[[1L]], -1L
      )
    )
    # By reference: the object itself, whose first value is another now.
    data.table::set(object, 1L, 1L, rev(object[[1L]])[[1L]])
    for (edit in c(edits, list(object))) {
      if (identical(as.data.frame(edit), attr(edit, "info")$made)) next
      expect_false(said %in% capture.output(print(edit)))
      expect_input_error(glance(edit), "changed")
      expect_identical(edit[[1L]], as.data.frame(edit)[[1L]])
    }
  }
  found <- tibble::add_row(results()$fdr)
  expect_input_error(selected(found), "changed")
  expect_null(found$auc)
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_input_error(plot(found), "changed")
  }
})

test_that("data.frame(), as_tibble() and write.csv() take what we return", {
  skip_if_not_installed("tibble")
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  fits <- battery_fits(data$x, data$y)
  curve <- Filter(function(object) inherits(object, "hitmiss_curve"), made)
  expect_gt(length(curve), 0L)
  for (object in c(results(), unname(curve), unname(fits))) {
    table <- as.data.frame(object)
    expect_identical(
      data.frame(object, check.names = FALSE), table, ignore_attr = "row.names"
    )
    expect_identical(as.data.frame(tibble::as_tibble(object)), table)
    expect_identical(as.data.frame(object, stringsAsFactors = FALSE), table)
    file <- withr::local_tempfile()
    utils::write.csv(object, file, row.names = FALSE)
    expect_identical(nrow(utils::read.csv(file)), nrow(table))
    text <- names(table)[vapply(table, is.character, NA)]
    factors <- as.data.frame(object, stringsAsFactors = TRUE)
    expect_true(all(vapply(factors[text], is.factor, NA)))
    expect_refusal(
      as.data.frame(object, stringsAsFactors = 2), "stringsAsFactors"
    )
    expect_refusal(as.data.frame(object, digits = 2), "digits")
  }
})

test_that("only tables are bound to a table", {
  toy <- toy_data()
  table <- suppressWarnings(bayes_error(toy$x, toy$y))
  expect_input_error(rbind(table, list(1)), "Only tables")
})
