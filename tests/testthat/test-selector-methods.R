# What all fits say of themselves: printing, direction, rankings.
# SPDX-License-Identifier: GPL-3.0-or-later

# Means by class in plain R: features x classes.
plain_means <- function(x, y) {
  known <- !is.na(y)
  sums <- rowsum(x[known, , drop = FALSE], y[known])[levels(y), , drop = FALSE]
  t(sums / as.vector(table(y)))
}

small <- withr::with_seed(4,
  simulate_microarray(samples = c(10, 10), genes = 30)
)

test_that("class means are those of the raw values, for every selector", {
  toy <- toy_data(n = 21L, classes = c("b", "c", "a"))
  expected <- plain_means(toy$x, toy$y)
  for (name in names(selectors)) {
    fit <- muffle(fit_seeded(selectors[[name]], toy$x, toy$y), small_data)
    expect_equal(fit$class_means, expected, tolerance = 1e-14, info = name)
    expect_named(fit$preprocess, c("method", "center", "scale", "constant"))
  }
})

test_that("class means are the same from every container, by every thread", {
  withr::local_options(hitmiss.realise_memory = 0)
  toy <- toy_data(n = 12L, noise = 600L)
  toy$x <- round(2 * toy$x)
  means <- function(x, threads = 1L) {
    relief(x, toy$y, k = 3, threads = threads)$class_means
  }
  expected <- means(toy$x)
  expect_equal(expected, plain_means(toy$x, toy$y), tolerance = 1e-14)
  whole <- toy$x
  storage.mode(whole) <- "integer"
  sparse <- Matrix::Matrix(toy$x, sparse = TRUE)
  containers <- list(
    data.frame = data.frame(toy$x), integer = whole, sparse = sparse
  )
  if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
    containers$rows <- SummarizedExperiment::SummarizedExperiment(t(toy$x))
  }
  if (requireNamespace("DelayedArray", quietly = TRUE)) {
    containers$delayed <- DelayedArray::DelayedArray(toy$x)
  }
  for (name in names(containers)) {
    expect_identical(means(containers[[name]]), expected, info = name)
  }
  for (threads in local_thread_counts()) {
    expect_identical(means(toy$x, threads), expected)
  }
  logical <- toy$x > 0
  expect_equal(
    means(logical), plain_means(1 * logical, toy$y),
    tolerance = 1e-14
  )
})

test_that("means cost no pass over data in a file", {
  skip_if_not_installed("DelayedArray")
  withr::local_options(hitmiss.realise_memory = 0)
  toy <- toy_data(noise = 100L)
  fit <- relief(DelayedArray::DelayedArray(toy$x), toy$y, k = 3, threads = 1)
  expect_identical(
    fit$class_means, relief(toy$x, toy$y, k = 3, threads = 1)$class_means
  )
  # Scaling and means, distances, margins. The mean distances come from the
  # distances, which are all in memory here.
  expect_identical(fit$report$passes, c(source = 1, scratch = 3))
})

test_that("unlabelled samples do not count", {
  toy <- toy_data(n = 20L)
  y <- toy$y
  y[c(2, 7, 11)] <- NA
  fit <- kbfs(toy$x, y, n = 4, threads = 1)
  expect_equal(fit$class_means, plain_means(toy$x, y), tolerance = 1e-14)
})

test_that("tables say in which class features are up or down, how much", {
  toy <- toy_data()
  fit <- logo(toy$x, toy$y, threads = 1)
  table <- as.data.frame(fit)
  means <- plain_means(toy$x, toy$y)[table$feature, ]
  expect_identical(table$class, colnames(means)[max.col(means)])
  expect_identical(unique(table$direction), "up")
  expect_equal(table$difference, unname(abs(means[, "b"] - means[, "a"])))
  within <- apply(toy$x, 2, function(v) {
    sqrt(sum(tapply(v, toy$y, function(v) sum((v - mean(v))^2))) /
      (length(v) - 2))
  })
  expect_equal(
    table$effect, table$difference / unname(within[table$feature])
  )
  expect_equal(table$mean_a, unname(means[, "a"]))
  expect_identical(as.data.frame(tidy(fit)), table)
  expect_identical(top_features(fit, 3), table[1:3, ])
  expect_identical(head(fit, 3), table[1:3, ])
  # g1 goes up and g2 down from the first to the second class.
  expect_identical(
    table$class[match(c("g1", "g2"), table$feature)], c("b", "a")
  )
  signed <- coef(fit, signed = TRUE, positive = "b")
  expect_identical(
    signed < 0, table$class[match(names(signed), table$feature)] == "a",
    ignore_attr = TRUE
  )
})

