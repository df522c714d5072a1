# A day on which everything is stopped: time limits, interrupts, errors in what
# users hand over and killed workers, each during a fit, a curve, the reading of
# blocks and a prediction. Each time: the right condition, and a session in
# which the next fit is right, no file has stayed and no process.
#   Rscript tests/bench/hard_stops.R [TIMES]
# SPDX-License-Identifier: GPL-3.0-or-later

needed <- c("callr", "BiocParallel", "DelayedArray", "HDF5Array")
missing <- needed[!vapply(needed, requireNamespace, NA, quietly = TRUE)]
if (.Platform$OS.type == "windows" || length(missing) > 0L) {
  cat("Needs signals and these R packages:", toString(needed), "\n")
  quit(status = 77L)
}
given <- commandArgs(trailingOnly = TRUE)
times <- if (length(given) > 0L) as.integer(given[[1L]]) else 20L

# What the session knows. `faulty`: an array whose blocks cannot all be read.
prepare <- function() {
  suppressPackageStartupMessages(library(hitmiss))
  set.seed(1)
  n <- 60L
  y <- factor(rep(c("a", "b"), n / 2))
  wide <- matrix(stats::rnorm(n * 60000), n)
  colnames(wide) <- paste0("g", seq_len(ncol(wide)))
  toy <- wide[, 1:500]
  stored <- HDF5Array::writeHDF5Array(wide, tempfile(fileext = ".h5"), "x",
    chunkdim = c(n, 100)
  )
  colnames(stored) <- colnames(wide)
  options(
    hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * n * 2048,
    error = quote(quit(status = 1))
  )
  methods::setClass("Faulty", methods::representation(values = "matrix"))
  methods::setMethod("dim", "Faulty", function(x) dim(x@values))
  methods::setMethod("dimnames", "Faulty", function(x) dimnames(x@values))
  methods::setMethod(DelayedArray::extract_array, "Faulty", function(x, index) {
    # The last features cannot be read: by then much has been.
    columns <- if (is.null(index[[2L]])) {
      seq_len(ncol(x@values))
    } else {
      index[[2L]]
    }
    if (any(columns > 50000)) stop("the disk is gone")
    DelayedArray::extract_array(x@values, index)
  })
  faulty <- DelayedArray::DelayedArray(methods::new("Faulty", values = wide))
  fit <- relief(wide, y, threads = 1)
  many <- wide[rep(seq_len(n), 300), ]
  few <- function() relief(toy[, 1:20], y, k = 3)$scores
  curve <- function(selector, BPPARAM = NULL) {
    error_curve(toy, y, list(s = selector), 1:2,
      resampling = holdout(times = 200), BPPARAM = BPPARAM
    )
  }
  quick <- function(x, y) relief(x, y, k = 1, threads = 1)
  deadly <- function(x, y) {
    tools::pskill(Sys.getpid(), tools::SIGKILL)
    Sys.sleep(5)
  }
  workers <- function(selector) {
    param <- BiocParallel::MulticoreParam(2)
    on.exit(try(BiocParallel::bpstop(param), silent = TRUE))
    curve(selector, param)
  }
  # Until it is stopped: one call may be over before.
  long <- function(call) repeat call()
  list2env(as.list(environment()), globalenv())
  assign("expected", few(), globalenv())
  assign("files", sort(list.files(tempdir())), globalenv())
  NULL
}

# What is stopped from outside, by place.
places <- list(
  fit = function() {
    relief(toy, y, "irelief", sigma = 0.05, tol = 1e-300, max_iter = 1e6)
  },
  curve = function() long(function() curve(quick)),
  blocks = function() long(function() logo(stored, y)),
  predict = function() long(function() predict(fit, many))
)

# What ends by a fault of its own, and the words that must reach the caller.
faults <- list(
  "error blocks" = list(function() logo(faulty, y), "the disk is gone"),
  "error predict" = list(
    function() predict(fit, faulty), "the disk is gone"
  ),
  "error curve" = list(
    function() curve(function(x, y) stop("no such gene")), "no such gene"
  ),
  "death curve" = list(function() workers(deadly), "died")
)

end_from_outside <- function(session, task, by, wait) {
  begun <- tempfile()
  session$call(function(task, limit, begun) {
    environment(task) <- globalenv()
    on.exit(setTimeLimit())
    tryCatch(
      {
        file.create(begun)
        setTimeLimit(elapsed = limit)
        task()
        "finished"
      },
      interrupt = function(i) "interrupt",
      error = function(e) {
        if (inherits(e, "simpleError")) conditionMessage(e) else class(e)[[1L]]
      }
    )
  }, list(task = task, limit = if (by == "limit") wait else Inf, begun = begun))
  while (!file.exists(begun)) Sys.sleep(0.01)
  if (by == "interrupt") {
    Sys.sleep(wait)
    session$interrupt()
  }
  answer <- NULL
  # What the session prints also wakes the poll; the call's end has code 200.
  while (!identical(as.integer(answer$code), 200L)) {
    if (session$poll_process(60000L) == "timeout") {
      return(FALSE)
    }
    answer <- session$read()
  }
  identical(answer$result, c(
    interrupt = "interrupt", limit = "reached elapsed time limit"
  )[[by]])
}

end_by_fault <- function(session, fault) {
  said <- session$run(function(task) {
    environment(task) <- globalenv()
    tryCatch(
      {
        suppressWarnings(task())
        "finished"
      },
      error = conditionMessage
    )
  }, list(fault[[1L]]))
  grepl(fault[[2L]], said, fixed = TRUE)
}

# The next fit is right, no file has stayed, and, within some seconds, no
# process but those that are dead and not yet waited for.
session_right <- function(session) {
  session$run(function() {
    living <- function() {
      children <- system2("ps", c("-o", "stat=,comm=", "--ppid", Sys.getpid()),
        stdout = TRUE
      )
      any(!grepl("^Z| (ps|sh)$", children))
    }
    waited <- 0
    while (living() && waited < 100) {
      Sys.sleep(0.1)
      waited <- waited + 1
    }
    identical(few(), expected) &&
      identical(sort(list.files(tempdir())), files) &&
      !living()
  })
}

session <- callr::r_session$new(callr::r_session_options(libpath = .libPaths()))
session$run(prepare)
set.seed(26)
ways <- rbind(
  expand.grid(by = c("limit", "interrupt"), place = names(places)),
  do.call(rbind, lapply(strsplit(names(faults), " "), function(words) {
    data.frame(by = words[[1L]], place = words[[2L]])
  }))
)
ways$by <- as.character(ways$by)
ways$place <- as.character(ways$place)
counted <- t(mapply(function(by, place) {
  rowSums(vapply(seq_len(times), function(i) {
    right <- if (by %in% c("limit", "interrupt")) {
      end_from_outside(session, places[[place]], by, stats::runif(1, 0.1, 1))
    } else {
      end_by_fault(session, faults[[paste(by, place)]])
    }
    c(right = right, after = session_right(session))
  }, c(right = NA, after = NA)))
}, ways$by, ways$place))
session$close()
table <- data.frame(ways, counted, of = times, row.names = NULL)
names(table)[3:4] <- c("right.condition", "session.right")
print(table, row.names = FALSE)
quit(status = as.integer(!all(counted == times)))
