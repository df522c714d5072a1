# markers(): against plain means, variances and shares; lists; containers.
# SPDX-License-Identifier: GPL-3.0-or-later

plain_markers <- function(x, y, class, sign = 1) {
  inside <- y == class
  rows <- lapply(seq_len(ncol(x)), function(j) {
    a <- x[inside, j]
    b <- x[!inside, j]
    d <- mean(a) - mean(b)
    data.frame(
      feature = colnames(x)[[j]], difference = d,
      effect_raw = d / sqrt(
        (var(a) * (length(a) - 1) + var(b) * (length(b) - 1)) /
          (length(x[, j]) - 2)
      ),
      share_in = mean(a != 0), share_out = mean(b != 0),
      t = d / sqrt(var(a) / length(a) + var(b) / length(b))
    )
  })
  table <- do.call(rbind, rows)
  table$rank_t <- rank(-sign * table$t)
  table
}

marker_data <- function(seed = 1) {
  withr::with_seed(seed, {
    y <- factor(sample(c("B", "NK", "T"), 90, TRUE, c(0.5, 0.3, 0.2)))
    x <- matrix(rpois(90 * 150, 1), 90)
    for (k in 1:3) {
      own <- 10 * k + 1:6
      x[as.integer(y) == k, own] <- x[as.integer(y) == k, own] +
        rpois(6 * sum(as.integer(y) == k), 2)
    }
    x <- log2(x + 1)
    x[, 150] <- 0
    dimnames(x) <- list(NULL, paste0("g", 1:150))
    list(x = x, y = y)
  })
}

test_that("the columns are what their definitions say, dense and sparse", {
  p <- marker_data()
  found <- markers(p$x, p$y, n = 8, threads = 1)
  for (class in levels(p$y)) {
    mine <- found[found$class == class, ]
    plain <- plain_markers(p$x, p$y, class)
    plain <- plain[match(mine$feature, plain$feature), ]
    for (column in names(plain)) {
      expect_equal(mine[[column]], plain[[column]],
        tolerance = 1e-10, info = paste(class, column)
      )
    }
    expect_identical(mine$rank, 1:8)
    expect_true(all(mine$difference > 0 & mine$direction == "up"))
    own <- paste0("g", 10 * match(class, levels(p$y)) + 1:6)
    expect_setequal(mine$feature[1:6], own)
    expect_equal(
      unname(found$mean[mine$feature, class]),
      unname(colMeans(p$x[p$y == class, mine$feature]))
    )
    expect_equal(
      unname(found$share[mine$feature, class]),
      unname(colMeans(p$x[p$y == class, mine$feature] > 0))
    )
    # kbfs() against the rest, among the candidates.
    effect <- plain_markers(p$x, p$y, class)$effect
    best <- order(-effect)[1:50]
    best <- best[effect[best] > 0]
    fit <- kbfs(p$x[, best], factor(p$y == class), n = 4, threads = 1)
    expect_equal(mine$weight, unname(coef(fit)[mine$feature]))
    expect_identical(mine$feature, utils::head(c(
      selected(fit), setdiff(colnames(p$x)[best], selected(fit))
    ), 8L))
  }
  sparse <- markers(
    Matrix::Matrix(p$x, sparse = TRUE), p$y, n = 8, threads = 2
  )
  expect_equal(as.data.frame(sparse), as.data.frame(found), tolerance = 1e-9)
  skip_if_not_installed("SingleCellExperiment")
  cells <- SingleCellExperiment::SingleCellExperiment(
    list(logcounts = t(p$x)),
    rowData = S4Vectors::DataFrame(symbol = toupper(colnames(p$x)))
  )
  cells$cluster <- p$y
  held <- markers(cells, "cluster", n = 8, threads = 1)
  expect_identical(held$symbol, toupper(held$feature))
  expect_equal(held$t, found$t)
})

test_that("directions, probes, pictures, and few or odd classes", {
  p <- marker_data(2)
  down <- markers(-p$x, p$y, n = 6, direction = "down", threads = 1)
  up <- markers(p$x, p$y, n = 6, threads = 1)
  expect_setequal(
    down$feature[down$class == "T"], up$feature[up$class == "T"]
  )
  any <- markers(p$x, p$y, n = 20, direction = "any", threads = 1)
  expect_true(all(c("up", "down") %in% any$direction) ||
    all(any$direction == "up"))
  expect_true(all(is.na(up$q)))
  withr::local_seed(1)
  some <- markers(p$x, p$y, n = 6, times = 3, threads = 1)
  expect_true(all(some$q > 0 & some$q <= 1))
  expect_lt(min(some$q), 0.3)
  expect_output(print(some), "markers \\(up\\) of 3 classes: 90 samples x 150")
  expect_identical(glance(some)$n_classes, 3L)
  none <- markers(p$x * 0, p$y, threads = 1)
  expect_identical(nrow(none), 0L)
  skip_if_not_installed("ggplot2")
  expect_refusal(plot(none), "object")
  picture <- ggplot2::autoplot(some, n = 3)
  expect_s3_class(picture, "ggplot")
  expect_setequal(
    as.character(picture$data$y), unique(some$feature[some$rank <= 3])
  )
  # Many names lie side by side.
  many <- ggplot2::autoplot(any, n = 20)
  expect_identical(levels(many$data$x), unique(any$feature))
  expect_identical(rev(levels(many$data$y)), levels(p$y))
  one <- suppressWarnings(
    markers(p$x, factor(c("only", rep("rest", 89))), n = 3, threads = 1)
  )
  expect_true(all(is.finite(one$difference)))
  expect_input_error(markers(p$x, p$y, n = 0))
  expect_input_error(markers(p$x, p$y, direction = "sideways"))
  expect_input_error(markers(p$x, p$y, times = -1))
  expect_input_error(markers(p$x, p$y, wrong = 1))
})

