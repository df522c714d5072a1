# Localized feature selection on a real microarray, from nothing installed:
#   Rscript inst/scripts/demo.R
# Installs what is missing, builds hitmiss, prints errors, genes and the
# explanation of one prediction, and writes tables and plots to hitmiss-demo/
# in the working directory.
# SPDX-License-Identifier: GPL-3.0-or-later

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "setup.R"))
root <- setup_hitmiss(
  needed = described_packages("Imports", "LinkingTo"),
  wanted = c(
    "ggplot2", "e1071", "ISLR2",
    # For the names of genes, with what it imports, ready built in Debian.
    "plsgenomics", "fields", "boot", "plyr", "reshape2"
  )
)
suppressPackageStartupMessages(library(hitmiss))
started <- proc.time()[["elapsed"]]

# ---- the data ---------------------------------------------------------------

# Small round blue cell tumours (Khan et al. 2001), split as published; or
# simulated ones, where ISLR2 could not be installed.
load_samples <- function() {
  if (requireNamespace("ISLR2", quietly = TRUE)) srbct() else simulated()
}

# ISLR2 codes the classes 1 to 4, has no gene names, and uses the same sample
# names in both parts.
srbct <- function() {
  khan <- ISLR2::Khan
  tumour <- c("BL", "EWS", "NB", "RMS")
  part <- function(x, y, name) {
    dimnames(x) <- list(
      paste0(name, seq_len(nrow(x))), paste0("gene", seq_len(ncol(x)))
    )
    list(x = x, y = factor(tumour[y], tumour))
  }
  list(
    name = "SRBCT microarray (Khan et al. 2001; CRAN package ISLR2)",
    train = part(khan$xtrain, khan$ytrain, "train"),
    test = part(khan$xtest, khan$ytest, "test")
  )
}

simulated <- function() {
  message(
    "Package ISLR2 could not be installed, so these are SIMULATED data: the ",
    "figures below say nothing about a real microarray."
  )
  set.seed(1)
  all <- simulate_microarray(samples = c(25, 25, 25, 25))
  in_train <- rep(c(TRUE, TRUE, TRUE, FALSE), length.out = length(all$y))
  rownames(all$x) <- paste0("sample", seq_along(all$y))
  list(
    name = "simulated microarray (ISLR2 is not installed)",
    train = list(x = all$x[in_train, ], y = all$y[in_train]),
    test = list(x = all$x[!in_train, ], y = all$y[!in_train])
  )
}

# ---- errors -----------------------------------------------------------------

# The global selectors at their defaults.
global_fits <- function(train) {
  list(
    relief = relief(train$x, train$y), logo = logo(train$x, train$y),
    kbfs = kbfs(train$x, train$y), pwfp = pwfp(train$x, train$y)
  )
}

error_row <- function(method, features, predicted, truth) {
  wrong <- sum(predicted != truth)
  data.frame(
    method = method, features = features, wrong = wrong,
    of = length(truth), error_percent = round(100 * wrong / length(truth), 1)
  )
}

# The k nearest vote; tied classes: that of the nearest sample among theirs.
nearest_vote <- function(x, y, new, k) {
  winner <- apply(new, 1L, function(sample) {
    near <- as.character(y[order(colSums((t(x) - sample)^2))[seq_len(k)]])
    names(which.max(table(near)[unique(near)]))
  })
  factor(winner, levels(y))
}

# On all features. Z-scores are those of the training samples.
baseline_errors <- function(train, test) {
  center <- colMeans(train$x)
  spread <- apply(train$x, 2L, stats::sd)
  spread[spread == 0] <- 1
  x <- scale(train$x, center, spread)
  new <- scale(test$x, center, spread)
  row <- function(method, predicted) {
    error_row(method, ncol(x), predicted, test$y)
  }
  vote <- function(k) nearest_vote(x, train$y, new, k)
  raw_vote <- nearest_vote(train$x, train$y, test$x, 1)
  rows <- list(
    row("5 nearest, z-scores (as error_curve())", vote(5)),
    row("1 nearest, z-scores", vote(1)),
    row("1 nearest, values as they are", raw_vote)
  )
  if (requireNamespace("e1071", quietly = TRUE)) {
    machine <- e1071::svm(x, train$y, kernel = "linear", scale = FALSE)
    side <- stats::predict(machine, new)
    rows$svm <- row("linear SVM, z-scores (e1071::svm)", side)
  }
  do.call(rbind, rows)
}

all_errors <- function(fits, global, data) {
  test <- data$test
  local <- lapply(names(fits), function(name) {
    fit <- fits[[name]]
    error_row(name, length(selected(fit)), predict(fit, test$x), test$y)
  })
  global <- Filter(function(fit) length(fit$selected) > 0L, global)
  ranked <- lapply(names(global), function(verb) {
    fit <- global[[verb]]
    kept <- min(50L, length(fit$selected))
    error_row(
      paste0(verb, ", at most 50"), kept, predict(fit, test$x, n = kept), test$y
    )
  })
  baseline <- list(baseline_errors(data$train, test))
  table <- do.call(rbind, c(local, ranked, baseline))
  rownames(table) <- NULL
  table
}

