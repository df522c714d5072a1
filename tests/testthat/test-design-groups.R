# Groups of samples: whole in every split, every inner split and every
# permutation, and passed on to selectors.
# SPDX-License-Identifier: GPL-3.0-or-later

# Patients of 1 to 5 samples in random order, with labels of their own or mixed.
grouped <- function(seed, groups = 24L, classes = 2L, mixed = FALSE) {
  withr::with_seed(seed, {
    group <- sample(rep(seq_len(groups), sample(5L, groups, replace = TRUE)))
    label <- sample(rep_len(seq_len(classes), groups))[group]
    if (mixed) {
      other <- runif(length(label)) < 0.2
      label[other] <- sample(classes, sum(other), replace = TRUE)
    }
    x <- matrix(rnorm(length(group) * 12L), length(group))
  })
  dimnames(x) <- list(paste0("s", seq_along(group)), paste0("g", 1:12))
  list(
    x = x, y = factor(letters[label], letters[seq_len(classes)]),
    group = paste0("patient", group)
  )
}

# The class that most samples of each group have, the first of several.
reference_group_class <- function(y, group) {
  vapply(unique(group), function(one) {
    counts <- table(y[group == one])
    names(counts)[counts == max(counts)][[1L]]
  }, "")
}

expect_whole_groups <- function(splits, group) {
  for (split in splits) {
    expect_length(intersect(group[split$train], group[split$test]), 0L)
    expect_false(is.unsorted(split$train) || is.unsorted(split$test))
  }
}

plain_relief <- function(x, y) relief(x, y, k = 2, threads = 1L)

quiet_curve <- function(d, ..., group = d$group) {
  suppressWarnings(error_curve(d$x, d$y, ..., group = group))
}

# ---- splits -----------------------------------------------------------------

test_that("a stratified holdout draws shares of the groups of each class", {
  for (seed in some_of(1:40)) {
    d <- grouped(seed, classes = 2L + seed %% 3L, mixed = seed %% 2L == 0L)
    class <- reference_group_class(d$y, d$group)
    size <- table(class)
    share <- withr::with_seed(seed, runif(1, 0.1, 0.9))
    splits <- withr::with_seed(seed, suppressWarnings(
      draw_splits(d$y, holdout(3, share), design = groups_of(d$group))
    ))
    expect_whole_groups(splits, d$group)
    for (split in splits) {
      expect_setequal(c(split$train, split$test), seq_along(d$y))
      drawn <- table(factor(class[unique(d$group[split$train])], names(size)))
      expect_equal(
        as.vector(drawn),
        as.vector(pmin(pmax(round(share * size), 1), size - 1))
      )
      expect_true(all(table(d$y[split$train]) > 0))
    }
  }
})

test_that("a count of training groups is exact", {
  d <- grouped(3)
  for (stratified in c(TRUE, FALSE)) {
    splits <- withr::with_seed(1, draw_splits(
      d$y, holdout(5, 13, stratified = stratified),
      design = groups_of(d$group)
    ))
    expect_whole_groups(splits, d$group)
    for (split in splits) expect_length(unique(d$group[split$train]), 13L)
  }
})

test_that("folds deal the groups of each class evenly", {
  for (seed in some_of(1:40)) {
    d <- grouped(seed, classes = 3L, mixed = seed %% 2L == 0L)
    class <- reference_group_class(d$y, d$group)
    splits <- withr::with_seed(seed, suppressWarnings(
      draw_splits(d$y, kfold(4, 2), design = groups_of(d$group))
    ))
    expect_whole_groups(splits, d$group)
    for (repetition in 1:2) {
      tests <- lapply(
        Filter(function(s) s$repetition == repetition, splits), `[[`, "test"
      )
      expect_identical(sort(unlist(tests)), seq_along(d$y))
      dealt <- vapply(tests, function(rows) {
        tabulate(match(class[unique(d$group[rows])], letters[1:3]), 3L)
      }, numeric(3))
      expect_true(all(apply(dealt, 1L, function(n) diff(range(n))) <= 1))
    }
  }
})

