# LOGO (Sun, Todorovic, Goodison 2008): the spiral of its Figs 4 to 8 and its
# Table 2 on the sets that are open or have a formula.
# Usage: Rscript logo.R [data folder] [output folder] [part ...]
# Parts: weights, sigma, lambda, steps, convergence; a set's name (its Table 2).
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
table2_names <- c("twonorm", "pima", "splice", "thyroid", "heart", "waveform")
spiral_parts <- c("weights", "sigma", "lambda", "steps", "convergence")
arguments <- read_arguments(c(spiral_parts, table2_names))

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
  label <- function(n) {
    paste(format(as.numeric(n), big.mark = ","), "irrelevant")
  }
  save_picture(
    ggplot2::ggplot(points, ggplot2::aes(.data$feature, .data$weight)) +
      ggplot2::geom_point(colour = okabe_ito[[1L]], size = 1.8) +
      ggplot2::facet_wrap(
        "irrelevant",
        nrow = 2, labeller = ggplot2::labeller(irrelevant = label)
      ) +
      ggplot2::scale_x_log10(
        labels = function(x) format(x, scientific = FALSE)
      ) +
      ggplot2::labs(
        title = "LOGO, Figs 4 and 5: weights of all features of the spiral",
        subtitle = "features 1 and 2 are the spiral; sigma = 2, lambda = 1",
        x = "feature (logarithmic)", y = "weight"
      ) + picture_theme(),
    arguments, "logo-weights"
  )
}

# Figs 6 and 7: how much the two parameters matter; Fig. 7 has sigma = 0.1 too.
# In the paper any of them serves, on data that it does not publish; here not.
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
        ggplot2::aes(
          y = .data$false, colour = "irrelevant ones selected, of 5,000"
        ),
        width = 0.01, height = 0.05, size = 3
      ) +
      ggplot2::scale_x_log10(breaks = values) +
      ggplot2::scale_y_continuous(
        trans = "log1p", breaks = c(0, 1, 2, 10, 100)
      ) +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = paste("LOGO, Figs 6 and 7: the spiral by", name),
        subtitle = "5,000 irrelevant features, three seeds", x = name,
        y = "features"
      ) + picture_theme(),
    arguments, paste0("logo-", name)
  )
}

# Fig. 8: size of the steps against sigma. A fit reports the smallest step so
# far,
# ||T(w) - w||; here relative to max(1, ||T(w)||), as the fit's `tol` has it.
steps_part <- function() {
  set.seed(1)
  spiral <- simulate_spiral(noise = 1000)
  table <- do.call(rbind, lapply(c(0.1, 0.5, 1, 2, 3, 5), function(sigma) {
    step <- vapply(1:20, function(iterations) {
      fit <- suppressWarnings(logo(spiral$x, spiral$y,
        sigma = sigma, tol = 1e-8, max_iter = iterations, threads = 1
      ))
      fit$report$residual / max(1, sqrt(sum(fit$scores^2)))
    }, 0)
    data.frame(sigma = sigma, iteration = 1:20, step = step)
  }))
  save_table(table, arguments, "logo-steps", digits = 5)
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$iteration, .data$step, colour = factor(.data$sigma)
    )) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::geom_hline(yintercept = 0.01, linetype = "dashed") +
      ggplot2::scale_y_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = "sigma") +
      ggplot2::labs(
        title = "LOGO, Fig. 8: steps of the weights, by sigma",
        subtitle = paste(
          "spiral, 1,000 irrelevant features; the smallest relative step so",
          "far; dashed: where a fit stops by default"
        ),
        x = "iteration", y = "relative step"
      ) + picture_theme(),
    arguments, "logo-steps"
  )
}

# Convergence of the objective from both starting weights.
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
# on the original ones alone. LOGO with the paper's sigma = 2, lambda = 1, and
# with both tuned by ten-fold cross-validation on the training part too.

# Two normal classes in 20 dimensions, unit covariance, means -+ 2 / sqrt(20).
simulate_twonorm <- function(n) {
  y <- factor(sample(1:2, n, replace = TRUE))
  x <- matrix(stats::rnorm(n * 20), n) + (2 * as.integer(y) - 3) * 2 / sqrt(20)
  list(x = x, y = y)
}

# A class is a random mixture of two of three triangular waves, at 21 points,
# with noise N(0, 1).
simulate_waveform <- function(n) {
  waves <- vapply(c(7, 15, 11), function(top) {
    pmax(6 - abs(1:21 - top), 0)
  }, numeric(21))
  first <- c(1, 1, 2)
  second <- c(2, 3, 3)
  y <- factor(sample(1:3, n, replace = TRUE))
  share <- stats::runif(n)
  x <- share * t(waves[, first[y]]) + (1 - share) * t(waves[, second[y]]) +
    stats::rnorm(n * 21)
  list(x = x, y = y)
}

