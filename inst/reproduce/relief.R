# The Relief family (Yang, Hu 2012): among probes, the error (its Figs 1 and 5)
# and the selection ROC (Fig. 2); both with a hidden minority (Figs 3 and 4);
# Table 3; and text, on another set than the paper's (Figs 6 to 8).
# Usage: Rscript relief.R [data folder] [output folder]
#   [roc] [fig1] [error] [error-svm] [minority] [table3] [text]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(
  c("roc", "fig1", "error", "error-svm", "minority", "table3", "text")
)

runs <- 20
relief_by <- function(...) function(x, y) relief(x, y, ..., threads = 1)
nearest <- list(balance = FALSE) # as in the papers
selectors <- list(
  relief = relief_by("relief", control = nearest),
  relieff = relief_by(
    k = 1, weighting = "prior", hubs = "none", control = nearest
  ),
  "relieff, 10" = function(x, y) {
    relief(x, y,
      k = min(10, table(y) - 1), hubs = "none", control = nearest, threads = 1
    )
  },
  # "map15" has the weights of (16) exchanged, which are those of (15).
  map = relief_by("map"), map15 = relief_by("map15"),
  "parzen 0.01" = relief_by("parzen", bandwidth = 0.01),
  "parzen 0.1" = relief_by("parzen", bandwidth = 0.1),
  # The paper says nothing about scaling.
  "relief, unscaled" = relief_by("relief", scale = "none", control = nearest),
  "parzen 0.01, unscaled" = relief_by(
    "parzen", bandwidth = 0.01, scale = "none"
  )
)
binary <- c(
  "breastw", "german", "ionosphere", "waveform", "pima", "heart", "sonar",
  "splice"
)

load_varying <- function(name) {
  set <- if (name == "waveform") {
    set.seed(5000)
    simulate_waveform(5000)
  } else {
    load_set(name, arguments)
  }
  set$x <- set$x[, apply(set$x, 2, function(v) max(v) > min(v))]
  size <- published("DoC", "Table 1", name, "", "training samples")
  c(set, name = name, train = size$value)
}
all_sets <- c(binary, "glass", "segment")

with_probes <- function(x) {
  probes <- matrix(stats::rnorm(nrow(x) * 50, sd = 20), nrow(x))
  colnames(probes) <- paste0("probe", 1:50)
  cbind(x, probes)
}
summarised <- function(table, by, value) {
  rows_over(split(table, table[by], drop = TRUE), function(g) {
    cbind(g[1L, by, drop = FALSE], stats::setNames(
      data.frame(mean(g[[value]]), stats::sd(g[[value]]) / sqrt(nrow(g))),
      c(value, "standard_error")
    ))
  })
}
# The area under the curve: how often a real feature scores above a probe.
area <- function(fit) {
  scores <- coef(fit)
  real <- !names(scores) %in% paste0("probe", 1:50)
  (mean(rank(scores)[real]) - (sum(real) + 1) / 2) / sum(!real)
}

# Fig. 2: do the real features come before 50 probes of N(0, 20)?
roc_part <- function() {
  table <- rows_over(all_sets, function(name) {
    set <- load_varying(name)
    set.seed(1)
    rows_over(seq_len(runs), function(run) {
      x <- with_probes(set$x)
      train <- sample(nrow(x), set$train)
      data.frame(
        set = name, selector = names(selectors), run = run,
        area = vapply(selectors, function(f) {
          area(f(x[train, ], set$y[train]))
        }, 0)
      )
    })
  })
  save_table(
    summarised(table, c("set", "selector"), "area"), arguments, "relief-roc"
  )
}

# A classifier of error_curve() that chooses its parameter by stratified
# five-fold cross-validation on the training part. `tune`: list(k = values) or
# list(cost = values).
tuned_classifier <- function(tune) {
  values <- tune[[1L]]
  guess <- function(train, y, test, value) {
    if (names(tune) == "k") {
      return(class::knn(train, test, y, value))
    }
    stats::predict(e1071::svm(train, y,
      kernel = "linear", cost = value, scale = FALSE
    ), test)
  }
  function(x_train, y_train, x_test) {
    fold <- stats::ave(seq_along(y_train), y_train, FUN = function(rows) {
      sample(rep_len(1:5, length(rows)))
    })
    wrong <- vapply(values, function(value) {
      sum(vapply(1:5, function(f) {
        found <- guess(
          x_train[fold != f, , drop = FALSE], y_train[fold != f],
          x_train[fold == f, , drop = FALSE], value
        )
        sum(found != y_train[fold == f])
      }, 0))
    }, 0)
    guess(x_train, y_train, x_test, values[[which.min(wrong)]])
  }
}

