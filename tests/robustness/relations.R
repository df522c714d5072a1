# The relations of the metamorphic battery: what must not change when something
# else does. Each is list(when: for which it has a meaning, an expression of the
# elements of random_case(); check: a function of a case that says what is
# wrong).
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param check Function of what the verb made, and of the case.
relation <- function(when, check) {
  list(when = substitute(when), check = \(case) check(perform_case(case), case))
}

#' The answers are the same after a change.
#'
#' @param exact To the last bit? Otherwise up to the rounding of sums, and where
#'   ties could go another way without predictions.
#' @param change Assignments to elements of a case.
unchanged <- function(when, exact, change) {
  change <- substitute(change)
  list(when = substitute(when), check = function(case) {
    was <- answers(case)
    is <- answers(eval(call("within", case, change)))
    if (!exact && !case$smooth) was$predicted <- NULL
    differences(was, is, if (exact) 0 else case$rounding)
  })
}

# Nothing but "refused" if the package does not take the configuration.
#' @param is Answers, in any order and possibly of more features.
differences <- function(was, is, tolerance = 0) {
  if (!is.null(was$refused) && identical(was, is)) {
    return("refused")
  }
  by_name <- \(a, b) if (is.null(names(a))) b else b[names(a)]
  all.equal(was, Map(by_name, was, is[names(was)]), tolerance = tolerance)
}

shuffled <- function(values) values[sample.int(length(values))]

relations <- list(
  `order of samples` = unchanged(!random, FALSE, {
    i <- shuffled(seq_len(nrow(x)))
    x <- x[i, ]
    y <- y[i]
    unit <- unit[i]
  }),
  # Of features that tie, TuRF drops the last.
  `order of features` = unchanged(!random && !grepl("turf", call), FALSE, {
    x <- x[, shuffled(seq_len(ncol(x)))]
  }),
  # Of classes that tie, the first is predicted: so probabilities are compared.
  `order of classes` = unchanged(
    outcome == "classes" && !random && seed %% 2L == 0L, FALSE, {
      y <- factor(as.character(y), shuffled(levels(y)))
    }
  ),
  names = list(when = quote(!curve), check = function(case) {
    was <- answers(case)
    names <- paste0("other", shuffled(seq_len(ncol(case$x))))
    colnames(case$x) <- colnames(case$new) <- names
    rownames(case$x) <- paste("S", shuffled(seq_len(nrow(case$x))))
    differences(lapply(was, unname), lapply(answers(case), unname))
  }),
  units = unchanged(kind != "categories", TRUE, {
    units <- 2^sample(-3:3, ncol(x), replace = TRUE)
    x <- sweep(x, 2L, units, "*")
    new <- sweep(new, 2L, units, "*")
  }),
  # prepare_impute() refuses a sparse matrix by name.
  containers = unchanged(kind != "categories" && !grepl("impute", call), TRUE, {
    into <- pick(c(
      data.frame, \(x) Matrix::Matrix(x, sparse = TRUE),
      \(x) SummarizedExperiment::SummarizedExperiment(list(t(x))),
      \(x) t(DelayedArray::DelayedArray(t(x)))
    ))
    x <- into(x)
    new <- into(new)
  }),
  threads = unchanged(!curve && !grepl("turf", call), TRUE, {
    call <- sub("[)]$", ", threads = 2)", call)
  }),
  # TuRF drops and PWFP marks a share of all features; the weights with which
  # LOGO starts are smaller, the more features there are.
  `constant features` = unchanged(
    !grepl("turf|few|pwfp|llfs|logo", call), FALSE, {
      x <- cbind(zero = 0, x, one = 1)
      new <- cbind(zero = 0, new, one = 1)
    }
  ),
  `features that may be missing` = unchanged(holed, FALSE, {
    x <- cbind(empty = NA_real_, x, holed = c(NA, rep(1, nrow(x) - 1L)))
    new <- cbind(empty = NA_real_, new, holed = 1)
  }),
  `new samples in another table` = unchanged(fit, TRUE, {
    new <- cbind(new, further = 1, more = NA)
    new <- new[, shuffled(seq_len(ncol(new)))]
  }),
  `type of the design` = list(when = quote(design != "none"), check = \(case) {
    if (runif(1) < 0.3) case$unit[[3L]] <- NA
    was <- answers(case)
    into <- pick(c(as.double, as.character, \(v) factor(v, rev(unique(v)))))
    case$unit <- into(case$unit)
    differences(was, answers(case))
  }),
  `one at a time` = relation(fit, function(made, case) {
    all <- predictions(made, case)
    rows <- if (is.null(case$pair)) pick(1:8) else 3:4
    case$pair <- case$pair[rows]
    differences(predictions(made, case, case$new[rows, , drop = FALSE]), all)
  }),
  `saved and read` = relation(fit, function(made, case) {
    saveRDS(made, file <- tempfile())
    differences(facts(made, case), facts(readRDS(file), case))
  }),
  `vote within the list` = relation(fit, function(made, case) {
    n <- pick(c(3, max(1, length(made$selected))))
    if (grepl("llfs", case$call)) n <- NULL
    outside <- setdiff(colnames(case$x), usual_list(made, n))
    new <- case$new
    new[, outside] <- new[c(3:8, 1:2), outside]
    differences(predictions(made, case, n = n), predictions(made, case, new, n))
  }),
  `sample without values` = relation(fit && design != "pair", \(made, case) {
    case$new[3, ] <- NA
    found <- predictions(made, case)[[1L]][[3L]]
    is.na(found) || !any(usual_list(made, case$n) %in% made$selected)
  }),
  horizon = relation(fit && outcome == "survival", function(made, case) {
    times <- c(1, 1.5) * max(case$y[, "time"])
    found <- try(predict(made, case$new, "survival", times = times), TRUE)
    inherits(attr(found, "condition"), "hitmiss_error")
  }),
  `list by hand` = relation(curve, function(made, case) {
    call <- sub(".*y, (\\w+), sizes.*[(]3[)]", "\\1(x, y", case$call)
    hand <- lapply(made$splits, function(split) {
      i <- split$train
      part <- list(x = case$x[i, ], y = case$y[i], unit = case$unit[i])
      fit <- eval(str2lang(call), part)
      vapply(sizes, \(n) toString(usual_list(fit, n)), "")
    })
    all.equal(curve_lists(made), unlist(hand))
  }),
  `list by size` = relation(curve && !grepl("logo|unit", call), \(made, case) {
    case$call <- sub("(relief|few)", "\\\\(x, y, size) \\1(x, y)", case$call)
    all.equal(curve_lists(made), curve_lists(perform_case(case)))
  }),
  # Also in what a classifier makes of a list.
  `training part decides` = relation(curve, function(made, case) {
    test <- made$splits[[1L]]$test
    list <- strsplit(curve_lists(made)[[2L]], ", ")[[1L]]
    outside <- setdiff(colnames(case$x), list)
    case$x[test, outside] <- 1.5 * case$x[rev(test), outside]
    was <- lapply(facts(made, case), `[`, 2L)
    differences(was, lapply(answers(case), `[`, 2L))
  }),
  # The messages of the package alone are sentences.
  `conditions of a curve` = relation(curve, function(made, case) {
    told <- c(made$warnings$message, made$failures$message)
    grep("[.)]$", told, value = TRUE, invert = TRUE)
  })
)
