// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/interactions/interactions.hpp>

// values: features x samples, the features that are asked about; orders: for
// each permutation a column, the sample whose row each sample gets.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_interactions(Rcpp::NumericMatrix values,
                            Rcpp::LogicalVector categories, Rcpp::List problem,
                            Rcpp::IntegerMatrix orders, std::string simd,
                            Rcpp::List runtime) {
  const Eigen::Map<const Eigen::MatrixXd> given(values.begin(), values.nrow(),
                                                values.ncol());
  const auto y = class_index(problem["y"]);
  hitmiss::InteractionOptions options;
  options.allowed = allowed_pairs(problem);
  options.simd = simd_level(simd);
  options.categories =
      hitmiss::Array<char>(categories.begin(), categories.end());
  // Samples are counted from 1 in R.
  options.orders = Eigen::Map<const Eigen::MatrixXi>(
                       orders.begin(), orders.nrow(), orders.ncol())
                       .array() -
                   1;
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::interactions(given, y, options, core);
  });
  const auto matrix = [](const Eigen::MatrixXd &m) {
    return Rcpp::NumericMatrix(static_cast<int>(m.rows()),
                               static_cast<int>(m.cols()), m.data());
  };
  using Rcpp::_;
  return Rcpp::List::create(_["hits"] = matrix(result.hits),
                            _["misses"] = matrix(result.misses),
                            _["expected"] = matrix(result.expected),
                            _["largest_by_chance"] = result.largest_by_chance);
}