test_that("leave-one-out leaves out each group once", {
  d <- grouped(5)
  splits <- draw_splits(d$y, leave_one_out(), design = groups_of(d$group))
  expect_length(splits, 24L)
  expect_whole_groups(splits, d$group)
  expect_identical(
    lapply(splits, `[[`, "test"),
    unname(lapply(unique(d$group), function(one) which(d$group == one)))
  )
})

test_that("groups keep or lose their labels together", {
  d <- grouped(7)
  splits <- withr::with_seed(1, draw_splits(
    d$y, holdout(10, 0.7, labelled = 0.4),
    design = groups_of(d$group)
  ))
  class <- reference_group_class(d$y, d$group)
  for (split in splits) {
    lost <- setdiff(split$train, split$labelled)
    expect_length(intersect(d$group[split$labelled], d$group[lost]), 0L)
    in_train <- table(class[unique(d$group[split$train])])
    labelled <- table(class[unique(d$group[split$labelled])])
    expect_equal(as.vector(labelled), as.vector(pmax(1, round(0.4 * in_train))))
  }
})

test_that("a class without a group of its own is in every training part", {
  # Two samples of class c, in groups of classes a and b.
  group <- rep(1:12, each = 3)
  y <- factor(rep(rep(c("a", "b"), 6), each = 3), c("a", "b", "c"))
  y[c(1, 4)] <- "c"
  splits <- withr::with_seed(2, draw_splits(y, holdout(30, 0.5),
    design = groups_of(group)
  ))
  for (split in splits) expect_true("c" %in% y[split$train])
})

test_that("a class of one group goes to training, with one warning", {
  group <- rep(1:7, each = 2)
  y <- factor(rep(c("a", "a", "a", "b", "b", "b", "c"), each = 2))
  warned <- capture_warnings(
    splits <- draw_splits(y, holdout(5, 0.5), design = groups_of(group))
  )
  expect_match(warned, "single group", fixed = TRUE)
  for (split in splits) expect_true(all(13:14 %in% split$train))
  folds <- capture_warnings(draw_splits(y, kfold(3), design = groups_of(group)))
  expect_match(folds, "class \"c\" has 1 group, fewer", fixed = TRUE)
})

test_that("groups of one sample each are samples, bit for bit", {
  d <- grouped(11, groups = 8L)
  own <- paste0("one", seq_along(d$y))
  plain <- function(curve) {
    curve[c("seconds", "call", "design")] <- NULL
    curve
  }
  for (plan in list(
    holdout(2, 0.6), kfold(3), leave_one_out(), holdout(2, 10)
  )) {
    run <- function(group) {
      withr::with_seed(1, quiet_curve(d, list(relief = plain_relief), c(1, 4),
        resampling = plan, nested = kfold(2), group = group
      ))
    }
    with <- run(own)
    expect_identical(glance(with)$n_groups, length(own))
    expect_identical(plain(with), plain(run(NULL)))
    expect_identical(best_size(with), best_size(run(NULL)))
  }
  fdr <- function(group) {
    found <- withr::with_seed(1, probe_fdr(d$x, d$y, plain_relief,
      times = 3, group = group
    ))
    list(found$table, found$probe_counts)
  }
  expect_identical(fdr(own), fdr(NULL))
})

# ---- inside a curve ---------------------------------------------------------

