# Layer: evaluate. selector_power() plants features in the user's own data, to
# see which selectors find them.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Which selector suits my data? The share of planted features that each finds
#'
#' Permutes the labels of your own samples, changes some of your own features so
#' that they depend on the permuted labels, and counts how many of these each
#' selector ranks among the best. Numbers of samples and features, correlations,
#' tails, batches and patients are those of your data; only the effects are
#' made. So no truth is needed to compare selectors.
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
#' * `"together"`: features come in twos. Each is shifted by `effect * s` up or
#'   down, at random for each sample (or group): both in the same direction in
#'   the class, in opposite directions in the others. One of them alone says
#'   nothing.
#'
#' Differences within pairs have the same spread and the same signs in both
#' classes, so with `pair` only the first two patterns can be planted.
#'
#' All selectors, patterns and effects have the same draws. Selectors are called
#' as in [error_curve()], with all samples. `found` is the share of the planted
#' features among the first `planted` of the list; a selector that lists fewer
#' finds fewer.
#'
#' With `also`, each selector is called several times more on the same values:
#'
#' * `"error"`: the column `error` is the error of the usual classifier of
#'   [error_curve()] by the first `planted` features, selected in each training
#'   part anew, over one repetition of five folds (five calls).
#' * `"false"`: [probe_fdr()] cuts a list at q = 0.1 (eleven calls, ten of them
#'   with twice the features). `listed` is how many features are in it, `false`
#'   the share of them that was not planted, 0 for an empty list. A function of
#'   `(x, y, size)` needs a default of `size` for it.
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
#' @param planted Number of planted features, at most half of those that vary;
#'   for `"together"` an even number.
#' @param effect Sizes of the effects, in standard deviations.
#' @param pattern One or more of `"shift"`, `"subgroup"`, `"spread"` and
#'   `"together"`, see Details; by default all that are possible.
#' @param times Number of draws.
#' @param also `NULL`, or what else is measured: `"error"`, `"false"` or both,
#'   see Details.
#' @param block,group,pair As in [error_curve()].
#' @return A [result][hitmiss-results] with a row for each pattern, selector and
#'   effect: `selector`, `pattern`, `effect`, `found`, `se`: its standard error
#'   over draws; and with `also` `error`, `listed`, `false`. `$planted`,
#'   `$chance`: the share that a random order finds, `$times`, `$n_samples`,
#'   `$n_features`; `$draws`, an array of the shares, draws x rows of the table.
#'   `plot()` draws the share found against the effect, a line for each
#'   selector.
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
                           pattern = c(
                             "shift", "subgroup", "spread", "together"
                           ), times = 10, also = NULL, ..., block = NULL,
                           group = NULL, pair = NULL, assay = NULL,
                           BPPARAM = NULL) {
  if (missing(x)) abort_missing("x")
  if (missing(selectors)) abort_missing("selectors")
  call <- match.call()
  check_no_dots(...)
  problem <- as_problem_coded(x, y,
    assay = assay, outcome = "classes", missing = TRUE
  ) |>
    with_groups(x, block, group, pair)
  selectors <- check_selectors(selectors, call)
  check_block_used(problem$design$block, selectors)
  check_blocks(problem)
  check_backend(BPPARAM)
  possible <- eval(formals()$pattern)[if (is.null(problem$pair)) 1:4 else 1:2]
  if (missing(pattern)) pattern <- possible
  plan <- power_plan(
    problem, planted, effect, pattern, possible, check_count(times)
  )
  if (!is.null(also)) check_several(also, c("error", "false"))
  plan$measured <- c(
    "found", if ("error" %in% also) "error",
    if ("false" %in% also) c("listed", "false")
  )
  stream <- draw_stream()
  units <- power_units(problem, plan, stream)
  runs <- spread(units, power_run, problem, selectors, plan, Sys.getpid(),
    BPPARAM = BPPARAM, label = "Planted features"
  )
  failures <- unlist(lapply(runs, `[[`, "failures"))
  tell_failures(
    failures, length(runs) * length(selectors), "{length(messages)} of {n} fits
     failed and {cli::qty(length(messages))}{?is/are} left out.", "selectors",
    on_other_processes(BPPARAM)
  )
  new_power(problem, plan, names(selectors), runs, call)
}

