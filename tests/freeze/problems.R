# The problems of the freeze: each outcome in each design and container.
# SPDX-License-Identifier: GPL-3.0-or-later

settings <- list(
  outcome = c("two", "three", "numbers", "survival"),
  design = c("none", "group", "block", "pair"),
  container = c(
    "matrix", "frame", "sparse", "experiment", "set", "omics", "counts"
  ),
  values = c("complete", "missing")
)

# Half of the values are noise, a third whole numbers with many zeros. Samples
# 2i - 1 and 2i are a pair: they differ in class.
draw_samples <- function(seed, kind) {
  set.seed(seed)
  three <- factor(rep(strsplit("abacababac", "")[[1L]], 4L))
  x <- matrix(abs(rnorm(40 * 60)), 40)
  dimnames(x) <- list(paste0(letters[seed], 1:40), paste0("g", 1:60))
  x[, 41:60] <- rpois(40 * 20, 0.5)
  x[, 1:6] <- x[, 1:6] + as.integer(three)
  samples <- data.frame(
    group = rep(1:20, each = 2L), block = rep(c("u", "v"), each = 20L),
    pair = paste0("p", rep(1:20, each = 2L)), row.names = rownames(x)
  )
  samples$y <- switch(kind,
    three = three, two = factor(ifelse(three == "a", "a", "b")),
    numbers = x[, 1L] + rnorm(40) / 2,
    survival = survival::Surv(rexp(40, exp(x[, 1L] - 3)), rbinom(40, 1, 0.7))
  )
  list(x = x, samples = samples)
}

contained <- function(x, samples, container) {
  switch(container,
    matrix = x, sparse = Matrix::Matrix(x, sparse = TRUE),
    # A category, which few verbs take, where they must take missing values too.
    frame = if (anyNA(x)) data.frame(x, tint = letters[1:4]) else data.frame(x),
    experiment = SummarizedExperiment::SummarizedExperiment(
      list(values = t(x)), colData = S4Vectors::DataFrame(samples)
    ),
    set = Biobase::ExpressionSet(t(x), Biobase::AnnotatedDataFrame(samples)),
    omics = list(RNA = x[, 1:30], protein = x[, 31:60]),
    counts = edgeR::DGEList(
      t(round(20 * 2^replace(x, is.na(x), 0))), samples = samples
    )
  )
}

#' Returns an environment with `x`, `y`, `new`, `truth` and the design, and with
#' `fit(verb, ...)`, which gives these to the verb. In containers with columns,
#' these are called by their names.
problem <- function(s) {
  old <- draw_samples(1, s$outcome)
  new <- draw_samples(2, s$outcome)
  if (s$values == "missing") {
    old$x[sample(2400, 60)] <- NA
    new$x[sample(2400, 10)] <- NA
  }
  given <- as.list(old$samples)
  frame <- data.frame(old$x, outcome = 0)
  frame$outcome <- labels <- given$y
  pairs <- if (s$design == "pair") given$pair
  if (s$container %in% c("experiment", "set", "counts")) {
    given <- as.list(setNames(nm = names(given)))
  }
  x <- contained(old$x, old$samples, s$container)
  truth <- new$samples$y
  new <- contained(new$x, new$samples, s$container)
  y <- given$y
  outcome <- s$outcome
  fit <- switch(s$design,
    none = function(verb, ...) verb(x, y, ...),
    group = function(verb, ...) verb(x, y, ..., group = given$group),
    block = function(verb, ...) verb(x, y, ..., block = given$block),
    pair = function(verb, ...) verb(x, y, ..., pair = given$pair)
  )
  environment()
}

#' One row for each object: every verb with every outcome, with classes twice,
#' and the other settings at random. What most verbs refuse, pairs without
#' classes and missing values, is drawn less often.
plan_objects <- function(verbs) {
  set.seed(76)
  rows <- expand.grid(
    verb = verbs, outcome = settings$outcome[c(1:4, 1:2)],
    stringsAsFactors = FALSE
  )
  for (name in c("design", "container", "values")) {
    rows[[name]] <- sample(settings[[name]], nrow(rows), replace = TRUE)
  }
  few <- rows$outcome %in% c("numbers", "survival") & rows$design == "pair" |
    rows$values == "missing"
  moved <- few & runif(nrow(rows)) < 0.6
  rows[moved, c("design", "values")] <- list("none", "complete")
  rows
}
