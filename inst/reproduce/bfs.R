# BFS and semi-BFS (Zhu et al. 2014): Tables II and III, a2 as in Fig. 3 and the
# redundancy of Figs 4 and 5, on the sets that are open.
# Usage: Rscript bfs.R [data folder] [output folder] [table2] [table3]
#   [redundancy] [kernels]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c("table2", "table3", "redundancy", "kernels"))
sets <- c("tox171", "orl10p", "pix10p")
sizes <- seq(10, 200, by = 10)

# The whole order: features that never became active follow by Z'T.
in_order <- function(fit) names(fit$scores)[fit$ranking]
bfs_by <- function(rule, ...) {
  function(x, y) {
    in_order(kbfs(x, y, n_features = 200, rank_by = rule, ..., threads = 1))
  }
}
# At a price that no feature can pay, the order is that of Z'T.
alone <- function(x, y) in_order(kbfs(x, y, lambda = 1e9, threads = 1))

run <- function(name, selectors, resampling) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  set.seed(3)
  error_curve(set$x, set$y, selectors,
    sizes = sizes, classifier = "svm_linear", resampling = resampling
  )
}

# Corrected p-values (Nadeau, Bengio) of the difference from `first`, and those
# of the plain paired t-test, which the paper used and which are far too small.
p_values <- function(curve, set, first) {
  corrected <- compare_selectors(curve, adjust = "none")
  others <- setdiff(curve$selectors, first)
  split_means <- function(name) rowMeans(curve$values[[name]])
  do.call(rbind, lapply(others, function(other) {
    row <- corrected[corrected$first %in% c(first, other) &
      corrected$second %in% c(first, other), ]
    data.frame(
      set = set, first = first, second = other,
      first_better_by = 100 * mean(split_means(other) - split_means(first)),
      p_corrected = row$p,
      p_plain_not_valid = plain_p(split_means(first) - split_means(other))
    )
  }))
}

plain_p <- function(d) {
  t <- mean(d) / (stats::sd(d) / sqrt(length(d)))
  2 * stats::pt(-abs(t), length(d) - 1)
}

# `papers`: what the paper reports, a named vector for each set.
reproduce <- function(selectors, resampling, papers, name, title) {
  curves <- lapply(stats::setNames(nm = sets), run, selectors, resampling)
  curves <- Filter(Negate(is.null), curves)
  save_table(do.call(rbind, lapply(names(curves), function(set) {
    accuracy_table(curves[[set]], set, papers[[set]])
  })), arguments, name)
  save_table(do.call(rbind, Map(
    p_values, curves, names(curves), names(selectors)[[1L]]
  )), arguments, paste0(name, "-tests"), digits = 4)
  known <- data.frame(
    set = names(curves),
    paper = vapply(papers[names(curves)], `[[`, 0, 1L)
  )
  save_picture(accuracy_picture(
    do.call(rbind, Map(accuracy_by_size, curves, names(curves))), known, title,
    "20 partitions; dashed: the paper's average over 10, 20, ..., 200 features"
  ), arguments, name)
}

if ("table2" %in% arguments$parts) {
  reproduce(
    list(
      BFS = bfs_by("entry"), `BFS, by weight` = bfs_by("weight"),
      `Z'T alone` = alone,
      LOGO = function(x, y) suppressWarnings(logo(x, y, threads = 1)),
      mRMR = function(x, y) reference_scores(x, y, "mrmr", n = 200)
    ),
    holdout(times = 20, train = 0.5),
    list(
      tox171 = c(BFS = 77.65, LOGO = 77.43, mRMR = 75.72),
      orl10p = c(BFS = 93.13, LOGO = 92.74, mRMR = 93.76),
      pix10p = c(BFS = 95.91, LOGO = 97.19, mRMR = 95.39)
    ),
    "bfs-table2", "BFS, Table II: half of the samples for training"
  )
}

if ("table3" %in% arguments$parts) {
  weights <- c(0.1, 1, exp(4))
  graph <- lapply(weights, function(a2) bfs_by("entry", manifold = a2))
  names(graph) <- c("a2 = 0.1", "a2 = 1", "semi-BFS, a2 = e^4")
  reproduce(
    c(list(`no graph, a2 = 0` = bfs_by("entry")), graph),
    # 20 % labelled, 40 % unlabelled, 40 % test.
    holdout(times = 20, train = 0.6, labelled = 1 / 3),
    list(
      tox171 = c(`semi-BFS, a2 = e^4` = 64.97),
      orl10p = c(`semi-BFS, a2 = e^4` = 86.06),
      pix10p = c(`semi-BFS, a2 = e^4` = 90.82)
    ),
    "bfs-table3",
    "BFS, Table III, and a2 as in Fig. 3: 20 % labelled, 40 % unlabelled"
  )
}

