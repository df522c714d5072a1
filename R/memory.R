# Refuses a fit that would need more memory than there is, before it starts.

#' Stop if a fit needs more than option `hitmiss.max_memory` bytes
#'
#' The default is 80 % of what is free (where that is known).
#' @param method "relief", "parzen", "irelief", "logo", "llfs", "kbfs", "pwfp".
#' @param threads As the user gave it.
#' @param gram For "kbfs": bytes for columns of the Gram matrix in memory.
#' @param pairs For "kbfs": pairs of samples in the graph; for "relief": samples
#'   with one of their neighbours.
#' @param copy For "kbfs" and "pwfp": is a copy of x held?
#' @noRd
check_memory <- function(method, problem, threads = NULL, gram = 0, pairs = 0,
                         copy = TRUE) {
  needed <- memory_estimate(
    method, length(problem$y), length(problem$features),
    resolve_threads(threads), gram, pairs, copy, nlevels(problem$y)
  )
  limit <- max_memory()
  source <- if (is.null(getOption("hitmiss.max_memory"))) {
    "80 % of what is free"
  } else {
    "{.code options(hitmiss.max_memory)}"
  }
  if (needed > limit) {
    abort(
      c(
        paste(
          "this fit would need about {bytes(needed)} beside the data, above",
          "the limit of {bytes(limit)},", source
        ),
        i = "Keep fewer features (or samples) first, or set
             {.code options(hitmiss.max_memory = {ceiling(needed)})}."
      ),
      c("hitmiss_error_memory", "hitmiss_error_input"),
      needed = needed, limit = limit
    )
  }
  invisible(needed)
}

#' Stop before numbers are made that memory cannot hold, twice
#'
#' @param count How many doubles, as a double.
#' @param arg Name of the argument to blame.
#' @noRd
check_numbers_fit <- function(count, arg) {
  needed <- 16 * count
  # 64 GB where nobody knows what is free.
  limit <- min(max_memory(), 2^36)
  if (needed > limit) {
    abort(
      "{.arg {arg}} asks for about {bytes(needed)} of memory, above the limit of
       {bytes(limit)}.",
      c("hitmiss_error_memory", "hitmiss_error_input"),
      arg = arg, needed = needed, limit = limit
    )
  }
}

# Bytes beside the data, from the containers that the core allocates: tiles of
# each thread, matrices of pairs, copies of x, and what a fit keeps of it.
memory_estimate <- function(method, n, j, threads, gram = 0, pairs = 0,
                            copy = TRUE, classes = 2) {
  pair_matrix <- 8 * (32 * ceiling(n / 32))^2
  tile <- 8 * (n + 40) * threads
  # The means by class among them.
  vectors <- (120 + 8 * classes) * j
  kept <- min(8 * n * j, 2^26)
  vectors + kept + switch(method,
    # The distances and, while it is sorted, the list of pairs of 16 bytes each.
    relief = pair_matrix + 2^21 + 32 * tile + 2.5 * 16 * pairs,
    parzen = 16 * tile + 8 * tile * 19,
    # Distances, their transposed and the symmetric margins; columns of LOGO.
    irelief = 3 * pair_matrix + 64 * tile,
    logo = 3 * pair_matrix + 64 * tile + 16 * n * min(j, 500),
    llfs = 8 * n * j + threads * 8 * n * (min(j, 500) + j / n),
    kbfs = 8 * n * j * copy + gram + 3 * pair_matrix + 64 * pairs +
      256 * tile,
    # Without a copy every thread has 16 + 16 samples at hand.
    pwfp = 8 * n * j * copy + (32 + if (copy) 0 else 256) * j * threads
  )
}

# The limit of a request, in bytes. 0 would refuse everything.
max_memory <- function() {
  byte_option("hitmiss.max_memory", 0.8 * free_memory(), above = 0)
}

# What this process may still take, in bytes; Inf where nobody says.
free_memory <- function() {
  read <- function(path) {
    tryCatch(readLines(path, warn = FALSE), error = function(e) character())
  }
  info <- grep("^MemAvailable:", read("/proc/meminfo"), value = TRUE)
  host <- 1024 * as.numeric(gsub("[^0-9]", "", info))
  group <- as_bytes(read("/sys/fs/cgroup/memory.max")) -
    as_bytes(read("/sys/fs/cgroup/memory.current"))
  min(host, group, Inf, na.rm = TRUE)
}

# "max", and a file that is not there, are no number.
as_bytes <- function(lines) {
  suppressWarnings(as.numeric(c(lines, NA)[[1L]]))
}

bytes <- function(n) {
  unit <- min(max(floor(log(n, 1024)), 0), 4)
  paste(
    format(signif(n / 1024^unit, 3), trim = TRUE),
    c("bytes", "KB", "MB", "GB", "TB")[[unit + 1]]
  )
}
