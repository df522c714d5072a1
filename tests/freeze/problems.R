# The problems of the freeze: each outcome in each design and container.
# SPDX-License-Identifier: GPL-3.0-or-later

n_samples <- 40L
settings <- list(
  outcome = c("two", "three", "numbers", "survival"),
  design = c("none", "group", "block", "pair"),
  container = c(
    "matrix", "frame", "sparse", "experiment", "set", "omics", "counts"
  ),
  values = c("complete", "missing")
)
# In these, outcome and design are columns that are called by their names.
with_columns <- c("experiment", "set", "counts")

# Any two samples 2i - 1, 2i are a pair: they differ in class.
three <- factor(rep(strsplit("abacababac", "")[[1L]], n_samples / 10L))
two <- factor(ifelse(three == "a", "a", "b"))

# Half of the values are noise, a third whole numbers with many zeros.
draw_values <- function(seed) {
  set.seed(seed)
  names <- list(paste0("s", seq_len(n_samples)), paste0("g", 1:60))
  x <- matrix(abs(rnorm(n_samples * 60)), n_samples, dimnames = names)
  x[, 41:60] <- rpois(n_samples * 20, 0.5)
  x[, 1:6] <- x[, 1:6] + as.integer(three)
  x
}

outcome_of <- function(kind, x) {
  switch(kind,
    two = two, three = three, numbers = x[, 1L] + rnorm(n_samples) / 2,
    survival = survival::Surv(
      rexp(n_samples, exp(x[, 1L] - 3)), rbinom(n_samples, 1, 0.7)
    )
  )
}

contained <- function(x, samples, container) {
  counts <- t(round(20 * 2^replace(x, is.na(x), 0)))
  switch(container,
    matrix = x, sparse = Matrix::Matrix(x, sparse = TRUE),
    # A category, which few verbs take, where they must take missing values too.
    frame = if (anyNA(x)) data.frame(x, tint = letters[1:4]) else data.frame(x),
    experiment = SummarizedExperiment::SummarizedExperiment(
      list(values = t(x)), colData = S4Vectors::DataFrame(samples)
    ),
    set = Biobase::ExpressionSet(t(x), Biobase::AnnotatedDataFrame(samples)),
    omics = list(RNA = x[, 1:30], protein = x[, 31:60]),
    counts = edgeR::DGEList(counts, samples = samples)
  )
}

#' Returns an environment with the containers `x` and `new`, their outcomes `y`
#' and `truth`, `fit(verb, ...)`, which adds the design, and `group`, `block` and
#' `pair`, as they are given in this container.
problem <- function(s) {
  x <- draw_values(1)
  y <- outcome_of(s$outcome, x)
  samples <- data.frame(
    group = rep(seq_len(n_samples / 2L), each = 2L),
    block = rep(c("u", "v"), each = n_samples / 2L), row.names = rownames(x)
  )
  samples$pair <- paste0("p", samples$group)
  samples$y <- y
  new <- draw_values(2)
  rownames(new) <- paste0("t", seq_len(n_samples))
  named <- s$container %in% with_columns
  new_samples <- samples
  rownames(new_samples) <- rownames(new)
  given <- if (named) list(y = "y") else as.list(samples)
  if (named) given[c("group", "block", "pair")] <- c("group", "block", "pair")
  truth <- outcome_of(s$outcome, new)
  if (s$values == "missing") {
    x[sample(length(x), 60L)] <- NA
    new[sample(length(new), 10L)] <- NA
  }
  here <- list2env(c(given, s, list(
    x = contained(x, samples, s$container), labels = y, truth = truth,
    new = contained(new, new_samples, s$container),
    frame = `$<-`(data.frame(x), "outcome", y),
    pairs = if (s$design == "pair") samples$pair
  )), parent = globalenv())
  here$fit <- local(function(verb, ...) {
    switch(design,
      none = verb(x, y, ...), group = verb(x, y, ..., group = group),
      block = verb(x, y, ..., block = block),
      pair = verb(x, y, ..., pair = pair)
    )
  }, here)
  here
}

#' One row for each object: every verb with every outcome, with classes twice,
#' and of the other settings those that bring most pairs which were not met
#' before. What most verbs refuse is tried less often.
plan_objects <- function(verbs) {
  set.seed(76)
  rest <- expand.grid(settings[-1L], stringsAsFactors = FALSE)
  rows <- expand.grid(
    verb = verbs, outcome = settings$outcome[c(1:4, 1:2)],
    stringsAsFactors = FALSE
  )
  met <- character()
  for (i in sample(nrow(rows))) {
    refused <- (rest$values == "missing") + 2 * (rest$design == "pair") *
      rows$outcome[[i]] %in% c("numbers", "survival")
    some <- sample(nrow(rest), 12L, prob = 0.2^refused)
    pairs <- lapply(some, function(j) {
      combn(c(unlist(rows[i, 1:2]), unlist(rest[j, ])), 2L, toString)
    })
    best <- which.max(lengths(lapply(pairs, setdiff, met)))
    met <- union(met, pairs[[best]])
    rows[i, names(rest)] <- rest[some[[best]], ]
  }
  rows
}
