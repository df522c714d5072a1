# The report: what stands in it, that nothing in it is interpreted, and in a
# browser that its table sorts.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the page has every new sample, and the features", {
  skip_without_report()
  made <- withr::with_seed(1, report_fit())
  new <- made$x[1:3, ]
  page <- written(made$fit, new, title = "For the <ward>")
  for (feature in setdiff(selected(made$fit), evil)) {
    expect_has(page, paste0(">", feature, "</td>"))
  }
  expect_has(page, "<title>For the &lt;ward&gt;</title>")
  predicted <- predict(made$fit, new)
  spheres <- predict(made$fit, new, type = "spheres")
  for (i in 1:3) {
    class <- htmltools::htmlEscape(as.character(predicted[[i]]))
    expect_has(page, paste0("<h3>s", i, ": ", class, "</h3>"))
    own <- spheres$class[spheres$sample == paste0("s", i)]
    expect_has(page, if (length(own) == 0L) {
      "It resembles no training sample"
    } else {
      paste("training samples that it resembles,", max(table(own)))
    })
  }
  # Shares are no probabilities: without a curve there is no percentage.
  expect_false(grepl("[0-9] ?%", without_resources(page)))
  expect_has(page, "The error of this model has not been measured.")
  first <- regexpr("<section id=\"[a-z]*\"", page)
  expect_identical(
    regmatches(page, first), "<section id=\"samples\""
  )
})

test_that("error and certainty come from a curve of the fit, and no other", {
  skip_without_report()
  toy <- small_array()
  fit <- relief(toy$x, toy$y, k = 3)
  curve <- withr::with_seed(1, error_curve(toy$x, toy$y, list(relief = relief),
    c(5, 20), resampling = holdout(times = 5), classifier = "own"
  ))
  page <- written(fit, toy$x[1:2, ], curve = curve)
  kept <- curve$predictions[curve$predictions$size == 20, ]
  wrong <- mean(kept$predicted != kept$truth)
  expect_has(page, sprintf("%.1f %% wrongly", 100 * wrong))
  share <- max(predict(fit, toy$x[1, , drop = FALSE], type = "prob"))
  like <- abs(apply(kept$score, 1L, max) - share) <= 0.05
  if (length(unique(kept$sample[like])) >= 5L) {
    expect_has(page, sprintf(
      "%.0f %% were predicted correctly",
      100 * mean((kept$predicted == kept$truth)[like])
    ))
  }
  expect_has(page, htmltools::htmlEscape(format(summary(curve))[[2]]))
  refused <- function(fit, curve) {
    expect_input_error(
      write_report(fit, file = tempfile(), curve = curve), "not of this fit"
    )
  }
  refused(logo(toy$x, toy$y), curve)
  refused(relief(toy$x[-1, ], toy$y[-1]), curve)
  refused(relief(toy$x[, -1], toy$y), curve)
  refused(relief(toy$x, factor(toy$y, labels = c("u", "v"))), curve)
})

test_that("a microarray's report with five new samples is small, soon made", {
  skip_without_report()
  skip_if_not_installed("ISLR2")
  khan <- ISLR2::Khan
  name <- function(x) {
    dimnames(x) <- list(
      paste0("s", seq_len(nrow(x))), paste0("gene", seq_len(ncol(x)))
    )
    x
  }
  fit <- llfs(name(khan$xtrain), factor(khan$ytrain), alpha = 5)
  page <- withr::local_tempfile(fileext = ".html")
  seconds <- system.time(write_report(fit, name(khan$xtest)[1:5, ], page))
  expect_lt(file.size(page), 3e6)
  expect_lt(sum(seconds[c("user.self", "sys.self")]), 20)
})

test_that("what cannot be a report is refused", {
  toy <- small_array()
  fit <- relief(toy$x, toy$y, threads = 1L)
  page <- withr::local_tempfile()
  refused <- function(...) {
    expect_input_error(write_report(...))
  }
  refused()
  refused(1, file = page)
  refused(fit)
  refused(fit, file = file.path(page, "nowhere.html"))
  refused(fit, file = tempdir())
  refused(fit, file = file.path(tempdir(), strrep("a", 5000)))
  refused(fit, file = file.path(tempdir(), strrep("a", 500)))
  refused(fit, file = page, curve = 1)
  refused(fit, file = page, annotation = data.frame(a = 1))
  refused(fit, file = page, label = "symbol")
  refused(fit, file = page, n = 0)
  refused(fit, file = page, colour = "red")
  expect_false(file.exists(page))
})
