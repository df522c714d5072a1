# Errors on samples that a model has not seen: counts, intervals, refusals.
# SPDX-License-Identifier: GPL-3.0-or-later

measure <- function(table, measure, class) {
  table[table$measure == measure & table$class == class, ]
}

test_that("shares and exact intervals are those of counting", {
  for (n in list(c(20, 20), c(16, 14, 12))) {
    v <- validated(n)
    chosen <- if (length(n) == 2L) "class2"
    found <- validate(v$fit, v$new, v$truth, positive = chosen)
    guess <- predict(v$fit, v$new)
    table <- as.data.frame(found)
    expect_equal(table$estimate[[1L]], mean(guess != v$truth))
    expect_equal(unclass(found$confusion), unclass(table(v$truth, guess)),
      ignore_attr = TRUE
    )
    classes <- chosen %||% levels(v$truth)
    expect_setequal(table$class, c("all", classes))
    for (class in classes) {
      counts <- list(
        sensitivity = guess[v$truth == class] == class,
        specificity = guess[v$truth != class] != class,
        "positive predictive value" = v$truth[guess == class] == class,
        "negative predictive value" = v$truth[guess != class] != class
      )
      for (name in names(counts)) {
        row <- measure(table, name, class)
        test <- binom.test(sum(counts[[name]]), length(counts[[name]]))
        expect_equal(row$estimate, test$estimate[[1L]])
        expect_equal(c(row$lower, row$upper), as.vector(test$conf.int))
      }
    }
  }
})

test_that("the area and its interval are those of pROC", {
  skip_if_not_installed("pROC")
  for (seed in 1:4) {
    v <- validated(seed = seed, effect = 0.5)
    # Weak features: some new samples may be far from all training samples.
    quietly <- function(code) {
      suppressWarnings(code, classes = "hitmiss_warning_scale")
    }
    prob <- quietly(predict(v$fit, v$new, type = "prob")[, "class2"])
    roc <- pROC::roc(v$truth == "class2", prob, direction = "<", quiet = TRUE)
    area <- as.vector(roc$auc)
    found <- quietly(validate(v$fit, v$new, v$truth, positive = "class2"))
    row <- measure(as.data.frame(found), "AUC", "class2")
    expect_equal(row$estimate, area)
    if (area == 1) {
      # Without a variance it is the interval of as many samples.
      expect_equal(row$lower, binom.test(10, 10)$conf.int[[1L]])
    } else {
      half <- qnorm(0.975) * sqrt(pROC::var(roc)) / (area * (1 - area))
      expect_equal(
        c(row$lower, row$upper), plogis(qlogis(area) + c(-half, half))
      )
    }
  }
})

test_that("of a curve: its held-out predictions, repetitions count once", {
  data <- withr::with_seed(1, simulate_microarray(c(15, 12), 30, relevant = 3))
  select <- function(x, y) relief(x, y, k = 3, threads = 1)
  curve <- withr::with_seed(1, error_curve(data$x, data$y, list(r = select),
    c(2, 5), resampling = kfold(3, 2)
  ))
  found <- validate(curve, size = 5, positive = "class2")
  table <- as.data.frame(found)
  kept <- as.data.frame(curve, "predictions")
  kept <- kept[kept$size == 5, ]
  expect_equal(table$n[[1L]], 27)
  expect_equal(table$estimate[[1L]], mean(kept$truth != kept$predicted))
  sick <- kept[kept$truth == "class2", ]
  row <- measure(table, "sensitivity", "class2")
  expect_equal(row$n, 12)
  expect_equal(row$estimate, mean(sick$predicted == "class2"))
  expect_equal(
    unlist(table[1L, c("lower", "upper")]),
    unlist(tidy(curve)[2L, c("lower", "upper")])
  )
  nested <- withr::with_seed(1, error_curve(data$x, data$y, list(r = select),
    c(2, 5), resampling = kfold(3), nested = kfold(2)
  ))
  # Folds of nine samples each.
  expect_equal(
    as.data.frame(validate(nested))$estimate[[1L]], nested$chosen_summary$mean
  )
  expect_refusal(validate(curve, size = 3), "size")
  expect_refusal(validate(curve, selector = "s"), "selector")
})

