// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scaling(Rcpp::List problem, std::string method,
                       Rcpp::List runtime) {
  const auto how = method == "zscore"  ? hitmiss::ScaleMethod::zscore
                   : method == "range" ? hitmiss::ScaleMethod::range
                                       : hitmiss::ScaleMethod::none;
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::learn_scaling(view(problem), how, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(
      _["center"] = result.center, _["scale"] = result.scale,
      _["constant"] =
          Rcpp::LogicalVector(result.constant.begin(), result.constant.end()));
}
