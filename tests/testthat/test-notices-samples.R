# Messages on samples that belong together or decide alone, and on features made
# from the outcome.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- samples that belong together --------------------------------------------

plain_relief <- function(x, y) relief(x, y, k = 2, threads = 1L)

# What a small curve says of groups.
said_of <- function(x, y, ...) {
  said <- said_groups(error_curve(x, y, list(a = plain_relief), 2,
    resampling = kfold(2), ...
  ))
  vapply(said, conditionMessage, "")
}

test_that("repeated names of samples are told once, unless group is given", {
  p <- patients()
  said <- said_groups(error_curve(p$x, p$y,
    list(a = plain_relief, b = plain_relief), 2,
    resampling = kfold(3), nested = kfold(2)
  ))
  expect_length(said, 1L)
  expect_s3_class(said[[1L]], "hitmiss_message")
  expect_match(conditionMessage(said[[1L]]), paste0(
    "The 60 samples .* 20 patients .* by their names [(]p1 [(]1[)], .*",
    "no `group` is given: .*Give `group`, or `pair`"
  ))
  expect_length(said_groups(probe_fdr(p$x, p$y, plain_relief, times = 2)), 1L)
  expect_length(said_of(p$x, p$y, group = p$patient), 0L)
})

test_that("columns that name patients are told", {
  skip_if_not_installed("SummarizedExperiment")
  p <- patients()
  said <- function(name, values = p$patient) {
    columns <- S4Vectors::DataFrame(type = p$y)
    columns[[name]] <- values
    said_of(SummarizedExperiment::SummarizedExperiment(
      list(t(unname(p$x))),
      colData = columns
    ), "type")
  }
  for (name in c(
    "patient", "PATIENT_ID", "subject.id", "donorID", "animal no",
    "individual:ch1", "bcr_patient_barcode", "participants", "person"
  )) {
    expect_match(said(name), paste("20 patients .* by column", name))
  }
  for (name in c("patient_age", "donor_sex", "batch", "subjective", "id")) {
    expect_length(said(name), 0L)
  }
  expect_length(said("mouse", S4Vectors::Rle(p$patient)), 1L)
  expect_length(said("mouse", replace(p$patient, 2, NA)), 1L)
  # A patient each, and names of the classes.
  expect_length(said("patient", seq_along(p$y)), 0L)
  expect_length(said("mouse", p$y), 0L)
})

test_that("names that suggest patients are told, names that number are not", {
  made <- withr::with_seed(8, matrix(rnorm(60 * 20), 60))
  said <- function(names) {
    x <- made[seq_along(names), ]
    rownames(x) <- names
    said_of(x, rep(c("u", "v"), length.out = length(names)))
  }
  pairs <- rep(1:12, each = 2)
  side <- rep(c("T", "N"), 12)
  for (names in list(
    paste0("P-", pairs, side), paste0("P", pairs, "_", side),
    paste0("pat", pairs, c(".tumor", ".normal")),
    paste0("TCGA-AA-", 1000 + pairs, "-0", side, "-A1"),
    paste0("s", pairs, "_rep", 1:2), paste("GSM", pairs, side, sep = "_"),
    paste0("id_", pairs, "-", rep(c("pre", "post"), 12)),
    paste0("P", pairs, c("_1", "_2")), paste0("P", pairs, c("a", "b")),
    paste0("P", pairs, c("_T1", "_T2")), make.unique(paste0("P", pairs)),
    paste0("P", pairs, c("", "b"))
  )) {
    expect_match(said(names), paste0(
      "24 samples .* 12 patients .*[(]", names[[1]], ", ", names[[2]], " are"
    ))
  }
  expect_match(said(rep(paste0("p", 1:8), each = 3)), "8 patients")
  # Some samples are alone.
  expect_match(said(c(
    paste("GSM", pairs[1:12], side[1:12], sep = "_"), paste0("GSM_", 7:18)
  )), "18 patients")
  one <- 1:60
  six <- rep(1:6, each = 10)
  y <- rep(c("u", "v"), 30)
  for (names in list(
    one, paste0("s", one), paste0("tumor_", one), paste0(y, "_", one),
    paste0("TCGA-XX-", 1000 + one), paste0("GSM", one, "_", 1:2),
    paste0("batch1_s", one), paste0("batch", six, "_s", one),
    paste0("batch", six, "_", 1:10), paste0("day", six, letters[1:10]),
    paste0(LETTERS[six], 1:10), sprintf("%.1f", one / 10), paste0(one, "-1"),
    sprintf("2021-%02d-%02d", rep(1:12, 5), six),
    c("P1_1", "P1_2", paste0("P", 2:59, "_1"))
  )) {
    expect_length(said(names), 0L)
  }
})