test_that("q is by whole groups, and likely groups are told once", {
  p <- patients()
  run <- function(...) {
    withr::with_seed(1, markers(p$x, p$y, n = 10, ..., threads = 1))
  }
  said <- said_groups(alone <- run(times = 10))
  expect_length(said, 1L)
  expect_match(conditionMessage(said[[1L]]), "20 patients")
  # Labels are random by patient.
  expect_gt(sum(alone$q <= 0.1), 5)
  expect_silent(grouped <- run(times = 10, group = p$patient))
  expect_identical(sum(grouped$q <= 0.1), 0L)
  others <- setdiff(names(alone), "q")
  expect_identical(as.data.frame(grouped)[others], as.data.frame(alone)[others])
  expect_silent(run())
  expect_refusal(run(group = p$patient[-1]), "group")
  skip_if_not_installed("SummarizedExperiment")
  held <- SummarizedExperiment::SummarizedExperiment(list(t(p$x)),
    colData = S4Vectors::DataFrame(type = p$y, donor = p$patient)
  )
  found <- withr::with_seed(1, markers(held, "type",
    n = 10, times = 10, group = "donor", threads = 1
  ))
  expect_identical(found$q, grouped$q)
})

test_that("a class without any marker has no row, with and without q", {
  p <- marker_data()
  p$x[p$y == "B", ] <- p$x[p$y == "B", ] - 20
  for (times in 0:1) {
    found <- markers(p$x, p$y, n = 3, times = times, threads = 1)
    expect_identical(unique(found$class), c("NK", "T"))
  }
})

# In each round every class gives the best feature that none has given.
plain_rounds <- function(margins) {
  given <- character()
  repeat {
    best <- apply(margins, 2, function(m) {
      m <- m[setdiff(names(m)[m > 0], given)]
      if (length(m) > 0L) names(m)[[which.max(m)]] else NA
    })
    best <- best[!is.na(best)]
    if (length(best) == 0L) {
      return(given)
    }
    size <- margins[cbind(best, names(best))]
    given <- c(given, unique(best[order(-size)]))
  }
}

test_that("a list in turn has the best feature of each class first", {
  p <- marker_data(3)
  other <- relief(p$x, p$y, "multisurf", threads = 1)
  table <- as.data.frame(other)
  table <- table[table$score > 0, ]
  turn <- stats::ave(seq_len(nrow(table)), table$class, FUN = seq_along)
  expected <- table$feature[order(turn, table$rank)]
  expect_identical(selected(other, length(expected), by = "class"), expected)
  fit <- suppressWarnings(relief(p$x, p$y, threads = 1))
  table <- as.data.frame(fit)
  expect_lt(max(abs(
    fit$class_margins -
      reference_balanced(reference_scale(p$x), p$y)$class_margins
  )), 1e-12)
  expected <- plain_rounds(fit$class_margins)
  expect_identical(selected(fit, length(expected), by = "class"), expected)
  expect_identical(selected(fit, 20), as.data.frame(fit)$feature[1:20])
  expect_output(
    print(fit), paste("best 50 by class:", toString(paste(
      fit$classes, table(factor(
        table$class[match(usual_list(fit)[1:50], table$feature)], fit$classes
      ))
    )))
  )
  # Predictions, curves and pictures are made of it.
  new <- predict(fit, p$x, type = "features", n = 9)
  expect_identical(colnames(new), expected[1:9])
  expect_identical(colnames(hitmiss:::vote_space(fit, 9)$values), expected[1:9])
  listed <- hitmiss:::fit_feature_list(fit, colnames(p$x), NA, NULL)$order
  expect_identical(colnames(p$x)[listed[seq_along(expected)]], expected)
  expect_setequal(listed, which(!fit$preprocess$constant))
  expect_error(
    selected(relief(p$x, as.numeric(p$y), "rrelieff"), 3, by = "class"),
    class = "hitmiss_error_input"
  )
  rest <- p$y != "T"
  two <- suppressWarnings(relief(p$x[rest, ], droplevels(p$y[rest])))
  expect_identical(
    colnames(predict(two, p$x, type = "features", n = 9)), selected(two, 9)
  )
})
