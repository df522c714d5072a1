# The report: what stands in it, that nothing in it is interpreted, and in a
# browser that its table sorts.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the page has every new sample, and the features", {
  skip_without_report()
  made <- withr::with_seed(1, report_fit())
  new <- made$x[1:3, ]
  page <- written(made$fit, new, title = "For the <ward>",
    author = "A <b>", truth = replace(made$y[1:3], 2, NA)
  )
  expect_has(page, "For research use. Not validated for diagnosis.")
  expect_has(page, "<dd>A &lt;b&gt;</dd>")
  expect_has(page, format(Sys.Date()))
  for (feature in setdiff(selected(made$fit), evil)) {
    expect_has(page, paste0(">", feature, "</td>"))
  }
  expect_has(page, "<title>For the &lt;ward&gt;</title>")
  predicted <- predict(made$fit, new)
  spheres <- predict(made$fit, new, type = "spheres")
  spheres <- spheres[spheres$part == "sphere", ]
  far <- sample_space(made$fit, new)$far
  sure <- !far & paste0("s", 1:3) %in% spheres$sample
  for (i in 1:3) {
    answer <- htmltools::htmlEscape(if (sure[[i]]) {
      as.character(predicted[[i]])
    } else {
      "no reliable prediction"
    })
    expect_has(page, paste0("<h3>s", i, ": ", answer, "</h3>"))
    # Each class is counted, also with none, in the order of the levels.
    own <- table(factor(
      spheres$class[spheres$sample == paste0("s", i)], levels(made$y)
    ))
    expect_has(page, paste(sprintf(
      "%d of the %d '%s'", own, table(made$y[-(1:3)]),
      htmltools::htmlEscape(levels(made$y))
    ), collapse = " and "))
  }
  right <- (predicted == made$y[1:3])[c(1, 3)][sure[c(1, 3)]]
  said <- gregexpr("The prediction is (right|wrong)[.]", page)
  expect_identical(
    regmatches(page, said)[[1L]],
    sprintf("The prediction is %s.", ifelse(right, "right", "wrong"))
  )
  # The class by means and the classes that use a feature are told apart.
  expect_has(page, ">differs most in<")
  expect_has(page, sprintf(">used in %s<", levels(made$y)[[2L]]))
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
  fit <- relief(toy$x, toy$y)
  curve <- withr::with_seed(1, error_curve(toy$x, toy$y, list(relief = relief),
    c(5, 20), resampling = holdout(times = 5), classifier = "own"
  ))
  page <- written(fit, toy$x[1:2, ], curve = curve)
  kept <- curve$predictions[curve$predictions$size == 20, ]
  wrong <- mean(kept$predicted != kept$truth)
  expect_has(page, sprintf("misclassified %.1f %%", 100 * wrong))
  # One error, with one interval, and what is found of each class.
  expect_false(grepl("+-", without_resources(page), fixed = TRUE))
  held <- validate(curve, size = 20, positive = "class2")
  second <- written(fit, toy$x[1:2, ], curve = curve, positive = "class2")
  expect_has(second, sprintf(
    "class 'class2', %g (mean of 5 repeats) were found (sensitivity)",
    signif(held$confusion[[2, 2]], 4)
  ))
  value <- held$table[held$table$measure == "positive predictive value", ]
  expect_has(second, sprintf(
    "right in %.1f %%; 95 %% interval: %.1f to %.1f %% (positive predictive",
    100 * value$estimate, 100 * value$lower, 100 * value$upper
  ))
  expect_has(second, "on parts of the same 24 samples left out of training")
  answer <- as.character(predict(fit, toy$x[1, , drop = FALSE]))
  kept <- kept[kept$predicted == answer, ]
  share <- max(predict(fit, toy$x[1, , drop = FALSE], type = "prob"))
  shares <- apply(kept$score, 1L, max)
  like <- abs(shares - share) <= 0.05
  expect_has(page, sprintf("Its share of the votes is %.2f", share))
  if (length(unique(kept$sample[like])) >= 5L) {
    expect_has(page, sprintf(
      "%d were right (%.1f %%", sum((kept$predicted == kept$truth)[like]),
      100 * mean((kept$predicted == kept$truth)[like])
    ))
  }
  if (!any(shares > share + 0.05)) {
    expect_has(page, sprintf("a share of at least %.2f", min(shares[like])))
  }
  expect_has(page, htmltools::htmlEscape(format(summary(curve))))
  refused <- function(fit, curve, why = "not of this fit") {
    expect_input_error(
      write_report(fit, file = tempfile(), curve = curve), why
    )
  }
  refused(logo(toy$x, toy$y), curve, "of another method")
  refused(relief(toy$x, replace(toy$y, 1, toy$y[[24]])), curve)
  refused(relief(toy$x[-1, ], toy$y[-1]), curve)
  refused(relief(toy$x[, -1], toy$y), curve)
  refused(relief(toy$x, factor(toy$y, labels = c("u", "v"))), curve)
})

