# Layer: evaluate. selector_power() plants features in the user's own data, to
# see which selectors find them.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Which selector suits my data? The share of planted features that each finds
#'
#' Permutes the labels of your own samples, changes some of your own features so
#' that they depend on the permuted labels, and counts how many of these each
#' selector ranks among the best. Numbers of samples and features, correlations,
#' tails, batches and patients are those of your data; only the effects are
#' made.
#'
#' @details
#' In each of `times` draws the labels are permuted: within blocks; between
#' whole groups, as in [probe_fdr()]; within pairs. `planted` features are drawn
#' among those that vary, and for each of them a class. With s the standard
#' deviation of the feature (within blocks; with `pair` that of its differences
#' within pairs), `pattern` says what is done with it:
#'
#' * `"shift"`: `effect * s` is added to all samples of the class, or
#'   subtracted, at random.
#' * `"subgroup"`: `2 * effect * s` is, to one half of the samples (or groups)
#'   of the class, the same half for all features.
#' * `"spread"`: the distances of the samples of the class from their mean are
#'   multiplied by `1 + effect`.
#'
#' Differences within pairs have the same spread and the same signs in both
#' classes, so with `pair` only the first two patterns can be planted.
#'
#' All selectors, patterns and effects have the same draws. Selectors are called
#' as in [error_curve()], with all samples. `found` is the share of the planted
#' features among the first `planted` of the list; a selector that lists fewer
#' finds fewer.
#'
#' **How far to trust it.** 60 samples (45 + 15 of counts) x 500 features,
#' normal, in correlated blocks, from t(3), or counts; 20 true features that
#' differ by 0.6, 0.9 or 1.2 sd, seven selectors. From the data of one study
#' (with true features of its own, 10 draws), the shares are .02 to .03 from
#' those of the true features of 30 fresh studies, in the mean over selectors;
#' the rank correlation of the selectors is .84 to .99 (means of six studies).
#' From one half of real samples to the other (TOX-171, arcene) it is .01 to
#' .04, and .90 to .98 (`tests/bench/levels.R`).
# csv: "shares are .02" levels-power min:difference_one study~^(normal|blocks|t.3.|counts)$ # nolint
# csv: "shares are .02 to .03" levels-power max:difference_one study~^(normal|blocks|t.3.|counts)$ # nolint
# csv: "selectors is .84" levels-power min:rank_correlation study~^(normal|blocks|t.3.|counts)$ # nolint
# csv: "selectors is .84 to .99" levels-power max:rank_correlation study~^(normal|blocks|t.3.|counts)$ # nolint
# csv: "it is .01" levels-power min:difference_one study~^(tox171|arcene)$ # nolint
# csv: "it is .01 to .04" levels-power max:difference_one study~^(tox171|arcene)$ # nolint
# csv: "and .90" levels-power min:rank_correlation study~^(tox171|arcene)$ # nolint
# csv: "and .90 to .98" levels-power max:rank_correlation study~^(tox171|arcene)$ # nolint
#'
#' **How many samples would I need?** This cannot be answered from your data:
#' rows drawn with replacement hold copies, which are each other's near hits,
#' and fewer rows answer only for fewer. See what effect is found at the size
#' that you have, and at half of it.
#'
#' @inheritParams probe_fdr
#' @param y Class labels, as in [relief()].
#' @param selectors A named list of functions of `(x, y)`, or one function, as
#'   in [error_curve()].
#' @param planted Number of planted features, at most half of those that vary.
#' @param effect Sizes of the effects, in standard deviations.
#' @param pattern One or more of `"shift"`, `"subgroup"` and `"spread"`, see
#'   Details; by default all that are possible.
#' @param times Number of draws.
#' @param block,group,pair As in [error_curve()].
#' @return A [result][hitmiss-results] with a row for each pattern, selector and
#'   effect: `selector`, `pattern`, `effect`, `found`, `se`: its standard error
#'   over draws. `$planted`, `$chance`: the share that a random order finds,
#'   `$times`, `$n_samples`, `$n_features`; `$draws`, an array of the shares,
#'   draws x rows of the table. `plot()` draws the share found against the
#'   effect, a line for each selector.
#' @seealso [compare_selectors()] for their errors.
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' set.seed(1)
#' power <- selector_power(toy$x, toy$y,
#'   list(
#'     relief = relief, fisher = function(x, y) reference_scores(x, y, "fisher")
#'   ), planted = 10, effect = c(1, 2), times = 5
#' )
#' power
#' @export
selector_power <- function(x, y, selectors, planted = 20,
                           effect = c(0.5, 1, 1.5),
                           pattern = c("shift", "subgroup", "spread"),
                           times = 10, ..., block = NULL, group = NULL,
                           pair = NULL, assay = NULL, BPPARAM = NULL) {
  if (missing(x)) abort_missing("x")
  if (missing(selectors)) abort_missing("selectors")
  call <- match.call()
  check_no_dots(...)
  problem <- as_problem_coded(x, y,
    assay = assay, missing = TRUE
  ) |>
    with_groups(x, block, group, pair)
  selectors <- check_selectors(selectors, call)
  check_unprepared(selectors, pair)
  check_block_used(problem$design, selectors)
  check_blocks(problem)
  check_backend(BPPARAM)
  plan <- power_plan(
    problem, selectors, planted, effect, if (!missing(pattern)) pattern
  )
  draws <- power_draws(problem, plan, check_count(times))
  runs <- spread(draws, power_run, problem, selectors, plan, Sys.getpid(),
    BPPARAM = BPPARAM, label = "Planted features"
  )
  failures <- unlist(lapply(runs, `[[`, "failures"))
  tell_failures(
    failures, length(runs) * nrow(plan$table), "{length(messages)} of {n} fits
     failed and {cli::qty(length(messages))}{?is/are} left out.", "selectors",
    on_other_processes(BPPARAM)
  )
  shares <- do.call(rbind, lapply(runs, `[[`, "found"))
  new_power(problem, plan, shares, call)
}

