# The metamorphic battery: random configurations (verb, outcome, design, kind of
# values, options) and relations that must hold, such as that the order of the
# samples does not matter. Case 1, 2, ... is drawn from seed 1, 2, ..., until
# the time is over; one that fails is named and can be run again alone:
#   Rscript tests/robustness/metamorphic.R [--seconds=60] [LIBRARY]
#   Rscript tests/robustness/metamorphic.R --case=SEED [LIBRARY]
# SPDX-License-Identifier: GPL-3.0-or-later

load_metamorphic <- function(folder) {
  source(file.path(folder, "configurations.R"), globalenv())
  source(file.path(folder, "relations.R"), globalenv())
}

#' The cases of a child process.
#'
#' @param until Seconds since 1970.
metamorphic_cases <- function(folder, until) {
  load_metamorphic(folder)
  until <- as.POSIXct(as.numeric(until), origin = "1970-01-01")
  list(n = .Machine$integer.max, until = until, perform = judge_case)
}

draw_case <- function(seed) {
  set.seed(seed)
  relation <- pick(names(relations))
  repeat {
    case <- random_case()
    if (eval(relations[[relation]]$when, case)) break
  }
  c(case, relation = relation)
}

#' Performs a case and says what came of it.
#'
#' @return A word, the relation, the configuration, and what is wrong. held;
#'   refused: the package does not take this configuration; violated, also by an
#'   error, a warning or a message that is of no class of the package.
judge_case <- function(seed) {
  case <- draw_case(seed)
  foreign <- NULL
  listen <- function(condition) {
    if (!inherits(condition, c("hitmiss_warning", "hitmiss_message"))) {
      foreign <<- c(foreign, paste("foreign:", conditionMessage(condition)))
    }
  }
  found <- tryCatch(
    suppressWarnings(suppressMessages(withCallingHandlers(
      relations[[case$relation]]$check(case),
      warning = listen, message = listen
    ))),
    hitmiss_error = \(e) refused, error = listen
  )
  wrong <- c(foreign, if (!isTRUE(found)) as.character(found))
  outcome <- if (length(wrong) == 0L) "held" else "violated"
  if (identical(wrong, refused)) outcome <- refused
  drawn <- toString(case[c("call", "outcome", "kind", "design")])
  c(outcome, paste0(case$relation, ":"), paste0(drawn, ":"), wrong)
}

#' @return A data.frame with a row per case: at (its seed), outcome, detail,
#'   acceptable.
run_metamorphic <- function(folder, seconds) {
  load_metamorphic(folder)
  until <- format(as.numeric(Sys.time()) + seconds, digits = 12L)
  ends <- journal_ends(run_children(folder, "metamorphic", until, 1L))
  ends$acceptable <- ends$outcome %in% c("held", refused)
  ends
}

print_metamorphic <- function(outcome) {
  print(table(sub(":.*", "", outcome$detail), outcome$outcome))
  print_unacceptable(outcome, \(bad) paste0("--case=", bad$at))
}

metamorphic_note <- function(outcome) {
  kinds <- table(outcome$outcome)
  paste(kinds, names(kinds), collapse = ", ")
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  folder <- normalizePath(dirname(script))
  source(file.path(folder, "processes.R"))
  given <- commandArgs(trailingOnly = TRUE)
  use_library(grep("^--", given, value = TRUE, invert = TRUE))
  number <- function(option) {
    as.integer(sub(option, "", grep(option, given, value = TRUE)))
  }
  if (length(number("^--case=")) == 1L) {
    load_metamorphic(folder)
    cat(judge_case(number("^--case=")), "\n")
    quit()
  }
  outcome <- run_metamorphic(folder, c(number("^--seconds="), 60L)[[1L]])
  print_metamorphic(outcome)
  cat(nrow(outcome), "cases:", metamorphic_note(outcome), "\n")
  quit(status = as.integer(any(!outcome$acceptable)))
}
