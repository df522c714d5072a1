# Missing values: relief() against the plain definition, in every container and
# design, its fits, and what refuses them.
# SPDX-License-Identifier: GPL-3.0-or-later

missing_problem <- function(seed, classes = NULL) {
  p <- margin_problem(seed)
  p$x <- p$x[, seq_len(min(ncol(p$x), 9)), drop = FALSE]
  if (!is.null(classes)) p$y <- factor(rep_len(seq_len(classes), nrow(p$x)))
  p$x <- lose_values(p$x, p$y, seed)
  p
}

fit_missing <- function(...) suppressWarnings(relief(..., threads = 1))

test_that("the k nearest with missing values are the plain definition", {
  for (seed in some_of(1:200)) {
    p <- missing_problem(seed)
    k <- c(1, 3, 10)[seed %% 3 + 1]
    metric <- c("manhattan", "euclidean")[seed %% 2 + 1]
    hubs <- c("centre", "none")[seed %% 4 %/% 2 + 1]
    weighting <- c("conditional", "prior")[seed %% 8 %/% 4 + 1]
    design <- if (seed %% 3 == 0) near_design(seed, length(p$y), p$y)
    allowed <- near_allowed(length(p$y), design$block, design$group)
    fit <- nearest_relief(p$x, p$y, "relieff",
      k = k, metric = metric, hubs = hubs, weighting = weighting,
      block = design$block, group = design$group
    )
    expected <- reference_missing(
      missing_scale(p$x), p$y, k, metric, hubs, allowed, weighting
    )
    expect_lt(max(abs(fit$scores - expected$scores)), 1e-12, label = seed)
    if (nlevels(p$y) > 2L) {
      expect_lt(max(abs(fit$class_margins - expected$class_margins)), 1e-12)
    }
    if (anyNA(p$x)) {
      expect_identical(
        unname(fit$present), unname(t(rowsum(1L - is.na(p$x), p$y)))
      )
    }
  }
})

test_that("pairs lose both values, categories all indicators", {
  for (seed in some_of(1:80)) {
    n <- 20
    pair <- rep(1:10, each = 2)
    y <- factor(rep(c("a", "b"), 10))
    x <- withr::with_seed(seed, matrix(rnorm(n * 6), n)) |>
      lose_values(y, seed + 1)
    x[, 6] <- x[, 6] + rep(rnorm(10), each = 2)
    colnames(x) <- letters[1:6]
    fit <- fit_missing(x, y, pair = pair, k = 4)
    centred <- x - rowsum(x, pair)[pair, ] / 2
    expected <- reference_balanced(
      missing_scale(centred), y, k = 4, group = pair
    )
    expect_lt(max(abs(fit$scores - expected$scores)), 1e-12)
    expect_equal(fit$present[, "a"], colSums(!is.na(centred)) / 2)
    codes <- withr::with_seed(seed, matrix(sample(3, n * 4, TRUE), n))
    codes[, 1:3] <- lose_values(codes, y, 6 * seed + 1)[, 1:3]
    codes[codes > 3 | codes < 1] <- 2
    codes <- round(codes)
    frame <- as.data.frame(lapply(as.data.frame(codes), function(v) {
      factor(letters[v])
    }))
    frame$number <- x[, 6]
    fit <- fit_missing(frame, y, k = 4)
    columns <- lapply(frame[1:4], function(f) {
      if (nlevels(f) == 0L) {
        return(matrix(0, n, 1))
      }
      outer(as.character(f), levels(f), "==") / 2
    })
    scaled <- cbind(do.call(cbind, columns), missing_scale(x)[, 6])
    of <- rep(1:5, c(vapply(columns, ncol, 0L), 1))
    expected <- reference_balanced(scaled, y, k = 4)$scores
    expect_lt(max(abs(fit$scores - rowsum(expected, of)[, 1])), 1e-12)
  }
})

test_that("RReliefF with missing values is the plain definition", {
  for (seed in some_of(1:120)) {
    p <- missing_problem(seed)
    y <- withr::with_seed(seed, rnorm(nrow(p$x)))
    if (seed %% 3 == 0) y <- round(y) + c(1, numeric(length(y) - 1))
    hubs <- c("none", "centre")[seed %% 2 + 1]
    design <- if (seed %% 3 == 1) near_design(seed, length(y))
    allowed <- near_allowed(length(y), design$block, design$group)
    fit <- fit_missing(p$x, y, "rrelieff",
      k = 4, hubs = hubs, block = design$block, group = design$group
    )
    expected <- reference_missing_outcome(
      missing_scale(p$x), abs(outer(y, y, "-")) / diff(range(y)), 4, FALSE,
      hubs = hubs, allowed = allowed
    )
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
  }
})

