# llfs() with draws: some samples are representatives, programs compare them
# with some of the others, scores ask some for their neighbours.
# SPDX-License-Identifier: GPL-3.0-or-later

# Three classes of 24, 12 and 1 samples; rounded values tie.
draw_data <- function(seed) {
  set.seed(seed)
  y <- factor(rep(c("a", "b", "c"), c(24, 12, 1)))
  x <- matrix(rnorm(37 * 5), 37) + (as.integer(y) == 1L) * 0.8
  if (seed %% 2 == 0) x <- round(x)
  colnames(x) <- paste0("f", 1:5)
  list(x = x, y = y)
}

drawn_fit <- function(data, ..., sizes = c(12, 10, 6), threads = 1) {
  withr::with_seed(5, llfs(data$x, data$y, ...,
    representatives = sizes[[1]], threads = threads,
    control = list(program_samples = sizes[[2]], score_samples = sizes[[3]])
  ))
}

test_that("a fit with draws is the definition's, given the draws", {
  key <- withr::with_seed(5, draw_key())
  runtime <- list(threads = 1L, progress = NULL, key = key)
  for (seed in 1:4) {
    data <- draw_data(seed)
    fit <- suppressWarnings(drawn_fit(data, alpha = 3))
    y <- data$y
    z <- ref_scale(data$x)
    who <- cpp_llfs_draw(
      unname(split(1:37, y)), 12L, "representatives", 1L, 0L, runtime
    )
    expect_identical(fit$local$representatives, who)
    # In proportion, two of each class, all of a class of one.
    expect_identical(as.vector(table(y[who])), c(7L, 4L, 1L))
    expect_equal(
      unname(fit$local$training), z[, fit$scores > 0],
      ignore_attr = TRUE
    )
    for (k in seq_along(who)) {
      i <- who[[k]]
      others <- unname(lapply(split(1:37, y), setdiff, i))
      with <- sort(c(i, cpp_llfs_draw(others, 10L, "programs", i, 0L, runtime)))
      expect_length(with, 11L)
      few <- suppressWarnings(as_problem(data$x[with, ], y[with]))
      options <- llfs_core_options(fit$parameters)
      options[c("program_samples", "score_samples")] <- 0L
      path <- llfs_path(few, fit$preprocess, options, match(i, with))
      sets <- path$sets[lengths(path$sets) > 0]
      draw <- function(members, inside) {
        if (sum(lengths(members)) <= 6) return(unlist(members))
        cpp_llfs_draw(members, 6L, "scores", i, as.integer(inside), runtime)
      }
      kept <- sets[[ref_choice(z, y, i, sets, 0.2, draw = draw)]]
      radius <- ref_radius(z, y, i, kept, 0.2)
      expect_identical(unname(which(subsets_of(fit)[, k])), as.integer(kept))
      expect_equal(fit$local$radius[[k]], radius)
      expect_equal(
        fit$local$score[[k]], ref_score(z, y, i, kept, radius, draw = draw)
      )
      expect_equal(
        fit_evidence(fit, k), ref_evidence(z, y, i, kept, radius, draw),
        tolerance = 1e-12
      )
    }
  }
})