test_that("selectors see whole groups, also inside of training parts", {
  d <- grouped(13, mixed = TRUE)
  for (plan in list(holdout(2, 0.6), kfold(3), leave_one_out())) {
    seen <- list()
    spy <- function(x, y) {
      seen[[length(seen) + 1L]] <<- match(rownames(x), rownames(d$x))
      colnames(x)
    }
    curve <- withr::with_seed(1, quiet_curve(d, list(spy = spy), 2:3,
      resampling = plan, nested = kfold(2)
    ))
    expect_length(seen, 3L * length(curve$splits))
    for (rows in seen) {
      expect_identical(sort(which(d$group %in% d$group[rows])), sort(rows))
    }
    # And none of the groups that are tested.
    at <- split(seen, rep(seq_along(curve$splits), each = 3L))
    for (s in seq_along(at)) {
      tested <- d$group[curve$splits[[s]]$test]
      for (rows in at[[s]]) expect_false(any(d$group[rows] %in% tested))
    }
  }
})

test_that("block and group are passed to selectors that have them", {
  d <- grouped(17, mixed = TRUE)
  block <- factor(
    ifelse(seq_along(d$y) %% 2L == 0L, "even", "odd"), c("odd", "even")
  )
  told <- list()
  curve <- withr::with_seed(1, suppressWarnings(error_curve(d$x, d$y, list(
    relief = relief, part = function(x, y, ...) relief(x, y, ...),
    group = function(x, y, group) relief(x, y, group = group),
    sized = function(x, y, size, block) {
      told[[length(told) + 1L]] <<- list(rownames(x), block)
      relief(x, y, block = block)
    }
  ), c(2, 12), resampling = holdout(3, 0.6), group = d$group, block = block)))
  expect_identical(curve$design$given, list(block = block, group = d$group))
  for (s in 1:3) {
    rows <- curve$splits[[s]]$train
    direct <- function(...) {
      fit <- suppressWarnings(relief(d$x[rows, ], d$y[rows], ...))
      fit$ranking[seq_len(fit$n_ranked)]
    }
    found <- lapply(curve$selections, `[[`, s)
    expect_identical(
      found$relief, direct(block = block[rows], group = d$group[rows])
    )
    expect_identical(found$part, direct())
    expect_identical(found$group, direct(group = d$group[rows]))
    expect_identical(found$sized[[2L]], direct(block = block[rows]))
    expect_false(identical(found$relief, found$part))
    expect_identical(told[[2L * s]], list(rownames(d$x)[rows], block[rows]))
  }
})

test_that("an argument counts by its name", {
  for (verb in list(llfs, logo, relief, kbfs, pwfp)) {
    expect_true(takes_argument(verb, "block"))
    expect_true(takes_argument(verb, "group"))
    expect_false(takes_argument(verb, "size"))
  }
  expect_false(takes_argument(reference_scores, "block"))
  expect_false(takes_argument(function(x, y, ...) 1, "group"))
  expect_true(takes_argument(function(x, y, group) 1, "group"))
  expect_false(takes_argument(max, "group"))
})

test_that("containers give group and block by the name of a column", {
  skip_if_not_installed("SummarizedExperiment")
  skip_if_not_installed("DelayedArray")
  skip_if_not_installed("Biobase")
  d <- grouped(19)
  batch <- rep_len(c("u", "v"), length(d$y))
  run <- function(x, y, group = d$group, block = batch) {
    withr::with_seed(1,
      suppressWarnings(error_curve(x, y, list(relief = relief), c(2, 5),
      resampling = kfold(3), nested = kfold(2), group = group, block = block
    )))
  }
  expected <- run(d$x, d$y)
  expect_null(expected$design$name)
  frame <- data.frame(type = d$y, patient = d$group, batch = batch)
  rownames(frame) <- rownames(d$x)
  wide <- t(d$x)
  experiment <- function(values) {
    SummarizedExperiment::SummarizedExperiment(list(a = values),
      colData = S4Vectors::DataFrame(frame)
    )
  }
  named <- list(
    experiment(wide), experiment(DelayedArray::DelayedArray(wide)),
    experiment(Matrix::Matrix(wide, sparse = TRUE)),
    Biobase::ExpressionSet(wide, Biobase::AnnotatedDataFrame(frame))
  )
  for (x in named) {
    curve <- run(x, "type", "patient", "batch")
    expect_equal(curve$results, expected$results)
    expect_identical(curve$splits, expected$splits)
    expect_identical(curve$design$name, "patient")
    expect_identical(curve$design$given$group, d$group)
  }
  expect_refusal(run(named[[1L]], "type", "patent", "batch"), "group")
})

