# LLFS on many samples and on many features: CPU seconds of whole fits, error
# and memory with draws, and an older library beside this one, alternated.
# Usage: Rscript llfs_large.R [what] [library] [older library] [data folder]
# `what`, one or several joined by commas:
#   scoring   1,000 and 3,000 samples, nothing drawn: waveform, Gaussian, 0/1
#   draws     10,000 samples with the defaults: seconds and peak memory
#   waveform  error and seconds of draws against 1,000 representatives on all
#   features  dna and 100,000 features of noise (needs the data folder)
# The digest is of features, radii and scores: the same where fits are.
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
argument <- function(i, default) {
  if (length(arguments) >= i) arguments[[i]] else default
}

# 21 features in two of three humps, then noise (Breiman and others, 1984).
waveform <- function(n, J, seed = 1) {
  set.seed(seed)
  hump <- function(at) pmax(6 - abs(1:21 - at), 0)
  humps <- rbind(hump(7), hump(11), hump(15))
  y <- sample(3, n, TRUE)
  u <- runif(n)
  first <- c(1, 1, 2)[y]
  second <- c(2, 3, 3)[y]
  x <- u * humps[first, ] + (1 - u) * humps[second, ] + rnorm(21 * n)
  list(x = cbind(x, matrix(rnorm(n * (J - 21)), n)), y = factor(y))
}

gaussian <- function(n, J) {
  set.seed(1)
  y <- factor(rep(c("a", "b"), length.out = n))
  x <- matrix(rnorm(n * J), n)
  x[y == "a", 1:5] <- x[y == "a", 1:5] + 1
  list(x = x, y = y)
}

# Rates from .02 to .5; ten differ between the classes.
binary <- function(n, J) {
  set.seed(1)
  rate <- matrix(runif(J, 0.02, 0.5), n, J, byrow = TRUE)
  y <- factor(rep(c("a", "b"), n / 2))
  rate[y == "a", 1:10] <- pmin(0.9, 2 * rate[y == "a", 1:10])
  list(x = matrix(rbinom(n * J, 1, rate), n) + 0, y = y)
}

dna_with_noise <- function(n, J) {
  data <- readRDS(file.path(argument(4L, "../shared/data"), "dna.rds"))
  set.seed(1)
  rows <- sample(length(data$y), n)
  x <- cbind(data$x[rows, ], matrix(rnorm(n * J), n))
  list(x = unname(x), y = factor(data$y[rows]))
}

digest <- function(fit) {
  file <- tempfile()
  on.exit(unlink(file))
  kept <- list(fit$local$features, fit$local$radius, fit$local$score)
  saveRDS(kept, file, compress = FALSE)
  substr(tools::md5sum(file), 1L, 8L)
}