test_that("intercepts are fitted to as many drawn samples of each class", {
  key <- withr::with_seed(5, draw_key())
  runtime <- list(threads = 1L, progress = NULL, key = key)
  for (weights in c("prior", "balanced")) {
    data <- draw_data(3)
    fit <- suppressWarnings(withr::with_seed(5, llfs(data$x, data$y,
      alpha = 2, weights = weights, threads = 1,
      control = list(intercept_samples = 15)
    )))
    y <- data$y
    members <- unname(split(1:37, y))
    rows <- sort(unlist(lapply(1:3, function(k) {
      cpp_llfs_draw(members[k], 5L, "intercepts", 1L, k - 1L, runtime)
    })))
    expect_identical(as.vector(table(y[rows])), c(5L, 5L, 1L))
    expect_identical(fit$local$learners, rows)
    fit$parameters$vote <- "evidence"
    used <- which(fit$scores > 0)
    model <- classifier_model(fit, used, names(used))
    model$intercept <- numeric()
    own <- cpp_local_classifier(
      model, fit$local$training, FALSE, runtime, TRUE
    )$similarity[rows, ]
    whole <- if (weights == "prior") table(y) else rep(37 / 3, 3)
    weight <- as.vector(whole / table(y[rows]))[y[rows]]
    expect_equal(
      fit$local$intercept, ref_intercept(own, y[rows], weight = weight),
      tolerance = 1e-10
    )
  }
  expect_input_error(
    llfs(data$x, data$y,
      vote = "spheres", control = list(intercept_samples = 15)
    ),
    "not used with"
  )
})

test_that("draws of all samples are none, to the last bit", {
  data <- toy_data(n = 30L)
  all <- essence(drawn_fit(data, alpha = 2, sizes = c(Inf, Inf, Inf)))
  expect_identical(
    all, essence(withr::with_seed(
      5, llfs(data$x, data$y, alpha = 2, threads = 1)
    ))
  )
  many <- essence(drawn_fit(data, alpha = 2, sizes = c(30, 29, 29)))
  expect_identical(many[c("scores", "local")], all[c("scores", "local")])
})

test_that("draws go by the seed, not by threads or workers, within designs", {
  data <- toy_data(n = 40L)
  one <- drawn_fit(data, alpha = 2, sizes = c(10, 8, 4))
  two <- drawn_fit(data, alpha = 2, sizes = c(10, 8, 4), threads = 2)
  expect_identical(essence(one), essence(two))
  expect_identical(
    withr::with_seed(1, {
      llfs(data$x, data$y, alpha = 2, representatives = 10, threads = 1)
      runif(1)
    }),
    withr::with_seed(1, {
      llfs(data$x, data$y, alpha = 2, threads = 1)
      runif(1)
    })
  )
  # A block without misses has no representative.
  block <- rep(c("u", "v", "w"), c(18, 18, 4))
  data$y[37:40] <- data$y[[37]]
  suppressWarnings({
    fit <- drawn_fit(data, alpha = 2, block = block, sizes = c(10, 8, 4))
  })
  expect_true(all(fit$local$representatives < 37))
  expect_true(all(Matrix::colSums(subsets_of(fit)) > 0))
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  expect_identical(
    essence(drawn_fit(data, alpha = 2, sizes = c(10, 8, 4), BPPARAM = serial)),
    essence(drawn_fit(data, alpha = 2, sizes = c(10, 8, 4)))
  )
  suppressWarnings({
    pieces <- drawn_fit(data,
      alpha = 2, block = block, sizes = c(10, 8, 4), BPPARAM = serial
    )
  })
  expect_identical(essence(pieces), essence(fit))
})

test_that("the vote is a mean over the representatives of a class", {
  data <- draw_data(1)
  new <- draw_data(11)$x
  fit <- suppressWarnings(drawn_fit(data, alpha = c(2, 3), vote = "spheres"))
  who <- fit$local$representatives
  used <- names(which(fit$scores > 0))
  z <- apply_scaling(data$x, fit$preprocess, 1:5)
  x <- apply_scaling(new, fit$preprocess, 1:5)
  votes <- sapply(seq_along(who), function(k) {
    own <- which(subsets_of(fit)[, k])
    apply(x, 1L, function(sample) {
      d <- ref_distances(z, sample, own)
      near <- data$y[reference_key(d) == min(reference_key(d))]
      mine <- near == data$y[[who[[k]]]]
      inside <- d[[who[[k]]]] <= fit$local$radius[[k]] * (1 + 1e-12)
      inside * (sum(mine) > sum(!mine))
    })
  })
  expected <- t(apply(votes, 1L, tapply, data$y[who], mean))
  expect_equal(predict(fit, new, type = "similarity", threads = 1), expected)
  spheres <- predict(fit, new, type = "spheres", threads = 1)
  expect_true(all(spheres$representative %in% who))
  at <- match(spheres$representative, who)
  expect_equal(spheres$radius, fit$local$radius[at])
  expect_identical(spheres$class, data$y[who][at])
  expect_identical(
    spheres$features[[1]],
    paste(names(which(subsets_of(fit)[, at[[1]]])), collapse = "; ")
  )
})

