# Random configurations of the metamorphic battery: a call, an outcome, a design
# and data of some kind; and what comes of one. What is drawn depends on R's
# random stream alone.
# SPDX-License-Identifier: GPL-3.0-or-later

pick <- function(values) values[[sample.int(length(values), 1L)]]

few <- function(x, y) turf(x, y, relief, n_stop = 5)
sizes <- c(2, 5, 20)

# By outcome; the dots are a design. For selectors see helper-contract.R.
calls <- list(
  classes = c(
    sprintf("selectors[['%s']](x, y, ...)", names(selectors)),
    "relief(x, y, ...)", "relief(x, y, samples = 10, ...)",
    "relief(x, y, k = 1, metric = 'euclidean', weighting = 'prior', ...)",
    "turf(x, y)", "turf(x, y, n_stop = 4)", "reference_scores(x, y)",
    "tuned(relief, k = c(1, 4))(x, y, ...)",
    "tuned(relief, prepare = prepare_impute())(x, y, ...)",
    "error_curve(x, y, relief, sizes, 'own', kfold(3), ...)",
    "error_curve(x, y, logo, sizes, 'knn', kfold(3), ...)",
    "error_curve(x, y, few, sizes, 'own', kfold(3))"
  ),
  numbers = "relief(x, y, 'rrelieff', ...)",
  survival = c(
    "relief(x, y, ...)", "relief(x, y, hubs = 'none', scale = 'zscore', ...)",
    "relief(x, y, k = 3, metric = 'euclidean', ...)",
    "turf(x, y, n_stop = 4)", "reference_scores(x, y, 'cox')",
    "tuned(relief, k = c(3, 9), classifier = 'knn')(x, y)",
    "error_curve(x, y, relief, sizes, 'own', kfold(3))",
    "error_curve(x, y, relief, sizes, 'knn', kfold(3))"
  )
)

# Kinds of values, made of normal ones with a signal in the first columns.
kinds <- list(
  normal = identity, skewed = exp, ties = \(x) pmin(pmax(round(x), 0), 2),
  `on and off` = \(x) pmax(x - 0.5, 0), categories = identity,
  counts = \(x) array(rpois(length(x), exp(x - 1.5)), dim(x)),
  missing = \(x) replace(x, col(x) > 1 & runif(length(x)) < 0.15, NA)
)

#' A random configuration.
#'
#' @return list(outcome, kind, design; call: text; curve, fit: is that what it
#'   gives?; random: does it depend on the order of the samples?; holed: does it
#'   take missing values?; rounding: of its scores; smooth: exact but for
#'   rounding, and without ties?; seed of the call; n: how many features
#'   predict) and its data: x, y, unit: group, block or pair; new: eight new
#'   samples, pair: theirs.
random_case <- function() {
  outcome <- pick(names(calls)[c(1, 1, 1, 2, 3, 3)])
  call <- pick(calls[[outcome]])
  holed <- startsWith(call, "relief(") && !grepl("samples", call)
  kind <- pick(setdiff(names(kinds), if (!holed) c("missing", "categories")))
  designs <- c("none", "group", "block", if (outcome == "classes") "pair")
  design <- if (grepl("...", call, fixed = TRUE)) pick(designs) else "none"
  given <- if (design == "none") "" else sprintf(", %s = unit", design)
  rounding <- if (grepl("logo|irelief|kbfs", call)) 0.05 else 1e-8
  c(list(
    outcome = outcome, kind = kind, design = design, holed = holed,
    call = sub(", ...", given, call, fixed = TRUE),
    curve = startsWith(call, "error_curve"),
    fit = !grepl("reference_scores|error_curve", call),
    random = grepl("llfs|samples|tuned|error_curve", call), rounding = rounding,
    smooth = kind == "normal" && rounding < 0.05,
    seed = sample.int(1e6L, 1L), n = pick(c(3, 7, 50))
  ), random_data(outcome, kind, design))
}

random_data <- function(outcome, kind, design) {
  n <- 2L * sample(16:24, 1L)
  # A class may be rare.
  code <- if (design == "pair") 1:2 else pick(list(1:2, 1:3, c(1:3, 1:3, 4)))
  signal <- if (outcome == "classes") rep_len(code, n) else rnorm(n, sd = 2)
  time <- round(exp(5 - signal / 2) * rexp(n), 1) + 0.1
  y <- switch(outcome,
    classes = factor(letters[signal]), numbers = signal,
    survival = survival::Surv(time, rep_len(c(1, 1, 0), n))
  )
  x <- matrix(rnorm(n * sample(8:40, 1L)), n)
  x[, 1:3] <- x[, 1:3] + signal
  # The last are of one value in most training parts, and in all samples.
  x <- cbind(kinds[[kind]](x), matrix(rbinom(n * 3L, 1L, 0.04), n), 1)
  dimnames(x) <- list(paste0("sample", 1:n), paste0("g", seq_len(ncol(x))))
  if (kind == "categories") x <- within(data.frame(x), g2 <- cut(g2, 3L))
  pair <- rep(seq_len(n / 2), each = 2L)
  unit <- switch(design, group = sample(pair), block = sample(pair %% 2), pair)
  new <- seq_len(n) <= 8L
  list(
    x = x[!new, ], y = y[!new], unit = unit[!new], new = x[new, ],
    pair = if (design == "pair") unit[new]
  )
}

# ---- what comes of a case ---------------------------------------------------

perform_case <- function(case) {
  set.seed(case$seed)
  eval(str2lang(case$call), case)
}

#' All that a case gives: named vectors; of one that is refused the error.
answers <- function(case) {
  refused <- \(e) list(refused = class(e)[[1L]])
  tryCatch(facts(perform_case(case), case), hitmiss_error = refused)
}

facts <- function(made, case) {
  if (case$curve) {
    rows <- made$results$selector == names(made$selections)
    return(list(lists = curve_lists(made), value = made$results$value[rows]))
  }
  score <- if (case$fit) coef(made) else made
  # Else all samples get the largest class, of several the first.
  votes <- case$fit && any(usual_list(made, case$n) %in% made$selected)
  c(list(score = score), if (votes) predictions(made, case))
}

# The names of each list in one text, by split and size.
curve_lists <- function(curve) {
  unlist(lapply(curve$selections[[1L]], function(at) {
    if (!is.list(at)) at <- lapply(sizes, \(n) utils::head(at, n))
    vapply(at, \(at) toString(curve$features[at]), "")
  }))
}

# Half of the cases do not leave their type to predict().
predictions <- function(fit, case, new = case$new, n = case$n) {
  given <- list(fit, new, pair = case$pair)
  if (!grepl("llfs", case$call)) given$n <- n
  types <- c(classes = "prob", numbers = "response", survival = "survival")
  if (case$seed %% 2L == 0L) given$type <- types[[case$outcome]]
  found <- as.matrix(do.call(predict, given))
  names <- paste(rownames(found)[row(found)], colnames(found)[col(found)])
  list(predicted = setNames(as.vector(found), names))
}

#' The list of which predictions and curves are made.
usual_list <- function(fit, n) {
  turns <- inherits(fit, "hitmiss_relief") && length(fit$classes) > 2L
  if (identical(fit$parameters$method, "irelief")) turns <- FALSE
  selected(fit, n, by = if (turns) "class" else "score")
}
