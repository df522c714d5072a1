# LLFS (Armanfard, Reilly, Komeili 2018): Tables II to V, error and features
# against alpha (Figs 5, 10, 11), the toy of Fig. 6, which features are selected
# (Figs 7, 9, 13), distances around a representative (Fig. 8), time (Fig. 14).
# Usage: Rscript llfs.R [data folder] [output folder] [part ...]
# Parts: a set's name (its Table II), redrawn, table3, table4, table5, alpha,
# toy, frequency, distances, fig9, test, gamma, scaling.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# The training sizes of Table I. Arrays are pruned to 300 genes for LLFS.
sets <- data.frame(
  set = c(
    "sonar", "dna", "wdbc", "adult", "arrhythmia", "prostate_ge",
    "leukemia7070", "colon", "nervous"
  ),
  train = c(100, 100, 100, 100, 100, 90, 60, 50, 48),
  noise = rep(c(100, 0), c(5, 4)), prune = rep(c(Inf, 300), c(5, 4)),
  splits = c(40, 40, 40, 20, 20, 40, 40, 40, 20)
)
arguments <- read_arguments(c(
  sets$set, "redrawn", "table3", "table4", "table5", "alpha", "toy",
  "frequency", "distances", "fig9", "test", "gamma", "scaling"
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
prepare <- function(name, seed = 2017) {
  set <- load_set(name, arguments)
  row <- sets[sets$set == name, ]
  set.seed(seed)
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

logo_of <- function(x, y) {
  suppressWarnings(logo(x, y, lambda = 1, threads = 1))
}
some_sizes <- c(1, 2, 3, 5, 8, 10, 15, 20, 30)
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

# The rivals' classifier by Matlab's defaults, which the paper says it used: a
# radial kernel of width 1, that is gamma = 1/2, and cost 1.
matlab_svm <- function(x_train, y_train, x_test) {
  model <- e1071::svm(
    x_train, y_train, gamma = 1 / 2, cost = 1, scale = FALSE, fitted = FALSE
  )
  stats::predict(model, x_test)
}

rivals <- function() {
  found <- list(
    Logo = logo_of, mRMR = function(x, y) reference_scores(x, y, "mrmr", n = 30)
  )
  if (requireNamespace("pls", quietly = TRUE)) {
    found$kPLS <- function(x, y) {
      z <- scale(x)
      z[is.nan(z)] <- 0 # a feature that is constant in this training part
      fit <- pls::plsr(as.integer(y) ~ z, ncomp = 3, method = "simpls")
      found <- rowSums(stats::coef(fit)[, , 1, drop = FALSE]^2)
      stats::setNames(found, colnames(x))
    }
  }
  if (requireNamespace("glmnet", quietly = TRUE)) {
    found$Elasticnet <- elastic_net
  }
  found
}

# Features in the order in which the path takes them up.
elastic_net <- function(x, y) {
  path <- glmnet::glmnet(x, y, "binomial", alpha = 0.5)$beta
  colnames(x)[order(max.col(cbind(as.matrix(path) != 0, TRUE), "first"))]
}

# ---- Table II ----------------------------------------------------------------

# Random splits, the same for all methods, as in the paper, but more of them,
# and nine of its thirty values of alpha or numbers of features.
run_table2 <- function(name, seed) {
  set <- prepare(name, seed)
  constant <- apply(set$x, 2L, function(v) all(v == v[[1L]]))
  rivals <- rivals()
  curves <- lapply(list(
    list(llfs_by_rule(set$prune), "own"), list(rivals, matlab_svm),
    list(list(SVM = function(x, y) colnames(x)), matlab_svm)
  ), function(part) {
    set.seed(seed)
    curve <- error_curve(set$x[, !constant], set$y, part[[1L]],
      sizes = if (is.null(part[[1L]]$SVM)) some_sizes else Inf,
      classifier = part[[2L]], keep = FALSE,
      resampling = holdout(set$splits, train = set$train, stratified = FALSE)
    )
    in_percent(curve, name)
  })
  rows <- smallest_of(do.call(rbind, curves))
  update_table(
    cbind(seed = seed, rows, splits = set$splits), arguments,
    "llfs-table2-seeds", c("set", "seed")
  )
}

# By selector: the smallest error, where it is reached, and the mean over sizes.
smallest_of <- function(curve) {
  rows_over(unique(curve$selector), function(selector) {
    g <- curve[curve$selector == selector, ]
    best <- g[which.min(g$error), ]
    data.frame(
      set = best$set, selector = selector, smallest = best$error, sd = best$sd,
      at = best$size, mean_over_sizes = mean(g$error)
    )
  })
}

report_table2 <- function() {
  rows <- read_table(file.path(arguments$output, "llfs-table2-seeds.csv"))
  rows$commit <- NULL
  rows <- over_seeds(rows, c("set", "selector"), "smallest", "llfs-table2")
  update_table(rows, arguments, "llfs-table2")
}

# The paper's own statistic on colon, whose printed standard deviation cannot
# be: the smallest over alpha = 1, 3, ..., 29 of the mean of ten splits, drawn
# again and again from 40. `share` of them is as small as the paper's 9.2.
report_redrawn <- function() {
  set <- prepare("colon")
  errors <- lapply(1:4, function(seed) {
    set.seed(seed)
    error_curve(set$x, set$y, llfs_by_rule(set$prune),
      sizes = seq(1, 30, 2), classifier = "own", keep = FALSE,
      resampling = ten_splits(set)
    )$values
  })
  set.seed(1)
  draws <- replicate(10000, sample(40, 10))
  save_table(rows_over(names(errors[[1L]]), function(selector) {
    all <- 100 * do.call(rbind, lapply(errors, `[[`, selector))
    least <- apply(draws, 2L, function(some) min(colMeans(all[some, ])))
    data.frame(
      set = "colon", selector = selector, splits = nrow(all),
      mean = mean(least), low = stats::quantile(least, 0.025),
      high = stats::quantile(least, 0.975), share = mean(least < 9.25)
    )
  }), arguments, "llfs-redrawn")
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

run_table3 <- function(name) {
  set <- prepare(name)
  classifiers <- list(`logistic regression` = logistic)
  if (requireNamespace("gbm", quietly = TRUE)) classifiers$AdaBoost <- adaboost
  rows <- rows_over(names(classifiers), function(classifier) {
    set.seed(2018)
    curve <- error_curve(set$x, set$y, rivals()[c("Logo", "mRMR")],
      sizes = 1:30, classifier = classifiers[[classifier]],
      resampling = ten_splits(set)
    )
    cbind(classifier, smallest_of(in_percent(curve, name)))
  })
  rows <- cbind(rows, seed = 2018, splits = 10)
  rows <- over_seeds(
    rows, c("set", "classifier", "selector"), "smallest", "llfs-table3"
  )
  update_table(rows, arguments, "llfs-table3")
}

# ---- Table V: dna with 1,000 training samples --------------------------------

# Two of the paper's ten splits: 1,000 representatives take a while.
report_table5 <- function(splits = 2) {
  set <- prepare("dna")
  curves <- function(selectors, sizes, classifier) {
    set.seed(5)
    smallest_of(in_percent(error_curve(set$x, set$y, selectors,
      sizes = sizes, classifier = classifier,
      resampling = holdout(times = splits, train = 1000, stratified = FALSE)
    ), "dna1"))
  }
  # The paper's Logo is that of 30 features.
  at_30 <- curves(rivals()["Logo"], 30, matlab_svm)
  at_30$selector <- "Logo, 30 features"
  table <- cbind(rbind(
    curves(llfs_by_rule(Inf), c(2, 5, 10, 20, 30), "own"),
    curves(rivals(), c(some_sizes, 25), matlab_svm), at_30,
    curves(list(SVM = function(x, y) colnames(x)), Inf, matlab_svm)
  ), seed = 5, splits = splits)
  save_table(
    over_seeds(table, c("set", "selector"), "smallest", "llfs-table5"),
    arguments, "llfs-table5"
  )
}

# ---- Figs 5, 10, 11: all values of alpha up to the number of features --------

report_alpha <- function() {
  set <- prepare("wdbc")
  curve <- error_curve(set$x, set$y, llfs_by_rule(set$prune),
    sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 70, 90, 110, 130),
    classifier = "own", resampling = ten_splits(set)
  )
  table <- in_percent(curve, "wdbc")
  table$standard_error <- table$sd / sqrt(10)
  save_table(table, arguments, "llfs-alpha")
}

# ---- Figs 7 and 9: which features do the representatives select? -------------

# dna with 100 and with 100,000 features of noise, mean over draws of 100
# samples; at feature 90 the sequences are cut or not.
selected_shares <- function(noise, draws) {
  set <- load_set("dna", arguments)
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
  table <- table[order(table$noise, -table$share), ]
  save_table(
    rows_over(split(table, table$noise), utils::head, 15), arguments,
    "llfs-frequency"
  )
}

# ---- Fig. 8: distances around the representatives ----------------------------

distances_of <- function(name) {
  set <- prepare(name)
  set.seed(8)
  some <- sample(nrow(set$x), set$train)
  y <- droplevels(set$y[some])
  x <- set$x[some, ]
  x <- x[, apply(x, 2L, function(v) any(v != v[[1L]]))]
  fit <- paper_llfs(x, y, 10)
  z <- scale(x)
  table <- rows_over(seq_along(y), function(i) {
    own <- names(fit$scores)[hitmiss:::subset_of(fit, i)]
    away <- sqrt(colSums((t(z[-i, own, drop = FALSE]) - z[i, own])^2))
    near <- away <= fit$local$radius[[i]]
    same <- y[-i] == y[[i]]
    data.frame(
      class = y[[i]], features = length(own),
      same_inside = 100 * mean(near[same]),
      other_inside = 100 * mean(near[!same]),
      mean_distance_same = mean(away[same]),
      mean_distance_other = mean(away[!same])
    )
  })
  cbind(set = name, stats::aggregate(. ~ class, table, mean))
}

report_distances <- function() {
  rows <- rows_over(c("wdbc", "adult", "arrhythmia"), distances_of)
  save_table(rows, arguments, "llfs-distances")
}

# ---- Fig. 9: are the most frequent features a good global set? ---------------

report_fig9 <- function() {
  arrays <- c("colon", "leukemia7070", "prostate_ge")
  rows <- rows_over(arrays, function(n) {
    set <- prepare(n)
    full <- llfs_by_rule(set$prune)["LLFS, footnote 2"]
    ten <- function(x, y) full[[1L]](x, y, 10)
    curve <- function(selectors, sizes, classifier) {
      set.seed(9)
      in_percent(error_curve(set$x, set$y, selectors,
        sizes = sizes, classifier = classifier, keep = FALSE,
        resampling = holdout(set$splits, train = set$train, stratified = FALSE)
      ), n)
    }
    rows <- rbind(
      curve(full, 10, "own"),
      curve(list(`its ten most frequent, RBF-SVM` = ten), 10, matlab_svm)
    )
    rows$standard_error <- rows$sd / sqrt(set$splits)
    rows
  })
  save_table(rows, arguments, "llfs-fig9")
}

# ---- the test phase: samples in no sphere, time of a sample ------------------

report_test <- function() {
  rows <- rows_over(sets$set, function(name) {
    set <- prepare(name)
    each <- vapply(1:10, function(split) {
      set.seed(split)
      some <- sample(nrow(set$x), set$train)
      x <- set$x[, apply(set$x[some, ], 2L, function(v) any(v != v[[1L]]))]
      fit <- paper_llfs(
        x[some, ], droplevels(set$y[some]), 10, set$prune,
        neighbour = "full"
      )
      time <- system.time(p <- predict(fit, x[-some, ], type = "similarity"))
      c(100 * mean(rowSums(p) == 0), 1000 * sum(time[1:2]) / nrow(p))
    }, numeric(2L))
    data.frame(
      set = name, in_no_sphere = mean(each[1L, ]), ms = mean(each[2L, ])
    )
  })
  save_table(rows, arguments, "llfs-test", 3)
}

# ---- Table IV ----------------------------------------------------------------

seconds_of <- function(name) {
  set <- prepare(name)
  set.seed(1)
  some <- sort(sample(nrow(set$x), set$train))
  x <- set$x[some, ]
  y <- droplevels(set$y[some])
  seconds <- min(replicate(3, {
    sum(system.time(paper_llfs(x, y, 10, set$prune))[1:2])
  }))
  paper <- published(
    "LLFS", "Table IV", name, "LLFS, one core", "seconds"
  )$value
  data.frame(
    set = name, samples = set$train, features = min(set$prune, ncol(x)),
    paper = paper, seconds = seconds, times_faster = paper / seconds
  )
}

report_table4 <- function() {
  save_table(rows_over(sets$set, seconds_of), arguments, "llfs-table4")
}

# ---- Fig. 6 ------------------------------------------------------------------

# How often do representatives of a group choose x1, x2, and any noise feature?
toy_shares <- function(seed, parsimony) {
  set.seed(seed)
  toy <- simulate_localized()
  fit <- paper_llfs(toy$x, toy$y, 2, parsimony = parsimony)
  chosen <- as.matrix(hitmiss:::subset_matrix(fit))
  rownames(chosen) <- names(fit$scores)
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
  runs <- rows_over(c(0, 3), \(by) rows_over(1:10, toy_shares, by))
  table <- stats::aggregate(share ~ feature + group + parsimony, runs, mean)
  relevant <- list(A = "x1", B = "x2", C = c("x1", "x2"))
  table$paper <- 100 * mapply(function(feature, group) {
    feature %in% relevant[[group]]
  }, table$feature, table$group)
  save_table(table, arguments, "llfs-fig6")
}

# ---- the impurity gamma -----------------------------------------------------

# One split of Table V, alpha = 20, by gamma and the rule of the neighbour.
report_gamma <- function() {
  set <- load_set("dna", arguments)
  set.seed(1)
  noise <- matrix(stats::rnorm(nrow(set$x) * 100), nrow(set$x))
  x <- cbind(set$x, noise)
  colnames(x) <- seq_len(ncol(x))
  train <- sample(nrow(x))[1:1000]
  rows <- rows_over(c(0.05, 0.1, 0.2, 0.4), function(gamma) {
    fit <- paper_llfs(x[train, ], set$y[train], 20, gamma = gamma)
    error <- vapply(c("none", "half", "full"), function(rule) {
      fit$parameters$neighbour <- rule
      100 * mean(predict(fit, x[-train, ]) != set$y[-train])
    }, 0)
    data.frame(gamma = gamma, t(round(error, 2)))
  })
  save_table(rows, arguments, "llfs-gamma-dna")
}

# ---- Fig. 14: time against the number of samples, and of features ------------

report_scaling <- function() {
  set <- load_set("dna", arguments)
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
    rows_over(c(100, 200, 400, 800), timed, features = 280),
    rows_over(c(1000, 3000, 10000), timed, samples = 100)
  ), arguments, "llfs-scaling")
}

made <- rows_over(intersect(arguments$parts, sets$set), \(name) {
  rows_over(1:3, \(seed) run_table2(name, seed))
})
if (!is.null(made)) report_table2()
parts <- list(
  redrawn = report_redrawn, table3 = \() rows_over(sets$set, run_table3),
  table4 = report_table4, table5 = report_table5, alpha = report_alpha,
  toy = report_toy, frequency = report_frequency, distances = report_distances,
  fig9 = report_fig9, test = report_test,
  gamma = report_gamma, scaling = report_scaling
)
run_parts(parts, arguments)