test_that("all that fits understand works with few representatives", {
  data <- toy_data(n = 40L)
  rownames(data$x) <- paste0("s", 1:40)
  fit <- drawn_fit(data, alpha = 3, sizes = c(10, 8, 4))
  who <- fit$local$representatives
  expect_identical(colnames(subsets_of(fit)), paste0("s", who))
  expect_output(
    print(fit),
    "drawn by class: 10 representatives, programs on 8 samples, scores on 4"
  )
  expect_output(print(summary(fit)), "representatives = 10")
  expect_identical(
    unname(unlist(tidy(fit)[1, levels(data$y)])),
    unname(as.vector(tapply(
      subsets_of(fit)[selected(fit)[[1]], ], data$y[who], mean
    )))
  )
  expect_identical(nrow(glance(fit)), 1L)
  audit <- audit_labels(fit, threads = 1)
  expect_identical(nrow(audit), 40L)
  expect_true(all(audit$spheres <= 10))
  skip_if_not_installed("ggplot2")
  for (type in c("frequency", "map")) {
    picture <- ggplot2::autoplot(fit, type = type)
    expect_s3_class(picture, "ggplot")
  }
})

test_that("more samples than 3,000 are drawn from, and it is said", {
  set.seed(1)
  n <- 3001
  x <- cbind(a = rnorm(n), b = rnorm(n))
  y <- factor(rep(c("u", "v"), length.out = n))
  x[y == "v", 1] <- x[y == "v", 1] + 2
  usual <- function(n) {
    given <- lapply(usual_draws, function(usual) NULL)
    llfs_draws(given, as_problem(x[1:n, ], y[1:n]))
  }
  expect_message(
    draws <- usual(3001),
    "300 rep.*programs on 1,000 samples, scores on 200, intercepts on 1,000",
    class = "hitmiss_message_draw"
  )
  expect_identical(draws, usual_draws)
  expect_no_message(draws <- usual(3000))
  expect_true(all(unlist(draws) == Inf))
  expect_message(
    fit <- llfs(x, y,
      alpha = 1, beta = c(0, 1), representatives = 20, threads = 1
    ),
    "programs on 1,000 samples, scores on 200", class = "hitmiss_message_draw"
  )
  expect_length(fit$local$radius, 20L)
  expect_equal(as.vector(table(y[fit$local$representatives])), c(10, 10))
  expect_no_message(
    llfs(x, y,
      alpha = 1, beta = c(0, 1), representatives = 4, threads = 1,
      control = list(
        program_samples = 50, score_samples = 20, intercept_samples = 20
      )
    )
  )
  # Nothing is said where nothing is drawn by default.
  expect_no_message(llfs(x[1:50, ], y[1:50], alpha = 1, threads = 1))
})

test_that("draws that cannot hold two of each class stop", {
  data <- draw_data(1)
  refused <- function(text, ...) {
    expect_input_error(
      suppressWarnings(llfs(data$x, data$y, ..., threads = 1)), text
    )
  }
  refused("at least 5", representatives = 4)
  refused("at least 5", control = list(program_samples = 4))
  refused("at least 4", control = list(score_samples = 3))
  refused("at least 5", control = list(intercept_samples = 4))
  refused("representatives", representatives = 0)
  refused("representatives", representatives = NA)
  refused("program_samples", control = list(program_samples = "all"))
})
