# Layer: show. The filters and the learner for mlr3 are registered once it or
# mlr3filters is loaded.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Filters and a learner for mlr3
#'
#' When hitmiss and package mlr3filters are loaded, in either order,
#' `mlr3filters::flt()` knows `"hitmiss_relief"`, `"hitmiss_logo"`,
#' `"hitmiss_kbfs"`, `"hitmiss_pwfp"` and `"hitmiss_llfs"`, and `mlr3::lrn()`
#' knows `"classif.hitmiss_llfs"`.
#'
#' @details
#' The parameters are the arguments of the selectors ([relief()], [logo()],
#' [kbfs()], [pwfp()], [llfs()]) with their defaults, so that
#' `flt("hitmiss_relief", k = to_tune(1, 20))` within `po("filter", ...)` is
#' tuned inside every training part. `threads` is 1, the convention of mlr3;
#' `mlr3::set_threads()` changes it.
#'
#' A column of role `"group"` is passed on as `group`: samples of one patient
#' are never compared, and mlr3 keeps them together in resampling. The parameter
#' `block` of every filter and of the learner is the name of a column of the
#' task (of role `"stratum"`, `"name"` or none, not `"feature"`).
#'
#' Scores are those of [coef()][hitmiss-methods], lowered by less than 1e-15
#' times the number of features times the best score to break ties; where
#' `kbfs()` ranks features in another order, a feature's score is the share of
#' features that do not rank above it. So the best features of the filter are
#' those of `top_features()`. `"hitmiss_relief"` also takes tasks of type
#' `regr`, with `method = "rrelieff"`, and of type `surv` (of package
#' mlr3proba),
#' and features that are factors.
#'
#' The learner predicts classes and probabilities; `selected_features()` are the
#' features that at least one representative uses, and `importance()` is the
#' share of representatives that do.
#' @return Nothing: this page describes objects that mlr3 makes.
#' @examplesIf requireNamespace("mlr3filters", quietly = TRUE)
#' task <- mlr3::tsk("iris")
#' filter <- mlr3filters::flt("hitmiss_relief", k = 5, threads = 1)
#' filter$calculate(task)
#' filter
#' @name hitmiss-mlr3
NULL

# R6 finds these names in the object.
utils::globalVariables(c("self", "private", "super"))

mlr3_titles <- c(
  relief = "Relief family (hitmiss)", logo = "LOGO (hitmiss)",
  kbfs = "BFS in kernel spaces (hitmiss)", pwfp = "PWFP (hitmiss)",
  llfs = "Localized feature selection (hitmiss)"
)

#' A `paradox::ParamSet` of the arguments of a selector
#'
#' The selector checks the values; the types let mlr3 tune them.
#' @noRd
mlr3_parameters <- function(method, tags) {
  arguments <- selector_formals(method)
  names <- setdiff(names(arguments), c(
    "x", "y", "...", "assay", "group", "pair", "verbose", "control", "BPPARAM"
  ))
  domains <- lapply(stats::setNames(nm = names), function(name) {
    default <- eval(arguments[[name]])
    if (name == "threads") tags <- c(tags, "threads")
    number <- is.null(default) || is.numeric(default)
    if (name %in% c("alpha", "beta", "block", "representatives")) {
      paradox::p_uty(default = default, tags = tags)
    } else if (is.logical(default)) {
      paradox::p_lgl(default = default, tags = tags)
    } else if (!number) {
      if (name == "scale") default <- unique(c(default, scalings))
      paradox::p_fct(default, default = default[[1L]], tags = tags)
    } else {
      counts <- c("k", "samples", "max_iter", "n", "degree", "threads")
      count <- name %in% counts
      do.call(if (count) paradox::p_int else paradox::p_dbl, list(
        lower = if (count) 1 else 0, default = default, tags = tags,
        special_vals = if (is.null(default)) list(NULL) else list()
      ))
    }
  })
  set <- do.call(paradox::ps, domains)
  # Users of mlr3 parallelise the resampling; mlr3::set_threads() changes the
  # number.
  set$values <- list(threads = 1L)
  set
}

selector_formals <- function(method) {
  formals(get(paste0(method, ".default"), topenv(), mode = "function"))
}

