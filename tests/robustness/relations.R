# The relations of the metamorphic battery: what must not change when something
# else does. Each is list(when: for which it has a meaning, an expression of the
# elements of random_case(); check: a function of a case that says what is
# wrong).
# SPDX-License-Identifier: GPL-3.0-or-later

relation <- function(when, check) list(when = substitute(when), check = check)

#' The answers are the same after a change.
#'
#' @param exact To the last bit? Otherwise up to the rounding of sums, and where
#'   ties could go another way without predictions.
#' @param change Assignments to elements of a case.
unchanged <- function(when, exact, change) {
  change <- substitute(change)
  list(when = substitute(when), check = function(case) {
    changed <- list2env(case, parent = globalenv())
    eval(change, changed)
    was <- answers(case)
    if (!exact && (case$kind != "normal" || case$rounding > 1e-8)) {
      was <- was[names(was) %in% c("score", "lists", "refused")]
    }
    differences(was, answers(as.list(changed)), if (exact) 0 else case$rounding)
  })
}

# Of a configuration that the package does not take.
refused <- "refused"

#' @param is Answers, in any order and possibly of more features.
differences <- function(was, is, tolerance = 0) {
  if (!is.null(was$refused) && identical(was, is)) {
    return(refused)
  }
  by_name <- \(a, b) if (is.null(names(a))) b else b[names(a)]
  all.equal(was, Map(by_name, was, is[names(was)]), tolerance = tolerance)
}

shuffled <- function(values) values[sample.int(length(values))]

containers <- list(
  \(x) data.frame(x, check.names = FALSE),
  \(x) Matrix::Matrix(x, sparse = TRUE),
  \(x) SummarizedExperiment::SummarizedExperiment(list(values = t(x))),
  \(x) t(DelayedArray::DelayedArray(t(x)))
)

types <- list(
  as.double, as.character, factor, \(codes) factor(codes, rev(unique(codes))),
  \(codes) paste("no.", codes)
)

mirrored <- function(names) chartr("0123456789", "9876543210", names)

