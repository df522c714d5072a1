// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

#include <hitmiss/selectors/fisher.hpp>

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_fisher(Rcpp::List problem, Rcpp::List runtime) {
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::fisher_scores(view(problem), class_index(problem["y"]),
                                  core);
  }));
}
