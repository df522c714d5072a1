# What must hold in curves, and in all else that evaluates selections, for
# check_whole(): as R/fields-fits.R for fits.
# SPDX-License-Identifier: GPL-3.0-or-later

evaluation_rules <- function(kind) {
  rules <- switch(kind,
    hitmiss_curve = list(curve_fields, curve_relations),
    hitmiss_size = list(size_fields, NULL),
    hitmiss_comparison = list(comparison_fields, comparison_relations),
    hitmiss_resampling = list(plan_fields, NULL),
    hitmiss_stability = list(stability_fields, stability_relations),
    hitmiss_fdr = list(fdr_fields, fdr_relations),
    hitmiss_roc = list(roc_fields, roc_relations),
    hitmiss_redundancy = list(redundancy_fields, redundancy_relations),
    hitmiss_interactions = list(interactions_fields, interactions_relations),
    hitmiss_audit = list(audit_fields, audit_relations),
    hitmiss_signatures = list(signatures_fields, signatures_relations),
    hitmiss_bayes_error = list(bayes_fields, bayes_relations),
    hitmiss_scores = list(scores_fields, scores_relations),
    summary_hitmiss = list(list(fit = \(v, x) inherits(v, "hitmiss")), NULL),
    summary_hitmiss_curve = list(
      list(curve = \(v, x) inherits(v, "hitmiss_curve")), NULL
    )
  )
  list(
    fields = rules[[1L]], relations = rules[[2L]],
    attributes = if (kind == "hitmiss_comparison") c("note", "metric")
  )
}

is_call_or_null <- function(v, x) maybe(v, is.call(v))

# A resampling plan, or NULL.
is_plan <- function(v) {
  inherits(v, "hitmiss_resampling") && is.list(v) &&
    all(holds(plan_fields, unclass(v)))
}

plan_fields <- list(
  method = \(v, x) {
    is_texts(v, 1L, c("holdout", "kfold", "leave_one_out", "given"))
  },
  times = \(v, x) is_whole(v, 1L, 1),
  train = \(v, x) {
    if (x$method == "holdout") {
      is_numbers(v, 1L) && v > 0 && (v < 1 || is_whole(v, 1L, 2))
    } else {
      is.null(v)
    }
  },
  k = \(v, x) if (x$method == "kfold") is_whole(v, 1L, 2) else is.null(v),
  labelled = \(v, x) is_numbers(v, 1L, 0, 1) && v > 0,
  stratified = \(v, x) is_flags(v, 1L),
  label = \(v, x) if (x$method == "given") is_texts(v, 1L) else is.null(v),
  folds = \(v, x) if (x$method == "given") is_flags(v, 1L) else is.null(v)
)

# Of a curve and of false discoveries; NULL without groups.
group_fields <- list(
  n_groups = \(v, x) maybe(v, is_whole(v, 1L, 2, x$n_samples)),
  group_name = \(v, x) maybe(v, is_texts(v, 1L) && !is.null(x$n_groups))
)

# ---- curves -----------------------------------------------------------------

curve_tables <- list(
  # A standard deviation of shares is one as well.
  results = c(
    selector = "text", size = "count", split = "count", repetition = "count",
    value = "share", n_used = "positive", n_train = "count", n_test = "count",
    empty = "flag"
  ),
  summary = c(
    selector = "text", size = "count", mean = "share", sd = "share",
    n_used = "positive"
  ),
  aggregate = c(selector = "text", mean = "share", sd = "share"),
  best = c(selector = "text", size = "count", mean = "share", sd = "share"),
  chosen = c(
    selector = "text", split = "count", repetition = "count", size = "count",
    value = "share"
  ),
  # The median of sizes may lie between two.
  chosen_summary = c(
    selector = "text", mean = "share", sd = "share", size = "positive"
  ),
  predictions = c(
    selector = "text", size = "count", split = "count", sample = "count",
    truth = "text", predicted = "level"
  ),
  baseline = c(name = "text", mean = "share", sd = "share"),
  tuned = c(
    selector = "text", split = "count", size = "count", error = "share"
  ),
  seconds = c(
    selector = "text", select = "positive", classify = "positive",
    nested = "positive"
  ),
  notes = c(selector = "text", split = "count", message = "text")
)

