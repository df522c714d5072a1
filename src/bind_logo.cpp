// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/selectors/logo.hpp>

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
  if (Rcpp::as<std::string>(options["init"]) == "one")
    logo.start = 1.0;
  logo.unit_range = Rcpp::as<std::string>(preprocess["method"]) == "range";
  logo.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  return logo;
}

Rcpp::List look_list(const hitmiss::LogoLook &look) {
  using Rcpp::_;
  return Rcpp::List::create(_["weights"] = look.weights,
                            _["chance"] = look.chance, _["cut"] = look.cut);
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_logo(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned, whole_features(problem)};
  const auto y = class_index(problem["y"]);
  const auto logo = logo_options(problem, preprocess, options);
  RRuntime host(runtime);
  const auto result = host.run(
      [&](hitmiss::Runtime &core) { return hitmiss::logo(x, y, logo, core); });
  Rcpp::List looks;
  for (const hitmiss::LogoLook &look : result.looks)
    looks.push_back(look_list(look));
  const Rcpp::IntegerVector candidates(result.candidates.begin(),
                                       result.candidates.end());
  using Rcpp::_;
  return Rcpp::List::create(
      _["scores"] = result.weights, _["report"] = to_list(result.report),
      _["candidates"] = candidates + 1, _["looks"] = looks);
}

// Looks at a part of the features: for each, by how much it would have changed
// one. `support`: the features that the looks weigh, samples in rows.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_logo_excess(Rcpp::List problem, Rcpp::List preprocess,
                                    Rcpp::List support, Rcpp::List looks,
                                    Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const auto weighed = scaling(support["preprocess"]);
  const hitmiss::ScaledView x{view(problem), &learned, whole_features(problem)};
  const hitmiss::ScaledView candidates{view(support["values"], false),
                                       &weighed};
  const auto y = class_index(problem["y"]);
  const auto logo = logo_options(problem, preprocess, options);
  hitmiss::Array<hitmiss::LogoLook> made;
  for (const Rcpp::List look : looks)
    made.push_back({Rcpp::as<std::vector<double>>(look["weights"]),
                    Rcpp::as<std::vector<double>>(look["chance"]),
                    Rcpp::as<double>(look["cut"])});
  RRuntime host(runtime);
  return host.run([&](hitmiss::Runtime &core) {
    return hitmiss::logo_excess(x, candidates, y, logo, made, core);
  });
}