relations <- list(
  `order of samples` = unchanged(!random, FALSE, {
    i <- shuffled(seq_len(nrow(x)))
    x <- x[i, ]
    y <- y[i]
    given <- lapply(given, `[`, i)
  }),
  # Of features that tie, TuRF drops the last.
  `order of features` = unchanged(!random && verb != "turf", FALSE, {
    x <- x[, shuffled(seq_len(ncol(x)))]
  }),
  `order of classes` = unchanged(outcome == "classes" && !random, FALSE, {
    y <- factor(as.character(y), shuffled(levels(y)))
  }),
  names = relation(TRUE, function(case) {
    was <- answers(case)
    dimnames(case$x) <- lapply(dimnames(case$x), mirrored)
    dimnames(case$new) <- lapply(dimnames(case$new), mirrored)
    is <- answers(case)
    is$lists <- mirrored(is$lists)
    differences(lapply(was, unname), lapply(is, unname))
  }),
  units = unchanged(kind != "categories", TRUE, {
    units <- 2^sample(-3:3, ncol(x), replace = TRUE)
    x <- sweep(x, 2L, units, "*")
    new <- sweep(new, 2L, units, "*")
  }),
  containers = unchanged(kind != "categories", TRUE, {
    into <- pick(containers)
    x <- into(x)
    new <- into(new)
  }),
  threads = unchanged(!curve && verb != "turf", TRUE, {
    given$threads <- 2
  }),
  # TuRF drops and PWFP marks a share of all features.
  `constant features` = unchanged(
    !verb %in% c("turf", "pwfp", "llfs") && !grepl("few", call), FALSE, {
      x <- cbind(zero = 0, x, one = 1)
      new <- cbind(zero = 0, new, one = 1)
    }
  ),
  `features that may be missing` = unchanged(misses, FALSE, {
    x <- cbind(empty = NA_real_, x, holed = c(NA, rep(1, nrow(x) - 1L)))
    new <- cbind(empty = NA_real_, new, holed = 1)
  }),
  `new samples in another table` = unchanged(fit, TRUE, {
    new <- cbind(new, further = 1, more = NA)
    new <- new[8:1, shuffled(seq_len(ncol(new)))]
    pair <- rev(pair)
  }),
  `type of the design` = relation(design != "none", function(case) {
    if (runif(1) < 0.3) case$given[[1L]][[3L]] <- NA
    was <- answers(case)
    case$given <- lapply(case$given, pick(types))
    differences(was, answers(case))
  }),
  `one at a time` = relation(fit, function(case) {
    fit <- perform_case(case)
    whole <- predictions(fit, case)
    rows <- if (is.null(case$pair)) sample.int(8L, 1L) else 3:4
    case$pair <- case$pair[rows]
    case$new <- case$new[rows, , drop = FALSE]
    differences(predictions(fit, case), whole)
  }),
  `saved and read` = relation(fit, function(case) {
    fit <- perform_case(case)
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(fit, file)
    differences(facts(fit, case), facts(readRDS(file), case))
  }),
  `vote within the list` = relation(fit, function(case) {
    fit <- perform_case(case)
    n <- if (case$verb == "llfs") ncol(case$x) else sample.int(ncol(case$x), 1L)
    outside <- setdiff(colnames(case$x), usual_list(fit, n))
    new <- case$new
    new[, outside] <- new[c(3:8, 1:2), outside]
    differences(predictions(fit, case, n = n), predictions(fit, case, new, n))
  }),
  `sample without values` = relation(fit && design != "pair", function(case) {
    fit <- perform_case(case)
    case$new[3, ] <- NA
    found <- predictions(fit, case)[[1L]][[3L]]
    if (length(usual_list(fit, case$n)) == 0L || is.na(found)) TRUE else found
  }),
  horizon = relation(fit && outcome == "survival", function(case) {
    fit <- perform_case(case)
    times <- c(1, 1.5) * max(case$y[, "time"])
    tryCatch(
      is.null(predict(fit, case$new, type = "survival", times = times)),
      hitmiss_error = \(e) TRUE
    )
  }),
  `list by hand` = relation(curve, function(case) {
    curve <- perform_case(case)
    select <- eval(parse(text = case$call)[[1L]][[4L]])
    hand <- lapply(curve$splits, function(split) {
      i <- split$train
      given <- c(list(case$x[i, ], case$y[i]), lapply(case$given, `[`, i))
      fit <- do.call(select, given)
      vapply(sizes, \(n) toString(usual_list(fit, n)), "")
    })
    all.equal(curve_lists(curve), unlist(hand))
  }),
  `list by size` = relation(
    curve && design == "none" && grepl("relief|few", call), function(case) {
      was <- curve_lists(perform_case(case))
      case$call <- sub("(relief|few)", "\\\\(x, y, size) \\1(x, y)", case$call)
      all.equal(was, curve_lists(perform_case(case)))
    }
  ),
  # Also in what a classifier makes of a list.
  `training part decides` = relation(curve, function(case) {
    curve <- perform_case(case)
    test <- curve$splits[[1L]]$test
    list <- strsplit(curve_lists(curve)[[2L]], ", ")[[1L]]
    outside <- setdiff(colnames(case$x), list)
    case$x[test, outside] <- 1.5 * case$x[rev(test), outside]
    first <- \(curve) list(curve_lists(curve)[1:3], curve_values(curve)[[2L]])
    all.equal(first(curve), first(perform_case(case)))
  }),
  # The messages of the package alone are sentences.
  `conditions of a curve` = relation(curve, function(case) {
    curve <- perform_case(case)
    told <- c(curve$warnings$message, curve$failures$message)
    grep("[.)]$", told, value = TRUE, invert = TRUE)
  })
)
