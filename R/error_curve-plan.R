# Layer: evaluate. What is asked of a curve, checked and resolved before
# anything is drawn.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @return list(selectors, specs: see curve_specs(), sizes, resampling, given:
#'   the user's own splits or NULL, metric, scale, nested, rule, permuted,
#'   scores: are class scores wanted of classifiers that need extra work for
#'   them?, preparation, here: in this process?, elsewhere: without the objects
#'   of this session?, pid).
#' @noRd
curve_plan <- function(problem, selectors, sizes, classifier, resampling,
                       metric, scale, nested, rule, permuted, prepare, keep,
                       BPPARAM) {
  check_backend(BPPARAM)
  classifiers <- resolve_classifiers(classifier, names(selectors))
  sizes <- check_sizes(
    sizes %||% default_sizes(selectors), length(problem$features)
  )
  check_block_used(problem$design$block, selectors)
  own <- if (is_given_splits(resampling)) given_resampling(resampling, problem)
  metric <- check_choice(metric, names(curve_metrics))
  list(
    selectors = selectors, classifiers = classifiers,
    specs = curve_specs(selectors, classifiers, sizes, problem), sizes = sizes,
    resampling = own$plan %||% check_resampling(resampling),
    given = own$splits, metric = metric, scale = check_choice(scale, scalings),
    nested = if (!is.null(nested)) check_resampling(nested, "nested"),
    rule = check_choice(rule, c("one_se", "min"), "rule"),
    permuted = check_count(permuted, min = 0, max = 1e6),
    scores = check_flag(keep) || needs_scores(metric),
    preparation = as_preparation(prepare, problem),
    here = is.null(BPPARAM), elsewhere = on_other_processes(BPPARAM),
    pid = Sys.getpid()
  )
}

#' What is run on every split: the selectors, then the baselines
#'
#' The baselines are all features with each classifier of the curve ("own" has
#' no meaning there and is replaced by neighbours), and random features.
#' @return List by name of list(name, selector: a function, or NULL of a
#'   baseline, by_size: is it fitted for each size?, random: random features?,
#'   sizes, classifier, nested: may its size be chosen?).
#' @noRd
curve_specs <- function(selectors, classifiers, sizes, problem) {
  spec <- function(name, selector, sizes, classifier, random = FALSE) {
    list(
      name = name, selector = selector, by_size = takes_size(selector),
      random = random, sizes = sizes, classifier = classifier,
      nested = is.function(selector)
    )
  }
  specs <- Map(spec, names(selectors), selectors, list(sizes), classifiers)
  plain <- unique(unname(lapply(classifiers, function(classifier) {
    if (classifier$kind == "own") classifier <- as_classifier("knn")
    classifier["default"] <- FALSE
    classifier
  })))
  names <- if (length(plain) == 1L) {
    "(all features)"
  } else {
    labels <- vapply(plain, `[[`, "", "label")
    make.unique(sprintf("(all features, %s)", labels))
  }
  all <- Map(spec, names, list(NULL), length(problem$features), plain)
  random <- spec("(random features)", NULL, sizes, plain[[1L]], random = TRUE)
  c(specs, stats::setNames(all, names), list("(random features)" = random))
}

# LLFS selects by itself how many features it uses: one size.
default_sizes <- function(selectors) {
  local <- vapply(selectors, identical, NA, llfs)
  if (all(local)) Inf else c(5, 10, 20, 50, 100)
}

# Of relief, hitmiss::relief and hitmiss::tuned(relief): relief, relief, tuned.
written_name <- function(code) {
  within <- function(code) {
    is.call(code) && is.symbol(code[[1L]]) &&
      as.character(code[[1L]]) %in% c("::", ":::", "$")
  }
  if (is.call(code) && !within(code)) code <- code[[1L]]
  if (within(code)) code <- code[[3L]]
  plain <- is.symbol(code) && !identical(code, quote(`function`))
  if (plain) as.character(code) else "selector"
}

#' @param call The user's call, which says what a single function is called.
#' @noRd
check_selectors <- function(selectors, call = NULL) {
  if (is.function(selectors)) {
    selectors <- stats::setNames(list(selectors), written_name(call$selectors))
  }
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