peak_megabytes <- function() {
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# ---- one fit, in a process of its own ---------------------------------------

if (identical(argument(1L, ""), "--fit")) {
  library(hitmiss, lib.loc = argument(2L, NULL))
  data <- get(argument(3L))(as.integer(argument(5L)), as.integer(argument(6L)))
  options <- eval(str2lang(argument(7L)))
  # What the first fit of a process loads is not the fit's.
  invisible(llfs(matrix(rnorm(60), 20), factor(rep(1:2, 10)), threads = 1))
  time <- system.time(fit <- suppressMessages(do.call(llfs, c(data, options))))
  cat(sprintf(
    "%.2f %.1f %.0f %s\n", time[["user.self"]], time[["elapsed"]],
    peak_megabytes(), digest(fit)
  ))
  quit()
}

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
run <- function(library, data, n, J, options) {
  said <- system2("Rscript", shQuote(c(
    script, "--fit", library, data, argument(4L, "../shared/data"), n, J,
    paste(deparse(options), collapse = " ")
  )), stdout = TRUE)
  values <- strsplit(said[[length(said)]], " ")[[1L]]
  list(
    cpu = as.numeric(values[[1L]]), elapsed = as.numeric(values[[2L]]),
    megabytes = as.numeric(values[[3L]]), digest = values[[4L]]
  )
}

here <- argument(2L, .libPaths()[[1L]])
older <- argument(3L, NULL)

# Both libraries in turn, the older first; the least of `times`.
beside <- function(label, data, n, J, options, times = 1L) {
  best <- list()
  for (k in seq_len(times)) {
    for (library in c(older, here)) {
      result <- run(library, data, n, J, options)
      if (is.null(best[[library]]) || result$cpu < best[[library]]$cpu) {
        best[[library]] <- result
      }
    }
  }
  new <- best[[here]]
  cat(sprintf("%-34s %7.2f s CPU", label, new$cpu))
  if (!is.null(older)) {
    old <- best[[older]]
    cat(sprintf(
      ", older %7.2f: %.2f times; %s", old$cpu, old$cpu / new$cpu,
      if (old$digest == new$digest) "the same" else "DIFFERENT"
    ))
  }
  cat("\n")
}

paper <- quote(list(alpha = 10, vote = "spheres", threads = 1))
usual <- quote(list(threads = 1))

scoring <- function() {
  sets <- list(
    c("waveform", 50), c("gaussian", 50), c("waveform", 110), c("binary", 110)
  )
  for (options in list(paper, usual)) {
    name <- if (identical(options, paper)) "alpha = 10, spheres" else "defaults"
    cat(name, "\n")
    for (set in sets) {
      beside(
        paste0(set[[1L]], ", 1000 x ", set[[2L]]), set[[1L]], 1000,
        set[[2L]], options
      )
    }
    for (set in sets[1:2]) {
      beside(
        paste0(set[[1L]], ", 3000 x ", set[[2L]]), set[[1L]], 3000,
        set[[2L]], options
      )
    }
  }
}

draws <- function() {
  for (J in c(50, 2000)) {
    result <- run(here, "waveform", 10000, J, quote(list(threads = 2)))
    cat(sprintf(
      paste(
        "waveform, 10000 x %d, defaults: %.1f s (%.1f s CPU) on two threads,",
        "peak of the process %.0f MB, data %.0f MB\n"
      ),
      J, result$elapsed, result$cpu, result$megabytes, 10000 * J * 8 / 2^20
    ))
  }
}

# Errors of three votes from one fit: spheres and log odds are the same for all.
waveform_errors <- function(seeds = 3L, n_test = 1000L) {
  library(hitmiss, lib.loc = here)
  exact <- list(program_samples = Inf, score_samples = Inf)
  few <- function(programs, scores) {
    list(program_samples = programs, score_samples = scores)
  }
  variants <- list(
    `all samples, m = 1,000` = list(3000, 1000, exact),
    `m = 300` = list(3000, 300, exact),
    `m = 300, programs 1,000, scores 200` = list(3000, 300, few(1000, 200)),
    `m = 300, programs 1,000, scores 100` = list(3000, 300, few(1000, 100)),
    `plain subsample of 1,000, m = 300` = list(1000, 300, exact),
    `plain subsample of 300, all` = list(300, 300, exact)
  )
  votes <- list(
    c("spheres", "none"), c("spheres", "full"), c("evidence", "none")
  )
  cat(sprintf(
    "%-38s %8s %8s %8s %9s\n", "waveform, 121 features, error %",
    "spheres", "full", "evidence", "CPU s"
  ))
  wrong <- list()
  for (name in names(variants)) {
    v <- variants[[name]]
    errors <- vapply(seq_len(seeds), function(seed) {
      train <- waveform(3000, 121, seed)
      test <- waveform(n_test, 121, 1000 + seed)
      rows <- seq_len(v[[1L]])
      colnames(train$x) <- colnames(test$x) <- paste0("f", 1:121)
      set.seed(seed)
      cpu <- system.time(fit <- llfs(train$x[rows, ], train$y[rows],
        alpha = 10, representatives = v[[2L]], control = v[[3L]], threads = 1
      ))[["user.self"]]
      c(vapply(votes, function(vote) {
        fit$parameters[c("vote", "neighbour")] <- as.list(vote)
        100 * mean(predict(fit, test$x, threads = 1) != test$y)
      }, 0), cpu)
    }, numeric(4L))
    wrong[[name]] <- errors
    cat(sprintf(
      "%-38s %8.1f %8.1f %8.1f %9.1f\n", name, mean(errors[1L, ]),
      mean(errors[2L, ]), mean(errors[3L, ]), mean(errors[4L, ])
    ))
  }
  p <- mean(wrong[[1L]][1:3, ]) / 100
  cat(sprintf(
    "one standard error of a mean: %.2f\n",
    100 * sqrt(p * (1 - p) / (seeds * n_test))
  ))
}

features <- function() {
  beside(
    "dna + 100,000 features, 100 samples", "dna_with_noise", 100, 100000,
    paper, 3L
  )
}

known <- list(
  scoring = scoring, draws = draws, waveform = waveform_errors,
  features = features
)
for (what in strsplit(argument(1L, "scoring,draws,waveform"), ",")[[1L]]) {
  cat("==", what, "==\n")
  known[[what]]()
}
