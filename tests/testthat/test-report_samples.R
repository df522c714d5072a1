# The parts of a report on new samples.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the nearest samples are those of the definition", {
  withr::local_options(hitmiss.threads = 1L)
  toy <- small_array()
  new <- toy$x[1:3, ] + 0.1
  for (fit in list(
    logo(toy$x, toy$y), relief(toy$x, toy$y), llfs(toy$x, toy$y, alpha = 2)
  )) {
    weights <- if (inherits(fit, "hitmiss_llfs")) {
      fit$scores
    } else {
      replace(
        fit$scores * 0, names(fit$scores) %in% names(vote_weights(fit)),
        vote_weights(fit)
      )
    }
    scaled <- function(x) {
      t((t(x) - fit$preprocess$center) / fit$preprocess$scale)
    }
    distance <- function(a, b) sum(weights * abs(a - b)) / sum(weights)
    slow <- outer(
      1:3, 1:24,
      Vectorize(function(i, j) distance(scaled(new)[i, ], scaled(toy$x)[j, ]))
    )
    found <- sample_space(fit, new)
    nearest <- apply(slow, 1, \(d) as.character(toy$y)[order(d)[1:5]])
    expect_identical(found$near, nearest)
    expect_equal(found$training, toy$x[, colnames(found$training)],
      ignore_attr = TRUE
    )
    used <- colnames(found$training)
    expect_far <- function(far, new) {
      expect_identical(far, reference_far(
        scaled(new)[, used, drop = FALSE],
        scaled(toy$x)[, used, drop = FALSE], weights[used]
      ))
    }
    expect_far(found$far, new)
    # From a training sample to far beyond all, in one feature and in all; a
    # sample that is incomplete.
    away <- toy$x[rep(1, 9), ]
    away[1:4, used[[1]]] <- away[1:4, used[[1]]] + c(0.5, 2, 8, 1000)
    away[5:8, ] <- away[5:8, ] + c(0.1, 0.5, 2, 20)
    away[9, used[[1]]] <- NA
    found <- sample_space(fit, away)
    expect_far(found$far[1:8], away[1:8, ])
    expect_identical(found$far[c(4, 8, 9)], c(TRUE, TRUE, FALSE))
    expect_true(all(is.na(found$near[, 9])))
    expect_identical(found$classes, toy$y, ignore_attr = TRUE)
  }
})

test_that("all fits have reports, also of a single, far or incomplete sample", {
  skip_without_report()
  toy <- small_array()
  fits <- list(
    relief(toy$x, toy$y), logo(toy$x, toy$y),
    kbfs(toy$x, toy$y, n = 5),
    pwfp(toy$x, toy$y), turf(toy$x, toy$y, relief)
  )
  for (fit in fits) {
    page <- suppressWarnings(written(fit, toy$x[1, , drop = FALSE]))
    expect_has(page, "<h3>")
  }
  far <- toy$x[1:4, ] + 100
  far[2, ] <- NA
  expect_has(written(fits[[1]], far), "Farther from the training samples")
  expect_has(
    written(fits[[1]], far), "<h3>sample 2: no prediction: the value of "
  )
  expect_has(written(fits[[1]], toy$x[0, ]), "There are no new samples")
  numeric <- relief(toy$x, toy$x[, 1], method = "rrelieff")
  expect_has(written(numeric, toy$x[1:2, ]), "<h3>sample 1: ")
  expect_has(written(numeric, far), "<h3>sample 1: no reliable prediction</h3>")
  frame <- data.frame(g = toy$x[, 1], f = factor(rep(c("u", "v"), 12)))
  expect_has(written(relief(frame, toy$y), frame[1:2, ]), "<h3>")
})

test_that("a missing value is named; a far sample has no percentage", {
  skip_without_report()
  toy <- small_array()
  fit <- relief(toy$x, toy$y)
  curve <- withr::with_seed(1, error_curve(toy$x, toy$y, list(relief = relief),
    20, resampling = kfold(4, 3), classifier = "own", positive = "class2"
  ))
  new <- toy$x[1:3, ]
  lost <- selected(fit, n = 5)[[2]]
  new[2, lost] <- NA
  new[3, ] <- new[3, ] + 100
  page <- written(fit, new, curve = curve)
  words <- sprintf("No prediction: the value of %s is missing.", lost)
  expect_has(page, words)
  expect_has(page, sprintf("<h3>sample 2: %s</h3>", sub("^N", "n", words)))
  cards <- strsplit(page, "<article>", fixed = TRUE)[[1]][-1]
  expect_length(cards, 3L)
  expect_has(cards[[3]], "<h3>sample 3: no reliable prediction</h3>")
  # The warning stands before the answer.
  expect_lt(
    regexpr("Farther from the training", cards[[3]]),
    regexpr("answer without regard", cards[[3]])
  )
  said <- grepl("share of the votes", cards, fixed = TRUE)
  expect_identical(said, c(TRUE, FALSE, FALSE))
  # The table at the top has an answer and a flag for each.
  top <- strsplit(page, "</table>", fixed = TRUE)[[1]][[1]]
  for (answer in c("no prediction", "no reliable prediction", words)) {
    expect_has(top, paste0("\">", answer, "</td>"))
  }
  expect_has(page, "A 'class1' answer does not exclude 'class2'")
})

