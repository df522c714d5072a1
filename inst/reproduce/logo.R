# LOGO (Sun, Todorovic, Goodison 2010): the spiral of its Figs 4 to 8 and its
# Table 2 on the sets that are open.
# Usage: Rscript logo.R [data folder] [output folder]
#   [weights] [sigma] [lambda] [convergence] [table2]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(
  c("weights", "sigma", "lambda", "convergence", "table2")
)

spiral_fit <- function(noise, seed, ...) {
  set.seed(seed)
  spiral <- simulate_spiral(noise = noise)
  cpu <- system.time(
    fit <- suppressWarnings(logo(spiral$x, spiral$y, ..., threads = 1))
  )
  weights <- sort(coef(fit)[coef(fit) > 0], decreasing = TRUE)
  list(fit = fit, row = data.frame(
    irrelevant = noise, seed = seed, status = fit$report$status,
    iterations = fit$report$iterations, selected = length(weights),
    false = sum(!names(weights) %in% spiral$relevant),
    w1 = coef(fit)[["x1"]], w2 = coef(fit)[["x2"]], cpu = sum(cpu[1:2])
  ))
}
rows <- function(fits) do.call(rbind, lapply(fits, `[[`, "row"))

# Figs 4 and 5: weights and time against the number of irrelevant features. The
# paper: the two relevant features up to 20,000, one false one at 30,000.
weights_part <- function() {
  noise <- c(50, 100, 500, 1000, 5000, 10000, 20000, 30000)
  cpu <- c("100" = 3.5, "1000" = 37, "20000" = 372)
  fits <- lapply(noise, spiral_fit, seed = 1)
  table <- rows(fits)
  table$paper_cpu <- unname(cpu[as.character(noise)])
  save_table(table, arguments, "logo-weights")
  points <- do.call(rbind, lapply(seq_along(fits), function(i) {
    data.frame(
      irrelevant = noise[[i]], feature = seq_along(fits[[i]]$fit$scores),
      weight = unname(fits[[i]]$fit$scores)
    )
  }))
  label <- function(n) paste(format(as.numeric(n), big.mark = ","), "irrelevant")
  save_picture(
    ggplot2::ggplot(points, ggplot2::aes(.data$feature, .data$weight)) +
      ggplot2::geom_point(colour = okabe_ito[[1L]], size = 1.8) +
      ggplot2::facet_wrap(
        "irrelevant",
        nrow = 2, labeller = ggplot2::labeller(irrelevant = label)
      ) +
      ggplot2::scale_x_log10(labels = function(x) format(x, scientific = FALSE)) +
      ggplot2::labs(
        title = "LOGO on the spiral: weights of all features",
        subtitle = "features 1 and 2 are the spiral; sigma = 2, lambda = 1",
        x = "feature (logarithmic)", y = "weight"
      ) + picture_theme(),
    arguments, "logo-weights"
  )
}

# Figs 6 and 7: how much the two parameters matter. In the paper any of them
# serves, on data that it does not publish; here not.
parameter_part <- function(name, values) {
  fits <- unlist(lapply(values, function(value) {
    lapply(1:3, function(seed) {
      given <- list(noise = 5000, seed = seed)
      given[[name]] <- value
      result <- do.call(spiral_fit, given)
      result$row <- cbind(stats::setNames(data.frame(value), name), result$row)
      result
    })
  }), recursive = FALSE)
  table <- save_table(rows(fits), arguments, paste0("logo-", name))
  table$found <- (table$w1 > 0) + (table$w2 > 0)
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data[[name]])) +
      ggplot2::geom_jitter(
        ggplot2::aes(y = .data$found, colour = "relevant features found, of 2"),
        width = 0.01, height = 0.05, size = 3
      ) +
      ggplot2::geom_jitter(
        ggplot2::aes(y = .data$false, colour = "irrelevant ones selected, of 5,000"),
        width = 0.01, height = 0.05, size = 3
      ) +
      ggplot2::scale_x_log10(breaks = values) +
      ggplot2::scale_y_continuous(trans = "log1p", breaks = c(0, 1, 2, 10, 100)) +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = paste("LOGO on the spiral:", name),
        subtitle = "5,000 irrelevant features, three seeds", x = name,
        y = "features"
      ) + picture_theme(),
    arguments, paste0("logo-", name)
  )
}