test_that("standard errors and tests count groups", {
  d <- grouped(29)
  selectors <- list(
    relief = plain_relief, last = function(x, y) rev(colnames(x))
  )
  curve <- withr::with_seed(1, quiet_curve(d, selectors, c(1, 3),
    resampling = holdout(6, 0.6)
  ))
  units <- lapply(curve$splits, function(s) {
    list(train = unique(d$group[s$train]), test = unique(d$group[s$test]))
  })
  values <- curve$values$relief[, 2L]
  expect_equal(tidy(curve)$se[[2L]], max(
    reference_se(values, units),
    reference_floor(mean(values), n_units(curve$design))
  ))
  # Leave one group out: each group's share of errors.
  out <- withr::with_seed(1, quiet_curve(d, selectors, c(1, 3),
    resampling = leave_one_out()
  ))
  shares <- vapply(unique(d$group), function(one) {
    rows <- out$predictions$selector == "last" & out$predictions$size == 3 &
      d$group[out$predictions$sample] == one
    mean(out$predictions$truth[rows] != out$predictions$predicted[rows])
  }, 0)
  expect_equal(unname(out$values$last[, 2L]), unname(shares))
  expect_equal(out$summary$mean[[4L]], mean(shares))
  size <- best_size(out)
  best <- match(size$best_size[[2L]], out$sizes)
  expect_equal(size$plain_se[[2L]], sd(out$values$last[, best]) / sqrt(24))
})

test_that("what is printed says how many groups there are", {
  d <- grouped(31)
  curve <- withr::with_seed(1, quiet_curve(d, list(relief = plain_relief), 2,
    resampling = kfold(3), nested = leave_one_out()
  ))
  printed <- paste(capture.output(print(curve)), collapse = " ")
  expect_match(
    printed, sprintf("%d samples of 24 groups x 12 features", length(d$y))
  )
  expect_match(printed, "3-fold cross-validation,.*groups +kept +whole")
  expect_match(printed, "leave-one-group-out")
  expect_identical(glance(curve)$n_groups, 24L)
  fdr <- withr::with_seed(1, probe_fdr(d$x, d$y, plain_relief,
    times = 2, group = d$group
  ))
  expect_output(print(fdr), "samples of 24 groups x 12")
  expect_identical(glance(fdr)$n_groups, 24L)
  expect_identical(stability(curve)$n_groups, 24L)
})

test_that("what is no group is refused", {
  d <- grouped(41)
  run <- function(..., resampling = holdout(10, 0.5)) {
    error_curve(d$x, d$y, list(relief = plain_relief), 2, ...,
      resampling = resampling
    )
  }
  expect_refusal(run(group = "patient"), "group")
  expect_refusal(run(group = replace(d$group, 3L, NA)), "group", row = 3L)
  expect_refusal(run(group = rep("one", length(d$y))), "group")
  expect_refusal(run(group = as.list(d$group)), "group")
  expect_refusal(run(group = d$group, block = d$group), "block")
  expect_refusal(run(group = d$group, resampling = kfold(25)), "resampling")
  expect_refusal(
    run(group = d$group, resampling = holdout(2, 24)), "resampling"
  )
  expect_refusal(run(group = as.character(d$y)), "group")
  expect_refusal(
    probe_fdr(d$x, d$y, plain_relief, group = rep(1, length(d$y))), "group"
  )
})

# ---- permutations -----------------------------------------------------------