# How much the selected features repeat each other, on the training parts of
# ten partitions; Z'T alone and mRMR beside BFS with and without its term.
redundancy_of <- function(name, prices, times = 10) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  set.seed(3)
  priced <- lapply(prices, function(a3) bfs_by("entry", redundancy = a3))
  names(priced) <- paste(
    "a3 =", format(prices, trim = TRUE, scientific = FALSE)
  )
  curve <- error_curve(set$x, set$y,
    c(priced, list(
      `Z'T alone` = alone,
      mRMR = function(x, y) reference_scores(x, y, "mrmr", n = 200)
    )),
    sizes = sizes, classifier = "svm_linear",
    resampling = holdout(times = times, train = 0.5)
  )
  list(set = set, curve = curve)
}

# Over the splits: rows of a data.frame for each selector, averaged.
averaged <- function(result, name, measure) {
  do.call(rbind, lapply(result$curve$selectors, function(selector) {
    values <- vapply(seq_along(result$curve$splits), function(s) {
      x <- result$set$x[result$curve$splits[[s]]$train, ]
      colnames(x) <- NULL
      measure(x, result$curve$selections[[selector]][[s]])
    }, measure(NULL, NULL))
    data.frame(
      set = name, selector = selector, at = measure(NULL, NULL),
      value = rowMeans(values)
    )
  }))
}

shares <- function(x, order) {
  if (is.null(x)) return(0:9 / 10)
  100 * redundancy(x, utils::head(order, 100))$share
}

means <- function(x, order) {
  if (is.null(x)) return(sizes)
  vapply(sizes, function(k) redundancy(x, utils::head(order, k))$mean, 0)
}

if ("redundancy" %in% arguments$parts) {
  prices <- c(0, 1000, 100000)
  results <- lapply(stats::setNames(nm = sets), redundancy_of, prices)
  results <- Filter(Negate(is.null), results)
  histogram <- do.call(
    rbind, Map(averaged, results, names(results), list(shares))
  )
  by_size <- do.call(rbind, Map(averaged, results, names(results), list(means)))
  accuracy <- do.call(rbind, Map(function(result, set) {
    accuracy_table(result$curve, set, c(none = NA))
  }, results, names(results)))
  at_100 <- by_size[by_size$at == 100, ]
  save_table(merge(
    accuracy[c("set", "selector", "accuracy", "standard_error")],
    data.frame(at_100[1:2], mean_correlation_of_100 = at_100$value),
    sort = FALSE
  ), arguments, "bfs-redundancy")
  save_table(histogram, arguments, "bfs-redundancy-histogram")
  save_table(by_size, arguments, "bfs-redundancy-by-size")
  order <- unique(by_size$selector)
  by_size$selector <- factor(by_size$selector, order)
  histogram$selector <- factor(histogram$selector, order)
  library(ggplot2)
  save_picture(
    ggplot(
      histogram, aes(.data$at + 0.05, .data$value, colour = .data$selector)
    ) +
      geom_line(linewidth = 0.9) + geom_point(size = 2) + facet_wrap("set") +
      scale_colour_manual(values = okabe_ito, name = NULL) +
      labs(
        title = "BFS, as Figs 4 and 5: redundancy of the 100 best features",
        subtitle =
          "lines of the three prices a3 lie on one another: see README.md",
        x = "|correlation| of two features (training part)",
        y = "% of the pairs of features"
      ) + picture_theme(),
    arguments, "bfs-redundancy-histogram"
  )
  save_picture(
    ggplot(by_size, aes(.data$at, .data$value, colour = .data$selector)) +
      geom_line(linewidth = 0.9) + facet_wrap("set", scales = "free_y") +
      scale_colour_manual(values = okabe_ito, name = NULL) +
      labs(
        title = "BFS: redundancy by the number of features",
        x = "number of features", y = "mean |correlation|"
      ) + picture_theme(),
    arguments, "bfs-redundancy-by-size"
  )
}

# Fig. 4: correlations among the 50 best features by the linear and by the
# Gaussian kernel, on the training halves of ten partitions.
kernel_rows <- function(name) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  one <- function(split, kernel) {
    set.seed(split)
    train <- unlist(lapply(split(seq_along(set$y), set$y), function(members) {
      sample(members, round(length(members) / 2))
    }))
    x <- set$x[train, ]
    fit <- kbfs(x, set$y[train], kernel = kernel, threads = 1)
    found <- redundancy(x, utils::head(in_order(fit), 50))
    c(sum(fit$scores > 0), found$mean, 100 * found$share)
  }
  do.call(rbind, lapply(c("linear", "gaussian"), function(kernel) {
    mean <- rowMeans(vapply(1:10, one, numeric(12L), kernel))
    data.frame(
      set = name, kernel = kernel, active = mean[[1L]], mean = mean[[2L]],
      at = 0:9 / 10, share = mean[-(1:2)]
    )
  }))
}

if ("kernels" %in% arguments$parts) {
  table <- do.call(rbind, lapply(sets, kernel_rows))
  save_table(table, arguments, "bfs-kernels")
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$at + 0.05, .data$share, colour = .data$kernel
    )) +
      ggplot2::geom_line(linewidth = 0.9) + ggplot2::facet_wrap("set") +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "BFS, Fig. 4: redundancy of the 50 best features, by kernel",
        subtitle = "training halves of ten partitions",
        x = "|correlation| of two features", y = "% of the pairs of features"
      ) + picture_theme(),
    arguments, "bfs-kernels"
  )
}
