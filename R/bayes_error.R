# Layer: evaluate. bayes_error() estimates how well any classifier could do, by
# the leave-one-out errors of two density rules.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Estimate of the Bayes error in the space of a few features
#'
#' Estimates the error of the best possible classifier in one to five features
#' by the leave-one-out error of a rule that estimates the density of every
#' class.
#'
#' @details
#' Features are z-scored over all samples. `N_c` is the number of samples of
#' class `c`, `N'_c` the same number without the sample that is left out, `p_c =
#' N_c/N`, and `d` the number of features that are not constant. A sample whose
#' class has no other member counts as an error; a warning names such classes.
#' If all classes are of this kind there is no estimate.
#'
#' * `"parzen"` (eq. 9): `f_c(x_n) = 1/N'_c sum_(i in c, i != n) exp(-||x_n -
#'   x_i||^2 / 2h^2)`. The common bandwidth `h` is `h_ref 2^g`, `g = -3, -2.5,
#'   ..., 2`, with `h_ref = (4/((d+2)N))^(1/(d+4))`, where the leave-one-out
#'   likelihood of the class densities is largest.
#' * `"knn"`: the vote of the `k` nearest; samples tied for the last place share
#'   it, and equal votes go to the class of the nearest among the tied. This is
#'   not the paper's (8), which compares the distances to the `k`-th nearest
#'   within each class.
#'
#'
#' The error of a rule that learned from finite data is at least the Bayes error
#' on average, so `error` is biased upwards, more so with more features; on one
#' data set it may also be below. With 60 to 200 samples it is useful for up to
#' 5 features; with more there is a warning of class
#' `hitmiss_warning_dimension`. With more than 10 it is printed only as the
#' error of the rule. `plugin` depends on the bandwidth more than on the data.
#'
#' **Features that were selected on the same samples make the estimate
#' optimistically biased without limit.** For the held-out error of a selection
#' use [error_curve()] with `classifier = "knn"`.
#'
#' @inheritParams relief
#' @param features Names or positions of the features; `NULL` for all.
#' @param method The rule whose values are reported first; both are computed.
#' @param bandwidth `"likelihood"`, or a number: `h` in standard deviations.
#' @param k Number of neighbours; `NULL`: the odd number nearest to `sqrt(N)`,
#' the smaller one if two are equally near.
#' @param ... Must be empty.
#' @param preset `"paper"`: `method = "parzen"` with `bandwidth = 0.01` and `k =
#'   1`, by which the paper's selectors estimate densities.
#' @return A [result][hitmiss-results] with a row for each method: `method`,
#'   `error`, `se`, `plugin`, `criterion`. For the rule `method`:
#'   * `$error`, `$se`: share of samples whose most probable class is wrong, and
#'     its standard error (of the Wilson interval, never 0);
#'   * `$plugin`, `$criterion`: mean of `1 - max_c P(c|x_n)`, and of `2
#'     P(y_n|x_n) - 1` (eq. 7), with posteriors that sum to one;
#'   * `$nn_error`, `$cover_hart`: the error e of the nearest neighbour, and
#'     `(C-1)/C (1 - sqrt(1 - C e/(C-1)))` for `C` classes, which is below the
#'     Bayes error if samples are infinitely many (Cover, Hart); of finite
#'     samples it is often above, and no bound;
#'   * `$per_class`: a data.frame: `class`, `n`, `error`;
#'   * `$method`, `$bandwidth`, `$k`, `$features`, `$n`, `$n_constant`.
#' @references `r reference("bayes_error")` Equation numbers refer to this
#' paper.
#'
#' `r reference("nearest_neighbour")`
#' @examples
#' toy <- simulate_localized(noise = 10)
#' bayes_error(toy$x, toy$y, c("x1", "x2"))
#' bayes_error(toy$x, toy$y, "noise1")
#' @export
bayes_error <- function(x, y, features = NULL, method = c("parzen", "knn"),
                        bandwidth = "likelihood", k = NULL,
                        ..., assay = NULL, preset = c("default", "paper"),
                        threads = NULL) {
  if (check_choice(preset) == "paper") {
    if (missing(bandwidth)) bandwidth <- 0.01
    if (missing(k)) k <- 1
  }
  method <- check_choice(method)
  if (!identical(bandwidth, "likelihood")) {
    bandwidth <- check_number(bandwidth, above = 0)
  }
  check_no_dots(...)
  problem <- as_problem(x, y, assay = assay)
  inform_copies(problem)
  problem <- chosen_features(problem, features)
  # If the only sample of a class is left out, none is left to learn the class
  # from.
  if (all(table(problem$y) == 1L)) {
    abort_input(
      "{.arg y} has a single sample in every class; the leave-one-out estimate
       needs a class with at least two.", "y"
    )
  }
  warn_single_samples(problem$y, "sample, which counts as an error: when it is
    left out, its class has no training sample.")
  n <- length(problem$y)
  # The default is the odd number nearest to the root of n.
  k <- if (is.null(k)) {
    as.integer(2 * ceiling(sqrt(n) / 2) - 1)
  } else {
    check_count(k, max = n - 1L)
  }
  # There is a number for every sample, class and bandwidth.
  check_numbers_fit(12 * as.double(n) * nlevels(problem$y), "x")
  run <- run_core("Densities", threads, FALSE, function(runtime) {
    preprocess <- prepare_scaling(problem, "zscore", runtime)
    d <- sum(!preprocess$constant)
    if (d == 0L) {
      abort_input(
        "no feature varies: all samples have the same values.", "features"
      )
    }
    vote <- function(k) {
      votes <- nearest_votes(problem$values, problem$y, k, preprocess, runtime)
      rule_figures(votes$share, votes$winner, problem$y)
    }
    list(
      d = d, parzen = parzen_rule(problem, preprocess, bandwidth, d, runtime),
      knn = vote(k), nearest = vote(1L)
    )
  })
  if (run$d > 5L) {
    warn(
      c(
        "the estimate uses {run$d} features: with more than 5 it is far above
         the Bayes error.",
        i = "Use the few best features, or {.fn error_curve}."
      ),
      "hitmiss_warning_dimension",
      dimension = run$d
    )
  }
  new_bayes_error(
    problem, method, list(parzen = run$parzen, knn = run$knn),
    nearest = run$nearest,
    parameters = list(
      bandwidth = run$parzen$bandwidth, k = k,
      n_constant = length(problem$features) - run$d
    ),
    call = match.call()
  )
}

# Returns the data of some features, samples in rows.
chosen_features <- function(problem, features) {
  at <- if (is.null(features)) {
    seq_along(problem$features)
  } else {
    feature_positions(features, problem$features)
  }
  new_problem(
    problem_rows(problem, seq_along(problem$y), at), problem$y,
    problem$features[at], problem$samples
  )
}

# ---- the two rules ----------------------------------------------------------

parzen_rule <- function(problem, preprocess, bandwidth, d, runtime) {
  y <- problem$y
  n <- length(y)
  sizes <- tabulate(y, nlevels(y))
  likely <- identical(bandwidth, "likelihood")
  tried <- if (likely) {
    (4 / ((d + 2) * n))^(1 / (d + 4)) * 2^seq(-3, 2, by = 0.5)
  } else {
    bandwidth
  }
  found <- cpp_class_densities(
    problem, preprocess, tried, resolve_simd(), runtime
  )
  relative <- array(found$log_density, c(n, nlevels(y), length(tried)))
  best <- if (likely) {
    # The likelihood needs the densities' factor h^-d, but not their constants.
    which.max(vapply(seq_along(tried), function(i) {
      own <- relative[cbind(seq_len(n), as.integer(y), i)] -
        found$nearest / tried[[i]]^2 / 2 - d * log(tried[[i]])
      sum(own[sizes[y] > 1L])
    }, 0))
  } else {
    1L
  }
  # The part of the nearest sample cancels in the posterior.
  log_joint <- matrix(relative[, , best], n) +
    rep(log(sizes / n), each = n)
  c(
    rule_figures(softmax(log_joint), max.col(log_joint, "first"), y),
    list(bandwidth = tried[[best]])
  )
}

rule_figures <- function(posterior, winner, y) {
  own <- as.integer(y)
  alone <- as.vector(table(y))[own] == 1L
  wrong <- winner != own | alone
  error <- mean(wrong)
  list(
    error = error, se = wilson_se(error, length(y)),
    plugin = mean(1 - apply(posterior, 1L, max)),
    criterion = mean(2 * posterior[cbind(seq_along(y), own)] - 1),
    wrong = wrong
  )
}

# ---- the result -------------------------------------------------------------

new_bayes_error <- function(problem, method, rules, nearest, parameters, call) {
  head <- rules[[method]]
  figures <- c("error", "se", "plugin", "criterion")
  estimates <- data.frame(
    method = names(rules),
    lapply(stats::setNames(figures, figures), function(name) {
      vapply(rules, `[[`, 0, name, USE.NAMES = FALSE)
    })
  )
  per_class <- data.frame(
    class = levels(problem$y), n = as.vector(table(problem$y)),
    error = as.vector(tapply(head$wrong, problem$y, mean))
  )
  known <- c(
    head[figures],
    list(
      nn_error = nearest$error,
      cover_hart = cover_hart(nearest$error, nlevels(problem$y)),
      per_class = per_class, method = method
    ),
    parameters,
    list(
      features = problem$features, n = length(problem$y), selected_here = NA
    )
  )
  do.call(new_result, c(
    list("bayes_error", estimates, call = call),
    known,
    list(
      what = "rules", lines = bayes_lines(known, estimates),
      notes = paste(
        "If the features were selected on these samples, the estimate is",
        "optimistically biased;",
        "error_curve(classifier = \"knn\") has held-out samples."
      ),
      glance = c(
        known[c(
          "method", figures, "nn_error", "cover_hart", "bandwidth", "k", "n"
        )],
        n_features = length(problem$features)
      )
    )
  ), quote = TRUE)
}

cover_hart <- function(error, n_classes) {
  most <- (n_classes - 1) / n_classes
  most * (1 - sqrt(1 - min(error, most) / most))
}

bayes_lines <- function(x, estimates) {
  d <- length(x$features) - x$n_constant
  other <- estimates[estimates$method != x$method, ]
  rule <- if (x$method == "parzen") {
    sprintf("Parzen, bandwidth %.3g", x$bandwidth)
  } else {
    sprintf("%d nearest neighbours", x$k)
  }
  c(
    sprintf(
      "%s: %.3f +- %.3f (%s, leave-one-out)",
      if (d > 10L) "Leave-one-out error" else "Bayes error, estimate",
      x$error, x$se, rule
    ),
    sprintf(
      "%d samples, %d feature%s: %s", x$n, length(x$features),
      if (length(x$features) == 1L) "" else "s", listed(x$features, 6L)
    ),
    sprintf(
      "By %s: %.3f; nearest neighbour: %.3f%s", other$method, other$error,
      x$nn_error,
      if (d <= 10L) {
        sprintf(" (by Cover and Hart's formula %.3f, no bound)", x$cover_hart)
      } else {
        ""
      }
    ),
    paste0("By class: ", paste(sprintf(
      "%s %.3f (%d samples)", x$per_class$class, x$per_class$error,
      x$per_class$n
    ), collapse = ", ")),
    if (d > 5L) {
      "Far too high for more than 5 features: read it only as an error."
    }
  )
}
