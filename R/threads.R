# How many threads: the user's wish, capped by what the place allows.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Resolve `threads`
#'
#' The argument, else option `hitmiss.threads`, else environment variable
#' `HITMISS_NUM_THREADS`, else 2; then at most `OMP_THREAD_LIMIT`,
#' `RCPP_PARALLEL_NUM_THREADS` and the number of cores; 1 in a forked child or a
#' BiocParallel worker.
#' @noRd
resolve_threads <- function(threads = NULL) {
  wanted <- if (!is.null(threads)) {
    check_count(threads, "threads")
  } else if (!is.null(getOption("hitmiss.threads"))) {
    check_count(getOption("hitmiss.threads"), "options(hitmiss.threads)")
  } else {
    env_count("HITMISS_NUM_THREADS") %||% 2L
  }
  if (wanted == 1L || in_forked_child() || in_worker()) {
    return(1L)
  }
  min(
    wanted,
    env_count("OMP_THREAD_LIMIT"),
    env_count("RCPP_PARALLEL_NUM_THREADS"),
    cpp_hardware_threads()
  )
}

# A whole number >= 1 from the environment, or NULL.
env_count <- function(name) {
  value <- suppressWarnings(as.integer(Sys.getenv(name)))
  if (is.na(value) || value < 1L) NULL else value
}

state <- new.env(parent = emptyenv())

# Threads of the parent do not exist in a forked child, and TBB may deadlock.
in_forked_child <- function() {
  !is.null(state$pid) && state$pid != Sys.getpid()
}

# BiocParallel sets no variable on its workers: look for its frames. A look at
# every frame costs about a millisecond inside error_curve(), for each fit.
in_worker <- function() {
  if (!isNamespaceLoaded("BiocParallel")) {
    return(FALSE)
  }
  for (i in seq_len(sys.nframe())) {
    where <- topenv(environment(sys.function(i)) %||% baseenv())
    if (isNamespace(where) && getNamespaceName(where) == "BiocParallel") {
      return(TRUE)
    }
  }
  FALSE
}
