# Messages on data that are probably not what they seem.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- withr::with_seed(3, matrix(
  rnorm(24 * 3), 24, dimnames = list(NULL, c("a", "b", "c"))
))
y <- rep(c("u", "v"), each = 12)

# What messages of a class say.
heard <- function(expr, class = "hitmiss_message_codes") {
  found <- NULL
  withCallingHandlers(expr, message = function(m) {
    if (inherits(m, class)) found <<- c(found, conditionMessage(m))
    invokeRestart("muffleMessage")
  })
  found
}

# ---- counts and intensities --------------------------------------------------

said_of_values <- function(x, rows = FALSE, plain = is.matrix(x) && !rows) {
  problem <- new_problem(x, factor(rep_len(1:2, nrow(x))),
    paste0("g", seq_len(ncol(x))), NULL,
    storage = if (is.matrix(x)) "dense" else "sparse"
  )
  if (rows) problem[c("features_in", "values")] <- list("rows", t(x))
  paste0("", heard(inform_values(problem, plain), "hitmiss_message_counts"))
}

test_that("counts are told, also shallow ones and those of cells", {
  said <- said_of_values
  withr::local_seed(1)
  depth <- rep(c(1, 3), each = 10)
  shallow <- matrix(stats::rnbinom(20 * 100, 0.5, mu = 4 * depth), 20)
  expect_lt(max(shallow), 255)
  cells <- matrix(rpois(2000, outer(depth, rexp(100)^2 / 2)), 20)
  cells[1, 1] <- 25
  deep <- matrix(rpois(2000, 900 * depth), 20)
  for (counts in list(shallow, cells, deep)) {
    expect_match(said(counts), "calcNormFactors\\(edgeR::DGEList\\(t\\(x\\)")
    # Code that would fail is not offered.
    for (told in c(
      said(counts, rows = TRUE), said(Matrix::Matrix(counts, sparse = TRUE)),
      said(replace(counts, 5, NA)), said(counts, plain = FALSE)
    )) {
      expect_match(told, "Give logarithms of normalised counts, such as of")
    }
    expect_identical(said(log2(counts + 1)), "")
    expect_identical(said(counts[, 1:49]), "")
    # Samples of about one depth.
    expect_identical(said(counts[11:20, ]), "")
  }
  # Grey levels; flags and two measurements.
  images <- matrix(sample(40:255, 2000, TRUE), 20) %/% rep(c(1, 4), each = 10)
  expect_identical(said(images), "")
  flags <- matrix(rbinom(20 * 80, 1, 0.1), 20)
  expect_identical(said(cbind(flags, sample(90, 20), 1:20)), "")
})

test_that("intensities are told, a few columns of another scale are not", {
  said <- said_of_values
  withr::local_seed(1)
  arrays <- matrix(exp(rnorm(100 * 200, 3, 2)), 100)
  expect_match(said(arrays), "half are at most 19\\..*`log2\\(x \\+ 1\\)`")
  expect_match(said(arrays - 30), "`log2\\(pmax\\(x, 10\\)\\)`")
  expect_match(said(cbind(arrays, -0.5)), "no logarithms")
  for (fine in list(
    scale(arrays), log2(arrays), arrays * 1000 / max(arrays), arrays[, 1:49],
    cbind(scale(arrays)[, -(1:9)], arrays[, 1:9]),
    matrix(rnorm(100 * 200, 0, 900), 100)
  )) {
    expect_identical(said(fine), "")
  }
})

# ---- codes for missing values ------------------------------------------------

test_that("of labels the text NA is told, of groups what means missing", {
  for (labels in list(replace(y, 2:4, "NA"), replace(y, 2:4, "NA "))) {
    expect_match(heard(relief(x, labels, k = 2)), "`y` has \"NA ?\"")
    expect_length(heard(relief(x, factor(labels), k = 2)), 1L)
  }
  expect_match(heard(relief(x, replace(y, 2:4, "<NA>"), k = 2)), "\"<NA>\"")
  for (word in c("unknown", "Na", "none", "ref", "missing", "-9", "?")) {
    expect_null(heard(relief(x, replace(y, 2:4, word), k = 2)))
  }
  for (word in c(
    "NA", "n/a", "<NA>", "NaN", "null", "Unknown ", "missing", "",
    "[Not Available]"
  )) {
    group <- replace(rep(1:12, 2), 1:4, word)
    expect_match(heard(relief(x, y, k = 2, group = group)), "`group` has")
  }
  # Bytes that are no text are looked at as they are.
  block <- rep(c("caf\xe9", "b", "unknown"), 8)
  expect_match(heard(relief(x, y, k = 2, block = block)), "\"unknown\"")
})

