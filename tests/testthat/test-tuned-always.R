# Features that are kept whatever their scores: tuned(always = ).
# SPDX-License-Identifier: GPL-3.0-or-later

# The feature `age` differs in neither class, and `level` is constant.
kept_data <- function(classes = 2, n = 12, genes = 60, seed = 5) {
  withr::local_seed(seed)
  y <- factor(rep(letters[seq_len(classes)], each = n))
  x <- matrix(rnorm(length(y) * genes), length(y))
  for (k in seq_len(classes)) x[y == letters[[k]], k] <- k + rnorm(n, 2)
  colnames(x) <- paste0("g", seq_len(genes))
  age <- unlist(lapply(seq_len(classes), function(k) sample(n)))
  list(x = cbind(x, age = age, level = 3), y = y)
}

kept_selectors <- list(
  relief = relief, logo = logo, kbfs = kbfs, pwfp = pwfp,
  irelief = function(x, y, ...) relief(x, y, method = "irelief", ...),
  euclidean = function(x, y, ...) relief(x, y, metric = "euclidean", ...)
)

test_that("kept features come first, and vote by the plain definition", {
  kept <- c("age", "level")
  for (classes in 2:3) {
    d <- kept_data(classes)
    old <- seq_along(d$y) %% 2 == 0
    for (name in names(kept_selectors)) {
      selector <- kept_selectors[[name]]
      plain <- selector(d$x[old, ], d$y[old], threads = 1)
      fit <- tuned(selector, always = kept)(d$x[old, ], d$y[old], threads = 1)
      expect_identical(coef(fit), coef(plain))
      others <- function(names) setdiff(names, kept)
      all <- length(coef(fit))
      expect_identical(
        selected(fit, all), c(kept, others(selected(plain, all))),
        label = name
      )
      expect_identical(selected(fit, 1), "age")
      expect_identical(as.data.frame(fit)$feature[1:2], kept)
      # The list by which it predicts, and the weights in it.
      ranks <- name %in% c("relief", "pwfp", "euclidean")
      list <- others(hitmiss:::usual_list(plain))
      if (ranks) list <- list[1:48]
      weight <- pmax(coef(plain), 0)
      if (name == "pwfp") {
        weight[] <- 1
        list <- intersect(list, colnames(plain$training$values))
      }
      mean <- mean(weight[list][weight[list] > 0])
      used <- weight * names(weight) %in% list
      used[kept] <- pmax(weight[kept], mean)
      scaled <- t((t(d$x) - plain$preprocess$center) / plain$preprocess$scale)
      slow <- lapply(which(!old), function(i) {
        reference_vote(scaled[old, ], d$y[old], scaled[i, ], used, 5,
          if (name == "euclidean") "euclidean" else "manhattan"
        )
      })
      prob <- predict(fit, d$x[!old, ], type = "prob", threads = 1)
      expect_equal(
        unname(prob), do.call(rbind, lapply(slow, `[[`, "share")),
        label = paste(name, classes)
      )
      # Age alone predicts at n = 1, and the fit needs no other feature.
      expect_identical(
        predict(fit, d$x[!old, "age", drop = FALSE], n = 1, threads = 1),
        predict(fit, d$x[!old, ], n = 1, threads = 1)
      )
      expect_identical(
        colnames(predict(fit, d$x, type = "features", n = 2)), kept
      )
      expect_error(predict(fit, d$x[!old, colnames(d$x) != "age"]), "age")
    }
  }
})

