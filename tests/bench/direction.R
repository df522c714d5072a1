# Direction: the markers of a class are up in it, and what goes down is said to.
# Run from the root: Rscript tests/bench/direction.R (needs multtest and an
# installed hitmiss).
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)

# Golub et al.: 38 leukaemias. Ten markers of ALL by each method, and in how
# many the mean of ALL is higher.
data(golub, package = "multtest")
x <- t(golub)
colnames(x) <- make.unique(golub.gnames[, 3])
y <- factor(c("ALL", "AML")[golub.cl + 1L])
higher <- colMeans(x[y == "ALL", ]) > colMeans(x[y == "AML", ])
set.seed(1)
for (method in c("llfs", "relief", "logo", "kbfs", "pwfp")) {
  fit <- get(method)(x, y)
  markers <- selected(fit, n = 10, class = "ALL", direction = "up")
  cat(sprintf(
    "%-6s %d of %d markers of ALL are up in ALL; without direction %d of 10\n",
    method, sum(higher[markers]), length(markers),
    sum(higher[top_features(fit, 10)$feature])
  ))
}

# Simulated methylation: three tissues, 20 CpGs low in blood.
tissue <- factor(rep(c("blood", "placenta", "other"), c(30, 20, 10)))
beta <- matrix(rbeta(60 * 1000, 8, 2), 60,
  dimnames = list(NULL, paste0("cg", 1:1000))
)
low <- sample(1000, 20)
beta[tissue == "blood", low] <- rbeta(30 * 20, 2, 8)
for (method in c("llfs", "relief", "logo", "kbfs", "pwfp")) {
  top <- top_features(get(method)(beta, tissue), 20)
  top <- top[top$feature %in% colnames(beta)[low], ]
  cat(sprintf(
    "%-6s of the best 20, %d are low in blood; %d of them said so\n", method,
    nrow(top), sum(top$class == "blood" & top$direction == "down")
  ))
}
