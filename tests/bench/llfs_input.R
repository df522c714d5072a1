# What LLFS says to bad input, and that odd input works. A bad input must stop
# with a condition of its own class before any C++ runs.
# Usage: Rscript llfs_input.R
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
options(width = 80, cli.width = 80)

set.seed(1)
n <- 12
x <- matrix(rnorm(n * 4), n, dimnames = list(
  paste0("sample", seq_len(n)), c("TP53", "BRCA1", "EGFR", "MYC")
))
y <- factor(rep(c("tumour", "normal"), n / 2))
x[, "EGFR"] <- x[, "EGFR"] + 3 * (y == "tumour")
fit <- llfs(x, y, alpha = 4, threads = 1)
fit$scores[] <- pmax(fit$scores, 0.01) # predict needs all four

# ---- calls into the core are counted ----------------------------------------

# All but the gate's own look at the values, which computes nothing with them.
calls <- 0L
core <- grep("^cpp_", ls(asNamespace("hitmiss")), value = TRUE)
for (name in setdiff(core, "cpp_all_finite")) {
  suppressMessages(trace(name,
    tracer = quote(assign("calls", get("calls", globalenv()) + 1L, globalenv())),
    print = FALSE, where = asNamespace("hitmiss")
  ))
}

put <- function(row, column, value) {
  x[row, column] <- value
  x
}
frame <- data.frame(x)
frame$tissue <- "lung"

bad <- alist(
  "NA" = llfs(put(3, "EGFR", NA), y),
  "NaN" = llfs(put(2, 1, NaN), y),
  "Inf" = llfs(put(5, 4, Inf), y),
  "y of wrong length" = llfs(x, y[-1]),
  "numeric y" = llfs(x, as.integer(y) - 1L),
  "one class" = llfs(x, factor(rep("tumour", n))),
  "zero rows" = llfs(x[0, ], y[0]),
  "zero columns" = llfs(x[, 0], y),
  "character column" = llfs(frame, y),
  "transposed x" = llfs(t(x), y),
  "alpha < 1" = llfs(x, y, alpha = 0.5),
  "alpha no number" = llfs(x, y, alpha = "many"),
  "gamma <= 0" = llfs(x, y, gamma = 0),
  "beta without 0" = llfs(x, y, beta = c(0.5, 1)),
  "beta without 1" = llfs(x, y, beta = c(0, 0.5)),
  "newdata without two columns" = predict(fit, x[, c("TP53", "MYC")]),
  "newdata of another type" = predict(fit, "sample1"),
  "newdata with a character column" = predict(
    fit, transform(data.frame(x), MYC = "high")
  ),
  "no y" = llfs(x),
  "no newdata" = predict(fit)
)

failed <- 0L
messages <- character()
for (name in names(bad)) {
  calls <- 0L
  condition <- tryCatch(eval(bad[[name]]), condition = identity)
  good <- inherits(condition, "hitmiss_error_input") && calls == 0L
  text <- if (inherits(condition, "condition")) {
    conditionMessage(condition)
  } else {
    "no condition"
  }
  messages[[name]] <- text
  failed <- failed + !good
  cat(sprintf(
    "%s: %s\n    %s\n", if (good) "ok" else "FAILED", name,
    gsub("\n", "\n    ", text, fixed = TRUE)
  ))
}
own <- anyDuplicated(messages) == 0L
cat("every message its own:", own, "\n\n")

# ---- odd input that must work ------------------------------------------------

duplicates <- rbind(x, x[1:4, ])
clashing <- factor(c(as.character(y), as.character(rev(y[1:4]))))
unnamed <- unname(x)
odd <- alist(
  "a constant feature" = list(cbind(unnamed, 7), y),
  "duplicate rows with clashing labels" = list(unname(duplicates), clashing),
  "a class of one sample" = list(unnamed, factor(c("rare", as.character(y[-1])))),
  "M = 1" = list(unnamed[, 3, drop = FALSE], y),
  "N = 3" = list(unnamed[1:3, ], y[1:3]),
  "0/1 data" = list((unnamed > 0) + 0, y),
  "columns at 1e-200 and 1e8" = list(
    unnamed * rep(c(1, 1e-200, 1, 1e8), each = n), y
  )
)

no_nan <- function(object) {
  numbers <- rapply(unclass(object), identity, "numeric", how = "unlist")
  !any(is.nan(numbers)) && all(is.finite(object$scores))
}
for (name in names(odd)) {
  data <- eval(odd[[name]])
  good <- all(vapply(c("spheres", "evidence"), function(vote) {
    suppressWarnings({
      object <- llfs(data[[1]], data[[2]], alpha = 3, vote = vote, threads = 1)
      probability <- predict(object, data[[1]], type = "prob", threads = 1)
      class <- predict(object, data[[1]], threads = 1)
    })
    no_nan(object) && !anyNA(probability) && !anyNA(class) &&
      max(abs(rowSums(probability) - 1)) < 1e-12
  }, NA))
  failed <- failed + !good
  cat(if (good) "ok" else "FAILED", ": ", name, "\n", sep = "")
}
cat("\n", failed + !own, " failed\n", sep = "")
if (failed > 0L || !own) quit(status = 1L)
