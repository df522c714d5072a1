# The localized classifier against helper-reference-llfs.R.

compare_with_reference <- function(p, rule, vote = "spheres") {
  n <- length(p$y)
  fit <- suppressWarnings(llfs(p$x, p$y,
    alpha = 3, neighbour = rule, vote = vote, threads = 1
  ))
  z <- ref_scale(p$x)
  subsets <- lapply(seq_len(n), function(i) unname(which(fit$local$subsets[, i])))
  odds <- if (vote == "evidence") {
    t(vapply(seq_len(n), function(i) {
      ref_log_odds(z, p$y, i, subsets[[i]], fit$local$radius[[i]])
    }, numeric(4L)))
  }
  set.seed(p$seed)
  new <- rbind(p$x[1:3, , drop = FALSE], p$x[sample(n, 4L), , drop = FALSE] +
    round(rnorm(4L * ncol(p$x)), p$seed %% 2L))
  scaled <- sweep(sweep(new, 2L, colMeans(p$x)), 2L, {
    s <- apply(p$x, 2L, sd)
    ifelse(s > 0, s, 1)
  }, "/")
  expected <- lapply(seq_len(nrow(new)), function(r) {
    ref_classify(
      z, p$y, scaled[r, ], subsets, fit$local$radius, rule, odds
    )
  })
  get <- function(field) t(sapply(expected, `[[`, field))
  similarity <- predict(fit, new, type = "similarity", threads = 1)
  expect_equal(unname(similarity), get("similarity"), tolerance = 1e-9)
  expect_equal(
    unname(predict(fit, new, type = "prob", threads = 1)), get("prob"),
    tolerance = 1e-9
  )
  expect_equal(
    as.character(predict(fit, new, threads = 1)),
    vapply(expected, `[[`, "", "class")
  )
}

test_that("similarity, probability and class follow the definition", {
  for (p in llfs_problems(60)) {
    compare_with_reference(p, c("none", "half", "full")[[p$seed %% 3L + 1L]])
  }
})

test_that("evidence: log odds of cells", {
  for (p in llfs_problems(30)) {
    compare_with_reference(p, "none", "evidence")
  }
})

test_that("spheres add up to the similarity and name their features", {
  set.seed(4)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  for (rule in c("none", "half", "full")) {
    fit <- llfs(toy$x, toy$y, alpha = 2, neighbour = rule, threads = 1)
    new <- toy$x + rnorm(length(toy$x), sd = 0.5)
    spheres <- predict(fit, new, type = "spheres", threads = 1)
    expect_named(spheres, c(
      "sample", "representative", "class", "distance", "radius", "vote",
      "features"
    ))
    votes <- tapply(
      spheres$vote,
      list(
        factor(spheres$sample, rownames(new)),
        factor(spheres$class, levels(toy$y))
      ),
      sum,
      default = 0
    )
    similarity <- sweep(votes, 2L, table(toy$y), "/")
    expect_equal(
      unname(similarity[]),
      unname(predict(fit, new, type = "similarity", threads = 1)),
      ignore_attr = TRUE
    )
    expect_true(all(spheres$distance <= spheres$radius * (1 + 1e-9)))
    row <- spheres[1L, ]
    expect_equal(
      row$features[[1L]],
      names(which(fit$local$subsets[, row$representative]))
    )
  }
})

test_that("threads, missing values, one row and none", {
  set.seed(6)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
  counts <- local_thread_counts()
  for (type in c("class", "prob", "similarity", "spheres")) {
    one <- predict(fit, toy$x, type = type, threads = 1)
    for (threads in counts) {
      expect_identical(predict(fit, toy$x, type = type, threads = threads), one)
    }
  }
  holes <- toy$x[1:4, ]
  holes[2L, fit$selected[[1L]]] <- NA
  holes[3L, fit$selected[[1L]]] <- Inf
  expect_equal(is.na(predict(fit, holes, threads = 1)), c(FALSE, TRUE, TRUE, FALSE))
  expect_true(all(is.na(predict(fit, holes, type = "prob", threads = 1)[2:3, ])))
  spheres <- predict(fit, holes, type = "spheres", threads = 1)
  expect_true(all(spheres$sample %in% c(1, 4)))
  expect_length(predict(fit, holes[1L, , drop = FALSE], threads = 1), 1L)
  expect_length(predict(fit, holes[0L, ], threads = 1), 0L)
  expect_equal(dim(predict(fit, holes[0L, ], type = "prob", threads = 1)), c(0L, 2L))
})
