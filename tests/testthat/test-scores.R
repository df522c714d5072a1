# The object that reference_scores() returns.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- margin_problem(2)

some_scores <- function(method = "fisher", ...) {
  muffle(
    withr::with_seed(
      1, reference_scores(data$x, data$y, method, ..., threads = 1)
    ),
    small_data
  )
}

test_that("scores are a named numeric vector", {
  scores <- some_scores()
  expect_true(is.numeric(scores))
  expect_identical(names(scores), colnames(data$x))
  expect_identical(as.numeric(scores), unname(c(scores)))
  plain <- c(scores)
  expect_null(attributes(plain)$class)
  for (same in list(
    \(x) x[3:1], \(x) sort(x), \(x) rev(x), \(x) head(x, 2), \(x) -x,
    \(x) x + x,
    \(x) 2 * x, \(x) x > 1, \(x) sqrt(x), \(x) round(x, 2), \(x) order(x),
    \(x) max(x), \(x) x[["f1"]], \(x) cumsum(x), \(x) range(x), \(x) x == x,
    \(x) !x, \(x) rank(x), \(x) is.na(x), \(x) which.max(x)
  )) {
    expect_identical(same(scores), same(plain))
  }
})

test_that("tables and selections are in the order of the scores", {
  for (method in eval(formals(reference_scores)$method)) {
    scores <- some_scores(method)
    table <- as.data.frame(scores)
    expect_identical(tidy(scores), tidy_table(table))
    expect_identical(coef(scores), c(scores)[names(scores)])
    expect_identical(top_features(scores, 3), table[1:3, ])
    expect_identical(table$rank, seq_along(scores))
    expect_false(is.unsorted(-table$score), info = method)
    expect_identical(unname(c(scores)[table$feature]), table$score)
    expect_identical(selected(scores, 3), head(
      hitmiss:::as_feature_list(c(scores), names(scores))$order, 3
    ) |> (\(at) names(scores)[at])())
    row <- glance(scores)
    expect_identical(nrow(row), 1L)
    expect_identical(row$method, method)
    expect_identical(row$n_features, length(scores))
    expect_output(print(scores), "scores of .* features")
  }
})

test_that("selected() asks for n, and leaves out what nothing orders", {
  error <- expect_error(selected(some_scores()), class = "hitmiss_error_input")
  expect_identical(error$arg, "n")
  x <- cbind(a = c(1, 2, 6, 7), b = 0, c = 1, d = c(1, 5, 2, 7))
  scores <- reference_scores(x, c("u", "u", "v", "v"), threads = 1)
  expect_identical(selected(scores, 4), c("a", "d"))
})

test_that("scores go where named scores go", {
  scores <- some_scores("laplacian")
  plain <- c(scores)
  relevant <- c("f1", "f2")
  expect_identical(
    selection_roc(scores, relevant)$table, selection_roc(plain, relevant)$table
  )
  for (size in c(NA, 2)) {
    expect_identical(
      hitmiss:::as_feature_list(scores, names(scores), size),
      hitmiss:::as_feature_list(plain, names(scores), size)
    )
  }
  expect_identical(
    hitmiss:::probe_scores(scores, names(scores)),
    hitmiss:::probe_scores(plain, names(scores))
  )
  some <- function(finish) {
    withr::with_seed(1, muffle(error_curve(data$x, data$y, list(
      s = function(x, y) {
        finish(reference_scores(x, y, "trace_ratio", threads = 1))
      }
    ), sizes = 1:3, resampling = holdout(3)), small_data))$results
  }
  expect_identical(some(identity), some(c))
})

test_that("LSDF takes the unlabelled samples of an error curve", {
  seen <- 0
  array <- withr::with_seed(1,
    simulate_microarray(samples = c(20, 20), genes = 30)
  )
  curve <- withr::with_seed(1, error_curve(array$x, array$y, list(
    lsdf = function(x, y) {
      seen <<- seen + sum(is.na(y))
      reference_scores(x, y, "lsdf", threads = 1)
    }
  ), sizes = 5, resampling = holdout(2, labelled = 0.5)))
  expect_gt(seen, 0)
  expect_false(anyNA(curve$results$value))
})

test_that("annotation and parameters are kept", {
  scores <- some_scores("trace_ratio", supervised = FALSE, k = 2, n = 3)
  expect_identical(
    attr(scores, "parameters"), list(k = 2L, n = 3L, supervised = FALSE)
  )
  expect_null(attr(some_scores("chisq", discretise = "mdl"), "parameters")$bins)
  skip_if_not_installed("SummarizedExperiment")
  set <- SummarizedExperiment::SummarizedExperiment(
    list(values = t(data$x)),
    rowData = S4Vectors::DataFrame(symbol = paste0("s", seq_len(ncol(data$x))))
  )
  scores <- reference_scores(set, data$y, threads = 1)
  expect_identical(
    top_features(scores, 4)$symbol,
    sub("f", "s", top_features(scores, 4)$feature)
  )
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(scores, n = 3, label = "symbol")
  expect_identical(as.character(picture$data$name), sub("f", "s",
    selected(scores, 3)))
})

test_that("the picture shows the best n, and refuses what it does not know", {
  skip_if_not_installed("ggplot2")
  scores <- some_scores("simba")
  picture <- ggplot2::autoplot(scores, n = 4)
  expect_identical(picture$data$feature, top_features(scores, 4)$feature)
  expect_error(ggplot2::autoplot(scores, n = 0), class = "hitmiss_error_input")
  expect_error(
    ggplot2::autoplot(scores, label = "x"), class = "hitmiss_error_input"
  )
  expect_error(plot(scores, type = "trace"), class = "hitmiss_error_input")
})
