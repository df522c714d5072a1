# Layer: evaluate. audit_labels() asks which training labels the other samples
# doubt.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Training samples whose labels may be wrong
#'
#' A sample that lies in the hyperspheres of another class may be mislabelled or
#' swapped. No sample votes on itself: its own sphere is left out, and the
#' sample is not a neighbour when the other spheres vote. Of a fit with `vote =
#' "frames"` the evidence alone is asked, because the regression has learned
#' from all labels.
#'
#' With 5 % of the labels flipped, the area under the receiver operating
#' characteristic (ROC) curve of `suspicion` for the flipped labels was (means
#' of 40 draws, fits with `alpha = 10` and, but for one, `vote = "spheres"`;
#' `tests/bench/label_audit.R`):
#'
#' ||SRBCT|colon|
#' |---|---|---|
#' |`neighbour = "none"`|.941 (se .007)|.842 (.019)|
#' |`"half"`|.989 (.002)|.843 (.019)|
#' |`"full"`|.997 (.001)|.836 (.020)|
#' |`vote = "evidence"`|.996 (.001)|.853 (.020)|
#' |`neighbours`: 5 nearest on the features of the fit|1.000 (.000)|.850 (.015)|
#' |5 nearest samples on relieff's best 50|1.000 (.000)|.826 (.014)|
#'
#' Where classes are far apart, plain neighbours do as well as the spheres or
#' better, so the rows are sorted by both columns together. `predict(fit, x,
#' type = "spheres")` shows which spheres, and so which features, contradict a
#' label. A high value is a reason to check the sample, not to change its label.
#'
#' @param fit A fit of [llfs()].
#' @param k Number of nearest samples in the column `neighbours`.
#' @param ... Must be empty.
#' @param threads Number of threads, see [hitmiss-package].
#' @return A [result][hitmiss-results] with a row for each sample, by decreasing
#'   mean of `suspicion` and `neighbours` (by `neighbours` alone, where
#'   `suspicion` is `NA`): `sample`, its name or number; `class`, its label;
#'   `suspicion`, 1 minus the share of its own class in the vote of the other
#'   samples' spheres, as in `predict(type = "prob")`, `NA` if it is in no
#'   sphere that votes; `suggested`, the class with the largest share;
#'   `spheres`, the number of spheres that contain it; `neighbours`, the share
#'   of other labels among its `k` nearest samples on all features that the fit
#'   uses, scaled, Euclidean. `$k`.
#' @examples
#' toy <- simulate_localized(noise = 10)
#' y <- toy$y
#' y[1] <- setdiff(levels(y), y[1])[1]
#' audit_labels(llfs(toy$x, y, alpha = 2, threads = 1), threads = 1)
#' @export
audit_labels <- function(fit, k = 5, ..., threads = NULL) {
  check_no_dots(...)
  if (missing(fit)) abort_missing("fit")
  if (!inherits(fit, "hitmiss_llfs")) {
    abort_input(
      "{.arg fit} must be a fit of {.fn llfs}, not {describe(fit)}.", "fit"
    )
  }
  check_fit(fit, "fit")
  if (fit$parameters$vote == "frames") fit$parameters$vote <- "evidence"
  y <- fit$local$class
  k <- min(check_count(k), length(y) - 1L)
  used <- which(fit$scores > 0)
  training <- fit$local$training
  problem <- new_problem(training, y, names(used), fit$local$samples)
  problem$design <- design_of(fit)
  inform_copies(problem)
  n <- ncol(training)
  as_they_are <- list(
    center = numeric(n), scale = rep(1, n), constant = logical(n)
  )
  votes <- run_core("Label audit", threads, FALSE, function(runtime) {
    list(
      spheres = cpp_local_classifier(
        classifier_model(fit, used, names(used)), training, FALSE, runtime,
        themselves = TRUE
      ),
      near = nearest_votes(training, y, k, as_they_are, runtime)$share
    )
  })
  new_audit(fit, votes$spheres, votes$near, k, match.call())
}

new_audit <- function(fit, votes, near, k, call) {
  y <- fit$local$class
  shares <- vote_matrix(fit, votes, "prob")
  voted <- votes$inside > 0L & rowSums(votes$similarity != 0) > 0
  shares[!voted, ] <- NA
  samples <- data.frame(
    sample = training_names(fit), class = y,
    suspicion = 1 - shares[cbind(seq_along(y), as.integer(y))],
    suggested = factor(fit$classes[max.col(shares, "first")], fit$classes),
    spheres = votes$inside,
    neighbours = 1 - near[cbind(seq_along(y), as.integer(y))]
  )
  samples$suggested[!voted] <- NA
  samples$suspicion <- pmin(1, pmax(0, samples$suspicion))
  both <- rowMeans(samples[c("suspicion", "neighbours")], na.rm = TRUE)
  samples <- samples[order(-both), ]
  row.names(samples) <- NULL
  outside <- sum(is.na(samples$suspicion))
  doubted <- sum(samples$suggested != samples$class, na.rm = TRUE)
  new_result("audit", samples, call = call,
    k = k, what = "samples",
    lines = c(
      sprintf(
        paste(
          "label audit of %d samples in %d classes: %d with more votes for",
          "another class"
        ),
        nrow(samples), length(fit$classes), doubted
      ),
      if (outside > 0L) {
        sprintf("%d in no sphere of another sample: not assessed", outside)
      }
    ),
    glance = list(
      n_samples = nrow(samples), n_doubted = doubted, n_outside = outside, k = k
    )
  )
}
