# Layer: use. predict() of a fit of llfs() is the localized classifier.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Classify new samples by the spheres around the representatives
#'
#' A sample lies in the sphere of representative i if their Euclidean distance,
#' in i's own scaled features, is at most i's radius (9). The predicted class is
#' the one with the largest similarity; equation numbers are those of the paper
#' of [llfs()].
#'
#' With `vote = "evidence"`, the default of [llfs()], every representative gives
#' evidence for each class k: the log share of k's training samples that are
#' like the new one, less the mean of these logs over the classes. A training
#' sample is like the new one if it lies on the same side of the sphere (inside
#' or outside), and its nearest sample, in the representative's features, is of
#' the same class. The similarity to k is an intercept plus `sqrt(2 / K)`, for K
#' classes, times the sum over classes of the mean evidence of their
#' representatives for k. The intercepts are fitted to the training samples,
#' none of which votes on itself, see `weights` of [llfs()]. Ties go to the
#' first level.
#'
#' With `vote = "spheres"` the similarity is the share of a class's
#' representatives whose sphere contains the sample (11, 12). If classes tie, or
#' no sphere contains the sample, the nearest training samples in the features
#' of each representative vote; if they tie as well, the first level wins.
#'
#' A sample in no sphere gets a class and a `prob` like any other: only `type =
#' "spheres"`, which has no row for it, shows the difference.
#'
#' @section Probabilities:
#' By evidence with `weights = "prior"`, the intercepts make the mean
#' probability of each class its share of the training samples. On fourteen sets
#' on which the vote was chosen and on ten others (half splits, `vote.R` of
#' `inst/reproduce`), the log loss was 0.32 and 0.37; the expected calibration
#' error 7.0 points and 6.8. Where .95 to .99 was stated, 96 percent were right.
#' On few samples probabilities may be far off.
# csv: "log loss was 0.32" vote-kinds log_loss vote=prior; kind=open # nolint
# csv: "log loss was 0.32 and 0.37;" vote-kinds log_loss vote=prior; kind=new # nolint
# csv: "error 7.0 points" vote-kinds calibration vote=prior; kind=open # nolint
# csv: "error 7.0 points and 6.8." vote-kinds calibration vote=prior; kind=new # nolint
# csv: ".99 was stated, 96" vote-certainty right vote=prior; above=0.95 # nolint
#'
#' @section Missing features:
#' With `missing = "drop"`, a representative votes on a sample only if the
#' sample has all of its features. At least half of the representatives of every
#' class must remain (with `type = "features"`: half of the features); otherwise
#' the sample gets `NA`, or the call fails where no sample reaches a half. The
#' attribute `"left"` of the result is, for each sample, the share that remains
#' in the class that loses most.
#'
#' @section New data unlike the training data:
#' A warning of class `hitmiss_warning_scale` says that many new samples are far
#' from all training samples, see [predict.hitmiss()]; one of class
#' `hitmiss_warning_spheres`, that of at least ten samples more than half lie in
#' no sphere although their values are in range. The field `samples` of both has
#' these samples.
#'
#' @param object A fit of [llfs()].
#' @inheritParams predict.hitmiss
#' @param type `"class"`: factor. `"prob"`: a matrix, samples x classes: the
#'   softmax of the similarities; with `vote = "spheres"` the similarities
#'   divided by their sum, or where no sphere contains the sample the votes of
#'   the nearest training samples. `"similarity"`: the similarities themselves.
#'   `"spheres"`: a data.frame with a row for every sphere that contains a
#'   sample and votes, which explains the prediction: `sample` and
#'   `representative` (names, or numbers if there are none), `class`,
#'   `distance`, `radius`, `vote` (the evidence for its class, which may be
#'   negative; with `vote = "spheres"` 1 or 0.5), and `features`, the names of
#'   the sphere's features joined by `"; "`; by evidence also columns `for_` and
#'   the class, the evidence for each class. `"features"`: the new data reduced
#'   to selected features.
#' @param n For `type = "features"`: the best `n` of the selected features.
#' @param threads Number of threads, see [hitmiss-package].
#' @return See `type`; with `missing = "drop"` also the attribute `"left"`.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' train <- seq_along(toy$y) %% 2 == 0
#' fit <- llfs(toy$x[train, ], toy$y[train], alpha = 2, threads = 1)
#' test <- toy$x[!train, ]
#' table(toy$y[!train], predict(fit, test, threads = 1))
#' head(predict(fit, test[1, , drop = FALSE], type = "spheres", threads = 1))
#'
#' # New data without a feature that few representatives use:
#' rare <- rev(selected(fit))[1]
#' fewer <- test[, colnames(test) != rare]
#' table(toy$y[!train], predict(fit, fewer, missing = "drop", threads = 1))
#' @export
predict.hitmiss_llfs <- function(object, newdata,
                                 type = c(
                                   "class", "prob", "similarity", "spheres",
                                   "features"
                                 ), n = NULL, ...,
                                 missing = c("error", "drop"), pair = NULL,
                                 threads = NULL) {
  check_no_dots(...)
  check_fit(object, "object")
  # `base::` is written because `missing` is also an argument, which a user may
  # have set to a function.
  if (base::missing(newdata)) abort_missing("newdata")
  type <- check_choice(type)
  missing <- check_choice(missing)
  if (type == "features") {
    return(predict_features(object, newdata, n, missing))
  }
  used <- which(object$scores > 0)
  drop <- missing == "drop"
  values <- as_newdata(
    newdata, names(used), object,
    drop = drop, places = unname(used)
  )
  values <- centre_newdata(object, values, newdata, pair)
  pair <- attr(values, "pair")
  share <- function(names) spheres_left(object, names)
  check_half_left(values, names(used), share, "spheres")
  parts <- split_by_features(values, share)
  samples <- scaled_newdata(object, values, used)
  votes <- run_core("LLFS predict", threads, FALSE, function(runtime) {
    local_votes(object, samples, used, parts$groups, type == "spheres", runtime)
  })
  warn_unlike_training(object, samples, votes$inside)
  result <- switch(type,
    class = vote_labels(votes$predicted, object, values),
    spheres = sphere_table(object, values, votes),
    structure(
      vote_matrix(object, votes, type),
      dimnames = list(rownames(values), object$classes)
    )
  )
  if (type %in% c("class", "prob")) {
    result <- with_evidence(
      result, object, object$local$training[, names(used), drop = FALSE],
      object$local$class, samples, votes$predicted, pair
    )
  }
  if (drop) with_left(result, parts$left, "spheres") else result
}

