# The vote of llfs(), by half splits: error, balanced error, log loss, expected
# calibration error, recall of the rarest class and share right by stated
# probability; all votes of the same fits (evidence as "prior", spheres with
# footnote 2), evidence with balanced weights, and the vote of five neighbours
# in relief()'s best 50 features beside them.
# Usage: Rscript vote.R [data folder] [output folder] [set ...]
# Splits are kept in vote-splits.csv (with PEERS vote-peers-splits.csv, with
# NOISE -noise), a set after the other. SPLITS (1:10):
# their numbers. NOISE (0): N(0, 1) features that are added. PEERS: some of
# svm,forest,lasso,xgboost (a tuned RBF-SVM, boosted trees) in place of the last
# two votes, and how much less or more the vote by frames errs (-differences).
# With SPLITS "integer()" the tables are made of the splits that are there.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# Those on which the vote was chosen, those that it had not seen, simulated.
kinds <- c(
  colon = "open", prostate_ge = "open", leukemia7070 = "open", sonar = "open",
  dna = "open", wdbc = "open", ionosphere = "open", breastw = "open",
  pima = "open", splice = "open", srbct = "open", tox171 = "open",
  glass = "open", orl10p = "open", german = "new", adult = "new",
  heart = "new", thyroid = "new", dlbcl = "new", nervous = "new",
  arrhythmia = "new", segment = "new", ar10p = "new", pie10p = "new",
  two_level = "simulated"
)
arguments <- read_arguments(names(kinds))
splits <- eval(str2lang(Sys.getenv("SPLITS", "1:10")))
noise <- as.integer(Sys.getenv("NOISE", "0"))
wanted_peers <- strsplit(Sys.getenv("PEERS"), ",")[[1L]]
with_peers <- length(wanted_peers) > 0L
stored <- paste0("vote", if (with_peers) "-peers", if (noise > 0L) "-noise")
# Training samples at most, by class; up to 1,000 others are test samples.
most <- c(dna = 100L, splice = 100L)
usual_most <- 300L

# 0/1 features, of which five say something, and classes of 70 and 30 %.
two_level <- function() {
  y <- factor(ifelse(runif(300) < 0.7, "a", "b"))
  x <- matrix(as.double(runif(300 * 20) < 0.5), 300)
  x[, 1:5] <- runif(300 * 5) < ifelse(y == "a", 0.45, 0.6)
  colnames(x) <- paste0("f", 1:20)
  list(x = x, y = y)
}

levels_of_certainty <- c(0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1)

measures <- function(prob, y, rare) {
  guess <- attr(prob, "guess")
  if (is.null(guess)) guess <- max.col(prob, "first")
  sure <- prob[cbind(seq_along(y), guess)]
  wrong <- guess != as.integer(y)
  gaps <- tapply(
    sure - !wrong, cut(sure, seq(0, 1, by = 0.1), include.lowest = TRUE), sum,
    default = 0
  )
  level <- cut(sure, levels_of_certainty, include.lowest = TRUE, labels = FALSE)
  of_level <- function(v) {
    vapply(seq_len(7L), function(l) sum(v[level == l]), 0)
  }
  data.frame(
    error = 100 * mean(wrong), balanced = 100 * mean(tapply(wrong, y, mean)),
    log_loss = -mean(log(pmax(prob[cbind(seq_along(y), as.integer(y))], 1e-6))),
    calibration = 100 * sum(abs(gaps)) / length(y),
    rare_recall = 100 * mean(!wrong[y == rare]),
    n = t(of_level(rep(1, length(y)))), right = t(of_level(!wrong))
  )
}

