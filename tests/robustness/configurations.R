# Random configurations of the metamorphic battery: a verb with its options, an
# outcome, a design, and data of some kind; and what comes of one. What is drawn
# depends on R's random stream alone.
# SPDX-License-Identifier: GPL-3.0-or-later

pick <- function(values) values[[sample.int(length(values), 1L)]]

# What words in braces stand for.
options_of_calls <- list(
  `{k}` = c("NULL", 1, 3, 10), `{metric}` = c("'manhattan'", "'euclidean'"),
  `{hubs}` = c("'none'", "'centre'"), `{scale}` = c("'range'", "'zscore'"),
  `{near}` = c("'relief'", "'map'", "'surf'", "'multisurfstar'", "'parzen'"),
  `{vote}` = c("'frames'", "'spheres'"), `{classifier}` = c("'own'", "'knn'"),
  `{prepare}` = c("NULL", "prepare_impute()"),
  `{select}` = c("relief", "few", "logo", "kbfs"),
  `{ranker}` = c("relief", "few")
)

few <- function(x, y) turf(x, y, relief, n_stop = 5)
tune <- function(...) tuned(relief, k = c(1, 4), resampling = kfold(2), ...)
sizes <- c(2, 5, 20)

verbs <- list(
  classes = c(
    relieff = "relief(x, y, k = {k}, hubs = {hubs}, metric = {metric}, ...)",
    relief = "relief(x, y, {near}, scale = {scale}, ...)",
    irelief = "relief(x, y, 'irelief', scale = {scale}, ...)",
    sampled = "relief(x, y, samples = 10, ...)",
    logo = "logo(x, y, scale = {scale}, ...)",
    kbfs = "kbfs(x, y, n = 8, scale = {scale}, ...)",
    pwfp = "pwfp(x, y, scale = {scale}, ...)",
    llfs = "llfs(x, y, 2, beta = c(0, 0.5, 1), vote = {vote}, ...)",
    turf = "turf(x, y, n_stop = 4)", scores = "reference_scores(x, y)",
    tuned = "tune(classifier = {classifier}, prepare = {prepare})(x, y, ...)",
    curve = "error_curve(x, y, {select}, sizes, {classifier}, kfold(3), ...)"
  ),
  numbers = c(
    rrelieff = "relief(x, y, 'rrelieff', k = {k}, metric = {metric}, ...)"
  ),
  survival = c(
    srelieff = "relief(x, y, k = {k}, hubs = {hubs}, scale = {scale}, ...)",
    turf = "turf(x, y, n_stop = 4)", scores = "reference_scores(x, y, 'cox')",
    tuned = "tune(classifier = {classifier}, prepare = {prepare})(x, y, ...)",
    curve = "error_curve(x, y, {ranker}, sizes, {classifier}, kfold(3), ...)"
  )
)

# Kinds of values, made of normal ones with a signal in the first columns.
kinds <- list(
  normal = identity, skewed = exp, categories = identity,
  counts = \(x) array(rpois(length(x), exp(x - 1.5)), dim(x)),
  `on and off` = \(x) pmax(x - 0.5, 0),
  ties = \(x) pmin(pmax(round(x), 0), 2),
  copies = \(x) replace(x, col(x) %in% 4:6, x[, 1:3]),
  missing = \(x) replace(x, col(x) > 1 & runif(length(x)) < 0.15, NA)
)

#' A random configuration.
#'
#' @return list(outcome, verb, call: text, kind, design; fit, curve: is that
#'   what it gives?; random: does it depend on the order of the samples?;
#'   misses: does it take missing values?; rounding: of its scores; seed of the
#'   call; n: how many features predict) and its data.
random_case <- function() {
  outcome <- pick(names(verbs)[c(1, 1, 1, 2, 3, 3)])
  verb <- pick(names(verbs[[outcome]]))
  call <- verbs[[outcome]][[verb]]
  for (name in names(options_of_calls)) {
    call <- sub(name, pick(options_of_calls[[name]]), call, fixed = TRUE)
  }
  misses <- verb %in% c("relieff", "rrelieff", "srelieff")
  kind <- pick(setdiff(names(kinds), if (!misses) c("missing", "categories")))
  designs <- c("group", if (verb != "curve" || outcome == "classes") "block",
    if (outcome == "classes" && kind != "categories") "pair")
  alone <- !grepl("...", call, fixed = TRUE) || grepl("few", call)
  design <- if (alone) "none" else pick(c("none", designs))
  c(list(
    outcome = outcome, verb = verb, call = call, kind = kind, design = design,
    fit = !verb %in% c("scores", "curve"), curve = verb == "curve",
    random = verb %in% c("sampled", "llfs", "tuned", "curve"), misses = misses,
    rounding = if (verb %in% c("logo", "irelief", "kbfs")) 0.05 else 1e-8,
    seed = sample.int(1e6L, 1L), n = pick(c(3, 7, 50))
  ), random_data(outcome, kind, design))
}