# Returns the new samples on all features in use, scaled; NA marks a missing
# value.
scaled_newdata <- function(object, values, used) {
  samples <- matrix(NA_real_, nrow(values), length(used),
    dimnames = list(rownames(values), names(used))
  )
  samples[, colnames(values)] <- values
  apply_scaling(samples, object$preprocess, used)
}

# Returns the proportion of spheres that is left in the class that loses most.
spheres_left <- function(object, names) {
  voting <- subset_sizes(object) > 0L
  left <- complete_representatives(object, names)
  min(tapply(left[voting], representative_class(object)[voting], mean))
}

#' Votes of the spheres, computed by groups of samples that have the same
#' features
#'
#' @return As cpp_local_classifier(), for all samples: NA for a sample in no
#'   group.
#' @noRd
local_votes <- function(object, samples, used, groups, want_spheres, runtime) {
  n <- nrow(samples)
  empty <- matrix(NA_real_, n, length(object$classes))
  all <- list(
    similarity = empty, nearest = empty, predicted = rep(NA_integer_, n),
    inside = rep(NA_integer_, n)
  )
  claims <- list()
  for (group in groups) {
    part <- samples[group$rows, , drop = FALSE]
    part[is.na(part)] <- 0 # of features that no voting sphere uses
    votes <- cpp_local_classifier(
      classifier_model(object, used, group$features), part,
      want_spheres, runtime
    )
    all$similarity[group$rows, ] <- votes$similarity
    all$nearest[group$rows, ] <- votes$nearest
    all$predicted[group$rows] <- votes$predicted
    all$inside[group$rows] <- votes$inside
    claims <- c(claims, list(data.frame(
      sample = group$rows[votes$sample], representative = votes$representative,
      distance = votes$distance, vote = votes$vote, votes$evidence
    )))
  }
  claims <- do.call(rbind, claims) %||% data.frame(
    sample = integer(), representative = integer(), distance = numeric(),
    vote = numeric(), empty[0L, ]
  )
  c(all, list(claims = claims[order(claims$sample), ]))
}

#' Warn of new data on another scale, or mostly in no sphere
#'
#' @param inside Number of spheres that contain each sample.
#' @noRd
warn_unlike_training <- function(object, samples, inside) {
  empty <- which(inside == 0L)
  names <- rownames(samples)[empty] %||% empty
  line <- if (length(empty) > 0L) {
    paste0(
      length(empty), " of ", length(inside), " samples ",
      if (length(empty) == 1L) "lies" else "lie", " in no sphere: ",
      listed(names, 5L), "."
    )
  }
  line <- gsub("([{}])", "\\1\\1", line)
  warned <- warn_other_scale(
    samples, object$local$training, unname(object$scores[colnames(samples)]),
    !is.null(object$parameters$pair), if (!is.null(line)) c(i = line),
    samples = names
  )
  judged <- sum(!is.na(inside))
  if (!warned && judged >= 10L && length(empty) > judged / 2) {
    warn(
      c(line, i = if (object$parameters$vote == "evidence") {
        "Their predictions use only the fact that they lie outside all spheres."
      } else {
        "Their predictions use only the nearest training samples."
      }),
      "hitmiss_warning_spheres",
      samples = names
    )
  }
}

vote_matrix <- function(object, votes, type) {
  similarity <- votes$similarity
  if (type == "similarity") {
    return(similarity)
  }
  if (object$parameters$vote == "evidence") {
    return(softmax(similarity))
  }
  empty <- which(rowSums(similarity) == 0)
  similarity[empty, ] <- votes$nearest[empty, ]
  similarity / rowSums(similarity)
}

sphere_table <- function(object, values, votes) {
  local <- object$local
  who <- votes$claims$representative # its number among the training samples
  sphere <- match(who, representatives(object))
  sample <- votes$claims$sample
  features <- vapply(seq_along(local$radius), function(i) {
    paste(names(object$scores)[subset_of(object, i)], collapse = "; ")
  }, "")
  table <- data.frame(
    sample = if (is.null(rownames(values))) {
      sample
    } else {
      unique_names(rownames(values))[sample]
    },
    representative = if (is.null(local$samples)) {
      who
    } else {
      training_names(object)[who]
    },
    class = local$class[who], distance = votes$claims$distance,
    radius = local$radius[sphere], vote = votes$claims$vote,
    features = features[sphere]
  )
  if (object$parameters$vote == "evidence") {
    table[paste0("for_", object$classes)] <- votes$claims[-(1:4)]
  }
  table
}

# Turns rows into probabilities. If classes have infinite densities, they share
# the sample.
softmax <- function(log_joint) {
  most <- apply(log_joint, 1L, max)
  weight <- exp(log_joint - most)
  beyond <- !is.finite(most)
  weight[beyond, ] <- log_joint[beyond, ] == most[beyond]
  weight / rowSums(weight)
}