# The sizes of the parts are the paper's for twonorm, pima and splice; for the
# others those that are in common use. `selected`, `original`, `fdr`: the
# paper's figures, NA where they are not at hand. `tune`: LOGO's own parameters
# too, which the paper does not do; on waveform it takes too long.
table2_design <- function(name) {
  design <- function(train, test, selected = NA, original = NA, fdr = NA,
                     tune = TRUE) {
    list(
      train = train, test = test, selected = selected, original = original,
      fdr = fdr, tune = tune
    )
  }
  switch(name,
    twonorm = design(400, 7000), pima = design(468, 300, 23.7, 24.9, 1.8),
    splice = design(400, 2175, 12.9, 14.4, 1.0), thyroid = design(140, 75),
    heart = design(170, 100), waveform = design(400, 4600, tune = FALSE)
  )
}

table2_data <- function(name, design) {
  switch(name,
    twonorm = simulate_twonorm(design$train + design$test),
    waveform = simulate_waveform(design$train + design$test),
    load_set(name, arguments)
  )
}

machines <- expand.grid(cost = 2^seq(-1, 7, 2), gamma = 2^seq(-4, 2, 2))

# A machine on the rows `from`, or the largest class if no feature varies there.
# gamma is relative to 1 / number of features. `...`: to e1071::svm().
machine <- function(x, y, from, cost = 1, gamma = 1, ...) {
  spread <- which(vapply(seq_len(ncol(x)), function(j) {
    max(x[from, j]) > min(x[from, j])
  }, NA))
  if (length(spread) == 0L) {
    return(list(majority = names(which.max(table(y[from])))))
  }
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
    columns <- rbind(with_noise[, kept, drop = FALSE], vapply(
      kept, function(j) {
        if (j <= n_original) x[test, j] else stats::rnorm(length(test))
      }, numeric(length(test))
    ))
    data.frame(
      way = way, sigma = sigma, lambda = lambda,
      error = tuned_error(columns, y, train, test),
      kept = sum(kept <= n_original), false = sum(kept > n_original)
    )
  }
  rbind(
    data.frame(
      way = "original features", sigma = NA, lambda = NA,
      error = tuned_error(x, y, train, test), kept = n_original, false = NA
    ),
    with_parameters("LOGO, sigma 2, lambda 1", 2, 1),
    if (design$tune) {
      tuned <- chosen_parameters(with_noise, y[train])
      with_parameters("LOGO, tuned", tuned$sigma, tuned$lambda)
    }
  )
}

table2_set <- function(name, noise = 5000, splits = 10) {
  set.seed(1)
  design <- table2_design(name)
  data <- table2_data(name, design)
  if (is.null(data)) return(NULL)
  all <- do.call(rbind, lapply(seq_len(splits), function(split) {
    set.seed(split) # the same splits whatever was kept in the one before
    rows <- table2_split(data, design, noise)
    message(sprintf(
      "%s, split %d: %s", name, split,
      toString(sprintf(
        "%s %.1f (%g, %g: %d and %d false)", rows$way, rows$error, rows$sigma,
        rows$lambda, rows$kept, rows$false
      ))
    ))
    cbind(split, rows)
  }))
  ways <- unique(all$way)
  summary <- do.call(rbind, lapply(ways, function(way) {
    r <- all[all$way == way, ]
    # Differences from the original features, split by split: less noisy than
    # the errors themselves.
    more <- r$error - all$error[all$way == ways[[1L]]]
    data.frame(
      set = name, way = way, sigma = mean(r$sigma), lambda = mean(r$lambda),
      error = mean(r$error), sd = stats::sd(r$error),
      standard_error = stats::sd(r$error) / sqrt(splits),
      more_than_original = mean(more),
      more_standard_error = stats::sd(more) / sqrt(splits),
      kept = mean(r$kept), fdr_per_1000 = 1000 * mean(r$false) / noise
    )
  }))
  # The paper does not tune its sigma and lambda.
  summary$paper <- c(design$original, design$selected, NA)[seq_along(ways)]
  summary$paper_fdr <- c(NA, design$fdr, NA)[seq_along(ways)]
  summary$verdict <- verdict(
    summary$error, summary$standard_error, summary$paper
  )
  summary
}

table2_part <- function(names) {
  table <- NULL
  for (name in names) {
    rows <- table2_set(name)
    if (!is.null(rows)) table <- update_table(rows, arguments, "logo-table2")
  }
  if (is.null(table)) return(invisible(NULL))
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
        subtitle =
          "tuned RBF support vector machine, 10 splits, one standard error",
        x = NULL, y = "error, %"
      ) + picture_theme(),
    arguments, "logo-table2"
  )
}

parts <- list(
  weights = weights_part,
  sigma = function() parameter_part("sigma", c(0.1, 0.5, 1, 2, 3, 5)),
  lambda = function() parameter_part("lambda", c(0.1, 0.5, 1, 1.5, 2)),
  steps = steps_part, convergence = convergence_part
)
table2_part(intersect(arguments$parts, table2_names))
for (part in intersect(arguments$parts, spiral_parts)) parts[[part]]()