curve_fields <- c(group_fields, list(
  selectors = \(v, x) is_keys(v) && length(v) >= 1L,
  sizes = \(v, x) {
    is_whole(v, low = 1, high = length(x$features)) && length(v) >= 1L &&
      !is.unsorted(v, strictly = TRUE)
  },
  classes = \(v, x) is_keys(v) && length(v) >= 2L,
  features = \(v, x) is_keys(v) && length(v) >= max(x$sizes),
  n_samples = \(v, x) is_whole(v, 1L, 2) && v == sum(x$class_sizes),
  class_sizes = \(v, x) {
    is_whole(v, length(x$classes), 1) && sum(v) == x$n_samples
  },
  metric = \(v, x) is_texts(v, 1L, names(curve_metrics)),
  scale = \(v, x) is_texts(v, 1L, scalings),
  resampling = \(v, x) is_plan(v),
  nested = \(v, x) maybe(v, is_plan(v)),
  tune = \(v, x) maybe(v, is_tune(v)),
  prepare = \(v, x) maybe(v, is_texts(v) && length(v) >= 1L && all(nzchar(v))),
  classifier = \(v, x) {
    is_texts(v, length(x$selectors), classifier_labels) &&
      identical(names(v), x$selectors)
  },
  values = \(v, x) {
    rows <- c(length(x$splits), x$resampling$times)
    is_by_selector(v, x$selectors) &&
      all(vapply(v, is_values, NA, rows, length(x$sizes)))
  },
  results = \(v, x) {
    is_curve_table(v, "results", x, length(x$sizes) * length(x$splits)) &&
      in_range(v$split, 1, length(x$splits), FALSE)
  },
  summary = \(v, x) is_curve_table(v, "summary", x, length(x$sizes)),
  aggregate = \(v, x) is_curve_table(v, "aggregate", x),
  # `smallest` in curves of 0.1.0.
  best = \(v, x) is_curve_table(v %||% x$smallest, "best", x),
  chosen = \(v, x) {
    is.null(x$nested) && is.null(v) ||
      is_curve_table(v, "chosen", x, length(x$splits))
  },
  chosen_summary = \(v, x) {
    is.null(x$nested) && is.null(v) || is_curve_table(v, "chosen_summary", x)
  },
  predictions = \(v, x) {
    maybe(v, is_table(v, curve_tables$predictions) && nrow(v) > 0L &&
      is_factor_of(v$selector, x$selectors) &&
      is_factor_of(v$truth, x$classes) &&
      is_factor_of(v$predicted, x$classes, na = TRUE) &&
      in_range(v$sample, 1, x$n_samples, FALSE) &&
      in_range(v$split, 1, length(x$splits), FALSE) &&
      is_score(v$score, nrow(v), x))
  },
  selections = \(v, x) {
    is_by_selector(v, x$selectors) && all(vapply(
      v, is_selections, NA, length(x$splits), length(x$sizes),
      length(x$features)
    ))
  },
  splits = \(v, x) {
    is.list(v) && length(v) >= 1L && all(vapply(v, is_split, NA, x$n_samples))
  },
  # Curves of 0.1.0 have neither of these.
  selector_calls = \(v, x) {
    maybe(
      v, is_texts(v, length(x$selectors)) && identical(names(v), x$selectors)
    )
  },
  versions = \(v, x) maybe(v, is_texts(v) && is_keys(names(v))),
  # Curves of 0.1.0 have no `se`.
  baseline = \(v, x) {
    is_table(v, curve_tables$baseline) && is_keys(v$name) &&
      utils::tail(v$name, 1L) == "(largest class)" &&
      maybe(v$se, is_numbers(v$se, nrow(v), 0, na = TRUE))
  },
  tuned = \(v, x) maybe(v, is_table(v, curve_tables$tuned)),
  redrawn = \(v, x) is_whole(v, 1L, 0),
  labelled_only = \(v, x) is_texts(v, choices = x$selectors),
  seconds = \(v, x) is_curve_table(v, "seconds", x),
  failures = \(v, x) is_table(v, curve_tables$notes),
  warnings = \(v, x) is_table(v, curve_tables$notes),
  assay = \(v, x) maybe(v, is_texts(v, 1L) || is_whole(v, 1L, 1)),
  group = \(v, x) maybe(v, is_design(v, x$n_samples)),
  block = \(v, x) maybe(v, is_design(v, x$n_samples)),
  call = is_call_or_null,
  version = \(v, x) is_texts(v, 1L)
))