# Peers: functions of training values, classes and new values that give
# probabilities. The machine is tuned over cost and gamma by five folds, and so
# is the number of trees that are boosted.
peers <- list(
  svm = function(x, y, new) {
    z <- scale(x[, apply(x, 2L, stats::sd) > 0])
    both <- rbind(z, scale(
      new[, colnames(z)], attr(z, "scaled:center"), attr(z, "scaled:scale")
    ))
    m <- ncol(z)
    # As many columns as samples have the same distances.
    if (m > nrow(both)) {
      turned <- svd(both, nv = 0L)
      both <- turned$u %*% diag(turned$d)
    }
    here <- seq_along(y)
    best <- e1071::tune.svm(both[here, ], y,
      cost = 4^(-1:3), gamma = 4^(-2:1) / m, scale = FALSE,
      tunecontrol = e1071::tune.control(cross = 5)
    )$best.parameters
    model <- e1071::svm(both[here, ], y,
      cost = best$cost, gamma = best$gamma, scale = FALSE, probability = TRUE
    )
    guess <- predict(model, both[-here, ], probability = TRUE)
    structure(
      attr(guess, "probabilities")[, levels(y)], guess = as.integer(guess)
    )
  },
  forest = function(x, y, new) {
    colnames(x) <- colnames(new) <- paste0("v", seq_len(ncol(x)))
    predict(ranger::ranger(
      x = x, y = y, num.trees = 500, num.threads = 1, probability = TRUE
    ), new, num.threads = 1)$predictions[, levels(y)]
  },
  lasso = function(x, y, new) {
    family <- if (nlevels(y) == 2L) "binomial" else "multinomial"
    # A class may have no sample outside a fold.
    fit <- tryCatch(
      glmnet::cv.glmnet(x, y, family = family, nfolds = 5),
      error = function(e) NULL
    )
    if (is.null(fit)) return(matrix(NaN, nrow(new), nlevels(y)))
    prob <- predict(fit, new, s = "lambda.min", type = "response")
    if (nlevels(y) == 2L) cbind(1 - prob, prob) else prob[, , 1L]
  },
  xgboost = function(x, y, new) {
    labels <- as.integer(y) - 1L
    settings <- list(
      objective = "multi:softprob", num_class = nlevels(y), eta = 0.1,
      max_depth = 4, subsample = 0.8, colsample_bytree = 0.8, nthread = 1,
      eval_metric = "mlogloss", tree_method = "hist"
    )
    data <- xgboost::xgb.DMatrix(unname(x), label = labels)
    trees <- xgboost::xgb.cv(settings, data, 300L,
      nfold = 5L, early_stopping_rounds = 20L, verbose = FALSE
    )$best_iteration
    model <- xgboost::xgb.train(settings, data, trees)
    matrix(predict(model, unname(new)), ncol = nlevels(y), byrow = TRUE)
  }
)

one_split <- function(seed, name, data) {
  set.seed(seed)
  if (name == "two_level") data <- two_level()
  y <- data$y
  most <- if (name %in% names(most)) most[[name]] else usual_most
  split <- by_class(y, 1, min(0.5, most / length(y)))[[1L]]
  train <- split$train
  test <- split$test
  if (length(test) > 1000L) test <- sort(sample(test, 1000L))
  data$x <- with_noise(as.matrix(data$x), noise)
  x <- data$x[train, ]
  cpu <- function(value) sum(system.time(value)[1:2])
  fit_seconds <- cpu(frames <- llfs(x, y[train], threads = 1))
  prior <- spheres <- frames # the vote acts at prediction only
  prior$parameters$vote <- "evidence"
  spheres$parameters$vote <- "spheres"
  spheres$parameters$neighbour <- "full"
  prob_of <- function(fit, ...) {
    predict(fit, data$x[test, ], type = "prob", threads = 1, ...)
  }
  predict_seconds <- cpu(prob <- prob_of(frames))
  probs <- list(
    frames = prob, prior = prob_of(prior), spheres = prob_of(spheres)
  )
  if (with_peers) {
    probs <- c(probs, lapply(
      peers[wanted_peers], \(peer) peer(x, y[train], data$x[test, ])
    ))
  } else {
    probs$balanced <- prob_of(llfs(
      x, y[train], vote = "evidence", weights = "balanced", threads = 1
    ))
    nearest <- relief(x, y[train], hubs = "none", threads = 1)
    probs$`five nearest` <- prob_of(nearest, n = min(50L, ncol(x)))
    probs$`five nearest, balanced` <- prob_of(nearest,
      n = min(50L, ncol(x)), weights = "balanced"
    )
  }
  rare <- names(which.min(table(y[train])))
  rows_over(names(probs), function(vote) {
    seconds <- c(fit_seconds, predict_seconds)
    if (vote != "frames") seconds[] <- NA
    data.frame(
      set = name, split = seed, vote = vote,
      round(measures(probs[[vote]], y[test], rare), 4),
      fit_seconds = seconds[[1L]], predict_seconds = seconds[[2L]]
    )
  })
}

