# The five tasks of the first vignette, each in at most five lines.
# SPDX-License-Identifier: GPL-3.0-or-later

# The code of the chunks whose names match.
chunks_named <- function(pattern, lines) {
  starts <- grep(paste0("^```\\{r (", pattern, ")[,}]"), lines)
  code <- lapply(starts, function(start) {
    end <- which(lines == "```" & seq_along(lines) > start)[[1]]
    lines[seq_len(end - start - 1L) + start]
  })
  stats::setNames(code, sub("^```\\{r ([a-z-]+).*", "\\1", lines[starts]))
}

test_that("each task of the vignette is done in at most five lines", {
  skip_if_not_installed("ISLR2")
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("htmltools")
  skip_if_not_installed("knitr")
  withr::local_options(hitmiss.threads = 1L)
  lines <- checkout_file("vignettes", "hitmiss.Rmd")
  withr::local_dir(withr::local_tempdir())
  tasks <- chunks_named("task-[a-z]+", lines)
  expect_named(
    tasks, paste0(
      "task-", c("markers", "error", "heatmap", "predict", "report")
    )
  )
  expect_true(all(lengths(tasks) <= 5L))
  place <- new.env(parent = globalenv())
  run <- function(code) eval(parse(text = code), place)
  before <- c(
    "data", "names",
    if (requireNamespace("plsgenomics", quietly = TRUE)) "description"
  )
  for (name in c(before, "fit", "patients")) run(chunks_named(name, lines)[[1]])
  for (task in tasks) run(task)

  expect_length(place$markers, 5L)
  expect_setequal(place$curve$selectors %||% "relief", "relief")
  expect_identical(
    n_units(place$curve$design), length(unique(place$patient))
  )
  expect_gt(file.size(place$pdf), 1000)
  expect_identical(place$cohort$class, unname(predict(place$fit, place$new_x)))
  expect_gt(file.size(place$page), 2e4)
  expect_lt(file.size(place$page), 3e6)
})

test_that("plsgenomics has ISLR2's genes in the same order, known markers", {
  skip_if_not_installed("ISLR2")
  skip_if_not_installed("plsgenomics")
  khan <- rbind(ISLR2::Khan$xtrain, ISLR2::Khan$xtest)
  data <- new.env()
  utils::data("SRBCT", package = "plsgenomics", envir = data)
  theirs <- log(data$SRBCT$X)
  same <- apply(stats::cor(t(khan), t(theirs)), 1, which.max)
  expect_lt(stats::median(abs(khan - theirs[same, ])), 1e-4)
  expect_lt(mean(abs(khan - theirs[same, ]) > 1e-3), 1e-4)
  described <- as.character(data$SRBCT$gene.names$Gene.Description)
  expect_match(described[[1955]], "fibroblast growth factor receptor 4")
  expect_match(described[[545]], "12E7")
  # What README and the vignette say of them.
  classes <- c("BL", "EWS", "NB", "RMS")[c(ISLR2::Khan$ytrain)]
  fit <- withr::with_seed(1, llfs(ISLR2::Khan$xtrain, classes, threads = 1L))
  top <- top_features(fit, 10)
  at <- match(c("V1955", "V545"), top$feature)
  expect_identical(top$class[at], c("RMS", "EWS"))
  expect_identical(top$direction[at], c("up", "up"))
})
