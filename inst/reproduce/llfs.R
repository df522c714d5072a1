# LLFS (Armanfard, Reilly, Komeili 2018): Tables II to V, error and features
# against alpha (Figs 5, 10, 11), the toy of Fig. 6, which features are selected
# (Figs 7 and 9), distances around a representative (Fig. 8), time (Fig. 14).
# Usage: Rscript llfs.R [data folder] [output folder] [part ...]
# Parts: a set's name (its Table II), verdicts, table3, table4, table5, alpha,
# toy, frequency, distances, gamma, scaling. Sets can be run one by one: tables
# and pictures are made of all that the output folder holds.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# Smallest errors over alpha or the number of features, %, and CPU seconds at
# alpha = 10 on one core (MATLAB).
sets <- data.frame(
  set = c("sonar", "dna", "wdbc", "prostate_ge", "leukemia7070", "colon"),
  train = c(100, 100, 100, 90, 60, 50), noise = c(100, 100, 100, 0, 0, 0),
  prune = c(Inf, Inf, Inf, 300, 300, 300),
  paper_llfs = c(22.3, 11.8, 6.2, 4.2, 2.5, 9.2),
  paper_logo = c(26.8, 15.3, 8.3, 8.3, 6.7, 20.8),
  paper_seconds = c(59.40, 165.62, 47.31, 172.42, 101.83, 106.12)
)
arguments <- read_arguments(c(
  sets$set, "verdicts", "table3", "table4", "table5", "alpha", "toy",
  "frequency", "distances", "gamma", "scaling"
))

# The paper's LLFS: one alpha, gamma = 0.2, the vote of the spheres (11), and
# for `neighbour` equation (9). What has a default of its own in llfs() is
# given.
paper_llfs <- function(x, y, alpha, prune = Inf, ..., gamma = 0.2,
                       neighbour = "none") {
  llfs(x, y,
    alpha = alpha, gamma = gamma, vote = "spheres", neighbour = neighbour,
    prune = min(prune, ncol(x)), ..., threads = 1
  )
}

# The set with its noise features; row names identify a training part.
prepare <- function(name) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  row <- sets[sets$set == name, ]
  set.seed(2017)
  if (row$noise > 0) {
    noise <- matrix(stats::rnorm(nrow(set$x) * row$noise), nrow(set$x))
    colnames(noise) <- paste0("noise", seq_len(row$noise))
    set$x <- cbind(set$x, noise)
  }
  rownames(set$x) <- seq_len(nrow(set$x))
  c(set, row)
}

# LLFS for a rule of the neighbour. The rule acts at prediction only, so that
# all rules share one fit of a training part and alpha.
llfs_by_rule <- function(prune) {
  known <- new.env()
  fitted <- function(x, y, size) {
    key <- paste(c(size, rownames(x)), collapse = " ")
    if (is.null(known[[key]])) known[[key]] <- paper_llfs(x, y, size, prune)
    known[[key]]
  }
  rules <- c("none", "half", "full")
  names(rules) <- c("LLFS, eq. (9)", "LLFS, half", "LLFS, footnote 2")
  lapply(rules, function(rule) {
    function(x, y, size) {
      fit <- fitted(x, y, size)
      fit$parameters$neighbour <- rule
      fit
    }
  })
}

logo_of <- function(x, y) suppressWarnings(logo(x, y, threads = 1))
# The paper draws ten random splits, the same for all methods.
ten_splits <- function(set) {
  holdout(times = 10, train = set$train, stratified = FALSE)
}
in_percent <- function(curve, name) {
  table <- curve$summary
  data.frame(
    set = name, selector = as.character(table$selector), size = table$size,
    error = 100 * table$mean, sd = 100 * table$sd, features = table$n_used
  )
}

# ---- Table II ----------------------------------------------------------------

run_table2 <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  curve <- error_curve(set$x, set$y,
    c(llfs_by_rule(set$prune), list(`Logo, RBF-SVM` = logo_of)),
    sizes = 1:30, classifier = list(`Logo, RBF-SVM` = "svm_rbf", "own"),
    resampling = ten_splits(set)
  )
  utils::write.csv(
    in_percent(curve, name),
    file.path(arguments$output, paste0("llfs-curve-", name, ".csv")),
    row.names = FALSE
  )
}

# The curves of all sets that have been run, now or before.
curves_so_far <- function() {
  files <- file.path(arguments$output, paste0("llfs-curve-", sets$set, ".csv"))
  do.call(rbind, lapply(files[file.exists(files)], utils::read.csv))
}