test_that("as far up in one class as down in another is in no class", {
  y <- factor(rep(c("a", "b", "c"), each = 4))
  x <- cbind(
    both = c(1, 0, -1)[y], up = c(2, 0, -1)[y], down = c(1, 0, -3)[y]
  ) + rep(c(-0.5, 0.5), 6)
  table <- as.data.frame(relief(x, y, k = 2, threads = 1))
  table <- table[match(colnames(x), table$feature), ]
  expect_identical(table$class, c(NA, "a", "c"))
  expect_identical(table$direction, c(NA, "up", "down"))
})

# The order of coef(signed = TRUE), by its definition: the ranking, of those
# with one score by effect; and what an enrichment analysis sums over it.
signed_order <- function(fit) {
  table <- as.data.frame(fit)
  score <- table$score
  if (is.unsorted(-score)) score <- -table$rank
  best <- order(-signif(score, 10), -abs(table$effect))
  table$feature[best]
}

enrichment <- function(stats, members) {
  stats <- sort(stats, decreasing = TRUE)
  inside <- names(stats) %in% members
  share <- abs(stats) / sum(abs(stats[inside]))
  step <- ifelse(inside, share, -1 / sum(!inside))
  sums <- cumsum(step)
  sums[[which.max(abs(sums))]]
}

test_that("signed scores order all features for an enrichment analysis", {
  set.seed(5)
  names <- paste0("g", 1:120)
  x <- matrix(rnorm(40 * 120), 40, dimnames = list(NULL, names))
  y <- rep(c("a", "b"), 20)
  x[y == "b", 1:10] <- x[y == "b", 1:10] + 1.5
  x[y == "b", 11:20] <- x[y == "b", 11:20] - 1.5
  x[, 50] <- 1
  fits <- list(
    relief(x, y), relief(x, y, "irelief"), relief(x, y, "parzen"), pwfp(x, y),
    kbfs(x, y, n = 10), kbfs(x, y, n = 10, rank_by = "entry"), logo(x, y),
    llfs(x, y, alpha = 2), turf(x, y, quick_relief), relief(round(x), y),
    relief(x, y, group = rep(1:20, 2)), relief(x, y, pair = rep(1:20, each = 2))
  )
  for (fit in fits) {
    stats <- coef(fit, signed = TRUE, positive = "b")
    where <- class(fit)[[1L]]
    expect_identical(names(stats), names)
    # What fgsea refuses or warns of.
    expect_true(all(is.finite(stats)), info = where)
    expect_identical(anyDuplicated(stats[stats != 0]), 0L, info = where)
    expect_true(any(stats > 0) && any(stats < 0))
    up <- as.data.frame(fit)
    up <- up$feature[up$class %in% "b"]
    expect_true(all(names(stats)[stats > 0] %in% up), info = where)
    # Those of equal means stand at 0, whatever their score.
    known <- setdiff(signed_order(fit), names[stats == 0])
    expect_identical(
      setdiff(names(sort(-abs(stats))), names[stats == 0]), known, info = where
    )
    expect_gt(enrichment(stats, names[1:10]), 0.5)
    expect_lt(enrichment(stats, names[11:20]), -0.5)
  }
  skip_if_not_installed("fgsea")
  sets <- list(up = names[1:10], down = names[11:20], noise = names[31:40])
  expect_silent(
    found <- fgsea::fgsea(sets, stats[stats != 0], nproc = 1, nPermSimple = 200)
  )
  signs <- sign(found$ES[match(c("up", "down"), found$pathway)])
  expect_identical(signs, c(1, -1))
})

