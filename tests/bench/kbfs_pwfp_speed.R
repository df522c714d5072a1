# CPU seconds of kbfs() and pwfp(), peak memory beyond the data, what a second
# core gives, and pwfp() beside plain nth_element over all features.
# Usage: Rscript kbfs_pwfp_speed.R [data folder] [kbfs|semi|pwfp|million|sparse]
# `million`: 100 samples x 1,000,000 features. `sparse`: pcmac, 1,943 x 3,289,
# as dgCMatrix and dense.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
folder <- if (length(arguments) > 0L) arguments[[1L]] else "../shared/data"
parts <- if (length(arguments) > 1L) arguments[-1L] else c("kbfs", "semi", "pwfp")

problem <- function(name, train = NULL) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  storage.mode(data$x) <- "double"
  set.seed(1)
  keep <- if (is.null(train)) seq_along(data$y) else sample(nrow(data$x), train)
  list(x = data$x[keep, ], y = droplevels(data$y[keep]))
}

resident <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# The least of `repeats` runs, and the highest resident memory above the start.
measure <- function(run, repeats = 3) {
  force(run) # reads the data
  runs <- vapply(seq_len(repeats), function(i) {
    invisible(gc())
    mark <- file.exists("/proc/self/clear_refs")
    if (mark) writeLines("5", "/proc/self/clear_refs")
    before <- resident("VmRSS")
    time <- system.time(fit <<- run())
    c(
      cpu = time[["user.self"]] + time[["sys.self"]],
      elapsed = time[["elapsed"]],
      peak = if (mark) resident("VmHWM") - before else NA
    )
  }, c(cpu = 0, elapsed = 0, peak = 0))
  # Later runs find pages that the first one left: its peak is the true one.
  c(apply(runs[1:2, , drop = FALSE], 1, min), peak = max(runs["peak", ]))
}

report <- function(label, run, goal, repeats = 3) {
  cost <- measure(run, repeats)
  cat(sprintf(
    "%-38s %7.3f CPU s  goal %5.2f  %-6s  peak %5.0f MB above the data\n",
    label, cost[["cpu"]], goal,
    if (is.na(goal)) "" else if (cost[["cpu"]] <= goal) "met" else "MISSED",
    cost[["peak"]]
  ))
  invisible(cost)
}

two_threads <- function(label, run, repeats = 3) {
  one <- measure(function() run(1), repeats)[["elapsed"]]
  first <- fit
  two <- measure(function() run(2), repeats)[["elapsed"]]
  what <- setdiff(names(fit), c("report", "call"))
  cat(sprintf(
    "%-38s %7.3f s, one thread %.3f: %.2f times  goal 1.7  %s  same fit: %s\n",
    paste(label, "two threads"), two, one, one / two,
    if (one / two >= 1.7) "met" else "MISSED",
    identical(first[what], fit[what])
  ))
}

path_of <- function(fit) {
  cat(sprintf(
    "%38s %d active at lambda / first = %.3f, gap %.1e, kkt %.1e, %s\n", "",
    utils::tail(fit$path$active, 1),
    utils::tail(fit$path$lambda, 1) / fit$path$lambda[[1]],
    max(fit$path$gap), fit$report$kkt, fit$report$status
  ))
}

follow <- function(data, threads = 1, ...) {
  force(data)
  function() kbfs(data$x, data$y, n_features = 200, ..., threads = threads)
}

tox <- problem("tox171")
invisible(kbfs(tox$x[, 1:50], tox$y, threads = 1)) # R compiles its code once
invisible(pwfp(tox$x[, 1:50], tox$y, threads = 1))

if (any(c("kbfs", "pwfp") %in% parts)) {
  set.seed(1)
  large <- simulate_spiral(noise = 29998)
  wide <- simulate_microarray(n = c(100, 100), genes = 1e5)
}

if ("kbfs" %in% parts) {
  faces <- problem("orl10p", 50)
  report("kbfs tox171 171 x 5748, to 200", follow(tox), 0.3)
  path_of(fit)
  report("kbfs 100 x 10000, to 200", follow(problem("pix10p")), NA)
  path_of(fit)
  report("kbfs 460 x 30000, to 200", follow(large), 2, 2)
  path_of(fit)
  report("kbfs 200 x 100000, to 200", follow(wide), 3, 2)
  path_of(fit)
  report("kbfs orl10p, 50 samples, to 205", function() {
    kbfs(faces$x, faces$y, n_features = 205, threads = 1)
  }, 1)
  path_of(fit)
  two_threads("kbfs 460 x 30000", function(threads) follow(large, threads)(), 2)
  two_threads("kbfs 200 x 100000", function(threads) follow(wide, threads)(), 2)
}