# As check_tune() returns it.
is_tune <- function(v) {
  is.list(v) && is_keys(names(v)) && is_whole(v$folds, 1L, 2) &&
    length(v) > 1L && all(lengths(v) > 0L) &&
    all(vapply(v, is_numbers, NA, low = 0)) &&
    maybe(v$k, is_whole(v$k, low = 1))
}

# One value for each sample, of any kind.
is_design <- function(v, n) {
  is.atomic(v) && is.null(dim(v)) && length(v) == n && !anyNA(v)
}

curve_relations <- list(
  `group n_groups` = \(x) {
    is.null(x$group) == is.null(x$n_groups) &&
      (is.null(x$group) || length(unique(x$group)) == x$n_groups)
  },
  `group splits` = \(x) {
    group <- match(x$group, unique(x$group))
    is.null(x$group) || !any(vapply(x$splits, function(s) {
      any(group[s$test] %in% group[s$train])
    }, NA))
  },
  `summary values sizes` = \(x) {
    same(x$summary$size, rep(x$sizes, length(x$selectors))) &&
      same(x$summary$mean, by_value(x, mean_known)) &&
      same(x$summary$sd, by_value(x, sd_known))
  },
  `aggregate values` = \(x) {
    means <- lapply(x$values, function(values) cbind(rowMeans(values)))
    same(x$aggregate$mean, unlist(lapply(means, mean_known))) &&
      same(x$aggregate$sd, unlist(lapply(means, sd_known)))
  },
  `best summary` = \(x) {
    best <- curve_best(x)
    at <- match(
      paste(best$selector, best$size), paste(x$summary$selector, x$summary$size)
    )
    all(is.na(best$size) == is.na(at)) && same(best$mean, x$summary$mean[at]) &&
      same(best$sd, x$summary$sd[at])
  },
  `results splits sizes` = \(x) {
    counted <- function(part) {
      n <- lengths(lapply(x$splits, `[[`, part))
      rep(rep(n, each = length(x$sizes)), length(x$selectors))
    }
    same(
      x$results$size, rep(x$sizes, length(x$selectors) * length(x$splits))
    ) &&
      same(x$results$n_train, counted("train")) &&
      same(x$results$n_test, counted("test"))
  },
  # One row for each test sample of each split, at each size, of each selector.
  `predictions splits sizes` = \(x) {
    tests <- lapply(x$splits, `[[`, "test")
    n <- lengths(tests)
    each <- function(values) rep(values, length(x$selectors))
    n_sizes <- length(x$sizes)
    p <- x$predictions
    is.null(p) ||
      same(p$sample, each(unlist(rep(tests, each = n_sizes)))) &&
        same(p$size, each(rep(
          rep(x$sizes, length(n)), rep(n, each = n_sizes)
        ))) &&
        same(p$split, each(rep(seq_along(n), n * n_sizes))) &&
        same(as.integer(p$selector), rep(
          seq_along(x$selectors), each = sum(n) * n_sizes
        ))
  },
  `predictions class_sizes` = \(x) {
    p <- x$predictions
    truth <- as.integer(p$truth)
    label <- replace(rep(NA_integer_, x$n_samples), p$sample, truth)
    is.null(p) || all(label[p$sample] == truth) &&
      all(tabulate(label, length(x$classes)) <= x$class_sizes)
  },
  `predictions results` = \(x) {
    p <- x$predictions
    wrong <- as.integer(p$truth) != as.integer(p$predicted)
    # Their rows are in the order of the predictions.
    unit <- rep(seq_len(nrow(x$results)), x$results$n_test)
    is.null(p) || x$metric != "error" ||
      same(
        rowsum(as.double(wrong), unit)[, 1L] / x$results$n_test, x$results$value
      )
  },
  `results values` = \(x) {
    is_pooled(x$metric, x$resampling) || same(x$results$value, by_value(x, t))
  },
  `results summary` = \(x) {
    used <- array(
      x$results$n_used,
      c(length(x$sizes), length(x$splits), length(x$selectors))
    )
    same(x$summary$n_used, as.vector(mean_known(aperm(used, c(2L, 1L, 3L)))))
  },
  `chosen chosen_summary` = \(x) {
    by_selector <- function(column, what) {
      as.vector(tapply(
        x$chosen[[column]], x$chosen$selector, what, na.rm = TRUE
      ))
    }
    is.null(x$chosen) ||
      same(x$chosen_summary$size, by_selector("size", stats::median)) &&
        (is_pooled(x$metric, x$resampling) ||
          same(x$chosen_summary$mean, by_selector("value", mean)))
  }
)

