# Layer: evaluate. A preparation is learned on every training part before
# features are selected, and applied to both parts.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Prepare samples inside every training part
#'
#' Steps for the argument `prepare` of [error_curve()]: they fill in missing
#' values, leave out features, or subtract the effect of covariates. Each step
#' is a function of `(x, y)`, the training samples, that returns a function of
#' `x`, any samples.
#'
#' @details
#' `prepare_impute()` fills a missing number by the `method`, and a missing
#' category (of a factor, text or logical column of a data.frame) by the most
#' frequent one, ties to the first level, or with `"draw"` by that of a random
#' sample. Features without any value in the training part are left out.
#'
#' * `"median"`, `"mean"`: of the training samples. If one class lacks a feature
#'   more often than the others, they make a difference from noise, with a
#'   message of class `hitmiss_message_by_class` where the step gets the
#'   classes.
#' * `"min"`: the least training value, only for values below a detection limit,
#'   and only if all classes are measured in the same way.
#' * `"draw"`: the value of a random training sample that has one, of any class.
#'   Noise stays noise; some of the signal is lost. `set.seed()` fixes the draw,
#'   which new samples need too.
#'
#' [relief()] takes missing values as they are, see [hitmiss-missing].
#'
#' `prepare_filter()` leaves out features whose variance over the training
#' samples is not above `variance`, or keeps only the `n` with the largest
#' variance (where variances tie, the first). Missing values do not count.
#' Columns of a data.frame that are not numeric are kept.
#'
#' `prepare_adjust()` subtracts what covariates such as age or sex explain: each
#' feature is regressed by least squares on the class and the covariates in the
#' training samples that have it, and the covariates' part (centred) is
#' subtracted from these and, by the same coefficients, from new samples.
#' Residuals of the covariates alone lose features that differ between classes
#' of different age. Because the class is in the model, the error on adjusted
#' training samples is optimistically biased: judge by held-out samples. The
#' table (`tests/bench/adjust.R`, 40 simulated data sets: 80 samples, 500 genes
#' of which 20 are true and 100 follow age, classes 1.2 standard deviations of
#' age apart) shows how many genes of either kind are among the best 20, or
#' among the fewer that `logo()` selects.
#'
#' | | true (standard error) | of age |
#' |---|---|---|
#' | `relief()` | 9.9 (0.4) | 6.3 (0.5) |
#' | `relief()` of residuals of age | 7.0 (0.4) | 2.8 (0.2) |
#' | `relief()` after `prepare_adjust(age)` | 11.3 (0.3) | 1.9 (0.2) |
#' | `logo()` (selects 15.1) | 8.8 (0.3) | 5.2 (0.4) |
#' | `logo()` after `prepare_adjust(age)` (13.6) | 9.3 (0.2) | 1.0 (0.1) |
#'
#' **Without a curve**, as for [probe_fdr()], steps are called directly: `fill
#' <- prepare_impute()(x, y)`, then `relief(fill(x), y)` and `predict(fit,
#' fill(new))`. Imputation and the filter do without `y`.
#'
#' **Steps of your own** have the same form. Whatever uses the labels or moves
#' samples towards each other must be a step, or the training part has
#' information on the test samples.
#'
#' @param method `"median"`, `"mean"`, `"min"` or `"draw"`, see Details.
#' @param variance Features are kept if their variance is above this number.
#' @param n `NULL`, or the largest number of features to keep.
#' @param covariates A data.frame with a row for each sample (those of the
#'   curve, in their order, or with their names as row names), or a vector.
#' @return A function of `(x, y)` of class `hitmiss_prepare` that returns a
#'   function of `x`. `x` is a numeric matrix or a data.frame, samples in rows;
#'   the filter takes sparse matrices too.
#' @seealso [error_curve()]
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' x <- toy$x
#' x[sample(length(x), 300)] <- NA
#' curve <- error_curve(x, toy$y, list(relief = relief),
#'   sizes = c(5, 20), resampling = holdout(times = 4),
#'   prepare = list(prepare_impute(), prepare_filter(n = 100))
#' )
#' curve
#'
#' # Directly:
#' fill <- prepare_impute()(x)
#' fit <- relief(fill(x), toy$y, threads = 1)
#'
#' # A step of your own: the means of the batches, learned on the training part
#' # by the names of the samples, are subtracted from both parts.
#' rownames(toy$x) <- paste0("s", 1:30)
#' batch <- setNames(rep(c("a", "b", "c"), 10), rownames(toy$x))
#' without_batch <- function(x, y) {
#'   from <- batch[rownames(x)]
#'   means <- rowsum(x, from) / as.vector(table(from))
#'   function(x) x - means[batch[rownames(x)], ]
#' }
#' error_curve(toy$x, toy$y, list(relief = relief), c(5, 20),
#'   resampling = holdout(times = 4),
#'   prepare = list("batch means" = without_batch)
#' )
#' @export
prepare_impute <- function(method = c("median", "mean", "min", "draw")) {
  method <- check_choice(method)
  words <- switch(method, draw = "random values in place of missing ones",
    min = "least values in place of missing ones", paste(method, "imputation")
  )
  step <- new_step(words, function(x, y = NULL) {
    check_step_input(x, "prepare_impute", sparse = FALSE)
    # An evaluation would say it in every part.
    if (!as.character(user_call() %||% "") %in%
      getNamespaceExports(topenv())) {
      inform_by_class(x, y, method)
    }
    values <- lapply(seq_len(ncol(x)), function(j) {
      column <- column_of(x, j)
      if (method == "draw") {
        column[!is.na(column)]
      } else {
        typical_value(column, method)
      }
    })
    names(values) <- colnames(x)
    values <- values[vapply(values, \(v) length(v) > 0L && !anyNA(v), NA)]
    rm(x, y) # else a fit that is saved would hold all training data
    function(x) {
      x <- learned_columns(x, names(values), "prepare_impute")
      for (j in seq_along(values)) {
        holes <- which(is.na(column_of(x, j)))
        if (length(holes) > 0L) {
          from <- values[[j]]
          # A tibble keeps the type of a column, but a matrix has no others.
          if (is.data.frame(x) && is.numeric(x[[j]])) x[[j]] <- x[[j]] + 0
          if (length(from) > 1L) {
            from <- from[sample.int(length(from), length(holes), TRUE)]
          }
          x[holes, j] <- from
        }
      }
      x
    }
  })
  attr(step, "imputes") <- method
  step
}

