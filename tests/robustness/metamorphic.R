# The metamorphic battery: random configurations (verb, outcome, design, kind of
# values, options) and relations that must hold, such as that the order of the
# samples does not matter. Case 1, 2, ... is drawn from seed 1, 2, ..., until
# the time is over; one that fails is named and can be run again alone:
#   Rscript tests/robustness/metamorphic.R [--seconds=60] [LIBRARY]
#   Rscript tests/robustness/metamorphic.R --case=SEED [LIBRARY]
# SPDX-License-Identifier: GPL-3.0-or-later

#' The cases of a child process.
#'
#' @param until Seconds since 1970.
metamorphic_cases <- function(folder, until) {
  files <- c("../testthat/helper-contract.R", "configurations.R", "relations.R")
  for (file in file.path(folder, files)) source(file, globalenv())
  list(n = 1e9L, until = as.numeric(until), perform = judge_case)
}

draw_case <- function(seed) {
  set.seed(seed)
  relation <- pick(names(relations))
  repeat {
    case <- c(random_case(), relation = relation)
    if (eval(relations[[relation]]$when, case)) return(case)
  }
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
    own <- inherits(condition, c("hitmiss_warning", "hitmiss_message"))
    if (!own) foreign <<- c(foreign, "foreign:", conditionMessage(condition))
  }
  found <- tryCatch(
    suppressWarnings(suppressMessages(withCallingHandlers(
      relations[[case$relation]]$check(case),
      warning = listen, message = listen
    ))),
    hitmiss_error = \(e) "refused", error = listen
  )
  wrong <- c(foreign, if (!isTRUE(found)) as.character(found))
  outcome <- if (length(wrong) == 0L) "held" else "violated"
  if (identical(wrong, "refused")) outcome <- wrong
  drawn <- toString(case[c("call", "outcome", "kind")])
  c(outcome, paste0(case$relation, ":"), drawn, wrong)
}

#' @return A data.frame with a row per case: at (its seed), outcome, detail,
#'   acceptable.
run_metamorphic <- function(folder, seconds) {
  until <- format(as.numeric(Sys.time()) + seconds, digits = 12L)
  ends <- journal_ends(run_children(folder, "metamorphic", until, 1L))
  ends$acceptable <- ends$outcome %in% c("held", "refused")
  print(table(sub(":.*", "", ends$detail), ends$outcome))
  print_unacceptable(ends, \(bad) paste0("--case=", bad$at))
  ends
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  folder <- normalizePath(dirname(script))
  source(file.path(folder, "processes.R"))
  given <- commandArgs(trailingOnly = TRUE)
  options <- c(grep("^--", given, value = TRUE), "--seconds=60")
  use_library(setdiff(given, options))
  number <- as.integer(sub(".*=", "", options[[1L]]))
  if (startsWith(options[[1L]], "--case=")) {
    cat(metamorphic_cases(folder, 0)$perform(number), "\n")
    quit()
  }
  quit(status = as.integer(!all(run_metamorphic(folder, number)$acceptable)))
}