by_value <- function(x, what) unlist(lapply(x$values, what), use.names = FALSE)

same <- function(a, b) {
  length(a) == length(b) && all(is.na(a) == is.na(b)) &&
    all(abs(a - b) < 1e-9, na.rm = TRUE)
}

# The table of that name, with `rows` rows for each selector.
is_curve_table <- function(v, name, x, rows = 1L) {
  is_table(v, curve_tables[[name]], rows * length(x$selectors)) &&
    is_factor_of(v$selector, x$selectors) &&
    identical(as.integer(v$selector), rep(seq_along(x$selectors), each = rows))
}

is_by_selector <- function(v, selectors) {
  is.list(v) && identical(names(v), selectors)
}

# Splits or repetitions x sizes.
is_values <- function(v, rows, columns) {
  is_numeric_matrix(v, nrow(v), columns) && nrow(v) >= 1L &&
    nrow(v) %in% rows &&
    in_range(v, 0, 1, TRUE)
}

# Predictions x classes, or of two classes, in 0.1.0, that of the second one.
is_score <- function(v, n, x) {
  classes <- x$classes
  if (length(classes) == 2L && is.null(dim(v))) {
    return(maybe(v, is_numbers(v, n, na = TRUE)))
  }
  is_numeric_matrix(v, n, length(classes)) && identical(colnames(v), classes)
}

is_split <- function(v, n_samples) {
  is.list(v) && is_whole(v$repetition, 1L, 1) &&
    is_whole(v$train, low = 1, high = n_samples) && length(v$train) > 0L &&
    is_whole(v$test, low = 1, high = n_samples) && length(v$test) > 0L
}

# Of one selector by split: one list of features, or one for each size; NULL
# where the fit failed.
is_selections <- function(v, n_splits, n_sizes, n_features) {
  nested <- vapply(v, is.list, NA)
  is.list(v) && length(v) == n_splits && all(lengths(v[nested]) == n_sizes) &&
    all(vapply(
      c(v[!nested], unlist(v[nested], recursive = FALSE)), function(set) {
        maybe(set, is_whole(set, low = 1, high = n_features))
      }, NA
    ))
}

# ---- tables with a class: columns that are there, see `needs` ---------------

# The number of rows is put among the fields by check_whole().
is_column <- function(kind) {
  test <- column_kinds[[kind]]
  function(v, x) length(v) == x$n_rows && test(v)
}

size_fields <- c(
  list(
    selector = is_column("text"),
    metric = \(v, x) is_texts(v, x$n_rows, names(curve_metrics)),
    rule = \(v, x) is_texts(v, x$n_rows, c("one_se", "min"))
  ),
  lapply(c(
    size = "count", value = "share", se = "positive", plain_se = "positive",
    best_size = "count", best_value = "share", best_se = "positive"
  ), is_column)
)

comparison_fields <- c(
  lapply(c(
    first = "text", second = "text", difference = "index", lower = "number",
    upper = "number", statistic = "number", df = "positive", p = "share",
    p_adjusted = "share", test = "text"
  ), is_column),
  list(
    note = \(v, x) maybe(v, is_texts(v)),
    metric = \(v, x) {
      maybe(v, is_texts(v, 1L, vapply(curve_metrics, `[[`, "", "label")))
    }
  )
)

comparison_relations <- list(
  `p p_adjusted` = \(x) {
    is.null(x$p) || is.null(x$p_adjusted) ||
      all(is.na(x$p) == is.na(x$p_adjusted)) &&
        all(x$p <= x$p_adjusted, na.rm = TRUE)
  },
  `lower difference upper` = \(x) {
    is.null(x$lower) || is.null(x$upper) || is.null(x$difference) ||
      is_interval(x$lower, x$difference, x$upper)
  }
)

is_interval <- function(lower, value, upper) {
  all(is.na(lower) == is.na(upper)) && all(is.na(value) <= is.na(lower)) &&
    all(lower <= value + 1e-9 & value <= upper + 1e-9, na.rm = TRUE)
}

# ---- the others -------------------------------------------------------------