test_that("permutations move whole groups, within strata", {
  for (seed in some_of(1:40)) {
    group <- withr::with_seed(seed, {
      sample(rep(1:10, sample(4L, 10, replace = TRUE)))
    })
    strata <- if (seed %% 2L == 0L) 1L + group %% 2L else rep(1L, length(group))
    order <- withr::with_seed(
      seed, permuted_rows(strata, match(group, unique(group)))
    )
    from <- vapply(1:10, function(one) {
      rows <- order[group == one]
      other <- unique(group[rows])
      expect_length(other, 1L)
      expect_identical(strata[rows], strata[group == one])
      # All rows of a smaller group, none twice of a larger one.
      expect_length(unique(rows), min(sum(group == one), sum(group == other)))
      other
    }, 0L)
    expect_setequal(from, 1:10)
  }
  same <- withr::with_seed(1, permuted_rows(rep(1L, 30)))
  expect_identical(same, withr::with_seed(1, sample.int(30)))
})

test_that("labels stay within pairs of any size, or move as groups do", {
  pair <- c(1:6, 1:6, 1:3)
  y <- factor(rep(1:2, c(6, 9)))
  for (seed in 1:10) {
    order <- withr::with_seed(
      seed, permuted_labels(
        list(y = y, design = new_design(15L, list(pair = pair)))
      )
    )
    expect_identical(sort(order), seq_along(y))
    expect_identical(pair[order], pair)
  }
  codes <- list(block = rep(1:3, 5), group = rep(1:3, 5))
  y <- factor(codes$group > 1)
  problem <- list(y = y, design = new_design(15L, codes))
  expect_identical(
    withr::with_seed(1, permuted_labels(problem)),
    withr::with_seed(1, permuted_rows(codes$block, codes$group))
  )
  expect_identical(
    withr::with_seed(1, permuted_labels(problem, rep(1L, 15))),
    withr::with_seed(1, permuted_rows(rep(1L, 15), codes$group))
  )
})

test_that("the baseline of stability permutes groups and passes them on", {
  d <- grouped(47)
  labels <- list()
  spy <- function(x, y, group) {
    labels[[length(labels) + 1L]] <<- list(
      y = y, group = group, known = d$group[match(rownames(x), rownames(d$x))]
    )
    colnames(x)
  }
  withr::with_seed(1, quiet_curve(d, list(spy = spy), 2,
    resampling = holdout(3, 0.7), permuted = 4
  ))
  labels <- labels[-(1:3)]
  expect_gt(length(labels), 6L)
  for (seen in labels) {
    expect_identical(seen$group, seen$known)
    expect_true(all(
      tapply(seen$y, seen$group, function(y) length(unique(y))) == 1L
    ))
  }
})

test_that("probes move whole groups and the selector is told of them", {
  d <- grouped(53)
  spy <- function(x, y, group) {
    expect_identical(group, d$group)
    if (ncol(x) > 12L) {
      # Every sample of a group has the probes of one other group.
      at <- apply(x, 2L, function(column) match(column, d$x))
      from <- matrix(d$group[(at - 1L) %% nrow(d$x) + 1L], nrow(x))
      for (one in unique(d$group)) {
        rows <- from[d$group == one, , drop = FALSE]
        expect_true(all(rows == rep(rows[1L, ], each = nrow(rows))))
        expect_length(setdiff(rows[1L, ], one), length(unique(rows[1L, ])) - 1L)
      }
    }
    relief(x, y, group = group, threads = 1L)
  }
  for (type in c("append", "permute")) {
    found <- withr::with_seed(3, probe_fdr(d$x, d$y, spy,
      times = 3, type = type, group = d$group
    ))
    expect_identical(found$n_groups, 24L)
  }
  # Blocks must hold whole groups, and two of them at least.
  expect_refusal(probe_fdr(d$x, d$y, spy,
    group = d$group, block = seq_along(d$y) %% 2L
  ), "block")
  expect_refusal(
    probe_fdr(d$x, d$y, spy, group = d$group, block = d$group), "block"
  )
})
