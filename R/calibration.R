# Layer: use. Probabilities and survival curves that were calibrated by inner
# folds of the training samples, in which the selection was repeated.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Calibrated probabilities
#'
#' @param prob Those of the votes, see vote_probabilities().
#' @param fit A fit with `calibration`.
#' @param n,k,balance See predict_nearest(). @param times Not used.
#' @noRd
calibrated <- function(prob, fit, n, k, balance, times) {
  shares <- log(tabulate(fit$training$y) / length(fit$training$y))
  found <- vote_calibration(fit$calibration, n, k)
  prior <- matrix(
    rep(shares, each = nrow(prob)), nrow(prob), length(shares)
  )
  logs <- calibrated_logs(log(prob), prior, found$b, found$a)
  # Balanced, every class has the same share before the vote.
  if (balance == "balanced") logs <- logs - prior
  prob[] <- exp(logs - log_sum(logs))
  prob
}

# Returns logs of probabilities up to a constant for each sample.
calibrated_logs <- function(vote, prior, b, a) {
  b * vote + (1 - b) * prior + rep(a, each = nrow(vote))
}

log_sum <- function(logs) {
  most <- apply(logs, 1L, max)
  most + log(rowSums(exp(logs - most)))
}

#' What votes of inner folds are worth, for n features and k neighbours
#'
#' b and a minimise w sum_i -log p(y_i) + 2 (b - 0.7)^2 + sum_c a_c^2 /
#' (2 * 0.5^2), which is convex in both. Few samples leave b near 0.7.
#' @param calibration list(folds: lists of a fit, the values of samples that it
#'   has not seen, and their classes as numbers; weight: w, of a sample).
#' @return list(b: what a vote counts, a: by class).
#' @noRd
vote_calibration <- function(calibration, n = NULL, k = NULL) {
  tables <- lapply(calibration$folds, function(fold) {
    prob <- suppressMessages(suppressWarnings(stats::predict(
      fold$fit, fold$values, "prob", n = n, k = k, missing = "drop",
      threads = 1L
    )))
    y <- fold$fit$training$y
    known <- which(!is.na(prob[, 1L]))
    list(
      vote = log(prob[known, , drop = FALSE]), y = fold$y[known],
      prior = matrix(
        log(tabulate(y) / length(y)), length(known), ncol(prob), byrow = TRUE
      )
    )
  })
  vote <- do.call(rbind, lapply(tables, `[[`, "vote"))
  prior <- do.call(rbind, lapply(tables, `[[`, "prior"))
  at <- cbind(seq_len(nrow(vote)), unlist(lapply(tables, `[[`, "y")))
  w <- calibration$weight
  loss <- function(par) {
    logs <- calibrated_logs(vote, prior, par[[1L]], par[-1L])
    w * sum(log_sum(logs) - logs[at]) +
      2 * (par[[1L]] - 0.7)^2 + 2 * sum(par[-1L]^2)
  }
  best <- stats::optim(
    c(0.7, numeric(ncol(vote))), loss,
    method = "L-BFGS-B", control = list(factr = 1e5),
    lower = c(0, rep(-5, ncol(vote))), upper = c(3, rep(5, ncol(vote)))
  )$par
  list(b = best[[1L]], a = best[-1L])
}

#' Calibrated survival curves
#'
#' S(t) = S0(t)^exp(b (h - m)), with S0 the curve of all training samples, and h
#' the logarithm of the cumulative hazard by the votes at one time.
#' @param curve S by the votes at that time, in a column.
#' @param times Where the curves are asked for.
#' @noRd
calibrated_curves <- function(curve, fit, n, k, balance, times) {
  found <- hazard_calibration(fit$calibration, n, k)
  y <- times_of(fit$training$y)
  log_all <- log(survival_at(kaplan_meier(y$time, y$event), times))
  power <- exp(found$b * (log_hazard(curve[, 1L]) - found$mean))
  structure(
    exp(outer(power, log_all)),
    dimnames = list(rownames(curve), number_names(times)),
    left = attr(curve, "left")
  )
}

log_hazard <- function(survival) log(-log(pmin(0.99, pmax(0.01, survival))))

#' What curves of inner folds are worth: b by Cox's partial likelihood, a
#' stratum for each fold, between 0 and 1.5; and m, the mean of h
#' @param calibration See vote_calibration(), with the `time`.
#' @noRd
hazard_calibration <- function(calibration, n = NULL, k = NULL) {
  tables <- lapply(calibration$folds, function(fold) {
    time <- min(calibration$time, last_time(fold$fit))
    curve <- suppressMessages(suppressWarnings(stats::predict(
      fold$fit, fold$values, "survival", n = n, k = k, missing = "drop",
      threads = 1L, times = time
    )))
    data.frame(times_of(fold$y), hazard = log_hazard(unname(curve[, 1L])))
  })
  table <- do.call(rbind, tables)
  table$fold <- rep(seq_along(tables), vapply(tables, nrow, 0L))
  b <- catch_error(stats::coef(suppressWarnings(survival::coxph(
    Surv(time, event) ~ hazard + strata(fold), table
  ))), function(e) 0)
  list(
    b = if (is.na(b)) 0 else min(1.5, max(0, b)),
    mean = mean(table$hazard, na.rm = TRUE)
  )
}

# What is calibrated, and what votes that count nothing are worth.
calibrated_things <- list(
  prob = c("probabilities", "class shares"),
  survival = c("survival curves", "one curve for all")
)

# Says what the votes of the default number of features are worth.
calibration_line <- function(fit) {
  if (is.null(fit$calibration)) {
    return(NULL)
  }
  b <- fit$calibration$usual$b
  things <- calibrated_things[[fit_kind(fit)$types[[2L]]]]
  paste0(
    things[[1L]], " calibrated by inner folds: votes count ",
    sprintf("%.2f", b), " of their face value",
    if (b < 0.35) paste(": no better than", things[[2L]])
  )
}