test_that("SReliefF with missing values is the plain definition", {
  for (seed in some_of(1:100)) {
    p <- missing_problem(seed)
    n <- nrow(p$x)
    y <- withr::with_seed(seed, list(time = rexp(n), event = runif(n) < 0.6))
    if (seed %% 2 == 0) y$time <- ceiling(4 * y$time)
    y$event[1:2] <- TRUE
    group <- if (seed %% 4 == 0) near_design(seed, n)$group
    u <- reference_positions(y$time, y$event)
    apart <- outer(seq_len(n), seq_len(n), Vectorize(function(a, b) {
      reference_tau(u[a], y$event[a], u[b], y$event[b])
    }))
    fit <- fit_missing(p$x, survival::Surv(y$time, y$event),
      k = 5, group = group, metric = c("manhattan", "euclidean")[seed %% 2 + 1]
    )
    expected <- reference_missing_outcome(
      missing_scale(p$x), apart, 5, TRUE,
      allowed = near_allowed(n, NULL, group),
      metric = c("manhattan", "euclidean")[seed %% 2 + 1]
    )
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
    known <- !is.na(p$x[, 1])
    varies <- length(unique(p$x[known, 1])) > 1L && any(y$event[known])
    # With groups z is the robust one, see test-unit_effects.R.
    if (varies && is.null(group)) {
      cox <- reference_scores(p$x[known, 1, drop = FALSE],
        survival::Surv(y$time, y$event)[known], "cox"
      )
      expect_equal(abs(fit$hazard$z[[1]]), unname(cox))
    }
  }
})

test_that("samples and features may be in any order, threads of any number", {
  p <- missing_problem(4)
  fit <- fit_missing(p$x, p$y)
  rows <- withr::with_seed(1, sample(nrow(p$x)))
  columns <- withr::with_seed(2, sample(ncol(p$x)))
  again <- fit_missing(p$x[rows, columns], p$y[rows])
  expect_equal(again$scores[colnames(p$x)], fit$scores, tolerance = 1e-12)
  for (y in list(p$y, as.double(p$y))) {
    method <- if (is.factor(y)) "relieff" else "rrelieff"
    one <- suppressWarnings(relief(p$x, y, method, threads = 1))
    two <- suppressWarnings(relief(p$x, y, method, threads = 2))
    expect_identical(one$scores, two$scores)
  }
})

# 60 samples, so that a draw of 20 and parts differ from all.
many <- withr::with_seed(3, {
  x <- matrix(rnorm(60 * 40), 60)
  y <- factor(rep(c("a", "b", "c"), 20))
  x[, 1:3] <- x[, 1:3] + as.integer(y)
  x[runif(length(x)) < 0.2] <- NA
  dimnames(x) <- list(paste0("s", 1:60), paste0("g", 1:40))
  list(x = x, y = y)
})

test_that("scores of a draw of samples are those of a plain draw", {
  fit <- withr::with_seed(1, relief(many$x, many$y, samples = 30, threads = 1))
  expect_length(fit$score_se, 40L)
  all <- relief(many$x, many$y, threads = 1)
  expect_gt(cor(fit$scores, all$scores), 0.9)
  # Draws err by about their standard error.
  off <- vapply(1:40, function(seed) {
    one <- withr::with_seed(
      seed, relief(many$x, many$y, samples = 30, threads = 1)
    )
    (one$scores - all$scores) / one$score_se
  }, all$scores)
  expect_lt(abs(sd(off) - 1), 0.25)
  whole <- relief(many$x, many$y, samples = 60, threads = 1)
  expect_equal(whole$scores, all$scores, tolerance = 1e-14)
})

