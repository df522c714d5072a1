# Layer: show. This file has the page of the package, and what happens when it
# is loaded.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @section Options:
#' * `hitmiss.threads`: number of threads if the argument `threads` is not given
#'   (if the option is not set: environment variable `HITMISS_NUM_THREADS`, else
#'   2).
#' * `hitmiss.max_memory`: memory in bytes that a fit may use beyond its data;
#'   by default 80 percent of the free memory, and `Inf` for no limit. A fit
#'   that needs more is refused before it starts, with an error of class
#'   `hitmiss_error_memory`.
#' * `hitmiss.simd`: `"auto"`, or one of `"baseline"`, `"avx2"`, `"avx512"` to
#'   force an instruction set that the processor has. It applies to all
#'   selectors and to [predict()][predict.hitmiss]. Results are equal up to
#'   rounding; in [llfs()] a few samples may then get a different subset of
#'   equal quality.
#'
#' @section Long runs:
#' What takes more than ten seconds says how long it takes, and what takes less,
#' by a message of class `hitmiss_message_time`, after two seconds and a
#' twentieth of the work. `verbose = TRUE` shows a progress bar.
#'
#' @return None: this page is about the package.
#' @keywords internal
#' @useDynLib hitmiss, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
"_PACKAGE"

.onLoad <- function(libname, pkgname) {
  state$pid <- Sys.getpid()
  when_loaded("mlr3filters", register_mlr3_filters)
  when_loaded("mlr3", register_mlr3_learners)
}

# Registers with another package now, if it is loaded, or when it is loaded.
when_loaded <- function(package, register) {
  setHook(packageEvent(package, "onLoad"), function(...) register())
  if (isNamespaceLoaded(package)) register()
}

.onUnload <- function(libpath) {
  library.dynam.unload("hitmiss", libpath)
}
