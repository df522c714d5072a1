# Stability indices: hand values, definitions, curves and their baseline.
# SPDX-License-Identifier: GPL-3.0-or-later

stable_curve <- function(...) {
  array <- withr::with_seed(5, simulate_microarray(
    samples = c(14, 14), genes = 60, relevant = 3, effect = 2, block = 10
  ))
  selectors <- list(
    fisher = function(x, y) reference_scores(x, y, threads = 1),
    two = function(x, y) names(sort(-reference_scores(x, y, threads = 1)))[1:2]
  )
  curve <- withr::with_seed(6, error_curve(
    array$x, array$y, selectors,
    sizes = c(2, 5), resampling = holdout(6, 0.5), ...
  ))
  list(curve = curve, array = array, selectors = selectors)
}

small <- withr::with_seed(4,
  simulate_microarray(samples = c(10, 10), genes = 30)
)

test_that("halves that share no sample give the agreement of two studies", {
  data <- toy_data(n = 20L)
  ranker <- function(x, y) reference_scores(x, y, threads = 1)
  curve_of <- function(resampling, ...) {
    withr::with_seed(1, error_curve(data$x, data$y, ranker, 2,
      resampling = resampling, keep = FALSE, ...
    ))
  }
  curve <- curve_of(kfold(2, 5), permuted = 2)
  found <- stability(curve, level = 0.9)
  j <- ncol(data$x)
  pairs_of <- function(lists) {
    lapply(1:5, \(b) lapply(lists[2 * b - 1:0], head, 2))
  }
  expect_equal(
    unlist(found[1L, c("nogueira", "lower", "upper")], use.names = FALSE),
    reference_halving(pairs_of(curve$selections[[1L]]), j, 0.9)
  )
  expect_equal(found$baseline, mean(vapply(curve$permuted[[1L]], function(p) {
    reference_halving(pairs_of(p), j, 0.9)[[1L]]
  }, 0)))
  expect_output(print(found), sprintf(
    "two studies of 10 samples each: %.2f \\[", found$nogueira
  ))
  # The same splits given by hand.
  expect_equal(
    stability(curve_of(curve$splits))$nogueira, found$nogueira
  )
  # Two splits of a repetition whose training parts share samples.
  shared <- lapply(1:4, function(s) {
    train <- if (s %% 2L == 1L) 1:12 else 7:20
    list(
      train = train, test = setdiff(1:20, train), repetition = (s + 1L) %/% 2L
    )
  })
  plans <- list(holdout(4, 0.5), kfold(4), kfold(3, 2), shared)
  for (resampling in plans) {
    none <- stability(curve_of(resampling))
    expect_true(is.na(none$lower) && is.na(none$upper))
    expect_output(print(none), "No interval.*kfold\\(2")
  }
  expect_true(is.na(stability(curve_of(kfold(2)))$lower))
})

test_that("a curve's sets are those of its splits", {
  made <- stable_curve()
  stab <- stability(made$curve)
  expect_identical(stab$table$selector, rep(c("fisher", "two"), each = 2))
  expect_identical(stab$table$size, c(2, 5, 2, 5))
  expect_true(all(is.na(stab$table$baseline)))
  for (i in 1:4) {
    sets <- lapply(made$curve$splits, function(split) {
      order <- order(-reference_fisher(
        made$array$x[split$train, ], made$array$y[split$train]
      ))
      head(
        order, if (stab$table$selector[i] == "two") 2 else stab$table$size[i]
      )
    })
    expect_equal(
      stab$table$nogueira[i], reference_nogueira(incidence(sets, 60))
    )
    expect_equal(
      unname(stab$frequency[, i]), colMeans(incidence(sets, 60))
    )
  }
  expect_identical(stab$exact, c(TRUE, TRUE, TRUE, FALSE))
  expect_output(print(stab), "No baseline")
})

