# Results of evaluations are tables; what is taken from them is a plain table.
# SPDX-License-Identifier: GPL-3.0-or-later

results <- function() {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  made[vapply(made, inherits, NA, "hitmiss_result")]
}

test_that("each result is a table with a print, a row of figures, a picture", {
  skip_if_not_installed("ggplot2")
  made <- results()
  expect_length(made, 8L)
  for (name in names(made)) {
    object <- made[[name]]
    expect_identical(
      tidy(object), tidy_table(as.data.frame(object)), label = name
    )
    expect_identical(object$table, as.data.frame(object), label = name)
    expect_identical(nrow(glance(object)), 1L, label = name)
    printed <- capture.output(same <- print(object))
    expect_identical(same, object, label = name)
    expect_lte(max(nchar(printed, "width")), 81L, label = name)
    if (name %in% c("bayes", "size", "audit", "signatures")) {
      expect_input_error(plot(object), "no picture.*as.data.frame")
    } else {
      picture <- on_device(600, 400, plot(object))
      expect_true(inherits(picture, "ggplot"), label = name)
    }
    expect_refusal(glance(object, digits = 3), "digits")
    expect_refusal(print(object, digits = 3), "digits")
  }
  expect_identical(glance(made$bayes)$error, made$bayes$error)
  expect_identical(glance(made$size)$smallest, min(made$size$size))
  expect_identical(glance(made$comparison)$pairs, 1L)
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
