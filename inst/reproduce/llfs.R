# LLFS (Armanfard, Reilly, Komeili 2018): Table II, Figs 10 and 11 (error and
# features against alpha), Table IV (time), the toy of Fig. 6, error by gamma.
# Usage: Rscript llfs.R [data folder] [output folder] [part ...]
# Parts: a set's name (its Table II), table4, toy, gamma. Sets can be run one by
# one: tables and pictures are made of all that the output folder holds.
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
arguments <- read_arguments(c(sets$set, "table4", "toy", "gamma"))

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
    if (is.null(known[[key]])) {
      known[[key]] <- llfs(x, y,
        alpha = size, prune = min(prune, ncol(x)), vote = "spheres",
        threads = 1
      )
    }
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

# ---- Table II, Figs 10 and 11 -----------------------------------------------

run_table2 <- function(name) {
  set <- prepare(name)
  if (is.null(set)) return(NULL)
  logo_of <- function(x, y) suppressWarnings(logo(x, y, threads = 1))
  curve <- error_curve(set$x, set$y,
    c(llfs_by_rule(set$prune), list(`Logo, RBF-SVM` = logo_of)),
    sizes = 1:30, classifier = list(`Logo, RBF-SVM` = "svm_rbf", "own"),
    resampling = holdout(times = 10, train = set$train)
  )
  table <- curve$summary
  table <- data.frame(
    set = name, selector = as.character(table$selector), size = table$size,
    error = 100 * table$mean, sd = 100 * table$sd, features = table$n_used
  )
  utils::write.csv(
    table, file.path(arguments$output, paste0("llfs-curve-", name, ".csv")),
    row.names = FALSE
  )
}

# The curves of all sets that have been run, now or before.
curves_so_far <- function() {
  files <- file.path(arguments$output, paste0("llfs-curve-", sets$set, ".csv"))
  do.call(rbind, lapply(files[file.exists(files)], utils::read.csv))
}

table2_rows <- function(curve) {
  best <- which.min(curve$error)
  row <- sets[sets$set == curve$set[[1L]], ]
  llfs <- startsWith(curve$selector[[1L]], "LLFS")
  data.frame(
    set = row$set, selector = curve$selector[[1L]],
    paper = if (llfs) row$paper_llfs else row$paper_logo,
    smallest = curve$error[[best]],
    standard_error = curve$sd[[best]] / sqrt(10), at = curve$size[[best]],
    mean_over_sizes = mean(curve$error), splits = 10
  )
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
        subtitle = paste0("ten splits", if (of_errors) {
          "; dashed: the paper's smallest error of LLFS"
        }),
        x = if (of_errors) "alpha (Logo: number of features)" else "alpha", y = y
      ) +
      picture_theme(),
    arguments, name
  )
}

report_table2 <- function() {
  curves <- curves_so_far()
  if (is.null(curves)) return(invisible(NULL))
  parts <- split(curves, paste(match(curves$set, sets$set), curves$selector))
  save_table(do.call(rbind, lapply(parts, table2_rows)), arguments, "llfs-table2")
  draw_against_alpha(
    curves, "error", "llfs-table2", "LLFS, Table II and Fig. 10: test error",
    "test error, %"
  )
  local <- curves[curves$selector == "LLFS, eq. (9)", ]
  draw_against_alpha(
    local, "features", "llfs-fig11",
    "LLFS, Fig. 11: features that a representative uses",
    "features of a representative, mean"
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
    sum(system.time(llfs(x, y,
      alpha = 10, vote = "spheres", prune = min(set$prune, ncol(x)), threads = 1
    ))[1:2])
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
  chosen <- as.matrix(llfs(toy$x, toy$y,
    alpha = 2, parsimony = parsimony, threads = 1
  )$local$subsets)
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
      llfs(x, y,
        alpha = 10, vote = "spheres", gamma = size / 100,
        prune = min(set$prune, ncol(x)), threads = 1
      )
    }),
    sizes = c(5, 10, 20, 30, 40, 60, 80, 100), classifier = "own",
    resampling = holdout(times = 10, train = set$train)
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

for (name in intersect(sets$set, arguments$parts)) run_table2(name)
report_table2()
if ("table4" %in% arguments$parts) report_table4()
if ("toy" %in% arguments$parts) report_toy()
if ("gamma" %in% arguments$parts) report_gamma()
