# The localized toy problem of the LLFS paper (its Fig. 6): how often do the
# groups find the features that matter to them? Mean over ten seeds.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)

shares <- function(seed, parsimony) {
  set.seed(seed)
  toy <- simulate_localized()
  fit <- llfs(toy$x, toy$y, alpha = 2, parsimony = parsimony)
  chosen <- as.matrix(fit$local$subsets)
  size <- colSums(chosen)
  group <- function(g) chosen[, toy$group == g, drop = FALSE]
  size_of <- function(g) size[toy$group == g]
  c(
    A_x1 = mean(group("A")["x1", ]), B_x2 = mean(group("B")["x2", ]),
    C_both = mean(group("C")["x1", ] & group("C")["x2", ]),
    A_wrong = mean(group("A")["x2", ]), B_wrong = mean(group("B")["x1", ]),
    A_exact = mean(group("A")["x1", ] & size_of("A") == 1),
    B_exact = mean(group("B")["x2", ] & size_of("B") == 1),
    C_exact = mean(group("C")["x1", ] & group("C")["x2", ] & size_of("C") == 2)
  )
}

for (parsimony in c(0, 3, 5)) {
  result <- rowMeans(sapply(1:10, shares, parsimony = parsimony))
  cat("parsimony", parsimony, "\n")
  print(round(100 * result, 1))
}
cat("goals: A_x1 >= 95, B_x2 >= 93, C_both >= 95, wrong <= 1;",
  "parsimony 3: A_exact, B_exact >= 78\n"
)
