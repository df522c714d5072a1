# How relief(method = "parzen") grows with the number of samples.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
sizes <- c(200, 500, 1000, 2000, 5000, 10000, 20000)
features <- 64
set.seed(1)
us <- vapply(sizes, function(n) {
  x <- matrix(runif(n * features), n)
  y <- factor(sample(2, n, TRUE))
  times <- max(1, 40000 %/% n)
  s <- system.time(for (i in seq_len(times)) {
    relief(x, y, "parzen", threads = 1)
  })
  sum(s[1:2]) / times / features * 1e6
}, 0)
print(data.frame(N = sizes, us_per_feature = round(us, 1)), row.names = FALSE)
slope <- function(t) unname(coef(lm(log(t) ~ log(sizes)))[[2]])
cat(sprintf(
  "fitted exponent %.3f; that of N log N over the same sizes %.3f\n",
  slope(us), slope(sizes * log(sizes))
))