#' Fit a selector to an mlr3 task
#'
#' @param values The parameters that were set.
#' @noRd
fit_mlr3_task <- function(method, task, values) {
  block <- values$block
  if (!is.null(block)) {
    if (!is_texts(block, 1L) || !block %in% task$col_info$id ||
      block %in% task$feature_names) {
      abort_input(c(
        "{.arg block} must be the name of a column of the task that is not one
         of its features, not {describe(block)}.",
        i = "Take the role of a feature from it: {.code
             task$set_col_roles({deparse1(block)}, roles = \"stratum\")}."
      ), "block")
    }
    values$block <- task$data(cols = block)[[1L]]
  }
  values$group <- task$groups$group
  if (task$task_type == "regr" && is.null(values$method)) {
    values$method <- "rrelieff"
  }
  fit_in_framework(method, mlr3_features(task), task$truth(), values)
}

mlr3_features <- function(task) {
  as.data.frame(task$data(cols = task$feature_names))
}

register_mlr3_filters <- function() {
  generator <- R6::R6Class("FilterHitmiss",
    inherit = mlr3filters::Filter,
    public = list(
      method = NULL,
      initialize = function(method) {
        self$method <- method
        relief <- method == "relief"
        super$initialize(
          id = paste0("hitmiss_", method),
          # Tasks of survival times are known once mlr3proba is loaded.
          task_types = c("classif", if (relief) intersect(
            c("regr", "surv"), mlr3::mlr_reflections$task_types$type
          )),
          param_set = mlr3_parameters(method, character()),
          feature_types = c(
            "logical", "integer", "numeric", "ordered",
            if (relief) c("factor", "character")
          ),
          packages = "hitmiss", label = mlr3_titles[[method]],
          man = "hitmiss::hitmiss-mlr3"
        )
      }
    ),
    private = list(
      .get_properties = function() {
        used <- self$param_set$values$method %||% "relieff"
        missings <- self$method == "relief" && used %in% takes_missing
        if (missings) "missings" else character()
      },
      .calculate = function(task, nfeat) {
        values <- self$param_set$values
        # The path of kbfs() must reach the number of features that is wanted.
        if (self$method == "kbfs" && is.null(values$n) &&
          nfeat < length(task$feature_names)) {
          values$n <- max(selector_formals("kbfs")$n, nfeat)
        }
        untied_scores(fit_mlr3_task(self$method, task, values))
      }
    )
  )
  # mlr3 calls these functions later.
  lapply(names(mlr3_titles), function(method) {
    mlr3filters::mlr_filters$add(
      paste0("hitmiss_", method), function() generator$new(method)
    )
  })
}

register_mlr3_learners <- function() {
  generator <- R6::R6Class("LearnerClassifHitmissLlfs",
    inherit = mlr3::LearnerClassif,
    public = list(
      initialize = function() {
        super$initialize(
          id = "classif.hitmiss_llfs", packages = "hitmiss",
          feature_types = c("logical", "integer", "numeric", "ordered"),
          predict_types = c("response", "prob"),
          param_set = mlr3_parameters("llfs", "train"),
          properties = c(
            "twoclass", "multiclass", "importance", "selected_features"
          ),
          label = mlr3_titles[["llfs"]], man = "hitmiss::hitmiss-mlr3"
        )
      },
      importance = function() {
        scores <- mlr3_model(self)$scores
        sort(scores, decreasing = TRUE)
      },
      selected_features = function() mlr3_model(self)$selected
    ),
    private = list(
      .train = function(task) {
        fit_mlr3_task("llfs", task, self$param_set$get_values(tags = "train"))
      },
      .predict = function(task) {
        labels <- self$predict_type == "response"
        found <- stats::predict(
          self$model, mlr3_features(task), if (labels) "class" else "prob",
          threads = self$param_set$values$threads
        )
        if (labels) {
          return(list(response = as.character(found)))
        }
        # A class without samples has a column too.
        prob <- matrix(0, nrow(found), length(task$class_names),
          dimnames = list(NULL, task$class_names)
        )
        prob[, colnames(found)] <- found
        list(prob = prob)
      }
    )
  )
  mlr3::mlr_learners$add("classif.hitmiss_llfs", generator)
}

mlr3_model <- function(learner) {
  if (is.null(learner$model)) {
    abort_input(c(
      "the learner has not been trained.",
      i = "Call {.code learner$train(task)} first."
    ), "self")
  }
  check_fit(learner$model, "self$model")
}