test_that("samples without class or prediction are left out, others refused", {
  v <- validated()
  v$new[2, ] <- NA
  v$truth[[5]] <- NA
  # Some new samples are far from the training samples.
  validate <- function(...) suppressWarnings(hitmiss::validate(...))
  found <- validate(v$fit, v$new, v$truth)
  expect_identical(found$left_out, 2L)
  expect_output(print(found), "2 samples without a class or a prediction")
  expect_refusal(validate(v$fit, v$new, v$truth[-1]), "truth")
  expect_refusal(validate(v$fit, v$new, rep("other", 20)), "truth")
  expect_refusal(validate(v$fit, v$new), "truth")
  expect_refusal(validate(v$fit, v$new, v$truth, level = 1), "level")
})

test_that("the truth may be a column, and arguments of predict() go on", {
  toy <- toy_data()
  fit <- relief(toy$x, toy$y, threads = 1)
  wanted <- as.data.frame(knowingly(validate(fit, toy$x, toy$y)))
  of <- function(...) as.data.frame(knowingly(validate(fit, ...)))
  expect_identical(of(data.frame(toy$x, class = toy$y), "class"), wanted)
  few <- knowingly(
    validate(fit, toy$x, toy$y, n = 1, k = 3, threads = 1)
  )
  predicted <- predict(fit, toy$x, n = 1, k = 3, threads = 1)
  expect_identical(few$estimate[[1L]], mean(predicted != toy$y))
  expect_refusal(validate(fit, toy$x, toy$y, type = "prob"), "type")
  expect_refusal(validate(fit, toy$x, toy$y, nn = 3), "nn")
  # Of a single sample a text is its class.
  one <- knowingly(
    validate(fit, toy$x[1, , drop = FALSE], as.character(toy$y[[1L]]))
  )
  expect_identical(glance(one)$n, 1)
  error <- expect_refusal(
    validate(fit, toy$x[2:3, ], stats::setNames(toy$y, rownames(toy$x))),
    "truth"
  )
  expect_match(conditionMessage(error), "truth[rownames(new)]", fixed = TRUE)
  skip_if_not_installed("Biobase")
  samples <- data.frame(class = toy$y, row.names = rownames(toy$x))
  set <- Biobase::ExpressionSet(t(toy$x), Biobase::AnnotatedDataFrame(samples))
  expect_identical(of(set, "class"), wanted)
  expect_match(
    conditionMessage(expect_refusal(validate(fit, set, "clas"), "truth")),
    "pData(new)", fixed = TRUE
  )
  skip_if_not_installed("SummarizedExperiment")
  experiment <- SummarizedExperiment::SummarizedExperiment(
    list(t(toy$x)), colData = samples
  )
  expect_identical(of(experiment, "class"), wanted)
})

test_that("print() shows a row for each class, at any width", {
  v <- validated(rep(8, 10))
  long <- sprintf("subtype of number %d", 1:10)
  for (classes in list(levels(v$truth), long)) {
    levels(v$truth) <- classes
    v$fit$classes <- levels(v$fit$training$y) <- classes
    found <- validate(v$fit, v$new, v$truth)
    for (width in c(60, 80, 120)) {
      text <- withr::with_options(list(width = width), {
        capture.output(print(found))
      })
      expect_lte(max(nchar(text)), width)
      for (class in cut_names(classes, 16L)) {
        expect_length(grep(paste0("\\b", class, "[ ;]"), text), 2L)
      }
    }
  }
})

