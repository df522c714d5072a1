# Test errors of LLFS by an installed build: stratified splits, alpha 10 and
# "auto", both votes. Run it with two builds and the same splits to compare
# them; where the csv files of both exist, their paired differences are shown.
# Usage: Rscript llfs_errors.R [data folder] [library] [csv] [csv of another
#   build or none] [splits, such as 20 or 201:240] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
argument <- function(i, default) {
  if (length(arguments) >= i) arguments[[i]] else default
}
folder <- argument(1L, "../shared/data")
library(hitmiss, lib.loc = argument(2L, .libPaths()[[1L]]))
file <- argument(3L, tempfile(fileext = ".csv"))
before <- argument(4L, "none")
splits <- as.integer(strsplit(argument(5L, "20"), ":", fixed = TRUE)[[1L]])
splits <- if (length(splits) > 1L) {
  splits[[1L]]:splits[[2L]]
} else {
  seq_len(splits)
}
known <- c("leukemia7070", "prostate_ge", "dna", "arcene")
sets <- if (length(arguments) > 5L) arguments[-(1:5)] else known

# Half of the samples of every class train; of dna 100 samples, as in the paper,
# and 1,000 others are enough to tell the error.
draw <- function(y, seed, train) {
  set.seed(seed)
  rows <- lapply(split(seq_along(y), y), function(members) {
    members[sample.int(length(members), round(train * length(members)))]
  })
  sort(unlist(rows, use.names = FALSE))
}

# The two votes share subsets and spheres: one fit with evidence gives both.
errors_of <- function(x, y, new, truth, alpha) {
  set.seed(1)
  seconds <- system.time(
    fit <- suppressWarnings(
      llfs(x, y, alpha = alpha, vote = "evidence", threads = 1)
    )
  )
  wrong <- function(fit) {
    mean(as.character(predict(fit, new, threads = 1)) != truth)
  }
  spheres <- fit
  spheres$parameters$vote <- "spheres"
  spheres$parameters$neighbour <- if (length(alpha) > 1L || alpha == "auto") {
    "full"
  } else {
    "none"
  }
  data.frame(
    alpha = as.character(alpha), evidence = wrong(fit),
    spheres = wrong(spheres),
    unsettled = fit$report$residual, objective = mean(fit$local$objective),
    seconds = seconds[["user.self"]]
  )
}

done <- NULL
for (alpha in list(10, "auto")) {
  for (set in sets) {
    data <- readRDS(file.path(folder, paste0(set, ".rds")))
    for (seed in splits) {
      train <- draw(data$y, seed, if (set == "dna") 100 / 3186 else 0.5)
      test <- setdiff(seq_along(data$y), train)
      if (length(test) > 1000L) test <- sort(sample(test, 1000L))
      done <- rbind(done, cbind(
        set = set, split = seed,
        errors_of(
          data$x[train, ] + 0, data$y[train], data$x[test, ] + 0,
          as.character(data$y[test]), alpha
        )
      ))
      utils::write.csv(done, file, row.names = FALSE)
    }
  }
}

show_error <- function(error) {
  sprintf(
    "%.2f +- %.2f", 100 * mean(error), 100 * sd(error) / sqrt(length(error))
  )
}
now <- done
then <- if (file.exists(before)) utils::read.csv(before)
for (alpha in unique(now$alpha)) {
  for (set in unique(now$set)) {
    here <- now[now$alpha == alpha & now$set == set, ]
    there <- then[then$alpha == alpha & then$set == set, ]
    both <- intersect(here$split, there$split)
    for (vote in c("evidence", "spheres")) {
      cat(sprintf(
        "%-13s alpha %-4s %-8s error %% %s", set, alpha, vote,
        show_error(here[[vote]])
      ))
      if (length(both) > 1L) {
        change <- here[[vote]][match(both, here$split)] -
          there[[vote]][match(both, there$split)]
        cat(sprintf(
          "; before %s; change %s (%d splits)", show_error(there[[vote]]),
          show_error(change), length(both)
        ))
      }
      cat("\n")
    }
    cat(sprintf(
      "%-13s alpha %-4s unsettled %.3f, mean U1 %.4f, %.1f CPU s a fit\n", set,
      alpha, mean(here$unsettled), mean(here$objective), mean(here$seconds)
    ))
  }
}