if ("semi" %in% parts) {
  some <- problem("tox171", 103)
  some$y[35:103] <- NA
  graph <- function(threads) {
    kbfs(some$x, some$y, n_features = 200, manifold = 1, threads = threads)
  }
  report("semi-BFS tox171, 103 x 5748", function() graph(1), 5, 1)
  path_of(fit)
  two_threads("semi-BFS", graph, 1)
}

if ("pwfp" %in% parts) {
  Rcpp::sourceCpp(code = "
    #include <Rcpp.h>
    #include <algorithm>
    #include <cmath>
    // The plain way: every pair selects among all its differences. `rows`
    // holds a sample in each column.
    // [[Rcpp::export]]
    Rcpp::IntegerMatrix plain_counts(const Rcpp::NumericMatrix &rows,
                                     const Rcpp::IntegerVector &y, int k,
                                     int samples) {
      const int p = rows.nrow();
      Rcpp::IntegerMatrix counts(p, 2);
      std::vector<double> key(p), buffer(p);
      for (int a = 0; a < samples; ++a)
        for (int b = a + 1; b < samples; ++b) {
          const double *u = &rows(0, a), *v = &rows(0, b);
          const bool same = y[a] == y[b];
          for (int j = 0; j < p; ++j) {
            const double d = std::fabs(u[j] - v[j]);
            key[j] = same ? d : -d;
          }
          buffer = key;
          std::nth_element(buffer.begin(), buffer.begin() + k - 1,
                           buffer.end());
          const double last = buffer[k - 1];
          int *count = &counts(0, same ? 0 : 1);
          for (int j = 0; j < p; ++j)
            count[j] += key[j] <= last;
        }
      return counts;
    }")
  # On the first `samples`, scaled up to all pairs.
  plain <- function(data, samples) {
    rows <- t(scale(data$x))
    rows[!is.finite(rows)] <- 0
    k <- round(0.1 * nrow(rows))
    seconds <- sum(system.time(
      counts <- plain_counts(rows, as.integer(data$y), k, samples)
    )[1:2])
    n <- ncol(rows)
    list(
      seconds = seconds * n * (n - 1) / samples / (samples - 1),
      counts = if (samples == n) counts
    )
  }
  beside <- function(label, data, goal, samples) {
    cost <- report(
      label, function() pwfp(data$x, data$y, threads = 1), goal, 2
    )
    them <- plain(data, samples)
    cat(sprintf(
      "%38s nth_element over all features %.2f s: %.1f times, goal 3  %s%s\n",
      "", them$seconds, them$seconds / cost[["cpu"]],
      if (them$seconds >= 3 * cost[["cpu"]]) "met" else "MISSED",
      if (is.null(them$counts)) "" else sprintf(
        "; largest difference of counts %g",
        max(abs(them$counts - cbind(fit$within, fit$between)))
      )
    ))
  }
  beside("pwfp tox171 171 x 5748", tox, 0.5, 171)
  beside("pwfp 200 x 100000", wide, 8, 50)
  two_threads("pwfp 200 x 100000", function(threads) {
    pwfp(wide$x, wide$y, threads = threads)
  }, 1)
  beside("pwfp 460 x 30000", large, NA, 100)
}

relative <- function(label, x, run) {
  size <- as.numeric(utils::object.size(x)) / 2^20
  cost <- report(label, run, NA, 1)
  cat(sprintf(
    "%38s elapsed %.1f s, input %.0f MB, peak / input %.2f; %d selected\n", "",
    cost[["elapsed"]], size, cost[["peak"]] / size, length(fit$selected)
  ))
}

if ("million" %in% parts) {
  set.seed(1)
  y <- factor(rep(c("a", "b"), each = 50))
  x <- matrix(rnorm(1e8), 100)
  x[y == "a", 1:20] <- x[y == "a", 1:20] + 1.5
  relative("kbfs 100 x 1000000, to 50", x, function() {
    kbfs(x, y, n_features = 50, threads = 1)
  })
  path_of(fit)
  relative("pwfp 100 x 1000000", x, function() pwfp(x, y, threads = 1))
}

if ("sparse" %in% parts) {
  words <- readRDS(file.path(folder, "pcmac.rds"))
  for (kind in c("dgCMatrix", "dense")) {
    x <- if (kind == "dense") as.matrix(words$x) else words$x
    relative(paste("kbfs pcmac to 50,", kind), x, function() {
      kbfs(x, words$y, n_features = 50, threads = 1)
    })
    path_of(fit)
    cat(toString(selected(fit, n = 12)), "\n")
    relative(paste("pwfp pcmac,", kind), x, function() {
      pwfp(x, words$y, threads = 1)
    })
    cat(toString(selected(fit, n = 12)), "\n")
  }
}
