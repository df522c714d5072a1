// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/comparators/simba.hpp>

// `values`: dense, samples x features; every step reads single samples.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_simba(Rcpp::NumericMatrix values, Rcpp::IntegerVector y,
                     Rcpp::List preprocess, Rcpp::List options,
                     Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(values, false), &learned};
  const auto classes = known_classes(y, values.nrow());
  hitmiss::SimbaOptions settings;
  settings.passes = Rcpp::as<int>(options["passes"]);
  settings.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::simba(x, classes, settings, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["scores"] = result.scores,
                            _["visited"] = from_one(result.visited));
}