#' @return list(x, y, given: the design; new: eight new samples, pair: theirs).
random_data <- function(outcome, kind, design) {
  n <- 2L * sample(16:24, 1L)
  pair <- rep(seq_len(n / 2), each = 2L)
  # A class may be rare.
  code <- if (design == "pair") 1:2 else pick(list(1:2, 1:3, c(1:3, 1:3, 4)))
  signal <- if (outcome == "classes") rep_len(code, n) else rnorm(n, sd = 2)
  y <- switch(outcome, classes = factor(letters[signal]), numbers = signal,
    survival = survival::Surv(
      round(100 * exp(-signal / 2) * rexp(n) + 0.01, 1), rep_len(c(1, 1, 0), n)
    )
  )
  x <- random_values(kind, signal)
  new <- seq_len(n) <= 8L
  given <- switch(design,
    group = list(group = sample(pair)), pair = list(pair = pair),
    block = list(block = sample(rep_len(1:2, n)))
  )
  list(
    x = x[!new, ], y = y[!new], given = lapply(given, `[`, !new),
    new = x[new, ], pair = if (design == "pair") pair[new]
  )
}

random_values <- function(kind, signal) {
  n <- length(signal)
  x <- matrix(rnorm(n * sample(8:40, 1L)), n)
  x[, 1:3] <- x[, 1:3] + signal
  # The last are of one value in most training parts, and in all samples.
  x <- cbind(kinds[[kind]](x), matrix(rbinom(n * 3L, 1L, 0.04), n), 1)
  dimnames(x) <- list(paste0("sample", 1:n), paste0("g", seq_len(ncol(x))))
  if (kind == "categories") {
    x <- as.data.frame(x)
    x[2:5] <- lapply(x[2:5], \(v) factor(letters[1 + (v > 0) + (v > 2)]))
  }
  x
}

# ---- what comes of a case ---------------------------------------------------

perform_case <- function(case) {
  set.seed(case$seed)
  call <- eval(parse(text = paste("function(x, y, ...)", case$call)))
  do.call(call, c(list(case$x, case$y), case$given, case$threads))
}

#' All that a case gives: named vectors; of one that is refused the error.
answers <- function(case) {
  tryCatch(
    facts(perform_case(case), case),
    hitmiss_error = \(e) list(refused = class(e)[[1L]])
  )
}

facts <- function(object, case) {
  if (case$curve) {
    return(list(value = curve_values(object), lists = curve_lists(object)))
  }
  scores <- list(score = if (case$fit) coef(object) else object)
  c(scores, if (case$fit) predictions(object, case))
}

# Of the first selector, by split and size.
curve_values <- function(curve) {
  curve$results$value[curve$results$selector == names(curve$selections)]
}

# The names of a list in one text.
curve_lists <- function(curve) {
  unlist(lapply(curve$selections[[1L]], function(at) {
    if (!is.list(at)) at <- lapply(sizes, \(n) utils::head(at, n))
    vapply(at, \(at) toString(curve$features[at]), "")
  }))
}

predictions <- function(fit, case, new = case$new, n = case$n) {
  types <- switch(case$outcome, classes = c("class", "prob"),
    numbers = "response", survival = c("risk", "survival")
  )
  given <- list(fit, new, n = n, pair = case$pair)
  given <- given[c(TRUE, TRUE, case$verb != "llfs", !is.null(case$pair))]
  lapply(setNames(types, types), function(type) {
    found <- as.matrix(do.call(predict, c(given, type = type)))
    columns <- colnames(found)[col(found)]
    setNames(as.vector(found), paste(rownames(found)[row(found)], columns))
  })
}

#' The list of which predictions and curves are made.
usual_list <- function(fit, n) {
  turns <- class(fit)[[1L]] == "hitmiss_relief" && length(fit$classes) > 2L
  ranks <- !identical(fit$parameters$method, "irelief")
  selected(fit, n, by = if (turns && ranks) "class" else "score")
}