# Checks what is asked. `features` are the positions of those that vary.
power_plan <- function(problem, planted, effect, pattern, possible, times) {
  check_several(pattern, possible, if (!is.null(problem$pair)) {
    "Differences within pairs have the same spread and signs in both classes:
     other patterns cannot be planted there."
  })
  if (length(effect) == 0L ||
    !is_numbers(effect, low = 0, high = .Machine$double.xmax) ||
    anyDuplicated(effect)) {
    abort_input(
      "{.arg effect} must be different numbers, none below 0, not
       {describe(effect)}.", "effect"
    )
  }
  numeric <- which(!problem$features %in% names(problem$levels))
  spread <- planting_unit(
    problem_rows(problem, seq_along(problem$y), numeric), problem
  )
  varies <- numeric[which(spread > 0)]
  planted <- check_count(planted)
  if (planted > length(varies) / 2) {
    abort_input(c(
      "{.arg planted} = {planted} is more than half of the {length(varies)}
       feature{?s} that can be changed (numbers that vary).",
      i = "Give a smaller {.arg planted}."
    ), "planted")
  }
  if ("together" %in% pattern && planted %% 2L == 1L) {
    abort_input(
      "{.arg planted} must be even for {.arg pattern} {.val together}, not
       {planted}.", "planted"
    )
  }
  list(
    planted = planted, effect = sort(as.double(effect)), pattern = pattern,
    times = times, varies = varies
  )
}

check_several <- function(value, choices, hint = NULL,
                          arg = deparse1(substitute(value))) {
  if (!is.character(value) || length(value) == 0L || anyDuplicated(value) ||
    !all(value %in% choices)) {
    abort_input(c(
      "{.arg {arg}} must be one or more of {.val {choices}}, each once, not
       {describe(value)}.",
      i = hint
    ), arg)
  }
  value
}

# Returns the standard deviations in which effects are planted, by feature:
# within blocks or pairs.
planting_unit <- function(values, problem) {
  within <- problem$pair %||% problem$block %||% rep(1L, nrow(values))
  apart <- centre_pairs(values, within, known = TRUE)
  degrees <- colSums(!is.na(apart)) - max(within)
  spread <- sqrt(colSums(apart^2, na.rm = TRUE) / pmax(degrees, 1))
  # Values that are equal but for rounding do not vary.
  ifelse(spread > 1e-12 * colMeans(abs(values), na.rm = TRUE), spread, 0)
}

# Returns what is run: each draw with each pattern and effect. All is drawn
# before any run.
power_units <- function(problem, plan, stream) {
  n <- length(problem$y)
  unit <- problem$group %||% seq_len(n)
  n_units <- max(unit)
  draws <- lapply(seq_len(plan$times), function(draw) {
    list(
      rows = permuted_labels(problem),
      features = draw_from(plan$varies, plan$planted),
      class = sample.int(nlevels(problem$y), plan$planted, TRUE),
      up = 2 * sample.int(2L, plan$planted, TRUE) - 3,
      order = stats::runif(n_units)[unit],
      signs = matrix(
        2 * sample.int(2L, n_units * plan$planted, TRUE) - 3, n_units
      )[unit, , drop = FALSE]
    )
  })
  grid <- expand.grid(
    draw = seq_len(plan$times), effect = plan$effect, pattern = plan$pattern,
    stringsAsFactors = FALSE
  )
  lapply(seq_len(nrow(grid)), function(i) {
    stream <<- parallel::nextRNGStream(stream)
    list(
      draw = draws[[grid$draw[[i]]]], effect = grid$effect[[i]],
      pattern = grid$pattern[[i]], stream = stream
    )
  })
}

