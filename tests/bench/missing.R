# Missing values: how many true features are ranked first, with the values as
# they are and filled in, where they are missing at random, in one class more
# often, by sample, below a detection limit; time; real sets.
# Usage, from the folder of the sources:
#   Rscript tests/bench/missing.R [draws, by default 30] [part ...]
# Parts: classes, three, noise, pairs, genotypes, xor, survival, numeric, page,
# on-off, proteomes, time, real. Writes inst/reproduce/results/missing.csv (the
# goals of a row are the columns `least` and `most`), missing-proteomes.csv and
# missing-real.csv. The proteomes are those of the package imputeLCMD, whose
# folder of sources is the environment variable IMPUTELCMD.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
source(file.path("inst", "reproduce", "common.R"))
arguments <- commandArgs(TRUE)
draws <- if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 30L
asked <- arguments[-1L]
wanted <- function(part) length(asked) == 0L || part %in% asked
results <- list(output = file.path("inst", "reproduce", "results"))

# 20 true of 500 features in blocks of ten with correlation .5.
simulated <- function(n, j = 500, effect = 0.8) {
  y <- rep(seq_along(n), n)
  all <- length(y)
  shared <- matrix(rnorm(all * j / 10), all)[, rep(seq_len(j / 10), each = 10)]
  x <- sqrt(0.5) * (shared + matrix(rnorm(all * j), all))
  true <- sort(c(
    seq(1, by = 10, length.out = 10), seq(6, by = 10, length.out = 10)
  ))
  up <- if (length(n) == 2L) {
    outer(y - 1, rep(c(1, -1), 10))
  } else {
    outer(y, rep_len(1:3, 20), "==") * rep(c(1, -1), each = all, times = 10)
  }
  x[, true] <- x[, true] + effect * up
  colnames(x) <- paste0("f", seq_len(j))
  list(x = x, y = factor(y), true = true)
}
# Of four features, two miss values 1.6 p of the time and two .4 p; by class,
# the two miss 1.6 p of the last class and .4 p of the others.
often <- function(j) seq_len(j) %% 4 %in% 1:2
lost <- function(x, kind, p, last = NULL) {
  n <- nrow(x)
  rate <- switch(kind,
    random = rep(ifelse(often(ncol(x)), 1.6, 0.4) * p, each = n),
    class = outer(ifelse(last, 1.6, 0.4) * p, often(ncol(x)) + 0),
    sample = rep(ifelse(sample(n) %% 2 == 0, 1.6, 0.4) * p, ncol(x)),
    # Proteomics: abundances of features differ, and low ones are missing.
    low = {
      z <- scale(x) * 0.5 + rep(rnorm(ncol(x)), each = n)
      at <- uniroot(
        function(c) mean(plogis(3 * (c - z))) - p + 0.01, c(-20, 20)
      )$root
      0.01 + 0.99 * plogis(3 * (at - z))
    }
  )
  holes <- matrix(runif(length(x)) < rate, n)
  holes[, colSums(!holes) < 4] <- FALSE
  x[holes] <- NA
  x
}
filled <- function(x, method) prepare_impute(method)(x)(x)
best <- function(score, n = 20) order(-score)[seq_len(n)]
scores <- function(...) suppressWarnings(relief(..., threads = 1)$scores)
# `rows`: figures x settings, one matrix for each draw. `least`, `most`: goals,
# by figure one number for each setting.
report <- function(part, rows, least = list(), most = list()) {
  rows <- simplify2array(rows)
  goal <- function(goals) {
    t(sapply(rownames(rows), function(figure) {
      if (is.null(goals[[figure]])) rep(NA, ncol(rows)) else goals[[figure]]
    }))
  }
  each <- function(f) round(as.vector(apply(rows, 1:2, f)), 3)
  update_table(data.frame(
    part = part, setting = rep(colnames(rows), each = nrow(rows)),
    figure = rownames(rows), mean = each(\(v) mean(v, na.rm = TRUE)),
    se = each(\(v) sd(v, na.rm = TRUE) / sqrt(sum(!is.na(v)))),
    draws = dim(rows)[[3L]],
    least = as.vector(goal(least)), most = as.vector(goal(most))
  ), results, "missing", "part", 3)
}
each_draw <- function(part, work, times = draws) {
  lapply(seq_len(times), function(draw) {
    set.seed(7000L + 100L * draw + part)
    work()
  })
}
# The numbers of true features by relief() of all, of what is there, and of
# medians.
ranked <- function(d, x, n = 20, ...) {
  found <- vapply(list(
    complete = d$x, "as they are" = x, medians = filled(x, "median")
  ), function(x) sum(best(scores(x, d$y, ...), n) %in% d$true), 0)
  c(found, "less medians" = found[["as they are"]] - found[["medians"]])
}
goals <- function(found, above = NULL) {
  list("as they are" = found, "less medians" = above)
}
one <- function(row, setting) matrix(row, dimnames = list(names(row), setting))

