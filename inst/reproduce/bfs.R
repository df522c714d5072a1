# BFS and semi-BFS (Zhu et al. 2014): Tables II and III, accuracy by the number
# of features (Figs 1 and 2), a2 as in Fig. 3, the redundancy of Figs 4 and 5.
# Usage: Rscript bfs.R [data folder] [output folder] [part ...]
# Parts: table2-SET, table3-SET, fig3, redundancy, kernels.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
# Nothing is said about scaling: "-unit" are images of unit length.
# "-equal": partitions that keep the shares of the classes.
images <- c("orl10p", "pix10p", "ar10p", "pie10p")
equal <- paste0(c("tox171", "orl10p", "pix10p"), "-equal")
sets <- c("tox171", images, paste0(images, "-unit"), equal)
arguments <- read_arguments(c(
  paste0("table2-", sets), paste0("table3-", sets), "fig3", "redundancy",
  "kernels"
))
sizes <- seq(10, 200, by = 10)

load_images <- function(name) {
  set <- load_set(sub("-.*", "", name), arguments)
  if (grepl("-unit", name)) set$x <- set$x / sqrt(rowSums(set$x^2))
  set
}

# The whole order: features that never became active follow by Z'T.
in_order <- function(fit) names(fit$scores)[fit$ranking]
bfs_by <- function(rule, ...) {
  function(x, y) {
    in_order(kbfs(x, y, n = 200, rank_by = rule, ..., threads = 1))
  }
}
logo_fit <- function(x, y) suppressWarnings(logo(x, y, lambda = 1, threads = 1))
# LOGO keeps 11 to 17 features; behind them all others in the order of columns.
filled_up <- function(x, y) {
  fit <- logo_fit(x, y)
  names(fit$scores)[order(-fit$scores)]
}
# At a price that no feature can pay, the order is that of Z'T.
alone <- function(x, y) in_order(kbfs(x, y, lambda = 1e9, threads = 1))

# As of a solver that stops early: the solution at half of the smallest a1 that
# selects nothing, and behind it the others by agreement with what it leaves.
unfinished <- function(x, y) {
  top <- kbfs(x, y, n = 1, threads = 1)$path$lambda[[1L]]
  mu <- kbfs(x, y, lambda = top / 2, threads = 1)$scores
  z <- scale(x)
  z[is.na(z)] <- 0
  left <- 2 * outer(y, y, "==") - 1 - z %*% (mu * t(z))
  diag(left) <- 0
  names(mu)[order(-mu, -colSums(z * (left %*% z)))]
}

# By set and seed: accuracies over the sizes, and p-values of the difference
# from the first selector, corrected (Nadeau, Bengio) and as in the paper, by
# the plain paired t-test, which are far too small.
reproduce <- function(names, selectors, resampling, file, seeds = 1L) {
  rows_over(names, function(name) {
    set <- load_images(name)
    resampling$stratified <- resampling$stratified || name %in% equal
    rows <- rows_over(seeds, function(seed) {
      set.seed(seed)
      curve <- error_curve(set$x, set$y, selectors,
        sizes = sizes, classifier = "svm_linear", resampling = resampling
      )
      update_table(data.frame(
        set = name, seed = seed,
        selector = as.character(curve$summary$selector),
        size = curve$summary$size, accuracy = 100 * (1 - curve$summary$mean)
      ), arguments, paste0(file, "-curve"), c("set", "seed"))
      update_table(
        p_values(curve, name, seed), arguments, paste0(file, "-tests"),
        c("set", "seed"), 4
      )
      accuracy_table(curve, name, seed)
    })
    rows <- over_seeds(rows, c("set", "selector"), "accuracy", file)
    update_table(rows, arguments, file)
  })
}

p_values <- function(curve, set, seed) {
  first <- curve$selectors[[1L]]
  split_means <- function(name) rowMeans(curve$values[[name]])
  rows_over(setdiff(curve$selectors, first), function(other) {
    difference <- split_means(other) - split_means(first)
    # The corrected resampled t-test of Nadeau and Bengio (2003).
    sizes <- lapply(curve$splits, lengths)
    ratio <- mean(vapply(sizes, \(n) n[["test"]] / n[["train"]], 0))
    t <- mean(difference) / stats::sd(difference) /
      sqrt(1 / length(difference) + ratio)
    data.frame(
      set = set, seed = seed, first = first, second = other,
      first_better_by = 100 * mean(difference),
      p_corrected = 2 * stats::pt(-abs(t), length(difference) - 1),
      p_plain_not_valid = stats::t.test(difference)$p.value
    )
  })
}

chosen <- function(part) {
  found <- paste0("^", part, "-")
  sub(found, "", grep(found, arguments$parts, value = TRUE))
}

reproduce(
  chosen("table2"), list(
    # The paper ranks by weight.
    BFS = bfs_by("weight"), `BFS, by entry` = bfs_by("entry"),
    LOGO = logo_fit, `LOGO, filled up` = filled_up,
    mRMR = scored_by("mrmr", n = 200), RFS = scored_by("rfs"),
    `Z'T alone` = alone, `BFS, unfinished` = unfinished
  ), holdout(times = 20, train = 0.5, stratified = FALSE), "bfs-table2"
)