test_that("all containers give the scores of the matrix", {
  fit <- relief(many$x, many$y, threads = 1)
  expect_same <- function(x, y = many$y, ...) {
    other <- relief(x, y, ..., threads = 1)
    expect_identical(other$scores, fit$scores)
    expect_identical(other$present, fit$present)
    expect_identical(
      suppressMessages(predict(other, x)), suppressMessages(predict(fit, x))
    )
  }
  expect_same(as.data.frame(many$x))
  nan <- many$x
  nan[is.na(nan)] <- NaN
  expect_same(nan)
  expect_identical(
    relief(y ~ ., cbind(as.data.frame(many$x), y = many$y), threads = 1)$scores,
    fit$scores
  )
  skip_if_not_installed("Matrix")
  expect_same(Matrix::Matrix(many$x, sparse = TRUE))
  skip_without("SummarizedExperiment", "HDF5Array")
  se <- SummarizedExperiment::SummarizedExperiment(
    list(t(many$x)), colData = data.frame(class = many$y)
  )
  expect_same(se, "class")
  on_disk <- HDF5Array::writeHDF5Array(many$x, withr::local_tempfile(), "x")
  dimnames(on_disk) <- dimnames(many$x)
  expect_same(on_disk)
  withr::local_options(hitmiss.realise_memory = 0, hitmiss.block_memory = 4096)
  expect_same(on_disk)
  quiet <- function(...) suppressMessages(suppressWarnings(...))
  expect_identical(
    quiet(turf(on_disk, many$y, n_stop = 9))$scores,
    quiet(turf(many$x, many$y, n_stop = 9))$scores
  )
  probes <- function(x) {
    withr::with_seed(1, as.data.frame(probe_fdr(x, many$y, relief, times = 2)))
  }
  expect_identical(probes(on_disk), probes(many$x))
  expect_error(logo(on_disk, many$y), class = "hitmiss_error_input")
  on_disk[3, 4] <- Inf
  expect_error(
    relief(on_disk, many$y), "row 3 .*column 4", class = "hitmiss_error_input"
  )
})

test_that("integers, many zeros and large sparse data are read alike", {
  x <- withr::with_seed(1, matrix(rpois(60 * 40, 0.4), 60))
  x[matrix(withr::with_seed(2, runif(2400)) < 0.1, 60)] <- NA
  colnames(x) <- colnames(many$x)
  fit <- relief(x, many$y, threads = 1)
  doubles <- x + 0
  expect_identical(relief(doubles, many$y, threads = 1)$scores, fit$scores)
  sparse <- Matrix::Matrix(doubles, sparse = TRUE)
  expect_identical(relief(sparse, many$y, threads = 1)$scores, fit$scores)
  logical <- x > 0
  expect_identical(
    relief(logical, many$y, threads = 1)$scores,
    relief(logical + 0, many$y, threads = 1)$scores
  )
  # From 2^27 pairs of samples times features only the nonzeros are summed; no
  # feature with a missing value is summed so.
  n <- 800
  x <- withr::with_seed(4, matrix(rbinom(n * 450, 1, 0.05) * rnorm(n * 450), n))
  x[2:5, 1:200] <- NA
  colnames(x) <- seq_len(450)
  y <- rep(c("a", "b"), n / 2)
  expect_equal(
    relief(Matrix::Matrix(x, sparse = TRUE), y, threads = 1)$scores,
    relief(x, y, threads = 1)$scores, tolerance = 1e-9
  )
})

test_that("samples of several parts of distances may be in any order", {
  n <- 1600 # a part has 1,310 rows
  x <- withr::with_seed(1, matrix(rnorm(n * 4), n))
  x[withr::with_seed(2, runif(length(x))) < 0.2] <- NA
  x[cbind(seq_len(n), 4)] <- seq_len(n) %% 7
  colnames(x) <- letters[1:4]
  y <- rep(c("a", "b"), n / 2)
  group <- rep(seq_len(n / 2), 2)
  rows <- withr::with_seed(3, sample(n))
  fit <- relief(x, y, group = group, threads = 1)
  again <- relief(x[rows, ], y[rows], group = group[rows], threads = 1)
  expect_equal(again$scores, fit$scores, tolerance = 1e-12)
})

test_that("without missing values no bit changes", {
  x <- many$x
  x[is.na(x)] <- 0
  fit <- relief(x, many$y, threads = 1)
  expect_null(fit$present)
  expect_false("present" %in% names(top_features(fit)))
  # A feature that adds nothing to distances lets the others walk all the same.
  with <- cbind(x, empty = NA)
  expect_warning(
    walked <- relief(with, many$y, threads = 1), "fewer than two different",
    class = "hitmiss_warning_missing"
  )
  expect_equal(walked$scores[1:40], fit$scores, tolerance = 1e-12)
  expect_identical(walked$scores[["empty"]], 0)
  expect_equal(walked$class_margins[1:40, ], fit$class_margins)
  expect_identical(walked$present[["empty", "b"]], 0L)
  numbers <- as.double(many$y)
  expect_equal(
    suppressWarnings(relief(with, numbers, "rrelieff"))$scores[1:40],
    relief(x, numbers, "rrelieff")$scores, tolerance = 1e-12
  )
})

