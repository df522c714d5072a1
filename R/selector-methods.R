# Layer: use. All fits have these methods, whatever their selector.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Methods for fits
#'
#' These functions work on the fits of all selectors of this package. A fit is
#' plain R data and can be saved with [saveRDS()].
#'
#' @param x,object A fit of [llfs()], [logo()], [relief()], [kbfs()] or
#'   [pwfp()].
#' @param n Number of features, counted from the best; `NULL` for all that the
#'   method selected. Rankings select no features of their own: `selected()`
#'   then needs `n`.
#' @param class A class: only features whose column `class` it is (see
#'   Direction). With two classes every feature belongs to both (up in one, down
#'   in the other). For [llfs()], `selected()` gives the
#'   features that representatives of this class use, most used first.
#' @param by Order of the list: by `"score"`, or by `"class"`, see Lists for
#'   every class.
#' @param direction `"up"` or `"down"`: only features that are so in `class`,
#'   or, without it, in their own class.
#' @param signed Give the scores the sign of the difference, positive class
#'   minus the other? See Direction.
#' @param positive With `signed`: the positive one of the two classes; `NULL`:
#'   the first level (of logical labels `TRUE`), which a message names.
#' @param digits Number of digits that are printed.
#' @param row.names,optional Ignored.
#' @param stringsAsFactors Turn texts of the table into factors?
#' @param ... Must be empty.
#' @return
#' * `print()`: the fit, invisibly; `summary()`: an object that prints more.
#' * `coef()`: the scores, a named numeric vector in the order of the columns.
#' * `selected()`: names of the selected features, best first; possibly
#'   `character(0)`. For a ranking, the best `n` features that are not constant.
#' * `as.data.frame()`, `tidy()`: a data.frame with a row per feature, best
#'   first: `rank`, `feature`, annotation columns, `score`, `selected` (`NA` for
#'   a ranking), the direction (see below), and for [llfs()] the share of each
#'   class's representatives that use the feature. `tidy()` gives a tibble where
#'   package tibble is installed.
#' * `top_features()`, `head()`: its first `n` rows.
#' * `glance()`: a data.frame with one row: method, sizes, status, seconds, and
#'   of survival times `n_events`;
#'   `residual` is the change in the last iteration (of [llfs()] see there);
#'   `n_selected` is `NA` for a ranking.
#' * `caret::predictors()`: the features by which `predict()` predicts;
#'   `caret::varImp()`: a data.frame of the scores, as caret has them.
#'
#' [update()] calls the selector again with other arguments, and [formula()]
#' gives the formula of a fit. Package stabs has a `selected()` too, which finds
#' these methods: either package may be attached last.
#'
#' @section Rankings:
#' [pwfp()] and [relief()] (except with `method = "irelief"`) order the features
#' and select none: a score above 0 does not show that a feature is relevant,
#' because about half of all noise features have one. To choose how many of the
#' best features to use, see [error_curve()] with [best_size()], and
#' [probe_fdr()].
#' @section Scores:
#' A score orders the features of one fit. It depends on the method and its
#' settings, on the number and the classes of the samples, and of most methods
#' on all other features, because they decide which samples are near. Scores of
#' two methods, two settings or two data sets are therefore not comparable;
#' ranks, `effect`, and the q of [probe_fdr()] are. In the table of a fit of
#' [llfs()], `class` (see Direction) goes by means, and the shares by use: the
#' class in which the mean of a feature differs most may have no representative
#' that uses it.
#' @section Lists for every class: With three or more classes, one may fill the
#' top of a ranking, so that its first features do not tell the others apart.
#' `selected(fit, n, by = "class")` takes turns: in each round every class gives
#' the best feature that no class has given, and the larger margin comes first.
#' With `relief(method = "relieff")` these are the margins of a class against
#' the rest, `fit$class_margins`: half the mean margin of its samples, plus half
#' the mean, over all other samples, of the difference from their near ones of
#' this class less that from their near hits. In other fits a class gives the
#' features that name it in the column `class`, by rank (features of no class
#' take turns as well). Features without a margin, or score, above 0 come last.
#' A class of three to nine samples takes part in as many of ten rounds as it
#' has samples, one of fewer in none: few samples choose many features by
#' chance. With three or more classes this is the list of a ranking of
#' [relief()] that `predict(fit, n = )`, [error_curve()], [plot_heatmap()],
#' [write_report()] and recipes use; `print()` says how many of the best
#' features each class has. Other fits are used by score.
#' @section Direction:
#' A score does not show in which direction a feature differs between the
#' classes. The tables do, on the original scale of the data and over the
#' labelled training samples: `class`, the class whose mean is farthest from the
#' mean of the other classes' means (with two classes that have values, the one
#' in which the feature is higher; `NA` where classes tie, as for a constant
#' feature);
#' `direction`, `"up"` or `"down"` in that class; `difference`, its mean minus
#' that mean of means (with two classes and values that are logarithms, the log
#' fold change); `effect_raw`, this difference divided by the pooled standard
#' deviation within classes; `effect`, that which is expected on new samples;
#' and `mean_` followed by the name of a class, its mean there. In a fit with
#' `pair`, each pair counts once, and `effect_raw` is the mean difference within
#' pairs divided by the standard deviation of these differences (Cohen's d of
#' paired samples). In a fit with `block`, `difference` is the mean over blocks
#' of the differences inside them, with the weights n_1 n_2 / (n_1 + n_2) of the
#' classes' numbers of samples there (with more classes the inverse of the
#' variance), `effect_raw` is this divided by the standard deviation within
#' class and block, and `class` and `direction` go by them: a batch cannot
#' reverse them, while it moves the means. With `group` each group counts once,
#' see [hitmiss-designs]. A feature that acts only in
#' interaction with others may have equal means. With survival times the tables
#' have `direction`, `effect`, `effect_raw` and `z` of Cox's score test, see
#' [relief()], by which `direction =` and `signed` go.
#'
#' Differences and raw effects of the best features are too large, because these
#' were chosen for them. `effect` is shrunken by empirical Bayes over all
#' features (Stephens 2017): effects over their standard errors, on the normal
#' scale, are taken as normal noise around values from a mixture of normals
#' (standard deviations 0, 0.5, 1, 2, 3, 4, 6, 8, 12), whose weights are learned
#' from all features by 200 steps of the EM algorithm with a prior count of 5
#' for 0. A share of each raw effect is left, the mean of the posterior. Of
#' fewer than 50 features it is not shrunken. `effect` and `effect_raw` are `NA`
#' where a class has one or two samples, which do not show its spread.
#'
#' The markers of a class are the features that are up in it:
#' `selected(fit, n = 20, class = "ALL", direction = "up")`. For gene-set
#' enrichment, `coef(fit, signed = TRUE)` orders all features from the best that
#' are lower to the best that are higher in the positive class. Its values are
#' the scores less the lowest score, with a minus where the feature is lower
#' there; 0 where the means are equal, and for the last feature. Features of one
#' score, such as those that [logo()] and [llfs()] do not select, are ordered by
#' `effect` and spread evenly up to the next higher score, so that none tie. Of
#' fits whose ranking is not that of their scores, the ranks take the place of
#' the scores.
#'
#' ```
#' stats <- coef(fit, signed = TRUE, positive = "tumour")
#' pathways <- fgsea::gmtPathways("hallmark.gmt")
#' fgsea::fgsea(pathways, stats[stats != 0])
#' ```
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- logo(toy$x, toy$y, threads = 1)
#' fit
#' selected(fit)
#' top_features(fit, 3)
#' glance(fit)
#' update(fit, lambda = 2)$parameters$lambda
#' @references
#' `r reference("shrunken_effects")`
#' @name hitmiss-methods
NULL