if (wanted("classes")) {
  settings <- list(
    "random 20 %" = list("random", 0.2), "random 50 %" = list("random", 0.5),
    "class 40/10 %" = list("class", 0.25), "by sample" = list("sample", 0.3)
  )
  report("classes", each_draw(1L, function() {
    sapply(settings, function(s) {
      d <- simulated(c(60, 60))
      ranked(d, lost(d$x, s[[1L]], s[[2L]], d$y == "2"), k = 10)
    })
  }), goals(c(14.2, 10.4, 14.8, 13.7), rep(1, 4)))
}
if (wanted("three")) {
  settings <- list(
    "random 20 %" = list(c(40, 40, 40), "random", 0.2),
    "class 40/10 %" = list(c(40, 40, 40), "class", 0.25),
    "60 + 30 + 30" = list(c(60, 30, 30), "random", 0.2)
  )
  report("three", each_draw(2L, function() {
    sapply(settings, function(s) {
      d <- simulated(s[[1L]], effect = 1)
      ranked(d, lost(d$x, s[[2L]], s[[3L]], d$y == "3"), k = 10)
    })
  }), goals(c(15.5, 16.3, 15.1)))
}
if (wanted("noise")) {
  settings <- list(
    "random 20 %" = list("random", 0.2), "class 40/10 %" = list("class", 0.25)
  )
  report("noise", each_draw(3L, function() {
    sapply(settings, function(s) {
      d <- simulated(c(60, 60))
      w <- scores(lost(d$x, s[[1L]], s[[2L]], d$y == "2"), d$y, k = 10)
      noise <- setdiff(seq_along(w), d$true)
      more <- noise[often(500)[noise]]
      false <- setdiff(best(w), d$true)
      c(
        "often less seldom, in sd" =
          (mean(w[more]) - mean(w[setdiff(noise, more)])) / sd(w[noise]),
        "share of the false" = if (length(false) > 0L) {
          mean(false %in% more)
        } else {
          NA
        }
      )
    })
  }), list(
    "often less seldom, in sd" = rep(-0.08, 2),
    "share of the false" = rep(0.35, 2)
  ), list(
    "often less seldom, in sd" = rep(0.08, 2),
    "share of the false" = rep(0.6, 2)
  ))
}
if (wanted("pairs")) {
  report("pairs", each_draw(4L, function() {
    sapply(c("10 %" = 0.1, "20 %" = 0.2), function(p) {
      y <- factor(rep(1:2, 20))
      pair <- rep(1:20, each = 2)
      x <- matrix(rnorm(40 * 300), 40) + matrix(rnorm(20 * 300), 20)[pair, ]
      x[, 1:20] <- x[, 1:20] + outer(as.integer(y) - 1, rep(c(0.7, -0.7), 10))
      colnames(x) <- paste0("f", 1:300)
      ranked(list(x = x, y = y, true = 1:20), lost(x, "random", p),
        pair = pair, k = 10)
    })
  }), goals(c(7.1, 5.9)))
}
if (wanted("genotypes")) {
  report("genotypes", each_draw(5L, function() {
    n <- 200
    often <- runif(300, 0.2, 0.5)
    g <- matrix(rbinom(n * 300, 2, rep(often, each = n)), n)
    risk <- drop(scale(g[, 1:10]) %*% rep(c(0.8, -0.8), 5))
    y <- factor(runif(n) < plogis(risk))
    rate <- rep(ifelse(often(300), 1.6, 0.4) * 0.2, each = n) *
      ifelse(g == 1, 1.7, 0.3)
    snps <- as.data.frame(lapply(as.data.frame(g), factor))
    d <- list(x = snps, y = y, true = 1:10)
    holes <- matrix(runif(length(g)) < rate, n)
    snps[holes] <- NA
    one(ranked(d, snps, 10, k = 10), "heterozygotes miss more, 20 %")
  }), goals(2.5))
}
if (wanted("xor")) {
  report("xor", each_draw(6L, function() {
    x <- matrix(rnorm(300 * 20), 300, dimnames = list(NULL, paste0("f", 1:20)))
    even <- sign(x[, 1] * x[, 2]) + sign(x[, 3] * x[, 4])
    d <- list(x = x, y = factor(runif(300) < plogis(2 * even)), true = 1:4)
    one(ranked(d, lost(x, "random", 0.4), 4, k = 10), "random 40 %")
  }), goals(1.4))
}
if (wanted("survival")) {
  report("survival", each_draw(7L, function() {
    sapply(list("random 20 %" = c("random", "0.2"),
      "events 40/10 %" = c("class", "0.25")), function(s) {
      n <- 200
      x <- matrix(rnorm(n * 500), n, dimnames = list(NULL, paste0("f", 1:500)))
      time <- rexp(n) * exp(-drop(x[, 1:10] %*% rep(c(0.9, -0.9), 5)))
      leave <- rexp(n)
      leave <- leave * exp(uniroot(function(l) {
        mean(leave * exp(l) < time) - 0.3
      }, c(-30, 30))$root)
      event <- time <= leave
      y <- survival::Surv(pmin(time, leave), event)
      ranked(
        list(x = x, y = y, true = 1:10), lost(x, s[[1L]], as.numeric(s[[2L]]),
          event)
      )
    })
  }), goals(c(6.7, 7.2), c(0.8, 2)))
}
if (wanted("numeric")) {
  report("numeric", each_draw(8L, function() {
    names <- paste0("f", 1:500)
    x <- matrix(rnorm(150 * 500), 150, dimnames = list(NULL, names))
    y <- drop(x[, 1:10] %*% rep(c(1, -1), 5)) + rnorm(150)
    d <- list(x = x, y = y, true = 1:10)
    holes <- lost(x, "class", 0.25, y > median(y))
    one(ranked(d, holes, method = "rrelieff", k = 40), "high y miss more")
  }), list("less medians" = 1.2))
}