# ---- the fit -----------------------------------------------------------------

by_class <- withr::with_seed(7, {
  y <- factor(rep(c("ill", "well"), each = 40))
  x <- matrix(rnorm(80 * 30), 80, dimnames = list(NULL, paste0("g", 1:30)))
  x[y == "ill", 1:3] <- x[y == "ill", 1:3] + 2
  lost <- matrix(runif(80 * 30), 80) < outer(y == "ill", 1:30 > 20) * 0.5
  x[lost] <- NA
  list(x = x, y = y)
})

test_that("print and tables say what is missing, and where more often", {
  fit <- relief(by_class$x, by_class$y, threads = 1)
  expect_output(print(fit), sprintf("%.3g %% of the values are missing, in 10",
    100 * (1 - mean(rowSums(fit$present) / 80))
  ), fixed = TRUE)
  expect_output(
    print(fit), "of 30 features\n10 features are missing more often"
  )
  expect_output(print(fit), "do not impute these by median", fixed = TRUE)
  table <- as.data.frame(fit)
  expect_identical(
    table$present, as.integer(colSums(!is.na(by_class$x)))[fit$ranking]
  )
  expect_identical(fit$present["g30", "well"], 40L)
  # The count is that of Fisher's tests.
  p <- vapply(21:30, function(j) {
    2 * fisher.test(is.na(by_class$x[, j]), by_class$y,
      alternative = "less")$p.value
  }, 0)
  expect_true(all(p.adjust(p, "BH") < 0.05))
  even <- withr::with_seed(2, {
    x <- by_class$x
    x[] <- rnorm(length(x))
    x[runif(length(x)) < 0.2] <- NA
    x
  })
  expect_identical(
    grep("more often", capture.output(print(relief(even, by_class$y)))),
    integer()
  )
  # Class means and effects are those of the values that are there.
  expect_equal(
    fit$class_means["g25", "ill"],
    mean(by_class$x[by_class$y == "ill", "g25"], na.rm = TRUE)
  )
  expect_s3_class(relief(by_class$x, by_class$y), "hitmiss")
  expect_false(anyNA(coef(fit, signed = TRUE, positive = "ill")))
})

test_that("print() names what one class lacks, and its call ranks it first", {
  x <- withr::with_seed(3, matrix(rnorm(4000, 20), 40))
  colnames(x) <- paste0("prot", 1:100)
  y <- factor(rep(c("ill", "well"), each = 20))
  x[withr::with_seed(4, sample(length(x), 200))] <- NA
  said <- function(fit) {
    lines <- suppressWarnings(capture.output(print(fit)))
    at <- grep("^Above all", lines)
    list(named = lines[at], code = lines[at + 1L])
  }
  expect_identical(said(relief(x, y, threads = 1))$named, character())
  x[y == "ill", 7] <- NA
  expect_match(said(relief(x, y, threads = 1))$named, "^Above all prot7[.] ")
  x[y == "ill", 8:12] <- NA
  x[y == "well", 9] <- 20 + withr::with_seed(5, rnorm(20))
  frame <- as.data.frame(x)
  se <- if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
    SummarizedExperiment::SummarizedExperiment(list(t(x)))
  }
  times <- survival::Surv(
    withr::with_seed(1, rexp(40)), as.integer(y == "ill")
  )
  block <- rep(1:2, 20)
  half <- relief(x, y, threads = 1, block = block)
  for (fit in suppressWarnings(list(
    half, turf(x, y), relief(frame, y), relief(x, times),
    if (!is.null(se)) relief(se, y), tuned(relief, k = c(3, 5))(x, y)
  ))) {
    if (is.null(fit)) next
    found <- said(fit)
    named <- regmatches(found$named, gregexpr("prot[0-9]+", found$named))[[1L]]
    expect_length(named, 3L)
    expect_true(all(named %in% paste0("prot", 7:12)))
    ranked <- suppressWarnings(eval(parse(text = found$code)))
    expect_true(all(named %in% selected(ranked, 6)))
  }
})