#' @rdname prepare_impute
#' @export
prepare_filter <- function(variance = 0, n = NULL) {
  variance <- check_number(variance, min = 0)
  if (!is.null(n)) n <- check_count(n)
  words <- c(
    if (variance > 0 || is.null(n)) paste("variance above", format(variance)),
    if (!is.null(n)) sprintf("the %d features of largest variance", n)
  )
  new_step(paste(words, collapse = ", "), function(x, y = NULL) {
    check_step_input(x, "prepare_filter")
    # Columns of categories have no variance, so they are always kept.
    kept <- logical(ncol(x))
    if (is.data.frame(x)) kept[] <- !vapply(x, is.numeric, NA)
    found <- vapply(seq_len(ncol(x)), function(j) {
      if (kept[[j]]) NA else stats::var(column_of(x, j), na.rm = TRUE)
    }, 0)
    best <- order(-found)
    best <- best[which(found[best] > variance)]
    kept[utils::head(best, n %||% length(best))] <- TRUE
    names <- colnames(x)[kept]
    rm(x, y)
    function(x) learned_columns(x, names, "prepare_filter")
  })
}

#' @rdname prepare_impute
#' @export
prepare_adjust <- function(covariates) {
  if (missing(covariates)) abort_missing("covariates")
  if (!is.data.frame(covariates)) covariates <- list(covariates = covariates)
  usable <- vapply(covariates, function(v) {
    known <- is.numeric(v) || is.character(v) || is.logical(v)
    (is.factor(v) || known && !is.object(v)) &&
      length(dim(v)) < 2L && length(unique(v)) > 1L && !anyNA(v) &&
      !anyNA(names(v)) && !anyDuplicated(names(v))
  }, NA)
  if (length(usable) == 0L || !all(usable)) {
    abort_input(
      "{.arg covariates} must be a data.frame, or a vector, of numbers or
       categories that vary, with a value for each sample and none missing.",
      "covariates"
    )
  }
  covariates <- as.data.frame(covariates)
  words <- sprintf(
    "adjustment for %s", paste(names(covariates), collapse = ", ")
  )
  design <- stats::model.matrix(~., covariates)[, -1L, drop = FALSE]
  attr(design, "samples") <- frame_samples(covariates)
  new_step(words, function(x, y, rows = NULL) {
    check_step_input(x, "prepare_adjust", sparse = FALSE)
    refuse_survival(force_given(y, "y"), "prepare", "prepare_adjust")
    y <- as_outcome(if (is.factor(y)) droplevels(y) else y, nrow(x), "partly")
    known <- !is.na(y)
    z <- covariate_rows(design, x, rows)
    centre <- colMeans(z)
    # A covariate that does not vary in these samples has no coefficient.
    varies <- apply(z[known, , drop = FALSE], 2L, stats::var) > 0
    z <- z[known, varies, drop = FALSE]
    class <- stats::model.matrix(~ y[known])
    fit <- qr(cbind(class, z))
    if (fit$rank < ncol(class) + ncol(z)) {
      abort_input(
        "{.arg covariates} cannot be told from the classes in these
         {sum(known)} samples, or from each other.", "covariates"
      )
    }
    values <- as.matrix(x)[known, , drop = FALSE]
    slopes <- known_slopes(fit, cbind(class, z), values)
    slopes <- slopes[-seq_len(ncol(class)), , drop = FALSE]
    rm(x, y, z, class, fit, values, known)
    function(x, rows = NULL) {
      z <- covariate_rows(design, x, rows)[, varies, drop = FALSE]
      x <- learned_columns(x, colnames(slopes), "prepare_adjust")
      x - (z - rep(centre[varies], each = nrow(z))) %*% slopes
    }
  })
}

