# SPDX-License-Identifier: GPL-3.0-or-later

#' @section Options:
#' * `hitmiss.threads`: number of threads where the argument is not given (then
#'   environment variable `HITMISS_NUM_THREADS`, then 2).
#' * `hitmiss.max_memory`: bytes that a fit may take beside its data, above 0;
#'   by default 80 percent of what is free, and `Inf` for no limit. A fit whose
#'   estimate is above it is refused before it starts, with an error of class
#'   `hitmiss_error_memory`.
#' * `hitmiss.simd`: `"auto"`, or one of `"baseline"`, `"avx2"`, `"avx512"` to
#'   force an instruction set that the processor has. It holds for all selectors
#'   and for [predict()][predict.hitmiss]. Results agree but for rounding; in
#'   [llfs()] a few samples may then get another subset, as good as the first.
#'
#' @keywords internal
#' @useDynLib hitmiss, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
"_PACKAGE"