test_that("of several classes, the farthest counts, and it may be down", {
  set.seed(1)
  y <- factor(rep(c("a", "b", "c"), each = 8))
  x <- matrix(rnorm(24 * 6), 24, dimnames = list(NULL, paste0("g", 1:6)))
  x[y == "b", 1] <- x[y == "b", 1] - 9
  x[y == "c", 2] <- x[y == "c", 2] + 9
  for (fit in list(
    pwfp(x, y, threads = 1), llfs(x, y, alpha = 2, threads = 1)
  )) {
    table <- as.data.frame(fit)
    at <- match(c("g1", "g2"), table$feature)
    expect_identical(table$class[at], c("b", "c"))
    expect_identical(table$direction[at], c("down", "up"))
    means <- plain_means(x, y)
    expect_equal(table$difference[at], unname(c(
      means["g1", "b"] - mean(means["g1", c("a", "c")]),
      means["g2", "c"] - mean(means["g2", c("a", "b")])
    )))
    expect_true("g1" %in% selected(fit, 6, "b", "down"))
    expect_false("g1" %in% selected(fit, 6, "b", "up"))
    up <- top_features(fit, 6, direction = "up")
    expect_identical(unique(up$direction), "up")
    expect_identical(up, table[up$rank, ], ignore_attr = "row.names")
  }
  expect_identical(top_features(pwfp(x, y), 1, "b")$feature, "g1")
  expect_refusal(coef(fit, signed = TRUE), "signed")
  expect_refusal(selected(fit, class = "d"), "class")
  expect_refusal(selected(fit, class = "a", direction = "left"), "direction")
})

test_that("tied means and constant features have no class", {
  x <- cbind(
    flat = 0.1, tied = c(0.1, 0.2, 0.3, 0.3, 0.2, 0.1),
    up = c(1, 2, 3, 5, 6, 9), huge = c(1, 1.1, 1.2, 1.5, 1.6, 1.7) * 1e300
  )
  y <- rep(c("a", "b"), each = 3)
  table <- as.data.frame(relief(x, y, "relief", threads = 1))
  class <- stats::setNames(table$class, table$feature)
  expect_identical(
    class[c("flat", "tied", "up", "huge")],
    c(flat = NA, tied = NA, up = "b", huge = "b")
  )
  expect_equal(table$effect[table$feature == "huge"], 5)
  # Sums beyond the largest double.
  beyond <- relief(cbind(x, far = c(8, 9, 10, 16, 17, 17) * 1e306), y, "relief",
    threads = 1
  )
  expect_equal(beyond$class_means["far", ], c(a = 9e306, b = 50e306 / 3))
})

test_that("columns of the data keep clear of the tables' own", {
  skip_if_not_installed("SummarizedExperiment")
  toy <- toy_data()
  set <- SummarizedExperiment::SummarizedExperiment(t(toy$x),
    rowData = data.frame(class = seq_len(ncol(toy$x)), difference = 1)
  )
  table <- as.data.frame(logo(set, toy$y, threads = 1))
  expect_type(table$class, "character")
  expect_setequal(table$class.1, seq_len(ncol(toy$x)))
})

test_that("rankers say that they rank, and select nothing of their own", {
  noise <- withr::with_seed(3, matrix(rnorm(20 * 1200), 20))
  y <- rep(c("a", "b"), 10)
  for (fit in list(
    relief(noise, y, k = 3, threads = 1),
    relief(noise, y, "parzen", threads = 1), pwfp(noise, y, threads = 1)
  )) {
    expect_true(is_ranker(fit))
    expect_output(print(fit), "\nranking of 1,200 features\n", fixed = TRUE)
    expect_false(any(grepl("selected", utils::capture.output(print(fit)))))
    error <- expect_refusal(selected(fit), "n")
    expect_match(conditionMessage(error), "selected(fit, n = 20)", fixed = TRUE)
    best <- names(fit$scores)[fit$ranking]
    expect_identical(selected(fit, n = 700), best[1:700])
    expect_true(all(is.na(as.data.frame(fit)$selected)))
    expect_identical(glance(fit)$n_selected, NA_integer_)
  }
  for (name in c("llfs", "logo", "relief irelief", "kbfs")) {
    toy <- toy_data(n = 20L)
    fit <- muffle(fit_seeded(selectors[[name]], toy$x, toy$y), small_data)
    expect_false(is_ranker(fit), info = name)
    expect_identical(selected(fit), fit$selected, info = name)
    expect_output(print(fit), "features (selected|used)", info = name)
  }
})

test_that("a list taken from a ranking holds no constant feature", {
  toy <- toy_data()
  x <- cbind(flat = 1, toy$x)
  for (fit in list(
    relief(x, toy$y, k = 3, threads = 1), pwfp(x, toy$y, threads = 1)
  )) {
    expect_setequal(selected(fit, n = 100), colnames(toy$x))
  }
})