rows_over(arguments$parts, function(name) {
  data <- if (name != "two_level") load_set(name, arguments)
  update_table(suppressMessages(suppressWarnings(
    rows_over(splits, one_split, name, data)
  )), arguments, paste0(stored, "-splits"), c("set", "split", "vote"))
})

# ---- tables -----------------------------------------------------------------

splits <- read_table(file.path(arguments$output, paste0(stored, "-splits.csv")))
# On a few splits of glass the lasso gives no numbers.
splits <- splits[!is.na(splits$error), ]
columns <- c("error", "balanced", "log_loss", "calibration", "rare_recall")
standard_error <- function(v) stats::sd(v) / sqrt(length(v))
table <- rows_over(split(splits, splits[c("vote", "set")], drop = TRUE), \(g) {
  data.frame(
    set = g$set[[1L]], kind = kinds[[g$set[[1L]]]], vote = g$vote[[1L]],
    splits = nrow(g), t(colMeans(g[columns])),
    error_se = standard_error(g$error)
  )
})
table <- table[order(match(table$set, names(kinds))), ]
save_table(
  cbind(table[1:4], round(table[-(1:4)], 3)), arguments, stored, 3
)

# Every set counts the same.
of_kind <- aggregate(table[columns], table[c("vote", "kind")], mean)
save_table(
  cbind(of_kind[1:2], round(of_kind[-(1:2)], 3)), arguments,
  paste0(stored, "-kinds"), 3
)

certain <- rows_over(split(splits, splits$vote), function(g) {
  n <- colSums(g[paste0("n.", 1:7)])
  data.frame(
    vote = g$vote[[1L]], above = levels_of_certainty[1:7],
    to = levels_of_certainty[-1L], samples = unname(n),
    right = round(100 * colSums(g[paste0("right.", 1:7)]) / n, 1)
  )
})
save_table(certain, arguments, paste0(stored, "-certainty"), 1)

# The vote by frames less another, on the same splits: by set with the standard
# error over its splits, and the mean of sets with that over the sets.
measured <- c("error", "log_loss", "calibration")
# On other splits of these sets the constants of the regression were chosen.
chosen <- c(
  "glass", "sonar", "ionosphere", "wdbc", "heart", "pima", "colon", "dlbcl",
  "thyroid", "breastw", "german", "arrhythmia", "segment", "leukemia7070",
  "srbct"
)
mean_and_error <- function(vote, set, d) {
  data.frame(
    vote = vote, set = set, n = nrow(d), round(t(c(
      colMeans(d), se = vapply(d, standard_error, 0)
    )), 4)
  )
}
differences_from <- function(vote) {
  pairs <- merge(
    splits[splits$vote == "frames", ], splits[splits$vote == vote, ],
    c("set", "split")
  )
  d <- pairs[paste0(measured, ".x")] - pairs[paste0(measured, ".y")]
  names(d) <- measured
  sets <- unique(pairs$set)
  of_set <- rows_over(sets, \(set) colMeans(d[pairs$set == set, ]))
  kinds_of_sets <- list(
    all = sets, chosen = intersect(sets, chosen), others = setdiff(sets, chosen)
  )
  rbind(
    rows_over(names(kinds_of_sets), function(kind) {
      some <- sets %in% kinds_of_sets[[kind]]
      mean_and_error(vote, kind, as.data.frame(of_set)[some, ])
    }),
    rows_over(sets, \(set) mean_and_error(vote, set, d[pairs$set == set, ]))
  )
}
if (with_peers) {
  save_table(
    rows_over(setdiff(splits$vote, "frames"), differences_from), arguments,
    paste0(stored, "-differences"), 3
  )
}
