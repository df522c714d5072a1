// Simba: stochastic gradient ascent of the margin of the nearest neighbour.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_SIMBA_HPP
#define HITMISS_COMPARATORS_SIMBA_HPP

#include <algorithm>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../data/feature_tile.hpp"
#include "../pairs/distances.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/require_problem.hpp"

namespace hitmiss {

struct SimbaOptions {
  int passes = 1; ///< how often every sample is visited
  SimdLevel simd = best_simd_level();
};

struct SimbaResult {
  Array<double> scores; ///< squared weights, divided by the largest
  Array<int> visited;   ///< the samples in the order of the steps
};

namespace detail {

/// The nearest hit and miss of a sample; `sample` is -1 if there is none.
struct HitAndMiss {
  Neighbour hit, miss;
};

inline HitAndMiss hit_and_miss(const double *distances, const ClassIndex &y,
                               int sample) {
  HitAndMiss near;
  for (int i = 0; i < y.n_samples(); ++i) {
    if (i == sample)
      continue;
    const Neighbour other{distances[i], i};
    Neighbour &best = y[i] == y[sample] ? near.hit : near.miss;
    if (best.sample < 0 || other < best)
      best = other;
  }
  return near;
}

/// w_j += w_j/2 ((x_j - m_j)^2 / |x - m|_w - (x_j - h_j)^2 / |x - h|_w) for the
/// miss m and the hit h; one that is missing, or at distance 0, has no term.
inline void simba_step(const ScaledView &x, int sample, const HitAndMiss &near,
                       Array<double> &weights) {
  const auto term = [&](const Neighbour &other, Index j) {
    if (other.sample < 0 || other.distance <= 0.0)
      return 0.0;
    const double step = x(sample, j) - x(other.sample, j);
    return step * step / other.distance;
  };
  for (Index j = 0; j < x.n_features(); ++j) {
    double &weight = weights[j];
    weight += 0.5 * weight * (term(near.miss, j) - term(near.hit, j));
  }
}

inline Array<double> squares(const Array<double> &weights) {
  Array<double> result;
  result.reserve(weights.size());
  for (const double weight : weights)
    result.push_back(weight * weight);
  return result;
}

} // namespace detail

/// Simba of Gilad-Bachrach, Navot, Tishby (2004) with the linear utility, from
/// equal weights, over `passes` random orders of all samples. Required: x is
/// an array. Constant features score 0. O(passes N^2 J).
inline SimbaResult simba(const ScaledView &x, const ClassIndex &y,
                         const SimbaOptions &options, Runtime &runtime) {
  detail::require_samples(x);
  detail::require(y.n_samples() == x.n_samples() &&
                      y.n_labelled() == y.n_samples(),
                  "one label per sample is needed");
  detail::require(options.passes >= 1, "at least one pass is needed");
  detail::require(x.raw.tiles == nullptr,
                  "x must be in memory: single values are read");
  const Index n = x.n_samples();
  Array<double> weights(x.n_features(), 1.0);
  PairMatrix<double> distances(1, x.n_samples());
  SimbaResult result;
  Array<int> order(n);
  for (int pass = 0; pass < options.passes; ++pass) {
    std::iota(order.begin(), order.end(), 0);
    RandomStream stream =
        runtime.stream(static_cast<std::uint64_t>(pass), Purpose::permutation);
    for (Index k = 0; k + 1 < n; ++k)
      std::swap(order[k], order[k + stream.below(n - k)]);
    for (const int sample : order) {
      SampleDistances(x, detail::squares(weights), Metric::euclidean,
                      options.simd)
          .measure({sample, sample + 1}, {0, x.n_samples()}, distances,
                   runtime);
      detail::simba_step(x, sample,
                         detail::hit_and_miss(distances.row(0), y, sample),
                         weights);
    }
    result.visited.insert(result.visited.end(), order.begin(), order.end());
  }
  result.scores = detail::squares(weights);
  for (Index j = 0; j < x.n_features(); ++j)
    if (x.is_constant(j))
      result.scores[j] = 0.0;
  const double largest =
      *std::max_element(result.scores.begin(), result.scores.end());
  for (double &score : result.scores)
    score = largest > 0.0 ? score / largest : 0.0;
  return result;
}

} // namespace hitmiss

#endif
