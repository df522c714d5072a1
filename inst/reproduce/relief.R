# The Relief family (Yang, Hu 2012): among probes, the error (its Fig. 1) and
# the selection ROC (Fig. 2); both with a hidden minority (Figs 3 and 4); Table
# 3; and text, on another set than the paper's (Figs 6 to 8).
# Usage: Rscript relief.R [data folder] [output folder]
#   [roc] [error] [error-svm] [minority] [table3] [text]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(
  c("roc", "error", "error-svm", "minority", "table3", "text")
)

# Training samples as in the paper.
training <- c(
  ionosphere = 235, sonar = 165, pima = 400, breastw = 400, glass = 120,
  splice = 1000
)
runs <- 20
selectors <- list(
  relief = function(x, y) relief(x, y, "relief", threads = 1),
  relieff = function(x, y) {
    relief(x, y, k = 1, weighting = "prior", threads = 1)
  },
  "relieff, 10" = function(x, y) {
    suppressWarnings(relief(x, y, k = 10, threads = 1))
  },
  map = function(x, y) relief(x, y, "map", threads = 1),
  "parzen 0.01" = function(x, y) relief(x, y, "parzen", threads = 1),
  "parzen 0.1" = function(x, y) {
    relief(x, y, "parzen", bandwidth = 0.1, threads = 1)
  }
)

sets <- Filter(
  Negate(is.null),
  lapply(stats::setNames(nm = names(training)), load_set, arguments)
)
sets <- lapply(sets, function(set) {
  set$x <- set$x[, apply(set$x, 2, function(v) max(v) > min(v))]
  set
})

with_probes <- function(x) {
  probes <- matrix(stats::rnorm(nrow(x) * 50, sd = 20), nrow(x))
  colnames(probes) <- paste0("probe", 1:50)
  cbind(x, probes)
}
summarised <- function(table, by, value) {
  groups <- split(table, table[by], drop = TRUE)
  rows <- lapply(groups, function(g) {
    cbind(g[1L, by, drop = FALSE], stats::setNames(
      data.frame(mean(g[[value]]), stats::sd(g[[value]]) / sqrt(nrow(g))),
      c(value, "standard_error")
    ))
  })
  result <- do.call(rbind, rows)
  rownames(result) <- NULL
  result
}
area <- function(fit, x) {
  selection_roc(fit, setdiff(colnames(x), paste0("probe", 1:50)))$auc
}

# Fig. 2: do the real features come before 50 probes of N(0, 20)?
roc_part <- function() {
  table <- do.call(rbind, lapply(names(sets), function(name) {
    set.seed(1)
    do.call(rbind, lapply(seq_len(runs), function(run) {
      x <- with_probes(sets[[name]]$x)
      train <- sample(nrow(x), training[[name]])
      data.frame(
        set = name, selector = names(selectors), run = run,
        area = vapply(selectors, function(f) {
          area(f(x[train, ], sets[[name]]$y[train]), x)
        }, 0)
      )
    }))
  }))
  table <- save_table(
    summarised(table, c("set", "selector"), "area"), arguments, "relief-roc"
  )
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(.data$area, .data$selector)) +
      ggplot2::geom_pointrange(ggplot2::aes(
        xmin = .data$area - .data$standard_error,
        xmax = .data$area + .data$standard_error
      ), colour = okabe_ito[[1L]]) +
      ggplot2::facet_wrap("set") +
      ggplot2::labs(
        title = "DoC, Fig. 2: area under the selection ROC among probes",
        subtitle = "50 probes of N(0, 20), 20 runs, one standard error",
        x = "area", y = NULL
      ) + picture_theme(),
    arguments, "relief-roc"
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
curve_in_run <- function(name, run, classifier, tune) {
  set.seed(run)
  curve <- error_curve(with_probes(sets[[name]]$x), sets[[name]]$y, selectors,
    sizes = c(1, 2, 3, 5, 8, 10, 15, 20, 30, 50),
    classifier = tuned_classifier(tune), resampling = holdout(
      times = 1, train = training[[name]], stratified = FALSE
    )
  )$summary
  data.frame(
    set = name, selector = as.character(curve$selector),
    size = curve$size, run = run, error = 100 * curve$mean
  )
}