test_that("pairs are right or wrong together, and are counted as pairs", {
  made <- withr::with_seed(4, {
    x <- matrix(rnorm(48 * 10), 48, dimnames = list(NULL, letters[1:10]))
    y <- factor(rep(c("well", "ill"), 24), c("well", "ill"))
    x[y == "ill", 1:2] <- x[y == "ill", 1:2] + 1
    list(x = x, y = y, pair = rep(1:24, each = 2))
  })
  curve <- withr::with_seed(1, error_curve(made$x, made$y, list(r = relief),
    c(2, 5), resampling = kfold(4, 3), pair = made$pair, classifier = "own",
    positive = "ill"
  ))
  found <- validate(curve, size = 5)
  kept <- as.data.frame(curve, "predictions")
  kept <- kept[kept$size == 5, ]
  wrong <- tapply(
    kept$truth != kept$predicted,
    list(made$pair[kept$sample], kept$repetition), any
  )
  wrong <- mean(colSums(wrong))
  expect_gt(wrong, 0)
  expect_identical(found$measure, "error of pairs")
  expect_equal(found$n, 24)
  expect_equal(found$estimate, wrong / 24)
  expect_equal(found$lower, tidy(curve)$lower[[2L]])
  expect_equal(found$upper, tidy(curve)$upper[[2L]])
  text <- paste(capture.output(print(found)), collapse = " ")
  text <- gsub(" +", " ", text)
  expect_match(text, "which of two samples of one pair is which")
  expect_no_match(text, "sensitivity|Positive class|AUC")
  old <- made$pair <= 16
  fit <- relief(made$x[old, ], made$y[old], pair = made$pair[old], threads = 1)
  new <- made$x[!old, ]
  truth <- made$y[!old]
  pair <- made$pair[!old]
  test <- function(truth) {
    suppressWarnings(
      validate(fit, new, truth, pair = pair), classes = "hitmiss_warning_pairs"
    )
  }
  apart <- suppressWarnings(predict(fit, new, pair = pair)) != truth
  hits <- sum(tapply(apart, pair, any))
  one <- test(truth)
  expect_equal(
    c(one$lower, one$upper), as.vector(binom.test(hits, 8)$conf.int)
  )
  # Of two healthy samples one must be called ill: that is no error between two.
  same <- test(replace(truth, 1:2, "well"))
  expect_equal(same$n, 7)
  expect_equal(same$estimate, sum(tapply(apart, pair, any)[-1]) / 7)
  expect_output(print(one), "which of two samples of one pair")
  expect_output(print(same), "1 pair of samples of one class is left out")
  # Of a pair whose second class is not known, nothing is said to be the same.
  part <- test(replace(truth, 2, NA))
  expect_equal(part$n, 7)
  expect_output(print(part), "1 pair lacks the class or the prediction of a")
  expect_false(any(grepl("of one class", capture.output(print(part)))))
  expect_identical(test(replace(truth, TRUE, "well"))$estimate, NA_real_)
})

