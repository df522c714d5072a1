# Layer: input. relief() takes factors as features: values are kept as codes,
# and samples are compared by indicators.
# SPDX-License-Identifier: GPL-3.0-or-later

# A factor with L levels becomes L indicators. Two samples that differ in it
# differ in two of these, which are divided so that the factor adds 1 to their
# distance (to its square, if it is Euclidean). The score of the factor comes
# from the sum of the indicators' scores, and the core needs no code for
# factors.

#' The levels of the columns that are factors or text, by name; NULL if none is
#' @param x What plain_frame() gives.
#' @noRd
category_levels <- function(x) {
  if (!is.data.frame(x)) {
    return(NULL)
  }
  found <- vapply(
    x, \(v) is.factor(v) && !is.ordered(v) || is.character(v), NA
  )
  if (!any(found)) {
    return(NULL)
  }
  check_factor_columns(x, names(x)[found], "x")
  lapply(unclass(x)[found], function(v) {
    if (is.factor(v)) {
      levels(droplevels(v))
    } else {
      sort(unique(v), method = "radix")
    }
  })
}

# Returns the levels of the columns that are ordered factors. These are numbers,
# the ranks of their levels, for every selector.
ordered_levels <- function(x) {
  if (is.data.frame(x) && any(found <- vapply(x, is.ordered, NA))) {
    check_factor_columns(x, names(x)[found], "x")
    lapply(unclass(x)[found], levels)
  }
}

check_factor_columns <- function(x, names, arg) {
  for (name in names) {
    v <- x[[name]]
    of <- sprintf("%s[[%s]]", arg, deparse1(name))
    if (is.factor(v)) {
      check_factor(v, arg, name)
      check_text(levels(v), arg, "levels", sprintf("levels(%s)", of))
    } else if (is.character(v)) {
      check_text(v, arg, "values", of)
    }
  }
}

inform_text <- function(columns) {
  if (length(columns) > 0L) {
    chosen <- deparse1(columns)
    inform(
      c(
        "{length(columns)} column{?s} of text or of value labels {?is/are} taken
         as categories: {listed(columns, 3L)}.",
        i = "Leave out what names samples or patients; factors are taken without
             this message.",
        i = if (length(columns) <= 3L) {
          "Use {.code x[{chosen}] <- lapply(x[{chosen}], factor)}."
        }
      ),
      "hitmiss_message_categories"
    )
  }
}

# Replaces each category of a data.frame by the number of its level.
code_categories <- function(x, levels) {
  if (length(levels) == 0L) {
    return(x)
  }
  columns <- unclass(x)
  columns[names(levels)] <- Map(
    \(v, of) as.double(match(as.character(v), of)),
    columns[names(levels)], levels
  )
  structure(columns, class = "data.frame", row.names = .row_names_info(x, 0L))
}

#' New data with the codes of a fit in place of its categories and ordered
#' factors
#' @param needed Names of the features that are used.
#' @noRd
coded_newdata <- function(newdata, fit, needed) {
  newdata <- plain_frame(newdata, "newdata")
  levels <- fit$levels[names(fit$levels) %in% needed]
  if (length(levels) > 0L && !is.data.frame(newdata)) {
    abort_input(
      "{.arg newdata} must be a data.frame, not {describe(newdata)}: the fit has
       features with categories, such as
       {.val {names(levels)[[1L]]}}.", "newdata"
    )
  }
  # A matrix, or numbers in a data.frame, hold ranks already.
  ranks <- fit$ranks[names(fit$ranks) %in% needed]
  ranks <- ranks[!vapply(names(ranks), function(name) {
    !is.data.frame(newdata) || is.numeric(newdata[[name]])
  }, NA)]
  levels <- c(levels, ranks)
  levels <- levels[names(levels) %in% names(newdata)]
  check_factor_columns(newdata, names(levels), "newdata")
  if (length(levels) > 0L) warn_unseen(newdata, levels)
  code_categories(newdata, levels)
}

# A preparation that only fills in missing values fills in unseen categories.
unseen_as_missing <- function(values, levels) {
  levels <- levels[names(levels) %in% names(values)]
  warn_unseen(values, levels)
  for (name in names(levels)) {
    unseen <- !as.character(values[[name]]) %in% levels[[name]]
    values[[name]][unseen] <- NA
  }
  values
}

