# What is asked of a curve, checked and resolved before anything is drawn.
# SPDX-License-Identifier: GPL-3.0-or-later

curve_plan <- function(problem, selectors, sizes, classifier, resampling,
                       metric, tune, scale, nested, BPPARAM) {
  check_backend(BPPARAM)
  selectors <- check_selectors(selectors)
  classifiers <- resolve_classifiers(classifier, names(selectors))
  sizes <- check_sizes(sizes, length(problem$features))
  check_block_used(problem$design$block, selectors)
  own <- if (is_given_splits(resampling)) given_resampling(resampling, problem)
  resampling <- own$plan %||% check_resampling(resampling)
  metric <- check_choice(metric, names(curve_metrics))
  tune <- check_tune(tune, classifiers)
  list(
    selectors = selectors, classifiers = lapply(classifiers, with_grid, tune),
    sizes = sizes, resampling = resampling, given = own$splits,
    metric = metric, tune = tune,
    scale = check_choice(scale, scalings),
    nested = if (!is.null(nested)) check_resampling(nested, "nested"),
    elsewhere = on_other_processes(BPPARAM), pid = Sys.getpid()
  )
}

check_selectors <- function(selectors) {
  if (is.function(selectors)) selectors <- list(selector = selectors)
  names <- names(selectors)
  if (!is.list(selectors) || length(selectors) == 0L || is.null(names) ||
    any(is.na(names) | names == "") || anyDuplicated(names) ||
    !all(vapply(selectors, is.function, NA))) {
    fits <- is.list(selectors) && (inherits(selectors, "hitmiss") ||
      any(vapply(selectors, inherits, NA, "hitmiss")))
    abort_input(c(
      "{.arg selectors} must be a list of functions with different names.",
      x = if (fits) {
        "A fit is made from all samples: give the selector function, which is
         called on every training part."
      },
      i = "For example {.code list(relief = relief, logo = logo)}."
    ), "selectors")
  }
  selectors
}

check_sizes <- function(sizes, n_features) {
  if (!is.numeric(sizes) || is.object(sizes) || length(sizes) == 0L ||
    anyNA(sizes) || any(sizes < 1) ||
    any(sizes[is.finite(sizes)] != floor(sizes[is.finite(sizes)]))) {
    abort_input(
      "{.arg sizes} must be whole numbers of at least 1, or Inf for all
       features, not {describe(sizes)}.", "sizes"
    )
  }
  sort(unique(pmin(sizes, n_features)))
}

# All features, with each classifier that the curve uses; "own" has no meaning
# there and is replaced by neighbours. Not tuned: that would often cost more
# than all the rest.
baseline_plan <- function(plan, n_features) {
  classifiers <- lapply(plan$classifiers, function(classifier) {
    if (classifier$kind == "own") classifier <- as_classifier("knn")
    with_grid(classifier, NULL)
  })
  classifiers <- classifiers[!duplicated(unname(classifiers))]
  names(classifiers) <- if (length(classifiers) == 1L) {
    "(all features)"
  } else {
    paste0("(all features, ", vapply(classifiers, `[[`, "", "label"), ")") |>
      make.unique()
  }
  plan$selectors <- lapply(classifiers, function(classifier) all_features)
  plan$classifiers <- classifiers
  plan$sizes <- n_features
  plan["tune"] <- list(NULL)
  plan["nested"] <- list(NULL)
  plan
}
