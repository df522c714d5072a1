# Values of other packages' classes, malformed factors and invalid matrices:
# taken where they have one meaning, else refused by name.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- toy_data(n = 24L)

scores <- function(y = data$y, x = data$x, ...) {
  relief(x, y, k = 3, threads = 1, ...)$scores
}

truth <- scores()

test_that("labels of one meaning are taken", {
  y <- as.character(data$y)
  expect_same <- function(y) expect_identical(scores(y), truth)
  expect_same(I(y))
  expect_same(noquote(y))
  expect_same(array(y))
  expect_same(addNA(data$y))
  expect_same(structure(data$y, dim = length(y)))
  expect_same(structure(data$y, class = c("own", "factor")))
  expect_same(structure(as.integer(data$y),
    class = c("haven_labelled", "vctrs_vctr", "integer"),
    labels = stats::setNames(seq_along(levels(data$y)), levels(data$y))
  ))
  mixed <- ifelse(data$y == levels(data$y)[[1]], "\u00e4", "b")
  first <- which(mixed == "\u00e4")[[1]]
  mixed[[first]] <- iconv("\u00e4", "UTF-8", "latin1")
  expect_length(relief(data$x, mixed, k = 3, threads = 1)$classes, 2L)
  skip_if_not_installed("S4Vectors")
  expect_same(S4Vectors::Rle(y))
  expect_same(S4Vectors::Factor(y))
})

test_that("missing, blank, malformed and classed labels are refused", {
  codes <- as.integer(data$y)
  bad <- list(
    replace(as.character(data$y), 3, ""), replace(as.character(data$y), 3, " "),
    addNA(replace(data$y, 3, NA)),
    structure(replace(codes, 1, 9L), levels = c("a", "b"), class = "factor"),
    structure(replace(codes, 1, 0L), levels = c("a", "b"), class = "factor"),
    structure(codes, levels = c("a", "a"), class = "factor"),
    structure(codes, class = "factor"),
    structure(codes, levels = 1:2, class = "factor"),
    structure(as.double(codes), class = "integer64"), as.Date(codes,
      origin = "1970-01-01"),
    structure(as.character(data$y), class = "haven_labelled",
      labels = c(A = "a"))
  )
  for (y in bad) {
    expect_input_error(scores(y))
  }
  expect_error(scores(bad[[1]]), "blank label; .*sample 3")
  expect_error(scores(bad[[length(bad)]]), "haven::as_factor")
  expect_input_error(scores(structure(codes, class = "Surv")), "survival times")
  y <- replace(as.character(data$y), 1:2, " A")
  y[y == "b"] <- "a"
  expect_message(suppressWarnings(scores(y)), "case",
    class = "hitmiss_message_labels")
  expect_input_error(
    scores(group = structure(codes, levels = c("a", "a"), class = "factor")),
    "malformed"
  )
})

test_that("numbers of a class are taken or refused by it, wherever they are", {
  x <- data$x
  expect_identical(scores(x = I(x)), truth)
  frame <- as.data.frame(x)
  frame[[1]] <- I(frame[[1]])
  expect_identical(scores(x = frame), truth)
  fit <- relief(x, data$y, k = 3, threads = 1)
  expect_identical(
    predict(fit, I(x), threads = 1), predict(fit, x, threads = 1)
  )
  for (class in c("integer64", "units", "haven_labelled")) {
    labels <- c(z = x[[1L]])
    odd <- structure(x, class = class, labels = labels)
    frame[[1]] <- structure(x[, 1], class = class, labels = labels)
    expect_input_error(scores(x = frame), class)
    expect_input_error(predict(fit, frame), class)
    expect_input_error(scores(x = odd))
    expect_input_error(relief(x, frame[[1]], "rrelieff"), class)
    skip_if_not_installed("SummarizedExperiment")
    set <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
    set@assays <- SummarizedExperiment::Assays(
      list(structure(t(x), class = c(class, "matrix"), labels = labels))
    )
    expect_input_error(scores(x = set), class)
  }
})

replace_slot <- function(object, name, edit) {
  attr(object, name) <- edit(attr(object, name))
  object
}