test_that("only where NA is taken, the cure is NA", {
  cure <- function(expr) trimws(sub(".*missing, ", "", heard(expr)))
  leave <- "leave these samples out."
  coded <- replace(x, 1, 999)
  expect_identical(cure(relief(x, replace(y, 1:4, "NA"), k = 2)), leave)
  expect_identical(
    cure(relief(x, y, k = 2, group = c("NA", 2:24))), leave
  )
  expect_identical(
    cure(relief(x, c(999, 1:23), method = "rrelieff")), leave
  )
  expect_identical(cure(relief(coded, y, k = 2)),
    paste("make it NA (and see `prepare_impute()`) or", leave))
  expect_identical(cure(predict(relief(x, y, k = 2), coded)),
    paste("make it NA or", leave))
})

test_that("code for counts gives no message again", {
  skip_if_not_installed("edgeR")
  withr::local_seed(1)
  x <- matrix(rpois(24 * 60, 900 * rep(c(1, 4), 12)), 24)
  told <- heard(relief(x, y), "hitmiss_message_counts")
  code <- sub(".*such as `(.*)`.*", "\\1", told)
  expect_null(heard(relief(eval(str2lang(code)), y), "hitmiss_message_counts"))
  for (other in list(
    cbind(data.frame(x), kind = factor(rep(1:3, 8))), replace(x, 3, NA),
    list(a = `rownames<-`(x, 1:24))
  )) {
    told <- heard(relief(other, y), "hitmiss_message_counts")
    expect_match(told, "of normalised counts")
  }
})

test_that("categories that mean missing are told", {
  kind <- rep(c("p", "q", "NA", ""), 6)
  for (of in list(kind, factor(kind), factor(kind, ordered = TRUE))) {
    d <- data.frame(x, kind = of, again = of)
    expect_match(heard(relief(d, y, k = 2)), "`x` has .*\"NA\"")
  }
  # Levels that no sample has mean nothing.
  for (ordered in c(FALSE, TRUE)) {
    kind <- factor(rep(1:2, 12), c("1", "2", "NA"), ordered = ordered)
    expect_null(heard(relief(data.frame(x, kind), y, k = 2)))
  }
  # No message grows with the number of columns.
  texts <- as.data.frame(matrix(rep(c("p", "q", "NA"), 8), 24, 1000))
  said <- heard(relief(texts, y, k = 2), "hitmiss_message")
  expect_match(said, "V1, V2, V3, ... (1000)", fixed = TRUE, all = FALSE)
  expect_true(all(nchar(said) < 300))
})

test_that("numbers far from all others that are codes are counted", {
  with_age <- function(code, others, times = 3L) {
    cbind(x, age = replace(rep_len(others, 24), seq_len(times), code))
  }
  coded <- list(
    with_age(999, 0:1), with_age(-9, 0:2, 1L), with_age(99, 1:5),
    with_age(-999, x[, 1]), with_age(999, 20:80), with_age(-9999, x[, 2]),
    with_age(c(-99, 999, 999), 0:1), with_age(-99, 18:40)
  )
  for (d in coded) {
    for (of in list(
      identity, as.data.frame, \(d) Matrix::Matrix(d, sparse = TRUE)
    )) {
      said <- heard(relief(of(d), y, k = 2))
      expect_match(said, "`x` has -?9+.*, far from all other values of age")
    }
  }
  plain <- list(
    with_age(9, 0:1), with_age(99, seq(0, 98, 7)), with_age(-9, 5),
    with_age(999, c(0, 400, 700)), with_age(98, 0:1), with_age(-1, 0:1)
  )
  for (d in plain) expect_null(heard(relief(d, y, k = 2)))
  expect_match(
    heard(relief(x, replace(x[, 1], 6:8, c(999, -99, 999)), "rrelieff")),
    "`y` has 999, -99, far from all other values\\."
  )
  # Of all samples, and once for all splits.
  expect_length(heard(error_curve(
    coded[[1L]], y, quick_relief, 2, resampling = holdout(times = 3)
  )), 2L)
})