test_that("kept features hold in tuning, curves, containers and designs", {
  d <- kept_data(2)
  choose <- tuned(relief, k = c(1, 3), always = "age", resampling = kfold(3))
  fit <- withr::with_seed(1, choose(d$x, d$y, threads = 1))
  # The error of every combination is that of fits that keep the feature.
  inner <- withr::with_seed(1, hitmiss:::with_stream(
    hitmiss:::draw_stream(),
    hitmiss:::draw_splits(d$y, kfold(3), "resampling", NULL)
  ))
  slow <- vapply(c(1, 3), function(k) {
    mean(unlist(lapply(inner, function(split) {
      one <- tuned(relief, always = "age")(
        d$x[split$train, ], d$y[split$train], k = k, threads = 1
      )
      predict(one, d$x[split$test, ]) != d$y[split$test]
    })))
  }, 0)
  expect_equal(fit$tuned$error, slow)
  expect_identical(selected(fit, 1), "age")

  curve <- withr::with_seed(1, error_curve(
    d$x, d$y, list(kept = tuned(logo, always = "age"), plain = logo),
    sizes = c(1, 3), resampling = kfold(3), classifier = "own"
  ))
  expect_identical(
    unname(stability(curve)$frequency["age", c("kept 1", "kept 3")]), c(1, 1)
  )
  expect_output(print(curve), "kept: always kept: age.", fixed = TRUE)

  # The values are those of the container, or the differences of pairs.
  frame <- data.frame(d$x, sex = factor(rep(c("f", "m", "m"), 8)))
  of_frame <- tuned(relief, always = c("sex", "level"))(
    frame, d$y, threads = 1
  )
  codes <- unname(of_frame$training$values[, "sex"])
  expect_identical(codes, rep(c(1, 2, 2), 8))
  expect_identical(
    predict(of_frame, frame[24:1, ], threads = 1)[24:1] |> as.character(),
    predict(of_frame, frame, threads = 1) |> as.character()
  )
  pair <- rep(1:12, 2)
  paired <- tuned(logo, always = "age")(d$x, d$y, pair = pair, threads = 1)
  expect_equal(
    unname(paired$training$values[, "age"]),
    unname(d$x[, "age"] - ave(d$x[, "age"], pair))
  )
  expect_length(predict(paired, d$x, pair = pair), 24)
  some <- replace(d$y, c(2, 20), NA)
  semi <- tuned(kbfs, always = "age")(d$x, some, threads = 1)
  expect_identical(
    unname(semi$training$values[, "age"]), unname(d$x[-c(2, 20), "age"])
  )
  times <- survival::Surv(seq_along(d$y) + 0.5, rep(1, length(d$y)))
  risk <- tuned(relief, always = "age")(d$x, times, threads = 1)
  expect_identical(selected(risk, 1), "age")
  # New samples are prepared, also for the features that are kept.
  filled <- tuned(relief, prepare = prepare_impute(), always = "age")
  holes <- d$x
  holes[3, "age"] <- NA
  made <- filled(holes, d$y, threads = 1)
  expect_identical(
    unname(made$training$values[3, "age"]), median(d$x[-3, "age"])
  )
  expect_identical(
    names(tuned(tuned(relief, always = "age"), always = "level")(
      d$x, d$y, threads = 1
    )$always), c("level", "age")
  )
})

test_that("prints name kept features, and what cannot be kept is refused", {
  d <- kept_data(2)
  choose <- tuned(relief, always = c("age", "level"))
  fit <- choose(d$x, d$y, threads = 1)
  expect_output(print(choose), "always kept: age, level")
  expect_output(print(fit), "always kept: age, level")
  expect_output(print(summary(fit)), "never selected): none", fixed = TRUE)
  plain <- relief(d$x, d$y, threads = 1)
  expect_identical(hitmiss:::differing_settings(
    hitmiss:::fit_settings(fit), hitmiss:::fit_settings(plain)
  ), "always")

  expect_refusal(tuned(relief, always = "agee")(d$x, d$y), "always")
  expect_refusal(tuned(relief, always = c("age", "age"))(d$x, d$y), "always")
  for (bad in list(3, character(), NA_character_, TRUE, list("age"))) {
    expect_refusal(tuned(relief, always = bad), "always")
  }
  expect_refusal(tuned(llfs, always = "age")(d$x, d$y, threads = 1), "always")
  expect_refusal(probe_fdr(d$x, d$y, choose, times = 2), "selector")
  expect_refusal(turf(d$x, d$y, choose), "selector")
})
