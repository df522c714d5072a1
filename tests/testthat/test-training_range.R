# predict() on new data of another scale.
# SPDX-License-Identifier: GPL-3.0-or-later

array <- withr::with_seed(1, simulate_microarray(c(20, 20), 60, effect = 3))
train <- seq_along(array$y) %% 2 == 0
logged <- array$x - min(array$x) + 4
rownames(logged) <- paste0("s", seq_len(nrow(logged)))
wide <- c(small_data, "hitmiss_warning_dimension")

test_that("raw values for a fit of logarithms are warned of, by every one", {
  for (name in names(selectors)) {
    fit <- muffle(
      fit_seeded(selectors[[name]], logged[train, ], array$y[train]), wide
    )
    expect_silent(predict(fit, logged[!train, ], threads = 1))
    expect_silent(predict(
      fit, logged[!train, ][1, , drop = FALSE], threads = 1
    ))
    raw <- 2^logged[!train, ]
    for (type in c("class", "prob")) {
      # One warning: any second one reaches expect_no_warning().
      expect_no_warning(warning <- expect_warning(
        predict(fit, raw, type = type, threads = 1),
        class = "hitmiss_warning_scale"
      ))
    }
    expect_gt(warning$far, warning$values / 2)
    expect_lte(warning$values, length(raw))
    if (name == "llfs") {
      expect_identical(warning$samples, rownames(raw))
      expect_match(
        conditionMessage(warning),
        "20 of 20 samples lie in no sphere: s1, s3, s5"
      )
    }
  }
  expect_wording(warning)
})

test_that("few values, and features that do not vary, are no other scale", {
  training <- cbind(a = c(0, 1, 0.5), b = c(5, 5, 5), c = 1:3)
  far <- function(a, b, c) outside_range(cbind(a = a, b = b, c = c), training)
  expect_identical(far(2, 99, 4), list(far = 0L, known = 2L))
  expect_identical(far(2.01, 99, -1), list(far = 1L, known = 2L))
  expect_identical(far(c(-1.01, NA), 5, c(6, 7)), list(far = 3L, known = 3L))
  expect_true(is_other_scale(list(far = 3L, known = 5L)))
  expect_false(is_other_scale(list(far = 3L, known = 6L)))
  expect_false(is_other_scale(list(far = 2L, known = 2L)))
})

test_that("a name with braces is no template", {
  fit <- fit_seeded(selectors$llfs, logged[train, ], array$y[train])
  odd <- 2^logged[!train, ]
  rownames(odd)[[1]] <- "{stop()}"
  expect_warning(
    predict(fit, odd, threads = 1), "no sphere: {stop()}, s3",
    fixed = TRUE, class = "hitmiss_warning_scale"
  )
})
