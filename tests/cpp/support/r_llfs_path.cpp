// What llfs() goes through for one representative, for tests in R and
// benchmarks: tests/testthat/helper-llfs.R compiles it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "hitmiss_types.h"

#include "r_llfs.h"
#include "support/host.hpp"
#include "support/llfs_path.hpp"

// [[Rcpp::plugins(cpp17)]]
// [[Rcpp::depends(RcppEigen, sitmo)]]

// The relaxed solutions and the sets of sample `centre`, counted from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_llfs_path(Rcpp::List problem, Rcpp::List preprocess,
                          Rcpp::List options, int centre, int key) {
  const auto scaled = scaling(preprocess);
  auto core_options = llfs_options(options);
  core_options.allowed = allowed_pairs(problem);
  const auto path = with_threads(
      1,
      [&](hitmiss::Runtime &core) {
        return hitmiss::llfs_path(hitmiss::ScaledView{view(problem), &scaled},
                                  class_index(problem["y"]), centre - 1,
                                  core_options, core);
      },
      static_cast<std::uint64_t>(key));
  Rcpp::List sets;
  Rcpp::NumericVector objective;
  for (const auto &set : path.sets) {
    const Rcpp::IntegerVector chosen(set.features.begin(), set.features.end());
    sets.push_back(chosen + 1);
    objective.push_back(set.objective);
  }
  using Rcpp::_;
  return Rcpp::List::create(
      _["f"] =
          Rcpp::NumericMatrix(static_cast<int>(path.f.rows()),
                              static_cast<int>(path.f.cols()), path.f.data()),
      _["sets"] = sets, _["objective"] = objective, _["eps_max"] = path.eps_max,
      _["sigma"] = path.gain.sigma, _["lambda"] = path.gain.lambda);
}
