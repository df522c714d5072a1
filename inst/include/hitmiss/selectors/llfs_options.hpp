// What llfs() takes and gives.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_OPTIONS_HPP
#define HITMISS_SELECTORS_LLFS_OPTIONS_HPP

#include <array>
#include <vector>

#include "../pairs/allowed_pairs.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

struct LlfsOptions {
  std::vector<double> alpha{10.0}; ///< grid; every representative takes its own
  double gamma = 0.2;              ///< largest impurity of a sphere
  std::vector<double> beta;        ///< increasing, from 0 to 1
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
  std::vector<int> centres;   ///< samples to fit, in this order; empty: all
  AllowedPairs allowed;       ///< what a representative is compared with
  SimdPath simd = best_simd_path();
};

/// What one training sample learned. Features are positions in the input.
struct Representative {
  std::vector<int> subset;
  double radius = 0.0;
  double alpha = 0.0;
  double beta = 0.0;
  double score = 0.0;
  double objective = 0.0;           ///< U1 of the binary set
  int programs = 0;                 ///< problems (7) solved for it
  int unsettled = 0;                ///< of these, stopped by a limit of steps
  std::array<double, 4> log_odds{}; ///< by cell 2 * inside + neighbour agrees
};

} // namespace hitmiss

#endif
