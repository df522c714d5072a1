# Layer: fit. These functions say whether an object is a fit that this version
# can read, what its method is called, and whether it selects or only ranks.
# SPDX-License-Identifier: GPL-3.0-or-later

# Objects of earlier versions have other fields, so they are refused.
oldest_readable <- "0.4.0"

#' An error if what may have been saved was made by a version that is too old
#'
#' @param version What the object says, or NULL.
#' @param kind,remedy What it is, and how to make it again.
#' @param y The outcomes that it keeps, or NULL.
#' @noRd
check_version <- function(version, arg, kind = "a fit",
                          remedy = "fit it again", y = NULL) {
  if (!is_texts(version, 1L)) version <- "unknown"
  # A matrix of times and events was written by a version without Surv.
  if (identical(colnames(y), c("time", "event"))) {
    version <- "0.4.0 or earlier, with survival times in an old form"
  }
  if (is.na(numeric_version(version, strict = FALSE)) ||
    utils::compareVersion(version, oldest_readable) < 0) {
    abort_input(
      "{.arg {arg}} is {kind} of hitmiss {version}, which hitmiss
       {package_version_text()} cannot read: {remedy}.", arg
    )
  }
}

#' The fit unchanged, or an error that says what is wrong
#'
#' @param arg Name of the argument. @param fields Further fields that the caller
#'   reads.
#' @noRd
check_fit <- function(x, arg = "x", fields = NULL) {
  x <- force_given(x, arg)
  if (!inherits(x, "hitmiss") || !is.list(x)) {
    abort_input(
      "{.arg {arg}} must be a fit of this package, not {describe(x)}.", arg
    )
  }
  check_version(x[["version"]], arg, y = x$training$y)
  needed <- c(
    "scores", "ranking", "n_ranked", "classes", "parameters", "preprocess",
    if (inherits(x, "hitmiss_llfs")) "local" else "training", fields
  )
  lacking <- needed[vapply(needed, \(field) is.null(x[[field]]), NA)]
  if (length(lacking) > 0L) {
    abort_input(c(
      "{.arg {arg}} is not a complete fit: {.field {lacking}} {?is/are}
       missing.",
      i = "Read the saved copy again, or fit it again."
    ), arg, fields = lacking)
  }
  invisible(x)
}

# ---- which model a fit is ----------------------------------------------------

#' What two fits of different samples share if they are made in the same way:
#' the method and its settings
#'
#' @return Named list: for each setting the list of values that it can be said
#'   to have, the value itself and, where it is what the default means for these
#'   samples, "default". For what was tuned, the candidates.
#' @noRd
fit_settings <- function(fit) {
  p <- Filter(Negate(is.null), fit$parameters)
  design <- intersect(c("pair", "block", "group"), names(p))
  of_tuned <- fit$tuned[setdiff(names(fit$tuned), c("error", "chosen"))]
  # The selector of turf() has settings of its own, and memory changes nothing.
  apart <- c("control", "gram_memory", design, names(of_tuned))
  if (!is.null(fit$settings)) apart <- c(apart, "selector")
  values <- lapply(c(p[setdiff(names(p), apart)], p$control), list)
  default <- if (inherits(fit, "hitmiss_relief")) {
    list(k = usual_k(fit$training$y, p$method))
  } else if (inherits(fit, "hitmiss_llfs")) {
    drawn <- fit$n_samples > most_exact
    if (drawn) usual_draws else lapply(usual_draws, \(size) Inf)
  }
  for (name in intersect(names(default), names(values))) {
    if (values[[name]][[1L]] == default[[name]]) {
      values[[name]] <- c(values[[name]], "default")
    }
  }
  values[design] <- "given"
  if (length(of_tuned) > 0L) values$tuned <- list(lapply(of_tuned, unique))
  if (!is.null(fit$calibration)) values$calibrate <- list(TRUE)
  c(list(selector = list(method_name(fit))), values, fit$settings)
}