test_that("what batches lack is not what classes lack", {
  y <- factor(rep(c("a", "b", "a", "b"), c(24, 6, 6, 24)))
  block <- rep(1:2, each = 30)
  x <- withr::with_seed(1, matrix(rnorm(60 * 60, 10), 60))
  colnames(x) <- paste0("p", 1:60)
  x[block == 1, 1:40] <- NA
  said <- function(...) capture.output(print(relief(x, y, ..., threads = 1)))
  expect_match(said(), "40 features are missing more often", all = FALSE)
  expect_no_match(said(block = block), "more often|tuned")
  x[block == 2 & y == "a", 50:52] <- NA
  lines <- said(block = block)
  expect_match(lines, "^3 features are missing more often", all = FALSE)
  expect_match(lines, "Above all p50, p51, p52", all = FALSE)
  expect_match(lines, "(x, y, block = block)", fixed = TRUE, all = FALSE)
  expect_match(said(group = rep(1:30, 2)), "(x, y, group = group)",
    fixed = TRUE, all = FALSE
  )
  # Inside blocks the p values are those of Fisher's tests.
  absent <- cbind(c(5, 1), c(4, 0))
  p <- vapply(1:2, function(b) {
    fisher.test(cbind(absent[, b], 8 - absent[, b]), alternative = "greater")$p
  }, 0)
  joined <- 2 * pchisq(-2 * sum(log(p)), 4, lower.tail = FALSE)
  lacks <- length(missing_by_class(rbind(8 - c(absent)), matrix(8, 2, 2)))
  expect_identical(lacks, sum(joined < 0.05))
})

test_that("one poor sample of a rare class is no difference of classes", {
  y <- factor(rep(c("a", "b", "c"), c(30, 30, 1)))
  x <- withr::with_seed(1, matrix(rnorm(61 * 100, 10), 61))
  colnames(x) <- paste0("f", 1:100)
  x[y == "a", 1:5] <- x[y == "a", 1:5] + 3
  x[61, 2:60] <- NA
  fit <- suppressWarnings(relief(x, y, threads = 1))
  expect_no_match(capture.output(print(fit)), "more often")
  # The others are the classes that have values.
  expect_identical(sum(selected(fit, 5, class = "a") %in% colnames(x)[2:5]), 4L)
  table <- as.data.frame(fit)
  table <- table[match(colnames(x)[2:60], table$feature), ]
  expect_equal(abs(table$difference), abs(table$mean_a - table$mean_b))
  expect_identical(table$class, ifelse(table$mean_a > table$mean_b, "a", "b"))
  two <- as.data.frame(relief(x[1:60, ], droplevels(y[1:60]), threads = 1))
  two <- two[match(table$feature, two$feature), ]
  expect_equal(table$effect_raw, two$effect_raw, tolerance = 1e-10)
})

test_that("prediction leaves out what a new sample lacks", {
  x <- many$x
  fit <- relief(x, many$y, threads = 1)
  used <- colnames(suppressMessages(predict(fit, x, "features", n = 6)))
  votes <- suppressMessages(predict(fit, x, "prob", n = 6, k = 3))
  gap <- function(v) {
    v <- v[!is.na(v)]
    mean(dist(v))
  }
  scaled <- missing_scale(x)[, used]
  weights <- fit$weights[used]
  for (i in c(1, 9, 17)) {
    there <- used[!is.na(x[i, used])]
    d <- rowSums(vapply(there, function(j) {
      apart <- abs(scaled[, j] - scaled[i, j])
      apart[is.na(apart)] <- gap(scaled[, j])
      weights[[j]] * apart
    }, numeric(60)))
    share <- reference_shares(reference_key(d), 3)
    left <- sum(weights[there]) / sum(weights)
    expect_equal(attr(votes, "left")[[i]], left)
    expected <- (tapply(share, many$y, sum) + 1 / 3) / 4
    if (left >= 0.5) {
      expect_equal(unname(votes[i, ]), as.vector(expected), tolerance = 1e-12)
    } else {
      expect_true(all(is.na(votes[i, ])))
    }
  }
  most <- x[1:2, ]
  most[1, ] <- NA
  expect_message(
    found <- predict(fit, most), class = "hitmiss_message_missing"
  )
  expect_true(is.na(found[[1]]))
  kept <- predict(fit, x[1:3, ], "features", n = 4) |> suppressMessages()
  expect_equal(unname(is.na(kept)[1, ]), unname(is.na(x[1, colnames(kept)])))
  # A fit to whole data says NA, as ever.
  whole <- x
  whole[is.na(whole)] <- 0
  expect_true(anyNA(predict(relief(whole, many$y, threads = 1), x)))
  numbers <- relief(x, as.double(many$y), "rrelieff", threads = 1)
  expect_type(suppressMessages(predict(numbers, x)), "double")
  expect_silent(suppressMessages(predict(fit, whole)))
  expect_null(attr(suppressMessages(predict(fit, whole)), "left"))
})

