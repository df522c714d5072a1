# Layer: use. predict() of a fit of llfs() is the localized classifier.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Classify new samples by the spheres around the representatives
#'
#' A sample lies in the sphere of representative i if their Euclidean distance,
#' in i's own scaled features, is at most i's radius (9). The predicted class is
#' the one with the largest similarity; equation numbers are those of the paper
#' of [llfs()].
#'
#' With `vote = "frames"`, the default of [llfs()], the similarity to class k is
#' the mean of the similarity by evidence, below, and of `f_k(x) = sum_j B_jk
#' kappa(x, x_j)` over the training samples `x_j`, where `kappa = 1 + (F + C) /
#' 2`. `F` is the mean, over the representatives, of `1 / (1 + d^2 / m)`, with
#' `d` the distance of `x` and `x_j` in the `m` features of the representative;
#' `C` is `1 / (1 + D^2)` in the *consensus frame* of all features in use, with
#' `D^2` their mean squared difference, weighted by the roots of the shares of
#' representatives that use them. `B` is a logistic regression: it minimises
#' `-sum_j w_j log softmax(f(x_j))[y_j] + sum_k B_k' kappa B_k / 128`, by steps
#' from 0 that end when `f` changes by less than 0.001, or after 400; `w_j` are
#' the `weights` of the classes.
#'
#' With `vote = "evidence"` every representative gives
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
#' A sample in no sphere gets a class and a `prob` like any other.
#'
#' @section Parts of the similarity:
#' `type = "spheres"` has a row for every sphere that contains a sample and
#' votes: `sample` and `representative` (names, or numbers if there are none),
#' `class`, `distance`, `radius`, `vote` (the evidence for its class, which may
#' be negative; with `vote = "spheres"` 1 or 0.5), and `features`, the names of
#' the sphere's features joined by `"; "`; by evidence also columns `for_` and
#' the class, the evidence for each class.
#'
#' With `vote = "frames"` there is a row for each part of a sample's similarity,
#' and the columns `for_` of its rows add up to it. `part` is `"sphere"` or
#' `"outside"` for a representative whose sphere contains the sample or does not
#' (half of its evidence, with its share in the mean, and of what the regression
#' has of its frame); `"consensus"` for the consensus frame; and `"intercept"`
#' for the intercepts of both and the 1 in `kappa`. `plot(fit, "votes", newdata
#' = )` draws the largest.
#'
#' @section Probabilities:
#' By evidence with `weights = "prior"`, the intercepts make the mean
#' probability of each class its share of the training samples. By
#' `vote = "frames"`, on fourteen sets and on ten others (half splits, `vote.R`
#' of `inst/reproduce`), the log loss was 0.30 and 0.36; the expected
#' calibration error 6.7 points and 7.7. By evidence alone they were 0.32 and
#' 0.37; 6.8 and 7.0. Where the default stated .95 to .99, 95 percent were
#' right. On few samples, or where little can be learned, probabilities may be
#' far off.
# csv: "log loss was 0.30" vote-peers-kinds log_loss vote=frames; kind=open # nolint
# csv: "log loss was 0.30 and 0.36;" vote-peers-kinds log_loss vote=frames; kind=new # nolint
# csv: "error 6.7 points" vote-peers-kinds calibration vote=frames; kind=open # nolint
# csv: "error 6.7 points and 7.7." vote-peers-kinds calibration vote=frames; kind=new # nolint
# csv: "alone they were 0.32" vote-peers-kinds log_loss vote=prior; kind=open # nolint
# csv: "alone they were 0.32 and 0.37;" vote-peers-kinds log_loss vote=prior; kind=new # nolint
# csv: "0.37; 6.8" vote-peers-kinds calibration vote=prior; kind=open # nolint
# csv: "0.37; 6.8 and 7.0." vote-peers-kinds calibration vote=prior; kind=new # nolint
# csv: "stated .95 to .99, 95" vote-peers-certainty right vote=frames; above=0.95 # nolint
#'
#' @section Missing features:
#' With `missing = "drop"`, a representative votes on a sample only if the
#' sample has all of its features. At least half of the representatives of every
#' class must remain (with `type = "features"`: half of the features); otherwise
#' the sample gets `NA`, and the call fails where columns that are absent leave
#' less than that to all samples. The attribute `"left"` of the result is, for
#' each sample, the share that remains in the class that loses most. With `vote
#' = "frames"`, `F` and the weights in `C` are those of the representatives that
#' remain.
#'
#' @section New data unlike the training data: A warning of class
#' `hitmiss_warning_scale` says that many new samples are far from all training
#' samples, see [predict.hitmiss()]; one of class `hitmiss_warning_spheres`,
#' that of at least ten samples more than half lie in no sphere although their
#' values are in range.
#'
#' @param object A fit of [llfs()].
#' @inheritParams predict.hitmiss
#' @param type `"class"`: factor. `"prob"`: a matrix, samples x classes: the
#'   softmax of the similarities; with `vote = "spheres"` the similarities
#'   divided by their sum, or where no sphere contains the sample the votes of
#'   the nearest training samples. `"similarity"`: the similarities themselves.
#'   `"spheres"`: a data.frame that explains the prediction, see "Parts of the
#'   similarity". `"features"`: the new data reduced to selected features.
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
                                 block = NULL, threads = NULL) {
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
  vote <- function(values, groups) {
    # On all features in use; NA marks a missing value.
    samples <- matrix(NA_real_, nrow(values), length(used),
      dimnames = list(rownames(values), names(used))
    )
    samples[, colnames(values)] <- values
    samples <- apply_scaling(samples, object$preprocess, used)
    votes <- run_core("LLFS predict", threads, FALSE, function(runtime) {
      local_votes(object, samples, used, groups, type == "spheres", runtime)
    })
    warn_unlike_training(object, samples, votes$inside)
    list(
      class = votes$predicted, score = vote_matrix(object, votes, type),
      table = if (type == "spheres") sphere_table(object, values, votes),
      training = if (type %in% c("class", "prob")) {
        object$local$training[, names(used), drop = FALSE]
      },
      values = samples
    )
  }
  predict_samples(
    object, newdata, names(used), unname(used), "spheres", missing,
    list(pair, block), type, vote, function(names) spheres_left(object, names),
    # One value that a preparation filled in does not spoil a whole sphere.
    function(names) sum(object$scores[names]) / sum(object$scores[used])
  )
}