#' @rdname hitmiss-methods
#' @export
#' @rawNamespace S3method(stabs::selected,hitmiss)
#' S3method(stabs::selected,hitmiss_fdr)
#' S3method(stabs::selected,hitmiss_stability)
selected <- function(x, ...) UseMethod("selected")

#' @export
selected.default <- function(x, ...) abort_no_fit("selected", x)

#' @rdname hitmiss-methods
#' @export
selected.hitmiss <- function(x, n = NULL, class = NULL, direction = NULL,
                             by = c("score", "class"), ...) {
  check_no_dots(...)
  check_fit(x)
  by <- check_choice(by)
  if (is.null(n) && is_ranker(x)) {
    abort_input(c(
      "{.arg n} is missing: this fit ({method_label(x)}) ranks all features and
       does not choose how many to select.",
      i = "Say how many, as in {.code selected(fit, n = 20)}. {.fn best_size} of
           an {.fn error_curve} finds a number, and {.fn probe_fdr} estimates
           how many of them are false."
    ), "n")
  }
  if (!is.null(class) && inherits(x, "hitmiss_llfs")) {
    names <- features_of_class(x, class, direction)
  } else {
    names <- ranked_features(x)
    if (by == "class") {
      turns <- fit_kind(x)$in_turn(x, match(names, names(x$scores)))
      names <- names(x$scores)[turns]
    }
    if (!is.null(class) || !is.null(direction)) {
      rows <- match(names, names(x$scores))
      names <- names[fit_kind(x)$of_class(x, rows, class, direction)]
    }
  }
  best_of(names, n)
}