test_that("the baseline permutes labels and nothing else", {
  stab <- stability(stable_curve(permuted = 8)$curve)
  expect_false(anyNA(stab$table$baseline))
  expect_lt(stab$table$baseline[[1]], stab$table$nogueira[[1]])
  # Training halves that overlap agree more than by chance, and sizes beyond
  # what "two" gives change nothing.
  expect_gt(mean(stab$table$baseline[1:2]), 0)
  expect_identical(stab$table$baseline[[3]], stab$table$baseline[[4]])
  expect_identical(stab$table$baseline[[1]], stab$table$baseline[[3]])
  expect_output(print(stab), "not with 0")
  # The first permutation, by hand.
  made <- stable_curve(permuted = 1)
  order <- withr::with_seed(6, {
    draw_splits(made$array$y, holdout(6, 0.5))
    hitmiss:::with_stream(draw_stream(), sample.int(28))
  })
  sets <- lapply(made$curve$splits, function(split) {
    head(order(-reference_fisher(
      made$array$x[split$train, ], made$array$y[order][split$train]
    )), 5)
  })
  one <- stability(made$curve)
  expect_equal(one$table$baseline[[2]], reference_nogueira(incidence(sets, 60)))
  # The curve itself is that without permutations.
  fields <- c("results", "selections", "baseline")
  expect_identical(made$curve[fields], stable_curve()$curve[fields])
  skip_if_not_installed("BiocParallel")
  for (backend in list(
    BiocParallel::SerialParam(), BiocParallel::MulticoreParam(2)
  )) {
    again <- stable_curve(permuted = 8, BPPARAM = backend)$curve
    expect_identical(stability(again)$table, stab$table)
  }
})

test_that("functions of a size, and failed splits", {
  array <- withr::with_seed(8, simulate_microarray(
    samples = c(10, 10), genes = 30, relevant = 2, block = 5
  ))
  calls <- 0
  selectors <- list(
    sized = function(x, y, size) {
      names(sort(-reference_scores(x, y, threads = 1)))[seq_len(size)]
    },
    fails = function(x, y) {
      calls <<- calls + 1
      if (calls == 2) stop("no luck")
      reference_scores(x, y, threads = 1)
    }
  )
  set.seed(9)
  curve <- suppressWarnings(error_curve(array$x, array$y, selectors,
    sizes = c(1, 3), resampling = holdout(5, 0.5)
  ))
  stab <- stability(curve)
  expect_identical(stab$n_sets, c(5L, 5L, 4L, 4L))
  expect_identical(stab$table$mean_k, c(1, 3, 1, 3))
})

test_that("selected() takes a share, a row, and says its bound", {
  stab <- stability(list(c("a", "b"), c("a", "c"), c("b", "a")), n_features = 6)
  expect_identical(selected(stab, share = 0.6), c("a", "b"))
  expect_identical(selected(stab, share = 1), "a")
  expect_identical(selected(stab), "a")
  stab <- stability(stable_curve()$curve)
  expect_refusal(selected(stab), "selector")
  expect_refusal(selected(stab, selector = "fisher"), "size")
  often <- selected(stab, 0.6, selector = "fisher", size = 5)
  expect_equal(attr(often, "bound"), 25 / (0.2 * 60))
  expect_null(attr(selected(stab, 0.5, selector = "fisher", size = 5), "bound"))
  halves <- stability(error_curve(
    small$x, small$y, function(x, y) reference_scores(x, y, threads = 1), 5,
    resampling = kfold(2, 3)
  ))
  expect_equal(attr(selected(halves, 1), "bound"), 25 / 30)
  expect_null(attr(selected(stab, 0.6, selector = "two", size = 5), "bound"))
})

test_that("fits are sets", {
  p <- margin_problem(2)
  fits <- lapply(1:3, function(i) {
    suppressWarnings(logo(p$x[-i, ], p$y[-i], threads = 1))
  })
  stab <- stability(fits)
  expect_identical(stab$n_features, ncol(p$x))
  expect_equal(
    stab$table$nogueira,
    reference_nogueira(incidence(lapply(fits, function(f) {
      match(selected(f), colnames(p$x))
    }), ncol(p$x)))
  )
})

test_that("bad sets are refused", {
  refused <- function(arg, ...) expect_refusal(stability(...), arg)
  refused("sets")
  refused("sets", 1:3, 5)
  refused("sets", list(), 5)
  refused("sets", list(1:3, "a"), 5)
  refused("sets", list(1:3, 7), 5)
  refused("sets", list(c("a", "a"), "b"), 5)
  refused("n_features", list("a", "b"))
  refused("n_features", list("a", "b"), 1)
  refused("n_features", list(1, 2))
  refused("level", list(1, 2), 5, level = 1)
})

