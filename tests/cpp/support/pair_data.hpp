// Data on a grid, and definitions of distances and terms over all pairs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_PAIR_DATA_HPP
#define HITMISS_TESTS_PAIR_DATA_HPP

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <hitmiss/relief/sample_margins.hpp>
#include <hitmiss/runtime/aligned_buffer.hpp>
#include <hitmiss/soft/pair_sums.hpp>
#include <hitmiss/soft/soft_neighbours.hpp>
#include <hitmiss/vote/nearest_vote.hpp>

#include "host.hpp"
#include "nearest_terms.hpp"
#include "simd_levels.hpp"
#include "soft_margins.hpp"

namespace pair_data {

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::MissRule;
using hitmiss::NearRule;
using hitmiss::PairMatrix;
using hitmiss::SimdLevel;

/// Values on a coarse grid, so that some are equal; one feature is constant.
struct Data {
  Data(Index n, Index j) : values(n * j) {
    hitmiss::RandomStream random(7, static_cast<std::uint64_t>(n * 1000 + j),
                                 hitmiss::Purpose::simulation);
    for (Index i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>(random.below(50)) / 7.0;
    if (j > 2)
      std::fill_n(values.begin() + 2 * n, n, 3.0);
    raw = hitmiss::view_by_feature(values.data(), n, j);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }

  Array<double> values;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

/// The distances of other samples (rows) to training samples (columns).
inline PairMatrix<double> cross_distances(const hitmiss::ScaledView &queries,
                                          const hitmiss::ScaledView &x,
                                          const Array<double> &weights,
                                          SimdLevel simd,
                                          hitmiss::Runtime &runtime) {
  PairMatrix<double> distances(queries.n_samples(), x.n_samples());
  hitmiss::SampleDistances(queries, x, weights, hitmiss::Metric::manhattan,
                           simd)
      .measure({0, queries.n_samples()}, {0, x.n_samples()}, distances,
               runtime);
  return distances;
}

inline double difference(const Data &data, Index j, Index a, Index b) {
  const auto x = data.view();
  return std::abs(x(a, j) - x(b, j));
}

/// What nearest_terms() should list, as a table of all pairs: of the k nearest
/// of a kind, r places shared by the t that are as near as the last, for one
/// sample after the other.
inline Array<double> plain_terms(const PairMatrix<double> &d,
                                 const hitmiss::ClassIndex &y, int k,
                                 hitmiss::MissRule rule) {
  const int n = y.n_samples();
  Array<double> table(n * n);
  const auto add = [&](int a, double weight, const auto &belongs) {
    Array<double> near;
    for (int b = 0; b < n; ++b)
      if (b != a && belongs(b))
        near.push_back(d.row(a)[b]);
    if (near.empty())
      return;
    std::sort(near.begin(), near.end());
    const Index places = std::min<Index>(near.size(), k);
    const double last = near[places - 1];
    const auto tied = std::count(near.begin(), near.end(), last);
    const auto left = std::count(near.begin(), near.begin() + places, last);
    const double each = weight / static_cast<double>(places);
    for (int b = 0; b < n; ++b)
      if (b != a && belongs(b) && d.row(a)[b] <= last)
        table[a * n + b] +=
            d.row(a)[b] < last
                ? each
                : each * static_cast<double>(left) / static_cast<double>(tied);
  };
  for (int a = 0; a < n; ++a) {
    const double p = static_cast<double>(y.count(y[a])) / n;
    const bool map = rule == hitmiss::MissRule::map;
    add(a, map ? -(1.0 - p) : -1.0, [&](int b) { return y[b] == y[a]; });
    if (map || rule == hitmiss::MissRule::pooled) {
      add(a, map ? p : 1.0, [&](int b) { return y[b] != y[a]; });
      continue;
    }
    for (int c = 0; c < y.n_classes(); ++c)
      if (c != y[a])
        add(a,
            static_cast<double>(y.count(c)) / n /
                (rule == hitmiss::MissRule::prior ? 1.0 : 1.0 - p),
            [&](int b) { return y[b] == c; });
  }
  return table;
}

/// Samples on a line: their distances are those of their one feature.
struct Line {
  explicit Line(const Array<double> &places) : values(places) {
    x = {hitmiss::view_by_feature(values.data(), values.size(), 1), &plain};
  }
  Line(const Line &) = delete;
  hitmiss::SoftNeighbours margins(const hitmiss::ClassIndex &y, double sigma,
                                  SimdLevel level,
                                  hitmiss::Runtime &runtime) const {
    PairMatrix<double> none; // few features are not held
    return {hitmiss::DistanceRows(x, {1.0}, level, 0, none, runtime),
            {y, every, sigma, level},
            runtime};
  }

  Array<double> values;
  hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  hitmiss::ScaledView x;
  hitmiss::AllowedPairs every;
};

} // namespace pair_data

#endif
