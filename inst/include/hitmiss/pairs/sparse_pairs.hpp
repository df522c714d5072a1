// Sums over pairs of samples from the nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_PAIRS_HPP
#define HITMISS_PAIRS_SPARSE_PAIRS_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"

namespace hitmiss {

using FeatureList = Array<Index>;

// |a - b| = |a| + |b| - 2 overlap(a, b), and the overlap of a value with 0 is
// 0: pairs of which one is zero are dealt with by sums over samples.
// Differences do not see the shift of a scaling, so values are only divided by
// the scale.

namespace detail {

/// Below this share of nonzero values a column is summed by its nonzeros. A
/// constant (measured crossover 20 to 30 %), so that results do not depend on
/// the machine.
constexpr double sparse_density = 0.25;

/// What b has in common with a value of absolute value `size` and sign `sign`.
inline double overlap(double size, double sign, double b) {
  return std::max(0.0, std::min(size, sign * b));
}

/// Has feature j few nonzero values?
inline bool is_sparse(const ScaledView &x, Index j) {
  const SparseColumns *columns = x.raw.sparse();
  if (columns == nullptr)
    return false;
  const int nonzero = columns->starts[j + 1] - columns->starts[j];
  return nonzero < sparse_density * static_cast<double>(x.n_samples());
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

/// Distances over sparse features, block by block.
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
  /// only, where they are the same. O(rows columns + their common nonzeros).
  void add(const SampleRange &rows, const SampleRange &columns,
           PairMatrix<double> &distances, Runtime &runtime) const {
    runtime.for_parts(rows.size(), 16, [&](Index begin, Index end) {
      for (Index n = rows.begin + begin; n < rows.begin + end; ++n) {
        const Index first = rows == columns ? n + 1 : columns.begin;
        double *row = distances.row(n - rows.begin) + (first - columns.begin);
        if (metric_ == Metric::manhattan)
          add_row(n, {first, columns.end}, row, [](double a, double b) {
            return overlap(std::abs(a), a < 0.0 ? -1.0 : 1.0, b);
          });
        else
          add_row(n, {first, columns.end}, row,
                  [](double a, double b) { return a * b; });
      }
    });
  }

private:
  /// row[0] is the distance to the first sample of the range.
  template <class Overlap>
  void add_row(Index n, const SampleRange &range, double *row,
               Overlap shared) const {
    const auto begin = columns_.samples.begin();
    for (const auto &entry : columns_.entries[n]) {
      const double a = columns_.values[entry.at],
                   w = 2.0 * weights_[entry.feature];
      const auto at = [&](Index k) { return begin + k; };
      const auto end = at(columns_.starts[entry.feature + 1]);
      for (auto k = std::lower_bound(at(columns_.starts[entry.feature]), end,
                                     range.begin);
           k < end && *k < range.end; ++k)
        row[*k - range.begin] -= w * shared(a, columns_.values[k - begin]);
    }
    // Equal samples: both sums have the same terms in the same order, so the
    // distance is exactly 0.
    for (Index i = range.begin; i < range.end; ++i)
      row[i - range.begin] += sizes_[n] + sizes_[i];
  }

  ScaledColumns columns_;
  Array<double> weights_;
  Metric metric_;
  Array<double> sizes_;
};

} // namespace detail

} // namespace hitmiss

#endif
