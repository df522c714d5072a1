# What must hold in every fit, for check_whole(): see ?"hitmiss-objects" for
# what the fields mean. Only what no legitimate fit lacks, of this and earlier
# versions.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The rules of a class: tests of its fields, and of relations between fields
#'
#' `fields`: named by field, functions of the field and of the whole object.
#' `relations`: named by the fields concerned, functions of the whole object,
#' called if every field passes its own test. `attributes`: attributes of tables
#' that are tested like fields.
#' @noRd
rules_of <- function(kind) {
  switch(kind,
    hitmiss_llfs = fit_rules(llfs_fields, llfs_relations),
    hitmiss_logo = fit_rules(
      c(training_fields, logo_fields), training_relations
    ),
    hitmiss_relief = fit_rules(
      utils::modifyList(training_fields, c(outcome_fields, relief_fields)),
      c(training_relations, relief_relations)
    ),
    hitmiss_turf = fit_rules(
      utils::modifyList(training_fields, c(outcome_fields, turf_fields)),
      c(training_relations, turf_relations)
    ),
    hitmiss_kbfs = fit_rules(
      c(training_fields, kbfs_fields), c(training_relations, kbfs_relations)
    ),
    hitmiss_pwfp = fit_rules(
      c(training_fields, pwfp_fields), c(training_relations, pwfp_relations)
    ),
    evaluation_rules(kind)
  )
}

known_kinds <- c(
  paste0("hitmiss_", c(
    "llfs", "logo", "relief", "turf", "kbfs", "pwfp", "curve", "size",
    "comparison", "resampling", "stability", "fdr", "roc", "redundancy",
    "interactions", "audit", "signatures", "bayes_error", "scores"
  )),
  "summary_hitmiss", "summary_hitmiss_curve"
)

# A method's own test of a field stands for the common one.
fit_rules <- function(fields = NULL, relations = NULL) {
  common <- fit_fields[setdiff(names(fit_fields), names(fields))]
  list(fields = c(common, fields), relations = c(fit_relations, relations))
}

fit_fields <- list(
  scores = \(v, x) is_numbers(v, x$n_features) && is_keys(names(v)),
  ranking = \(v, x) {
    is.integer(v) && is_plain(v, x$n_features) &&
      all(tabulate(v, length(v)) == 1L)
  },
  n_ranked = \(v, x) is_whole(v, 1L, 0, x$n_features),
  selected = \(v, x) is_texts(v) && length(v) <= x$n_features,
  classes = \(v, x) {
    is_keys(v) && length(v) >= 2L && identical(v, levels(stored_classes(x)))
  },
  # kbfs() stores the labelled samples only.
  n_samples = \(v, x) {
    is_whole(v, 1L, length(stored_classes(x))) &&
      (v == length(stored_classes(x)) || !is.null(x$entry))
  },
  n_features = \(v, x) is_whole(v, 1L, 1) && v == length(x$scores),
  parameters = \(v, x) is.list(v) && all(vapply(v, is_setting, NA)),
  `parameters$scale` = \(v, x) is_texts(v, 1L, scalings),
  `parameters$block` = \(v, x) maybe(v, is_whole(v, 1L, 1, x$n_samples)),
  `parameters$group` = \(v, x) maybe(v, is_whole(v, 1L, 1, x$n_samples)),
  preprocess = \(v, x) is.list(v),
  `preprocess$method` = \(v, x) identical(v, x$parameters$scale),
  `preprocess$center` = \(v, x) is_numbers(v, x$n_features) && all_finite(v),
  `preprocess$scale` = \(v, x) {
    is_numbers(v, x$n_features, low = 0) && all_finite(v) && all(v > 0)
  },
  `preprocess$constant` = \(v, x) is_flags(v, x$n_features),
  # Fits of 0.1.0 have none.
  class_means = \(v, x) maybe(v, is_numeric_matrix(
    v, x$n_features, length(x$classes)
  ) && all_finite(v)),
  report = \(v, x) is.list(v),
  `report$status` = \(v, x) {
    is_texts(v, 1L, c("converged", "max_iter", "stalled"))
  },
  `report$iterations` = \(v, x) is_whole(v, 1L, 0, na = TRUE) || is_unknown(v),
  `report$objective` = \(v, x) is_numbers(v, na = TRUE) || is_unknown(v),
  `report$residual` = \(v, x) is_figure(v),
  `report$kkt` = \(v, x) is_figure(v),
  `report$gap` = \(v, x) is_figure(v),
  `report$seconds` = \(v, x) is_numbers(v, 1L, 0),
  `report$threads` = \(v, x) is_whole(v, 1L, 1),
  `report$passes` = \(v, x) maybe(v, is_numbers(v, low = 0)),
  `report$bytes_read` = \(v, x) maybe(v, is_numbers(v, 1L, 0)),
  annotation = \(v, x) maybe(v, is.data.frame(v) &&
    nrow(v) == x$n_features && all(lengths(unclass(v)) == x$n_features)),
  tuned = \(v, x) {
    maybe(v, is_table(v, c(error = "share", chosen = "flag")) &&
      identical(which(v$chosen), which.min(v$error)) && any(v$chosen))
  },
  dropped = \(v, x) maybe(v, is_keys(v) && !any(v %in% names(x$scores))),
  assay = \(v, x) maybe(v, is_texts(v, 1L) || is_whole(v, 1L, 1)),
  call = \(v, x) maybe(v, is.call(v)),
  version = \(v, x) is_texts(v, 1L)
)

