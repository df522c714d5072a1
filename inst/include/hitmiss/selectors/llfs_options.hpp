// What llfs() takes and gives.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_OPTIONS_HPP
#define HITMISS_SELECTORS_LLFS_OPTIONS_HPP

#include <cmath>

#include "../pairs/allowed_pairs.hpp"
#include "../pairs/fit_size.hpp"
#include "../runtime/require.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

struct LlfsOptions {
  Array<double> alpha{10.0};      ///< grid; every representative takes its own
  double gamma = 0.2;             ///< largest impurity of a sphere
  bool impurity_by_count = false; ///< of numbers of samples, not of shares
  /// Increasing, from 0 to 1.
  Array<double> beta{0.0,  0.05, 0.1,  0.15, 0.2,  0.25, 0.3,
                     0.35, 0.4,  0.45, 0.5,  0.55, 0.6,  0.65,
                     0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 1.0};
  double parsimony = 0.0; ///< smallest beta within so many samples of the best
  bool polish = false;    ///< local search over binary sets
  bool evidence = false;  ///< learn the log odds of the cells
  double tolerance = 1e-3;
  int draws = 1000;
  int enumerate = 10;
  int working_set = 400;
  int working_set_from = 500; ///< features from which a working set is used
  bool init_one = false;      ///< f0 = 1/alpha instead of alpha/M
  bool cold_start = false;    ///< every beta from f0
  Array<int> centres;         ///< samples to fit, in this order; empty: all
  AllowedPairs allowed;       ///< what a representative is compared with
  SimdLevel simd = best_simd_level();

  void check(int n_samples) const {
    using detail::require;
    require(!alpha.empty(), "alpha has a value at least");
    for (const double a : alpha)
      require(a >= 1.0 && std::isfinite(a), "alpha is 1 at least");
    require(gamma > 0.0 && std::isfinite(gamma), "gamma is positive");
    require(beta.size() >= 2 && beta.front() == 0.0 && beta.back() == 1.0,
            "beta goes from 0 to 1");
    for (Index b = 1; b < beta.size(); ++b)
      require(beta[b] > beta[b - 1], "beta increases");
    require(parsimony >= 0.0, "parsimony is not negative");
    require(tolerance > 0.0, "tolerance is positive");
    require(draws >= 1, "draws is 1 at least");
    require(working_set >= 1, "working_set is 1 at least");
    for (const int centre : centres)
      require(centre >= 0 && centre < n_samples, "centres are samples");
  }
};

/// Bytes beside the data that llfs() takes: a scaled copy, and for each thread
/// the columns of its working set and a price of every feature.
inline double bytes_needed(const FitSize &size, const LlfsOptions &) {
  const double n = size.n_samples, features = size.n_features;
  return 8.0 * n * features +
         8.0 * size.threads * (n * std::min(features, 500.0) + features);
}

/// What one training sample learned. Features are positions in the input.
struct Representative {
  Array<int> subset;
  double radius = 0.0;
  double alpha = 0.0;
  double beta = 0.0;
  double score = 0.0;
  double objective = 0.0;           ///< U1 of the binary set
  int programs = 0;                 ///< problems (7) solved for it
  int unsettled = 0;                ///< of these, stopped by a limit of steps
  FixedArray<double, 4> log_odds{}; ///< by cell 2 * inside + neighbour agrees
};

} // namespace hitmiss

#endif
