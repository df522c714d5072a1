# Layer: input. These functions say how much memory a fit needs, and how much
# there is.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Refuse a fit that needs more than option `hitmiss.max_memory` bytes
#'
#' The default is 80 % of the free memory (if that is known).
#' @param method A method of relief(), or "logo", "llfs", "kbfs", "pwfp".
#' @param options The parameters of the fit on which its memory depends.
#' @param threads As the user gave it.
#' @param files Are there scratch files?
#' @noRd
check_memory <- function(method, problem, options = list(), threads = NULL,
                         files = FALSE) {
  needed <- kept_bytes(problem) +
    cpp_bytes_needed(method, fit_size(problem, threads, files), options)
  check_bytes(needed, "this fit needs about {bytes(needed)} in addition to the
                       data")
}

#' Refuse to make numbers of which two copies do not fit into memory
#'
#' @param count How many doubles, as a double.
#' @param arg Name of the argument to blame.
#' @noRd
check_numbers_fit <- function(count, arg) {
  # If the free memory is unknown, 64 GB is the limit.
  check_bytes(
    16 * count, "{.arg {arg}} needs about {bytes(needed)} of memory", arg, 2^36
  )
}

check_bytes <- function(needed, what, arg = NULL, most = Inf) {
  chosen <- !is.null(getOption("hitmiss.max_memory"))
  # Smaller fits are not checked, because asking the system takes longer than
  # they do. Where R itself has started, these bytes are free.
  if (!chosen && needed < 2^25) {
    return(invisible(needed))
  }
  limit <- if (chosen) max_memory() else min(max_memory(), most)
  if (needed > limit) {
    of <- if (chosen) "options(hitmiss.max_memory)" else "the free memory"
    abort(
      c(
        paste0(what, "; the limit by {of} is {bytes(limit)}."),
        i = "Keep fewer features (or samples) first, or set
             {.code options(hitmiss.max_memory = {ceiling(needed)})}."
      ),
      c("hitmiss_error_memory", "hitmiss_error_input"),
      arg = arg, needed = needed, limit = limit
    )
  }
  invisible(needed)
}

# The core computes the memory from these sizes, see bytes_needed() of each
# selector.
fit_size <- function(problem, threads, files = FALSE) {
  list(
    n_samples = length(problem$y), n_features = length(problem$features),
    class_sizes = tabulate(
      as.integer(kind_of(problem$y)$classes(problem$y)), nlevels(problem$y)
    ),
    threads = resolve_threads(threads), tiles = problem$storage != "dense",
    nonzeros = if (problem$storage == "sparse") length(problem$values@x) else 0,
    files = files, missing = !is.null(problem$present)
  )
}

# A fit keeps numbers for each feature (the means by class among them) and the
# samples that its predictions need.
kept_bytes <- function(problem) {
  features <- length(problem$features)
  (120 + 8 * nlevels(problem$y)) * features +
    min(8 * length(problem$y) * features, 2^24)
}

# Returns the limit of a request in bytes. A limit of 0 would refuse everything,
# so it is an error.
max_memory <- function() {
  byte_option("hitmiss.max_memory", 0.8 * free_memory(), above = 0)
}

#' The memory that this process may still take, in bytes; Inf if unknown
#'
#' The least of the machine's free memory, what each of the process's control
#' groups leaves (those of a batch system or a container are nested), and what
#' `ulimit -v` leaves.
#' @param root Where /proc and /sys lie.
#' @noRd
free_memory <- function(root = "") {
  host <- proc_bytes(file.path(root, "proc/meminfo"), "^MemAvailable:")
  self <- file.path(root, "proc/self")
  address <- proc_bytes(file.path(self, "limits"), "^Max address space", 1) -
    proc_bytes(file.path(self, "status"), "^VmSize:")
  min(host, address, free_in_groups(root), Inf, na.rm = TRUE)
}

# Returns what each control group around this process leaves, from the inmost to
# the outermost.
free_in_groups <- function(root) {
  # A line is "0::/job/step" in version 2 and "9:memory:/job/step" in version 1.
  lines <- lines_of(file.path(root, "proc/self/cgroup"))
  ours <- grepl("^[0-9]+:([^:]*,)?memory(,[^:]*)?:|^0::", lines)
  unlist(lapply(lines[ours], function(line) {
    at <- sub("^[^:]*:[^:]*:", "", line)
    if (startsWith(line, "0::")) {
      mount <- "sys/fs/cgroup"
      names <- c("memory.max", "memory.current", "^inactive_file ")
    } else {
      mount <- "sys/fs/cgroup/memory"
      names <- c(
        "memory.limit_in_bytes", "memory.usage_in_bytes",
        "^total_inactive_file "
      )
    }
    free <- double()
    repeat {
      # A container may show a path of the host, which does not exist inside;
      # then only "/" does.
      group <- file.path(root, mount, sub("^/", "", at))
      limit <- as_bytes(lines_of(file.path(group, names[[1L]])))
      used <- as_bytes(lines_of(file.path(group, names[[2L]])))
      # The kernel can reclaim inactive page cache, so it counts as free.
      spare <- proc_bytes(file.path(group, "memory.stat"), names[[3L]], 1)
      free <- c(free, limit - used + if (is.na(spare)) 0 else spare)
      if (at %in% c("/", "", ".")) break
      at <- dirname(at)
    }
    free
  }))
}

lines_of <- function(path) {
  suppressWarnings(
    catch_error(readLines(path, warn = FALSE), function(e) character())
  )
}

# Returns the first number of the line that starts with `start`, times `unit`;
# NA if there is no such line.
proc_bytes <- function(path, start, unit = 1024) {
  line <- grep(start, lines_of(path), value = TRUE)
  unit * as_bytes(sub("^\\s*(\\S+).*", "\\1", sub(start, "", line)))
}

# "max", "unlimited" and a file that is missing give NA.
as_bytes <- function(lines) {
  suppressWarnings(as.numeric(c(trimws(lines), NA)[[1L]]))
}

bytes <- function(n) {
  unit <- min(max(floor(log(n, 1024)), 0), 4)
  paste(
    format(signif(n / 1024^unit, 3), trim = TRUE),
    c("bytes", "KB", "MB", "GB", "TB")[[unit + 1]]
  )
}

byte_option <- function(name, default, above = -Inf) {
  value <- getOption(name, default)
  if (identical(value, Inf)) {
    return(value)
  }
  check_number(value, paste0("options(", name, ")"), min = 0, above = above)
}
