# Does relief(omics = "equal") help? TCGA breast cancer of package r.jive, 348
# tumours in three clusters with 645 genes, 574 methylation sites, 423 miRNAs: a
# third is held out, 20 times; as it is, and with 40 random features of one
# omics only, which the others then outnumber.
# Rscript tests/bench/omics.R; writes inst/reproduce/results/omics.csv
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)
place <- new.env()
utils::data(BRCA_data, package = "r.jive", envir = place)
y <- factor(paste0("C", as.integer(place$clusts)))
data <- lapply(place$Data, function(part) {
  matrix(t(part), ncol(part), dimnames = list(
    paste0("p", seq_along(y)), paste0("f", seq_len(nrow(part)))
  ))
})

one_split <- function(split, small) {
  set.seed(split)
  if (small != "none") {
    part <- data[[small]]
    data[[small]] <- part[, sample(ncol(part), 40)]
  }
  train <- unlist(lapply(split(seq_along(y), y), function(rows) {
    sample(rows, round(length(rows) * 2 / 3))
  }))
  at <- function(rows) lapply(data, function(part) part[rows, ])
  vapply(c(joined = "joined", equal = "equal"), function(omics) {
    fit <- relief(at(train), y[train], omics = omics, threads = 1)
    vapply(c(10, 50), function(n) {
      mean(predict(fit, at(-train), n = n, threads = 1) != y[-train])
    }, 0)
  }, c(0, 0))
}

table <- do.call(rbind, lapply(c("none", names(data)), function(small) {
  found <- simplify2array(lapply(1:20, one_split, small))
  less <- found[, "equal", ] - found[, "joined", ]
  data.frame(
    reduced_to_40 = small, n = c(10, 50),
    joined = rowMeans(found[, "joined", ]),
    equal = rowMeans(found[, "equal", ]), difference = rowMeans(less),
    difference_se = apply(less, 1, sd) / sqrt(20)
  )
}))
table[-1] <- round(table[-1], 4)
print(table, digits = 2, row.names = FALSE)
utils::write.csv(
  table, file.path("inst", "reproduce", "results", "omics.csv"),
  row.names = FALSE
)