# In a curve, covariates are matched by position; otherwise by the samples'
# names, or in order if samples or covariates have none.
covariate_rows <- function(design, x, rows) {
  samples <- if (is.data.frame(x)) frame_samples(x) else rownames(x)
  known <- attr(design, "samples")
  # As many samples as covariates without names are in one order, whatever row
  # numbers a data.frame has kept.
  in_order <- nrow(x) == nrow(design) && (is.null(known) || is.null(samples))
  if (is.null(rows)) {
    rows <- if (in_order) seq_len(nrow(x)) else match(samples, rownames(design))
  }
  if (length(rows) != nrow(x) || anyNA(rows) || max(rows) > nrow(design)) {
    abort_input(
      "{.arg covariates} has {nrow(design)} row{?s}, which cannot be matched to
       {nrow(x)} sample{?s}: give a row for each sample, in their order, or
       with their names.", "covariates"
    )
  }
  # A data.frame in a curve may have its row numbers as names, which are not the
  # samples' names.
  if (!is.integer(attr(x, "row.names"))) {
    check_sample_names(known[rows], samples, "covariates")
  }
  design[rows, , drop = FALSE]
}

new_step <- function(words, learn) {
  structure(learn,
    words = words, version = package_version_text(), class = "hitmiss_prepare"
  )
}

check_step_version <- function(step, arg) {
  if (inherits(step, "hitmiss_prepare")) {
    check_version(attr(step, "version"), arg, "a step", "make it again")
  }
}

#' @export
print.hitmiss_prepare <- function(x, ...) {
  check_no_dots(...)
  check_step_version(x, "x")
  cat("Preparation step: ", attr(x, "words"), "\n", sep = "")
  invisible(x)
}

