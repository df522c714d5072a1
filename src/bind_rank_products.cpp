// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/comparators/rank_products.hpp>

// Returns twice the ranks, minus (the number of samples + 1), as samples x
// features.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_centred_ranks(Rcpp::List problem, Rcpp::List runtime) {
  const auto x = view(problem);
  RRuntime host(runtime);
  const auto ranks = host.run(
      [&](hitmiss::Runtime &core) { return hitmiss::centred_ranks(x, core); });
  Rcpp::NumericMatrix result(static_cast<int>(x.n_samples),
                             static_cast<int>(x.n_features));
  std::copy(ranks.begin(), ranks.end(), result.begin());
  return result;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rank_products(Rcpp::NumericMatrix ranks,
                                      Rcpp::NumericVector vector,
                                      std::string simd, Rcpp::List runtime) {
  if (vector.size() != ranks.ncol())
    Rcpp::stop("there are %d numbers for %d features", vector.size(),
               ranks.ncol());
  const std::vector<double> factors(vector.begin(), vector.end());
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::rank_products(ranks.begin(), ranks.nrow(), factors,
                                  simd_level(simd), core);
  }));
}