# The table of vignette("missing").
if (wanted("page")) {
  kinds <- list(
    "random 5 %" = list("random", 0.05), "random 20 %" = list("random", 0.2),
    "class 40/10 %" = list("class", 0.25), "low 20 %" = list("low", 0.2)
  )
  selectors <- list(
    relief = relief, logo = logo, pwfp = pwfp
  )
  ways <- c("median", "min", "draw")
  report("page", each_draw(9L, function() {
    sapply(kinds, function(s) {
      d <- simulated(c(60, 60))
      x <- lost(d$x, s[[1L]], s[[2L]], d$y == "2")
      found <- c("relief as they are" =
        sum(best(scores(x, d$y)) %in% d$true))
      for (name in names(selectors)) {
        for (way in c("complete", ways)) {
          values <- if (way == "complete") d$x else filled(x, way)
          w <- selectors[[name]](values, d$y, threads = 1)$scores
          found[[paste(name, way)]] <- sum(best(w) %in% d$true)
        }
      }
      found
    })
  }))
}

# Ten of the true features are on in one class, but for one in 20 samples, and
# off in the other; of all others, low values are missing.
if (wanted("on-off")) {
  ways <- list(relief = relief, logo = logo, pwfp = pwfp)
  report("on-off", each_draw(10L, function() {
    d <- simulated(c(60, 60))
    x <- lost(d$x, "low", 0.2)
    for (j in seq_along(d$true)[1:10]) {
      on <- d$y == c("1", "2")[j %% 2 + 1]
      x[, d$true[[j]]] <- ifelse(
        on & runif(120) < 0.95, d$x[, d$true[[j]]], NA
      )
    }
    found <- c("relief as they are" =
      sum(best(scores(x, d$y)) %in% d$true))
    for (name in names(ways)) {
      for (way in c("median", "min", "draw")) {
        w <- ways[[name]](filled(x, way), d$y, threads = 1)$scores
        found[[paste(name, way)]] <- sum(best(w) %in% d$true)
      }
    }
    one(found, "on/off")
  }))
}

# The features that print() of a fit names, and their ranks by both ways.
if (wanted("proteomes")) {
  folder <- Sys.getenv("IMPUTELCMD")
  sets <- list(
    "PXD000052, SLP76 tagged or not" = list("PXD000052", "stSLP"),
    "PXD000501, secretome or whole cells" = list("PXD000501", "secretome")
  )
  for (name in names(sets)) {
    of <- sets[[name]]
    held <- new.env()
    load(file.path(folder, "data", sprintf("intensity_%s.rda", of[[1L]])), held)
    d <- held[[ls(held)]]
    x <- log2(t(as.matrix(d[-1L])))
    colnames(x) <- make.unique(as.character(d[[1L]]))
    y <- factor(ifelse(grepl(of[[2L]], rownames(x)), of[[2L]], "other"))
    x[!is.finite(x)] <- NA
    x <- x[, colSums(!is.na(x)) >= 2]
    plain <- suppressWarnings(relief(x, y, threads = 1))
    least <- suppressWarnings(
      tuned(relief, prepare = prepare_impute("min"))(x, y, threads = 1)
    )
    found <- hitmiss:::missing_by_class(plain$present, as.vector(table(y)))
    off <- apply(plain$present, 1, min) == 0
    update_table(data.frame(
      set = name, samples = nrow(x), features = ncol(x),
      by_class = length(found), on_off = sum(off),
      named = colnames(x)[head(found, 3L)],
      "as they are" = match(head(found, 3L), plain$ranking),
      "least values" = match(head(found, 3L), least$ranking),
      in_best_50 = sum(head(plain$ranking, 50) %in% which(off)),
      in_best_50_least = sum(head(least$ranking, 50) %in% which(off)),
      check.names = FALSE
    ), results, "missing-proteomes", "set", 3)
  }
}

