# Results of selectors that are no scores: told by their values.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- withr::with_seed(13, {
  x <- matrix(rnorm(24 * 12), 24, dimnames = list(NULL, paste0("g", 1:12)))
  x[1:12, 3] <- x[1:12, 3] + 3
  list(x = x, y = factor(rep(c("case", "control"), each = 12)))
})
p_values <- function(x, y) apply(x, 2, function(v) stats::t.test(v ~ y)$p.value)

# Classes of what a selector is told, by two verbs that call it.
said <- function(selector) {
  found <- character()
  hear <- function(code) {
    withCallingHandlers(
      tryCatch(code, error = function(e) found <<- c(found, class(e)[[1L]])),
      warning = function(w) {
        found <<- c(found, class(w)[[1L]])
        invokeRestart("muffleWarning")
      }
    )
  }
  hear(error_curve(data$x, data$y, list(a = selector), 1,
    resampling = kfold(3)
  ))
  hear(probe_fdr(data$x, data$y, selector, times = 1))
  unique(found)
}

expect_told <- function(selectors, class) {
  for (name in names(selectors)) {
    found <- setdiff(said(selectors[[name]]), "hitmiss_warning_inside")
    expect_true(class %in% found, info = paste(name, toString(found)))
  }
}

test_that("scores that run against the classes are warned of", {
  helpers <- list(
    t = function(x, y) p_values(x, y),
    wilcoxon = function(x, y) {
      apply(x, 2, \(v) stats::wilcox.test(v ~ y, exact = FALSE)$p.value)
    },
    analysis = function(x, y) {
      apply(x, 2, \(v) stats::anova(stats::lm(v ~ y))[1, 5])
    },
    product = function(x, y) p_values(x, y) * p_values(x^3, y),
    share = function(x, y) p_values(x, y)^0.1
  )
  expect_told(c(helpers, list(
    negative = function(x, y) {
      -abs(apply(x, 2, \(v) stats::t.test(v ~ y)$statistic))
    },
    errors = function(x, y) 100 * p_values(x, y),
    least = function(x, y) {
      rank(round(p_values(x, y), 1), ties.method = "min")
    }
  )), "hitmiss_warning_scores")
})

test_that("scores whose sign is that of the difference are warned of", {
  expect_told(list(
    t = function(x, y) apply(x, 2, \(v) stats::t.test(v ~ y)$statistic),
    correlation = function(x, y) stats::cor(x, as.integer(y))[, 1],
    difference = function(x, y) {
      colMeans(x[y == "case", ]) - colMeans(x[y == "control", ])
    }
  ), "hitmiss_warning_scores")
})

test_that("scores in the right order, and of chance, are not warned of", {
  fine <- list(
    log = function(x, y) -log10(p_values(x, y)),
    complement = function(x, y) 1 - p_values(x, y),
    fisher = function(x, y) reference_scores(x, y),
    mrmr = function(x, y) reference_scores(x, y, "mrmr"),
    relief = function(x, y) coef(relief(x, y, k = 3)),
    variance = function(x, y) apply(x, 2, stats::var),
    names = function(x, y) names(sort(p_values(x, y))),
    none = function(x, y) character()
  )
  for (name in names(fine)) {
    expect_identical(said(fine[[name]]), character(), info = name)
  }
  # Of 300 draws at chance, few may be called reversed or signed.
  wrong <- withr::with_seed(1, replicate(300, {
    scores <- stats::setNames(stats::rnorm(12), colnames(data$x))
    found <- order_agreement(scores, data$x, data$y)
    c(-found[["scores"]], found[["sizes"]]) > found[["chance"]]
  }))
  expect_lt(sum(wrong), 5)
})

test_that("positions, ranks, flags and text are refused with what to return", {
  two_meanings <- list(
    which = function(x, y) which(p_values(x, y) < 0.9),
    ranks = function(x, y) rank(p_values(x, y)),
    reversed = function(x, y) rank(-p_values(x, y)),
    ties = function(x, y) rank(round(p_values(x, y), 1)),
    some = function(x, y) rank(sort(p_values(x, y))[1:5]),
    order = function(x, y) order(p_values(x, y)),
    unnamed = function(x, y) unname(p_values(x, y)),
    text = function(x, y) format(p_values(x, y)),
    flags = function(x, y) p_values(x, y) < 0.1,
    factor = function(x, y) factor(names(sort(p_values(x, y))))
  )
  expect_told(two_meanings, "hitmiss_error_selector")
})

test_that("scores of which none is better, and columns in order, are told", {
  expect_told(list(
    one = function(x, y) stats::setNames(rep(1, ncol(x)), colnames(x)),
    zero = function(x, y) 0 * p_values(x, y),
    missing = function(x, y) NA_real_ * p_values(x, y),
    columns = function(x, y) colnames(x)[-4]
  ), "hitmiss_warning_scores")
})
