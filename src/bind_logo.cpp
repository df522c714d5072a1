// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/logo/logo.hpp>

namespace {

hitmiss::LogoOptions logo_options(const Rcpp::List &problem,
                                  const Rcpp::List &preprocess,
                                  const Rcpp::List &options) {
  hitmiss::LogoOptions logo;
  logo.sigma = Rcpp::as<double>(options["sigma"]);
  logo.lambda = Rcpp::as<double>(options["lambda"]);
  logo.tol = Rcpp::as<double>(options["tol"]);
  logo.max_iter = Rcpp::as<int>(options["max_iter"]);
  logo.allowed = allowed_pairs(problem);
  logo.start =
      chosen<double>(options["init"], {{"sqrt", logo.start}, {"one", 1.0}});
  logo.unit_range = Rcpp::as<std::string>(preprocess["method"]) == "range";
  logo.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  return logo;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_logo(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  const auto logo = logo_options(problem, preprocess, options);
  RRuntime host(runtime);
  const auto result = host.run(
      [&](hitmiss::Runtime &core) { return hitmiss::logo(x, y, logo, core); });
  using Rcpp::_;
  return Rcpp::List::create(_["scores"] = result.weights,
                            _["report"] = to_list(result.report));
}