class_sizes <- function(x) {
  tabulate(x$training$y %||% x$local$class, length(x$classes))
}

#' Positions of features in turn: in each round every class gives its best one
#' that no class has given, larger margin first
#'
#' The margins are those of a class against the rest. In a fit without them a
#' feature belongs to one class, that of its column `class` (those of no class
#' are one more class), and counts by its rank. Features without a margin, or
#' score, above 0 come last. Few samples show badly which features tell their
#' class apart: a class of less than ten takes part in as many of ten rounds as
#' it has samples, one of less than three in none.
#' @param rows Positions, best first.
#' @noRd
in_turn <- function(x, rows) {
  turns <- pmin(10, class_sizes(x))
  rare <- which(turns < 3)
  margins <- x$class_margins[rows, , drop = FALSE]
  if (is.null(margins)) {
    class <- farthest_class(class_contrasts(x, rows))
    class[class %in% c(NA, rare)] <- length(x$classes) + 1L
    turns <- c(turns, 10)
    margins <- outer(class, seq_len(length(x$classes) + 1L), "==") *
      (x$scores[rows] > 0) * rev(seq_along(rows))
  }
  margins[, rare] <- 0
  classes <- seq_len(ncol(margins))
  left <- lapply(classes, function(c) {
    utils::head(order(-margins[, c]), sum(margins[, c] > 0))
  })
  given <- logical(length(rows))
  rounds <- list()
  place <- rep(1L, length(classes))
  repeat {
    best <- vapply(classes, function(c) left[[c]][place[[c]]], 0L)
    stale <- which(given[best])
    if (length(stale) > 0L) {
      place[stale] <- place[stale] + 1L
      next
    }
    if (all(is.na(best))) break
    round <- length(rounds) + 1L
    best[ceiling(round * turns / 10) == ceiling((round - 1) * turns / 10)] <- NA
    best <- best[order(-margins[cbind(best, classes)], na.last = NA)]
    given[best] <- TRUE
    rounds[[round]] <- unique(best)
  }
  rows[c(unlist(rounds), which(!given))]
}

# Returns the positions of all ranked features in the order of the list that
# predictions, curves and pictures are made of.
usual_order <- function(x) {
  rows <- x$ranking[seq_len(x$n_ranked)]
  turns <- inherits(x, "hitmiss_relief") && is_ranker(x) &&
    length(x$classes) > 2L
  if (turns) in_turn(x, rows) else rows
}

# Returns the names of the features that a list may hold.
usual_list <- function(x) {
  names <- names(x$scores)[usual_order(x)]
  names[names %in% ranked_features(x)]
}

best_of <- function(names, n) {
  if (is.null(n)) names else utils::head(names, check_top(n))
}

# Returns the features that representatives of a class use, most used first.
features_of_class <- function(x, class, direction) {
  share <- class_shares(x)[, check_choice(class, x$classes, "class")]
  best <- order(-share)
  best <- best[share[best] > 0]
  if (!is.null(direction)) {
    direction <- check_choice(direction, c("up", "down"), "direction")
    sign <- sign(class_contrasts(x, best)[, match(class, x$classes)])
    best <- best[sign == if (direction == "up") 1 else -1]
  }
  names(x$scores)[best]
}