stability_fields <- list(
  table = \(v, x) nrow(v) > 0L && is_table(v, c(
    selector = "text", size = "count", mean_k = "positive", sd_k = "positive",
    empty = "count", nogueira = "index", lower = "index", upper = "index",
    kuncheva = "index", jaccard = "share", baseline = "index"
  )),
  frequency = \(v, x) {
    is_numeric_matrix(v, nrow(v), nrow(x$table)) && nrow(v) <= x$n_features &&
      in_range(v, 0, 1, FALSE) && is_texts(colnames(v)) &&
      # None where all sets are empty.
      (nrow(v) == 0L || is_keys(rownames(v)))
  },
  n_sets = \(v, x) is_whole(v, nrow(x$table), 0),
  n_features = \(v, x) is_whole(v, 1L, 1),
  interval = \(v, x) is_choice(v, stability, "interval"),
  level = \(v, x) is_numbers(v, 1L, 0, 1),
  resampling = \(v, x) maybe(v, is_plan(v)),
  n_groups = \(v, x) maybe(v, is_whole(v, 1L, 2) && is_plan(x$resampling)),
  exact = \(v, x) is_flags(v, nrow(x$table), na = TRUE),
  call = is_call_or_null
)

stability_relations <- list(
  # An edited column, as the interval goes with its index.
  table = \(x) is_interval(x$table$lower, x$table$nogueira, x$table$upper),
  `table frequency` = \(x) {
    same(unname(colSums(x$frequency)), ifelse(x$n_sets > 0, x$table$mean_k, 0))
  }
)

fdr_fields <- c(group_fields, list(
  table = \(v, x) is_table(v, c(
    feature = "text", rank = "count", score = "number", fdr = "share",
    q = "share", upper = "share"
  )),
  list_fdr = \(v, x) is_numbers(v, 1L, 0, 1, na = !isTRUE(x$sparse)),
  list_size = \(v, x) {
    is_whole(v, 1L, 0, x$n_features, na = !isTRUE(x$sparse))
  },
  n_at = \(v, x) {
    is_whole(v, 3L, 0, nrow(x$table)) &&
      identical(names(v), c("0.05", "0.1", "0.2"))
  },
  auc = \(v, x) is_numbers(v, 1L, 0, 1),
  probe_counts = \(v, x) is_numeric_matrix(v, x$times) &&
    in_range(v, 0, Inf, FALSE),
  probe_scores = \(v, x) nrow(v) == 101L && is_table(v, c(
    prob = "share", real = "number", probe = "number"
  )),
  type = \(v, x) is_choice(v, probe_fdr, "type"),
  times = \(v, x) is_whole(v, 1L, 1),
  probes = \(v, x) is_whole(v, 1L, 1),
  sparse = \(v, x) is_flags(v, 1L),
  level = \(v, x) is_numbers(v, 1L, 0, 1),
  n_features = \(v, x) is_whole(v, 1L, nrow(x$table)),
  n_samples = \(v, x) is_whole(v, 1L, 2),
  call = is_call_or_null
))

fdr_relations <- list(
  `table probe_counts times probes` = \(x) {
    ranks <- x$table$rank
    expected <- (1 + colSums(x$probe_counts)) / (x$probes * x$times * ranks)
    same(x$table$fdr, pmin(1, expected)) &&
      same(x$table$q, rev(cummin(rev(x$table$fdr)))) && !anyNA(x$table$upper)
  },
  `n_at table` = \(x) {
    identical(unname(x$n_at + 0), vapply(c(0.05, 0.1, 0.2), function(level) {
      max(0, which(x$table$q <= level))
    }, 0))
  },
  `table` = \(x) identical(x$table$rank, seq_len(nrow(x$table)))
)

roc_fields <- list(
  auc = \(v, x) is_numbers(v, 1L, 0, 1),
  curve = \(v, x) {
    nrow(v) > 1L && is_table(v, c(
      n = "count", threshold = "number", relevant = "share", other = "share"
    )) && !is.unsorted(v$n, strictly = TRUE) && max(v$n) == x$n_features
  },
  n_relevant = \(v, x) is_whole(v, 1L, 1) && v < x$n_features,
  n_features = \(v, x) is_whole(v, 1L, 2) && v == max(x$curve$n),
  call = is_call_or_null
)

roc_relations <- list(
  `curve n_relevant n_features auc` = \(x) {
    curve <- x$curve
    n <- curve$relevant * x$n_relevant +
      curve$other * (x$n_features - x$n_relevant)
    same(curve$n, n) && same(x$auc, area_below(curve)) &&
      !is.unsorted(-curve$threshold)
  }
)

