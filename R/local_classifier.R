#' Classify new samples by the spheres around the representatives
#'
#' A sample lies in the sphere of representative i if its Euclidean distance
#' from it, in i's own scaled features, is at most i's radius (9). The
#' similarity to class l is the share of l's representatives whose sphere
#' contains the sample (11), and the class is the most similar one (12). If
#' classes tie, also when no sphere contains the sample, the nearest training
#' samples in all frames vote; if they tie as well, the first level wins.
#'
#' @param object A fit of [llfs()].
#' @inheritParams predict.hitmiss
#' @param type `"class"`: factor. `"prob"`: the similarities divided by their
#'   sum (for `vote = "evidence"`: their softmax), or the nearest neighbours'
#'   votes where no sphere contains the sample; samples x classes.
#'   `"similarity"`: the similarities themselves. `"spheres"`: a data.frame
#'   with a row for every sphere that votes for a sample, the explanation of a
#'   prediction: `sample` and `representative` (names, or numbers if there are
#'   none), `class`, `distance`, `radius`, `vote`, and `features`, the names of
#'   the sphere's features joined by `"; "`, so that [write.csv()] takes the
#'   table. `"features"`: the new data reduced to selected features.
#' @param n For `type = "features"`: the best `n` of the selected features.
#' @param threads Number of threads, as in [llfs()].
#' @return See `type`.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' train <- seq_along(toy$y) %% 2 == 0
#' fit <- llfs(toy$x[train, ], toy$y[train], alpha = 2, threads = 1)
#' test <- toy$x[!train, ]
#' table(toy$y[!train], predict(fit, test, threads = 1))
#' head(predict(fit, test[1, , drop = FALSE], type = "spheres", threads = 1))
#' @export
predict.hitmiss_llfs <- function(object, newdata,
                                 type = c(
                                   "class", "prob", "similarity", "spheres",
                                   "features"
                                 ), n = NULL, ..., threads = NULL) {
  check_no_dots(...)
  check_fit(object, "object")
  if (missing(newdata)) abort_missing("newdata")
  types <- c("class", "prob", "similarity", "spheres", "features")
  type <- check_choice(type, types)
  if (type == "features") {
    return(predict_features(object, newdata, n))
  }
  used <- which(object$scores > 0)
  values <- as_newdata(
    newdata, names(used), names(object$scores), object$assay %||% 1L
  )
  complete <- rowSums(is.na(values)) == 0
  samples <- apply_scaling(
    values[complete, , drop = FALSE], object$preprocess, used
  )
  votes <- run_core("LLFS predict", threads, FALSE, function(runtime) {
    cpp_local_classifier(
      classifier_model(object, used), samples, type == "spheres", runtime
    )
  })
  switch(type,
    class = {
      class <- rep(NA_integer_, nrow(values))
      class[complete] <- votes$predicted
      name_labels(factor(object$classes[class], object$classes), values)
    },
    spheres = sphere_table(object, values, which(complete), votes),
    full_rows(vote_matrix(object, votes, type), complete, values, object)
  )
}

classifier_model <- function(object, used) {
  local <- object$local
  at <- match(seq_len(object$n_features), used)
  list(
    training = local$training, y = local$class,
    features = at[local$subsets@i + 1L], sizes = diff(local$subsets@p),
    radius = local$radius, log_odds = local$log_odds,
    neighbour = object$parameters$neighbour,
    evidence = object$parameters$vote == "evidence"
  )
}

vote_matrix <- function(object, votes, type) {
  similarity <- votes$similarity
  if (type == "similarity") {
    return(similarity)
  }
  if (object$parameters$vote == "evidence") {
    largest <- cbind(seq_len(nrow(similarity)), max.col(similarity, "first"))
    odds <- exp(similarity - similarity[largest])
    return(odds / rowSums(odds))
  }
  empty <- rowSums(similarity) == 0
  similarity[empty, ] <- votes$nearest[empty, ]
  similarity / rowSums(similarity)
}

# NA rows for samples that could not be predicted; names of samples, classes.
full_rows <- function(values, complete, newdata, object) {
  result <- matrix(NA_real_, length(complete), length(object$classes),
    dimnames = list(rownames(newdata), object$classes)
  )
  result[complete, ] <- values
  result
}

name_labels <- function(labels, newdata) {
  names(labels) <- rownames(newdata)
  labels
}

sphere_table <- function(object, values, rows, votes) {
  local <- object$local
  who <- votes$representative
  sample <- rows[votes$sample]
  features <- vapply(seq_along(local$radius), function(i) {
    paste(rownames(local$subsets)[which(local$subsets[, i])], collapse = "; ")
  }, "")
  data.frame(
    sample = if (is.null(rownames(values))) sample else rownames(values)[sample],
    representative = if (is.null(local$samples)) who else local$samples[who],
    class = local$class[who], distance = votes$distance,
    radius = local$radius[who], vote = votes$vote, features = features[who]
  )
}