stored_classes <- function(x) x$local$class %||% x$training$y

# What print() can show of a parameter.
is_setting <- function(v) {
  is.null(v) || is.atomic(v) && !is.object(v) && !anyNA(v) && length(v) > 0L ||
    is.list(v) && !is.object(v) && all(vapply(v, is_setting, NA)) &&
      !is.null(names(v))
}

is_figure <- function(v) is_numbers(v, 1L, na = TRUE) || is_unknown(v)
is_unknown <- function(v) identical(v, NA)

fit_relations <- list(
  `class_means scores classes` = \(x) {
    is.null(x$class_means) ||
      identical(dimnames(x$class_means), list(names(x$scores), x$classes))
  },
  `scores ranking` = \(x) is_in_order(x),
  `selected scores ranking preprocess$constant` = \(x) {
    own <- own_selection(x)
    cpp_is_selection(x$selected, names(x$scores), x$ranking, own) ||
      identical(x$selected, names(x$scores)[x$ranking[own[x$ranking]]])
  }
)

# Best first, and by position where scores tie. kbfs() has orders of its own.
is_in_order <- function(x) {
  if (!is.null(x$entry)) {
    first <- if (identical(x$parameters$rank_by, "entry")) {
      replace(x$entry, is.na(x$entry), .Machine$integer.max)
    } else {
      -x$scores
    }
    return(!is.unsorted(unname(first)[x$ranking]))
  }
  if (!is.null(x$last_round)) {
    return(identical(
      x$ranking, order(-x$last_round, -x$scores, seq_along(x$scores))
    ))
  }
  cpp_is_in_order(as.double(x$scores), x$ranking)
}

# Which features a method takes for its own selection, in input order.
own_selection <- function(x) {
  above <- if (is.null(x$pairs)) x$scores > 0 else x$within > 0 & x$between > 0
  unname(above & !x$preprocess$constant)
}

# ---- llfs -------------------------------------------------------------------

llfs_fields <- list(
  `parameters$alpha` = \(v, x) is_numbers(v, low = 1) && anyDuplicated(v) == 0L,
  `parameters$vote` = \(v, x) is_choice(v, llfs.default, "vote"),
  `parameters$neighbour` = \(v, x) is_choice(v, llfs.default, "neighbour"),
  # Fits of 0.1.0 have none: it was "share".
  `parameters$impurity` = \(v, x) {
    maybe(v, is_choice(v, llfs.default, "impurity"))
  },
  # Fits of earlier versions have none of these three: all samples took part.
  `parameters$representatives` = \(v, x) maybe(v, is_draw(v)),
  `parameters$control` = \(v, x) {
    is.list(v) && all(vapply(v[c("program_samples", "score_samples")], \(size) {
      maybe(size, is_draw(size))
    }, NA))
  },
  local = \(v, x) is.list(v),
  `local$representatives` = \(v, x) maybe(v, is.integer(v) && length(v) > 0L &&
    is_whole(v, low = 1, high = x$n_samples) &&
    !is.unsorted(v, strictly = TRUE)),
  `local$subsets` = \(v, x) is_subsets(
    v, x$n_features, length(representatives(x))
  ),
  `local$radius` = \(v, x) is_numbers(v, length(representatives(x)), low = 0),
  `local$alpha` = \(v, x) {
    is_numbers(v, length(representatives(x))) && all(v %in% x$parameters$alpha)
  },
  `local$beta` = \(v, x) is_numbers(v, length(representatives(x)), 0, 1),
  `local$score` = \(v, x) is_numbers(v, length(representatives(x)), -1, 1),
  `local$objective` = \(v, x) is_numbers(v, length(representatives(x))),
  `local$log_odds` = \(v, x) {
    is_numeric_matrix(v, length(representatives(x)), 4L) && all_finite(v)
  },
  `local$class` = \(v, x) {
    is_factor_of(v, x$classes, x$n_samples) &&
      all(tabulate(v, length(x$classes)) > 0L)
  },
  `local$samples` = \(v, x) maybe(v, is_texts(v, x$n_samples)),
  `local$training` = \(v, x) {
    is_numeric_matrix(v, x$n_samples) && all_finite(v)
  }
)