redundancy_fields <- list(
  mean = \(v, x) is_numbers(v, 1L, 0, 1),
  histogram = \(v, x) is_table(v, c(
    lower = "share", upper = "share", pairs = "pairs", share = "share"
  ), 10L),
  features = \(v, x) is_keys(v) &&
    choose(length(v), 2) == sum(x$histogram$pairs),
  constant = \(v, x) is_keys(v),
  n_samples = \(v, x) is_whole(v, 1L, 3),
  call = is_call_or_null
)

redundancy_relations <- list(
  histogram = \(x) {
    same(x$histogram$share, x$histogram$pairs / sum(x$histogram$pairs)) &&
      same(x$histogram$lower, 0:9 / 10) && same(x$histogram$upper, 1:10 / 10)
  }
)

interactions_fields <- list(
  pairs = \(v, x) is_table(v, c(
    rank = "count", feature1 = "text", feature2 = "text",
    interaction = "number", expected = "number", hits = "index",
    misses = "index", p_value = "share"
  ), choose(length(x$features), 2)),
  features = \(v, x) is_keys(v) && length(v) >= 2L,
  largest_by_chance = \(v, x) is_numbers(v, x$times, 0, 4),
  times = \(v, x) is_whole(v, 1L, 0),
  n_samples = \(v, x) is_whole(v, 1L, 2),
  call = is_call_or_null
)

interactions_relations <- list(
  `pairs features` = \(x) {
    all(c(x$pairs$feature1, x$pairs$feature2) %in% x$features) &&
      same(x$pairs$interaction, x$pairs$hits - x$pairs$misses) &&
      !is.unsorted(-abs(x$pairs$interaction - x$pairs$expected))
  }
)

audit_fields <- list(
  samples = \(v, x) is_table(v, c(
    sample = "text", class = "level", suspicion = "share", suggested = "level",
    spheres = "count", neighbours = "share"
  )) && nrow(v) > 1L,
  k = \(v, x) is_whole(v, 1L, 1, nrow(x$samples) - 1),
  classes = \(v, x) is_keys(v) && length(v) >= 2L,
  call = is_call_or_null
)

audit_relations <- list(
  `samples classes` = \(x) {
    table <- x$samples
    identical(levels(table$class), x$classes) &&
      identical(levels(table$suggested), x$classes) && !anyNA(table$class) &&
      identical(is.na(table$suspicion), is.na(table$suggested)) &&
      !is.unsorted(-table$suspicion[!is.na(table$suspicion)]) &&
      !anyNA(table$neighbours) && !anyNA(table$spheres)
  },
  `samples k` = \(x) {
    votes <- x$samples$neighbours * x$k
    same(votes, round(votes))
  }
)

signatures_fields <- list(
  calls = \(v, x) is_table(v, c(
    sample = "text", class = "level", feature = "text", frequency = "share",
    highest_probe = "share"
  )),
  classes = \(v, x) is_table(v, c(
    class = "level", samples = "count", with_calls = "count", called = "count",
    probes_called = "positive", false_share = "share"
  ), nlevels(x$labels)),
  frequency = \(v, x) {
    inherits(v, "dgCMatrix") && nrow(v) == length(x$labels) &&
      is_numbers(v@x, length(v@x), 0, 1)
  },
  refits = \(v, x) is_whole(v, length(x$labels), 0),
  highest_probe = \(v, x) is_numbers(unname(v), length(x$labels), 0, 1),
  labels = \(v, x) is.factor(v) && !anyNA(v) && length(v) > 1L &&
    is_texts(names(v)),
  parameters = \(v, x) is.list(v),
  `parameters$times` = \(v, x) is_whole(v, 1L, 1),
  `parameters$sets` = \(v, x) is_whole(v, 1L, 1),
  `parameters$share` = \(v, x) is_numbers(v, 1L, 0, 1),
  `parameters$level` = \(v, x) is_numbers(v, 1L, 0, 1),
  call = is_call_or_null
)