#' @rdname hitmiss-methods
#' @export
top_features <- function(x, ...) UseMethod("top_features")

#' @export
top_features.default <- function(x, ...) abort_no_fit("top_features", x)

#' @rdname hitmiss-methods
#' @export
top_features.hitmiss <- function(x, n = 10, class = NULL, direction = NULL,
                                 ...) {
  check_no_dots(...)
  check_fit(x)
  n <- check_top(n)
  if (is.null(class) && is.null(direction)) {
    return(feature_table(x, n))
  }
  at <- fit_kind(x)$of_class(x, x$ranking, class, direction)
  feature_table(x, n, ranks = which(at))
}

#' @rdname hitmiss-methods
#' @importFrom utils head
#' @export
head.hitmiss <- function(x, n = 6, ...) top_features(x, n, ...)

#' @rdname hitmiss-methods
#' @export
coef.hitmiss <- function(object, signed = FALSE, positive = NULL, ...) {
  check_no_dots(...)
  scores <- check_fit(object, "object")$scores
  if (!check_flag(signed)) {
    if (!is.null(positive)) {
      abort_input("{.arg positive} needs {.code signed = TRUE}.", "positive")
    }
    return(scores)
  }
  side <- fit_kind(object)$signed(object, positive)
  signed_scores(object, side$contrast, side$effect)
}

signed_contrasts <- function(fit, positive) {
  if (length(fit$classes) != 2L) {
    abort_input(c(
      "{.arg signed} needs two classes; this fit has {length(fit$classes)}.",
      i = "The column {.field class} of {.fn tidy} says where each feature is up
           or down."
    ), "signed")
  }
  class <- positive_class(positive, fit$classes)
  if (is.null(positive)) {
    inform_positive(class, "values above 0 are higher in it")
  }
  rows <- seq_along(fit$scores)
  at <- match(class, fit$classes)
  contrast <- class_contrasts(fit, rows)[, at]
  # Of a feature that a class lacks, no direction is known.
  lacking <- !is.null(fit$present) & is.na(contrast)
  contrast[lacking & !names(fit$scores) %in% names(fit$levels)] <- 0
  list(contrast = contrast, effect = contrast / feature_spread(fit, rows, at))
}

#' Scores above the lowest one, with the sign of the difference of the means
#'
#' Features of one score, such as those that a method did not select, come in
#' the order of their effect, evenly spaced up to the next score: an enrichment
#' analysis orders by these values alone.
#' @param contrast,effect Of every feature: the sign, and the order in ties.
#' @noRd
signed_scores <- function(fit, contrast, effect) {
  scores <- fit$scores
  # The order may differ from that of the scores: TuRF ranks by rounds, and
  # kbfs() can rank by entry.
  if (is.unsorted(-scores[fit$ranking])) {
    scores[fit$ranking] <- rev(seq_along(scores))
  }
  # Scores that differ only by rounding are equal.
  size <- max(abs(scores), 1e-300)
  scores <- round(scores / size, 12L) * size
  best <- order(-scores, -abs(effect), seq_along(scores))
  level <- rle(unname(scores[best]))
  n <- level$lengths
  higher <- c(level$values[[1L]] + 1, level$values[-length(n)])
  scores[best] <- scores[best] +
    rep(higher - level$values, n) * (rep(n, n) - sequence(n)) / rep(n, n)
  (scores - min(scores)) * sign(contrast)
}

#' @rdname hitmiss-methods
#' @export
as.data.frame.hitmiss <- function(x, row.names = NULL, optional = FALSE, ...,
                                  stringsAsFactors = FALSE) {
  check_no_dots(...)
  with_factors(feature_table(check_fit(x), x$n_features), stringsAsFactors)
}

# data.frame(), tibble::as_tibble() and write.csv() pass this argument to every
# method of as.data.frame().
with_factors <- function(table, stringsAsFactors) {
  text <- check_flag(stringsAsFactors) & vapply(table, is.character, NA)
  table[text] <- lapply(table[text], factor)
  table
}

#' @return What the methods of [hitmiss-methods] return.
#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @rdname hitmiss-methods
#' @export
tidy.hitmiss <- function(x, ...) {
  check_no_dots(...)
  tidy_table(as.data.frame(x))
}

