# Valid calls of what evaluates selections, for the table in helper-calls.R.
# SPDX-License-Identifier: GPL-3.0-or-later

evaluation_calls <- function(x, y) {
  made <- evaluation_objects(x, y)
  c(
    evaluation_verbs(x, y, made),
    unlist(lapply(made[-1L], evaluation_methods), recursive = FALSE),
    list(valid_call(
      "rbind.hitmiss_result", made$size, made$size, generic = "rbind"
    )),
    evaluation_pictures(x, y, made)
  )
}

quick_relief <- function(x, y) relief(x, y, method = "relief", threads = 1L)

quick_relief_k <- function(x, y, k) relief(x, y, k = k, threads = 1L)

# Without moving R's random stream.
quick_llfs <- function(x, y) {
  withr::with_seed(1, llfs(x, y, alpha = 2, threads = 1L))
}

quick_fisher <- function(x, y) reference_scores(x, y, threads = 1L)

# One of each class; the selectors first.
evaluation_objects <- function(x, y) {
  selectors <- list(relief = quick_relief, fisher = quick_fisher)
  withr::with_seed(1, {
    curve <- error_curve(
      x, y, selectors,
      sizes = c(1, 2, 4), resampling = holdout(times = 3)
    )
    fdr <- probe_fdr(x, y, quick_relief, times = 2, n = 4)
  })
  list(
    selectors = selectors, curve = curve, fdr = fdr,
    bayes = bayes_error(x, y, c("g1", "g2"), threads = 1L),
    markers = markers(x, y, n = 2, threads = 1L),
    interactions = interactions(
      quick_relief(x, y), x, y,
      times = 0, threads = 1
    ),
    audit = audit_labels(quick_llfs(x, y), threads = 1L),
    stability = stability(
      list(c("a", "b"), c("a", "c"), c("a", "b")),
      n_features = 6
    ),
    size = best_size(curve), comparison = compare_selectors(curve),
    power = withr::with_seed(1, selector_power(x, y,
      list(relief = quick_relief), 2, 1, times = 2
    )),
    resampling = holdout(times = 2),
    summary = summary(curve)
  )
}

results <- function() {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  made[vapply(made, inherits, NA, "hitmiss_result")]
}