# Fig 8: convergence from both starting weights.
convergence_part <- function() {
  table <- do.call(rbind, lapply(c(50, 500, 5000), function(noise) {
    do.call(rbind, lapply(c("sqrt", "one"), function(init) {
      fit <- spiral_fit(noise, 1, init = init)$fit
      data.frame(
        irrelevant = noise, init = init,
        iteration = seq_along(fit$report$objective),
        objective = fit$report$objective
      )
    }))
  }))
  save_table(table, arguments, "logo-convergence")
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$iteration, .data$objective,
      colour = .data$init
    )) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::geom_point(size = 2.5) +
      ggplot2::facet_wrap("irrelevant") +
      ggplot2::scale_colour_manual(values = okabe_ito, name = "first weight") +
      ggplot2::labs(
        title = "LOGO on the spiral: objective of each inner problem",
        subtitle = "panels: number of irrelevant features",
        x = "iteration", y = "objective"
      ) + picture_theme(),
    arguments, "logo-convergence"
  )
}

# Table 2: an RBF support vector machine, tuned by ten-fold cross-validation on
# the training part, on the features that LOGO keeps among 5,000 of noise and
# on the original ones alone. LOGO with its defaults (sigma = 2, lambda = 1), and
# with both tuned by ten-fold cross-validation on the training part too.
table2_sets <- function() {
  twonorm <- function() {
    if (!requireNamespace("mlbench", quietly = TRUE)) return(NULL)
    made <- mlbench::mlbench.twonorm(7400, d = 20)
    list(x = made$x, y = made$classes)
  }
  list(
    pima = list(
      load = function() load_set("pima", arguments), train = 468, test = 300,
      selected = 23.7, original = 24.9, fdr = 1.8
    ),
    splice = list(
      load = function() load_set("splice", arguments), train = 400, test = 2175,
      selected = 12.9, original = 14.4, fdr = 1.0
    ),
    # Not among the figures at hand: no published column.
    twonorm = list(
      load = twonorm, train = 120, test = 7000,
      selected = NA, original = NA, fdr = NA
    )
  )
}

machines <- expand.grid(cost = 2^seq(-1, 7, 2), gamma = 2^seq(-4, 2, 2))

# A machine on the rows `from`, or the largest class if no feature varies there.
# gamma is relative to 1 / number of features. `...`: to e1071::svm().
machine <- function(x, y, from, cost = 1, gamma = 1, ...) {
  spread <- which(vapply(seq_len(ncol(x)), function(j) {
    max(x[from, j]) > min(x[from, j])
  }, NA))
  if (length(spread) == 0L) return(list(majority = names(which.max(table(y[from])))))
  list(spread = spread, model = e1071::svm(
    x[from, spread, drop = FALSE], y[from],
    cost = cost, gamma = gamma / length(spread), fitted = FALSE, ...
  ))
}

# Share of wrong classes among the rows `to`.
error_of <- function(fit, x, y, to) {
  guess <- if (is.null(fit$model)) {
    fit$majority
  } else {
    stats::predict(fit$model, x[to, fit$spread, drop = FALSE])
  }
  mean(guess != y[to])
}

tuned_error <- function(x, y, train, test) {
  accuracy <- vapply(seq_len(nrow(machines)), function(p) {
    fit <- machine(
      x, y, train, machines$cost[p], machines$gamma[p],
      cross = 10
    )
    if (is.null(fit$model)) 0 else fit$model$tot.accuracy
  }, 0)
  best <- machines[which.max(accuracy), ]
  100 * error_of(machine(x, y, train, best$cost, best$gamma), x, y, test)
}

kept_features <- function(x, y, sigma, lambda) {
  fit <- suppressWarnings(
    logo(x, y, sigma = sigma, lambda = lambda, threads = 1)
  )
  which(fit$scores > 0)
}

# The parameters whose features serve a support vector machine (with its
# defaults) best in ten-fold cross-validation; among equals the largest lambda,
# which keeps the fewest features, then the smallest sigma.
chosen_parameters <- function(x, y) {
  grid <- expand.grid(sigma = c(2, 5, 15), lambda = c(4, 2.8, 2, 1.4, 1))
  fold <- sample(rep_len(1:10, nrow(x)))
  wrong <- vapply(seq_len(nrow(grid)), function(p) {
    mean(vapply(1:10, function(f) {
      from <- which(fold != f)
      kept <- kept_features(x[from, ], y[from], grid$sigma[p], grid$lambda[p])
      columns <- x[, kept, drop = FALSE]
      error_of(machine(columns, y, from), columns, y, which(fold == f))
    }, 0))
  }, 0)
  grid[which.min(wrong), ]
}