test_that("a sparse matrix whose slots contradict each other is refused", {
  x <- Matrix::Matrix(data$x * (abs(data$x) > 0.5), sparse = TRUE)
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  edits <- list(
    function(s) replace_slot(s, "i", function(v) replace(v, 5, 100000000L)),
    function(s) replace_slot(s, "i", function(v) replace(v, 5, -1L)),
    function(s) replace_slot(s, "i", function(v) replace(v, 5, NA)),
    function(s) replace_slot(s, "i", function(v) replace(v, 2, v[[1]])),
    function(s) replace_slot(s, "i", function(v) v[-1]),
    function(s) replace_slot(s, "x", function(v) v[-1]),
    function(s) replace_slot(s, "p", function(v) replace(v, 4, 1000000000L)),
    function(s) replace_slot(s, "p", function(v) replace(v, 4, -5L)),
    function(s) replace_slot(s, "p", function(v) v[1:3]),
    function(s) replace_slot(s, "Dim", function(v) c(5L, v[[2]])),
    function(s) replace_slot(s, "Dim", function(v) c(v[[1]], 100000L)),
    function(s) replace_slot(s, "Dimnames", function(v) list(NULL, "g1"))
  )
  for (edit in edits) {
    bad <- edit(x)
    expect_input_error(scores(x = bad))
    expect_input_error(predict(fit, bad), "valid")
  }
  triplets <- methods::as(x, "TsparseMatrix")
  triplets@j[[3]] <- -5L
  expect_input_error(scores(x = triplets), "valid")
  by_row <- methods::as(x, "RsparseMatrix")
  by_row@j[[3]] <- 10000000L
  expect_input_error(scores(x = by_row), "valid")
  problem <- as_problem(x, data$y)
  problem$values@x <- problem$values@x[-1]
  expect_error(feature_values(problem, 1L), "contradict")
})

test_that("a group for each class, and blocks of pairs, are refused", {
  for (f in list(relief, logo, kbfs, llfs, pwfp)) {
    expect_input_error(f(data$x, data$y, group = data$y), "`group`.*near hit")
    pairs <- stats::ave(seq_along(data$y), data$y, FUN = seq_along)
    expect_input_error(f(data$x, data$y, block = pairs), "`block`.*near hits")
  }
})

test_that("messages say what is there", {
  x <- data$x
  frame <- cbind(as.data.frame(x), kind = data$y, id = rep(c("p", "q"), 12))
  expect_message(
    relief(kind ~ ., frame, k = 3, threads = 1), "id",
    class = "hitmiss_message_categories"
  )
  colnames(x) <- rep("", ncol(x))
  expect_input_error(scores(x = x), "with an empty name")
  expect_input_error(
    scores(x = x[, 1, drop = FALSE]), "1 feature with an empty name"
  )
  expect_error(
    write_report(
      relief(data$x, data$y, k = 3, threads = 1), file = "/proc/none.html"
    ),
    "^`file` must be the path of a file that can be written"
  )
})

test_that("malformed factors are refused as features, too", {
  fine <- cbind(as.data.frame(data$x), kind = factor(rep(c("p", "q"), 12)))
  odd <- fine
  odd$kind <- structure(
    replace(rep(1:2, 12), 3, 7L), levels = c("p", "q"), class = "factor"
  )
  refused <- function(expr) {
    expect_input_error(expr, "\"kind\" of `(x|newdata)` is a malformed factor")
  }
  refused(scores(x = odd))
  refused(error_curve(odd, data$y, relief, 2))
  refused(probe_fdr(odd, data$y, relief))
  fit <- relief(fine, data$y, k = 3, threads = 1)
  refused(predict(fit, odd))
  expect_input_error(validate(fit, fine, odd$kind), "malformed")
})

test_that("annotation gives way to the columns of fits and of probe_fdr()", {
  skip_if_not_installed("SummarizedExperiment")
  make <- function(x, y, names) {
    set <- SummarizedExperiment::SummarizedExperiment(list(t(x)),
      rowData = S4Vectors::DataFrame(stats::setNames(
        rep(list(-seq_len(ncol(x))), length(names)), names
      ), check.names = FALSE),
      colData = S4Vectors::DataFrame(class = y)
    )
    list(
      scores = relief(set, "class", k = 3, threads = 1),
      local = withr::with_seed(1, llfs(set, "class", alpha = 2, threads = 1)),
      turf = turf(set, "class", \(x, y) relief(x, y, k = 3, threads = 1)),
      found = withr::with_seed(1, probe_fdr(
        set, "class", \(x, y) relief(x, y, k = 3, threads = 1),
        times = 2
      ))
    )
  }
  # Classes, too, may have the names of columns.
  data$y <- factor(data$y, labels = c("score", "rank"))
  plain <- make(data$x, data$y, "other")
  # Their own names, and what they could be after a rename.
  own <- unique(unlist(lapply(plain, \(v) names(as.data.frame(v)))))
  odd <- make(data$x, data$y, c(setdiff(own, "other"), "score.1", "q.1", ""))
  for (name in names(plain)) {
    before <- as.data.frame(plain[[name]])
    after <- as.data.frame(odd[[name]])
    ours <- setdiff(names(before), "other")
    expect_identical(after[ours], before[ours])
    expect_identical(anyDuplicated(names(after)), 0L)
    expect_length(after, length(ours) + length(setdiff(own, "other")) + 3L)
    rest <- after[setdiff(names(after), ours)]
    at <- -match(after$feature, colnames(data$x))
    expect_true(all(vapply(rest, identical, NA, at)))
    expect_output(print(odd[[name]]), "feature")
  }
  expect_identical(selected(odd$found, 0.9), selected(plain$found, 0.9))
})