error_part <- function(classifier, tune, runs_of) {
  table <- NULL
  for (name in names(sets)) {
    runs <- runs_of(name)
    rows <- do.call(rbind, lapply(seq_len(runs), function(run) {
      curve_in_run(name, run, classifier, tune)
    }))
    rows <- summarised(rows, c("set", "selector", "size"), "error")
    table <- update_table(
      cbind(classifier = classifier, rows, runs = runs), arguments,
      "relief-error", c("classifier", "set")
    )
  }
  best <- do.call(rbind, lapply(
    split(table, table[c("classifier", "set", "selector")], drop = TRUE),
    function(g) cbind(g[which.min(g$error), ], mean_over_sizes = mean(g$error))
  ))
  save_table(best, arguments, "relief-error-smallest")
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$size, .data$error,
      colour = .data$selector, linetype = .data$classifier
    )) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_wrap("set", scales = "free_y") +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "DoC, Fig. 1: error with the best features among probes",
        subtitle = "50 probes of N(0, 20); tuned on the training part",
        x = "number of features", y = "error, %", linetype = NULL
      ) + picture_theme(),
    arguments, "relief-error"
  )
}

# Figs 3 and 4: four fifths of the smallest class are hidden, from training and
# from test samples; the parts keep the paper's shares of the rest.
minority_run <- function(set, share) {
  x <- with_probes(set$x)
  y <- set$y
  rare <- which(y == names(which.min(table(y))))
  rest <- setdiff(seq_along(y), sample(rare, round(0.8 * length(rare))))
  train <- sample(rest, round(share * length(rest)))
  test <- setdiff(rest, train)
  do.call(rbind, lapply(names(selectors), function(selector) {
    fit <- selectors[[selector]](x[train, ], y[train])
    top <- fit$ranking[1:10]
    z <- scale(x[, top], colMeans(x[train, top]), apply(x[train, top], 2, sd))
    guess <- class::knn(z[train, ], z[test, ], y[train], 5)
    wrong <- tapply(guess != y[test], y[test], mean)
    data.frame(
      selector = selector, area = area(fit, x),
      error = 100 * mean(guess != y[test]), balanced = 100 * mean(wrong)
    )
  }))
}

# Of glass's smallest class two samples would be left.
minority_part <- function() {
  table <- do.call(rbind, lapply(setdiff(names(sets), "glass"), function(name) {
    set.seed(2)
    share <- training[[name]] / length(sets[[name]]$y)
    cbind(set = name, do.call(rbind, lapply(seq_len(runs), function(run) {
      minority_run(sets[[name]], share)
    })))
  }))
  parts <- lapply(c("area", "error", "balanced"), function(value) {
    summarised(table, c("set", "selector"), value)
  })
  names(parts[[1L]])[[4L]] <- "area_se"
  names(parts[[2L]])[[4L]] <- "error_se"
  names(parts[[3L]])[[4L]] <- "balanced_se"
  save_table(
    cbind(parts[[1L]], parts[[2L]][3:4], parts[[3L]][3:4]), arguments,
    "relief-minority"
  )
  long <- do.call(rbind, lapply(parts, function(part) {
    data.frame(
      part[1:2],
      measure = names(part)[[3L]], value = part[[3L]], se = part[[4L]]
    )
  }))
  save_picture(
    ggplot2::ggplot(long, ggplot2::aes(
      .data$value, .data$set,
      colour = .data$selector
    )) +
      ggplot2::geom_pointrange(
        ggplot2::aes(
          xmin = .data$value - .data$se, xmax = .data$value + .data$se
        ),
        position = ggplot2::position_dodge(0.5)
      ) +
      ggplot2::facet_wrap("measure", scales = "free_x") +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "DoC, Figs 3 and 4: 80 % of the smallest class hidden",
        subtitle = paste(
          "area of the selection ROC; error and balanced error (%) of 5-NN",
          "with 10 features"
        ), x = NULL, y = NULL
      ) + picture_theme(),
    arguments, "relief-minority"
  )
}

