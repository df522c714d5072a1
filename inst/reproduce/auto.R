# llfs(alpha = "auto"), which chooses nothing on test samples, beside rivals of
# daily use on the same 20 splits: nearest neighbours on all features, an RBF
# support vector machine on its tuned best features, lasso, random forest.
# Usage: Rscript auto.R [data folder] [output folder] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# The splits of LLFS' Table I; `noise` N(0, 1) features are added, arrays are
# pruned to 300 genes for LLFS, inside each training part, as the paper does.
sets <- data.frame(
  name = c(
    "colon", "prostate_ge", "leukemia7070", "srbct", "sonar", "dna", "wdbc",
    "ionosphere"
  ),
  train = c(50, 90, 60, 63, 100, 100, 100, 100),
  noise = c(0, 0, 0, 0, 100, 100, 100, 100),
  prune = c(300, 300, 300, 300, Inf, Inf, Inf, Inf)
)
arguments <- read_arguments(sets$name)
times <- 20L

with_noise <- function(x, count) {
  if (count == 0) return(x)
  noise <- matrix(rnorm(nrow(x) * count), nrow(x))
  colnames(noise) <- paste0("noise", seq_len(count))
  cbind(x, noise)
}

everything <- function(x, y) colnames(x)

# ---- rivals: classifiers that do their own choosing, inside the training part

fisher_order <- function(x, y) {
  n <- tabulate(y)
  m <- rowsum(x, y) / n
  between <- colSums(n * sweep(m, 2L, colMeans(x))^2)
  within <- colSums((x - m[as.integer(y), ])^2)
  order(-between / pmax(within, 1e-12))
}

# Fivefold inner cross-validation over the number of best features (ranked anew
# in each fold), cost and gamma; the smallest error, ties to the smallest.
tuned_svm <- function(x_train, y_train, x_test) {
  sizes <- c(5, 10, 20, 50, 100, 200)
  sizes <- unique(pmin(sizes, ncol(x_train)))
  grid <- expand.grid(gamma = c(1 / 2, 2), cost = c(1, 10), size = sizes)
  fold <- integer(length(y_train))
  for (class in levels(y_train)) {
    members <- which(y_train == class)
    fold[members] <- sample(rep_len(1:5, length(members)))
  }
  fit <- function(train, y, test, row, order) {
    use <- order[seq_len(row$size)]
    model <- e1071::svm(train[, use, drop = FALSE], y,
      scale = FALSE, cost = row$cost, gamma = row$gamma / row$size,
      fitted = FALSE
    )
    predict(model, test[, use, drop = FALSE])
  }
  wrong <- numeric(nrow(grid))
  for (f in 1:5) {
    inner <- fold != f
    order <- fisher_order(x_train[inner, ], droplevels(y_train[inner]))
    for (g in seq_len(nrow(grid))) {
      guess <- fit(
        x_train[inner, ], droplevels(y_train[inner]), x_train[!inner, ],
        grid[g, ], order
      )
      wrong[[g]] <- wrong[[g]] + sum(as.character(guess) != y_train[!inner])
    }
  }
  fit(
    x_train, y_train, x_test, grid[which.min(wrong), ],
    fisher_order(x_train, y_train)
  )
}

lasso <- function(x_train, y_train, x_test) {
  family <- if (nlevels(y_train) == 2L) "binomial" else "multinomial"
  model <- suppressWarnings(glmnet::cv.glmnet(x_train, y_train,
    family = family, type.measure = "class", nfolds = 5
  ))
  guess <- predict(model, x_test, s = "lambda.min", type = "class")
  factor(guess, levels(y_train))
}

forest <- function(x_train, y_train, x_test) {
  # Names are dropped: genes may be called anything.
  colnames(x_train) <- colnames(x_test) <- paste0("v", seq_len(ncol(x_train)))
  model <- ranger::ranger(
    x = x_train, y = y_train, num.trees = 500, num.threads = 1,
    seed = sample.int(1e6, 1)
  )
  predict(model, x_test, num.threads = 1)$predictions
}

# ---- one set ----------------------------------------------------------------

curve_of <- function(set) {
  data <- load_set(set$name, arguments)
  if (is.null(data)) return(NULL)
  set.seed(20)
  x <- with_noise(data$x, set$noise)
  prune <- min(set$prune, ncol(x))
  local <- function(...) {
    function(x, y, size) llfs(x, y, ..., prune = prune, threads = 1)
  }
  selectors <- list(
    `LLFS auto` = local(alpha = "auto"),
    `LLFS auto, evidence` = local(alpha = "auto", vote = "evidence"),
    `LLFS alpha 10` = local(alpha = 10),
    `nearest neighbour` = everything, `RBF-SVM, tuned top k` = everything,
    lasso = everything, `random forest` = everything
  )
  classifier <- list("own",
    `nearest neighbour` = "knn", `RBF-SVM, tuned top k` = tuned_svm,
    lasso = lasso, `random forest` = forest
  )
  error_curve(x, data$y, selectors, Inf, classifier,
    resampling = holdout(times, set$train), keep = FALSE
  )
}

set_table <- function(curve, set) {
  row <- curve$aggregate
  auto <- compare_selectors(curve, adjust = "none")
  auto <- auto[auto$first == "LLFS auto", ]
  at <- match(row$selector, auto$second)
  data.frame(
    set = set, method = row$selector, error = 100 * row$mean,
    standard_error = 100 * row$sd / sqrt(times),
    auto_minus_it = 100 * auto$difference[at],
    lower = 100 * auto$lower[at], upper = 100 * auto$upper[at], p = auto$p[at]
  )
}

for (s in match(arguments$parts, sets$name)) {
  curve <- curve_of(sets[s, ])
  if (is.null(curve)) next
  save_table(set_table(curve, sets$name[[s]]), arguments, paste0("auto-", sets$name[[s]]))
}

# All sets that have been run so far, here or before.
files <- file.path(arguments$output, paste0("auto-", sets$name, ".csv"))
table <- do.call(rbind, lapply(files[file.exists(files)], utils::read.csv))
if (!is.null(table)) {
  mean <- aggregate(error ~ method, table, mean)
  names(mean)[[2L]] <- "mean_error"
  wide <- reshape(table[c("set", "method", "error")],
    idvar = "method", timevar = "set", direction = "wide"
  )
  names(wide) <- sub("^error[.]", "", names(wide))
  wide$mean <- mean$mean_error[match(wide$method, mean$method)]
  save_table(wide, arguments, "auto")
  table$method <- factor(table$method, rev(unique(table$method)))
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data$error, .data$method)) +
      ggplot2::geom_errorbarh(ggplot2::aes(
        xmin = .data$error - .data$standard_error,
        xmax = .data$error + .data$standard_error
      ), height = 0.3, colour = "grey45") +
      ggplot2::geom_point(ggplot2::aes(colour = grepl("auto", .data$method)), size = 3) +
      ggplot2::scale_colour_manual(values = okabe_ito[c(4L, 1L)], guide = "none") +
      ggplot2::facet_wrap("set", scales = "free_x") +
      ggplot2::labs(
        title = "Error on 20 random splits, everything chosen inside the training part",
        subtitle = "mean +- one standard error; blue: LLFS with alpha = \"auto\"",
        x = "error, %", y = NULL
      ) +
      picture_theme(),
    arguments, "auto"
  )
}
