# Layer: input. The core is called here, with threads, a SIMD level and a
# progress bar, and errors of the system become errors of this package.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- threads -----------------------------------------------------------------

#' Resolve `threads`
#'
#' The number is the argument, else option `hitmiss.threads`, else environment
#' variable `HITMISS_NUM_THREADS`, else 2. It is at most `OMP_THREAD_LIMIT`,
#' `RCPP_PARALLEL_NUM_THREADS` and the number of cores, and 1 in a forked child
#' or a BiocParallel worker.
#' @noRd
resolve_threads <- function(threads = NULL) {
  limits <- env_counts(c(
    "HITMISS_NUM_THREADS", "OMP_THREAD_LIMIT", "RCPP_PARALLEL_NUM_THREADS"
  ))
  wanted <- if (!is.null(threads)) {
    check_count(threads, "threads")
  } else if (!is.null(getOption("hitmiss.threads"))) {
    check_count(getOption("hitmiss.threads"), "options(hitmiss.threads)")
  } else if (is.na(limits[[1L]])) {
    2L
  } else {
    limits[[1L]]
  }
  if (wanted == 1L || in_forked_child() || in_worker()) {
    return(1L)
  }
  min(wanted, limits[-1L], cpp_hardware_threads(), na.rm = TRUE)
}

# Returns whole numbers >= 1 from the environment, or NA.
env_counts <- function(names) {
  values <- suppressWarnings(as.integer(Sys.getenv(names)))
  replace(values, which(values < 1L), NA)
}

state <- new.env(parent = emptyenv())

# The parent's threads do not exist in a forked child, where TBB may deadlock.
in_forked_child <- function() {
  !is.null(state$pid) && state$pid != Sys.getpid()
}

# BiocParallel sets no variable on its workers, so its frames are looked for. A
# look at every frame costs about a millisecond inside error_curve(), for each
# fit.
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

# ---- SIMD level --------------------------------------------------------------

resolve_simd <- function() {
  wanted <- getOption("hitmiss.simd", "auto")
  check_choice(wanted, c("auto", cpp_simd_levels()), "options(hitmiss.simd)")
}

# ---- the call of the core ----------------------------------------------------

# Returns the runtime of a call that shows no progress and draws nothing.
core_runtime <- function(threads = resolve_threads()) {
  list(threads = threads, progress = NULL, key = NULL)
}

#' Run `compute(runtime)` with threads, a progress bar and optionally a random
#' key
#'
#' @param label Text of the progress bar.
#' @param compute Function of the runtime list that C++ bindings take.
#' @param random Draw a key from R's stream? Methods without randomness must not
#'   change `.Random.seed`.
#' @return What `compute` returns, with `seconds` and `threads` as attributes.
#' @noRd
run_core <- function(label, threads, verbose, compute, random = FALSE) {
  verbose <- check_flag(verbose)
  runtime <- list(
    threads = resolve_threads(threads),
    progress = NULL,
    key = if (random) draw_key()
  )
  runtime$progress <- progress_reporter(label, verbose)
  started <- elapsed()
  result <- memory_errors(compute(runtime))
  structure(result,
    seconds = max(0, elapsed() - started),
    threads = runtime$threads
  )
}

#' A function of the share that is done, in [0, 1]
#'
#' It moves a progress bar, if one is shown, which ends with the frame of the
#' caller. It says once how long the whole takes, if that is more than ten
#' seconds, see time_left().
#' @noRd
progress_reporter <- function(label, verbose, frame = parent.frame()) {
  shown <- verbose || interactive()
  bar <- if (shown) {
    cli::cli_progress_bar(label, total = 100, .envir = frame)
  }
  started <- elapsed()
  times <- shares <- NULL
  told <- FALSE
  function(share) {
    now <- elapsed()
    # Some work, such as reading the data or the mean distances, comes before
    # the first share, or between two tasks that both begin at 0.
    if (any(share < shares)) times <<- shares <<- NULL
    if (!told && share > 0 && share < 1) {
      times <<- c(times, now)
      shares <<- c(shares, share)
      whole <- now - started + time_left(times, shares)
      if (isTRUE(whole > 10)) {
        told <<- TRUE
        inform(c(
          paste0(label, ": about {duration(whole)} expected."),
          i = faster[[label]]
        ), "hitmiss_message_time")
      }
    }
    if (shown) cli::cli_progress_update(set = 100 * share, id = bar)
  }
}