#' Checks what is asked
#'
#' @return list(planted; varies: positions of the features that can be changed;
#'   table: a row for each pattern, selector and effect).
#' @noRd
power_plan <- function(problem, selectors, planted, effect, pattern) {
  # Differences within pairs have the same spread in both classes.
  possible <- c("shift", "subgroup", "spread")
  if (!is.null(problem$design$pair)) possible <- possible[1:2]
  pattern <- check_each(
    pattern %||% possible, check_choice, "pattern", choices = possible
  )
  effect <- sort(check_each(effect, check_number, "effect", min = 0))
  numeric <- which(!problem$features %in% names(problem$levels))
  values <- numbers_of(problem, numeric)
  varies <- numeric[which(within_sd(values, problem) > 0)]
  planted <- check_count(planted)
  if (planted > length(varies) / 2) {
    abort_input(
      "{.arg planted} = {planted} is more than half of the {length(varies)}
       feature{?s} that can be changed (numbers that vary).", "planted"
    )
  }
  table <- expand.grid(
    effect = effect, selector = names(selectors), pattern = pattern,
    stringsAsFactors = FALSE
  )[c("selector", "pattern", "effect")]
  list(planted = planted, varies = varies, table = table)
}

# Returns values of all samples as numbers, also those of a logical matrix.
numbers_of <- function(problem, features) {
  values <- problem_rows(problem, seq_along(problem$y), features)
  storage.mode(values) <- "double"
  values
}

# Checks each of several values, of which there must be one.
check_each <- function(values, check, arg, ...) {
  if (length(values) == 0L || !is.vector(values)) check(values, arg = arg, ...)
  unique(unlist(lapply(values, check, arg = arg, ...)))
}

# Returns the standard deviations of features within blocks or pairs. Values
# that are equal but for rounding do not vary.
within_sd <- function(values, problem) {
  within <- problem$design$pair %||% blocks_of(problem$design)
  apart <- centre_pairs(values, within, known = TRUE)
  degrees <- pmax(colSums(!is.na(apart)) - max(within), 1)
  sd <- sqrt(colSums(apart^2, na.rm = TRUE) / degrees)
  ifelse(sd > 1e-12 * colMeans(abs(values), na.rm = TRUE), sd, 0)
}

# Draws, before anything is run, what is planted where.
power_draws <- function(problem, plan, times) {
  unit <- problem$design$unit
  stream <- draw_stream()
  lapply(seq_len(times), function(draw) {
    stream <<- parallel::nextRNGStream(stream)
    list(
      stream = stream, rows = permuted_labels(problem),
      features = draw_from(plan$varies, plan$planted),
      class = sample.int(nlevels(problem$y), plan$planted, TRUE),
      up = 2 * sample.int(2L, plan$planted, TRUE) - 3,
      order = stats::runif(max(unit))[unit]
    )
  })
}

