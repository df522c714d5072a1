# llfs() on several processes or machines: pieces of the representatives.
# SPDX-License-Identifier: GPL-3.0-or-later

# A representative's random numbers depend on the key and on its own number
# only, so that it does not matter where it is computed, nor how often.

#' Fit all representatives through a back end
#'
#' @return The result of cpp_llfs() on all of them, to the last bit.
#' @noRd
llfs_by_pieces <- function(problem, usable, options, key, BPPARAM, checkpoint) {
  shared <- list(
    problem = for_workers(problem), usable = usable, options = options,
    key = key, pid = Sys.getpid()
  )
  if (length(options$centres) == 0L) {
    options$centres <- seq_along(problem$y) - 1L
  }
  n <- length(options$centres)
  count <- min(n, 4L * BiocParallel::bpnworkers(BPPARAM))
  # Every count-th sample: costly ones lie together, in a class.
  centres <- split(options$centres + 1L, rep_len(seq_len(count), n))
  shared$mark <- fit_mark(shared)
  shared$directory <- checkpoint %||%
    tempfile("hitmiss-", scratch_directory(2^20))
  if (is.null(checkpoint)) {
    dir.create(shared$directory, mode = "0700")
    on.exit(unlink(shared$directory, recursive = TRUE))
  }
  pieces <- lapply(centres, function(i) {
    list(centres = i, file = piece_file(i, n, count, shared$mark))
  })
  join_pieces(run_pieces(unname(pieces), shared, BPPARAM), n)
}

piece_file <- function(centres, n, count, mark) {
  sprintf("llfs-%s-%d-of-%d-by-%d.piece", mark, centres[[1L]], n, count)
}

# What the pieces in a directory must agree on: data, options, key, version.
fit_mark <- function(shared) {
  shared$pid <- NULL
  shared$version <- utils::packageVersion("hitmiss")
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(shared, file, compress = FALSE)
  unname(tools::md5sum(file))
}

#' Fit one piece on a worker, with one thread
#'
#' The result is saved before it is returned: if another worker dies, the back
#' end may lose all returned results.
#' @noRd
llfs_piece <- function(piece, shared) {
  options <- shared$options
  options$centres <- piece$centres - 1L
  runtime <- list(threads = 1L, progress = NULL, key = shared$key)
  result <- tryCatch(
    cpp_llfs(shared$problem, shared$usable, options, runtime),
    error = function(e) {
      structure(conditionMessage(e),
        class = "hitmiss_failure",
        # A time limit of this very process is the caller's, not the worker's.
        limit = if (shared$pid == Sys.getpid()) time_limit(e)
      )
    }
  )
  if (is.list(result) && dir.exists(shared$directory)) {
    save_piece(result, piece, shared)
  }
  result
}

#' Results of all pieces; pieces that fail are tried again, twice
#' @noRd
run_pieces <- function(pieces, shared, BPPARAM, attempts = 3L) {
  saved <- function(piece) saved_piece(piece, shared)
  results <- lapply(pieces, saved)
  reason <- NULL
  for (attempt in seq_len(attempts)) {
    todo <- which(vapply(results, is.null, NA))
    if (length(todo) == 0L) {
      break
    }
    if (attempt > 1L) retry_message(length(todo), length(pieces), reason)
    returned <- ask_workers(pieces[todo], shared, BPPARAM)
    reason <- attr(returned, "reason")
    results[todo] <- Map(
      function(piece, result) if (is.list(result)) result else saved(piece),
      pieces[todo], returned
    )
  }
  lost <- sum(vapply(results, is.null, NA))
  if (lost > 0L) {
    abort(
      c(
        "{lost} of {length(pieces)} piece{?s} failed {attempts} times; the last
         time: {reason}",
        i = if (is_other_version(reason)) other_version_advice(),
        i = "With {.code control = list(checkpoint = )} the next call continues
             from the finished pieces."
      ), "hitmiss_error_workers"
    )
  }
  results
}

#' What the back end returned for each piece, NULL if it failed; and the reason
#' @noRd
ask_workers <- function(pieces, shared, BPPARAM) {
  was_up <- BiocParallel::bpisup(BPPARAM)
  returned <- tryCatch(
    BiocParallel::bptry(apply_on_workers(
      pieces, llfs_piece, shared,
      BPPARAM = BPPARAM
    )),
    error = identity
  )
  stop_at_limit(returned, methods::is(BPPARAM, "SerialParam"))
  if (inherits(returned, "error")) {
    # A worker died: the back end is of no use until it is started anew.
    restart_workers(BPPARAM, was_up)
    return(structure(vector("list", length(pieces)),
      reason = conditionMessage(returned)
    ))
  }
  failed <- vapply(
    returned, function(r) !is.list(r) || inherits(r, "error"), NA
  )
  if (any(failed)) {
    first <- returned[[which(failed)[[1L]]]]
    attr(returned, "reason") <- if (inherits(first, "condition")) {
      conditionMessage(first)
    } else {
      as.character(first)
    }
    returned[failed] <- list(NULL)
  }
  returned
}

# A time limit of this process is the caller's, wherever it struck: inside a
# piece or, if pieces are computed `here`, in the back end around it.
stop_at_limit <- function(returned, here) {
  for (piece in if (inherits(returned, "error")) list(returned) else returned) {
    limit <- attr(piece, "limit") %||% if (here) time_limit(piece)
    if (!is.null(limit)) stop(conditionMessage(limit), call. = FALSE)
  }
}

retry_message <- function(todo, all, reason) {
  inform(
    "{todo} of {all} piece{?s} failed ({reason});
     {cli::qty(todo)}{?it is/they are} computed again.",
    "hitmiss_message_retry"
  )
}

#' Join the results of all pieces to the result of one call, in sample order
#' @noRd
join_pieces <- function(results, n) {
  count <- length(results)
  centres <- unlist(split(seq_len(n), rep_len(seq_len(count), n)))
  order <- order(centres)
  features <- unlist(lapply(results, function(r) {
    split(r$features, rep(factor(seq_along(r$sizes)), r$sizes))
  }), recursive = FALSE)
  joined <- list(
    features = as.integer(unlist(features[order], use.names = FALSE))
  )
  for (field in c("sizes", "radius", "alpha", "beta", "score", "objective")) {
    joined[[field]] <- unlist(lapply(results, `[[`, field))[order]
  }
  joined$log_odds <- do.call(rbind, lapply(results, `[[`, "log_odds"))[order, ,
    drop = FALSE
  ]
  reports <- lapply(results, `[[`, "report")
  programs <- vapply(reports, `[[`, 0L, "iterations")
  share <- vapply(reports, `[[`, 0, "residual")
  unsettled <- sum(round(share * programs))
  joined$report <- reports[[1L]]
  joined$report$iterations <- sum(programs)
  joined$report$residual <- unsettled / max(1, sum(programs))
  joined$report$status <- if (unsettled > 0) "max_iter" else "converged"
  joined
}
