# Layer: fit. If there are many samples, llfs() draws which are representatives,
# with how many of the others each is compared, how many neighbours are asked,
# and to which samples the intercepts are fitted.
# SPDX-License-Identifier: GPL-3.0-or-later

# Up to this number of samples nothing is drawn unless the user gives a number.
most_exact <- 3000L

# Above that number, these are the defaults.
usual_draws <- list(
  representatives = 300L, program_samples = 1000L, score_samples = 200L,
  intercept_samples = 1000L
)

#' The sizes of the draws: Inf where nothing is drawn
#'
#' @param given List with the names of `usual_draws`; NULL for the default.
#' @noRd
llfs_draws <- function(given, problem) {
  n <- length(problem$y)
  args <- c(
    "representatives", "control$program_samples", "control$score_samples",
    "control$intercept_samples"
  )
  draws <- Map(function(value, usual, arg) {
    if (is.null(value)) {
      if (n > most_exact) usual else Inf
    } else {
      check_count_or_all(value, arg)
    }
  }, given, usual_draws, args)
  check_draw(
    draws$representatives, table(problem$y[may_represent(problem)]), args[[1L]]
  )
  check_draw(draws$program_samples, table(problem$y), args[[2L]])
  # The number counts twice: for the sample's own class and for the others.
  check_draw(draws$score_samples, c(2L, 2L), args[[3L]])
  check_draw(draws$intercept_samples, table(problem$y), args[[4L]])
  if (any(vapply(given, is.null, NA)) && n > most_exact) say_drawn(draws, n)
  draws
}

# A draw must hold two samples of each class that has two.
check_draw <- function(size, sizes, arg) {
  least <- sum(pmin(2L, sizes))
  if (size < least) {
    abort_input(c(
      "{.arg {arg}} = {size} cannot hold two samples of each class.",
      i = "It must be at least {least} here, or {.code {arg} = Inf} for all."
    ), arg)
  }
}

say_drawn <- function(draws, n) {
  text <- draw_text(draws, n)
  if (!is.null(text)) {
    inform(
      c(
        "Of {n} samples, {text}.",
        i = "See {.arg representatives} of {.fn llfs};
             {.code representatives = Inf} uses all samples, at a cost that
             grows with the cube of their number."
      ),
      "hitmiss_message_draw"
    )
  }
}

# Returns NULL if nothing is drawn.
draw_text <- function(draws, n) {
  words <- c(
    representatives = "%s representatives",
    program_samples = "programs on %s samples", score_samples = "scores on %s",
    intercept_samples = "intercepts on %s"
  )
  drawn <- Filter(\(what) (draws[[what]] %||% Inf) < n, names(words))
  if (length(drawn) > 0L) {
    sizes <- vapply(draws[drawn], format, "", big.mark = ",")
    paste("drawn by class:", toString(sprintf(words[drawn], sizes)))
  }
}

# A sample without near misses has nothing to learn from, so it does not become
# a representative.
may_represent <- function(problem) which(allowed_misses(problem) > 0L)

# Returns the positions of the representatives, in increasing order.
draw_representatives <- function(problem, wanted, runtime) {
  n <- length(problem$y)
  candidates <- may_represent(problem)
  if (wanted >= length(candidates)) {
    return(seq_len(n))
  }
  members <- split(candidates, problem$y[candidates])
  cpp_llfs_draw(unname(members), wanted, "representatives", 1L, 0L, runtime)
}

# The core takes 0 for "all".
core_draws <- function(control) {
  lapply(control[names(usual_draws)[-1L]], function(size) {
    if (identical(size %||% Inf, Inf)) 0L else size
  })
}