# 20 % labelled, 40 % unlabelled, 40 % test.
semi <- holdout(times = 20, train = 0.6, labelled = 1 / 3)
graphs <- function(logarithms) {
  found <- lapply(logarithms, function(e) {
    bfs_by("weight", manifold = exp(e))
  })
  stats::setNames(found, paste0("semi-BFS, a2 = e^", logarithms))
}
reproduce(
  chosen("table3"), c(graphs(4), list(
    `semi-BFS, by entry` = bfs_by("entry", manifold = exp(4)),
    `BFS, no graph` = bfs_by("weight"),
    `BFS, no graph, by entry` = bfs_by("entry"),
    LSDF = scored_by("lsdf")
  )), semi, "bfs-table3"
)

# How much the selected features repeat each other, on the training parts of
# ten partitions; Z'T alone and mRMR beside BFS with and without its term.
redundancy_of <- function(name, prices, times = 10) {
  set <- load_images(name)
  set.seed(3)
  priced <- lapply(prices, function(a3) bfs_by("entry", redundancy = a3))
  names(priced) <- paste(
    "a3 =", format(prices, trim = TRUE, scientific = FALSE)
  )
  curve <- error_curve(set$x, set$y,
    c(priced, list(
      `Z'T alone` = alone, LOGO = logo_fit, RFS = scored_by("rfs"),
      mRMR = scored_by("mrmr", n = 200)
    )),
    sizes = sizes, classifier = "svm_linear",
    resampling = holdout(times = times, train = 0.5)
  )
  list(name = name, set = set, curve = curve)
}

# Over the splits: rows of a data.frame for each selector, averaged.
averaged <- function(result, measure) {
  rows_over(result$curve$selectors, function(selector) {
    values <- vapply(seq_along(result$curve$splits), function(s) {
      x <- result$set$x[result$curve$splits[[s]]$train, ]
      colnames(x) <- NULL
      measure(x, result$curve$selections[[selector]][[s]])
    }, measure(NULL, NULL))
    data.frame(
      set = result$name, selector = selector, at = measure(NULL, NULL),
      value = rowMeans(values)
    )
  })
}

# |correlation| of the pairs of some features: mean, and shares of ten bins.
correlations <- function(x, features) {
  r <- abs(stats::cor(x[, features]))
  r <- r[upper.tri(r)]
  bins <- cut(r + 1e-10, c(0:9 / 10, Inf), right = FALSE)
  list(mean = mean(r), share = as.vector(table(bins)) / length(r))
}

shares <- function(x, order) {
  if (is.null(x)) return(0:9 / 10)
  100 * correlations(x, utils::head(order, 100))$share
}

means <- function(x, order) {
  if (is.null(x)) return(sizes)
  vapply(sizes, function(k) correlations(x, utils::head(order, k))$mean, 0)
}

redundancy_part <- function() {
  results <- lapply(sets[1:3], redundancy_of, c(0, 1000, 100000))
  histogram <- rows_over(results, averaged, shares)
  by_size <- rows_over(results, averaged, means)
  accuracy <- rows_over(results, function(result) {
    rows <- accuracy_table(result$curve, result$name, 3)
    cbind(rows, standard_error = rows$sd / sqrt(rows$splits))
  })
  at_100 <- by_size[by_size$at == 100, ]
  save_table(merge(
    accuracy[c("set", "selector", "accuracy", "standard_error")],
    data.frame(at_100[1:2], mean_correlation_of_100 = at_100$value),
    sort = FALSE
  ), arguments, "bfs-redundancy")
  save_table(histogram, arguments, "bfs-redundancy-histogram")
  save_table(by_size, arguments, "bfs-redundancy-by-size")
}

# Fig. 4: correlations among the 50 best features by the linear and by the
# Gaussian kernel, on the training halves of ten partitions.
kernel_rows <- function(name) {
  set <- load_set(name, arguments)
  one <- function(split, kernel) {
    set.seed(split)
    train <- unlist(lapply(split(seq_along(set$y), set$y), function(members) {
      sample(members, round(length(members) / 2))
    }))
    x <- set$x[train, ]
    fit <- kbfs(x, set$y[train], kernel = kernel, threads = 1)
    found <- correlations(x, utils::head(in_order(fit), 50))
    c(sum(fit$scores > 0), found$mean, 100 * found$share)
  }
  rows_over(c("linear", "gaussian"), function(kernel) {
    mean <- rowMeans(vapply(1:10, one, numeric(12L), kernel))
    data.frame(
      set = name, kernel = kernel, active = mean[[1L]], mean = mean[[2L]],
      at = 0:9 / 10, share = mean[-(1:2)]
    )
  })
}

parts <- list(
  fig3 = \() reproduce("pie10p-unit", graphs(1:5), semi, "bfs-fig3"),
  redundancy = redundancy_part,
  kernels = function() {
    save_table(rows_over(sets[1:3], kernel_rows), arguments, "bfs-kernels")
  }
)
run_parts(parts, arguments)
