# The second example of README over 20 draws: ten genes of 1,000 are high in one
# half of a class and low in the other. How many of them are in the best ten?
#   Rscript tests/bench/subtypes.R
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)

found <- vapply(1:20, function(seed) {
  set.seed(seed)
  names <- paste0("gene", 1:1000)
  x <- matrix(rnorm(80 * 1000), 80, dimnames = list(NULL, names))
  y <- rep(c("well", "ill"), each = 40)
  x[41:80, 1:10] <- x[41:80, 1:10] + rep(c(2, -2), each = 20)
  t <- limma::eBayes(limma::lmFit(t(x), model.matrix(~y)))$t[, 2]
  lists <- list(
    limma = names[order(-abs(t))], relief = selected(relief(x, y), 10),
    kbfs = selected(kbfs(x, y, n = 10), 10), logo = selected(logo(x, y))
  )
  vapply(lists, \(best) sum(head(best, 10) %in% names[1:10]), 0)
}, numeric(4))
print(cbind(
  mean = rowMeans(found), standard_error = apply(found, 1, sd) / sqrt(20)
))