test_that("held-out answers are counted by class, with their samples", {
  fold <- data.frame(
    sample = rep(1:12, 2), truth = rep(c("a", "b", "a"), c(10, 2, 12)),
    predicted = rep(c("a", "b"), c(12, 12))
  )
  fold$score <- cbind(a = rep(c(0.8, 0.2), each = 12), b = 0)
  fold$score[, "b"] <- 1 - fold$score[, "a"]
  error <- list(own = TRUE, predictions = fold, design = new_design(12))
  words <- function(share, class) {
    calibrated_words(error, share, class, list())
  }
  interval <- 100 * binom.test(10, 12)$conf.int
  expect_match(words(0.81, "a"), fixed = TRUE, sprintf(
    "(of 12 samples), 10 were right (83.3 %%; 95 %% interval: %.1f to %.1f %%)",
    interval[[1]], interval[[2]]
  ))
  expect_match(words(0.81, "b"), "0 were right")
  expect_match(words(0.6, "a"), "share of the votes is 0.60")
  expect_match(words(0.6, "a"), "Too few similar answers")
  # Four patients, of whom one has both wrong answers.
  fold$split <- 1L
  error$predictions <- fold
  error$splits <- list(list(repetition = 1L))
  error$design <- new_design(12, list(group = rep(1:4, each = 3)),
    name = "patient")
  worth <- effective_size(rep(1:0, c(10, 2)), list(
    sample = 1:12, unit = rep(1:4, each = 3), repetition = rep(1L, 12)
  ))
  expect_lt(worth, 6)
  interval <- 100 * unlist(exact_interval(worth * 10 / 12, worth, 0.95))
  expect_match(words(0.81, "a"), fixed = TRUE, sprintf(
    "12 samples of 4 patients), 10 were right (83.3 %%; 95 %% interval: %s)",
    sprintf("%.1f to %.1f %%", interval[[1]], interval[[2]])
  ))
  # Repetitions of four samples are still four samples.
  fold$sample <- rep(1:4, 6)
  error$predictions <- fold
  expect_match(words(0.8, "a"), "Too few similar answers")
})

test_that("in no sphere, a sample has the best features of the model", {
  skip_without_report()
  toy <- withr::with_seed(1, simulate_localized(c(9, 9, 10), noise = 10))
  # Sorted backwards, the columns are not in the order of the scores.
  toy$x <- toy$x[, rev(seq_len(ncol(toy$x)))]
  fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
  fit_of <- fit$scores[fit$scores > 0]
  best <- names(fit_of)[order(-fit_of)]
  far <- toy$x[1:2, ] + 50
  found <- suppressWarnings(sample_predictions(fit, far))
  expect_false(any(found$spheres$sample == found$keys[[1]]))
  decide <- deciding_features(fit, found, 1L, found$predicted[[1]])
  expect_identical(decide, list(names = utils::head(best, 6), best = TRUE))
  expect_false(identical(best, names(fit_of)))
  page <- suppressWarnings(written(fit, far))
  expect_has(page, "Near no training sample in the features chosen for it.")
  expect_has(page, sprintf("the %d best features", min(6, length(best))))
  expect_has(page, "It lies near 0 of the ")
})

test_that("a fit of pairs has a page of its error, without new samples", {
  skip_without_report()
  made <- withr::with_seed(3, {
    x <- matrix(rnorm(40 * 8), 40, dimnames = list(NULL, letters[1:8]))
    y <- factor(rep(c("healthy", "ill"), 20))
    x[y == "ill", 1:4] <- x[y == "ill", 1:4] + 3
    list(x = x, y = y, pair = rep(1:20, each = 2))
  })
  fit <- relief(made$x, made$y, pair = made$pair)
  curve <- withr::with_seed(1, error_curve(
    made$x, made$y, list(relief = relief), 4, resampling = kfold(4, 2),
    pair = made$pair, classifier = "own"
  ))
  page <- written(fit, curve = curve)
  expect_has(page, "of 20 held-out pairs (95 % interval")
  expect_has(page, "which of two samples of one pair is which")
  expect_false(grepl("sensitivity", page, fixed = TRUE))
  error <- expect_refusal(
    write_report(fit, made$x[1:2, ], tempfile()), "newdata"
  )
  expect_match(conditionMessage(error), "predict(fit, newdata, pair = )",
    fixed = TRUE
  )
})