if (wanted("time")) {
  set.seed(1)
  x <- matrix(rnorm(200 * 20000), 200,
    dimnames = list(NULL, paste0("f", 1:20000)))
  holes <- x
  holes[runif(length(x)) < 0.2] <- NA
  outcomes <- list(
    relieff = rep(c("a", "b"), 100), rrelieff = rnorm(200),
    srelieff = survival::Surv(rexp(200), rep(1:0, 100))
  )
  seconds <- function(x, method) {
    sum(system.time(
      relief(x, outcomes[[method]], method, k = 10, threads = 1)
    )[c("user.self", "sys.self")])
  }
  report("time", lapply(1:9, function(draw) {
    vapply(names(outcomes), function(method) {
      found <- c(complete = seconds(x, method),
        "as they are" = seconds(holes, method))
      c(found, times = found[["as they are"]] / found[["complete"]])
    }, numeric(3))
  }), most = list(times = rep(3, 3)))
}

# Sets with missing values, from packages: held-out errors (of survival times
# 1 - C) by the same splits and the same classifier, so that only the ranking
# differs. Noise that is real data in random order makes the choice matter.
real_sets <- list(
  "pbc (survival)" = function() {
    pbc <- survival::pbc
    list(x = data.matrix(pbc[c(5, 7:20)]),
      y = survival::Surv(pbc$time, pbc$status == 2))
  },
  "HouseVotes84 (mlbench)" = function() {
    data("HouseVotes84", package = "mlbench", envir = environment())
    list(x = HouseVotes84[-1L], y = HouseVotes84$Class)
  },
  "Soybean (mlbench)" = function() {
    data("Soybean", package = "mlbench", envir = environment())
    list(x = Soybean[-1L], y = Soybean$Class)
  },
  "penguins (palmerpenguins)" = function() {
    found <- palmerpenguins::penguins
    found <- found[rowSums(!is.na(found[3:6])) > 0, ]
    list(x = as.data.frame(found[c(3:7)]), y = found$species)
  },
  # Activated and resting mast cells, the partners of two proteins, each
  # culture twice.
  "PXD000052 (imputeLCMD)" = function() {
    x <- proteins("intensity_PXD000052")
    list(x = x, y = ifelse(grepl("activ", rownames(x)), "activated", "resting"),
      group = rep(1:8, each = 2), noise = FALSE)
  }
)
# Intensities of 0 are missing; proteins in fewer than four samples are left
# out.
proteins <- function(name) {
  data(list = name, package = "imputeLCMD", envir = environment())
  table <- get(name)
  x <- t(log2(as.matrix(table[-1L])))
  colnames(x) <- make.unique(as.character(table[[1L]]))
  x[!is.finite(x)] <- NA
  x[, colSums(!is.na(x)) >= 4]
}
if (wanted("real")) {
  by <- function(method) tuned(relief, prepare = prepare_impute(method))
  selectors <- list(
    "as they are" = relief, medians = by("median"), least = by("min"),
    draws = by("draw")
  )
  for (name in names(real_sets)) {
    d <- tryCatch(real_sets[[name]](), error = function(e) NULL)
    if (is.null(d)) {
      cat("\n", name, ": its package is not installed\n", sep = "")
      next
    }
    set.seed(1)
    x <- d$x
    if (!isFALSE(d$noise)) {
      for (copy in 1:3) {
        more <- d$x[sample(nrow(x)), ]
        colnames(more) <- paste0("noise", copy, "_", colnames(d$x))
        if (is.data.frame(more)) rownames(more) <- NULL
        x <- cbind(x, more)
      }
    }
    rownames(x) <- NULL
    curve <- suppressMessages(suppressWarnings(error_curve(x, d$y, selectors,
      sizes = c(5, 10), resampling = kfold(3, times = 10),
      group = d$group)))
    found <- tidy(curve)
    if (inherits(d$y, "Surv")) found$mean <- 1 - found$mean
    update_table(data.frame(
      set = name, samples = nrow(x), features = ncol(x),
      missing = round(mean(is.na(x)), 3), ranked = found$selector,
      size = found$size, error = round(found$mean, 4), se = round(found$se, 4)
    ), results, "missing-real", "set", 3)
  }
}
