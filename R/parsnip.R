# A model of parsnip, which sees it once it is loaded.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Localized classification for parsnip
#'
#' Specifies for package parsnip the classifier of [llfs()], whose engine is
#' `"hitmiss"`: every training sample has its own features and a hypersphere in
#' them, and the hyperspheres classify new samples.
#'
#' @details
#' Further arguments of [llfs()] go into `set_engine()`, as in
#' `set_engine("hitmiss", vote = "spheres", threads = 1)`. With thousands of
#' features use `fit_xy()` or a workflow with a recipe: `fit()` with a formula
#' uses `model.frame()`, which takes much time and memory.
#'
#' @param mode `"classification"`.
#' @param engine `"hitmiss"`.
#' @param alpha,gamma As in [llfs()]; `NULL` for its defaults. Package tune
#'   varies them: `alpha` from 1 to 20.
#' @param object,x A specification.
#' @param parameters A one-row data.frame or a list of the main arguments, or
#'   `NULL`.
#' @param fresh Replace all arguments, or only those given?
#' @param ... For `update()`: arguments of the engine. Otherwise not used.
#' @return A specification of a model, of class `localized_classifier`.
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' toy <- simulate_localized(noise = 20)
#' model <- localized_classifier(alpha = 2) |>
#'   parsnip::set_engine("hitmiss", threads = 1) |>
#'   parsnip::fit_xy(toy$x, toy$y)
#' predict(model, toy$x[1:3, ], type = "prob")
#' @export
localized_classifier <- function(mode = "classification", engine = "hitmiss",
                                 alpha = NULL, gamma = NULL) {
  require_package("parsnip", "a model of parsnip")
  parsnip::new_model_spec("localized_classifier",
    args = list(alpha = rlang::enquo(alpha), gamma = rlang::enquo(gamma)),
    eng_args = NULL,
    mode = check_choice(mode), user_specified_mode = TRUE,
    method = NULL, engine = check_choice(engine),
    user_specified_engine = !missing(engine)
  )
}

#' @rdname localized_classifier
#' @export
print.localized_classifier <- function(x, ...) {
  cat("Localized classifier (LLFS) specification (", x$mode, ")\n\n", sep = "")
  parsnip::model_printer(x, ...)
  invisible(x)
}

#' @rdname localized_classifier
#' @export
update.localized_classifier <- function(object, parameters = NULL, alpha = NULL,
                                        gamma = NULL, fresh = FALSE, ...) {
  parsnip::update_spec(
    object = object, parameters = parameters,
    args_enquo_list = list(
      alpha = rlang::enquo(alpha), gamma = rlang::enquo(gamma)
    ),
    fresh = fresh, cls = "localized_classifier", ...
  )
}

register_parsnip <- function() {
  model <- "localized_classifier"
  # Once in a session, also where hitmiss is loaded again.
  if (model %in% parsnip::get_from_env("models")) {
    return(invisible())
  }
  mode <- "classification"
  parsnip::set_new_model(model)
  parsnip::set_model_mode(model, mode)
  parsnip::set_model_engine(model, mode, "hitmiss")
  parsnip::set_dependency(model, "hitmiss", "hitmiss")
  for (arg in c("alpha", "gamma")) {
    parsnip::set_model_arg(model, "hitmiss",
      parsnip = arg, original = arg, has_submodel = FALSE,
      func = switch(arg,
        alpha = list(pkg = "dials", fun = "num_terms", range = c(1L, 20L)),
        gamma = list(pkg = "dials", fun = "threshold", range = c(0.05, 1))
      )
    )
  }
  parsnip::set_encoding(model, mode, "hitmiss", list(
    predictor_indicators = "traditional", compute_intercept = FALSE,
    remove_intercept = TRUE, allow_sparse_x = FALSE
  ))
  parsnip::set_fit(model, mode, "hitmiss", list(
    interface = "data.frame", protect = c("x", "y"),
    func = c(pkg = "hitmiss", fun = "llfs"), defaults = list()
  ))
  predictions <- list(
    class = NULL,
    prob = function(x, object) {
      as.data.frame(all_classes(x, object$lvl), optional = TRUE)
    },
    raw = NULL
  )
  for (type in names(predictions)) {
    parsnip::set_pred(model, mode, "hitmiss", type, list(
      pre = NULL, post = predictions[[type]], func = c(fun = "predict"),
      args = c(
        list(object = quote(object$fit), newdata = quote(new_data)),
        switch(type, raw = NULL, list(type = type))
      )
    ))
  }
}