test_that("pictures, reports and pairs of such fits work", {
  fit <- relief(by_class$x, by_class$y, threads = 1)
  skip_if_not_installed("ggplot2")
  for (type in c("scores", "gene", "volcano")) {
    expect_silent(ggplot2::ggplot_build(plot(fit, type = type)))
  }
  times <- survival::Surv(seq_along(by_class$y), rep(c(TRUE, FALSE), 40))
  risks <- relief(by_class$x, times, threads = 1)
  expect_identical(colnames(risks$present), c("censored", "event"))
  expect_silent(ggplot2::ggplot_build(plot(risks, type = "risk")))
  risk <- suppressMessages(predict(risks, by_class$x))
  expect_true(all(risk >= 0 & risk <= 1, na.rm = TRUE))
  pair <- rep(1:40, 2)
  fit <- suppressWarnings(relief(by_class$x, by_class$y, pair = pair))
  found <- predict(fit, by_class$x, pair = pair, n = 5) |>
    suppressMessages() |>
    suppressWarnings(classes = "hitmiss_warning_pairs")
  expect_lt(mean(found != by_class$y, na.rm = TRUE), 0.2)
  blocks <- relief(by_class$x, times, block = rep(1:2, each = 40), threads = 1)
  expect_gt(sum(blocks$scores != 0), 25)
  skip_if_not_installed("htmltools")
  file <- withr::local_tempfile(fileext = ".html")
  fit <- relief(by_class$x, by_class$y, threads = 1)
  suppressMessages(write_report(fit, by_class$x[c(1:3, 50), ], file))
  expect_true(file.exists(file))
})

# ---- what is refused ---------------------------------------------------------

test_that("other methods refuse missing values and name what fits", {
  said <- function(expr) conditionMessage(tryCatch(expr, error = identity))
  x <- by_class$x
  y <- by_class$y
  for (text in list(
    said(logo(x, y)), said(kbfs(x, y)), said(relief(x, y, "surf"))
  )) {
    expect_match(text, "takes? missing values")
    expect_match(text, "10 features are missing more often in one class")
    expect_match(text, "prepare_impute(\"draw\")", fixed = TRUE)
  }
  expect_match(said(relief(x, y, "surf")), "srelieff", fixed = TRUE)
  random <- many$x
  expect_match(said(logo(random, many$y)), "prepare_impute()", fixed = TRUE)
  expect_no_match(said(logo(random, many$y)), "more often")
  other_name <- pwfp
  for (text in list(
    said(pwfp(random, many$y)), said(llfs(random, many$y)),
    said(other_name(random, many$y))
  )) {
    expect_match(text, "prepare_impute(\"draw\")", fixed = TRUE)
  }
  x[5, ] <- NA
  rownames(x) <- paste0("p", 1:80)
  expect_error(relief(x, y), "1 sample of `x` has no value at all: p5",
    class = "hitmiss_error_input"
  )
  x <- many$x
  x[2, 2] <- Inf
  expect_error(
    relief(x, many$y), "1 value that is not finite; the first is Inf",
    class = "hitmiss_error_input"
  )
  expect_error(relief(x, many$y), "row 2 \\(\"s2\"\\), column 2",
    class = "hitmiss_error_input"
  )
})

