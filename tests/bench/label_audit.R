# Does audit_labels() find flipped labels? The area under the ROC curve of its
# suspicion for 5 % flipped ones, beside the disagreement of the 5 nearest
# samples. Usage: Rscript tests/bench/label_audit.R [draws] [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- commandArgs(TRUE)
draws <- if (length(given) > 0L) as.integer(given[[1L]]) else 40L
folder <- c(given[-1L], "../shared/data")[[1L]]

# A sample in no sphere is ranked as an even share.
area <- function(score, flipped) {
  score[is.na(score)] <- 0.5
  r <- rank(score)
  (
    sum(r[flipped]) - sum(flipped) * (sum(flipped) + 1) / 2
  ) / sum(flipped) / sum(!flipped)
}

flip <- function(y, share) {
  at <- sample(length(y), max(1L, round(share * length(y))))
  for (n in at) y[n] <- sample(setdiff(levels(y), y[n]), 1L)
  list(y = y, flipped = seq_along(y) %in% at)
}

# With k = 5 nearest on a ranking's features, as a stranger would do it.
nearest_on <- function(x, y, features) {
  distances <- as.matrix(dist(scale(x[, features])))
  diag(distances) <- Inf
  vapply(seq_along(y), \(n) mean(y[order(distances[n, ])[1:5]] != y[[n]]), 0)
}

spheres <- function(rule) {
  function(x, y) llfs(x, y, alpha = 10, vote = "spheres", neighbour = rule)
}
fits <- list(
  none = spheres("none"), half = spheres("half"), full = spheres("full"),
  evidence = function(x, y) llfs(x, y, alpha = 10, vote = "evidence"),
  default = function(x, y) llfs(x, y)
)

for (name in c("srbct", "colon")) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  dimnames(data$x) <- NULL
  areas <- vapply(seq_len(draws), function(seed) {
    set.seed(seed)
    case <- flip(factor(data$y), 0.05)
    made <- lapply(fits, \(fit) audit_labels(fit(data$x, case$y)))
    of <- function(table, column) {
      area(table[[column]], case$flipped[as.integer(table$sample)])
    }
    top <- selected(relief(data$x, case$y, hubs = "none"), n = 50)
    c(
      vapply(made, of, 0, "suspicion"),
      neighbours = of(made$none, "neighbours"),
      "5-NN, relieff's best 50" = area(
        nearest_on(
          data$x, case$y, match(top, names(coef(relief(data$x, case$y))))
        ),
        case$flipped
      )
    )
  }, numeric(7L))
  se <- function(v) sd(v) / sqrt(length(v))
  cat(name, "-", draws, "draws, mean (se)\n")
  cat(
    sprintf(
      "  %-24s %.3f (%.3f)\n", rownames(areas), rowMeans(areas),
      apply(areas, 1, se)
    ), sep = ""
  )
  cat("  less the 5-NN column, paired\n")
  less <- areas[1:5, ] - areas[rep(6, 5), ]
  cat(
    sprintf(
      "  %-24s %+.3f (%.3f)\n", rownames(less), rowMeans(less),
      apply(less, 1, se)
    ), sep = ""
  )
}
