# Layer: input. Delayed matrices may be larger than memory. Small and sparse
# ones are read a block of features at a time; the others are copied once to a
# scratch file from which the core reads.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param values A DelayedMatrix.
#' @return As stored_values().
#' @noRd
delayed_values <- function(values, features_in, arg) {
  require_container_package("DelayedArray", values)
  type <- reading(DelayedArray::type(values))
  if (!type %in% c("double", "integer", "logical")) {
    abort_input("{.arg {arg}} must hold numbers, not values of type
                 {.cls {type}}.", arg)
  }
  if (DelayedArray::is_sparse(values)) {
    return(stored_as("sparse", realise_sparse(values, features_in)))
  }
  if (fits_memory(values)) {
    return(stored_as("dense", realise_dense(values, features_in), features_in))
  }
  plan <- read_plan(values, features_in)
  request_memory(plan, dim(values))
  scratch <- list(matrix = values, scratch = cpp_new_scratch(), plan = plan)
  stored_as("blocks", scratch, features_in)
}

stored_as <- function(storage, values, features_in = "columns") {
  list(values = values, storage = storage, features_in = features_in)
}

# Says whether a delayed matrix is held in memory: it is if it is small, or if
# no scratch file can be written.
fits_memory <- function(x) {
  needed <- 8 * prod(dim(x))
  if (needed <= min(byte_option("hitmiss.realise_memory", 2^28),
                   max_memory() / 4)) {
    return(TRUE)
  }
  directory <- scratch_directory(needed)
  obstacle <- scratch_obstacle(directory, needed)
  if (obstacle == "") {
    return(FALSE)
  }
  if (needed > max_memory()) {
    abort_input(c(
      "{.arg x} of {bytes(needed)} does not fit into memory, and
       {.file {directory}} cannot take a copy of it: {obstacle}.",
      i = scratch_remedy
    ), "x")
  }
  inform_no_scratch(needed, directory, obstacle)
  TRUE
}

scratch_remedy <-
  "Name another directory, as in
   {.code options(hitmiss.scratch_dir = getwd())}."

inform_no_scratch <- function(needed, directory, obstacle) {
  inform(
    c("{bytes(needed)} of data are held in memory: {.file {directory}} cannot
       take them, as {obstacle}.", i = scratch_remedy),
    "hitmiss_message_scratch"
  )
}

# Returns the reason why a directory cannot take so many bytes, or "" if it can.
scratch_obstacle <- function(directory, needed) {
  obstacle <- cpp_scratch_obstacle(directory, needed)
  if (obstacle == "" && file.access(directory, 2L) != 0L) {
    obstacle <- "it is not writable"
  }
  obstacle
}

#' The place of `needed` bytes of working data if the data are in a scratch
#' file: the file path of another scratch file, or NULL for memory
#' @param beyond If the data are in memory, up to this number of bytes of
#'   working data are held in memory too.
#' @noRd
own_scratch <- function(problem, needed, beyond = Inf) {
  in_memory <- problem$storage != "blocks"
  if (in_memory && needed <= beyond) {
    return(NULL)
  }
  directory <- scratch_directory(needed)
  size <- data_bytes(problem)
  staged <- in_memory || cpp_is_staged(problem$values$scratch)
  obstacle <- scratch_obstacle(directory, needed + if (staged) 0 else size)
  if (obstacle == "") {
    return(tempfile("hitmiss-", directory))
  }
  if (!in_memory) inform_no_scratch(needed, directory, obstacle)
  NULL
}

# Returns the size of all values as doubles.
data_bytes <- function(problem) 8 * length(problem$y) * length(problem$features)

#' @param needed Number of bytes to be stored there.
#' @noRd
scratch_directory <- function(needed) {
  chosen <- getOption("hitmiss.scratch_dir")
  if (!is.null(chosen)) {
    if (!is_texts(chosen, 1L) || !dir.exists(chosen)) {
      abort_input(
        "{.arg options(hitmiss.scratch_dir)} must be NULL or a directory that
         exists, not {describe(chosen)}.", "options(hitmiss.scratch_dir)"
      )
    }
    return(chosen)
  }
  directory <- tempdir()
  if (!dir.exists(directory)) {
    abort(
      c(
        "{.file {directory}}, this session's temporary directory, is gone:
         {bytes(needed)} of working data cannot be written to it.",
        i = "Make a new one: {.code tempdir(check = TRUE)}."
      ), "hitmiss_error_scratch"
    )
  }
  directory
}

#' The error of a scratch file, with its directory, its size, and how the
#' directory was chosen
#'
#' @param needed Size of the file in bytes.
#' @noRd
scratch_errors <- function(expr, needed) {
  catch_error(expr, function(e) {
    reason <- conditionMessage(e)
    if (!startsWith(reason, "the scratch file cannot be ")) stop(e)
    directory <- getOption("hitmiss.scratch_dir", tempdir())
    abort(
      c(
        "{reason}.",
        x = "It takes {bytes(needed)} in {.file {directory}}.",
        i = scratch_remedy
      ), "hitmiss_error_scratch", parent = e
    )
  })
}

#' Copy a problem's blocks to its scratch file, unless that has been done
#'
#' The container is read once, block by block: each is checked, transposed and
#' written before the next is read.
#' @noRd
stage_blocks <- function(problem, runtime) {
  if (problem$storage != "blocks" || cpp_is_staged(problem$values$scratch)) {
    return(invisible(problem))
  }
  plan <- problem$values$plan
  x <- plan$matrix
  grid <- plan$grid
  order <- plan$order
  blocks <- list(
    n = length(grid), features_in = problem$features_in,
    by_sample = plan$by_sample,
    read = function(k) {
      reading(
        DelayedArray::read_block(x, grid[[k]]),
        paste("block", k, "of", length(grid), "of {.arg x}")
      )
    },
    places = if (is.null(order)) integer() else order - 1L,
    n_samples = length(problem$y), n_features = length(problem$features),
    may_miss = isTRUE(problem$may_miss)
  )
  needed <- 8 * as.double(blocks$n_samples) * blocks$n_features
  paths <- tempfile(
    c("hitmiss-", "hitmiss-turned-"), scratch_directory(needed)
  )
  bad <- scratch_errors(
    cpp_fill_scratch(problem$values$scratch, paths, blocks, runtime),
    if (plan$by_sample) 2 * needed else needed
  )
  if (!is.null(bad)) {
    feature <- if (is.null(order)) bad[[1L]] else order[[bad[[1L]]]]
    abort_block_not_finite(problem, feature, bad[[2L]])
  }
  invisible(problem)
}

# Says how a delayed matrix is read: its features in the `order` of the file
# (NULL: as they are), in the blocks of `grid`.
read_plan <- function(x, features_in) {
  rows <- features_in == "rows"
  order <- file_order(x, if (rows) 1L else 2L)
  if (!is.null(order)) x <- if (rows) x[order, ] else x[, order]
  by_sample <- stored_by_sample(x, features_in)
  list(
    matrix = x, order = order, by_sample = by_sample,
    grid = feature_grid(x, features_in, by_sample)
  )
}

#' Let R's heap grow by the size of three blocks, and of a name and a few
#' numbers for each feature, because a container may have very many features
#'
#' It grows by at most 1 GB, because larger blocks are few, and so are garbage
#' collections.
#' @noRd
request_memory <- function(plan, dim) {
  cpp_make_room(min(24 * prod(dim(plan$grid[[1L]])) + 64 * max(dim), 2^30))
}

# Turns any failure of a reader into a condition of this package.
reading <- function(expr, what = "{.arg x}") {
  catch_error(expr, function(e) {
    reason <- conditionMessage(e)
    abort(paste(what, "could not be read: {reason}"), "hitmiss_error_read",
      parent = e
    )
  })
}

abort_block_not_finite <- function(problem, feature, sample) {
  names <- list(problem$samples, problem$features)
  at <- c(sample, feature)
  if (problem$features_in == "rows") {
    names <- rev(names)
    at <- rev(at)
  }
  abort_not_finite("x", at, names)
}

# Returns the order of the features in the file, or NULL if they are read in
# that order already. Reading in the order of the file is fifty times as fast.
file_order <- function(x, along) {
  node <- x@seed
  while (inherits(node, "DelayedUnaryOp")) {
    if (inherits(node, "DelayedAperm")) along <- node@perm[[along]]
    if (inherits(node, "DelayedSubset")) {
      index <- node@index[[along]]
      if (!is.null(index)) {
        return(if (is.unsorted(index)) order(index))
      }
    }
    node <- node@seed
  }
  NULL
}

#' The grid of blocks in which a delayed matrix is read: all samples of some
#' features (with `by_sample`, all features of some samples), in whole chunks of
#' the file
#' @noRd
feature_grid <- function(x, features_in, by_sample = FALSE) {
  along <- if ((features_in == "rows") != by_sample) 1L else 2L
  wanted <- block_bytes() / (8 * dim(x)[[3L - along]])
  chunk <- chunk_length(x, along)
  spacings <- dim(x)
  spacings[[along]] <- as.integer(min(
    dim(x)[[along]], max(1, floor(wanted / chunk)) * chunk
  ))
  DelayedArray::RegularArrayGrid(dim(x), spacings)
}

block_bytes <- function() byte_option("hitmiss.block_memory", 2^25)

#' Should a file be read sample by sample? Yes if the chunks that hold all
#' samples of one feature take more than three blocks, and more than the chunks
#' that hold all features of one sample
#' @noRd
stored_by_sample <- function(x, features_in) {
  along <- if (features_in == "rows") 1L else 2L
  strip <- function(along) {
    8 * min(chunk_length(x, along), dim(x)[[along]]) * dim(x)[[3L - along]]
  }
  strip(along) > 3 * block_bytes() && strip(3L - along) < strip(along)
}

# Returns the length of a chunk of the file. A subset has no chunks of its own,
# so those of its seed are taken.
chunk_length <- function(x, along) {
  chunk <- DelayedArray::chunkdim(x)
  if (is.null(chunk)) {
    chunk <- catch_error(
      DelayedArray::chunkdim(DelayedArray::seed(x)), function(e) NULL
    )
  }
  if (length(chunk) == 2L) max(1L, chunk[[along]]) else 1L
}

realise_dense <- function(x, features_in) {
  type <- DelayedArray::type(x)
  values <- vector(type, prod(dim(x)))
  dim(values) <- dim(x)
  grid <- feature_grid(x, features_in)
  first <- 0L
  for (k in seq_along(grid)) {
    block <- reading(DelayedArray::read_block(x, grid[[k]]))
    rows <- features_in == "rows"
    at <- first + seq_len(if (rows) nrow(block) else ncol(block))
    if (rows) values[at, ] <- block else values[, at] <- block
    first <- at[[length(at)]]
  }
  values
}

realise_sparse <- function(x, features_in) {
  grid <- feature_grid(x, features_in)
  blocks <- lapply(seq_along(grid), function(k) {
    block <- reading(
      DelayedArray::read_block(x, grid[[k]], as.sparse = TRUE)
    )
    sparse_by_feature(methods::as(block, "dgCMatrix"), features_in)
  })
  if (length(blocks) == 1L) blocks[[1L]] else do.call(cbind, blocks)
}

# Says how often a fit to blocks read the container and the scratch file, for
# its report.
block_traffic <- function(problem) {
  if (problem$storage == "blocks") cpp_scratch_traffic(problem$values$scratch)
}

#' Any sparse matrix as a dgCMatrix with samples in rows
#'
#' The values of each feature are then contiguous. Nothing is copied if `x` is
#' one already. The dimnames, which may be long, are kept apart.
#' @noRd
sparse_by_feature <- function(x, features_in = "columns") {
  if (features_in == "rows") x <- Matrix::t(x)
  if (!inherits(x, "dgCMatrix")) {
    for (kind in c("generalMatrix", "CsparseMatrix", "dMatrix")) {
      x <- methods::as(x, kind)
    }
  }
  x
}
