# Valid calls of the adapters to other packages. Where recipes is not installed,
# its call ends in the error that says so.
# SPDX-License-Identifier: GPL-3.0-or-later

framework_calls <- function(x, y, frame) {
  recipes <- requireNamespace("recipes", quietly = TRUE)
  predictors <- str2lang("recipes::all_predictors()")
  recipe <- if (recipes) recipes::recipe(class ~ ., data = frame)
  list(
    valid_call("step_select_hitmiss", recipe, predictors,
      top_p = 3, k = 2, random = recipes, refused = !recipes
    ),
    valid_call("step_select_hitmiss", recipe, predictors,
      method = "logo", group = "patient",
      options = list(lambda = 2), id = "step", refused = !recipes
    ),
    report_call(x, y)
  )
}

report_call <- function(x, y) {
  valid_call("write_report", relief(x, y, k = 3, threads = 1L), x[1:2, ],
    tempfile(fileext = ".html"),
    n = 3, title = "A report",
    refused = !requireNamespace("htmltools", quietly = TRUE)
  )
}
