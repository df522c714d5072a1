# At least one valid call of every function and method that users can call: what
# the batteries of side effects and of bad values start from.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param target Name of the function that is called: an export, or a method.
#' @param ... The arguments of the call.
#' @param generic Of a method: what users call.
#' @param random Does the call move R's random stream?
#' @param refused Does the call end in an error, as the methods for "any other
#'   object" do?
valid_call <- function(target, ..., generic = target, random = FALSE,
                       refused = FALSE) {
  list(
    target = target, generic = generic, arguments = list(...), random = random,
    refused = refused
  )
}

#' Functions of this package that users can call: exports that are no generics,
#' and the methods of generics that are exported or not ours; not those of R's
#' operators, which are R's, and what other packages call to put tables
#' together.
callable_targets <- function() {
  space <- asNamespace("hitmiss")
  exports <- getNamespaceExports("hitmiss")
  registered <- getNamespaceInfo(space, "S3methods")
  generic <- sub("^.*::", "", registered[, 1L])
  ours <- generic %in% ls(space) & !generic %in% exports
  # Those that recipes calls for its own objects, which are not ours.
  theirs <- registered[, 2L] == "step_select_hitmiss"
  methods <- paste(generic, registered[, 2L], sep = ".")[!ours & !theirs]
  operators <- grepl("^(Ops|Math|[$]|\\[|names<-|dplyr_|vec_|as_tib)", methods)
  sort(c(setdiff(exports, generic), methods[!operators]))
}

valid_calls <- function() {
  data <- toy_data()
  x <- data$x
  y <- data$y
  frame <- data.frame(x, class = y)
  fits <- battery_fits(x, y)
  c(
    selector_calls(x, y, frame),
    unlist(lapply(fits, method_calls, x = x), recursive = FALSE),
    predict_calls(fits, x), plot_calls(fits), simulation_calls(),
    evaluation_calls(x, y), framework_calls(x, y, frame)
  )
}

battery_fits <- function(x, y) {
  list(
    llfs = fit_seeded(selectors$llfs, x, y),
    logo = fit_seeded(selectors$logo, x, y),
    relief = fit_seeded(selectors$`relief relieff`, x, y),
    kbfs = fit_seeded(selectors$kbfs, x, y),
    pwfp = fit_seeded(selectors$pwfp, x, y),
    turf = turf(x, y, quick_relief)
  )
}

selector_calls <- function(x, y, frame) {
  partly <- y
  partly[c(3, 8)] <- NA
  fit <- function(verb, ..., random = FALSE) {
    valid_call(
      paste0(verb, ".default"), x = x, ...,
      threads = 1L, generic = verb, random = random
    )
  }
  formula <- function(verb, ..., random = FALSE) {
    valid_call(
      paste0(verb, ".formula"),
      formula = class ~ g1 + g2 + g3, data = frame, ..., threads = 1L,
      generic = verb, random = random
    )
  }
  list(
    fit("llfs", y = y, alpha = 2, beta = c(0, 0.5, 1), random = TRUE),
    formula("llfs", alpha = 1, beta = c(0, 1), random = TRUE),
    fit("logo", y = y), formula("logo"),
    fit("relief", y = y, k = 3), formula("relief", k = 3),
    fit("relief", y = y, method = "relief"),
    fit("relief", y = y, method = "map", metric = "euclidean"),
    fit("relief", y = y, method = "map15"),
    fit("relief", y = y, method = "irelief", sigma = 1, tol = 1e-4),
    fit("relief", y = y, method = "multisurf", weighting = "prior"),
    fit("relief",
      y = y, method = "surfstar", group = rep(1:7, 2), block = rep("one", 14)
    ),
    fit("relief", y = y, k = 2, samples = 8, random = TRUE),
    fit("relief", y = x[, 1], method = "rrelieff", metric = "euclidean"),
    fit("relief", y = y, method = "parzen", bandwidth = 0.1, self = TRUE),
    fit("kbfs", y = y, n = 4), formula("kbfs"),
    fit("kbfs", y = y, lambda = 0.5, kernel = "polynomial", redundancy = 0.1),
    fit("kbfs", y = partly, manifold = 0.1, max_pairs = 40, random = TRUE),
    fit("pwfp", y = y), formula("pwfp")
  )
}

