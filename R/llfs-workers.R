# Layer: fit. llfs() can run on several processes or machines.
# SPDX-License-Identifier: GPL-3.0-or-later

# A representative's random numbers depend on the key and on its own number
# only, so that it does not matter where it is computed.

#' Fit all representatives through a back end
#'
#' @return The result of cpp_llfs() on all of them, to the last bit, but for the
#'   intercepts, which are fitted to all representatives together.
#' @noRd
llfs_on_workers <- function(problem, usable, options, key, BPPARAM) {
  centres <- options$centres
  if (length(centres) == 0L) centres <- seq_along(problem$y) - 1L
  count <- min(length(centres), 4L * BiocParallel::bpnworkers(BPPARAM))
  # Each unit takes every count-th sample, because costly samples lie together,
  # in one class.
  units <- unname(split(centres, rep_len(seq_len(count), length(centres))))
  results <- spread(units, llfs_unit, for_workers(problem), usable, options,
    utils::modifyList(core_runtime(1L), list(key = key)),
    BPPARAM = BPPARAM
  )
  join_units(results, order(unlist(units)))
}

llfs_unit <- function(centres, problem, usable, options, runtime) {
  options$centres <- centres
  cpp_llfs(problem, usable, options, runtime)
}

# Joins the results of all units to the result of one call, in the order of the
# samples.
join_units <- function(results, order) {
  field <- function(name) unlist(lapply(results, `[[`, name))
  sizes <- field("sizes")
  features <- split(field("features"), rep(factor(seq_along(sizes)), sizes))
  cells <- rep(factor(seq_along(sizes)), field("cells"))
  in_order <- function(parts) unlist(parts[order], use.names = FALSE)
  joined <- list(
    features = as.integer(in_order(features)),
    cell = as.integer(in_order(split(field("cell"), rep(cells, each = 3L)))),
    evidence = as.double(in_order(split(field("evidence"), cells))),
    intercept = numeric()
  )
  for (name in c(
    "sizes", "cells", "radius", "alpha", "beta", "score", "objective"
  )) {
    joined[[name]] <- field(name)[order]
  }
  reports <- lapply(results, `[[`, "report")
  programs <- vapply(reports, `[[`, 0L, "iterations")
  unsettled <- sum(round(vapply(reports, `[[`, 0, "residual") * programs))
  joined$report <- reports[[1L]]
  joined$report$iterations <- sum(programs)
  joined$report$residual <- unsettled / max(1, sum(programs))
  joined$report$status <- if (unsettled > 0) "max_iter" else "converged"
  joined
}