# Categories without a code become missing values; one warning names them all.
warn_unseen <- function(newdata, levels) {
  given <- lapply(unclass(newdata)[names(levels)], as.character)
  unseen <- Map(\(v, levels) !is.na(v) & !v %in% levels, given, levels)
  features <- names(levels)[vapply(unseen, any, NA)]
  if (length(features) > 0L) {
    categories <- unique(unlist(Map(`[`, given, unseen)))
    samples <- sum(Reduce(`|`, unseen))
    warn(
      "{.arg newdata} has {cli::qty(categories)}{?a category/categories} of
       {.val {features}} that the training samples lack: {.val {categories}}.
       {cli::qty(categories)}{?It counts/They count} as missing, in {samples}
       sample{?s}.",
      "hitmiss_warning_unseen",
      features = features
    )
  }
}

#' Factors again where there were: then a data.frame
#' @param ranks Levels of ordered factors.
#' @noRd
decoded <- function(values, levels, ranks = NULL) {
  levels <- c(levels, ranks)
  levels <- levels[names(levels) %in% colnames(values)]
  if (length(levels) == 0L) {
    return(values)
  }
  frame <- as.data.frame(values, optional = TRUE)
  for (name in names(levels)) {
    frame[[name]] <- factor(
      levels[[name]][frame[[name]]], levels[[name]],
      ordered = name %in% names(ranks)
    )
  }
  frame
}

check_categories_method <- function(levels, method) {
  if (length(levels) > 0L && method %in% c("irelief", "parzen")) {
    abort_input(c(
      "{.arg x} has {length(levels)} column{?s} of categories, which
       {.arg method = {quoted(method)}} cannot use: {.val {names(levels)}}.",
      i = "Use another method, or leave {cli::qty(levels)}{?it/them} out."
    ), "x")
  }
}

# Returns the feature and the level of each column when categories become
# indicators (level NA: the column holds the values of a numeric feature).
indicator_columns <- function(features, levels) {
  # Where all values are missing there is no level, but a column for them.
  each <- ifelse(
    features %in% names(levels), pmax(lengths(levels)[features], 1L), 1L
  )
  of <- rep(seq_along(features), each)
  level <- sequence(each)
  level[!features[of] %in% names(levels)] <- NA
  list(of = of, level = level)
}

# Names the columns as model.matrix() does, for classifiers of the user.
indicator_names <- function(features, columns, levels) {
  names <- features[columns$of]
  for (k in which(!is.na(columns$level))) {
    names[[k]] <- paste0(names[[k]], levels[[names[[k]]]][columns$level[[k]]])
  }
  make.unique(names)
}

#' Codes as indicators
#' @param columns See indicator_columns().
#' @noRd
indicators <- function(values, columns) {
  check_numbers_fit(as.double(nrow(values)) * length(columns$of), "x")
  values <- values[, columns$of, drop = FALSE]
  storage.mode(values) <- "double"
  coded <- which(!is.na(columns$level))
  values[, coded] <- values[, coded] == rep(
    columns$level[coded], each = nrow(values)
  )
  values
}

# The number that indicators are divided by.
indicator_scale <- function(metric) {
  if (identical(metric, "euclidean")) sqrt(2) else 2
}

# Indicators are not centred, and their scale does not depend on the data.
indicator_scaling <- function(preprocess, columns, metric) {
  fields <- c("center", "scale", "constant")
  preprocess[fields] <- lapply(preprocess[fields], `[`, columns$of)
  coded <- !is.na(columns$level)
  preprocess$center[coded] <- 0
  preprocess$scale[coded] <- indicator_scale(metric)
  preprocess
}

# Runs `compute` on indicators, and gives its results by feature.
compute_by_feature <- function(compute, problem, preprocess, options, runtime) {
  if (is.null(problem$levels)) {
    return(compute(problem, preprocess, options, runtime))
  }
  columns <- indicator_columns(problem$features, problem$levels)
  of <- columns$of
  problem$values <- indicators(problem$values, columns)
  problem$features <- make.unique(problem$features[of])
  dimnames(problem$values) <- list(problem$samples, problem$features)
  preprocess <- indicator_scaling(preprocess, columns, options$metric)
  result <- compute(problem, preprocess, options, runtime)
  # Two samples that differ in a factor are 1 apart in it by any metric.
  unit <- ifelse(is.na(columns$level), 1, indicator_scale(options$metric) / 2)
  fields <- intersect(c("scores", "score_se", "class_margins"), names(result))
  result[fields] <- lapply(result[fields], function(v) {
    drop(unname(rowsum(v * unit, of, reorder = FALSE)))
  })
  scored <- cpp_score_weights(result$scores)
  result[names(scored)] <- scored
  result
}