# What every fit understands.
method_calls <- function(fit, x) {
  method <- function(generic, of, ...) {
    valid_call(paste(generic, of, sep = "."), fit, ..., generic = generic)
  }
  local <- inherits(fit, "hitmiss_llfs")
  list(
    method("print", "hitmiss"), method("summary", "hitmiss"),
    valid_call("print.summary_hitmiss", summary(fit), generic = "print"),
    method("coef", "hitmiss"), method("as.data.frame", "hitmiss"),
    method("tidy", "hitmiss"), method("glance", "hitmiss"),
    method("top_features", "hitmiss", n = 2), method("head", "hitmiss", n = 2),
    method("predictors", "hitmiss"), method("varImp", "hitmiss"),
    if (local) {
      method("selected", "hitmiss", n = 2, class = "b")
    } else {
      method("selected", "hitmiss", n = 2)
    }
  )
}

predict_calls <- function(fits, x) {
  call <- function(fit, of, ...) {
    valid_call(
      paste0("predict.", of), fit,
      newdata = x[1:4, ], ..., generic = "predict"
    )
  }
  global <- lapply(fits[-1L], call, "hitmiss", threads = 1L)
  local <- lapply(c("class", "prob", "similarity", "spheres"), function(type) {
    call(fits$llfs, "hitmiss_llfs", type = type, threads = 1L)
  })
  dropped <- lapply(c("class", "prob", "features"), function(type) {
    list(
      call(fits$kbfs, "hitmiss", type = type, missing = "drop"),
      call(fits$llfs, "hitmiss_llfs", type = type, missing = "drop")
    )
  })
  c(unname(global), local, unlist(dropped, recursive = FALSE), list(
    call(fits$relief, "hitmiss", type = "prob", k = 3, n = 2, threads = 1L),
    call(fits$relief, "hitmiss", type = "features", n = 2),
    call(
      relief(x, x[, 1], method = "rrelieff", threads = 1L), "hitmiss",
      type = "response", k = 2
    )
  ))
}

plot_calls <- function(fits) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    return(list())
  }
  picture <- function(fit, type, ..., generic = "autoplot") {
    valid_call(
      paste0(generic, ".hitmiss"), fit,
      type = type, n = 5, ..., generic = generic
    )
  }
  list(
    picture(fits$logo, "scores", generic = "plot"),
    picture(fits$llfs, "frequency"),
    picture(fits$llfs, "map"),
    picture(fits$kbfs, "path")
  )
}

simulation_calls <- function() {
  list(
    valid_call("selected.default", "a", generic = "selected", refused = TRUE),
    valid_call("selected.numeric", c(a = 2, b = 1),
      n = 1, generic = "selected"
    ),
    valid_call("top_features.numeric", c(a = 2, b = 1),
      generic = "top_features"
    ),
    valid_call("validate.default", 1, generic = "validate", refused = TRUE),
    valid_call(
      "top_features.default", "a", generic = "top_features", refused = TRUE
    ),
    # The generic leads scores to their own method.
    valid_call("top_features.default", c(a = 2, b = 1),
      generic = "top_features"
    ),
    valid_call("simulate_localized",
      samples = c(3, 3, 4), noise = 2, random = TRUE
    ),
    valid_call("simulate_spiral", samples = c(5, 5), noise = 2, random = TRUE),
    valid_call("simulate_epistasis",
      samples = c(5, 5), noise = 2, random = TRUE
    ),
    valid_call("simulate_microarray",
      samples = c(4, 5), genes = 20, relevant = 2, block = 5, random = TRUE
    )
  )
}

#' Calls it as users do: by the generic's name, in a fresh environment.
perform <- function(call) {
  what <- if (call$generic %in% getNamespaceExports("hitmiss")) {
    getExportedValue("hitmiss", call$generic)
  } else if (call$generic == "autoplot") {
    ggplot2::autoplot
  } else if (call$generic %in% c("predictors", "varImp")) {
    # The generics are caret's, which need not be there.
    get(call$target, asNamespace("hitmiss"))
  } else {
    get(call$generic, envir = globalenv(), mode = "function")
  }
  do.call(what, call$arguments, quote = TRUE)
}
