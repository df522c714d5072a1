# The Relief family (Yang, Hu 2012): selection ROC and error among probes (its
# Figs 1 to 4), a hidden minority (Fig 5), and Table 3 on SRBCT.
# Usage: Rscript relief.R [data folder] [output folder]
#   [roc] [error] [minority] [table3]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c("roc", "error", "minority", "table3"))

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

# Figs 1 and 2: do the real features come before 50 probes of N(0, 20)?
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
        title = "Real features before probes: area under the selection ROC",
        subtitle = "50 probes of N(0, 20), 20 runs, one standard error",
        x = "area", y = NULL
      ) + picture_theme(),
    arguments, "relief-roc"
  )
}

# Figs 3 and 4: error of nearest neighbours with the best features, k tuned by
# five-fold cross-validation.
error_part <- function() {
  sizes <- c(1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
  table <- do.call(rbind, lapply(setdiff(names(sets), "splice"), function(name) {
    y <- sets[[name]]$y
    do.call(rbind, lapply(seq_len(runs), function(run) {
      set.seed(run)
      curve <- error_curve(with_probes(sets[[name]]$x), y, selectors,
        sizes = sizes, tune = list(k = c(1, 3, 5, 7, 9)),
        resampling = holdout(times = 1, train = training[[name]] / length(y))
      )
      data.frame(
        set = name, selector = as.character(curve$summary$selector),
        size = curve$summary$size, run = run, error = 100 * curve$summary$mean
      )
    }))
  }))
  table <- save_table(
    summarised(table, c("set", "selector", "size"), "error"), arguments,
    "relief-error"
  )
  save_picture(
    ggplot2::ggplot(table, ggplot2::aes(
      .data$size, .data$error,
      colour = .data$selector
    )) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_wrap("set", scales = "free_y") +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "Error of nearest neighbours with the best features",
        subtitle = "50 probes of N(0, 20), 20 runs, k tuned on the training part",
        x = "number of features", y = "error, %"
      ) + picture_theme(),
    arguments, "relief-error"
  )
}

# Fig 5: four fifths of the smallest class are hidden from training.
minority_part <- function() {
  three <- selectors[c("relief", "relieff", "map")]
  table <- do.call(rbind, lapply(
    c("ionosphere", "sonar", "pima", "breastw"), function(name) {
      set.seed(2)
      y <- sets[[name]]$y
      rare <- names(which.min(table(y)))
      do.call(rbind, lapply(seq_len(runs), function(run) {
        x <- with_probes(sets[[name]]$x)
        train <- sample(nrow(x), training[[name]])
        members <- train[y[train] == rare]
        train <- setdiff(train, sample(members, round(0.8 * length(members))))
        test <- setdiff(seq_len(nrow(x)), train)
        do.call(rbind, lapply(names(three), function(selector) {
          fit <- three[[selector]](x[train, ], y[train])
          top <- fit$ranking[1:10]
          z <- scale(x[, top], colMeans(x[train, top]), apply(x[train, top], 2, sd))
          guess <- class::knn(z[train, ], z[test, ], y[train], 5)
          wrong <- tapply(guess != y[test], y[test], mean)
          data.frame(
            set = name, selector = selector, area = area(fit, x),
            error = 100 * mean(guess != y[test]), balanced = 100 * mean(wrong)
          )
        }))
      }))
    }
  ))
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
        title = "80 % of the smallest class hidden from training",
        subtitle = paste(
          "area of the selection ROC; error and balanced error (%) of 5-NN",
          "with 10 features"
        ), x = NULL, y = NULL
      ) + picture_theme(),
    arguments, "relief-minority"
  )
}

# Table 3: F1 on SRBCT by leave-one-out, and the size where it is largest.
table3_part <- function() {
  set <- load_set("srbct", arguments)
  if (is.null(set)) return(invisible())
  published <- data.frame(
    selector = c("relieff", "parzen 0.01", "infogain", "chisq"),
    paper_macro = c(1, 1, .89, .92), paper_size = c(100, 100, 40, 100)
  )
  reference <- function(method) {
    function(x, y) reference_scores(x, y, method)
  }
  table <- do.call(rbind, lapply(c("macro_f1", "micro_f1"), function(metric) {
    set.seed(1)
    curve <- error_curve(set$x, set$y,
      c(selectors[c("relieff", "relieff, 10", "parzen 0.01", "parzen 0.1")],
        infogain = reference("infogain"), chisq = reference("chisq")
      ),
      sizes = c(1, 2, 5, 10, 20, 40, 60, 100, 200, 500, Inf),
      resampling = leave_one_out(), metric = metric
    )
    data.frame(
      metric = metric, selector = as.character(curve$summary$selector),
      size = curve$summary$size, f1 = curve$summary$mean
    )
  }))
  save_table(table, arguments, "relief-srbct-curve")
  best <- do.call(rbind, lapply(
    split(table, table[c("metric", "selector")]), function(g) {
      g[which.max(g$f1), ]
    }
  ))
  save_table(
    merge(best, published, all.x = TRUE), arguments, "relief-table3"
  )
  save_picture(
    ggplot2::ggplot(
      table[is.finite(table$size), ],
      ggplot2::aes(.data$size, .data$f1, colour = .data$selector)
    ) +
      ggplot2::geom_line(linewidth = 0.9) +
      ggplot2::facet_wrap("metric") +
      ggplot2::scale_x_log10() +
      ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
      ggplot2::labs(
        title = "SRBCT, leave-one-out: F1 of nearest neighbours",
        subtitle = "k = 5; the paper reports 1.00 at 100 genes for ReliefF and P-Relief",
        x = "number of genes", y = "F1"
      ) + picture_theme(),
    arguments, "relief-table3"
  )
}

parts <- list(
  roc = roc_part, error = error_part, minority = minority_part,
  table3 = table3_part
)
for (part in arguments$parts) parts[[part]]()
