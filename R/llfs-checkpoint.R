# Finished pieces of llfs() in files. Whoever can write to their directory may
# have written them: they hold numbers only, never R objects, which may carry
# code, and what is read is checked.
# SPDX-License-Identifier: GPL-3.0-or-later

# A piece is a line of numbers: one of `piece_start` and the mark of the fit as
# four, then `lengths` of the fields, then the fields, then the sum of all that.
piece_start <- 7105121
piece_fields <- c(
  "features", "sizes", "radius", "alpha", "beta", "score", "objective",
  "log_odds"
)

#' @param result Result of cpp_llfs() for one piece.
#' @noRd
save_piece <- function(result, piece, shared) {
  fields <- c(
    result[piece_fields],
    list(centres = piece$centres, report = unlist(
      result$report[c("iterations", "residual")]
    ))
  )
  numbers <- as.double(c(
    piece_start, mark_numbers(shared$mark), lengths(fields),
    unlist(fields, use.names = FALSE)
  ))
  # Nobody else's eyes: results tell of the data.
  mask <- Sys.umask("077")
  on.exit(Sys.umask(mask))
  part <- tempfile("part-", shared$directory)
  # Written aside and renamed: a file that is there is whole.
  writeBin(c(numbers, piece_sum(numbers)), part, endian = "little")
  file.rename(part, file.path(shared$directory, piece$file))
}

#' The result of a piece from its file, NULL if there is none or, with a
#' message, if the file is not valid
#' @noRd
saved_piece <- function(piece, shared) {
  path <- file.path(shared$directory, piece$file)
  if (!file.exists(path)) {
    return(NULL)
  }
  result <- read_piece(path, piece, shared)
  if (is.null(result)) {
    inform(
      "{.file {path}} is not a finished piece of this fit (cut short, or
       written by something else); it is computed again.",
      "hitmiss_message_checkpoint"
    )
  }
  result
}

read_piece <- function(path, piece, shared) {
  # Each centre has at most all features: no more is read.
  n <- length(piece$centres)
  most <- 32 + n * (11 + length(shared$usable$constant))
  size <- file.size(path)
  if (is.na(size) || size %% 8 != 0 || size > 8 * most || dir.exists(path)) {
    return(NULL)
  }
  numbers <- catch_error(
    readBin(path, "double", size / 8, endian = "little"),
    function(e) double()
  )
  n_fields <- length(piece_fields) + 2L
  start <- c(piece_start, mark_numbers(shared$mark))
  last <- length(numbers)
  if (last < length(start) + n_fields + 1L ||
    !identical(numbers[seq_along(start)], start) ||
    !identical(numbers[[last]], piece_sum(numbers[-last]))) {
    return(NULL)
  }
  lengths <- numbers[length(start) + seq_len(n_fields)]
  values <- numbers[-c(seq_len(length(start) + n_fields), last)]
  expected <- c(length(values) - 11 * n - 2, rep(n, 6L), 4 * n, n, 2)
  if (!identical(lengths, as.double(expected)) || lengths[[1L]] < 0) {
    return(NULL)
  }
  fields <- split(values, rep(
    factor(seq_len(n_fields)), lengths
  ))
  names(fields) <- c(piece_fields, "centres", "report")
  if (is_piece(fields, piece, shared)) as_result(fields)
}

# Are the numbers what a fit could have found?
is_piece <- function(fields, piece, shared) {
  within <- function(x, low, high) !anyNA(x) && all(x >= low & x <= high)
  whole <- function(x) all(x == floor(x))
  n_features <- length(shared$usable$constant)
  options <- shared$options
  report <- fields$report
  within(unlist(fields[-10L]), -.Machine$double.xmax, .Machine$double.xmax) &&
    identical(fields$centres, as.double(piece$centres)) &&
    within(fields$features, 1, n_features) && whole(fields$features) &&
    within(fields$sizes, 0, n_features) && whole(fields$sizes) &&
    sum(fields$sizes) == length(fields$features) &&
    within(fields$radius, 0, Inf) &&
    within(fields$score, -1, 1) &&
    all(fields$alpha %in% options$alpha) &&
    all(fields$beta %in% options$beta) &&
    within(report[[1L]], 0, .Machine$integer.max) && whole(report[[1L]]) &&
    within(report[[2L]], 0, 1)
}

as_result <- function(fields) {
  result <- fields[piece_fields]
  result$features <- as.integer(result$features)
  result$sizes <- as.integer(result$sizes)
  result$log_odds <- matrix(result$log_odds, ncol = 4L)
  # join_pieces() sets the status from all pieces.
  result$report <- list(
    status = "converged", iterations = as.integer(fields$report[[1L]]),
    objective = double(), residual = fields$report[[2L]], kkt = NA_real_,
    gap = NA_real_
  )
  result
}

# A sum that notices exchanged numbers, too; exact to the bit on any machine.
piece_sum <- function(numbers) {
  bytes <- as.integer(writeBin(numbers, raw(), endian = "little"))
  sum(bytes * (seq_along(bytes) %% 65521)) %% 2^48
}

# 128 bits in hexadecimal digits as four numbers.
mark_numbers <- function(mark) {
  as.double(paste0("0x", substring(mark, c(1, 9, 17, 25), c(8, 16, 24, 32))))
}