# Returns the names of the settings in which two fits differ, as fit_settings()
# gives them.
differing_settings <- function(one, other) {
  Filter(function(name) {
    !any(vapply(one[[name]], function(value) {
      any(vapply(other[[name]], identical, NA, value))
    }, NA))
  }, union(names(one), names(other)))
}

# ---- names of the methods ----------------------------------------------------

# These are the methods of relief() and their names in the literature, grouped
# by how neighbours are found.
relief_families <- list(
  nearest = c(
    relieff = "ReliefF", relief = "Relief", map = "M-Relief",
    map15 = "M-Relief, weights of (15)"
  ),
  radius = c(
    surf = "SURF", surfstar = "SURF*", multisurf = "MultiSURF",
    multisurfstar = "MultiSURF*"
  ),
  parzen = c(parzen = "P-Relief"), irelief = c(irelief = "I-Relief"),
  outcome = c(rrelieff = "RReliefF", srelieff = "SReliefF (survival)")
)


# Survival times are compared, and predicted, by half of the samples.
half_of <- function(n) max(10L, as.integer(round(n / 2)))

# A class with fewer samples gives fewer, so that one rare class changes nothing
# for the others.
usual_k <- function(y, method) {
  if (method %in% names(relief_families$outcome)) {
    wanted <- if (method == "srelieff") half_of(NROW(y)) else 10L
    return(max(1L, min(wanted, NROW(y) - 1L)))
  }
  if (method == "relieff") 10L else 1L
}

# Returns the name of the method in the literature, with its parameters:
# "ReliefF, k = 10".
method_label <- function(x) {
  p <- x$parameters
  setting <- function(...) {
    if (length(c(...)) == 0L) {
      return("")
    }
    value <- lapply(p[c(...)], function(value) {
      paste(unique(format(range(value), trim = TRUE)), collapse = " to ")
    })
    paste(c("", paste(names(value), "=", value)), collapse = ", ")
  }
  paste0(method_title(x), switch(method_name(x),
    llfs = paste0(setting("alpha"), ", vote by ", p$vote),
    logo = setting("sigma", "lambda"),
    kbfs = setting(if (is.null(p$lambda)) "n" else "lambda"),
    pwfp = paste0(
      setting("fraction"), if (identical(p$score, "ratio")) ", by ratio"
    ),
    turf = paste(" over", p$selector),
    relief = setting(switch(p$method,
      parzen = "bandwidth", irelief = "sigma",
      intersect("k", names(p))
    ))
  ))
}

method_title <- function(x) {
  switch(method_name(x),
    kbfs = if (x$parameters$manifold > 0) "semi-BFS" else "BFS",
    relief = unlist(unname(relief_families))[[x$parameters$method]],
    turf = "TuRF",
    toupper(method_name(x))
  )
}

#' Names of the features that a list may hold, in the order of the fit
#'
#' For a ranking, all that are not constant.
#' @noRd
ranked_features <- function(x) {
  if (!is_ranker(x)) {
    return(x$selected)
  }
  order <- x$ranking[seq_len(x$n_ranked)]
  names(x$scores)[order][!x$preprocess$constant[order]]
}

#' Does the method only rank, without selecting features of its own?
#'
#' True for PWFP, TuRF and the Relief family except I-Relief, whose weights can
#' become 0.
#' @noRd
is_ranker <- function(x) {
  inherits(x, c("hitmiss_pwfp", "hitmiss_turf")) ||
    inherits(x, "hitmiss_relief") && !identical(x$parameters$method, "irelief")
}

method_name <- function(x) sub("^hitmiss_", "", class(x)[[1L]])

# A fit that only ranks predicts by so many features, or by as many as it was
# tuned with, unless the user says how many. NULL means all that a fit selected.
default_n <- function(fit) {
  fit$tuned_n %||% if (is_ranker(fit)) min(50L, fit$n_ranked)
}