# ---- genes and one prediction -----------------------------------------------

# plsgenomics has the genes of ISLR2 in the same order, and what they are.
gene_descriptions <- function(genes) {
  there <- requireNamespace("plsgenomics", quietly = TRUE)
  if (!there || length(genes) != 2308L) {
    return(stats::setNames(rep("", length(genes)), genes))
  }
  data <- new.env()
  utils::data("SRBCT", package = "plsgenomics", envir = data)
  stats::setNames(as.character(data$SRBCT$gene.names$Gene.Description), genes)
}

# The genes that representatives of each class use most.
class_genes <- function(fit, n) {
  shares <- as.data.frame(fit)
  described <- gene_descriptions(names(coef(fit)))
  rows <- lapply(fit$classes, function(class) {
    genes <- selected(fit, n = n, class = class)
    data.frame(
      class = class, gene = genes,
      share = shares[[class]][match(genes, shares$feature)],
      description = strtrim(described[genes], 50L)
    )
  })
  do.call(rbind, rows)
}

# The spheres that contain a sample, nearest to their centres first.
explain <- function(fit, x) {
  spheres <- predict(fit, x, type = "spheres")
  spheres <- spheres[spheres$part == "sphere", ]
  spheres[order(spheres$distance / spheres$radius), ]
}

# ---- output -----------------------------------------------------------------

write_tables <- function(tables, folder) {
  for (name in names(tables)) {
    utils::write.csv(
      tables[[name]], file.path(folder, paste0(name, ".csv")),
      row.names = FALSE
    )
  }
}

write_plots <- function(fit, folder) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    message("No plots: package ggplot2 is not installed.")
    return(invisible())
  }
  for (type in c("frequency", "map")) {
    picture <- ggplot2::autoplot(fit, type = type)
    file <- file.path(folder, paste0(type, ".png"))
    ggplot2::ggsave(file, picture, width = 10, height = 6.67, dpi = 120)
  }
}

heading <- function(...) cat("\n== ", ..., "\n\n", sep = "")

show_table <- function(table) {
  number <- vapply(table, is.double, NA)
  table[number] <- lapply(table[number], signif, 3L)
  print(table, row.names = FALSE, right = FALSE)
}

# ---- the demonstration ------------------------------------------------------

set.seed(1)
data <- load_samples()
heading(data$name)
cat(sprintf(
  "%d training samples, %d test samples, %d genes, classes %s\n",
  nrow(data$train$x), nrow(data$test$x), ncol(data$train$x),
  paste(levels(data$train$y), collapse = ", ")
))

fits <- list(
  "llfs" = llfs(data$train$x, data$train$y),
  "llfs as in the paper" = llfs(data$train$x, data$train$y,
    alpha = 10, vote = "spheres"
  )
)
fit <- fits[[1L]]
heading("llfs(x, y)")
print(fit)

errors <- all_errors(fits, global_fits(data$train), data)
n_test <- nrow(data$test$x)
heading("Errors on the ", n_test, " test samples, which no fit has seen")
show_table(errors)
cat(sprintf(
  "\nSo few test samples cannot order methods: one sample is %.1f percent.\n",
  100 / n_test
))

genes <- class_genes(fit, 6)
heading("Genes that most representatives of a class use")
show_table(genes)

# A sample that is predicted right, and why.
predicted <- predict(fit, data$test$x)
one <- which(predicted == data$test$y)[1L]
why <- explain(fit, data$test$x[one, , drop = FALSE])
heading(
  "Why ", rownames(data$test$x)[[one]], " is called ",
  as.character(predicted[[one]]), ": ", nrow(why), " spheres contain it"
)
columns <- c("representative", "class", "distance", "radius", "features")
shown <- utils::head(why[columns], 6L)
cat("Similarity to each class (evidence of all spheres and the regression):\n")
print(round(predict(
  fit, data$test$x[one, , drop = FALSE],
  type = "similarity"
), 2))
cat("\n")
show_table(shown)
left <- nrow(why) - nrow(shown)
if (left > 0L) cat("... and", left, "more, in explanation.csv\n")

folder <- "hitmiss-demo"
dir.create(folder, showWarnings = FALSE)
write_tables(list(
  errors = errors, class_genes = genes, explanation = why,
  features = as.data.frame(fit),
  predictions = data.frame(
    sample = rownames(data$test$x), truth = data$test$y,
    predicted = unname(predicted),
    round(predict(fit, data$test$x, type = "similarity"), 4),
    check.names = FALSE, row.names = NULL
  )
), folder)
write_plots(fit, folder)
heading("Written to ", normalizePath(folder))
cat(list.files(folder), sep = "\n")
cat(sprintf(
  "\nDone in %.0f s after building.\n", proc.time()[["elapsed"]] - started
))
