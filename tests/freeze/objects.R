# Makes the objects of the freeze with one library, see compare.R:
#   Rscript tests/freeze/objects.R LIBRARY FILE
# SPDX-License-Identifier: GPL-3.0-or-later

given <- commandArgs(TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
.libPaths(c(given[[1L]], .libPaths()))
Sys.setenv(TZ = "UTC")
library(hitmiss, lib.loc = given[[1L]])
options(hitmiss.threads = 1L, width = 100L, lifecycle_verbosity = "quiet")
source(file.path(dirname(script), "problems.R"))
source(file.path(dirname(script), "verbs.R"))

# What differs between two runs, or says nothing about results.
not_compared <- c("call", "version", "seconds", "threads", ".Environment")

#' The value without what is not compared; of functions the arguments
plain <- function(value) {
  if (is.function(value)) return(names(formals(value)))
  if (is.environment(value)) return("environment")
  if (isS4(value)) return(capture.output(str(value)))
  if (is.language(value)) return(deparse(value))
  kept <- attributes(value)
  kept <- lapply(kept[setdiff(names(kept), not_compared)], plain)
  if (is.list(value)) {
    compared <- setdiff(seq_along(value), match(not_compared, names(value)))
    value <- lapply(unclass(value)[compared], plain)
    kept$names <- names(value)
  }
  attributes(value) <- kept
  value
}

masked <- function(text) {
  text <- gsub("[0-9.e-]+ s on [0-9]+ threads?", "S s on T threads", text)
  text <- gsub("^( *(relief|pwfp) +)[0-9.e-]+$", "\\1S", text)
  gsub("(hitmiss|model:) [0-9]+([.-][0-9]+)+", "\\1 V", text)
}

show_results <- function(value) {
  if (any(grepl("hitmiss", class(value)))) {
    print(value)
  } else if (is.list(value) && !is.object(value)) {
    for (part in value) show_results(part)
  }
}

#' list(value, conditions = classes, print = lines, failed = text of an error)
watch <- function(expr, env) {
  classes <- texts <- character()
  failed <- value <- NULL
  note <- function(condition) {
    # Whether a message of the expected time comes depends on the clock.
    if (!inherits(condition, "hitmiss_message_time")) {
      classes <<- c(classes, class(condition)[[1L]])
      texts <<- c(texts, conditionMessage(condition))
    }
    tryInvokeRestart("muffleWarning")
    tryInvokeRestart("muffleMessage")
  }
  set.seed(1)
  printed <- capture.output(tryCatch(
    withCallingHandlers(
      show_results(value <- eval(expr, env)),
      warning = note, message = note
    ),
    error = function(e) {
      note(e)
      failed <<- conditionMessage(e)
    }
  ))
  lines <- unlist(strsplit(as.character(c(texts, printed)), "\n"))
  list(
    value = plain(value), conditions = classes, print = masked(lines),
    failed = failed
  )
}

plan <- plan_objects(names(verbs))
objects <- lapply(seq_len(nrow(plan)), function(i) {
  watch(verbs[[plan$verb[[i]]]], problem(plan[i, ]))
})
names(objects) <- do.call(paste, plan)
toy <- problem(lapply(settings, `[[`, 1L))
saveRDS(c(objects, lapply(single, watch, toy)), given[[2L]])
