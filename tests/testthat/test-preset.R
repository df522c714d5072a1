# preset = "paper": the settings that the papers print.
# SPDX-License-Identifier: GPL-3.0-or-later

# What the papers' texts print of their settings, and where.
printed_settings <- list(
  llfs = list(
    alpha = 10, # Figs 7 and 9 to 13
    gamma = 0.2, # III-A, footnote 2
    beta = seq(0, 1, by = 0.05), # II-D
    vote = "spheres", # (11)
    neighbour = "full", # footnote 2
    impurity = "count", # II-C, "ratio of the numbers"
    # Algorithm 1: f0 = 1/alpha for every beta, 1,000 random roundings.
    control = list(draws = 1000, init = "one", starts = "cold", enumerate = 0)
  ),
  # 3.1 and 3.2; Fig. 2 (1) and (8).
  logo = list(sigma = 2, lambda = 1, tol = 0.01, init = "one", scale = "none"),
  # 4.2: one hit and one miss of each other class, weighted by p(c).
  relieff = list(
    k = 1, weighting = "prior", metric = "euclidean", hubs = "none",
    scale = "none"
  ),
  map = list(k = 1, metric = "euclidean", scale = "none"), # (10), (16)
  # (12) to (14), 5.1.1.
  parzen = list(bandwidth = 0.01, self = TRUE, scale = "none"),
  # Algorithm 1; III-C1: linear only; III-C2: no redundancy term; IV: 10 to 200.
  kbfs = list(n = 200, rank_by = "weight", kernel = "linear", redundancy = 0),
  # III: a tenth "in all the experiments"; (8) is that of the authors' code.
  pwfp = list(fraction = 0.1, score = "ratio", scale = "zscore")
)

test_that("the calls on the page of the papers have the papers' settings", {
  lines <- checkout_file("vignettes", "papers.Rmd")
  from <- which(lines == "```{r, eval = FALSE}")
  to <- from + which(lines[-seq_len(from)] == "```")[[1L]]
  calls <- parse(text = lines[(from + 1):(to - 1)])
  place <- list2env(toy_problem())
  expect_length(calls, 7L)
  used <- character()
  for (call in as.list(calls)) {
    expect_identical(call$preset, "paper")
    fit <- suppressWarnings(eval(call, place))
    name <- fit$parameters$method %||% as.character(call[[1L]])
    used <- c(used, name)
    for (setting in names(printed_settings[[name]])) {
      printed <- printed_settings[[name]][[setting]]
      found <- fit$parameters[[setting]]
      if (is.list(printed)) found <- found[names(printed)]
      expect_equal(found, printed, label = paste(name, setting))
    }
  }
  expect_setequal(used, names(printed_settings))
})

test_that("what is given has precedence over the preset", {
  toy <- toy_problem()
  fit <- logo(toy$x, toy$y, lambda = 2, preset = "paper")
  expect_identical(fit$parameters[c("sigma", "lambda")], list(
    sigma = 2, lambda = 2
  ))
  fit <- llfs(toy$x, toy$y, preset = "paper", control = list(draws = 9))
  expect_identical(fit$parameters$control[c("draws", "init")], list(
    draws = 9L, init = "one"
  ))
  fit <- llfs(toy$x, toy$y, preset = "paper", vote = "evidence")
  expect_identical(fit$parameters$neighbour, "none")
  data <- data.frame(toy$x, class = toy$y)
  expect_identical(
    kbfs(class ~ ., data, preset = "paper", n = 3)$parameters,
    kbfs(toy$x, toy$y, n = 3)$parameters
  )
  found <- bayes_error(toy$x, toy$y, 1:2, preset = "paper")
  expect_equal(c(found$bandwidth, found$k), c(0.01, 1))
  expect_input_error(relief(toy$x, toy$y, "surf", preset = "paper"))
  expect_input_error(pwfp(toy$x, toy$y, preset = "papers"))
})
