# llfs() by evidence, the default before frames, which chooses nothing on test
# samples, beside its other settings and rivals of daily use on the same splits:
# kbfs() and the nearest neighbours on its features, nearest neighbours on all
# features, an RBF support vector machine on its tuned best features, lasso,
# random forest, nearest shrunken centroids.
# Usage: Rscript auto.R [data folder] [output folder] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# The first eight sets: the splits of LLFS' Table I; `noise` N(0, 1) features
# are added, arrays are pruned to 300 genes for LLFS, inside each training part,
# as the paper does. The others had no part in the choice of the default; of
# their arrays and images LLFS gets all features, as by default. The last ten
# had no part in the choice of the vote either.
sets <- data.frame(
  name = c(
    "colon", "prostate_ge", "leukemia7070", "srbct", "sonar", "dna", "wdbc",
    "ionosphere", "tox171", "breastw", "glass", "pima", "adult", "arrhythmia",
    "german", "heart", "thyroid", "segment", "ar10p", "pie10p", "dlbcl",
    "nervous"
  ),
  train = c(
    50, 90, 60, 63, 100, 100, 100, 100, 85, 100, 100, 100, 100, 100, 100, 100,
    100, 100, 65, 105, 60, 48
  ),
  noise = 100 * rep(c(0, 1, 0, 1, 0), c(4, 4, 1, 9, 4)),
  prune = rep(c(300, Inf), c(4, 18)),
  # Fewer of the two where one takes minutes.
  splits = ifelse(1:22 %in% 19:20, 10L, 20L),
  part = rep(c("first", "later", "new"), c(8, 4, 10))
)
arguments <- read_arguments(sets$name)

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

# The threshold of the smallest error in five-fold cross-validation; of equals
# the largest, which keeps the fewest features.
shrunken <- function(x_train, y_train, x_test) {
  data <- list(x = t(x_train), y = y_train)
  utils::capture.output({
    model <- pamr::pamr.train(data)
    error <- pamr::pamr.cv(model, data, nfold = 5)$error
  })
  best <- max(which(error == min(error)))
  pamr::pamr.predict(model, t(x_test), model$threshold[[best]])
}

# ---- one set ----------------------------------------------------------------

# The default, and the same fits read by their spheres and nearest neighbours:
# the vote acts at prediction only. Row names identify a training part.
llfs_by_vote <- function(prune) {
  known <- new.env()
  default <- function(x, y, size) {
    key <- paste(rownames(x), collapse = " ")
    if (is.null(known[[key]])) {
      known[[key]] <- llfs(x, y,
        alpha = "auto", vote = "evidence", prune = prune, threads = 1
      )
    }
    known[[key]]
  }
  spheres <- function(x, y, size) {
    fit <- default(x, y)
    fit$parameters$vote <- "spheres"
    fit$parameters$neighbour <- "full"
    fit
  }
  list(`LLFS, default` = default, `LLFS, spheres and neighbours` = spheres)
}

curve_of <- function(set) {
  data <- load_set(set$name, arguments)
  set.seed(20)
  x <- with_noise(data$x, set$noise)
  rownames(x) <- seq_len(nrow(x))
  papers <- function(neighbour) {
    function(x, y, size) {
      llfs(x, y,
        alpha = 10, vote = "spheres", neighbour = neighbour, prune = set$prune,
        threads = 1
      )
    }
  }
  selectors <- c(llfs_by_vote(set$prune), list(
    `LLFS, the paper's` = papers("none"),
    `LLFS, the paper's with footnote 2` = papers("full"),
    BFS = function(x, y) kbfs(x, y, threads = 1),
    `nearest neighbour` = everything, `RBF-SVM, tuned top k` = everything,
    lasso = everything, `random forest` = everything,
    `shrunken centroids` = everything
  ))
  classifier <- list("own",
    `nearest neighbour` = "knn", `RBF-SVM, tuned top k` = tuned_svm,
    lasso = lasso, `random forest` = forest, `shrunken centroids` = shrunken
  )
  error_curve(x, data$y, selectors, Inf, classifier,
    resampling = holdout(set$splits, set$train), keep = FALSE
  )
}

set_table <- function(curve, set, splits) {
  row <- curve$aggregate
  error <- 100 * row$mean
  less <- error[row$selector == "LLFS, default"] - error
  data.frame(
    set = set, method = row$selector, error = error,
    standard_error = 100 * row$sd / sqrt(splits),
    default_minus_it = ifelse(row$selector == "LLFS, default", NA, less)
  )
}

rows_over(match(arguments$parts, sets$name), function(s) {
  name <- sets$name[[s]]
  table <- set_table(curve_of(sets[s, ]), name, sets$splits[[s]])
  save_table(table, arguments, paste0("auto-", name))
})

# All sets that have been run so far, here or before: a row each, and the means
# over the first, the later and the new sets.
files <- file.path(arguments$output, paste0("auto-", sets$name, ".csv"))
table <- rows_over(files[file.exists(files)], read_table)
if (is.null(table)) stop("no set was found", call. = FALSE)
by_set <- function(value) {
  rows <- factor(table$set, intersect(sets$name, table$set))
  tapply(value, list(rows, factor(table$method, unique(table$method))), sum)
}
error <- by_set(table$error)
cells <- error
cells[] <- sprintf("%.1f +- %.1f", error, by_set(table$standard_error))
part <- sets$part[match(rownames(error), sets$name)]
means <- t(vapply(unique(part), function(which) {
  sprintf("%.1f", colMeans(error[part == which, , drop = FALSE]))
}, character(ncol(error))))
rownames(means) <- sprintf(
  "mean of the %s %d", rownames(means), table(part)[rownames(means)]
)
cells <- rbind(cells, means)
save_table(
  data.frame(
    set = rownames(cells), cells, commit = "auto-SET.csv", check.names = FALSE
  ), arguments, "auto"
)