# ---- samples that decide alone -----------------------------------------------

test_that("names with invalid bytes are looked at", {
  x <- withr::with_seed(8, matrix(rnorm(24 * 20), 24))
  rownames(x) <- paste0("P\xe9", rep(1:12, each = 2), c("_T", "_N"))
  expect_match(said_of(x, rep(c("u", "v"), 12)), "12 patients")
})

test_that("a few samples that are most neighbours are told", {
  # One sample of each class near the centre of all but some far ones.
  x <- withr::with_seed(1, matrix(rnorm(60 * 100), 60))
  x <- cbind(x / sqrt(rowSums(x^2)), 0)
  x[c(1, 31), ] <- rep(c(0, -0.5), c(200, 2))
  x[c(26:30, 56:60), 101] <- 10
  dimnames(x) <- list(paste0("s", 1:60), paste0("g", 1:101))
  y <- rep(c("a", "b"), each = 30)
  plain <- function(rows, ...) {
    relief(x[rows, ], y[rows], k = 1, metric = "euclidean", scale = "none", ...)
  }
  expect_message(plain(1:60), "^2 of 60 samples are .* decide the .*: s1, s31",
    class = "hitmiss_message_hubs"
  )
  expect_no_message(plain(-c(1, 31)))
  expect_no_message(plain(1:60, hubs = "none"))
  said <- function(times, class = NULL) {
    inform_hubs(times, class, paste0("s", seq_along(times)))
  }
  four <- rep(c(10, 1), c(4, 36))
  expect_message(said(four), "^4 of 40 samples .*: s1, s2, s3, ... [(]4[)]")
  expect_message(said(four, rep(1:2, 20)), "^4 of 40 ")
  expect_no_message(said(four, rep(1:2, c(30, 10))))
  expect_no_message(said(four, rep(1:2, c(4, 36))))
  expect_no_message(said(replace(four, 5, 10)))
  expect_message(said(rep(c(0, 1), c(49, 1))), "^1 of 50 samples is .*: s50")
  expect_no_message(said(rep(0, 50)))
})

# ---- features made from the outcome ------------------------------------------

# The features that messages name.
said_leakage <- function(code) {
  found <- character()
  withCallingHandlers(code,
    hitmiss_message_leakage = function(m) {
      found <<- c(found, conditionMessage(m))
      invokeRestart("muffleMessage")
    },
    message = function(m) invokeRestart("muffleMessage"),
    warning = function(w) invokeRestart("muffleWarning")
  )
  sub(".*error: (.*)\\.\ni .*", "\\1", found)
}

