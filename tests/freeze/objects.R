# Makes the objects of the freeze with one library, see compare.R:
#   Rscript tests/freeze/objects.R LIBRARY FILE
# SPDX-License-Identifier: GPL-3.0-or-later

given <- commandArgs(TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
.libPaths(c(given[[1L]], .libPaths()))
Sys.setenv(TZ = "UTC")
suppressPackageStartupMessages(library(hitmiss, lib.loc = given[[1L]]))
options(hitmiss.threads = 1L, width = 100L, lifecycle_verbosity = "quiet")
source(file.path(dirname(script), "problems.R"))
source(file.path(dirname(script), "verbs.R"))

# ---- what is kept ------------------------------------------------------------

# What differs between two runs, or says nothing about results.
not_compared <- c("call", "version", "seconds", "threads", ".Environment")

#' The value without what is not compared; functions by their arguments
plain <- function(value) {
  if (is.function(value)) return(names(formals(value)))
  if (is.environment(value)) return("environment")
  if (isS4(value) || typeof(value) == "externalptr") {
    return(utils::capture.output(utils::str(value)))
  }
  if (is.language(value)) return(deparse(value))
  kept <- attributes(value)
  kept <- lapply(kept[setdiff(names(kept), not_compared)], plain)
  if (is.list(value)) {
    value <- unclass(value)
    names <- setdiff(names(value), not_compared)
    value <- lapply(if (is.null(names(value))) value else value[names], plain)
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

#' list(value, conditions = classes, print = lines, failed = text of an error)
watch <- function(expr, env) {
  classes <- texts <- character()
  note <- function(condition) {
    # Whether this one comes depends on the clock.
    if (inherits(condition, "hitmiss_message_time")) {
      return(tryInvokeRestart("muffleMessage"))
    }
    classes <<- c(classes, class(condition)[[1L]])
    texts <<- c(texts, conditionMessage(condition))
    tryInvokeRestart("muffleWarning")
    tryInvokeRestart("muffleMessage")
  }
  failed <- value <- NULL
  set.seed(1)
  printed <- utils::capture.output(tryCatch(
    withCallingHandlers(
      {
        value <- eval(expr, env)
        if (any(grepl("hitmiss", class(value)))) print(value)
      },
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

# ---- all objects -------------------------------------------------------------

plan <- plan_objects(names(verbs))
objects <- lapply(seq_len(nrow(plan)), function(i) {
  watch(verbs[[plan$verb[[i]]]], problem(plan[i, -1L]))
})
names(objects) <- do.call(paste, plan)
toy <- problem(list(
  outcome = "two", design = "none", container = "matrix", values = "complete"
))
objects <- c(objects, lapply(as.list(single), watch, toy))
saveRDS(objects, given[[2L]])
