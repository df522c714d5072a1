# Scores, predictions, tables and held-out errors against definitions of their
# own, on random problems with everything that is odd: ties, equal samples,
# constant features, rare classes, blocks and groups.
#
# Rscript tests/bench/odd_problems.R [problems] [first seed]
# Ends with status 1 if anything differs.
# SPDX-License-Identifier: GPL-3.0-or-later

suppressPackageStartupMessages(library(hitmiss))
options(hitmiss.threads = 1)
given <- as.integer(commandArgs(TRUE))
problems <- if (length(given) > 0L) given[[1L]] else 1000L
first <- if (length(given) > 1L) given[[2L]] else 1L

odd_problem <- function(seed) {
  set.seed(seed)
  n <- sample(6:26, 1L)
  j <- sample(2:9, 1L)
  classes <- sample(2:4, 1L)
  y <- sample(letters[seq_len(classes)], n, TRUE,
    prob = c(9, 3, 1, 1)[seq_len(classes)]
  )
  x <- matrix(rnorm(n * j), n, dimnames = list(NULL, paste0("f", seq_len(j))))
  switch(sample(5L, 1L),
    x[] <- round(x), x[] <- x > 0, x[n, ] <- x[1L, ], x[, 1L] <- 3, NULL
  )
  x[, 2L] <- x[, 2L] + (y == "a")
  list(
    x = x, y = factor(y),
    block = if (runif(1) < 0.4) sample(2L, n, TRUE),
    group = if (runif(1) < 0.4) sample(ceiling(n / 2), n, TRUE)
  )
}

# TRUE where two samples may be compared.
comparable <- function(p) {
  n <- length(p$y)
  may <- !diag(n)
  if (!is.null(p$block)) may <- may & outer(p$block, p$block, "==")
  if (!is.null(p$group)) may <- may & outer(p$group, p$group, "!=")
  may
}

# No miss at all; a class of several samples without hits between groups, or
# with hits in the block for fewer than half.
refused <- function(p) {
  same <- outer(p$y, p$y, "==")
  several <- names(which(table(p$y) > 1L))
  hits <- function(part) {
    p[setdiff(c("block", "group"), part)] <- list(NULL)
    has <- rowSums(comparable(p) & same) > 0
    vapply(several, function(class) mean(has[p$y == class]), 0)
  }
  !any(comparable(p) & !same) ||
    !is.null(p$group) && any(hits("group") == 0) ||
    !is.null(p$block) && any(hits("block") < 0.5)
}

# The part of a place among the r nearest that each has.
places <- function(d, r) {
  if (length(d) <= r) {
    return(rep(1, length(d)))
  }
  last <- sort(d)[[r]]
  alike <- abs(d - last) <= 1e-9 * last
  before <- d < last & !alike
  before + alike * (r - sum(before)) / sum(alike)
}

unit <- function(x) {
  apply(x, 2L, function(v) (v - min(v)) / max(max(v) - min(v), 1e-300))
}

distances <- function(a, b, w, metric) {
  outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(function(i, k) {
    if (metric == "manhattan") {
      sum(w * abs(a[i, ] - b[k, ]))
    } else {
      sqrt(sum(w * (a[i, ] - b[k, ])^2))
    }
  }))
}

own_relief <- function(p, method, k, weighting, metric) {
  x <- unit(p$x)
  d <- distances(x, x, 1, metric)
  may <- comparable(p)
  total <- 0
  counted <- 0
  for (i in seq_along(p$y)) {
    near <- function(among) {
      if (length(among) == 0L) {
        return(numeric(ncol(x)))
      }
      share <- places(d[i, among], k)
      colSums(share * abs(sweep(x[among, , drop = FALSE], 2L, x[i, ]))) /
        sum(share)
    }
    of <- lapply(levels(p$y), function(class) which(may[i, ] & p$y == class))
    own <- as.integer(p$y)[[i]]
    there <- lengths(of) > 0L
    there[[own]] <- TRUE
    if (sum(there) < 2L) next
    counted <- counted + 1
    share <- tabulate(p$y) * there / sum(tabulate(p$y)[there])
    hit <- near(of[[own]])
    total <- total + if (method == "relieff") {
      rest <- if (weighting == "prior") 1 else 1 - share[[own]]
      miss <- 0
      for (class in setdiff(which(there), own)) {
        miss <- miss + share[[class]] / rest * near(of[[class]])
      }
      miss - hit
    } else {
      miss <- near(unlist(of[-own]))
      if (method == "relief") {
        miss - hit
      } else {
        share[[own]] * miss - (1 - share[[own]]) * hit
      }
    }
  }
  total / counted
}