table2_rows <- function(curve, splits) {
  best <- which.min(curve$error)
  row <- sets[sets$set == curve$set[[1L]], ]
  llfs <- startsWith(curve$selector[[1L]], "LLFS")
  result <- data.frame(
    set = row$set, selector = curve$selector[[1L]],
    paper = if (llfs) row$paper_llfs else row$paper_logo,
    smallest = curve$error[[best]],
    standard_error = curve$sd[[best]] / sqrt(splits), at = curve$size[[best]],
    mean_over_sizes = mean(curve$error), splits = splits
  )
  result$verdict <- verdict(
    result$smallest, result$standard_error, result$paper
  )
  result
}

by_selector <- function(curves, splits) {
  parts <- split(curves, paste(match(curves$set, sets$set), curves$selector))
  do.call(rbind, lapply(parts, table2_rows, splits))
}

draw_against_alpha <- function(curves, value, name, title, y) {
  of_errors <- value == "error"
  curves$value <- curves[[value]]
  curves$set <- factor(curves$set, sets$set)
  paper <- data.frame(set = factor(sets$set, sets$set), paper = sets$paper_llfs)
  paper <- paper[paper$set %in% curves$set, ]
  save_picture(
    ggplot2::ggplot(curves, ggplot2::aes(
      .data$size, .data$value, colour = .data$selector
    )) +
      (if (of_errors) {
        ggplot2::geom_hline(
          data = paper, ggplot2::aes(yintercept = .data$paper),
          linetype = "dashed", colour = "grey30"
        )
      }) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_wrap("set", scales = "free_y") +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::expand_limits(y = 0) +
      ggplot2::labs(
        title = title,
        subtitle = paste0("ten random splits", if (of_errors) {
          "; dashed: the paper's smallest error of LLFS"
        }),
        x = if (of_errors) "alpha (Logo: number of features)" else "alpha",
        y = y
      ) +
      picture_theme(),
    arguments, name
  )
}

report_table2 <- function() {
  curves <- curves_so_far()
  if (is.null(curves)) return(invisible(NULL))
  # No verdict: ten splits of twelve test samples say too little.
  table <- by_selector(curves, 10)
  save_table(table[names(table) != "verdict"], arguments, "llfs-table2")
  draw_against_alpha(
    curves, "error", "llfs-table2", "LLFS, Table II: test error against alpha",
    "test error, %"
  )
}

# Forty stratified splits, of which twelve test samples a split say more, and
# nine values of alpha.
run_verdicts <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  curve <- error_curve(set$x, set$y, llfs_by_rule(set$prune),
    sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30), classifier = "own",
    resampling = holdout(times = 40, train = set$train)
  )
  update_table(
    by_selector(in_percent(curve, name), 40), arguments, "llfs-verdicts"
  )
}

# ---- Table III: other classifiers on the features of Logo and mRMR -----------

as_factor <- function(one, y) factor(levels(y)[one + 1L], levels(y))

logistic <- function(x_train, y_train, x_test) {
  fit <- suppressWarnings(
    stats::glm.fit(cbind(1, x_train), as.integer(y_train) - 1L,
      family = stats::binomial()
    )
  )
  slope <- ifelse(is.na(fit$coefficients), 0, fit$coefficients)
  as_factor(cbind(1, x_test) %*% slope > 0, y_train)
}

# Stumps under AdaBoost's exponential loss; the paper's rounds are not known.
adaboost <- function(x_train, y_train, x_test) {
  model <- gbm::gbm.fit(as.data.frame(x_train), as.integer(y_train) - 1L,
    distribution = "adaboost", n.trees = 100, interaction.depth = 1,
    shrinkage = 1, bag.fraction = 1, n.minobsinnode = 1, verbose = FALSE
  )
  margin <- suppressWarnings(
    stats::predict(model, as.data.frame(x_test), n.trees = 100)
  )
  as_factor(margin > 0, y_train)
}

table3_published <- data.frame(
  set = rep(sets$set, each = 4),
  classifier = rep(c("AdaBoost", "logistic regression"), each = 2),
  selector = c("Logo", "mRMR"),
  paper = c(
    30.8, 28.7, 30.2, 31.8, 15.3, 14.4, 14.2, 13.9, 9.0, 7.7, 7.3, 7.2,
    9.2, 9.2, 5.8, 9.2, 4.2, 2.5, 5.0, 3.3, 15.8, 16.7, 17.5, 14.2
  )
)

