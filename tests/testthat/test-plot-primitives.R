test_that("names are cut in the middle, and stay different", {
  long <- sprintf("class number %02d of a very long naming", 1:10)
  cut <- hitmiss:::cut_names(c("short", long, "short"))
  expect_identical(cut[c(1L, 12L)], c("short", "short"))
  expect_false(anyDuplicated(cut[-1L]) > 0L)
  expect_identical(
    hitmiss:::cut_names(strrep("abcdefghij", 6L)), "abcdefghijabc...cdefghij"
  )
  lines <- strsplit(hitmiss:::broken_names(long), "\n")
  expect_lte(max(nchar(unlist(lines))), 22L)
})

test_that("the three kinds of picture draw without a warning", {
  skip_if_not_installed("ggplot2")
  drawn <- function(picture) {
    expect_silent(built <- ggplot2::ggplot_build(picture))
    built$data
  }
  rows <- data.frame(
    name = rep(c("a", "b"), 2), value = 1:4, from = 0, low = 0:3, high = 2:5,
    kind = factor(c("u", "v", "v", "u")), panel = factor(c("p", "p", "q", "q"))
  )
  dots <- drawn(hitmiss:::dots_picture(rows, title = "t", at = 2))
  expect_identical(dots[[4L]]$x, c(1, 2, 3, 4))
  expect_identical(as.numeric(dots[[4L]]$y), c(2, 1, 2, 1))
  lone <- data.frame(
    x = c(1, 10, 100), y = 1:3, low = 0.5, high = 4, group = factor(c(1, 1, 2))
  )
  lines <- drawn(hitmiss:::lines_picture(lone, title = "t", log = "xy"))
  expect_identical(lines[[2L]]$x, c(0, 1))
  expect_identical(lines[[3L]]$x, 2)
  tiles <- data.frame(column = 1:4, name = "a", value = c(-1, 0, 1, 2))
  class <- factor(c("k", "k", "l", "l"))
  tiles <- drawn(hitmiss:::tiles_picture(tiles, title = "t", class = class))
  expect_identical(tiles[[2L]]$xintercept, 2.5)
  expect_identical(tiles[[1L]]$fill[[2L]], "#F7F7F7")
})