# Returns a tibble if package tibble is installed.
tidy_table <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) {
    table <- tibble::as_tibble(table, .name_repair = "minimal")
  }
  table
}

#' @rdname hitmiss-methods
#' @export
glance.hitmiss <- function(x, ...) {
  check_no_dots(...)
  check_fit(x)
  table <- data.frame(
    method = method_name(x), n_samples = x$n_samples,
    n_features = x$n_features,
    n_classes = if (length(x$classes) > 0L) length(x$classes) else NA_integer_,
    n_selected = if (is_ranker(x)) NA_integer_ else length(x$selected),
    status = x$report$status,
    iterations = x$report$iterations, residual = x$report$residual,
    seconds = x$report$seconds, threads = x$report$threads
  )
  table$n_events <- x$n_events
  table
}

# ---- for caret ---------------------------------------------------------------

#' @rdname hitmiss-methods
#' @exportS3Method caret::predictors
predictors.hitmiss <- function(x, ...) {
  check_no_dots(...)
  best_of(usual_list(check_fit(x)), default_n(x))
}

#' @rdname hitmiss-methods
#' @exportS3Method caret::varImp
varImp.hitmiss <- function(object, ...) {
  check_no_dots(...)
  data.frame(Overall = stats::coef(object))
}

# ---- shared pieces ----------------------------------------------------------

#' First `n` rows of the table of features, best first
#'
#' @param means Include the means by class, and raw effects?
#' @param ranks Of these only.
#' @noRd
feature_table <- function(x, n, means = TRUE, ranks = seq_along(x$ranking)) {
  ranks <- ranks[seq_len(min(n, length(ranks)))]
  rows <- x$ranking[ranks]
  name <- names(x$scores)[rows]
  # list2DF() is used because data.frame() and cbind() take longer than all else
  # here.
  table <- list2DF(list(
    rank = ranks, feature = name, score = unname(x$scores[rows]),
    selected = if (is_ranker(x)) rep(NA, length(rows)) else name %in% x$selected
  ))
  table <- join_columns(table, fit_kind(x)$direction(x, rows, means))
  join_annotation(
    join_columns(table, extra_columns(x, rows)),
    x$annotation[rows, , drop = FALSE]
  )
}

# Returns a table with more columns, whose names give way to its own.
join_columns <- function(table, more) {
  if (length(more) == 0L) {
    return(table)
  }
  own <- names(table)
  # Columns are assigned because cbind() would change names that are not
  # syntactic.
  table[length(own) + seq_along(more)] <- unclass(more)
  names(table) <- make.unique(c(own, names(more)))
  table
}

#' The same with the annotation of the rows, behind the column `feature`
#' @param annotation A data.frame, or NULL.
#' @noRd
join_annotation <- function(table, annotation) {
  n <- length(table)
  table <- join_columns(table, annotation)
  first <- seq_len(match("feature", names(table)))
  table[c(first, n + seq_along(annotation), seq_len(n)[-first])]
}

# Says in which class features differ most from the others, how, and by how
# much.
class_direction <- function(x, rows, means) {
  contrast <- class_contrasts(x, rows)
  at <- farthest_class(contrast)
  at[x$preprocess$constant[rows]] <- NA
  difference <- contrast[cbind(seq_along(at), at)]
  effect <- effects_of(x, rows, at)
  table <- list2DF(list(
    class = x$classes[at],
    direction = c("down", "up")[1L + (difference > 0)],
    difference = difference, effect = effect$expected
  ))
  if (means) {
    table$effect_raw <- effect$raw
    for (k in seq_along(x$classes)) {
      table[[paste0("mean_", x$classes[[k]])]] <- unname(x$class_means[rows, k])
    }
  }
  table
}