run_table3 <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  classifiers <- list(`logistic regression` = logistic)
  if (requireNamespace("gbm", quietly = TRUE)) classifiers$AdaBoost <- adaboost
  rows <- do.call(rbind, lapply(names(classifiers), function(classifier) {
    set.seed(2018)
    curve <- in_percent(error_curve(set$x, set$y,
      list(Logo = logo_of, mRMR = function(x, y) {
        reference_scores(x, y, "mrmr", n = 30)
      }),
      sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30),
      classifier = classifiers[[classifier]], resampling = ten_splits(set)
    ), name)
    best <- do.call(rbind, lapply(split(curve, curve$selector), function(g) {
      g[which.min(g$error), ]
    }))
    data.frame(
      set = name, classifier = classifier, selector = best$selector,
      smallest = best$error, standard_error = best$sd / sqrt(10), at = best$size
    )
  }))
  rows <- merge(rows, table3_published, sort = FALSE)
  rows$verdict <- verdict(rows$smallest, rows$standard_error, rows$paper)
  update_table(rows, arguments, "llfs-table3")
}

# ---- Table V: dna with 1,000 training samples --------------------------------

# Two splits and three alphas: a fit of 1,000 representatives takes a while.
report_table5 <- function(splits = 2) {
  set <- prepare("dna")
  if (is.null(set)) return(invisible(NULL))
  resampling <- holdout(times = splits, train = 1000, stratified = FALSE)
  curves <- function(selectors, sizes, classifier) {
    set.seed(5)
    in_percent(error_curve(set$x, set$y, selectors,
      sizes = sizes, classifier = classifier, resampling = resampling
    ), "dna")
  }
  table <- rbind(
    curves(llfs_by_rule(Inf), c(5, 10, 20), "own"),
    curves(list(
      `Logo, RBF-SVM` = logo_of, `mRMR, RBF-SVM` = function(x, y) {
        reference_scores(x, y, "mrmr", n = 30)
      }
    ), c(1, 2, 3, 5, 8, 10, 15, 20, 30), "svm_rbf"),
    curves(
      list(`all features, RBF-SVM` = function(x, y) colnames(x)), Inf, "svm_rbf"
    )
  )
  paper <- c(
    LLFS = 5.8, Logo = 41.6, mRMR = 6.7, `all features` = 48.3
  )
  rows <- do.call(rbind, lapply(split(table, table$selector), function(g) {
    best <- g[which.min(g$error), ]
    data.frame(
      selector = best$selector,
      paper = paper[[sub(",.*", "", best$selector)]], smallest = best$error,
      standard_error = best$sd / sqrt(splits), at = best$size,
      mean_over_sizes = mean(g$error), features = best$features, splits = splits
    )
  }))
  rows$verdict <- verdict(rows$smallest, rows$standard_error, rows$paper)
  save_table(rows, arguments, "llfs-table5")
}

# ---- Figs 5, 10, 11: all values of alpha up to the number of features --------

report_alpha <- function() {
  set <- prepare("wdbc")
  if (is.null(set)) return(invisible(NULL))
  curve <- error_curve(set$x, set$y, llfs_by_rule(set$prune),
    sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 70, 90, 110, 130),
    classifier = "own", resampling = ten_splits(set)
  )
  table <- in_percent(curve, "wdbc")
  table$standard_error <- table$sd / sqrt(10)
  save_table(table, arguments, "llfs-alpha")
  draw_against_alpha(
    table, "error", "llfs-fig10", "LLFS, Fig. 10: error up to alpha = 130",
    "test error, %"
  )
  draw_against_alpha(
    table[table$selector == "LLFS, eq. (9)", ], "features", "llfs-fig11",
    "LLFS, Figs 5 and 11: features that a representative uses",
    "features of a representative, mean"
  )
}

# ---- Figs 7 and 9: which features do the representatives select? -------------

# dna with 100 and with 100,000 features of noise, mean over draws of 100
# samples; at feature 90 the sequences are cut or not.
selected_shares <- function(noise, draws) {
  set <- load_set("dna", arguments)
  if (is.null(set)) return(NULL)
  real <- as.character(seq_len(ncol(set$x)))
  each <- lapply(seq_len(draws), function(draw) {
    set.seed(draw)
    some <- sample(nrow(set$x), 100)
    x <- cbind(set$x[some, ], matrix(stats::rnorm(100 * noise), 100))
    colnames(x) <- c(real, paste0("noise", seq_len(noise)))
    cpu <- system.time(fit <- paper_llfs(x, droplevels(set$y[some]), 10))
    list(
      shares = fit$scores[real], cpu = sum(cpu[1:2]),
      noise = 1 - sum(fit$scores[real]) / sum(fit$scores)
    )
  })
  shares <- rowMeans(vapply(each, `[[`, numeric(length(real)), "shares"))
  data.frame(
    noise = noise, draws = draws, feature = as.integer(real),
    share = 100 * shares,
    noise_share_of_selections = 100 * mean(vapply(each, `[[`, 0, "noise")),
    cpu = mean(vapply(each, `[[`, 0, "cpu"))
  )
}