#' The values with planted features
#'
#' @param values Samples x features, all numbers.
#' @param y Permuted labels.
#' @param unit list(draw, effect, pattern), see power_units().
#' @noRd
plant <- function(values, y, unit, problem) {
  draw <- unit$draw
  at <- draw$features
  spread <- if (is.null(problem$pair)) {
    planting_unit(values[, at, drop = FALSE], problem)
  } else {
    within_pairs(values[, at, drop = FALSE], problem$pair, y)$spread[
      cbind(seq_along(at), draw$class)
    ]
  }
  # The subgroup is the half of each class whose units come first.
  first <- draw$order <= stats::ave(draw$order, y, FUN = stats::median)
  for (i in seq_along(at)) {
    v <- values[, at[[i]]]
    size <- unit$effect * spread[[i]]
    # The features of two that act together share a class and signs.
    first_of <- if (unit$pattern == "together") i - (i + 1L) %% 2L else i
    own <- as.integer(y) == draw$class[[first_of]]
    values[, at[[i]]] <- switch(unit$pattern,
      shift = v + draw$up[[i]] * size * own,
      subgroup = v + draw$up[[i]] * 2 * size * (own & first),
      spread = replace(v, own, v[own] + unit$effect *
        (v[own] - mean(v[own], na.rm = TRUE))),
      together = v + size * draw$signs[, first_of] *
        if (i == first_of) 1 else 2 * own - 1
    )
  }
  if (is.null(problem$pair)) values else centre_pairs(values, problem$pair)
}

#' One draw with one pattern and effect
#'
#' @return list(measured: what is measured x selectors, NA where one failed;
#'   failures).
#' @noRd
power_run <- function(unit, problem, selectors, plan, pid) {
  if (pid != Sys.getpid()) attach_here(problem$y)
  y <- problem$y[unit$draw$rows]
  values <- problem_rows(
    problem, seq_along(y), seq_along(problem$features)
  ) |>
    plant(y, unit, problem)
  given <- decoded(values, problem$levels)
  failures <- character()
  failed <- rep(NA_real_, length(plan$measured))
  measured <- lapply(selectors, function(selector) {
    size <- if (takes_size(selector)) plan$planted else NA
    try_user(
      with_stream(unit$stream, suppressMessages(suppressWarnings({
        list <- as_feature_list(
          call_selector(selector, given, y, size, problem$design),
          problem$features, size, length(y)
        )$order
        planted <- unit$draw$features
        c(
          mean(planted %in% utils::head(list, plan$planted)),
          measured_also(selector, given, y, planted, problem, plan)
        )
      }))),
      function(e) {
        failures <<- c(failures, conditionMessage(e))
        failed
      }
    )
  })
  list(measured = do.call(cbind, measured), failures = failures)
}

# Returns what `also` asks for, of one selector.
measured_also <- function(selector, given, y, planted, problem, plan) {
  block <- problem$design$block
  pair <- problem$pair
  group <- if (is.null(pair)) problem$design$group
  error <- if ("error" %in% plan$measured) {
    curve <- error_curve(given, y, selector, plan$planted,
      resampling = kfold(min(5L, max(problem$group %||% length(y)))),
      keep = FALSE, block = block, group = group, pair = pair
    )
    mean_known(curve$values[[1L]])
  }
  list <- if ("false" %in% plan$measured) {
    found <- selected(q = 0.1, probe_fdr(given, y, selector,
      longest = max(200, 2 * plan$planted), block = block, group = group,
      pair = pair
    ))
    wrong <- sum(!found %in% problem$features[planted])
    c(length(found), wrong / max(1, length(found)))
  }
  c(error, list)
}

