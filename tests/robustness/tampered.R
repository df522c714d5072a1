# One fit of every kind, and all that can be asked of it.
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
    function(x, ...) kbfs(x, ..., n = 4, manifold = 0.1), x, partly
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
  fits
}

#' What can be asked of an object: functions of it, by name; pictures, which
#' take long, have names that begin with "plot".
verbs_of <- function(object) {
  types <- names(hitmiss:::plot_types(object))
  pictures <- lapply(types, function(type) {
    function(x) draw(autoplot(x, type = type))
  })
  names(pictures) <- paste("plot", types)
  c(common_verbs, fit_verbs(object), pictures)
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
    plot_heatmap = function(x) {
      draw(plot_heatmap(new, rep_len(c("a", "b"), nrow(new)), x))
    }
  ), if (inherits(fit, "hitmiss_llfs")) {
    list(audit_labels = function(x) print(audit_labels(x, threads = 1L)))
  } else {
    list(interactions = function(x) {
      interactions(
        x, new, rep_len(c("a", "b"), nrow(new)), searched = 3, times = 1
      )
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

# What a device would be given: errors of a picture come when it is built.
draw <- function(picture) {
  built <- ggplot2::ggplot_build(picture)
  list(built$data, picture$labels)
}