# Votes of the k nearest: shares of the classes, and the winner.
own_vote <- function(d, y, k) {
  share <- places(d, k)
  votes <- vapply(levels(y), function(class) sum(share[y == class]), 0)
  best <- names(votes)[votes > max(votes) - 1e-9]
  nearest <- vapply(best, function(class) min(d[y == class & share > 0]), 0)
  list(
    votes = votes, class = best[[which(nearest <= min(nearest) *
      (1 + 1e-9))[[1L]]]]
  )
}

# The largest distance of a class from the mean of the others' means, and in
# standard deviations.
own_directions <- function(p) {
  t(apply(p$x, 2L, function(v) {
    means <- tapply(v, p$y, mean)
    away <- vapply(
      seq_along(means), function(c) means[[c]] - mean(means[-c]), 0
    )
    spread <- sqrt(sum((v - means[p$y])^2) / (length(v) - length(means)))
    # Of two classes, the one is as far as the other; of more, that is a tie.
    top <- sort(abs(away), decreasing = TRUE)
    if (length(top) > 2L && top[[2L]] > top[[1L]] * (1 - 1e-9)) top <- NA
    c(top[[1L]], top[[1L]] / spread)
  }))
}

own_fisher <- function(p) {
  apply(p$x, 2L, function(v) {
    sizes <- table(p$y)
    means <- tapply(v, p$y, mean)
    within <- sum((v - means[p$y])^2)
    sum(sizes * (means - mean(v))^2) / within
  })
}

compared <- c()
count <- function(what, fine, seed) {
  compared[what] <<- sum(compared[what], 1, na.rm = TRUE)
  if (!isTRUE(fine)) {
    compared[paste("DIFFERENT", what)] <<-
      sum(compared[paste("DIFFERENT", what)], 1, na.rm = TRUE)
    cat(what, "differs for seed", seed, "\n")
  }
}
close <- function(a, b) {
  isTRUE(all.equal(unname(a), unname(b), tolerance = 1e-9))
}
quiet <- function(expr) suppressMessages(suppressWarnings(expr))

for (seed in first - 1L + seq_len(problems)) {
  p <- odd_problem(seed)
  if (nlevels(p$y) < 2L) next
  method <- sample(c("relieff", "relief", "map"), 1L)
  weighting <- sample(c("conditional", "prior"), 1L)
  if (method != "relieff") weighting <- "conditional"
  metric <- sample(c("manhattan", "euclidean"), 1L)
  k <- sample(4L, 1L)
  arguments <- c(
    list(p$x, p$y, method, k = k, metric = metric),
    if (weighting == "prior") list(weighting = weighting),
    p[c("block", "group")]
  )
  fit <- tryCatch(quiet(do.call(relief, arguments)), error = identity)
  count("refusal", inherits(fit, "hitmiss_error_input") == refused(p), seed)
  if (inherits(fit, "error")) next
  count("scores", close(
    fit$scores, own_relief(p, method, k, weighting, metric)
  ), seed)
  table <- as.data.frame(fit)
  table <- table[match(colnames(p$x), table$feature), ]
  expected <- own_directions(p)
  vary <- is.na(expected[, 1L]) | expected[, 1L] > 1e-9 &
    is.finite(expected[, 2L]) & expected[, 2L] < 1e9
  count("differences", close(
    abs(cbind(table$difference, table$effect))[vary, ], expected[vary, ]
  ), seed)
  w <- pmax(fit$scores, 0)
  if (any(w > 0)) {
    new <- rbind(p$x[1:3, ], round(p$x[4:6, ]) + 0.5)
    both <- function(v) {
      sweep(sweep(v, 2L, apply(p$x, 2L, min)), 2L, pmax(apply(
        p$x, 2L, function(v) max(v) - min(v)
      ), 1e-300), "/")
    }
    used <- w > 0
    d <- distances(
      both(new)[, used, drop = FALSE], both(p$x)[, used, drop = FALSE],
      w[used], metric
    )
    votes <- lapply(1:6, function(i) own_vote(d[i, ], p$y, k))
    prob <- t(vapply(votes, function(v) v$votes, numeric(nlevels(p$y))))
    prob <- sweep(prob, 2L, tabulate(p$y) / length(p$y), "+") / (k + 1)
    count("probabilities", close(
      quiet(predict(fit, new, type = "prob", k = k)), prob
    ), seed)
    count("classes", identical(
      as.character(quiet(predict(fit, new, k = k))),
      vapply(votes, `[[`, "", "class")
    ), seed)
  }
  fisher <- own_fisher(p)
  fine <- is.finite(fisher) & fisher < 1e9
  count("fisher", close(
    quiet(reference_scores(p$x, p$y, "fisher"))[fine], fisher[fine]
  ), seed)
}
print(compared)
if (any(startsWith(names(compared), "DIFFERENT"))) quit(status = 1L)