evaluation_verbs <- function(x, y, made) {
  sets <- list(c("g1", "g2"), c("g1", "g3"), c("g1", "g2"))
  list(
    valid_call("error_curve",
      x = x, y = y, selectors = made$selectors["relief"], sizes = c(1, 3),
      classifier = "knn", resampling = holdout(times = 2),
      positive = levels(factor(y))[[2L]], random = TRUE
    ),
    valid_call("error_curve",
      x = x, y = y, selectors = list(relief = relief), sizes = 2,
      resampling = list(list(train = 1:10, test = 11:14)),
      group = rep(1:7, each = 2), block = rep(1, 14), keep = FALSE,
      random = TRUE
    ),
    valid_call("error_curve",
      x = replace(x, 3, NA), y = y, selectors = made$selectors["relief"],
      sizes = 2,
      resampling = holdout(times = 2), prepare = prepare_impute(), random = TRUE
    ),
    valid_call("tuned", quick_relief_k, k = c(1, 3), resampling = kfold(2)),
    valid_call("tuned", quick_relief_k, calibrate = TRUE),
    valid_call(
      "print.hitmiss_tuned", tuned(quick_relief_k, k = 1:2), generic = "print"
    ),
    valid_call("prepare_impute", method = "mean"),
    valid_call("prepare_filter", variance = 0.1, n = 3),
    valid_call("prepare_adjust", covariates = seq_along(y)),
    valid_call("validate.hitmiss",
      x = quick_relief(x, y), new = x, truth = y,
      positive = levels(factor(y))[[2L]], generic = "validate"
    ),
    valid_call("validate.hitmiss_curve",
      x = made$curve, size = 2, positive = levels(factor(y))[[2L]],
      generic = "validate"
    ),
    valid_call("print.hitmiss_prepare", prepare_impute(), generic = "print"),
    valid_call("holdout", times = 2, train = 0.5),
    valid_call("kfold", k = 3, times = 2), valid_call("leave_one_out"),
    valid_call("best_size", curve = made$curve, rule = "min"),
    valid_call("as.data.frame.hitmiss_curve", made$curve,
      what = "predictions", generic = "as.data.frame"
    ),
    valid_call("compare_selectors", curve = made$curve, at = "size", size = 2),
    valid_call("stability", sets = sets, n_features = 8),
    valid_call("stability", sets = made$curve, level = 0.9),
    valid_call("probe_fdr",
      x = x, y = y, selector = quick_relief, times = 2, n = 4,
      random = TRUE
    ),
    valid_call("probe_fdr",
      x = x, y = y, selector = quick_relief, times = 2, n = 4,
      group = rep(1:7, each = 2), random = TRUE
    ),
    valid_call("selector_power",
      x = x, y = y, selectors = list(relief = quick_relief), planted = 2,
      effect = 1, times = 2, group = rep(1:7, each = 2), random = TRUE
    ),
    valid_call("selector_power",
      x = x, y = y, selectors = list(relief = quick_relief), planted = 2,
      effect = c(1, 2), pattern = "spread", times = 2, random = TRUE
    ),
    valid_call("turf", x = x, y = y, selector = quick_relief, n_stop = 3),
    valid_call("interactions",
      fit = quick_relief(x, y), x = x, y = y, searched = 4, times = 2,
      threads = 1L, random = TRUE
    ),
    valid_call("markers",
      x = x, y = y, n = 2, direction = "any", times = 2, threads = 1L,
      random = TRUE
    ),
    valid_call("audit_labels",
      fit = quick_llfs(x, y), k = 3, threads = 1L
    ),
    valid_call("bayes_error",
      x = x, y = y, features = "g1", bandwidth = 0.2, threads = 1L
    ),
    valid_call("bayes_error",
      x = x, y = y, features = "g1", method = "knn", k = 3,
      threads = 1L
    ),
    valid_call("reference_scores", x = x, y = y, threads = 1L),
    valid_call("reference_scores",
      x = x, y = y, method = "laplacian", k = 3, supervised = TRUE,
      threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "mrmr", n = 3, threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "spec", style = "phi3", threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "trace_ratio", n = 3, k = 2, supervised = FALSE,
      threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = replace(y, c(3, 8), NA), method = "lsdf", gamma = 2,
      threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "inf_fs", alpha = 0.3, threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "rfs", tol = 0.01, max_iter = 40, threads = 1L
    ),
    valid_call("reference_scores",
      x = x, y = y, method = "simba", passes = 2, threads = 1L, random = TRUE
    )
  )
}

# Every registered method of the object's classes that needs nothing else.
evaluation_methods <- function(object) {
  classes <- setdiff(class(object), "data.frame")
  unlist(lapply(classes, class_methods, object = object), recursive = FALSE)
}

class_methods <- function(of, object) {
  generics <- c(
    "print", "as.data.frame", "tidy", "glance", "summary", "selected", "format",
    "as.character", "coef"
  )
  targets <- paste(generics, of, sep = ".")
  there <- targets %in% callable_targets()
  Map(function(target, generic) {
    valid_call(target, object, generic = generic)
  }, targets[there], generics[there])
}

evaluation_pictures <- function(x, y, made) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    return(list())
  }
  picture <- function(object, generic, ..., of = class(object)[[1L]],
                      refused = FALSE) {
    valid_call(
      paste(generic, of, sep = "."), object, ...,
      generic = generic, refused = refused
    )
  }
  results <- made[c("interactions", "comparison", "fdr", "markers", "power")]
  if (requireNamespace("survival", quietly = TRUE)) {
    times <- survival::Surv(seq_len(nrow(x)), rep_len(c(1, 1, 0), nrow(x)))
    fit <- suppressWarnings(relief(x, times, threads = 1L))
    results$validation <- knowingly(validate(fit, x, times))
  }
  c(unname(lapply(results, picture, "autoplot")),
    list(
      picture(made$fdr, "plot", of = "hitmiss_result"),
      picture(made$size, "autoplot", of = "hitmiss_result", refused = TRUE),
      picture(made$curve, "plot", type = "curve"),
      picture(made$curve, "autoplot", type = "curve"),
      picture(made$curve, "autoplot", type = "roc", size = 2),
      picture(made$stability, "autoplot", type = "frequency", n = 2),
      valid_call("plot_heatmap", x = x, y = y, features = c("g1", "g2"), n = 2)
    )
  )
}