test_that("patients count as one: shares, intervals and areas by patients", {
  designs <- list(
    equal = rep(1:10, 4), unequal = rep(1:6, c(20, 10, 4, 3, 2, 1)),
    constant = rep(1:8, c(12, 4, 3, 1, 11, 5, 2, 2)), one = rep(1, 40)
  )
  for (seed in 1:2) for (name in names(designs)) {
    v <- validated(c(20, 20), seed = seed, effect = 0.7)
    order <- if (name == "constant") order(v$truth) else 1:20
    v$new <- rbind(v$new, v$new + 0.3)[c(order, order + 20), ]
    v$truth <- rep(v$truth, 2)[c(order, order + 20)]
    unit <- designs[[name]]
    truth <- v$truth
    if (name == "unequal") truth[[3]] <- NA
    found <- suppressWarnings(validate(
      v$fit, v$new, truth, positive = "class2", group = paste("p", unit)
    ))
    guess <- suppressWarnings(predict(v$fit, v$new))
    counts <- list(
      error = ifelse(!is.na(truth), guess != truth, NA),
      sensitivity = ifelse(truth == "class2", guess == truth, NA),
      specificity = ifelse(truth == "class1", guess == truth, NA),
      "positive predictive value" = ifelse(guess == "class2",
        guess == truth, NA)
    )
    for (measure in names(counts)) {
      hit <- counts[[measure]]
      at <- !is.na(hit)
      hit <- hit[at]
      u <- unit[at]
      means <- vapply(unique(u), function(of) mean(hit[u == of]), 0)
      p <- mean(means)
      n <- length(means)
      if (p > 0 && p < 1 && n > 1) {
        binomial <- p * (1 - p)
        n <- max(n, length(hit) / max(
          1, var(means) / n / (binomial / length(hit))
        ))
      }
      row <- as.data.frame(found)[found$measure == measure, ]
      expect_equal(row$estimate, p)
      expect_equal(row$n, sum(at))
      ends <- wilson_interval(p, n, qt(0.975, max(1, length(means) - 1)))
      expect_equal(c(row$lower, row$upper), c(
        max(0, min(p, ends[[1]])), min(1, max(p, ends[[2]]))
      ))
      expect_gt(row$upper - row$lower, 0.01)
    }
    row <- measure(as.data.frame(found), "AUC", "class2")
    prob <- suppressWarnings(predict(v$fit, v$new, "prob"))
    at <- which(!is.na(truth))
    limits <- auc_limits(
      list(list(truth = factor(truth[at] == "class2", c(TRUE, FALSE)),
        score = prob[at, "class2", drop = FALSE])),
      list(sample = at, unit = unit[at], repetition = rep(1L, length(at))),
      row$estimate, list(), qt(0.975, max(1, length(unique(unit)) - 1))
    )
    expect_equal(c(row$lower, row$upper), unname(limits))
    text <- paste(capture.output(print(found)), collapse = " ")
    text <- gsub(" +", " ", text)
    expect_match(text, sprintf(
      "%d samples of %d groups", length(at), length(unique(unit[at]))
    ))
    expect_match(text, "by groups: each counts as one")
    expect_identical(
      as.data.frame(suppressWarnings(validate(
        v$fit, data.frame(v$new, p = unit), truth, positive = "class2",
        pair = "p"
      ))), as.data.frame(found)
    )
  }
  test <- function(...) {
    suppressWarnings(suppressMessages(validate(v$fit, v$new, v$truth, ...)))
  }
  expect_identical(
    as.data.frame(test(group = 40:1)), as.data.frame(test())
  )
  expect_refusal(test(group = 1:3), "group")
  expect_refusal(test(group = c(NA, 2:40)), "group")
})

test_that("pairs of one patient are no independent pairs", {
  made <- withr::with_seed(4, {
    x <- matrix(rnorm(96 * 5), 96, dimnames = list(NULL, letters[1:5]))
    y <- factor(rep(c("well", "ill"), 48), c("well", "ill"))
    x[y == "ill", 1] <- x[y == "ill", 1] + 1
    list(x = x, y = y, pair = rep(1:48, each = 2))
  })
  old <- made$pair <= 20
  fit <- relief(made$x[old, ], made$y[old], pair = made$pair[old])
  pair <- made$pair[!old]
  patient <- (pair - 21) %/% 7
  found <- suppressWarnings(validate(
    fit, made$x[!old, ], made$y[!old], pair = pair, group = patient
  ))
  guess <- suppressWarnings(predict(fit, made$x[!old, ], pair = pair))
  wrong <- tapply(guess != made$y[!old], pair, any)
  means <- tapply(wrong, patient[!duplicated(pair)], mean)
  p <- mean(means)
  n <- 28 / max(1, var(means) / 4 / (p * (1 - p) / 28))
  expect_equal(found$estimate, p)
  expect_equal(
    c(found$lower, found$upper), wilson_interval(p, max(4, n), qt(0.975, 3))
  )
})