new_power <- function(problem, plan, selectors, runs, call) {
  table <- expand.grid(
    effect = plan$effect, selector = selectors, pattern = plan$pattern,
    stringsAsFactors = FALSE
  )[c("selector", "pattern", "effect")]
  # The units are draws, then effects, then patterns.
  by_row <- lapply(seq_along(plan$measured), function(m) {
    unlist(lapply(runs, function(run) run$measured[m, ])) |>
      array(c(length(selectors), plan$times, lengths(plan[c(
        "effect", "pattern"
      )]))) |>
      aperm(c(2L, 3L, 1L, 4L)) |>
      matrix(plan$times)
  })
  shares <- by_row[[1L]]
  table$found <- mean_known(shares)
  table$se <- unname(apply(shares, 2L, stats::sd, na.rm = TRUE)) /
    sqrt(colSums(!is.na(shares)))
  table[plan$measured[-1L]] <- lapply(by_row[-1L], mean_known)
  sizes <- tabulate(problem$y, nlevels(problem$y))
  samples <- paste(
    if (length(sizes) <= 4L) paste(sizes, collapse = " + ") else sum(sizes),
    "samples"
  )
  n_features <- length(problem$features)
  chance <- plan$planted / n_features
  new_result("power", table,
    call = call, draws = shares, samples = samples,
    chance = chance, planted = plan$planted, times = plan$times,
    n_samples = sum(sizes), n_features = n_features,
    lines = c(
      sprintf("Planted features: %d of %s, in %s like yours, %d draws",
        plan$planted, thousands(n_features), samples, plan$times
      ),
      vapply(split(table, factor(table$pattern, plan$pattern)), power_words,
        "", plan$planted
      )
    ),
    shown = lapply(plan$measured, power_shown, table),
    notes = c(sprintf(
      "Shares of the planted features among the best %d; by chance %.2g;
       standard errors up to %.2g.", plan$planted, chance,
      max(c(0, table$se), na.rm = TRUE)
    ), c(
      error = "error: of the usual classifier by these features, in five folds",
      false = "listed: by probe_fdr() at q = 0.1; false: the share not planted"
    )[intersect(plan$measured, c("error", "false"))]),
    glance = list(
      selectors = length(selectors), planted = plan$planted,
      times = plan$times, n_samples = sum(sizes), n_features = n_features
    )
  )
}

# One column of the table by selector, a column for each effect.
power_shown <- function(column, table) {
  wide <- do.call(cbind, split(table[[column]], table$effect))
  colnames(wide) <- paste(
    if (column != "found") paste0(column, ","), colnames(wide), "sd"
  ) |> trimws()
  cells <- unique(table[c("pattern", "selector")])
  if (length(unique(cells$pattern)) == 1L) cells$pattern <- NULL
  data.frame(cells, wide, check.names = FALSE, row.names = NULL)
}

# Says of one pattern who finds how many of the effect nearest to 1, and from
# where on half is found.
power_words <- function(table, planted) {
  effects <- sort(unique(table$effect))
  at <- effects[[which.min(abs(effects - 1))]]
  here <- table[table$effect == at & !is.na(table$found), ]
  here <- here[order(-here$found), ][unique(c(1L, nrow(here))), ]
  most <- tapply(table$found, table$effect, max)
  half <- which(most >= 0.5)[1L]
  what <- switch(table$pattern[[1L]],
    shift = "that differ by %g sd",
    subgroup = "of which half of a class differs by twice %g sd",
    spread = "whose sd is larger by %g sd in a class",
    together = "that differ by %g sd, in twos that decide together"
  )
  sprintf("%d features %s: %s; %s", planted, sprintf(what, at),
    paste0(
      cut_names(here$selector), c(" finds ", " ")[seq_along(here$found)],
      sprintf("%.1f", planted * here$found), collapse = ", "
    ),
    if (is.na(half)) {
      sprintf("nobody finds half up to %g sd.", max(effects))
    } else if (half == 1L) {
      sprintf("half are found at %g sd already.", effects[[1L]])
    } else {
      sprintf("below %.2g sd nobody finds half.", stats::approx(
        most[half - 1:0], effects[half - 1:0], 0.5
      )$y)
    }
  )
}