test_that("features that are the labels are told once, by all selectors", {
  made <- withr::with_seed(1, matrix(rnorm(60 * 20), 60,
    dimnames = list(NULL, paste0("g", 1:20))
  ))
  y <- factor(withr::with_seed(2, sample(rep(c("a", "b"), c(23, 37)))))
  with <- cbind(
    made, "cls" = c(0.1, 1 / 3)[y], "cls2" = -1e8 / c(3, 7)[y],
    # These tell one class only.
    "half" = ifelse(y == "a", 0, abs(made[, 1])), "one" = 0
  )
  plain <- function(x, y) relief(x, y, threads = 1)
  calls <- list(
    plain, function(x, y) logo(x, y, threads = 1),
    function(x, y) llfs(x, y, alpha = 2, threads = 1),
    function(x, y) kbfs(x, replace(y, 1:5, NA), threads = 1),
    function(x, y) turf(x, y, plain),
    function(x, y) tuned(relief, k = c(2, 3))(x, y),
    function(x, y) probe_fdr(x, y, relief, times = 2),
    function(x, y) {
      error_curve(x, y, list(a = plain, b = plain), 2, resampling = kfold(2))
    },
    function(x, y) relief(Matrix::Matrix(x, sparse = TRUE), y)
  )
  for (call in calls) {
    expect_identical(said_leakage(call(with, y)), "cls, cls2")
    expect_identical(said_leakage(call(made, y)), character())
  }
  lacking <- replace(with, cbind(1:20, 21), NA)
  expect_identical(said_leakage(plain(lacking, y)), "cls, cls2")
  side <- factor(rep(1:2, 30))
  expect_identical(said_leakage(relief(cbind(made, s = 3 * (side == 2)), side,
    pair = rep(1:30, each = 2), threads = 1
  )), "s")
  three <- factor(rep(c("u", "v", "w"), c(9, 21, 30)))
  frame <- data.frame(made, class = three, other = y, two = three == "w")
  expect_identical(said_leakage(plain(frame, three)), "class")
  few <- c(1, 2, 5, 8)
  expect_identical(said_leakage(plain(with[few, ], y[few])), "cls, cls2")
  # By chance: few samples and features of few values.
  coin <- withr::with_seed(3, matrix(rbinom(10 * 2000, 1, 0.5), 10))
  side <- factor(rep(1:2, 5))
  expect_identical(said_leakage(plain(coin, side)), character())
  coin <- withr::with_seed(3, matrix(rbinom(60 * 2000, 1, 0.5), 60))
  coin <- data.frame(coin, y = as.numeric(y))
  expect_identical(said_leakage(plain(coin, y)), "y")
})

test_that("survival times and their status are told among the features", {
  x <- withr::with_seed(7, matrix(rnorm(120 * 20), 120,
    dimnames = list(NULL, paste0("g", 1:20))
  ))
  time <- withr::with_seed(8, rexp(120, 0.01))
  died <- withr::with_seed(9, rbinom(120, 1, 0.6))
  y <- survival::Surv(time, died)
  fit <- function(x, y) relief(x, y, threads = 1)
  months <- round(time / 30.4, 1)
  with <- cbind(x, days = time, months, alive = 1 - died)
  expect_identical(said_leakage(fit(with, y)), "alive, days, months")
  sparse <- Matrix::Matrix(with[, -22], sparse = TRUE)
  expect_identical(said_leakage(fit(sparse, y)), "alive, days")
  expect_identical(
    said_leakage(fit(replace(with, cbind(1:9, 21:23), NA), y)),
    "alive, days, months"
  )
  expect_identical(
    said_leakage(fit(cbind(x, log = log(time), rank = rank(time)), y)),
    "rank, log"
  )
  noisy <- cbind(x, g21 = time + 0.2 * sd(time) * x[, 1], g22 = died * x[, 1])
  expect_identical(said_leakage(fit(noisy, y)), character())
  lacking <- cbind(x, g21 = replace(time, 6:120, NA))
  expect_identical(said_leakage(fit(lacking, y)), character())
})

test_that("samples without any value are no copies", {
  x <- matrix(withr::with_seed(1, rnorm(800)), 40)
  x[1:4, ] <- NA
  problem <- list(
    values = x, storage = "dense", features_in = "columns",
    features = paste0("g", 1:20), samples = NULL, design = new_design(40L)
  )
  expect_no_message(inform_copies(problem))
  problem$values[6, ] <- x[5, ]
  expect_message(inform_copies(problem), "^2 samples of")
})
