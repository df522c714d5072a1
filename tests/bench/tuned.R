# LOGO's Table 2 protocol with tuned(): are its parameters as good as those that
# the script of inst/reproduce/logo.R finds? On the same splits and noise, an
# RBF machine tuned on the training part classifies by the features that are
# kept. Usage: Rscript tests/bench/tuned.R [data folder] [splits, as 1:10] [set
# ...], in the root of the repository.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- commandArgs(TRUE)
splits <- if (length(given) > 1L) eval(parse(text = given[[2L]])) else 1:10
sets <- if (length(given) > 2L) given[-(1:2)] else c("pima", "splice")
arguments <- list(
  data = if (length(given) > 0L) given[[1L]] else "../shared/data"
)

# The functions of the script, without running it.
for (file in c("common.R", "logo.R")) {
  for (part in parse(file.path("inst/reproduce", file))) {
    if (is.call(part) && identical(part[[1L]], as.name("<-")) &&
      (is.call(part[[3L]]) && identical(
        part[[3L]][[1L]], as.name("function")
      ) ||
        as.character(part[[2L]]) %in% c("machines", "folder", "papers"))) {
      eval(part)
    }
  }
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
      kept <- which(
        logo_weights(x[from, ], y[from], grid$sigma[p], grid$lambda[p]) > 0
      )
      columns <- x[, kept, drop = FALSE]
      error_of(machine(columns, y, from), columns, y, which(fold == f))
    }, 0))
  }, 0)
  grid[which.min(wrong), ]
}

values <- list(sigma = c(2, 5, 15), lambda = c(4, 2.8, 2, 1.4, 1))
tuned_logo <- function(classifier) {
  do.call(tuned, c(list(logo), values, list(
    resampling = kfold(10), classifier = classifier
  )))
}
ways <- list(
  "script" = function(x, y) chosen_parameters(unname(x), y),
  "tuned(), svm_rbf" = function(x, y) {
    found <- suppressWarnings(tuned_logo("svm_rbf")(x, y, threads = 1))
    found$tuned[found$tuned$chosen, ]
  },
  "tuned(), own" = function(x, y) {
    found <- suppressWarnings(tuned_logo("own")(x, y, threads = 1))
    found$tuned[found$tuned$chosen, ]
  },
  "defaults" = function(x, y) data.frame(sigma = 2, lambda = 1)
)

one_split <- function(data, design, noise = 5000) {
  order <- sample(nrow(data$x))
  train <- order[seq_len(design$train)]
  test <- order[design$train + seq_len(min(
    nrow(data$x) - design$train, design$test
  ))]
  rows <- c(train, test)
  x <- cbind(
    unname(data$x[rows, ]), matrix(rnorm(length(rows) * noise), length(rows))
  )
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  y <- data$y[rows]
  from <- seq_along(train)
  to <- length(train) + seq_along(test)
  seed <- sample.int(1e6, 1)
  do.call(rbind, lapply(names(ways), function(way) {
    set.seed(seed)
    cpu <- system.time(p <- ways[[way]](x[from, ], y[from]))
    kept <- which(logo_weights(x[from, ], y[from], p$sigma, p$lambda) > 0)
    set.seed(seed)
    data.frame(
      way = way, sigma = p$sigma, lambda = p$lambda,
      error = tuned_error(unname(x[, kept, drop = FALSE]), y, from, to),
      kept = sum(kept <= ncol(data$x)), false = sum(kept > ncol(data$x)),
      cpu = sum(cpu[1:2])
    )
  }))
}

for (name in sets) {
  design <- table2_design(name)
  data <- table2_data(name, design)
  if (is.null(data)) next
  all <- NULL
  for (split in splits) {
    # The ways set seeds of their own.
    set.seed(split)
    rows <- one_split(data, design)
    all <- rbind(all, cbind(split = split, rows))
    message(name, ", split ", split, ": ", toString(sprintf(
      "%s %.1f (%g, %g: %d, %d false)", rows$way, rows$error, rows$sigma,
      rows$lambda, rows$kept, rows$false
    )))
  }
  script <- all$error[all$way == "script"]
  table <- do.call(rbind, lapply(names(ways), function(way) {
    mine <- all[all$way == way, ]
    less <- mine$error - script
    data.frame(
      set = name, way = way, error = mean(mine$error),
      se = sd(mine$error) / sqrt(length(splits)), less_script = mean(less),
      se_paired = sd(less) / sqrt(length(splits)), kept = mean(mine$kept),
      false = mean(mine$false), cpu = mean(mine$cpu)
    )
  }))
  print(table, digits = 3, row.names = FALSE)
}