#' Effects of features, and what is expected of them on new samples
#'
#' @param x A fit. @param rows Positions. @param class Of each of these.
#' @return list(raw, expected).
#' @noRd
effects_of <- function(x, rows, class) {
  contrasts <- class_contrasts(x, seq_along(x$scores))
  raw <- contrasts[cbind(rows, class)] / feature_spread(x, rows, class)
  variance <- x$contrasts$variance
  raw[is.na(variance[cbind((rows - 1L) %% nrow(variance) + 1L, class)])] <- NA
  expected <- raw
  # The effects of two classes differ in their sign alone.
  two <- length(x$classes) == 2L
  for (k in if (two) 1L else unique(class[!is.na(class)])) {
    every <- contrasts[, k] / feature_spread(x, seq_along(x$scores), k)
    share <- expected_share(
      every / sqrt(x$contrasts$variance[, k]), x$contrasts$df[, k]
    )
    of <- if (two) seq_along(rows) else which(class == k)
    expected[of] <- raw[of] * share[rows[of]]
  }
  list(raw = raw, expected = expected)
}

# Returns the standard deviation within classes or, in a fit of pairs, that of
# the differences of a class from the others of its pair.
feature_spread <- function(x, rows, class) {
  if (is.matrix(x$class_spread)) {
    unname(x$class_spread[cbind(rows, class)])
  } else {
    unname(x$class_spread[rows])
  }
}

# Returns the mean in each class minus the mean of the means of the other
# classes that have values, in a fit with blocks or pairs within them; 0 if they
# are equal but for rounding.
class_contrasts <- function(x, rows) {
  means <- x$class_means[rows, , drop = FALSE]
  n_others <- rowSums(!is.na(means)) - 1
  n_others[n_others < 1] <- NA
  # The means are divided before they are added, because their sum may exceed a
  # double.
  parts <- means / n_others
  others <- rowSums(parts, na.rm = TRUE) - parts
  contrast <- if (is.null(x$contrasts$difference)) {
    means - others
  } else {
    x$contrasts$difference[rows, , drop = FALSE]
  }
  noise <- 1e-12 * (abs(means) + abs(others))
  contrast[abs(contrast) <= noise] <- 0
  contrast
}

# With two classes that have values, returns the one in which the mean is
# higher. NA means that the largest contrast is also another class's, but for
# rounding, or that all contrasts are 0.
farthest_class <- function(contrast) {
  size <- contrast
  many <- rowSums(!is.na(size)) > 2L
  size[many, ] <- abs(size[many, ])
  size[is.na(size)] <- 0
  at <- max.col(size, "first")
  largest <- size[cbind(seq_along(at), at)]
  tied <- rowSums(size >= largest * (1 - 1e-12)) > 1L
  at[tied | largest <= 0] <- NA
  at
}

#' Which of the features at `rows` are of a class, and go up or down in it?
#'
#' With two classes every feature belongs to both: up in one and down in the
#' other.
#' @noRd
rows_of_class <- function(x, rows, class, direction) {
  contrast <- class_contrasts(x, rows)
  at <- farthest_class(contrast)
  if (!is.null(class)) {
    class <- match(check_choice(class, x$classes, "class"), x$classes)
    sign <- sign(contrast[, class])
    fits <- at %in% class | length(x$classes) == 2L & sign != 0
  } else {
    sign <- sign(contrast[cbind(seq_along(at), at)])
    fits <- !is.na(at)
  }
  if (!is.null(direction)) {
    direction <- check_choice(direction, c("up", "down"), "direction")
    fits <- fits & sign == if (direction == "up") 1 else -1
  }
  (fits & !x$preprocess$constant[rows]) %in% TRUE
}

no_classes <- function(arg) abort_input("this fit has no classes.", arg)

# Returns the columns of the feature table that a method adds, for the given
# positions.
extra_columns <- function(x, rows) {
  present <- if (!is.null(x$present)) {
    data.frame(present = as.integer(rowSums(x$present[rows, , drop = FALSE])))
  }
  join_columns(present, columns_of_method(x, rows))
}

columns_of_method <- function(x, rows) {
  if (inherits(x, "hitmiss_llfs")) {
    as.data.frame(class_shares(x, rows), optional = TRUE)
  } else if (inherits(x, "hitmiss_turf")) {
    data.frame(last_round = unname(x$last_round[rows]))
  }
}

abort_no_fit <- function(generic, x) {
  if (missing(x)) abort_missing("x")
  abort_input(
    "{.fn {generic}} takes a fit of this package, not {describe(x)}.", "x"
  )
}