# Table 3: F1 by leave-one-out, and the size where it is largest.
reference <- function(method) {
  function(x, y) reference_scores(x, y, method)
}
ranked <- c(
  selectors[c("relieff", "relieff, 10", "parzen 0.01", "parzen 0.1")],
  infogain = reference("infogain"), chisq = reference("chisq")
)

table3_published <- data.frame(
  set = rep(c("srbct", "leukemia"), each = 8),
  metric = rep(c("macro_f1", "micro_f1"), each = 4),
  selector = c("relieff", "parzen 0.01", "infogain", "chisq"),
  paper = c(
    1, 1, .89, .92, 1, 1, 1, .90,
    .99, 1, .94, .91, .97, 1, .91, .87
  ),
  paper_size = c(
    100, 100, 40, 100, 100, 100, 100, 100,
    40, 40, 60, 100, 40, 40, 40, 100
  )
)

table3_curve <- function(name, metric) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
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
  runs <- expand.grid(
    metric = c("macro_f1", "micro_f1"), set = c("srbct", "leukemia"),
    stringsAsFactors = FALSE
  )
  table <- do.call(rbind, Map(table3_curve, runs$set, runs$metric))
  if (is.null(table)) return(invisible(NULL))
  save_table(table, arguments, "relief-table3-curve")
  best <- do.call(rbind, lapply(
    split(table, table[c("set", "metric", "selector")], drop = TRUE),
    function(g) g[which.max(g$f1), ]
  ))
  best$standard_error <- sqrt(best$f1 * (1 - best$f1) / best$samples)
  best <- merge(best, table3_published, all.x = TRUE)
  best$verdict <- verdict(
    best$f1, best$standard_error, best$paper,
    small_is_good = FALSE
  )
  save_table(best, arguments, "relief-table3")
  save_picture(
    ggplot2::ggplot(
      table[is.finite(table$size), ],
      ggplot2::aes(.data$size, .data$f1, colour = .data$selector)
    ) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_grid(set ~ metric) +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "DoC, Table 3: leave-one-out F1 of nearest neighbours, k = 5",
        x = "number of genes", y = "F1"
      ) + picture_theme(),
    arguments, "relief-table3"
  )
}

# Text as in Figs 6 to 8, whose six collections are not open: term counts of two
# newsgroups instead, ten half splits. So there is no figure to compare with.
text_part <- function() {
  set <- load_set("pcmac", arguments)
  if (is.null(set)) return(invisible(NULL))
  colnames(set$x) <- paste0("term", seq_len(ncol(set$x)))
  table <- do.call(rbind, lapply(c("knn", "svm_linear"), function(classifier) {
    set.seed(6)
    curve <- error_curve(set$x, set$y, ranked,
      sizes = c(10, 20, 50, 100, 200, 500), classifier = classifier,
      resampling = holdout(times = 10, stratified = FALSE), metric = "macro_f1"
    )
    data.frame(
      classifier = classifier, selector = as.character(curve$summary$selector),
      size = curve$summary$size, f1 = curve$summary$mean,
      standard_error = curve$summary$sd / sqrt(10)
    )
  }))
  save_table(table, arguments, "relief-text", digits = 3)
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$size, .data$f1, colour = .data$selector
    )) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_wrap("classifier") +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "Text, as in DoC's Figs 6 to 8, on two newsgroups (pcmac)",
        subtitle = "ten half splits", x = "number of terms", y = "macro F1"
      ) + picture_theme(),
    arguments, "relief-text"
  )
}

parts <- list(
  roc = roc_part,
  # Five runs where one takes minutes.
  error = function() {
    error_part("knn", list(k = c(1, 3, 5, 7, 9)), function(name) {
      if (name == "splice") 5 else runs
    })
  },
  `error-svm` = function() {
    error_part("svm_linear", list(cost = 2^c(-4, -1, 2)), function(name) {
      if (name == "splice") 2 else 5
    })
  },
  minority = minority_part, table3 = table3_part, text = text_part
)
for (part in arguments$parts) parts[[part]]()
