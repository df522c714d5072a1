# What is drawn is what the fit holds, under the names that the user gave.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

drawn <- function(picture, layer = 1L) ggplot2::layer_data(picture, layer)

y_labels <- function(picture) {
  built <- ggplot2::ggplot_build(picture)
  as.character(built$layout$panel_params[[1L]]$y$get_labels())
}

awkward_names <- c(
  "HLA-DRB1*15:01", "1405_i_at", "_x", "a b", "~1", "Hsa.8147 (100%)"
)

toy_fit <- function() {
  set.seed(1)
  toy <- simulate_localized(samples = c(8, 9, 12), noise = 10)
  colnames(toy$x)[1:6] <- awkward_names
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  list(
    toy = toy,
    fit = llfs(toy$x, toy$y, alpha = 3, threads = 1)
  )
}

into_nowhere <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}

test_that("plot() draws, returns a ggplot invisibly, autoplot() returns it", {
  fit <- toy_fit()$fit
  for (type in names(plot_types(fit))) {
    into_nowhere({
      result <- withVisible(plot(fit, type))
    })
    expect_true(inherits(result$value, "ggplot"), label = type)
    expect_false(result$visible)
    expect_true(inherits(ggplot2::autoplot(fit, type), "ggplot"))
  }
  expect_equal(
    names(plot_types(fit)),
    c("frequency", "map", "votes", "scores", "gene", "volcano")
  )
})

test_that("scores are drawn in rank order, under unmangled names", {
  fit <- toy_fit()$fit
  picture <- ggplot2::autoplot(fit, "scores", n = 4)
  points <- drawn(picture, 3L)
  top <- utils::head(top_features(fit, 4), fit$n_ranked)
  expect_equal(rev(points$x[order(points$y)]), top$score)
  expect_equal(rev(y_labels(picture)), top$feature)
  expect_equal(points$fill == "#0072B2", top$selected)
})

test_that("frequency draws each class's shares", {
  fit <- toy_fit()$fit
  picture <- ggplot2::autoplot(fit, n = 5)
  table <- top_features(fit, min(5L, length(fit$selected)))
  dots <- drawn(picture, 3L)
  for (l in seq_along(fit$classes)) {
    panel <- dots[dots$PANEL == l, ]
    share <- table[[fit$classes[[l]]]]
    expect_equal(rev(panel$x[order(panel$y)]), share[share > 0])
  }
  expect_equal(rev(y_labels(picture)), table$feature)
})

test_that("the map marks each feature of each representative", {
  fit <- toy_fit()$fit
  n <- min(4L, length(fit$selected))
  tiles <- ggplot2::autoplot(fit, "map", n = n)$data
  subsets <- as.matrix(subsets_of(fit))[selected(fit, n), ] > 0
  # Columns are samples by class.
  subsets <- subsets[, order(factor(fit$local$class, fit$classes))]
  expect_equal(nrow(tiles), sum(subsets))
  at <- cbind(match(tiles$name, rownames(subsets)), tiles$column)
  expect_true(all(subsets[at]))
})

test_that("bad arguments are refused with a class", {
  fit <- toy_fit()$fit
  expect_input_error(plot(fit, "pie"), "frequency")
  expect_input_error(plot(fit, "trace"))
  expect_input_error(plot(fit, 3))
  expect_input_error(plot(fit, n = 0))
  expect_input_error(plot(fit, "map", colour = 1))
})

test_that("a package that is missing is named, with the remedy", {
  expect_error(
    require_package("no.such.package", "plots"), "install.packages",
    class = "hitmiss_error_package"
  )
})

test_that("no volcano is drawn where no effect is known", {
  data <- toy_data(n = 20L)
  keep <- c(which(data$y == "a"), which(data$y == "b")[1:2])
  fit <- muffle(relief(data$x[keep, ], data$y[keep], threads = 1), small_data)
  expect_refusal(plot(fit, "volcano"), "type")
})
