# The calls of the battery, the same list in every process: each valid call with
# each argument in turn left out or replaced by each bad value.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Loads what the battery stands on, into the global environment.
load_battery <- function(folder) {
  tests <- file.path(dirname(folder), "testthat")
  for (file in file.path(tests, c(
    "helper-contract.R", "helper-calls.R", "helper-calls-evaluation.R",
    "helper-calls-frameworks.R"
  ))) {
    sys.source(file, globalenv())
  }
  source(file.path(folder, "bad_values.R"), globalenv())
}

#' @param every 1: every value for every argument of every valid call; else each
#'   argument of each function once, in a valid call that gives it, if there is
#'   one, left out and with one in so many values.
#' @return A data.frame of positions and names: valid, argument, value.
battery_plan <- function(valid, values, every) {
  plans <- lapply(seq_along(valid), function(i) {
    call <- valid[[i]]
    arguments <- arguments_of(call)
    if (length(arguments) == 0L) {
      return(NULL)
    }
    plan <- expand.grid(
      value = c("(left out)", names(values)), argument = arguments, valid = i,
      stringsAsFactors = FALSE
    )
    # The first argument chooses the method: of a generic that is not ours, a
    # value that is no fit would test another package.
    foreign <- !call$generic %in% getNamespaceExports("hitmiss") ||
      call$generic %in% c("tidy", "glance")
    elsewhere <- foreign & plan$argument == arguments[[1L]] &
      !grepl("^broken", plan$value)
    plan[!elsewhere, ]
  })
  plan <- do.call(rbind, plans)
  if (every == 1L) plan else once(plan, valid, every)
}

once <- function(plan, valid, every) {
  pair <- unique(plan[c("valid", "argument")])
  pair$target <- vapply(valid, `[[`, "", "target")[pair$valid]
  pair$given <- mapply(function(i, argument) {
    argument %in% names(name_arguments(valid[[i]])$arguments)
  }, pair$valid, pair$argument)
  pair <- pair[order(!pair$given), ]
  pair <- pair[!duplicated(pair[c("target", "argument")]), ]
  plan <- plan[
    paste(plan$valid, plan$argument) %in% paste(pair$valid, pair$argument),
  ]
  # The parts in turns.
  turn <- match(plan$argument, unique(plan$argument)) + plan$valid
  place <- match(plan$value, unique(plan$value))
  plan[(turn + place) %% every == 0L | plan$value == "(left out)", ]
}

# All formals of what is called, and in place of `...` one that it lacks; of the
# formula interface also those that it hands on, and those that a formula
# replaces.
arguments_of <- function(call) {
  space <- asNamespace("hitmiss")
  own <- names(formals(get(call$target, envir = space)))
  if (endsWith(call$target, ".formula")) {
    default <- get(sub("formula$", "default", call$target), envir = space)
    own <- union(own, names(formals(default)))
  }
  # R itself refuses unknown arguments where there is no `...`.
  sub("...", "no_such_argument", own, fixed = TRUE)
}

#' One call of the plan, ready to be performed.
planned_call <- function(plan, i, valid, values) {
  call <- valid[[plan$valid[[i]]]]
  call <- name_arguments(call)
  argument <- plan$argument[[i]]
  value <- plan$value[[i]]
  if (value == "(left out)") {
    call$arguments[argument] <- NULL
  } else {
    call$arguments[argument] <- values[value]
  }
  call
}

# Every argument by its name, as R would match it.
name_arguments <- function(call) {
  target <- get(call$target, envir = asNamespace("hitmiss"))
  unnamed <- which(
    names(call$arguments) %||% rep("", length(call$arguments)) == ""
  )
  names(call$arguments)[unnamed] <- names(formals(target))[seq_along(unnamed)]
  call
}

`%||%` <- function(a, b) if (is.null(a)) b else a