# Fig. 1: error with the best features, of nearest neighbours and of a linear
# support vector machine, each tuned by five-fold cross-validation.
curves_of <- function(name, runs, classifier, by = selectors) {
  set <- load_varying(name)
  rows <- rows_over(seq_len(runs), function(run) {
    set.seed(run)
    curve <- error_curve(with_probes(set$x), set$y, by,
      sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30, 50), classifier = classifier,
      resampling = holdout(times = 1, train = set$train, stratified = FALSE)
    )$summary
    data.frame(
      set = name, selector = as.character(curve$selector), size = curve$size,
      error = 100 * curve$mean
    )
  })
  summarised(rows, c("set", "selector", "size"), "error")
}

error_part <- function(classifier, tune, runs) {
  rows_over(all_sets, function(name) {
    runs <- runs[[1 + (name == "splice")]] # a run of splice takes minutes
    rows <- curves_of(name, runs, tuned_classifier(tune))
    update_table(
      cbind(classifier = classifier, rows, runs = runs), arguments,
      "relief-error", c("classifier", "set")
    )
  })
}

# Is P-Relief better than Relief on the eight sets of Figs 1 and 5? The smallest
# error over the sizes, five nearest neighbours.
fig1_part <- function() {
  by <- selectors[grep("^relief$|0.01|unscaled", names(selectors))]
  rows <- rows_over(binary, function(name) {
    curves_of(name, if (name == "splice") 5 else runs, "knn", by)
  })
  best <- rows_over(split(rows, rows[c("set", "selector")], drop = TRUE), \(g) {
    g[which.min(g$error), ]
  })
  save_table(best, arguments, "relief-fig1")
}

# Figs 3 and 4: of two classes four fifths of the smaller are hidden, from
# training and from test samples; the parts keep the paper's shares of the rest.
unscaled_map <- list(
  "map, unscaled" = relief_by("map", scale = "none"),
  "map15, unscaled" = relief_by("map15", scale = "none")
)
minority_run <- function(set, share) {
  x <- with_probes(set$x)
  y <- set$y
  rare <- which(y == names(which.min(table(y))))
  hidden <- if (nlevels(y) == 2L) round(0.8 * length(rare)) else 0
  rest <- setdiff(seq_along(y), sample(rare, hidden))
  train <- sample(rest, round(share * length(rest)))
  test <- setdiff(rest, train)
  selectors <- c(selectors, unscaled_map)
  rows_over(names(selectors), function(selector) {
    fit <- selectors[[selector]](x[train, ], y[train])
    top <- fit$ranking[1:10]
    z <- scale(x[, top], colMeans(x[train, top]), apply(x[train, top], 2, sd))
    z[!is.finite(z)] <- 0 # a feature that is constant in this training part
    guess <- class::knn(z[train, ], z[test, ], y[train], 5)
    wrong <- tapply(guess != y[test], y[test], mean)
    data.frame(
      selector = selector, area = area(fit),
      error = 100 * mean(guess != y[test]), balanced = 100 * mean(wrong)
    )
  })
}

minority_part <- function() {
  table <- rows_over(all_sets, function(name) {
    set <- load_varying(name)
    set.seed(2)
    share <- set$train / length(set$y)
    rows <- rows_over(seq_len(runs), \(run) minority_run(set, share))
    cbind(set = name, rows)
  })
  parts <- lapply(c("area", "error", "balanced"), function(value) {
    part <- summarised(table, c("set", "selector"), value)
    names(part)[[4L]] <- paste0(value, "_se")
    part
  })
  save_table(
    Reduce(merge, parts), arguments, "relief-minority"
  )
}

# Table 3: F1 by leave-one-out, and the size where it is largest.
ranked <- c(
  selectors[c("relieff", "relieff, 10", "parzen 0.01", "parzen 0.1")],
  infogain = scored_by("infogain"), chisq = scored_by("chisq")
)

table3_curve <- function(name, metric) {
  set <- load_set(name, arguments)
  # The paper's leukemia1 has three classes and, of the 7,129 genes, 5,327.
  if (name == "leukemia") set$y <- set$y3
  set.seed(1)
  curve <- error_curve(set$x, set$y, ranked,
    sizes = c(1, 2, 5, 10, 20, 40, 60, 100, 200, 500, Inf),
    resampling = leave_one_out(), metric = metric
  )
  data.frame(
    set = name, metric = metric,
    selector = as.character(curve$summary$selector),
    size = curve$summary$size, f1 = curve$summary$mean, samples = length(set$y)
  )
}

