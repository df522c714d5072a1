# What the tests share: the selectors, small data, ways of comparing fits.
# SPDX-License-Identifier: GPL-3.0-or-later

# Every selector, under the settings that the battery uses. Arguments pass on,
# so that the formula method and `threads` can be reached. The first word of a
# name is the verb.
selectors <- list(
  llfs = function(x, ...) llfs(x, ..., alpha = 3),
  logo = function(x, ...) logo(x, ..., lambda = 0.1, tol = 1e-6),
  `relief relieff` = function(x, ...) relief(x, ..., k = 3),
  `relief relief` = function(x, ...) relief(x, ..., method = "relief"),
  `relief map` = function(x, ...) relief(x, ..., method = "map"),
  `relief irelief` = function(x, ...) relief(x, ..., method = "irelief"),
  `relief parzen` = function(x, ...) {
    relief(x, ..., method = "parzen", bandwidth = 0.1)
  },
  `relief multisurf` = function(x, ...) relief(x, ..., method = "multisurf"),
  kbfs = function(x, ...) kbfs(x, ..., n = 6),
  pwfp = function(x, ...) pwfp(x, ..., fraction = 0.25)
)

verb_of <- function(name) sub(" .*", "", name)

# What small or hopeless data may rightly be warned of.
small_data <- c(
  "hitmiss_warning_single", "hitmiss_warning_k", "hitmiss_warning_empty",
  "hitmiss_warning_unconverged", "hitmiss_warning_spheres"
)

# Scores that the battery expects to be invariant under permutation: all but
# for rounding.
score_tolerance <- 1e-8

# What is true of every selector is true under other random numbers too:
# HITMISS_STREAM="Wichmann-Hill 7" is that generator, with 7 added to each seed.
with_stream <- function(seed, code) {
  stream <- Sys.getenv("HITMISS_STREAM", "Mersenne-Twister 0")
  stream <- strsplit(stream, " ")[[1L]]
  withCallingHandlers(
    withr::with_seed(
      seed + as.integer(stream[[2L]]), code, .rng_kind = stream[[1L]]
    ),
    warning = function(w) {
      # R's own, about one of its generators.
      if (startsWith(conditionMessage(w), "RNGkind: ")) {
        invokeRestart("muffleWarning")
      }
    }
  )
}

# Two classes that differ in g1 (up) and g2 (down), by so many standard
# deviations; the other features are noise. Distances do not tie.
toy_data <- function(n = 14L, noise = 6L, classes = c("a", "b"), seed = 42L,
                     apart = c(3, 2)) {
  with_stream(seed, {
    y <- factor(rep_len(classes, n), classes)
    x <- matrix(rnorm(n * (2L + noise)), n)
  })
  x[, 1L] <- x[, 1L] + apart[[1L]] * as.integer(y)
  x[, 2L] <- x[, 2L] - apart[[2L]] * as.integer(y)
  dimnames(x) <- list(
    paste0("sample", seq_len(n)), paste0("g", seq_len(ncol(x)))
  )
  list(x = x, y = y)
}

# Two classes of twelve samples, 20 features, 3 of them relevant.
small_array <- function() {
  withr::with_seed(1, simulate_microarray(c(12, 12), 20, relevant = 3))
}

fit_seeded <- function(select, x, ..., threads = 1L, seed = 1L) {
  with_stream(seed, select(x, ..., threads = threads))
}

# Numbers of threads whose results are compared with those of one; until the
# calling test ends, the cores of this machine are no limit to them: what is cut
# by a number of threads is cut so also where fewer threads run. CRAN allows
# two.
local_thread_counts <- function(env = parent.frame()) {
  withr::local_envvar(
    OMP_THREAD_LIMIT = NA, RCPP_PARALLEL_NUM_THREADS = NA, .local_envir = env
  )
  on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
  most <- if (on_cran) 2L else 3L
  cores <- function(count) {
    utils::assignInNamespace("cpp_hardware_threads", count, "hitmiss")
  }
  real <- cpp_hardware_threads
  withr::defer(cores(real), env)
  cores(function() most)
  seq(2L, most)
}

# A fit without what may differ between two runs on the same data.
essence <- function(fit) {
  fit$call <- NULL
  fit$report$seconds <- NULL
  fit$report$threads <- NULL
  fit
}

# No number anywhere in a fit is NaN; NA is allowed in the report only.
expect_no_nan <- function(fit) {
  visit <- function(part, path) {
    if (is.list(part) && !is.data.frame(part)) {
      for (i in seq_along(part)) {
        visit(part[[i]], paste0(path, "$", names(part)[i]))
      }
    } else if (is.double(part)) {
      expect_false(any(is.nan(part)), info = path)
    }
  }
  fit$report <- NULL
  visit(unclass(fit), "fit")
  expect_true(all(is.finite(fit$scores)))
}

# Classes of the training data, as fitted.
expect_predicts <- function(fit, x) {
  predicted <- predict(fit, x, threads = 1L)
  expect_s3_class(predicted, "factor")
  expect_length(predicted, nrow(x))
  expect_false(anyNA(predicted))
  prob <- predict(fit, x, type = "prob", threads = 1L)
  expect_equal(unname(rowSums(prob)), rep(1, nrow(x)))
}

# Runs `expr`, muffling warnings of these classes only.
muffle <- function(expr, class) {
  withCallingHandlers(expr, warning = function(w) {
    if (inherits(w, class)) invokeRestart("muffleWarning")
  })
}

expect_input_error <- function(expr, ...) {
  expect_error(expr, ..., class = "hitmiss_error_input")
}

# A refusal's class, the argument that it names, and what else its fields say.
expect_refusal <- function(expr, arg, ...) {
  local_reproducible_output()
  error <- expect_error(expr, class = "hitmiss_error_input")
  expect_s3_class(error, "hitmiss_error")
  expect_identical(error$arg, arg)
  for (field in names(list(...))) {
    expect_identical(error[[field]], list(...)[[field]], label = field)
  }
  invisible(error)
}

# What the fields cannot say: the words, with their hints, of the gate that all
# data pass.
expect_worded_refusal <- function(...) expect_wording(expect_refusal(...))

# The message as a snapshot; not on CRAN, where a new cli may word it anew (a
# skip would end the whole test).
expect_wording <- function(condition) {
  if (identical(Sys.getenv("NOT_CRAN"), "true")) {
    local_reproducible_output()
    expect_snapshot_output(cat(conditionMessage(condition), "\n", sep = ""))
  }
}

# The training samples are the new ones.
knowingly <- function(code) {
  suppressWarnings(code, classes = "hitmiss_warning_known")
}
