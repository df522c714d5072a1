# BFS and semi-BFS (Zhu et al. 2014): Tables II and III, Figs 3 to 5, on the
# sets that are open.
# Usage: Rscript bfs.R [data folder] [output folder] [table2] [table3] [redundancy]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c("table2", "table3", "redundancy"))
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

# `papers`: what the paper reports, a named vector for each set.
reproduce <- function(selectors, resampling, papers, name, title) {
  curves <- lapply(stats::setNames(nm = sets), run, selectors, resampling)
  curves <- Filter(Negate(is.null), curves)
  save_table(do.call(rbind, lapply(names(curves), function(set) {
    accuracy_table(curves[[set]], set, papers[[set]])
  })), arguments, name)
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
      LOGO = function(x, y) suppressWarnings(logo(x, y, threads = 1))
    ),
    holdout(times = 20, train = 0.5),
    list(
      tox171 = c(BFS = 77.65, LOGO = 77.43), orl10p = c(BFS = 93.13, LOGO = 92.74),
      pix10p = c(BFS = 95.91, LOGO = 97.19)
    ),
    "bfs-table2", "BFS, Table II and Fig. 3: half of the samples for training"
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
    "bfs-table3", "BFS, Table III: 20 % labelled, 40 % unlabelled"
  )
}

# Squared correlations among the selected features, on training parts.
similarity <- function(x, order, size) {
  r <- stats::cor(x[, utils::head(order, size)])^2
  r[lower.tri(r)]
}

redundancy_of <- function(name, prices, times = 10) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  set.seed(3)
  curve <- error_curve(set$x, set$y,
    stats::setNames(
      lapply(prices, function(a3) bfs_by("entry", redundancy = a3)),
      paste("a3 =", prices)
    ),
    sizes = sizes, classifier = "svm_linear",
    resampling = holdout(times = times, train = 0.5)
  )
  orders <- curve$selections
  values <- lapply(names(orders), function(selector) {
    lapply(seq_len(times), function(s) {
      x <- set$x[curve$splits[[s]]$train, ]
      order <- orders[[selector]][[s]][[1L]]
      list(
        histogram = similarity(x, order, 100),
        mean = vapply(sizes, function(k) mean(similarity(x, order, k)), 0)
      )
    })
  })
  names(values) <- names(orders)
  list(curve = curve, values = values)
}

bins <- seq(0, 1, by = 0.1)
histogram_rows <- function(result, set) {
  do.call(rbind, lapply(names(result$values), function(selector) {
    all <- unlist(lapply(result$values[[selector]], `[[`, "histogram"))
    data.frame(
      set = set, selector = selector, from = utils::head(bins, -1),
      share = 100 * as.vector(prop.table(table(cut(all, bins, include.lowest = TRUE))))
    )
  }))
}

mean_rows <- function(result, set) {
  do.call(rbind, lapply(names(result$values), function(selector) {
    all <- vapply(result$values[[selector]], `[[`, sizes * 1, "mean")
    data.frame(
      set = set, selector = selector, size = sizes,
      redundancy = rowMeans(all)
    )
  }))
}

if ("redundancy" %in% arguments$parts) {
  prices <- c(0, 100, 1000, 10000, 100000)
  results <- lapply(stats::setNames(nm = sets), redundancy_of, prices)
  results <- Filter(Negate(is.null), results)
  histogram <- do.call(rbind, Map(histogram_rows, results, names(results)))
  by_size <- do.call(rbind, Map(mean_rows, results, names(results)))
  accuracy <- do.call(rbind, Map(function(result, set) {
    accuracy_table(result$curve, set, c(none = NA))
  }, results, names(results)))
  at <- by_size[by_size$size == 100, ]
  save_table(merge(
    accuracy[c("set", "selector", "accuracy", "standard_error")],
    data.frame(at[1:2], mean_squared_correlation_of_100 = at$redundancy),
    sort = FALSE
  ), arguments, "bfs-redundancy")
  save_table(histogram, arguments, "bfs-fig4-histogram")
  save_table(by_size, arguments, "bfs-fig5-by-size")
  library(ggplot2)
  histogram$selector <- factor(histogram$selector, unique(histogram$selector))
  save_picture(
    ggplot(histogram, aes(.data$from + 0.05, .data$share + 0.01, fill = .data$selector)) +
      geom_col(position = "dodge") + facet_wrap("set") +
      scale_fill_manual(values = okabe_ito, name = NULL) + scale_y_log10() +
      labs(
        title = "BFS, Fig. 4: redundancy of the 100 best features",
        x = "squared correlation of two features (training part)",
        y = "% of the pairs of features"
      ) + picture_theme(),
    arguments, "bfs-fig4-histogram"
  )
  by_size$selector <- factor(by_size$selector, unique(by_size$selector))
  save_picture(
    ggplot(by_size, aes(.data$size, .data$redundancy, colour = .data$selector)) +
      geom_line(linewidth = 0.9) + facet_wrap("set", scales = "free_y") +
      scale_colour_manual(values = okabe_ito, name = NULL) +
      labs(
        title = "BFS, Fig. 5: redundancy by the number of features",
        x = "number of features", y = "mean squared correlation"
      ) + picture_theme(),
    arguments, "bfs-fig5-by-size"
  )
}