table3_part <- function() {
  table <- rows_over(c("leukemia", "srbct", "dlbcl"), function(set) {
    rows_over(c("macro_f1", "micro_f1"), \(metric) table3_curve(set, metric))
  })
  save_table(table, arguments, "relief-table3-curve")
  best <- rows_over(
    split(table, table[c("set", "metric", "selector")], drop = TRUE),
    function(g) g[which.max(g$f1), ]
  )
  save_table(judge(best, "relief-table3"), arguments, "relief-table3")
}

# Text as in Figs 6 to 8, whose six collections are not open: term counts of two
# newsgroups, ten half splits, and ten random tenths of Reuters' articles on
# grain against others. So there is no figure to compare with.
# The latter are ReutersGrain-train.arff of Weka, which Debian's package weka
# has among its examples; a term is a word of two letters or more.
reuters <- function() {
  file <- file.path(arguments$data, "ReutersGrain-train.arff")
  if (!file.exists(file)) {
    stop(errorCondition(paste("Left out:", file), class = "left_out"))
  }
  lines <- readLines(file, encoding = "UTF-8")
  lines <- grep("^'.*',[01]$", lines, value = TRUE)
  text <- tolower(gsub("\\\\n", " ", lines))
  words <- regmatches(text, gregexpr("[a-z]{2,}", text))
  terms <- sort(unique(unlist(words)))
  x <- Matrix::sparseMatrix(
    rep(seq_along(words), lengths(words)), match(unlist(words), terms),
    x = 1, dimnames = list(NULL, terms)
  )
  list(x = x, y = factor(ifelse(grepl("1$", lines), "grain", "other")))
}

text_curves <- function(name, set, selectors, resampling) {
  rows_over(c("knn", "svm_linear"), function(classifier) {
    set.seed(6)
    curve <- error_curve(set$x, set$y, selectors,
      sizes = c(10, 20, 50, 100, 200, 500), classifier = classifier,
      resampling = resampling, metric = "macro_f1"
    )
    all <- curve$baseline[curve$baseline$name == "(all features)", ]
    data.frame(
      set = name, classifier = classifier,
      selector = c(as.character(curve$summary$selector), "(all features)"),
      size = c(curve$summary$size, ncol(set$x)),
      f1 = c(curve$summary$mean, all$mean),
      standard_error = c(curve$summary$sd, all$sd) / sqrt(10)
    )
  })
}

# Fig. 8: do scores favour common terms?
text_weights <- function(name, set, selectors) {
  documents <- Matrix::colSums(set$x > 0)
  rows_over(names(selectors), function(selector) {
    fit <- selectors[[selector]](set$x, set$y)
    scores <- if (is.numeric(fit)) fit else fit$scores
    best <- utils::head(order(-scores), 100)
    data.frame(
      set = name, selector = selector, terms = ncol(set$x),
      rank_correlation = stats::cor(
        scores, documents, method = "spearman"
      ), documents_of_best_100 = stats::median(documents[best]),
      in_one_document = sum(documents[best] == 1)
    )
  })
}

text_part <- function() {
  resamplings <- list(
    pcmac = holdout(times = 10, stratified = FALSE),
    reuters = holdout(times = 10, train = 0.9)
  )
  # P-Relief with the larger bandwidth takes a minute a fold on Reuters.
  selectors <- list(
    pcmac = ranked, reuters = ranked[names(ranked) != "parzen 0.1"]
  )
  rows_over(names(selectors), function(name) {
    set <- if (name == "pcmac") load_set(name, arguments) else reuters()
    if (name == "pcmac") colnames(set$x) <- paste0("term", seq_len(ncol(set$x)))
    update_table(
      text_curves(name, set, selectors[[name]], resamplings[[name]]), arguments,
      "relief-text", digits = 3
    )
    update_table(
      text_weights(name, set, selectors[[name]]), arguments,
      "relief-text-weights"
    )
  })
}

parts <- list(
  roc = roc_part, fig1 = fig1_part,
  error = \() error_part("knn", list(k = c(1, 3, 5, 7, 9)), c(runs, 5)),
  `error-svm` = function() {
    error_part("svm_linear", list(cost = 2^c(-4, -1, 2)), c(5, 2))
  },
  minority = minority_part, table3 = table3_part, text = text_part
)
run_parts(parts, arguments)