#' The seconds that a run still takes, or NA
#'
#' The first steps of a run say little: two seconds and a twentieth of the work
#' must have passed. The speed is that of all steps or of the last tenth of the
#' time, whichever is higher.
#' @param times,shares Of the steps so far, in order.
#' @noRd
time_left <- function(times, shares) {
  last <- length(times)
  passed <- times[[last]] - times
  done <- shares[[last]] - shares
  if (passed[[1L]] < 2 || done[[1L]] < 0.05) {
    return(NA_real_)
  }
  recent <- sum(passed >= passed[[1L]] / 10)
  (1 - shares[[last]]) / max((done / passed)[c(1L, recent)])
}

elapsed <- function() proc.time()[["elapsed"]]

duration <- function(seconds) {
  unit <- 60^sum(seconds >= c(120, 7200))
  name <- c("seconds", "minutes", "hours")[[log(unit, 60) + 1]]
  paste(signif(seconds / unit, 2), name)
}

# What takes less time, by label.
faster <- list(
  Relief = "The methods with {.arg samples} take less with few, such as 500.",
  LOGO = "{.fn relief} takes less; so do fewer features, such as its best
          1,000.",
  PWFP = "{.fn relief} takes less; so do fewer features, such as its best
          1,000.",
  LLFS = "Fewer {.arg candidates} or {.arg representatives} take less.",
  Interactions = "Fewer {.arg times} or {.arg searched} take less.",
  Splits = "Fewer splits take less; {.arg BPPARAM} runs several at once."
)

# Turns a failed allocation or thread into an error that says what to do.
memory_errors <- function(expr) {
  tryCatch(expr, error = function(e) {
    said <- conditionMessage(e)
    vector <- sub("%.*", "", gettext(
      "cannot allocate vector of size %0.1f Gb", domain = "R"
    ))
    threads <- grepl("pthread_create|thread.*unavailable", said)
    edges <- startsWith(said, "the graph of the nearest would have")
    if (!threads && !edges && !inherits(e, "std::bad_alloc") &&
      !startsWith(said, vector) && said != "std::bad_alloc") {
      stop(e)
    }
    # The memory that the call had allocated is released, because the message
    # needs some itself.
    gc(verbose = FALSE)
    abort(
      c(
        if (threads) {
          "the system started no more threads: {said}."
        } else if (edges) {
          "{said}."
        } else {
          "memory ran out: {said}."
        },
        i = if (edges) {
          "4,096 samples, or pairs of them ({.arg max_pairs} of {.fn kbfs}),
           may all tie; features with more distinct values tie less."
        } else {
          "{.arg threads = 1} needs least. With
           {.arg options(hitmiss.max_memory)} fits that need more than
           there is are refused before they start."
        }
      ),
      c("hitmiss_error_memory"), parent = e
    )
  })
}

# A fit that was refused because its estimate is too large has not run out of
# memory.
is_out_of_memory <- function(e) {
  inherits(e, "hitmiss_error_memory") && !inherits(e, "hitmiss_error_input")
}

# ---- values ------------------------------------------------------------------

#' Raw values of some features: double, samples x features, in memory
#' @param threads Resolved.
#' @noRd
feature_values <- function(problem, features, threads = 1L) {
  runtime <- core_runtime(threads)
  # memory_errors() must not return the values: they would be copied when they
  # get names.
  memory_errors({
    values <- cpp_feature_values(problem, as.integer(features), runtime)
    NULL
  })
  values
}

# Takes at most n of the elements, evenly spaced.
spaced <- function(at, n) {
  if (length(at) <= n) at else at[round(seq(1, length(at), length.out = n))]
}