table2_split <- function(data, design, noise) {
  n <- nrow(data$x)
  order <- sample(n)
  train <- order[seq_len(design$train)]
  test <- order[design$train + seq_len(min(n - design$train, design$test))]
  rows <- c(train, test)
  train <- seq_along(train)
  test <- length(train) + seq_along(test)
  x <- unname(data$x[rows, ])
  y <- data$y[rows]
  n_original <- ncol(x)
  # Noise is looked at on the training part; what is kept of it is drawn for the
  # others below.
  with_noise <- cbind(
    x[train, ], matrix(stats::rnorm(length(train) * noise), length(train))
  )
  with_parameters <- function(way, sigma, lambda) {
    kept <- kept_features(with_noise, y[train], sigma, lambda)
    columns <- rbind(with_noise[, kept, drop = FALSE], vapply(kept, function(j) {
      if (j <= n_original) x[test, j] else stats::rnorm(length(test))
    }, numeric(length(test))))
    data.frame(
      way = way, sigma = sigma, lambda = lambda,
      error = tuned_error(columns, y, train, test),
      kept = sum(kept <= n_original), false = sum(kept > n_original)
    )
  }
  tuned <- chosen_parameters(with_noise, y[train])
  rbind(
    data.frame(
      way = "original features", sigma = NA, lambda = NA,
      error = tuned_error(x, y, train, test), kept = n_original, false = NA
    ),
    with_parameters("LOGO, defaults", 2, 1),
    with_parameters("LOGO, tuned", tuned$sigma, tuned$lambda)
  )
}

table2_set <- function(name, design, noise, splits) {
  set.seed(1)
  data <- design$load()
  if (is.null(data)) return(NULL)
  all <- do.call(rbind, lapply(seq_len(splits), function(split) {
    rows <- table2_split(data, design, noise)
    message(sprintf(
      "%s, split %d: %s", name, split,
      toString(sprintf(
        "%s %.1f (%g, %g: %d and %d false)", rows$way, rows$error, rows$sigma,
        rows$lambda, rows$kept, rows$false
      ))
    ))
    rows
  }))
  ways <- unique(all$way)
  summary <- do.call(rbind, lapply(ways, function(way) {
    r <- all[all$way == way, ]
    data.frame(
      set = name, way = way, sigma = mean(r$sigma), lambda = mean(r$lambda),
      error = mean(r$error), sd = stats::sd(r$error),
      standard_error = stats::sd(r$error) / sqrt(splits),
      kept = mean(r$kept), fdr_per_1000 = 1000 * mean(r$false) / noise
    )
  }))
  summary$paper <- c(design$original, design$selected, design$selected)
  summary$paper_fdr <- c(NA, design$fdr, design$fdr)
  summary
}

table2_part <- function(noise = 5000, splits = 10) {
  sets <- table2_sets()
  table <- NULL
  for (name in names(sets)) {
    table <- rbind(table, table2_set(name, sets[[name]], noise, splits))
    save_table(table, arguments, "logo-table2")
  }
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data$way, .data$error)) +
      ggplot2::geom_pointrange(ggplot2::aes(
        ymin = .data$error - .data$standard_error,
        ymax = .data$error + .data$standard_error, colour = "measured"
      )) +
      ggplot2::geom_point(ggplot2::aes(y = .data$paper, colour = "paper"),
        shape = 4, size = 4, stroke = 1.5, na.rm = TRUE
      ) +
      ggplot2::facet_wrap("set", scales = "free_y") +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::coord_flip() +
      ggplot2::labs(
        title = "LOGO's Table 2: error with 5,000 noise features added",
        subtitle = "tuned RBF support vector machine, 10 splits, one standard error",
        x = NULL, y = "error, %"
      ) + picture_theme(),
    arguments, "logo-table2"
  )
}

parts <- list(
  weights = weights_part,
  sigma = function() parameter_part("sigma", c(0.5, 1, 2, 3, 5)),
  lambda = function() parameter_part("lambda", c(0.1, 0.5, 1, 1.5, 2)),
  convergence = convergence_part, table2 = table2_part
)
for (part in arguments$parts) parts[[part]]()
