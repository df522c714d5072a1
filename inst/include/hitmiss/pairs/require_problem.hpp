// The requirements of every selector on its data.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_REQUIRE_PROBLEM_HPP
#define HITMISS_PAIRS_REQUIRE_PROBLEM_HPP

#include <algorithm>

#include "../data/class_index.hpp"
#include "../data/feature_tile.hpp"
#include "../data/require_values.hpp"
#include "../data/scaling.hpp"
#include "../runtime/require.hpp"
#include "../version.hpp"
#include "allowed_pairs.hpp"

namespace hitmiss::detail {

/// Throws unless there are `least_samples` samples, a feature, finite values
/// (or NaN, if `may_miss`), and a finite centre and scale > 0 of each feature.
inline void require_samples(const ScaledView &x, Index least_samples = 2,
                            bool may_miss = false) {
  require_values(x.raw, least_samples, may_miss);
  require(x.scaling != nullptr, "x has no scaling");
  const Index n = x.n_features();
  const auto &[center, scale, constant] = *x.scaling;
  require(center.size() == n && scale.size() == n && constant.size() == n,
          "one centre, one scale and one flag per feature are needed");
  require(all_finite(center.data(), n) && all_finite(scale.data(), n) &&
              *std::min_element(scale.begin(), scale.end()) > 0.0,
          "centres must be finite, scales also above 0");
}

/// Throws unless a pair of samples of different classes is allowed (and, with
/// `hits`, a sample of it may be compared with its own class). The result
/// counts allowed pairs by sample and class. Takes O(N C log N) time.
inline AllowedCounts require_classes(Index n_samples, const ClassIndex &y,
                                     const AllowedPairs &allowed,
                                     bool unlabelled = false,
                                     bool hits = false) {
  require(y.n_samples() == n_samples, "one label per sample is needed");
  require(unlabelled || y.n_labelled() == n_samples,
          "only BFS takes samples without a label");
  allowed.check_size(n_samples);
  AllowedCounts counts(y, allowed, hits);
  require(counts.n_counting() > 0,
          hits ? "no sample may be compared with its own and another class"
               : "no pair of samples of different classes is allowed");
  return counts;
}

inline AllowedCounts require_problem(const ScaledView &x, const ClassIndex &y,
                                     const AllowedPairs &allowed,
                                     bool unlabelled = false,
                                     bool hits = false) {
  require_samples(x);
  return require_classes(x.n_samples(), y, allowed, unlabelled, hits);
}

} // namespace hitmiss::detail

#endif