#' The cases of a child process.
battery_cases <- function(folder, every) {
  load_battery(folder)
  grDevices::pdf(NULL)
  valid <- valid_calls()
  values <- bad_values()
  plan <- battery_plan(valid, values, as.integer(every))
  # Default methods, and those for what cannot be drawn, only refuse: NULL here.
  expected <- lapply(valid, function(call) {
    tryCatch(
      {
        suppressWarnings(utils::capture.output(value <- perform(call)))
        list(class = class(value), missing = missing_numbers(value))
      },
      hitmiss_error = function(e) if (!call$refused) stop(e)
    )
  })
  targets <- vapply(valid, `[[`, "", "target")
  list(n = nrow(plan), perform = function(i) {
    call <- planned_call(plan, i, valid, values)
    set.seed(i)
    judge(call, expected[targets == call$target])
  })
}

#' Performs a call and says what came of it, in one word and a line.
#'
#' result: a value of a class that a valid call has, without NA where that has
#' none, unless the help says so. refused: a condition of class hitmiss_error.
#' odd: any other value. raw: any other error. warned: a value, with a warning
#' that is not ours.
#' @param expected Of each valid call of this function, the class and what
#'   missing_numbers() says.
judge <- function(call, expected) {
  strangers <- character()
  warned <- character()
  outcome <- tryCatch(
    withCallingHandlers(
      {
        utils::capture.output(value <- perform(call))
        judge_value(value, expected, call, warned)
      },
      warning = function(w) {
        warned <<- c(warned, class(w))
        if (!inherits(w, "hitmiss_warning")) {
          strangers <<- c(strangers, conditionMessage(w))
        }
        invokeRestart("muffleWarning")
      },
      message = function(m) invokeRestart("muffleMessage")
    ),
    hitmiss_error = function(e) c("refused", e$arg),
    error = function(e) {
      c("raw", paste(deparse1(conditionCall(e)), conditionMessage(e)))
    }
  )
  if (outcome[[1L]] %in% c("result", "odd") && length(strangers) > 0L) {
    outcome <- c("warned", strangers[[1L]])
  }
  outcome
}

judge_value <- function(value, expected, call, warned) {
  alike <- Filter(function(one) identical(one$class, class(value)), expected)
  if (length(alike) == 0L) {
    return(c("odd", paste(class(value), collapse = "/")))
  }
  known <- unlist(lapply(alike, `[[`, "missing"))
  missing <- setdiff(missing_numbers(value), known)
  if (length(missing) == 0L || is_documented(value, call, warned)) {
    return("result")
  }
  c("odd", paste("NA in", toString(missing)))
}

#' Which parts of a result hold NA or NaN, be they numbers or labels? Not what a
#' fit's report lacks: not every solver has an objective or a gap.
#' @return The paths to them, such as "value$scores".
missing_numbers <- function(value, path = "value") {
  # A picture's layers are ggplot2's affair.
  if (inherits(value, "ggplot")) {
    return(character())
  }
  if (is.atomic(value)) {
    return(if (anyNA(value)) path else character())
  }
  if (!is.list(value)) {
    return(character())
  }
  value <- unclass(value)
  value$report <- NULL
  names <- names(value) %||% rep("", length(value))
  unlist(lapply(seq_along(value), function(i) {
    missing_numbers(value[[i]], paste0(path, "$", names[[i]]))
  }))
}

# The NA of which the help speaks: of samples that cannot be predicted, of
# selections that failed (with a warning), and of less than two sets.
is_documented <- function(value, call, warned) {
  switch(call$generic,
    predict = all(incomplete_rows(value) %in%
      incomplete_rows(as.matrix(call$arguments$newdata))),
    error_curve = "hitmiss_warning_failed" %in% warned,
    stability = value$n_sets < 2L,
    interactions = value$times == 0L,
    # Without runs there is no q.
    markers = all(grepl("q$", missing_numbers(value))),
    # Categories have no mean; single samples, and what is constant, no spread.
    relief = , logo = , kbfs = , pwfp = , llfs = ,
    turf = all(grepl("class_means|class_spread", missing_numbers(value))),
    probe_fdr = all(
      grepl("class|difference|effect", missing_numbers(value))
    ),
    # A class that no sample has.
    validate = all(grepl("estimate|lower|upper", missing_numbers(value))),
    # A step that is not trained keeps what it is given until it is.
    step_select_hitmiss = TRUE,
    FALSE
  )
}

incomplete_rows <- function(x) {
  odd <- if (is.numeric(x)) !is.finite(x) else is.na(x)
  which(if (is.matrix(x)) rowSums(odd) > 0 else odd)
}
