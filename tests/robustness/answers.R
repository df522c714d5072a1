# Is what a verb says of an edited object right? It is where the verb refuses
# the object by the field's name, answers as of the object before the edit, or
# says what the edit means.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What came of a verb.
#'
#' @return list(outcome: "value", "refused" or "raw", answer, said, strange: its
#'   warnings that are not ours).
answer_of <- function(verb, object) {
  strange <- character()
  set.seed(1)
  tryCatch(
    withCallingHandlers(
      {
        printed <- utils::capture.output(value <- verb(object))
        list(
          outcome = "value", answer = list(printed, plain_answer(value)),
          strange = strange
        )
      },
      warning = function(w) {
        if (!inherits(w, "hitmiss_warning")) {
          strange <<- c(strange, conditionMessage(w))
        }
        invokeRestart("muffleWarning")
      },
      message = function(m) invokeRestart("muffleMessage")
    ),
    hitmiss_error = function(e) {
      list(
        outcome = "refused", said = conditionMessage(e),
        fields = c(e$arg, e$fields, e$field)
      )
    },
    error = function(e) {
      list(
        outcome = "raw",
        said = paste(deparse1(conditionCall(e)), conditionMessage(e))
      )
    }
  )
}

# print() and summary() return what they are given, with its edit.
plain_answer <- function(value) {
  kinds <- c(
    "hitmiss", "hitmiss_evaluation", "summary_hitmiss", "hitmiss_resampling"
  )
  if (inherits(value, c(kinds, "summary_hitmiss_curve"))) NULL else value
}

#' The verdict in a word, and a line.
#'
#' same, named, meant: right. unnamed: refused without naming the field. raw: an
#' error that is not ours. silent: another answer without a word. warned: the
#' same, with a warning that is not ours.
judge_answer <- function(after, before, path, edit, verb) {
  if (after$outcome == "raw") {
    return(c("raw", after$said))
  }
  if (after$outcome == "refused") {
    known <- identical(after$said, before$said) || names_field(after, path)
    return(c(if (known) "named" else "unnamed", after$said))
  }
  if (identical(after$answer, before$answer, ignore.environment = TRUE)) {
    return("same")
  }
  strange <- setdiff(after$strange, before$strange)
  if (length(strange) > 0L) {
    return(c("warned", strange[[1L]]))
  }
  if (is_meant(path, edit, verb)) "meant" else "silent"
}

names_field <- function(refusal, path) {
  steps <- path[!is_attribute(path) & !grepl("^[0-9]+$", path)]
  # The object as a whole: any field that its class lacks.
  if (length(steps) == 0L) {
    return(TRUE)
  }
  text <- paste(c(refusal$said, refusal$fields), collapse = " ")
  any(vapply(steps, grepl, NA, x = text, fixed = TRUE))
}

is_meant <- function(path, edit, verb) {
  steps <- path[!is_attribute(path)]
  place <- paste(steps, collapse = "$")
  predicts <- grepl("^(predict|drop_features)", verb)
  among <- function(patterns) any(vapply(patterns, grepl, NA, x = place))
  # Lost where columns are taken from a comparison.
  if (identical(path, "@metric") && edit == "NULL") {
    return(TRUE)
  }
  if (edit == "NULL" && !any(is_attribute(path)) && among(optional)) {
    return(TRUE)
  }
  # The last field of a curve is optional.
  if (edit == "too short" && identical(path, "curve")) {
    return(TRUE)
  }
  value <- edit %in% c("out of range", "negative")
  if (value && among(any_number)) {
    return(TRUE)
  }
  if (edit %in% c("NA", "an NA", "a NaN") && among(may_lack)) {
    return(TRUE)
  }
  !predicts && among(told)
}

# What an object may lack: see ?"hitmiss-objects".
optional <- c(
  "^annotation", "^class_means$", "^assay$", "^local\\$samples$", "^call$",
  "^predictions(\\$score)?$", "^(selector_calls|versions)$",
  "^(chosen|chosen_summary|tuned|nested|tune|resampling)$",
  "^parameters\\$(lambda|control\\$checkpoint)$"
)

# Where any number is one that data may lead to: nothing contradicts it.
any_number <- c(
  "^preprocess\\$(center|scale)$", "^class_means$", "^training\\$values$",
  "^local\\$(training|log_odds|radius|objective)$",
  "^report\\$(objective|residual|kkt|gap|seconds)$", "^annotation",
  "^(criterion|probe_scores|bandwidth)", "^scores$"
)

# What a method may be without.
may_lack <- c(
  "^report\\$(iterations|objective|residual|kkt|gap)$", "^annotation"
)

# What print(), summary() and tables hand on as it stands, and no prediction
# rests on.
told <- c(
  "^parameters", "^n_samples$", "^path",
  "^report\\$(iterations|objective|residual|kkt|gap|seconds|threads)$",
  "^annotation", "^call$", "^versions?$", "^selector_calls$", "^note$",
  "^assay$",
  # Of evaluations the figures and words that nothing else in them determines.
  "^(n_features|n_sets|features|redrawn|classifier|seconds|probe_scores)",
  "^(per_class|baseline|tune)\\$", "^((resampling|nested)\\$)?(times|train)$",
  "^results\\$(repetition|n_used|empty)$", "^chosen\\$value$",
  "^table\\$(selector|size|sd_k|empty|nogueira|lower|kuncheva|jaccard)$",
  "^table\\$baseline$",
  "^table\\$(feature|score)$", "^frequency\\$1$", "^curve\\$threshold$",
  "^selections\\$",
  # Tables, from which users may take columns.
  paste0("^(", paste(c(
    "selector", "metric", "rule", "size", "value", "se", "plain_se",
    "best_size", "best_value", "best_se", "first", "second", "difference",
    "lower", "upper", "statistic", "df", "p", "p_adjusted", "test"
  ), collapse = "|"), ")$")
)
