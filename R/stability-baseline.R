# What stability is reached without any signal: the same with permuted labels.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Mean Nogueira index of each group over permutations of the labels
#' @noRd
permuted_baseline <- function(curve, groups, x, y, selectors, times, prepare,
                              assay, BPPARAM) {
  for (arg in c("y", "selectors")) {
    if (is.null(get(arg))) {
      abort_input("{.arg {arg}} must be given with {.arg x}.", arg)
    }
  }
  check_same_preparation(curve, prepare)
  problem <- as_problem(x, y, assay = assay, complete = is.null(prepare))
  preparation <- as_preparation(prepare, problem)
  selectors <- check_selectors(selectors)
  check_same_curve(curve, problem, selectors)
  problem$design <- list(block = curve$block, group = curve$group) |>
    Filter(f = Negate(is.null))
  group <- if (!is.null(curve$group)) match(curve$group, unique(curve$group))
  stream <- draw_stream()
  units <- list()
  for (time in seq_len(times)) {
    order <- permuted_rows(rep(1L, length(problem$y)), group)
    for (split in curve$splits) {
      for (name in curve$selectors) {
        stream <- parallel::nextRNGStream(stream)
        units[[length(units) + 1L]] <- list(
          split = split, selector = name, order = order, stream = stream,
          time = time
        )
      }
    }
  }
  lists <- spread(units, permuted_lists, problem, selectors, preparation,
    curve$sizes, Sys.getpid(),
    BPPARAM = BPPARAM, label = "Permuted labels"
  )
  failed <- vapply(lists, inherits, NA, "hitmiss_failed_fit")
  warn_baseline(lists[failed], length(lists), on_other_processes(BPPARAM))
  lists[failed] <- list(NULL)
  time <- vapply(units, `[[`, 0L, "time")
  of <- vapply(units, `[[`, "", "selector")
  vapply(seq_along(groups$sets), function(g) {
    at <- match(groups$size[[g]], curve$sizes)
    values <- vapply(seq_len(times), function(b) {
      mine <- lists[time == b & of == groups$selector[[g]]]
      nogueira(size_sets(mine, curve$sizes, at), groups$n_features)
    }, 0)
    if (all(is.na(values))) NA_real_ else mean(values, na.rm = TRUE)
  }, 0)
}

check_same_curve <- function(curve, problem, selectors) {
  if (!identical(problem$features, curve$features) ||
    length(problem$y) != curve$n_samples ||
    !identical(levels(problem$y), curve$classes)) {
    abort_input(
      "{.arg x} and {.arg y} are not the data of the curve: they have
       {length(problem$y)} samples, {length(problem$features)} features and
       {nlevels(problem$y)} classes; the curve has {curve$n_samples},
       {length(curve$features)} and {length(curve$classes)}.", "x"
    )
  }
  absent <- setdiff(curve$selectors, names(selectors))
  if (length(absent) > 0L) {
    abort_input(
      "{.arg selectors} lacks {.val {absent}}, which the curve has.",
      "selectors"
    )
  }
}

check_same_preparation <- function(curve, prepare) {
  if (is.null(curve$prepare) == is.null(prepare)) {
    return(invisible())
  }
  abort_input(
    if (is.null(prepare)) {
      "{.arg prepare} must be given with {.arg x}: the curve was made with it
       ({paste(curve$prepare, collapse = '; ')})."
    } else {
      "{.arg prepare} is given, but the curve was made without it."
    }, "prepare"
  )
}

warn_baseline <- function(failed, n_fits, elsewhere) {
  if (length(failed) == 0L) {
    return(invisible())
  }
  said <- failed[[1L]]
  warn(
    c(
      "{length(failed)} of {n_fits} fits with permuted labels failed and are
       left out of the baseline; the first error: {said}",
      handing_over(said, elsewhere)
    ),
    "hitmiss_warning_failed"
  )
}

# The selection of one split with permuted labels; the message where the fit
# fails.
permuted_lists <- function(unit, problem, selectors, preparation, sizes, pid) {
  if (pid != Sys.getpid()) attach_here()
  problem$y <- problem$y[unit$order]
  catch_error(
    with_stream(unit$stream, suppressWarnings({
      ready <- list(problem = problem, split = unit$split)
      if (!is.null(preparation)) {
        ready <- prepare_split(problem, unit$split, preparation)
      }
      selector <- selectors[[unit$selector]]
      spec <- list(
        selector = selector, by_size = takes_size(selector), sizes = sizes
      )
      picked <- select_features(spec, ready$problem, ready$split)
      kept_lists(picked, spec, ready$problem$features, problem$features)
    })),
    function(e) {
      if (inherits(e, paste0("hitmiss_error_", c("selector", "prepare")))) {
        stop(e)
      }
      structure(conditionMessage(e), class = "hitmiss_failed_fit")
    }
  )
}