#' The values with planted features
#'
#' @param values Samples x features, all numbers.
#' @param y Permuted labels.
#' @param draw See power_draws().
#' @noRd
plant <- function(values, y, draw, pattern, effect, problem) {
  chosen <- values[, draw$features, drop = FALSE]
  pair <- problem$design$pair
  sd <- if (length(pair) > 0L) {
    within_pairs(chosen, pair, y)$spread[
      cbind(seq_along(draw$class), draw$class)
    ]
  } else {
    within_sd(chosen, problem)
  }
  # The subgroup is the half of each class whose units come first.
  first <- draw$order <= stats::ave(draw$order, y, FUN = stats::median)
  for (i in seq_along(draw$features)) {
    v <- chosen[, i]
    own <- as.integer(y) == draw$class[[i]]
    shift <- draw$up[[i]] * effect * sd[[i]]
    values[, draw$features[[i]]] <- v + switch(pattern,
      shift = own * shift,
      subgroup = (own & first) * 2 * shift,
      spread = own * effect * (v - mean(v[own], na.rm = TRUE))
    )
  }
  design_centre(problem$design, values)
}

#' One draw: the share that is found, for each row of the table
#'
#' @return list(found, NA where a selector failed; failures).
#' @noRd
power_run <- function(draw, problem, selectors, plan, pid) {
  if (pid != Sys.getpid()) attach_here()
  y <- problem$y[draw$rows]
  values <- numbers_of(problem, seq_along(problem$features))
  failures <- character()
  share_found <- function(name, pattern, effect) {
    x <- plant(values, y, draw, pattern, effect, problem) |>
      decoded(problem$levels)
    selector <- selectors[[name]]
    size <- if (takes_size(selector)) plan$planted else NA
    list <- call_selector(selector, x, y, size, problem$design) |>
      as_feature_list(problem$features, size, length(y))
    mean(draw$features %in% utils::head(list$order, plan$planted))
  }
  failed <- function(e) {
    failures <<- c(failures, conditionMessage(e))
    NA_real_
  }
  found <- Map(function(...) {
    with_stream(draw$stream, share_found(...)) |>
      suppressWarnings() |>
      suppressMessages() |>
      try_user(failed)
  }, plan$table$selector, plan$table$pattern, plan$table$effect)
  list(found = unlist(found, use.names = FALSE), failures = failures)
}

new_power <- function(problem, plan, shares, call) {
  table <- plan$table
  table$found <- mean_known(shares)
  table$se <- unname(apply(shares, 2L, stats::sd, na.rm = TRUE)) /
    sqrt(colSums(!is.na(shares)))
  sizes <- tabulate(problem$y, nlevels(problem$y))
  samples <- paste(paste(sizes, collapse = " + "), "samples")
  n_features <- length(problem$features)
  chance <- plan$planted / n_features
  wide <- do.call(cbind, split(table$found, table$effect))
  colnames(wide) <- paste(colnames(wide), "sd")
  rows <- unique(table[c("pattern", "selector")])
  new_result("power", table,
    call = call, draws = shares, samples = samples, chance = chance,
    planted = plan$planted, times = nrow(shares), n_samples = sum(sizes),
    n_features = n_features,
    lines = c(
      sprintf("Planted features: %d of %s, in %s like yours, %d draws",
        plan$planted, thousands(n_features), samples, nrow(shares)
      ),
      vapply(split(table, factor(table$pattern, unique(table$pattern))),
        power_words, "", plan$planted
      )
    ),
    shown = list(data.frame(
      rows, wide, check.names = FALSE, row.names = NULL
    )),
    notes = sprintf(
      "Shares of the planted features among the best %d; by chance %.2g;
       standard errors up to %.2g.", plan$planted, chance,
      max(c(0, table$se), na.rm = TRUE)
    ),
    glance = list(
      selectors = length(unique(table$selector)), planted = plan$planted,
      times = nrow(shares), n_samples = sum(sizes), n_features = n_features
    )
  )
}

# Says how many features of one pattern, with the effect nearest to 1, each
# selector finds.
power_words <- function(table, planted) {
  effect <- table$effect[[which.min(abs(table$effect - 1))]]
  here <- table[table$effect == effect, ]
  here <- here[order(-here$found), ]
  what <- switch(table$pattern[[1L]],
    shift = "that differ by %g sd",
    subgroup = "of which half of a class differs by twice %g sd",
    spread = "whose sd is larger by %g sd in a class"
  )
  finds <- sprintf(
    "%s finds %.1f", cut_names(here$selector), planted * here$found
  )
  sprintf(
    "%d features %s: %s.", planted, sprintf(what, effect), toString(finds)
  )
}
