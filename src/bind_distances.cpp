// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/vote/class_densities.hpp>

// Returns the Euclidean distances between all samples. Values are scaled, and
// all features have the same weight.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_sample_distances(Rcpp::List problem,
                                         Rcpp::List preprocess,
                                         std::string simd, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const std::vector<double> weights(static_cast<std::size_t>(x.n_features()),
                                    1.0);
  RRuntime host(runtime);
  const auto distances = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::sample_distances(x, weights, hitmiss::Metric::euclidean,
                                     simd_level(simd), core);
  });
  const auto n = static_cast<int>(x.n_samples());
  Rcpp::NumericMatrix result(n, n);
  for (int i = 0; i < n; ++i)
    std::copy(distances.row(i), distances.row(i) + n, &result(0, i));
  return result;
}

// Densities of the classes at every sample without it, for several bandwidths.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_class_densities(Rcpp::List problem, Rcpp::List preprocess,
                               std::vector<double> bandwidths, std::string simd,
                               Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = known_classes(problem["y"], x.n_samples());
  RRuntime host(runtime);
  const auto found = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::class_densities(x, y, bandwidths, simd_level(simd), core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["log_density"] = found.log_density,
                            _["nearest"] = found.nearest);
}