# Returns the proportion of spheres that is left in the class that loses most.
# A class without spheres loses none.
spheres_left <- function(object, names) {
  voting <- subset_sizes(object) > 0L
  left <- complete_representatives(object, names)
  class <- droplevels(representative_class(object)[voting])
  min(1, tapply(left[voting], class, mean))
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
      distance = votes$distance, vote = votes$vote, inside = votes$within,
      votes$evidence
    )))
  }
  claims <- do.call(rbind, claims) %||% data.frame(
    sample = integer(), representative = integer(), distance = numeric(),
    vote = numeric(), inside = logical(), empty[0L, ]
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
    in_words("{length(empty)} of {length(inside)} samples
      {cli::qty(length(empty))}{?lies/lie} in no sphere: {listed(names, 5L)}.")
  }
  line <- gsub("([{}])", "\\1\\1", line)
  warned <- warn_other_scale(
    samples, object$local$training, unname(object$scores[colnames(samples)]),
    design_of(object), if (!is.null(line)) c(i = line),
    samples = names
  )
  judged <- sum(!is.na(inside))
  if (!warned && judged >= 10L && length(empty) > judged / 2) {
    warn(
      c(line, i = switch(object$parameters$vote,
        frames = "Their predictions use how similar they are to the training
                  samples, and that they lie outside all spheres.",
        evidence = "Their predictions use only the fact that they lie outside
                    all spheres.",
        "Their predictions use only the nearest training samples."
      )),
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
  if (by_evidence(object)) {
    return(softmax(similarity))
  }
  empty <- which(rowSums(similarity) == 0)
  similarity[empty, ] <- votes$nearest[empty, ]
  similarity / rowSums(similarity)
}

sphere_table <- function(object, values, votes) {
  local <- object$local
  who <- votes$claims$representative # its number among the training samples
  part <- ifelse(who > 0L, "outside", ifelse(
    who == 0L, "consensus", "intercept"
  ))
  who[who < 1L] <- NA
  votes$claims[is.na(who), c("distance", "vote")] <- NA
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
  if (by_evidence(object)) {
    table[paste0("for_", object$classes)] <- votes$claims[-(1:5)]
  }
  if (object$parameters$vote == "frames") {
    part[votes$claims$inside] <- "sphere"
    table <- cbind(table[1:2], part = part, table[-(1:2)])
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

# ---- for reports -------------------------------------------------------------

# Returns the spheres that contain samples; as an attribute, all parts of the
# similarity, where they are known.
near_spheres <- function(said) {
  if (is.null(said$part)) {
    return(said)
  }
  structure(said[said$part == "sphere", ], parts = said)
}

# A new sample in the hypersphere of a training sample is near it in that
# sphere's features.
sphere_words <- function(spheres, key, fit, predicted) {
  all <- table(factor(representative_class(fit)[subset_sizes(fit) > 0L],
    fit$classes))
  times <- table(factor(spheres$class[spheres$sample == key], fit$classes))
  paste(c(
    sprintf(
      paste(
        "It lies near %s training samples (each in the features chosen for",
        "that sample). This count is not a probability."
      ),
      paste(
        sprintf("%d of the %d '%s'", times, all, fit$classes),
        collapse = " and "
      )
    ),
    part_words(attr(spheres, "parts"), key, predicted)
  ), collapse = " ")
}

# Says which parts of the similarity to the predicted class are how large.
part_words <- function(parts, key, predicted) {
  if (is.null(parts) || is.na(predicted)) {
    return(NULL)
  }
  parts <- parts[parts$sample == key, ]
  kinds <- c(
    sphere = "from these", outside = "from the other training samples",
    consensus = "from their features together", intercept = "without any"
  )
  said <- tapply(
    parts[[paste0("for_", predicted)]], factor(parts$part, names(kinds)), sum,
    default = 0
  )
  sprintf(
    "Its similarity to '%s', %.2f, has these parts: %s.", predicted, sum(said),
    toString(sprintf("%.2f %s", said, kinds))
  )
}
