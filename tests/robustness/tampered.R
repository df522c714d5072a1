# One object of every kind that users store, and all that can be asked of it.
# SPDX-License-Identifier: GPL-3.0-or-later

tampered_objects <- function() {
  data <- toy_data()
  x <- data$x
  y <- data$y
  partly <- y
  partly[c(3, 8)] <- NA
  fits <- lapply(selectors, fit_seeded, x, y)
  fits$`llfs spheres` <- fit_seeded(
    function(x, ...) llfs(x, ..., alpha = "auto", vote = "spheres"), x, y
  )
  fits$`kbfs semi` <- fit_seeded(
    function(x, ...) kbfs(x, ..., n_features = 4, manifold = 0.1), x, partly
  )
  fits$annotated <- relief(
    SummarizedExperiment::SummarizedExperiment(
      list(values = t(x)),
      rowData = S4Vectors::DataFrame(symbol = letters[1:8])
    ), y, k = 3, threads = 1L
  )
  fits$formula <- relief(Species ~ Sepal.Length + Petal.Length,
    data = datasets::iris, threads = 1L
  )
  made <- evaluation_objects(x, y)
  nested <- withr::with_seed(1, error_curve(
    x, y, made$selectors["relief"], sizes = c(1, 2), tune = list(k = c(1, 3)),
    resampling = holdout(times = 2), nested = kfold(2), metric = "auc"
  ))
  kept <- c(
    "curve", "fdr", "bayes", "roc", "redundancy", "stability", "size",
    "comparison", "resampling", "summary"
  )
  c(
    fits, made[kept],
    list(
      nested = nested, `curve's stability` = stability(made$curve),
      `fit's summary` = summary(fits$logo)
    )
  )
}

#' What can be asked of an object: functions of it, by name; pictures, which
#' take long, have names that begin with "plot".
verbs_of <- function(object) {
  table <- if (inherits(object, "hitmiss")) {
    fit_verbs(object)
  } else if (inherits(object, "hitmiss_curve")) {
    curve_verbs(object)
  }
  of_class <- vapply(c(
    "print", "summary", "as.data.frame", "tidy", "glance", "selected",
    "top_features"
  ), has_method, NA, object = object)
  common <- common_verbs[names(of_class)[of_class]]
  if (!inherits(object, "hitmiss") && of_class[["selected"]]) {
    common$selected <- function(x) selected(x)
  }
  types <- pictures_of(object)
  pictures <- lapply(types, function(type) {
    function(x) draw(if (type == "") autoplot(x) else autoplot(x, type = type))
  })
  names(pictures) <- rep("plot", length(pictures))
  names(pictures)[nzchar(types)] <- paste("plot", types)[nzchar(types)]
  c(common, table, pictures)
}

common_verbs <- list(
  print = function(x) print(x),
  # In two steps: where print() is generic of S4 it wraps errors of its
  # argument.
  summary = function(x) {
    described <- summary(x)
    print(described)
  },
  as.data.frame = function(x) as.data.frame(x), tidy = function(x) tidy(x),
  glance = function(x) glance(x), selected = function(x) selected(x, n = 2),
  top_features = function(x) top_features(x, n = 3)
)

has_method <- function(generic, object) {
  any(paste(generic, class(object), sep = ".") %in% callable_targets())
}

# Empty: a picture of one kind only.
pictures_of <- function(object) {
  if (inherits(object, "hitmiss")) {
    return(names(hitmiss:::plot_types(object)))
  }
  if (inherits(object, "hitmiss_stability")) {
    return(c("stability", "frequency"))
  }
  if (inherits(object, "hitmiss_curve")) {
    return(c("curve", "splits", "features", "selection", "overlap"))
  }
  if (inherits(object, c(
    "hitmiss_fdr", "hitmiss_roc", "hitmiss_redundancy", "hitmiss_comparison"
  ))) {
    return("")
  }
  character()
}

fit_verbs <- function(fit) {
  new <- newdata_of(fit)
  types <- c("class", "prob", "features")
  if (inherits(fit, "hitmiss_llfs")) types <- c(types, "similarity", "spheres")
  answers <- function(x, type, ...) {
    if (type == "features") {
      predict(x, new, type = type, ...)
    } else {
      predict(x, new, type = type, threads = 1L, ...)
    }
  }
  predictions <- lapply(types, function(type) function(x) answers(x, type))
  names(predictions) <- paste("predict", types)
  fewer <- new[, -3L, drop = FALSE]
  c(predictions, list(
    `predict missing` = function(x) {
      predict(x, fewer, missing = "drop", threads = 1L)
    },
    coef = function(x) coef(x),
    selection_roc = function(x) glance(selection_roc(x, colnames(new)[[1L]])),
    plot_heatmap = function(x) {
      draw(plot_heatmap(new, rep_len(c("a", "b"), nrow(new)), x))
    }
  ), if (!is.null(fit$call$formula)) {
    list(
      formula = function(x) deparse(formula(x)),
      update = function(x) essence(update(x, threads = 1L))$scores
    )
  }, if ("drop_features" %in% getNamespaceExports("hitmiss")) {
    list(drop_features = function(x) {
      fewer <- getExportedValue(
        "hitmiss", "drop_features"
      )(x, colnames(new)[[2L]])
      predict(fewer, new, threads = 1L)
    })
  })
}

# As the fit was given: all its features, by name.
newdata_of <- function(fit) {
  if ("Sepal.Length" %in% names(fit$scores)) {
    as.matrix(datasets::iris[c(1, 51, 101, 110), names(fit$scores)])
  } else {
    toy_data()$x[1:6, ]
  }
}

curve_verbs <- function(curve) {
  data <- toy_data()
  list(
    best_size = function(x) best_size(x),
    compare_selectors = function(x) compare_selectors(x, at = "size", size = 2),
    `compare all` = function(x) compare_selectors(x),
    stability = function(x) stability(x),
    plot_pca = function(x) {
      draw(plot_pca(data$x, data$y, curve = x, size = 2, split = 1))
    }
  )
}

# What a device would be given: errors of a picture come when it is built.
draw <- function(picture) {
  built <- ggplot2::ggplot_build(picture)
  list(built$data, picture$labels)
}
