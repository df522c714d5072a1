# audit_labels() against its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

# Every sample is classified by evidence or spheres that never had it: its own
# sphere and its own place among the neighbours are gone.
reference_audit <- function(fit, z, y, rule, evidence) {
  subsets <- lapply(seq_along(y), \(i) unname(which(subsets_of(fit)[, i])))
  radius <- fit$local$radius
  vapply(seq_along(y), function(n) {
    voted <- ref_classify(
      z[-n, , drop = FALSE], y[-n], z[n, ], subsets[-n], radius[-n], rule,
      evidence[-n], fit$local$intercept
    )
    inside <- vapply(seq_along(y)[-n], function(i) {
      ref_distances(z, z[n, ], subsets[[i]])[[i]] <= radius[[i]] * (1 + 1e-12)
    }, NA)
    silent <- is.null(evidence) && sum(voted$similarity) == 0
    share <- if (any(inside) && !silent) {
      voted$prob[[as.integer(y[[n]])]]
    } else {
      NA
    }
    c(share, sum(inside))
  }, numeric(2L))
}

test_that("a sample is judged by spheres of the others, which do not know it", {
  compared <- c(judged = 0, outside = 0)
  for (p in llfs_problems(1:60)) {
    if (min(table(p$y)) < 2) next
    vote <- c("evidence", "spheres", "frames", "spheres")[[p$seed %% 4L + 1L]]
    rule <- if (vote != "spheres") {
      "none"
    } else {
      c("none", "half", "full")[[p$seed %% 3L + 1L]]
    }
    fit <- suppressWarnings(
      llfs(p$x, p$y, alpha = 3, neighbour = rule, vote = vote, threads = 1)
    )
    z <- ref_scale(p$x)
    evidence <- if (vote != "spheres") {
      lapply(seq_along(p$y), \(i) fit_evidence(fit, i))
    }
    expected <- reference_audit(fit, z, p$y, rule, evidence)
    audit <- audit_labels(fit, threads = 1)
    table <- as.data.frame(audit)
    at <- match(table$sample, fit$local$samples %||% seq_along(p$y))
    expect_equal(table$suspicion, 1 - expected[1, at], tolerance = 1e-9)
    expect_equal(table$spheres, expected[2, at], tolerance = 0)
    expect_identical(table$class, p$y[at])
    compared <- compared + c(
      sum(!is.na(table$suspicion)), sum(is.na(table$suspicion))
    )
  }
  expect_gt(min(compared), 50)
})

# The regression of the default vote has learned from all labels. What it says
# of a sample, less the sample's own part, doubted a third of these.
test_that("no more labels are doubted than a classifier errs on", {
  data <- block_data(1L, c(50, 50), 20, 1.2, rho = 0, relevant = 4, size = 1)
  fit <- llfs(data$x, data$y, alpha = 2, threads = 1)
  parts <- split(seq_len(100), rep_len(1:10, 100))
  wrong <- lapply(parts, function(test) {
    fit <- llfs(data$x[-test, ], data$y[-test], alpha = 2, threads = 1)
    predict(fit, data$x[test, ], threads = 1) != data$y[test]
  })
  doubted <- glance(audit_labels(fit, threads = 1))$n_doubted
  expect_lte(doubted, sum(unlist(wrong)) + 3)
})

test_that("neighbours are counted among the other samples, nearest first", {
  data <- toy_data(n = 20L)
  fit <- llfs(data$x, data$y, alpha = 2, threads = 1)
  d <- as.matrix(dist(fit$local$training))
  diag(d) <- Inf
  for (k in c(1, 5, 19)) {
    expected <- vapply(1:20, function(n) {
      mean(data$y[order(d[n, ])[1:k]] != data$y[[n]])
    }, 0)
    table <- audit_labels(fit, k = k, threads = 1)
    expect_equal(
      table$neighbours, expected[match(table$sample, rownames(data$x))]
    )
  }
  expect_identical(audit_labels(fit, k = 100)$k, 19L)
})

test_that("flipped labels come first, and threads change nothing", {
  data <- toy_data(n = 40L)
  # Classes that are far apart.
  data$x[, 1:2] <- data$x[, 1:2] + 2 * outer(as.integer(data$y), c(1, -1))
  y <- data$y
  y[c(3, 8)] <- rev(levels(y))[y[c(3, 8)]]
  for (vote in c("spheres", "evidence")) {
    fit <- llfs(data$x, y, alpha = 2, vote = vote, threads = 1)
    audit <- audit_labels(fit, threads = 1)
    expect_setequal(audit$sample[1:2], rownames(data$x)[c(3, 8)])
    expect_identical(audit$table, audit_labels(fit, threads = 2)$table)
  }
  expect_snapshot(print(audit))
  expect_identical(
    glance(audit)$n_doubted, sum(audit$suggested != audit$class)
  )
})

test_that("what is no fit of llfs() is refused", {
  data <- toy_data()
  expect_refusal(audit_labels(relief(data$x, data$y, threads = 1)), "fit")
  expect_refusal(audit_labels(data$x), "fit")
  fit <- llfs(data$x, data$y, alpha = 2, threads = 1)
  expect_refusal(audit_labels(fit, k = 0), "k")
})
