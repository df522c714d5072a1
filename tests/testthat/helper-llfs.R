# One representative of LLFS, as the core goes through it.
# SPDX-License-Identifier: GPL-3.0-or-later

# Compiled once a session. Only a checkout has its source.
core_of_path <- new.env()

llfs_path <- function(problem, preprocess, options, i) {
  if (is.null(core_of_path$core_llfs_path)) {
    root <- normalizePath(test_path("..", ".."))
    source <- file.path(root, "tests/cpp/support/r_llfs_path.cpp")
    skip_if_not(file.exists(source), "only a checkout has it")
    withr::local_envvar(PKG_CPPFLAGS = paste0(
      "-I", shQuote(file.path(root, c("src", "inst/include", "tests/cpp"))),
      collapse = " "
    ))
    # Optimising and symbols take longer than what they would save here.
    withr::local_makevars(c(CXX17FLAGS = "-O1 -g0"))
    Rcpp::sourceCpp(source, env = core_of_path)
  }
  core_of_path$core_llfs_path(problem, preprocess, options, i, 1L)
}

# What the solver found for one representative, from the core.
solved_path <- function(x, y, i, alpha, control = list(), polish = FALSE,
                        block = NULL, group = NULL) {
  problem <- suppressWarnings(with_design(as_problem(x, y), x, block, group))
  parameters <- llfs_parameters(
    alpha, 0.2, seq(0, 1, by = 0.05), "spheres", "none", "share",
    polish, 0, Inf, "zscore", control, problem
  )
  runtime <- list(threads = 1L, progress = NULL, key = c(1L, 2L))
  preprocess <- prepare_scaling(problem, "zscore", runtime)
  llfs_path(problem, preprocess, llfs_core_options(parameters), i)
}

# Which features each representative of a fit uses: features x representatives.
subsets_of <- function(fit) {
  local <- fit$local
  who <- rep(seq_along(local$radius), diff(local$offsets))
  used <- matrix(FALSE, fit$n_features, length(local$radius), dimnames = list(
    names(fit$scores), local$samples[local$representatives]
  ))
  used[cbind(local$features, who)] <- TRUE
  used
}
