# Refuses a fit that would need more memory than there is, before it starts.

#' Stop if a fit needs more than option `hitmiss.max_memory` bytes
#'
#' The default is 80 % of what is free (where that is known).
#' @param method "relief", "radius", "parzen", "irelief", "logo", "llfs", "kbfs", "pwfp".
#' @param threads As the user gave it.
#' @param gram For "kbfs": bytes for columns of the Gram matrix in memory.
#' @param pairs For "kbfs": pairs of samples in the graph; for "relief": samples
#'   with one of their neighbours.
#' @param copy For "kbfs" and "pwfp": is a copy of x held?
#' @param samples For "relief" and "radius": how many samples are drawn, or 0.
#' @noRd
check_memory <- function(method, problem, threads = NULL, gram = 0, pairs = 0,
                         copy = TRUE, samples = 0) {
  needed <- memory_estimate(
    method, length(problem$y), length(problem$features),
    resolve_threads(threads), gram, pairs, copy, nlevels(problem$y),
    block = if (problem$storage == "dense") 512 else 4096, samples = samples
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
                            copy = TRUE, classes = 2, block = 512,
                            samples = 0) {
  pair_matrix <- 8 * (32 * ceiling(n / 32))^2
  tile <- 8 * (n + 40) * threads
  # The means by class among them.
  vectors <- (120 + 8 * classes) * j
  kept <- min(8 * n * j, 2^26)
  vectors + kept + switch(method,
    # A block of distances and its tiles, the lists of neighbours, the pairs.
    relief = pair_block_bytes(n, j, block) + 32 * tile + 2 * 16 * pairs +
      8 * samples * j,
    radius = band_bytes(n, j, samples, block) + 32 * tile + 16 * classes * j +
      8 * samples * j,
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

# A block of distances between `most` samples, and the superblocks of tiles that
# it is made of: this one and the next, of rows and of columns.
pair_block_bytes <- function(n, j, most) {
  side <- 32 * ceiling(min(n, most) / 32)
  tiles <- 8 * side * 64 * ceiling(min(j, 2^18 / side) / 64)
  8 * side^2 + 2 * tiles
}

# A band of distances, twice as much for the lists of neighbours, tiles.
band_bytes <- function(n, j, samples, block) {
  room <- if (block > 512) 2^24 else 2^21
  rows <- min(if (samples > 0) samples else n, max(room / n, 32))
  3 * 8 * 32 * ceiling(rows / 32) * n +
    2 * 8 * n * 64 * ceiling(min(j, 2^18 / n) / 64)
}

# The limit of a request, in bytes. 0 would refuse everything.
max_memory <- function() {
  byte_option("hitmiss.max_memory", 0.8 * free_memory(), above = 0)
}

#' What this process may still take, in bytes; Inf where nobody says
#'
#' The least of what the machine has free, what each of the process's control
#' groups (those of a batch system or a container lie in one another) and what
#' `ulimit -v` leave.
#' @param root Where /proc and /sys lie.
#' @noRd
free_memory <- function(root = "") {
  host <- proc_bytes(file.path(root, "proc/meminfo"), "^MemAvailable:")
  self <- file.path(root, "proc/self")
  address <- proc_bytes(file.path(self, "limits"), "^Max address space", 1) -
    proc_bytes(file.path(self, "status"), "^VmSize:")
  min(host, address, free_in_groups(root), Inf, na.rm = TRUE)
}

# What each group around this process leaves, from the inmost to the outermost.
free_in_groups <- function(root) {
  # "0::/job/step" (version 2), "9:memory:/job/step" (version 1)
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
        "memory.limit_in_bytes", "memory.usage_in_bytes", "^total_inactive_file "
      )
    }
    free <- double()
    repeat {
      # A container may show a path of the host's: then only "/" is there.
      group <- file.path(root, mount, sub("^/", "", at))
      limit <- as_bytes(lines_of(file.path(group, names[[1L]])))
      used <- as_bytes(lines_of(file.path(group, names[[2L]])))
      # Copies of files that nobody uses give way.
      spare <- proc_bytes(file.path(group, "memory.stat"), names[[3L]], 1)
      free <- c(free, limit - used + if (is.na(spare)) 0 else spare)
      if (at %in% c("/", "", ".")) break
      at <- dirname(at)
    }
    free
  }))
}

lines_of <- function(path) {
  if (file.access(path, 4L) != 0L) {
    return(character())
  }
  tryCatch(readLines(path, warn = FALSE), error = function(e) character())
}

# The first number of the line that starts so, times `unit`; NA if there is none.
proc_bytes <- function(path, start, unit = 1024) {
  line <- grep(start, lines_of(path), value = TRUE)
  unit * as_bytes(sub("^\\s*(\\S+).*", "\\1", sub(start, "", line)))
}

# "max", "unlimited", and a file that is not there, are no number.
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
