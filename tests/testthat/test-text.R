# Numbers and names in what is printed.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- toy_data(n = 24L)

scores <- function(y = data$y, x = data$x, ...) {
  relief(x, y, k = 3, threads = 1, ...)$scores
}

test_that("names are cut in the middle, and stay different", {
  long <- sprintf("class number %02d of a very long naming", 1:10)
  cut <- hitmiss:::cut_names(c("short", long, "short"))
  expect_identical(cut[c(1L, 12L)], c("short", "short"))
  expect_false(anyDuplicated(cut[-1L]) > 0L)
  expect_identical(
    hitmiss:::cut_names(strrep("abcdefghij", 6L)), "abcdefghijabc...cdefghij"
  )
  # They may differ anywhere, also in nothing but what is not printed.
  set <- sprintf("GOBP_RESPONSE_TO_INTERLEUKIN_%d_SIGNALING_PATHWAY", 1:12)
  expect_identical(
    hitmiss:::cut_names(set)[c(1L, 12L)],
    c("GOBP_R...EUKIN_1_SIGNA..._PATHWAY", "GOBP_R...EUKIN_12_SIGNA..._PATHWAY")
  )
  sets <- list(
    c(set, paste0(set, "S"), tolower(set)), c("a b", "a  b", "a\nb"),
    do.call(paste0, expand.grid(
      strrep("A", 30), c("x", "y", ""), strrep("B", 9:30), c("1", ""), "_TAIL"
    )), c(strrep("0", 60), strrep("0", 61)), c(NA, "a", strrep("b", 99))
  )
  for (names in sets) for (most in c(16L, 24L, 40L)) {
    cut <- hitmiss:::cut_names(c(names, names), most)
    expect_identical(match(cut, cut), rep(seq_along(names), 2L))
    expect_true(all(nchar(cut) <= nchar(encodeString(names)), na.rm = TRUE))
  }
  lines <- strsplit(hitmiss:::broken_names(long), "\n")
  expect_lte(max(nchar(unlist(lines))), 22L)
})

test_that("options of printed numbers reach no result", {
  x <- cbind(data$x, matrix(sin(1:2400), 24, 100))
  colnames(x) <- NULL
  work <- function() {
    curve <- withr::with_seed(1, suppressMessages(error_curve(
      x, data$y, list(relief = relief), c(1, 100), resampling = kfold(3),
      group = rep(c(0.5, 1e5, 2:7), 3), permuted = 2
    )))
    local <- withr::with_seed(1, llfs(
      x, data$y, alpha = c(2, 1e5), threads = 1
    ))
    list(
      curve$values, curve$summary, as.data.frame(stability(curve)),
      stability(curve)$frequency, as.data.frame(best_size(curve)),
      as.data.frame(local), audit_labels(local, threads = 1)$sample,
      names(scores(x = x)),
      scores(x = x, block = rep(c(1e5, 1e5, 0.5, 0.5), 6)),
      relief(
        data.frame(x, z = factor(rep(c(1e5, 0.5), 12), levels = c(1e5, 0.5))),
        data$y, threads = 1
      )$scores,
      if (requireNamespace("survival", quietly = TRUE)) {
        suppressWarnings(predict(
          relief(x, survival::Surv(1:24 / 2, rep(1, 24)), threads = 1),
          x, type = "survival", times = c(0.5, 2.5), threads = 1
        ), classes = "hitmiss_warning_unnamed")
      }
    )
  }
  usual <- work()
  withr::local_options(scipen = -20, OutDec = ",")
  expect_identical(work(), usual)
  withr::local_options(scipen = 100, OutDec = ".")
  expect_identical(work(), usual)
})

test_that("no print is cut or wraps in blocks at widths 60, 80 and 120", {
  kinds <- c("carcinoma", "fibroadenoma", sprintf("kind %d", 3:10))
  for (classes in c(2, 10)) {
    made <- withr::with_seed(1, {
      y <- factor(rep(kinds[seq_len(classes)], each = 9), kinds[1:classes])
      x <- matrix(rnorm(9 * classes * 12), 9 * classes) + as.integer(y)
      colnames(x) <- sprintf("probe%02d_at", 1:12)
      rank <- function(x, y) relief(x, y, k = 3, threads = 1)
      named <- list(relief = rank, multisurf = rank, logo = function(x, y) {
        logo(x, y, threads = 1)
      })
      curve <- suppressWarnings(error_curve(x, y, named, c(2, 5),
        resampling = kfold(3, 2), nested = kfold(2),
        group = rep(seq_len(length(y) / 3), each = 3)
      ))
      fit <- rank(x, y)
      fit$annotation <- data.frame(
        symbol = sprintf("GENE%d", 1:12), about = strrep("word ", 12), id = 1:12
      )
      list(
        fit = fit, summary = summary(fit), curve = curve,
        curves = summary(curve), validation = suppressMessages(validate(curve)),
        stability = stability(curve), size = best_size(curve),
        comparison = compare_selectors(curve)
      )
    })
    for (width in c(60, 80, 120)) {
      withr::local_options(width = width)
      for (name in setdiff(names(made), "curves")) {
        text <- capture.output(print(made[[name]]))
        about <- paste(name, classes, width)
        expect_lte(max(nchar(text)), width, label = about)
        # A table in blocks has two lines of nothing but names of columns.
        expect_lte(sum(grepl("^ *(rank|selector|first|measure)( |$)", text)), 1,
          label = about
        )
      }
      curve <- paste(capture.output(print(made$curve)), collapse = " ")
      expect_match(
        gsub(" +", " ", curve), "stratified, groups kept whole Class"
      )
      fit <- paste(capture.output(print(made$fit)), collapse = "\n")
      expect_match(fit, "GENE")
      expect_no_match(fit, "word")
    }
  }
})
