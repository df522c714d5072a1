# Layer: input. Random numbers come from R's stream, and from streams and keys
# that are drawn from it here; so do permutations of samples.
# SPDX-License-Identifier: GPL-3.0-or-later

# Draws 64 bits from R's stream, as two integers (any 32 bits but those of NA).
draw_key <- function() {
  as.integer(floor(stats::runif(2L, -2147483647, 2147483648)))
}

# Draws a state of L'Ecuyer's generator from R's stream: six numbers.
draw_stream <- function() {
  c(10407L, as.integer(floor(stats::runif(6L, 1, 2147483647))))
}

# Runs `code`, then restores the state of R's generator.
keep_stream <- function(code) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(
    if (is.null(before)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", before, globalenv())
    }
  )
  code
}

# Runs `code` with R's generator in a given state, then restores its state.
with_stream <- function(stream, code) {
  keep_stream({
    assign(".Random.seed", stream, globalenv())
    code
  })
}

# sample() would take a single number for a range.
draw_from <- function(values, n) values[sample.int(length(values), n)]

#' Rows in random order within strata; groups move as a whole
#'
#' A group takes the rows of another group in random order: as many as it has
#' samples, with repeats if the other group is smaller.
#' @param strata Integer codes.
#' @param group Integer codes, or NULL; a group is within one stratum.
#' @noRd
permuted_rows <- function(strata, group = NULL) {
  group <- group %||% seq_along(strata)
  rows <- split(seq_along(group), factor(group, unique(group)))
  from <- seq_along(rows)
  for (members in split(from, strata[vapply(rows, `[[`, 0L, 1L)])) {
    from[members] <- draw_from(members, length(members))
  }
  order <- integer(length(group))
  for (i in seq_along(rows)) {
    other <- rows[[from[[i]]]]
    if (length(other) > 1L) other <- draw_from(other, length(other))
    order[rows[[i]]] <- rep_len(other, length(rows[[i]]))
  }
  order
}