report_frequency <- function() {
  table <- rbind(selected_shares(100, 20), selected_shares(1e5, 3))
  if (is.null(table)) return(invisible(NULL))
  table <- table[order(table$noise, -table$share), ]
  save_table(
    do.call(rbind, lapply(split(table, table$noise), utils::head, 15)),
    arguments, "llfs-frequency"
  )
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data$feature, .data$share)) +
      ggplot2::geom_col(fill = okabe_ito[[1L]], width = 0.8) +
      ggplot2::facet_wrap("noise", ncol = 1, labeller = ggplot2::label_both) +
      ggplot2::labs(
        title =
          "LLFS, Figs 7 and 9: features of dna that representatives select",
        subtitle =
          "100 training samples, alpha = 10; 100 or 100,000 noise features",
        x = "feature", y = "% of the representatives"
      ) + picture_theme(),
    arguments, "llfs-frequency"
  )
}

# ---- Fig. 8: distances around one representative -----------------------------

report_distances <- function() {
  set <- prepare("wdbc")
  if (is.null(set)) return(invisible(NULL))
  set.seed(8)
  some <- sample(nrow(set$x), set$train)
  y <- droplevels(set$y[some])
  fit <- paper_llfs(set$x[some, ], y, 10)
  z <- scale(set$x[some, ])
  table <- do.call(rbind, lapply(seq_along(y), function(i) {
    own <- names(fit$scores)[hitmiss:::subset_of(fit, i)]
    away <- sqrt(colSums((t(z[-i, own, drop = FALSE]) - z[i, own])^2))
    near <- away <= fit$local$radius[[i]]
    same <- y[-i] == y[[i]]
    data.frame(
      representative = i, class = y[[i]], features = length(own),
      same_inside = 100 * mean(near[same]),
      other_inside = 100 * mean(near[!same]),
      mean_distance_same = mean(away[same]),
      mean_distance_other = mean(away[!same])
    )
  }))
  save_table(
    stats::aggregate(. ~ class, table[-1L], mean), arguments, "llfs-distances"
  )
  save_picture(
    plot(fit, type = "distances", representative = 1) +
      ggplot2::labs(title = "LLFS, Fig. 8: distances to one representative"),
    arguments, "llfs-fig8"
  )
}

# ---- Table IV ----------------------------------------------------------------

seconds_of <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  set.seed(1)
  some <- sort(sample(nrow(set$x), set$train))
  x <- set$x[some, ]
  y <- droplevels(set$y[some])
  seconds <- min(replicate(3, {
    sum(system.time(paper_llfs(x, y, 10, set$prune))[1:2])
  }))
  data.frame(
    set = name, samples = set$train, features = min(set$prune, ncol(x)),
    paper = set$paper_seconds, seconds = seconds,
    times_faster = set$paper_seconds / seconds
  )
}

report_table4 <- function() {
  table <- do.call(rbind, lapply(sets$set, seconds_of))
  save_table(table, arguments, "llfs-table4")
  long <- data.frame(
    set = factor(table$set, rev(table$set)),
    who = rep(c("paper (MATLAB)", "hitmiss"), each = nrow(table)),
    seconds = c(table$paper, table$seconds)
  )
  save_picture(
    ggplot2::ggplot(long, ggplot2::aes(
      .data$seconds, .data$set, colour = .data$who
    )) +
      ggplot2::geom_point(size = 5) +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "LLFS, Table IV: CPU seconds of one fit, one core",
        subtitle = "alpha = 10, all representatives, 21 values of beta",
        x = "seconds (logarithmic)", y = NULL
      ) +
      picture_theme(),
    arguments, "llfs-table4"
  )
}

# ---- Fig. 6 ------------------------------------------------------------------

# How often do representatives of a group choose x1, x2, and any noise feature?
toy_shares <- function(seed, parsimony) {
  set.seed(seed)
  toy <- simulate_localized()
  chosen <- as.matrix(
    hitmiss:::subset_matrix(
      paper_llfs(toy$x, toy$y, 2, parsimony = parsimony)
    )
  )
  noise <- !rownames(chosen) %in% toy$relevant
  each <- cbind(
    x1 = chosen["x1", ], x2 = chosen["x2", ],
    `any noise` = colSums(chosen[noise, ]) > 0
  )
  shares <- 100 * rowsum(each + 0, toy$group) / as.vector(table(toy$group))
  data.frame(
    parsimony = parsimony, group = rownames(shares)[row(shares)],
    feature = colnames(shares)[col(shares)], share = as.vector(shares)
  )
}

