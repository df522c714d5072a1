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
      )$scores
    )
  }
  usual <- work()
  withr::local_options(scipen = -20, OutDec = ",")
  expect_identical(work(), usual)
  withr::local_options(scipen = 100, OutDec = ".")
  expect_identical(work(), usual)
})
