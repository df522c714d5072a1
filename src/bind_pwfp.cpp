// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/pwfp/pwfp.hpp>

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_pwfp(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  hitmiss::PwfpOptions pwfp;
  pwfp.fraction = Rcpp::as<double>(options["fraction"]);
  pwfp.by_ratio =
      chosen<bool>(options["score"], {{"product", false}, {"ratio", true}});
  pwfp.round_ties = Rcpp::as<std::string>(options["scale"]) != "none";
  pwfp.allowed = allowed_pairs(problem);
  pwfp.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  pwfp.rows = own_scratch(options["rows"]);
  RRuntime host(runtime);
  const auto result = host.run(
      [&](hitmiss::Runtime &core) { return hitmiss::pwfp(x, y, pwfp, core); });
  using Rcpp::_;
  return Rcpp::List::create(
      _["scores"] = result.scores, _["within"] = result.within,
      _["between"] = result.between,
      _["pairs"] = Rcpp::NumericVector::create(
          _["within"] = static_cast<double>(result.n_within),
          _["between"] = static_cast<double>(result.n_between)));
}