test_that("prepare_impute() has four ways, a message where classes differ", {
  x <- cbind(a = c(1, NA, 2, 9), b = c(NA, 5, NA, 6))
  expect_identical(prepare_impute("min")(x)(x)[, "a"], c(1, 1, 2, 9))
  expect_identical(prepare_impute("min")(x)(x)[, "b"], c(5, 5, 5, 6))
  draws <- withr::with_seed(1, replicate(200, prepare_impute("draw")(x)(x)))
  expect_setequal(draws[2, "a", ], c(1, 2, 9))
  expect_setequal(draws[1, "b", ], 5:6)
  expect_false(identical(draws[1, "b", ], draws[3, "b", ]))
  frame <- data.frame(f = factor(c("u", NA, "v", "v")), n = c(NA, 1, 2, 3))
  filled <- withr::with_seed(1, prepare_impute("draw")(frame)(frame))
  expect_true(all(filled$f %in% c("u", "v")) && !anyNA(filled))
  expect_identical(prepare_impute("min")(frame)(frame)$f[[2]],
    factor("v", levels(frame$f)))
  # Only a draw draws.
  set.seed(1)
  before <- .Random.seed
  prepare_impute("median")(x)(x)
  expect_identical(.Random.seed, before)
  expect_message(prepare_impute()(by_class$x, by_class$y),
    "10 features are missing more often", class = "hitmiss_message_by_class"
  )
  expect_silent(prepare_impute("draw")(by_class$x, by_class$y))
  expect_silent(prepare_impute()(many$x, many$y))
  said <- 0
  withCallingHandlers(
    error_curve(by_class$x, by_class$y, list(logo = logo),
      sizes = 5, resampling = kfold(3, times = 1),
      prepare = prepare_impute()
    ),
    hitmiss_message_by_class = function(m) {
      said <<- said + 1
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(said, 1)
})

# ---- evaluations -------------------------------------------------------------

test_that("curves take missing values; classifiers get training medians", {
  curve <- suppressWarnings(error_curve(many$x, many$y,
    list(relief = relief, logo = logo),
    sizes = c(3, 10), resampling = kfold(3, times = 1)
  ))
  expect_output(print(curve), "classifiers get medians of the")
  expect_lt(curve$best$mean[[1]], 0.4)
  expect_true(all(is.na(curve$summary$mean[curve$summary$selector == "logo"])))
  expect_match(curve$failures$message[[1]], "takes missing values", all = FALSE)
  adjusted <- error_curve(many$x, many$y, list(relief = relief),
    sizes = 3, resampling = kfold(3, times = 1),
    prepare = prepare_adjust(data.frame(age = seq_len(60)))
  )
  expect_lt(adjusted$best$mean, 0.4)
  # The lists are those of relief() on the training parts, the votes those of
  # the plain rule.
  split <- curve$splits[[1]]
  at <- utils::head(curve$selections$relief[[1]], 3)
  train <- many$x[split$train, at]
  test <- many$x[split$test, at]
  middle <- apply(train, 2, median, na.rm = TRUE)
  fill <- function(x) {
    holes <- which(is.na(x), arr.ind = TRUE)
    x[holes] <- middle[holes[, 2]]
    x
  }
  centre <- colMeans(fill(train))
  spread <- apply(fill(train), 2, sd)
  z <- function(x) t((t(fill(x)) - centre) / spread)
  expected <- vapply(seq_len(nrow(test)), function(i) {
    d <- sqrt(colSums((t(z(train)) - z(test)[i, ])^2))
    keys <- reference_key(d)
    reference_winner(
      reference_shares(keys, 5) / 5, keys, many$y[split$train]
    )
  }, "")
  kept <- as.data.frame(curve, what = "predictions")
  kept <- kept[kept$selector == "relief" & kept$size == 3 & kept$split == 1, ]
  expect_identical(as.character(kept$predicted), expected)
})

test_that("held-out samples of which too little is known are predicted", {
  # Half of the samples lack the only feature that counts.
  noise <- with_stream(1, matrix(stats::rnorm(120), 60))
  frame <- data.frame(f = factor(many$y), g = noise)
  frame$f[seq(1, nrow(frame), 2)] <- NA
  for (metric in c("error", "auc")) {
    curve <- suppressMessages(error_curve(frame, many$y, relief, 1:2,
      resampling = kfold(3, times = 1), classifier = "own", metric = metric
    ))
    expect_false(anyNA(curve$summary$mean))
    kept <- as.data.frame(curve, what = "predictions")
    kept <- kept[kept$size == 1, ]
    expect_false(anyNA(kept$predicted))
    # The largest class of the training part, or the first.
    lost <- kept$predicted[is.na(frame$f[kept$sample])]
    expect_length(unique(paste(lost, kept$split[is.na(frame$f[kept$sample])])),
      length(unique(kept$split))
    )
  }
})

test_that("categories with missing values are evaluated", {
  frame <- as.data.frame(many$x[, 1:6])
  frame$f <- factor(c("u", "v", "w")[many$y])
  frame$f[c(1, 5, 9, 30)] <- NA
  frame$text <- ifelse(is.na(frame$f), NA, as.character(frame$f))
  quiet <- function(...) suppressMessages(suppressWarnings(...))
  for (classifier in list("knn", "own")) {
    curve <- quiet(error_curve(frame, many$y, list(relief = relief),
      sizes = c(2, 8), resampling = kfold(3, times = 1), classifier = classifier
    ))
    expect_lt(curve$best$mean, 0.2)
  }
  fit <- quiet(turf(frame, many$y, n_stop = 2))
  expect_true(all(c("f", "text") %in% selected(fit, 3)))
  expect_identical(sum(fit$present["f", ]), 56L)
  q <- quiet(probe_fdr(frame, many$y, relief, times = 3))
  expect_true(all(c("f", "text") %in% as.data.frame(q)$feature[1:3]))
})

test_that("turf(), tuned(), probe_fdr() and validate() take missing values", {
  quiet <- function(...) suppressMessages(suppressWarnings(...))
  fit <- quiet(turf(many$x, many$y, n_stop = 5))
  expect_true(all(c("g1", "g2") %in% selected(fit, 5)))
  left <- names(fit$last_round)[fit$last_round == max(fit$last_round)]
  expect_true(all(rowSums(!is.na(many$x[, left])) > 0))
  sparse <- many$x
  sparse[1:30, -(4:8)] <- NA
  fit <- quiet(turf(sparse, many$y, n_stop = 2))
  left <- names(fit$last_round)[fit$last_round == max(fit$last_round)]
  expect_true(all(rowSums(!is.na(sparse[, left])) > 0))
  expect_s3_class(quiet(predict(fit, many$x)), "factor")
  choose <- tuned(relief, k = c(2, 5))
  fit <- quiet(choose(many$x, many$y))
  expect_false(anyNA(fit$tuned$error))
  q <- quiet(probe_fdr(many$x, many$y, relief, times = 3))
  table <- as.data.frame(q)
  expect_true(all(c("g1", "g2") %in% table$feature[1:4]))
  expect_false(anyNA(table$effect[table$feature %in% c("g1", "g2")]))
  train <- rep(c(TRUE, TRUE, FALSE), 20)[withr::with_seed(1, sample(60))]
  fit <- relief(many$x[train, ], many$y[train], threads = 1)
  checked <- quiet(validate(fit, many$x[!train, ], many$y[!train], n = 5))
  expect_lt(as.data.frame(checked)$estimate[[1]], 0.55) # by chance .67
})

test_that("survival times with missing values are evaluated", {
  y <- withr::with_seed(1, survival::Surv(
    rexp(60) * exp(-2 * as.integer(many$y)), rep(c(1, 1, 0), each = 20)
  ))
  quiet <- function(...) suppressMessages(suppressWarnings(...))
  curve <- quiet(error_curve(many$x, y, list(relief = relief),
    sizes = c(3, 10), resampling = kfold(3, times = 1)
  ))
  expect_gt(curve$best$mean, 0.6)
  own <- quiet(error_curve(many$x, y, list(relief = relief),
    sizes = 3, resampling = kfold(3, times = 1), classifier = "own"
  ))
  expect_gt(own$best$mean, 0.5)
  fit <- quiet(tuned(relief, k = c(5, 20))(many$x, y))
  expect_false(anyNA(fit$tuned$error))
})

test_that("frameworks take what relief() takes", {
  skip_if_not_installed("mlr3filters")
  frame <- cbind(as.data.frame(many$x), class = many$y)
  task <- mlr3::as_task_classif(frame, target = "class")
  filter <- mlr3filters::flt("hitmiss_relief", threads = 1)
  expect_identical(filter$properties, "missings")
  suppressMessages(filter$calculate(task))
  expect_true("g1" %in% names(filter$scores)[1:4])
  other <- mlr3filters::flt("hitmiss_relief", method = "surf")
  expect_identical(other$properties, character())
  expect_identical(mlr3filters::flt("hitmiss_logo")$properties, character())
  skip_if_not_installed("recipes")
  step <- recipes::recipe(class ~ ., frame) |>
    step_select_hitmiss(recipes::all_predictors(), top_p = 3)
  ready <- recipes::prep(step)
  fit <- relief(many$x, many$y, threads = 1)
  baked <- recipes::bake(ready, frame)
  expect_identical(sum(names(baked) != "class"), 3L)
})

test_that("on/off features are named where samples are pairs", {
  data <- toy_data(n = 24L, noise = 8L)
  x <- data$x[order(data$y), ]
  y <- sort(data$y)
  x[1:12, 2] <- NA
  expect_warning(
    fit <- relief(x, y, pair = rep(1:12, 2), threads = 1),
    "1 feature has .* in whole pairs and scores 0: g2",
    class = "hitmiss_warning_missing"
  )
  expect_output(print(fit), "Above all g2\\..*pair = pair")
})