test_that("pictures have labels and a caption", {
  skip_if_not_installed("ggplot2")
  stab <- stability(stable_curve()$curve)
  for (picture in list(
    ggplot2::autoplot(stab),
    ggplot2::autoplot(stab, "frequency", n = 5, selector = "two", size = 2)
  )) {
    expect_s3_class(picture, "ggplot")
    expect_match(picture$labels$caption, "6 sets among 60 features")
    expect_true(nzchar(picture$labels$x))
    expect_silent(ggplot2::ggplot_build(picture))
  }
})

test_that("rankings are no sets: stability() asks for lists of one length", {
  toy <- small_array()
  fits <- lapply(
    1:3, function(i) relief(toy$x[-i, ], toy$y[-i], k = 3, threads = 1)
  )
  error <- expect_refusal(stability(fits), "sets")
  expect_match(
    conditionMessage(error), "lapply(sets, selected, n = 20)",
    fixed = TRUE
  )
  lists <- lapply(fits, selected, n = 5)
  expect_identical(stability(lists, n_features = 20)$table$mean_k, 5)
})

test_that("the stability of a localized selection is that of its sets", {
  local <- function(x, y, size) llfs(x, y, alpha = size, threads = 1)
  toy <- small_array()
  curve <- withr::with_seed(2, error_curve(toy$x, toy$y, list(local = local),
    sizes = c(2, 5), classifier = "own"
  ))
  # Each sample's own features together, fitted anew for each split and size.
  # LLFS draws no random numbers here.
  sets <- lapply(c(2, 5), function(alpha) {
    incidence(lapply(curve$splits, function(split) {
      fit <- local(toy$x[split$train, ], toy$y[split$train], alpha)
      match(selected(fit), colnames(toy$x))
    }), ncol(toy$x))
  })
  table <- stability(curve)$table
  expect_equal(table$mean_k, vapply(sets, function(z) mean(rowSums(z)), 0))
  expect_equal(table$nogueira, vapply(sets, reference_nogueira, 0))
  expect_equal(table$jaccard, vapply(sets, reference_jaccard, 0))
})

test_that("stability() prints ten rows and says how many others there are", {
  toy <- small_array()
  by_variance <- function(x, y) apply(x, 2L, var)
  curve <- withr::with_seed(2, error_curve(toy$x, toy$y, list(v = by_variance),
    sizes = 1:15
  ))
  expect_output(
    print(stability(curve)), "... and 5 more rows",
    fixed = TRUE
  )
})

test_that("an undefined index is explained, a failed baseline is told", {
  none <- stability(list(character(), character()), n_features = 5)
  expect_output(print(none), "NA in 1 row: all sets empty")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    for (type in c("stability", "frequency")) {
      expect_input_error(ggplot2::autoplot(none, type), "to draw")
    }
  }
  one <- stability(list("a"), n_features = 5)
  expect_output(print(one), "NA in 1 row: at least two sets")
  # A selector that failed in every split has no set at all.
  small <- small_array()
  failed <- suppressWarnings(withr::with_seed(1, error_curve(small$x, small$y,
    list(v = function(x, y) apply(x, 2L, var), bad = function(x, y) stop("no")),
    sizes = 2, resampling = holdout(3)
  )))
  table <- as.data.frame(stability(failed))
  expect_identical(is.na(table$nogueira), c(FALSE, TRUE))
  expect_false(any(vapply(table, function(v) any(is.nan(v)), NA)))
  toy <- small
  calls <- 0
  fading <- function(x, y) {
    calls <<- calls + 1
    if (calls > 3) stop("no more")
    apply(x, 2L, var)
  }
  expect_warning(
    withr::with_seed(2, error_curve(toy$x, toy$y, list(v = fading),
      sizes = 2, resampling = holdout(3), permuted = 1
    )),
    "3 fits with permuted labels failed.*no more",
    class = "hitmiss_warning_failed"
  )
})

test_that("stability() refuses a size that was not tried", {
  curve <- error_curve(
    small$x, small$y, function(x, y) reference_scores(x, y, "fisher"),
    sizes = c(2, 5), resampling = holdout(times = 3)
  )
  agreement <- stability(curve)
  refused(
    selected(agreement, size = 3), "name one row of the table.*a size of 2 or 5"
  )
})