check_step_input <- function(x, step, sparse = TRUE) {
  fine <- if (is.data.frame(x)) {
    all(vapply(x, is.atomic, NA))
  } else {
    is.matrix(x) && (is.numeric(x) || is.logical(x)) ||
      sparse && inherits(x, "sparseMatrix")
  }
  names <- colnames(x)
  if (!fine || !is_texts(names) || !all(nzchar(names)) ||
    anyDuplicated(names) > 0L) {
    abort_input(c(
      "{.fn {step}} prepares a numeric matrix or a data.frame with samples in
       rows and a name for each column, none twice, not {describe(x)}.",
      i = if (inherits(x, "SummarizedExperiment")) {
        "Give its values with samples in rows:
         {.code t(SummarizedExperiment::assay(x))}."
      } else if (inherits(x, c("Matrix", "DelayedMatrix"))) {
        "Give {.code as.matrix(x)}."
      }
    ), "x")
  }
}

# TRUE and FALSE are numbers in a matrix and categories in a data.frame.
column_of <- function(x, j) {
  if (is.data.frame(x)) x[[j]] else as.double(x[, j])
}

# Returns the value that replaces a missing one; NA if all are missing.
typical_value <- function(column, method) {
  known <- column[!is.na(column)]
  if (length(known) == 0L) {
    return(NA)
  }
  if (is.numeric(known)) {
    typical <- switch(method,
      mean = mean, median = stats::median, min = min
    )
    return(typical(as.double(known)))
  }
  of <- levels(known) %||% sort(unique(known), method = "radix")
  of[[which.max(tabulate(match(known, of), length(of)))]]
}

# Returns the columns from which a step has learned, in samples that may lack
# some.
learned_columns <- function(x, names, step) {
  absent <- setdiff(names, colnames(x))
  if (length(absent) > 0L) {
    abort_input(
      "{.arg x} lacks {length(absent)} feature{?s} that {.fn {step}} was trained
       on: {.val {absent}}.", "x"
    )
  }
  x[, names, drop = FALSE]
}

# ---- the argument `prepare` -------------------------------------------------

#' Steps of preparation, in whatever form they were given
#'
#' @param prepare NULL, a function, or a list of them.
#' @return NULL, or list(steps: functions of (x, y), words: one for each).
#' @noRd
as_preparation <- function(prepare, problem) {
  if (is.null(prepare)) {
    return(NULL)
  }
  if (problem$storage == "blocks") {
    abort_input(c(
      "{.arg prepare} needs samples in memory, and {.arg x} is read in blocks.",
      i = "Let it be read, by {.code options(hitmiss.realise_memory = Inf)}, or
           prepare it beforehand: steps that use one sample at a time, such as
           logarithms, cause no leakage."
    ), "prepare")
  }
  given <- as_steps(prepare)
  list(steps = unname(given), words = step_words(given))
}

#' The steps of a preparation, checked: a list of functions
#' @noRd
as_steps <- function(prepare) {
  bare <- is.list(prepare) && !is.object(prepare)
  given <- if (bare) prepare else list(prepare)
  fine <- vapply(given, function(step) {
    is.function(step) && length(formals(args(step))) > 1L
  }, NA)
  if (length(given) == 0L || !all(fine)) {
    abort_input(c(
      "{.arg prepare} must be a function of (x, y), or a list of them in the
       order in which they are applied, such as {.fn prepare_impute} makes.",
      i = "A function is called on every training part and its labels, and
           returns a function of x. Of a recipe:
           {.code function(x, y) {{ r <- recipes::prep(recipe,
           data.frame(x, class = y)); function(x) as.data.frame(
           recipes::bake(r, data.frame(x), recipes::all_predictors())) }}}."
    ), "prepare")
  }
  for (step in given) check_step_version(step, "prepare")
  given
}

step_words <- function(given) {
  words <- vapply(given, function(step) {
    attr(step, "words") %||% "user's function"
  }, "")
  named <- which(nzchar(names(given) %||% ""))
  words[named] <- names(given)[named]
  unname(words)
}

# ---- inside a split ---------------------------------------------------------

