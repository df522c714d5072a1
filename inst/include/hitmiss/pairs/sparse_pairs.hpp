// Sums over pairs of samples from the nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_PAIRS_HPP
#define HITMISS_PAIRS_SPARSE_PAIRS_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../data/metric.hpp"
#include "../data/sparse_tiles.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "strip_tiles.hpp"

namespace hitmiss {

// |a - b| = |a| + |b| - 2 overlap(a, b), and the overlap of a value with 0 is
// 0: pairs of which one is zero are dealt with by sums over samples.
// Differences do not see the shift of a scaling, so values are only divided by
// the scale.

namespace detail {

/// What b has in common with a value of absolute value `size` and sign `sign`.
inline double overlap(double size, double sign, double b) {
  return std::max(0.0, std::min(size, sign * b));
}

/// The nonzero values of listed features, divided by their scales, and which
/// of them belong to each sample.
class ScaledColumns {
public:
  ScaledColumns(const ScaledView &x, const FeatureList &features) {
    const SparseColumns &columns = *x.raw.sparse();
    entries.resize(x.n_samples());
    starts.push_back(0);
    for (Index f = 0; f < features.size(); ++f) {
      const Index j = features[f];
      const double scale = x.scaling->scale[j];
      for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k) {
        if (columns.values[k] == 0.0)
          continue;
        const int n = columns.samples[k];
        entries[n].push_back({f, samples.size()});
        samples.push_back(n);
        values.push_back(columns.values[k] / scale);
      }
      starts.push_back(samples.size());
    }
  }

  struct Entry {
    Index feature, at; ///< position in the list, and of the value
  };
  Array<Index> starts; ///< of each listed feature, and the end
  Array<int> samples;
  Array<double> values;
  Array<Array<Entry>> entries; ///< by sample, features increasing
};

/// Distances over sparse features.
class SparseDistances {
public:
  SparseDistances(const ScaledView &x, Metric metric,
                  const FeatureList &features, Array<double> weights)
      : columns_(x, features), weights_(std::move(weights)), metric_(metric),
        sizes_(x.n_samples(), 0.0) {
    for (Index n = 0; n < sizes_.size(); ++n)
      for (const auto &entry : columns_.entries[n]) {
        const double a = columns_.values[entry.at];
        sizes_[n] += weights_[entry.feature] *
                     (metric == Metric::manhattan ? std::abs(a) : a * a);
      }
  }

  /// Adds to the distances between two ranges of samples; above the diagonal
  /// only, where they are the same. O(rows columns + their common nonzeros, and
  /// the nonzeros of near pairs).
  void add(const SampleRange &rows, const SampleRange &columns,
           PairMatrix<double> &distances, Runtime &runtime) const {
    runtime.for_parts(rows.size(), 16, [&](Index begin, Index end) {
      Array<double> shared(columns.size());
      for (Index n = rows.begin + begin; n < rows.begin + end; ++n) {
        const SampleRange from{rows == columns ? n + 1 : columns.begin,
                               columns.end};
        add_row(n, from, shared,
                distances.row(n - rows.begin) + (from.begin - columns.begin));
      }
    });
  }

private:
  /// |a| + |b| - 2 overlap, or a^2 + b^2 - 2 ab, loses digits where little is
  /// left of it: such pairs are summed by their differences.
  static constexpr double enough_left = 1e-3;

  /// row[0] is the distance to the first sample of the range.
  void add_row(Index n, const SampleRange &range, Array<double> &shared,
               double *row) const {
    std::fill(shared.begin(), shared.end(), 0.0);
    const auto begin = columns_.samples.begin();
    for (const auto &entry : columns_.entries[n]) {
      const double a = columns_.values[entry.at],
                   w = 2.0 * weights_[entry.feature];
      const auto at = [&](Index k) { return begin + k; };
      const auto end = at(columns_.starts[entry.feature + 1]);
      for (auto k = std::lower_bound(at(columns_.starts[entry.feature]), end,
                                     range.begin);
           k < end && *k < range.end; ++k) {
        const double b = columns_.values[k - begin];
        shared[*k - range.begin] +=
            w * (metric_ == Metric::manhattan
                     ? overlap(std::abs(a), a < 0.0 ? -1.0 : 1.0, b)
                     : a * b);
      }
    }
    for (Index i = range.begin; i < range.end; ++i) {
      const double size = sizes_[n] + sizes_[i];
      const double left = size - shared[i - range.begin];
      row[i - range.begin] += left > enough_left * size ? left : apart(n, i);
    }
  }

  /// The sum of the differences of two samples, feature by feature.
  double apart(Index n, Index i) const {
    const auto &mine = columns_.entries[n], &others = columns_.entries[i];
    double sum = 0.0;
    for (Index p = 0, q = 0; p < mine.size() || q < others.size();) {
      const bool first =
          q == others.size() ||
          (p < mine.size() && mine[p].feature <= others[q].feature);
      const bool second =
          p == mine.size() ||
          (q < others.size() && others[q].feature <= mine[p].feature);
      const Index feature = first ? mine[p].feature : others[q].feature;
      const double a = first ? columns_.values[mine[p++].at] : 0.0;
      const double d = a - (second ? columns_.values[others[q++].at] : 0.0);
      sum += weights_[feature] *
             (metric_ == Metric::manhattan ? std::abs(d) : d * d);
    }
    return sum;
  }

  ScaledColumns columns_;
  Array<double> weights_;
  Metric metric_;
  Array<double> sizes_;
};

} // namespace detail

} // namespace hitmiss

#endif