llfs_relations <- list(
  `local$subsets scores local$samples local$representatives` = \(x) {
    names <- x$local$samples[representatives(x)]
    identical(dimnames(x$local$subsets), list(names(x$scores), names))
  },
  `local$training scores local$samples` = \(x) {
    used <- names(x$scores)[x$scores > 0]
    identical(dimnames(x$local$training), list(x$local$samples, used))
  },
  `local$subsets scores` = \(x) {
    users <- tabulate(x$local$subsets@i + 1L, x$n_features)
    counting <- sum(diff(x$local$subsets@p) > 0L)
    max(abs(x$scores - users / max(1L, counting))) < 1e-9
  },
  `n_ranked scores` = \(x) x$n_ranked == sum(x$scores > 0)
)

# Inf for all.
is_draw <- function(v) identical(v, Inf) || is_whole(v, 1L, 1)

# Sparse by columns; what is stored is TRUE, and the codes are places in it.
is_subsets <- function(v, rows, columns) {
  inherits(v, c("ngCMatrix", "lgCMatrix")) &&
    identical(attr(class(v), "package"), "Matrix") && is.integer(v@p) &&
    is.integer(v@i) && identical(v@Dim + 0, c(rows, columns) + 0) &&
    length(v@p) == columns + 1L && v@p[[1L]] == 0L && !is.unsorted(v@p) &&
    v@p[[columns + 1L]] == length(v@i) && in_range(v@i, 0L, rows - 1L, FALSE) &&
    !is.unsorted(v@i + as.double(rows) * rep(seq_len(columns), diff(v@p)),
      strictly = TRUE
    ) &&
    (inherits(v, "ngCMatrix") || is_flags(v@x, length(v@i)) && all(v@x))
}

# ---- the global selectors ---------------------------------------------------

training_fields <- list(
  training = \(v, x) is.list(v),
  `training$values` = \(v, x) {
    is_numeric_matrix(v, length(x$training$y)) && all_finite(v)
  },
  `training$y` = \(v, x) {
    is_factor_of(v, x$classes) && length(v) <= x$n_samples &&
      (length(v) == x$n_samples || !is.null(x$entry)) &&
      all(tabulate(v, length(x$classes)) > 0L)
  }
)

training_relations <- list(
  # As many as there is room for, see vote_memory().
  `training$values scores` = \(x) {
    kept <- kept_places(x)
    used <- voting_features(x)
    least <- min(sum(used), memory_room(x$n_samples) - length(x$dropped))
    !is.null(kept) && all(used[kept]) && length(kept) >= least
  }
)

# The features that vote in predict(), where all are kept.
voting_features <- function(x) {
  if (is.null(x$weights)) own_selection(x) else x$weights > 0
}

logo_fields <- list(
  scores = \(v, x) is_numbers(v, x$n_features, low = 0) && is_keys(names(v)),
  `parameters$sigma` = \(v, x) is_numbers(v, 1L, 0),
  `parameters$lambda` = \(v, x) is_numbers(v, 1L, 0),
  n_ranked = \(v, x) is_whole(v, 1L) && v == sum(x$scores > 0)
)

# Of relief() and turf(): numeric outcomes, and categories among the features.
outcome_fields <- list(
  # Of a numeric outcome there are no classes.
  classes = \(v, x) {
    if (has_numeric_outcome(x)) {
      identical(v, character())
    } else {
      fit_fields$classes(v, x)
    }
  },
  class_means = \(v, x) {
    if (has_numeric_outcome(x)) {
      return(is.null(v))
    }
    if (is.null(x$levels)) {
      return(fit_fields$class_means(v, x))
    }
    counted <- setdiff(names(x$scores), names(x$levels))
    maybe(v, is_numeric_matrix(v, x$n_features, length(x$classes)) &&
      all_finite(v[counted, , drop = FALSE]))
  },
  `training$y` = \(v, x) {
    if (has_numeric_outcome(x)) {
      is_numbers(v, x$n_samples) && all_finite(v)
    } else {
      training_fields$`training$y`(v, x)
    }
  },
  levels = \(v, x) maybe(v, is.list(v) && is_keys(names(v)) &&
    all(names(v) %in% names(x$scores)) && all(vapply(v, is_texts, NA)))
)