report_toy <- function() {
  runs <- do.call(rbind, lapply(c(0, 3), function(parsimony) {
    do.call(rbind, lapply(1:10, toy_shares, parsimony = parsimony))
  }))
  table <- stats::aggregate(share ~ feature + group + parsimony, runs, mean)
  relevant <- list(A = "x1", B = "x2", C = c("x1", "x2"))
  table$paper <- 100 * mapply(function(feature, group) {
    feature %in% relevant[[group]]
  }, table$feature, table$group)
  save_table(table, arguments, "llfs-fig6")
  table$rule <- paste("parsimony =", table$parsimony)
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$feature, .data$share, fill = .data$rule
    )) +
      ggplot2::geom_col(position = "dodge", width = 0.7) +
      ggplot2::geom_point(
        ggplot2::aes(y = .data$paper),
        shape = 4, size = 4, stroke = 1.2, show.legend = FALSE
      ) +
      ggplot2::facet_wrap("group", labeller = ggplot2::label_both) +
      ggplot2::scale_fill_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "LLFS, Fig. 6: which features do the groups choose?",
        subtitle = "100 noise features, mean of ten draws; crosses: the paper",
        x = NULL, y = "representatives that choose it, %"
      ) +
      picture_theme(),
    arguments, "llfs-fig6"
  )
}

# ---- the impurity gamma -----------------------------------------------------

gamma_curve <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  # Sizes are gamma in percent.
  curve <- error_curve(set$x, set$y,
    list(LLFS = function(x, y, size) {
      paper_llfs(x, y, 10, set$prune, gamma = size / 100)
    }),
    sizes = c(5, 10, 20, 30, 40, 60, 80, 100), classifier = "own",
    resampling = ten_splits(set)
  )$summary
  data.frame(
    set = name, gamma = curve$size / 100, error = 100 * curve$mean,
    standard_error = 100 * curve$sd / sqrt(10)
  )
}

report_gamma <- function() {
  table <- do.call(rbind, lapply(c("sonar", "wdbc", "colon"), gamma_curve))
  save_table(table, arguments, "llfs-gamma")
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data$gamma, .data$error)) +
      ggplot2::geom_ribbon(
        ggplot2::aes(
          ymin = .data$error - .data$standard_error,
          ymax = .data$error + .data$standard_error
        ),
        alpha = 0.15
      ) +
      ggplot2::geom_line(linewidth = 0.9, colour = okabe_ito[[1L]]) +
      ggplot2::facet_wrap("set", scales = "free_y") +
      ggplot2::expand_limits(y = 0) +
      ggplot2::labs(
        title = "LLFS: test error against gamma, the impurity of a sphere",
        subtitle = "alpha = 10, ten splits; band: one standard error",
        x = "gamma", y = "test error, %"
      ) +
      picture_theme(),
    arguments, "llfs-gamma"
  )
}

# ---- Fig. 14: time against the number of samples, and of features ------------

report_scaling <- function() {
  set <- load_set("dna", arguments)
  if (is.null(set)) return(invisible(NULL))
  timed <- function(samples, features) {
    set.seed(14)
    some <- sample(nrow(set$x), samples)
    x <- cbind(set$x[some, ], matrix(
      stats::rnorm(samples * (features - ncol(set$x))), samples
    ))
    colnames(x) <- paste0("x", seq_len(features))
    cpu <- sum(system.time(
      paper_llfs(x, droplevels(set$y[some]), 10)
    )[1:2])
    data.frame(
      samples = samples, features = features, cpu = cpu,
      ms_per_representative = 1000 * cpu / samples
    )
  }
  timed(100, 280) # the first call of a session is slower
  save_table(rbind(
    do.call(rbind, lapply(c(100, 200, 400, 800), timed, features = 280)),
    do.call(rbind, lapply(c(1000, 3000, 10000), timed, samples = 100))
  ), arguments, "llfs-scaling")
}

chosen_sets <- intersect(sets$set, arguments$parts)
for (name in chosen_sets) run_table2(name)
if (length(chosen_sets) > 0L) report_table2()
parts <- list(
  verdicts = function() for (name in sets$set) run_verdicts(name),
  table3 = function() for (name in sets$set) run_table3(name),
  table4 = report_table4, table5 = report_table5, alpha = report_alpha,
  toy = report_toy, frequency = report_frequency, distances = report_distances,
  gamma = report_gamma, scaling = report_scaling
)
for (part in intersect(names(parts), arguments$parts)) parts[[part]]()
