# Layer: input. Units of work run here or over a back end, each with a random
# stream of its own.
# SPDX-License-Identifier: GPL-3.0-or-later

check_backend <- function(BPPARAM) {
  if (is.null(BPPARAM)) {
    return(invisible())
  }
  require_package("BiocParallel", "running over several processes")
  if (!inherits(BPPARAM, "BiocParallelParam")) {
    abort_input(
      "{.arg BPPARAM} must be NULL or a BiocParallelParam, not
       {describe(BPPARAM)}.", "BPPARAM"
    )
  }
}

# Returns what the core reads of a problem, in memory: workers do not see this
# process's scratch files.
for_workers <- function(problem) {
  if (problem$storage == "blocks") {
    check_numbers_fit(data_bytes(problem) / 16, "x")
    problem$values <- realise_dense(problem$values$matrix, problem$features_in)
    problem$storage <- "dense"
  }
  fields <- c(
    "values", "storage", "features_in", "y", "block", "group", "matched"
  )
  problem[intersect(fields, names(problem))]
}

# Forked processes see the session; others see only what is sent to them.
on_other_processes <- function(BPPARAM) {
  !is.null(BPPARAM) && !inherits(BPPARAM, c("SerialParam", "MulticoreParam"))
}

#' Do `work(unit, ...)` for all units, here or over a back end
#'
#' @param work A function of this package, so that workers find it.
#' @param label Text of the progress bar.
#' @noRd
spread <- function(units, work, ..., BPPARAM = NULL, label = "Units") {
  if (!is.null(BPPARAM)) {
    # The back end may draw seeds of its own, so the caller's stream is kept.
    return(keep_stream(on_workers(units, work, ..., BPPARAM = BPPARAM)))
  }
  progress <- progress_reporter(label, FALSE)
  progress(0)
  say_once <- once_by_class()
  done <- 0
  lapply(units, function(unit) {
    result <- say_once(work(unit, ...))
    done <<- done + 1
    progress(done / length(units))
    result
  })
}

#' bplapply() on workers that look for packages where this session does: they do
#' not know a `.libPaths()` that was set in this session, and reading `work`
#' itself loads this package
#' @noRd
apply_on_workers <- function(units, work, ..., BPPARAM) {
  limit <- BiocParallel::bptimeout(BPPARAM)
  if (!on_other_processes(BPPARAM)) {
    return(BiocParallel::bplapply(
      units, keyed_work, work, ..., limit = limit, BPPARAM = BPPARAM
    ))
  }
  job <- serialize(
    list(work = keyed_work, arguments = list(work, ..., limit = limit)), NULL
  )
  BiocParallel::bplapply(
    lapply(units, serialize, NULL), on_worker,
    job = job, libraries = .libPaths(), BPPARAM = BPPARAM
  )
}

on_worker <- function(unit, job, libraries) {
  .libPaths(c(libraries, .libPaths()))
  job <- unserialize(job)
  do.call(job$work, c(list(unserialize(unit)), job$arguments))
}

environment(on_worker) <- baseenv()

# A back end may return late answers to an earlier call, of this package or of
# another. So each answer bears the key of its call and the unit's number.

keyed_units <- function(units) {
  state$calls <- (state$calls %||% 0) + 1
  key <- paste(Sys.getpid(), format(Sys.time(), "%s %OS6"), state$calls)
  Map(function(unit, number) {
    list(key = key, number = number, unit = unit)
  }, unname(units), seq_along(units))
}

# A forked worker inherits the time limit of the call in which it was started,
# so the back end's own limit takes its place.
keyed_work <- function(keyed, work, ..., limit) {
  if (!startsWith(keyed$key, paste(Sys.getpid(), ""))) {
    setTimeLimit(limit, limit, transient = TRUE)
  }
  c(keyed[c("key", "number")], list(answer = work(keyed$unit, ...)))
}

# Says whether these are the answers to these units. If the back end failed,
# errors stand in the place of some answers.
are_answers <- function(results, keyed, failed = FALSE) {
  length(results) == length(keyed) && all(unlist(Map(function(result, unit) {
    failed && inherits(result, "error") || is.list(result) &&
      identical(result[c("key", "number")], unit[c("key", "number")])
  }, results, keyed)))
}

#' Run the units over a back end, and leave it fit for use whatever happens
#'
#' If a worker died, or a limit or an interrupt ended the wait for all workers,
#' the next call would take late answers of other workers for its own.
#' @noRd
on_workers <- function(units, work, ..., BPPARAM) {
  was_up <- BiocParallel::bpisup(BPPARAM)
  answered <- FALSE
  on.exit(if (!answered) restart_workers(BPPARAM, was_up))
  keyed <- keyed_units(units)
  results <- catch_error(
    apply_on_workers(keyed, work, ..., BPPARAM = BPPARAM),
    function(e) {
      answered <<- are_answers(attr(e, "result"), keyed, failed = TRUE)
      if (answered) stop_as_unit(attr(e, "result"))
      abort(
        c(
          "the workers of {.arg BPPARAM} gave no answer: {conditionMessage(e)}",
          i = "Most likely one of them died, for example because memory ran out,
               or has no hitmiss {package_version_text()} where it looks for
               packages. Try again, perhaps with fewer workers."
        ), "hitmiss_error_workers", parent = e
      )
    }
  )
  answered <- are_answers(results, keyed)
  if (!answered) {
    abort(
      c(
        "{.arg BPPARAM} returned answers to an earlier call, which was
         interrupted or lost a worker.",
        i = "It has been restarted: try again."
      ), "hitmiss_error_workers"
    )
  }
  lapply(results, `[[`, "answer")
}

# BiocParallel wraps the errors of its workers. A time limit, or an error of
# this package, is signalled as what it was.
stop_as_unit <- function(results) {
  limit <- Find(Negate(is.null), lapply(results, time_limit))
  if (!is.null(limit)) stop(conditionMessage(limit), call. = FALSE)
  ours <- Find(function(result) inherits(result, "hitmiss_error"), results)
  if (!is.null(ours)) {
    class(ours) <- setdiff(class(ours), "remote_error")
    stop(ours)
  }
}

restart_workers <- function(BPPARAM, was_up) {
  try(BiocParallel::bpstop(BPPARAM), silent = TRUE)
  if (BiocParallel::bpisup(BPPARAM)) try(drop_workers(BPPARAM), silent = TRUE)
  if (was_up) try(BiocParallel::bpstart(BPPARAM), silent = TRUE)
}

# bpstop() fails at the dead worker's connection and keeps all of them. The
# other workers end when their connections close.
drop_workers <- function(BPPARAM) {
  for (node in BiocParallel::bpbackend(BPPARAM)) {
    try(close(node$con), silent = TRUE)
  }
  none <- structure(list(), class = c("NULLcluster", "cluster"))
  BiocParallel::`bpbackend<-`(BPPARAM, none)
}

# A worker process starts bare, but selectors written for a session in which
# hitmiss is attached should work there too.
attach_here <- function() {
  if (!"package:hitmiss" %in% search()) attachNamespace("hitmiss")
}