test_that("codes in new samples are told by the training samples", {
  d <- cbind(x, age = rep(c(30, 50), each = 12) + 1:24)
  fits <- list(
    relief(d, y, k = 2), logo(d, y, scale = "none"), llfs(d, y, alpha = 2),
    relief(d, d[, "age"], "rrelieff"),
    relief(Matrix::Matrix(d, sparse = TRUE), y, k = 2)
  )
  one <- replace(d, cbind(3, 4), 999)[3, , drop = FALSE]
  for (fit in fits) {
    expect_true("age" %in% selected(fit, 4))
    expect_null(heard(predict(fit, d)))
    for (of in list(identity, \(m) Matrix::Matrix(m, sparse = TRUE))) {
      expect_match(
        heard(predict(fit, of(one))),
        "`newdata` has 999, far from all other values of age"
      )
    }
  }
  # An age of 99 is none among ages, and what the fit does not use is not read.
  expect_null(heard(predict(fits[[1L]], replace(d, cbind(3, 4), 99))))
  few <- relief(d[, -4], y, k = 2)
  expect_null(heard(predict(few, one)))
})

# ---- copies ------------------------------------------------------------------

test_that("copies of samples are named wherever samples are judged", {
  x <- withr::with_seed(1, matrix(rnorm(40 * 60), 40))
  y <- rep(c("a", "b"), 20)
  copied <- replace(x, cbind(2, seq_len(60)), x[1, ])
  once <- holdout(times = 1)
  calls <- list(
    function(x) error_curve(x, y, relief, 2, resampling = once),
    function(x) probe_fdr(x, y, relief, times = 1),
    function(x) bayes_error(x, y, 1:4, threads = 1),
    function(x) audit_labels(llfs(x, y, alpha = 12, threads = 1), threads = 1),
    function(x) interactions(relief(x, y, threads = 1), x, y, 3, times = 0)
  )
  for (call in calls) {
    said <- said_groups(withr::with_seed(1, call(copied)))
    expect_match(conditionMessage(said[[1L]]), "2 samples .* another one: 1, 2")
    expect_length(said_groups(withr::with_seed(1, call(x))), 0L)
  }
  expect_silent(error_curve(copied, y, relief, 2,
    resampling = once, group = c(1, 1, 3:40)
  ))
})

test_that("equal samples are copies if values seldom repeat", {
  problem <- function(x, made = identity) {
    new_problem(made(x), factor(rep_len(1:2, nrow(x))),
      paste0("g", seq_len(ncol(x))), NULL,
      storage = if (identical(made, identity)) "dense" else "sparse"
    )
  }
  told <- function(...) said_groups(inform_copies(problem(...)))
  x <- withr::with_seed(1, matrix(rnorm(40 * 60), 40))
  twice <- x[rep(1:40, each = 2), ]
  expect_length(told(x), 0L)
  expect_match(conditionMessage(told(twice)[[1L]]), "1, 2, 3, ... \\(80\\)")
  expect_length(told(twice, \(x) methods::as(x, "CsparseMatrix")), 1L)
  expect_length(told(twice[, 1:2]), 1L)
  expect_length(told(twice[1:38, 1:2]), 0L)
  expect_length(told(twice[1:38, 1:10]), 1L)
  expect_length(told(x[c(1, 1, 2), ]), 1L)
  # Nothing varies.
  expect_length(told(x[rep(1, 40), ]), 0L)
  expect_length(told(x * 0), 0L)
  expect_length(told(replace(twice, cbind(1:2, 5), NA)), 1L)
  expect_length(told(twice[1:4, ] * c(1, 1 + 1e-12)), 1L)
  expect_length(told(twice * c(1, 1 + 1e-6)), 0L)
  # Few features, flags, genotypes, and counts of which most are 0.
  expect_length(told(round(twice)), 0L)
  expect_length(told(round(5 * twice)), 1L)
  for (few in list(
    twice[, 1], round(twice[, 1:9], 1), 1 * (twice > 0), sign(round(twice)),
    pmax(round(twice), 0)
  )) {
    expect_length(told(as.matrix(few)), 0L)
  }
})

test_that("codes of categories are no counts", {
  x <- withr::with_seed(1, matrix(rnorm(100 * 60), 100)) |> as.data.frame()
  y <- gl(2, 50)
  x$id <- factor(sprintf("patient %d", rep(1:50, 2)))
  expect_null(heard(relief(x, y, k = 3), "hitmiss_message_counts"))
})