#' A split after the preparation of its parts
#'
#' @param problem All samples, not prepared; as_problem(complete = FALSE).
#' @param split list(train, test, labelled or NULL).
#' @param preparation See as_preparation().
#' @param keep Return the learned functions as well, as `applied`?
#' @return list(problem, split), with the samples of the split alone; the
#'   problem has the features that are left, in the order of `x`.
#' @noRd
prepare_split <- function(problem, split, preparation, keep = FALSE) {
  y <- problem$y[split$train]
  if (!is.null(split$labelled)) y[!split$train %in% split$labelled] <- NA
  rows <- split[c("train", "test")]
  given <- lapply(rows, function(rows) {
    if (problem$storage == "frame") {
      problem$values[rows, , drop = FALSE]
    } else {
      problem_rows(problem, rows)
    }
  })
  parts <- given
  applied <- list()
  for (step in preparation$steps) {
    apply <- call_step(
      step, parts$train, rows$train, y = kind_of(y)$at(y, TRUE)
    )
    if (!is.function(apply)) {
      abort_user(
        "{.arg prepare} must return a function of x, not {describe(apply)}: it
         learns from the training part, and what it returns is called on both
         parts.", "prepare"
      )
    }
    if (keep) applied <- c(applied, apply)
    parts[] <- Map(call_step, list(apply), parts, rows)
  }
  n <- lengths(rows)
  list(
    applied = applied,
    problem = prepared_problem(problem, parts, given, unlist(rows)),
    split = list(
      train = seq_len(n[["train"]]),
      test = n[["train"]] + seq_len(n[["test"]]),
      labelled = if (!is.null(split$labelled)) {
        match(split$labelled, split$train)
      }
    )
  )
}

# A step that has an argument `rows` gets the positions of the samples.
call_step <- function(step, x, rows, ...) {
  if ("rows" %in% names(formals(args(step)))) {
    step(x, ..., rows = rows)
  } else {
    step(x, ...)
  }
}

#' @param rows The samples of both parts, as positions in `problem`.
#' @noRd
prepared_problem <- function(problem, parts, given, rows) {
  for (part in names(parts)) {
    check_prepared(parts[[part]], given[[part]], problem$features)
  }
  names <- intersect(problem$features, colnames(parts$train))
  if (!setequal(names, colnames(parts$test))) {
    abort_user(
      "{.arg prepare} returned other features for the training part than for the
       test part. Decide in {.arg function(x, y)} which features stay.",
      "prepare"
    )
  }
  parts <- lapply(unname(parts), function(part) {
    # Row names are removed, also those of a tibble or data.table, because two
    # parts may have the same ones.
    if (is.data.frame(part)) part <- data.frame(part, check.names = FALSE)
    rownames(part) <- NULL
    part[, names, drop = FALSE]
  })
  both <- do.call(rbind, parts)
  ready <- catch_error(
    as_problem_coded(
      both, seq_len(nrow(both)), outcome = "numeric", missing = TRUE
    ),
    function(e) {
      said <- conditionMessage(e)
      abort_user(
        "{.arg prepare} returned samples that cannot be used: {said}", "prepare"
      )
    }
  )
  problem$design <- design_rows(problem$design, rows)
  by_sample <- c("block", "group", "samples", "y")
  for (field in intersect(by_sample, names(problem))) {
    problem[[field]] <- problem[[field]][rows]
  }
  fields <- c("values", "storage", "features_in", "features")
  problem[fields] <- ready[fields]
  problem$present <- ready$present
  problem$levels <- ready$levels
  prepared_pairs(problem)
}

check_prepared <- function(part, given, features) {
  if (length(dim(part)) != 2L || nrow(part) != nrow(given)) {
    abort_user(
      "{.arg prepare} must give a matrix or a data.frame with the
       {nrow(given)} sample{?s} of a part in rows, not {describe(part)}.",
      "prepare"
    )
  }
  samples <- rownames(given)
  if (!is.null(samples) && !identical(rownames(part), samples) &&
    all(samples %in% rownames(part))) {
    abort_user("{.arg prepare} put the samples in another order.", "prepare")
  }
  names <- colnames(part)
  if (length(names) == 0L || !all(names %in% features) ||
    anyDuplicated(names) > 0L) {
    abort_user(
      "{.arg prepare} may change and leave out features, not add, rename or
       repeat them: the columns must have different names, each that of a
       feature of {.arg x}.", "prepare"
    )
  }
}