relief_fields <- list(
  `parameters$method` = \(v, x) is_choice(v, relief.default, "method"),
  `parameters$metric` = \(v, x) {
    maybe(v, is_choice(v, relief.default, "metric"))
  },
  `parameters$k` = \(v, x) {
    !x$parameters$method %in% relief_arguments$k || is_whole(v, 1L, 1)
  },
  `parameters$samples` = \(v, x) maybe(v, is_whole(v, 1L, 2)),
  `parameters$bandwidth` = \(v, x) {
    x$parameters$method != "parzen" || is_numbers(v, low = 0) && length(v) > 0L
  },
  `parameters$sigma` = \(v, x) {
    x$parameters$method != "irelief" || is_numbers(v, 1L, 0)
  },
  n_ranked = \(v, x) is_whole(v, 1L) && v == x$n_features,
  weights = \(v, x) is_numbers(v, x$n_features, 0, 1),
  score_se = \(v, x) maybe(v, is_numbers(v, x$n_features, 0))
)

relief_relations <- list(
  `parameters$method training$y` = \(x) {
    identical(x$parameters$method, "rrelieff") == has_numeric_outcome(x)
  },
  `parameters$method parameters$metric` = \(x) {
    is.null(x$parameters$metric) ==
      !x$parameters$method %in% relief_arguments$metric
  },
  `parameters$samples score_se scores` = \(x) {
    is.null(x$parameters$samples) == is.null(x$score_se) &&
      (is.null(x$score_se) || identical(names(x$score_se), names(x$scores)))
  },
  `weights scores` = \(x) {
    identical(names(x$weights), names(x$scores)) &&
      cpp_is_positive_part(x$weights, x$scores)
  }
)

turf_fields <- list(
  `parameters$selector` = \(v, x) is_texts(v, 1L),
  `parameters$drop` = \(v, x) is_numbers(v, 1L, 0, 1),
  `parameters$n_stop` = \(v, x) is_whole(v, 1L, 1),
  n_ranked = \(v, x) is_whole(v, 1L) && v == x$n_features,
  last_round = \(v, x) is_whole(v, x$n_features, 1)
)

turf_relations <- list(
  `last_round scores` = \(x) identical(names(x$last_round), names(x$scores))
)

kbfs_fields <- list(
  scores = \(v, x) is_numbers(v, x$n_features, low = 0) && is_keys(names(v)),
  `parameters$manifold` = \(v, x) is_numbers(v, 1L, 0),
  `parameters$lambda` = \(v, x) maybe(v, is_numbers(v, 1L, 0)),
  `parameters$n_features` = \(v, x) is_whole(v, 1L, 1),
  entry = \(v, x) is_whole(v, x$n_features, 1, nrow(x$path), na = TRUE),
  path = \(v, x) {
    nrow(v) > 0L && is_table(v, c(
      lambda = "positive", active = "count", objective = "number",
      gap = "number"
    ))
  }
)

kbfs_relations <- list(
  `entry scores` = \(x) {
    identical(names(x$entry), names(x$scores)) &&
      !any(x$scores > 0 & is.na(x$entry))
  },
  `n_ranked entry` = \(x) x$n_ranked == sum(!is.na(x$entry))
)

pwfp_fields <- list(
  `parameters$fraction` = \(v, x) is_numbers(v, 1L, 0, 1),
  n_ranked = \(v, x) is_whole(v, 1L) && v == x$n_features,
  within = \(v, x) is_numbers(v, x$n_features, 0),
  between = \(v, x) is_numbers(v, x$n_features, 0),
  pairs = \(v, x) {
    is_numbers(v, 2L, 1) && identical(names(v), c("within", "between"))
  }
)

pwfp_relations <- list(
  `within between scores` = \(x) {
    names <- names(x$scores)
    identical(names(x$within), names) && identical(names(x$between), names)
  },
  `scores within between pairs` = \(x) {
    shares <- (x$within + 0.5) / (x$pairs[["within"]] + 1) *
      ((x$between + 0.5) / (x$pairs[["between"]] + 1))
    max(abs(exp(x$scores) / shares - 1)) < 1e-9
  }
)