test_that("a curve is of a fit if its method and all settings are", {
  skip_without_report()
  toy <- small_array()
  group <- rep(1:12, 2)
  pair <- rep(1:12, 2)
  makers <- list(
    relief = function(x, y) relief(x, y),
    seven = function(x, y) relief(x, y, k = 7),
    ten = function(x, y) relief(x, y, k = 10),
    multisurf = function(x, y) relief(x, y, "multisurf"),
    prior = function(x, y) relief(x, y, "multisurf", weighting = "prior"),
    parzen = function(x, y) relief(x, y, "parzen"),
    wide = function(x, y) relief(x, y, "parzen", bandwidth = 0.2),
    logo = function(x, y) logo(x, y),
    lambda = function(x, y) logo(x, y, lambda = 2),
    raw = function(x, y) logo(x, y, scale = "none"),
    kbfs = function(x, y) kbfs(x, y, n = 5), gauss = function(x, y) {
      kbfs(x, y, n = 5, kernel = "gaussian")
    },
    pwfp = function(x, y) pwfp(x, y), third = function(x, y) {
      pwfp(x, y, fraction = 1 / 3)
    },
    llfs = function(x, y) llfs(x, y, alpha = 2),
    spheres = function(x, y) llfs(x, y, alpha = 2, vote = "spheres"),
    loose = function(x, y) llfs(x, y, alpha = 2, control = list(tol = 1e-2)),
    turf = function(x, y) turf(x, y), other = function(x, y) {
      turf(x, y, function(x, y) relief(x, y, "multisurf"))
    },
    tuned = tuned(relief, k = c(1, 3)), coarse = tuned(relief, k = c(1, 5)),
    group = function(x, y, group = NULL) relief(x, y, group = group)
  )
  fits <- with_stream(1, suppressMessages(suppressWarnings(
    lapply(makers[names(makers) != "group"], function(make) make(toy$x, toy$y))
  )))
  fits$group <- relief(toy$x, toy$y, group = group)
  curve <- function(selectors, ...) {
    suppressMessages(suppressWarnings(with_stream(2, error_curve(
      toy$x, toy$y, selectors, 5, resampling = holdout(times = 2), ...
    ))))
  }
  alone <- lapply(makers, function(make) curve(list(s = make)))
  alone$group <- curve(list(s = makers$group), group = group)
  same <- function(curve, fit) {
    tryCatch(
      curve_of_fit(curve, fit)$size == 5,
      hitmiss_error_input = function(e) {
        expect_match(conditionMessage(e), "other models")
        FALSE
      }
    )
  }
  # k = 10 is what the default means for twelve samples a class.
  alike <- list(c("relief", "ten"), c("ten", "relief"))
  kinds <- vapply(fits, function(fit) class(fit)[[1L]], "")
  for (name in names(fits)) {
    # Fits of another method differ by that alone: one of them is enough.
    like <- names(kinds)[kinds == kinds[[name]]]
    for (other in c(like, names(kinds)[kinds != kinds[[name]]][[1L]])) {
      expect_identical(
        same(alone[[other]], fits[[name]]),
        name == other || list(c(name, other)) %in% alike,
        label = paste(name, "fit,", other, "curve")
      )
    }
  }
  # Of several selectors of one method the one with the settings of the fit.
  both <- curve(makers[c("multisurf", "parzen")])
  expect_identical(
    unique(as.character(curve_of_fit(both, fits$parzen)$predictions$selector)),
    "parzen"
  )
  error <- expect_input_error(
    curve_of_fit(both, fits$wide), "of another bandwidth"
  )
  expect_match(conditionMessage(error), "bandwidth = 0.1.*bandwidth = 0.2")
  # Of a selector that is called for each size, the size of the fit.
  by_size <- with_stream(1, error_curve(
    toy$x, toy$y, function(x, y, size) kbfs(x, y, n = size), c(2, 5, 8),
    resampling = holdout(times = 2)
  ))
  expect_identical(curve_of_fit(by_size, fits$kbfs)$size, 5)
  paired <- curve(list(s = relief), pair = pair)
  expect_true(same(paired, relief(toy$x, toy$y, pair = pair)))
  expect_false(same(paired, fits$group))
  # Another number of features is not the same way.
  own <- curve(list(relief = relief), classifier = "own")
  page <- written(fits$relief, curve = own)
  expect_has(
    page, "A different classifier than the one used above (its own, 5 features"
  )
  prepared <- curve(list(relief = relief), prepare = prepare_filter(n = 12))
  expect_has(
    written(fits$relief, curve = prepared),
    "prepared inside each training part (the 12 features"
  )
})

test_that("a curve of another assay is not of the fit", {
  skip_without_report()
  skip_if_not_installed("SummarizedExperiment")
  toy <- small_array()
  two <- SummarizedExperiment::SummarizedExperiment(
    list(first = t(toy$x), second = t(toy$x)^3)
  )
  curve <- function(...) {
    with_stream(1, error_curve(two, toy$y, relief, 2,
      resampling = kfold(3), ...
    ))
  }
  report <- function(fit, curve) {
    write_report(fit, file = withr::local_tempfile(fileext = ".html"),
      curve = curve
    )
  }
  fits <- list(relief(two, toy$y), relief(two, toy$y, assay = "second"))
  expect_no_error(report(fits[[1]], curve()))
  expect_no_error(report(fits[[1]], curve(assay = "first")))
  expect_no_error(report(fits[[2]], curve(assay = 2)))
  expect_no_error(report(relief(toy$x, toy$y), curve()))
  error <- expect_refusal(report(fits[[2]], curve()), "curve")
  expect_match(conditionMessage(error), "they differ in assay")
  expect_refusal(report(fits[[1]], curve(assay = "second")), "curve")
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
  refused(fit, file = page, author = 1)
  refused(fit, file = page, truth = toy$y)
  refused(fit, file = page, positive = "class1")
  refused(fit, toy$x, page, truth = rep("other", nrow(toy$x)))
  refused(fit, file = page, colour = "red")
  expect_false(file.exists(page))
})