test_that("the spheres of a prediction can be written to a file", {
  toy <- withr::with_seed(4, simulate_localized(c(8, 8, 12), noise = 6))
  fit <- fit_seeded(llfs, toy$x, toy$y, alpha = 2)
  spheres <- predict(fit, toy$x[1:3, ], type = "spheres", threads = 1)
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(spheres, file, row.names = FALSE)
  again <- utils::read.csv(file)
  expect_identical(again$features, spheres$features)
  used <- subsets_of(fit)[, spheres$representative[[1L]]]
  expect_identical(
    strsplit(spheres$features[[1L]], "; ", fixed = TRUE)[[1L]],
    names(which(used))
  )
})

test_that("other packages' generics find the methods of fits", {
  toy <- toy_data()
  fits <- list(
    relief(toy$x, toy$y), llfs(toy$x, toy$y, alpha = 2), pwfp(toy$x, toy$y)
  )
  withr::local_timezone("UTC")
  if (requireNamespace("caret", quietly = TRUE)) {
    for (fit in fits) {
      used <- names(predict(fit, toy$x, type = "features") |> as.data.frame())
      expect_identical(caret::predictors(fit), used)
      expect_identical(caret::varImp(fit)$Overall, unname(coef(fit)))
      expect_identical(rownames(caret::varImp(fit)), names(coef(fit)))
    }
  }
  skip_if_not_installed("stabs")
  for (fit in fits) {
    expect_identical(stabs::selected(fit, n = 2), selected(fit, n = 2))
  }
  found <- probe_fdr(toy$x, toy$y, quick_relief, times = 2)
  expect_identical(stabs::selected(found, q = 0.9), selected(found, q = 0.9))
  agreement <- stability(list(c("a", "b"), "a"), n_features = 4)
  expect_identical(stabs::selected(agreement), selected(agreement))
})

test_that("selectors and classes that cannot serve are refused", {
  refused(
    probe_fdr(small$x, small$y, function(x) 1),
    "`selector` must take two arguments"
  )
  refused(
    error_curve(small$x[1:3, ], c("a", "b", "c"), function(x, y) 1,
      sizes = 1, resampling = holdout()
    ),
    "every class has a single sample"
  )
})

test_that("a rare class ruins neither the ranking nor the lists in turn", {
  p <- withr::with_seed(3, {
    y <- rep(letters[1:4], c(30, 30, 30, 6))
    x <- matrix(rnorm(96 * 300), 96, dimnames = list(NULL, seq_len(300)))
    for (class in 1:3) {
      own <- class * 10 - 9:0
      x[y == letters[class], own] <- x[y == letters[class], own] + 1
    }
    list(x = x, y = y)
  })
  true <- function(rare, by) {
    rows <- seq_len(90 + rare)
    fit <- relief(p$x[rows, ], p$y[rows], threads = 1)
    sum(selected(fit, 30, by = by) %in% 1:30)
  }
  for (rare in c(2, 3, 6)) {
    expect_gte(true(rare, "score"), true(0, "score") - 2)
    expect_gte(true(rare, "class"), true(0, "class") - 4)
  }
  # A class of two gives nothing, one of six in six of ten rounds.
  best <- function(rare) {
    rows <- seq_len(90 + rare)
    fit <- relief(p$x[rows, ], p$y[rows], threads = 1)
    margins <- fit$class_margins[selected(fit, 20, by = "class"), ]
    tabulate(max.col(margins[rowSums(margins > 0) == 1L, ]), 4L)[[4L]]
  }
  expect_identical(best(2), 0L)
  expect_lte(best(6), 4L)
  fit <- logo(p$x[1:92, 1:40], p$y[1:92], threads = 1)
  expect_setequal(selected(fit, by = "class"), selected(fit))
})

test_that("no list holds what is constant within each block", {
  data <- toy_data(n = 30L)
  block <- rep(1:3, 10)
  x <- cbind(data$x, batch = block, other = block^2 / 7)
  time <- survival::Surv(seq_len(30), rep(1, 30))
  for (y in list(data$y, time)) {
    fit <- relief(x, y, block = block, threads = 1)
    expect_setequal(selected(fit, Inf), colnames(data$x))
  }
})