signatures_relations <- list(
  `frequency calls labels parameters` = \(x) {
    called <- called_cells(x$frequency, x$parameters$level)
    order <- order(called$row, -called$frequency, called$column)
    identical(x$calls$sample, names(x$labels)[called$row[order]]) &&
      identical(x$calls$class, unname(x$labels[called$row[order]])) &&
      identical(x$calls$feature, colnames(x$frequency)[called$column[order]]) &&
      same(x$calls$frequency, called$frequency[order])
  },
  `highest_probe calls labels` = \(x) {
    same(
      x$calls$highest_probe,
      unname(x$highest_probe[match(x$calls$sample, names(x$labels))])
    )
  },
  `classes labels` = \(x) {
    identical(as.character(x$classes$class), levels(x$labels)) &&
      identical(x$classes$samples, tabulate(x$labels, nlevels(x$labels)))
  },
  `refits parameters` = \(x) {
    all(x$refits <= x$parameters$times * x$parameters$sets)
  }
)

bayes_fields <- list(
  error = \(v, x) is_numbers(v, 1L, 0, 1),
  se = \(v, x) is_numbers(v, 1L, 0, 1),
  plugin = \(v, x) is_numbers(v, 1L, 0, 1),
  criterion = \(v, x) is_numbers(v, 1L, -1, 1),
  nn_error = \(v, x) is_numbers(v, 1L, 0, 1),
  lower = \(v, x) is_numbers(v, 1L, 0, 1),
  estimates = \(v, x) is_table(v, c(
    method = "text", error = "share", se = "share", plugin = "share",
    criterion = "index"
  ), 2L),
  per_class = \(v, x) nrow(v) >= 2L && is_table(v, c(
    class = "text", n = "count", error = "share"
  )) && sum(v$n) == x$n,
  method = \(v, x) is_choice(v, bayes_error, "method"),
  bandwidth = \(v, x) is_numbers(v, 1L, 0),
  k = \(v, x) is_whole(v, 1L, 1, x$n),
  rule = \(v, x) is_choice(v, bayes_error, "rule"),
  n_constant = \(v, x) is_whole(v, 1L, 0, length(x$features)),
  features = \(v, x) is_keys(v) && length(v) >= 1L,
  n = \(v, x) is_whole(v, 1L, 2) && v == sum(x$per_class$n),
  selected_here = \(v, x) is_flags(v, 1L, na = TRUE),
  note = \(v, x) is_texts(v),
  call = is_call_or_null
)

bayes_relations <- list(
  `error se plugin criterion estimates method` = \(x) {
    figures <- c("error", "se", "plugin", "criterion")
    row <- match(x$method, x$estimates$method)
    same(
      unlist(x[figures]),
      unlist(unclass(x$estimates)[figures], use.names = FALSE)[
        row + 2L * 0:3
      ]
    )
  }
)

# ---- scores -----------------------------------------------------------------

# Of the vector's attributes, and `scores`: the vector itself.
scores_fields <- list(
  scores = \(v, x) {
    is_numbers(v) && length(v) >= 1L && all_finite(v) && is_keys(names(v))
  },
  method = \(v, x) is_choice(v, reference_scores, "method"),
  parameters = \(v, x) {
    is.list(v) && all(vapply(v, is_setting, NA)) &&
      all(names(v) %in% names(score_arguments))
  },
  classes = \(v, x) is_keys(v) && length(v) >= 2L,
  n_samples = \(v, x) is_whole(v, 1L, length(x$classes)),
  ranking = \(v, x) {
    maybe(v, is.integer(v) && is_plain(v, length(x$scores)) &&
      all(tabulate(v, length(v)) == 1L))
  },
  n_ranked = \(v, x) {
    is.null(v) == is.null(x$ranking) &&
      maybe(v, is_whole(v, 1L, 0, length(x$scores)))
  },
  report = \(v, x) is.list(v),
  `report$status` = \(v, x) fit_fields$`report$status`(v, x),
  `report$iterations` = \(v, x) fit_fields$`report$iterations`(v, x),
  `report$objective` = \(v, x) fit_fields$`report$objective`(v, x),
  `report$residual` = \(v, x) fit_fields$`report$residual`(v, x),
  annotation = \(v, x) maybe(v, is.data.frame(v) &&
    nrow(v) == length(x$scores) && all(lengths(unclass(v)) == nrow(v))),
  version = \(v, x) is_texts(v, 1L)
)

scores_relations <- list(
  `method ranking` = \(x) identical(x$method, "mrmr") == !is.null(x$ranking),
  `scores ranking` = \(x) {
    is.null(x$ranking) || !is.unsorted(-unname(x$scores)[x$ranking])
  }
)
