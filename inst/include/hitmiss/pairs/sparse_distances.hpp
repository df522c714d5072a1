// Sums over pairs of samples from the nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_DISTANCES_HPP
#define HITMISS_PAIRS_SPARSE_DISTANCES_HPP

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../data/sparse_tiles.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"
#include "strip_tiles.hpp"

namespace hitmiss {

// |a - b| = |a| + |b| - 2 overlap(a, b), and the overlap of a value with 0 is
// 0: features in which one of two samples is 0 need only the sum of |a| of each
// sample. The shift of a scaling cancels in differences, so values are only
// divided by the scale.

namespace detail {

/// The overlap of b with the value sign * size, for size >= 0.
inline double overlap(double size, double sign, double b) {
  return std::max(0.0, std::min(size, sign * b));
}

/// The nonzero values of listed features, divided by their scales, and an index
/// of the values of each sample.
class ScaledColumns {
public:
  struct Entry {
    int feature, at; ///< position in the list; of the value
  };

  ScaledColumns(const ScaledView &x, const FeatureList &features)
      : columns_(*x.raw.sparse()), starts_(1, 0),
        sample_starts_(x.n_samples() + 1, 0) {
    for (const Index j : features) {
      const int first = columns_.starts[j], end = columns_.starts[j + 1];
      skipped_.push_back(first - starts_.back());
      starts_.push_back(starts_.back() + end - first);
      for (int k = first; k < end; ++k)
        ++sample_starts_[columns_.samples[k] + 1];
    }
    std::partial_sum(sample_starts_.begin(), sample_starts_.end(),
                     sample_starts_.begin());
    values_.resize(starts_.back());
    entries_.resize(starts_.back());
    auto next = sample_starts_;
    for (int f = 0; f < features.size(); ++f)
      for (int at = starts_[f]; at < starts_[f + 1]; ++at) {
        const int k = at + skipped_[f];
        values_[at] = columns_.values[k] / x.scaling->scale[features[f]];
        entries_[next[columns_.samples[k]]++] = {f, at};
      }
  }

  double value(Index at) const { return values_[at]; }
  /// The entries of a sample are [begin(n), end(n)), with increasing features.
  const Entry *begin(Index n) const {
    return entries_.data() + sample_starts_[n];
  }
  const Entry *end(Index n) const { return begin(n + 1); }

  /// Calls work(sample, value) for the nonzeros of a listed feature in a range.
  template <class Work>
  void each_in(const SampleRange &range, Index feature, Work work) const {
    const int *samples = columns_.samples + skipped_[feature];
    const int *end = samples + starts_[feature + 1];
    for (const int *k = std::lower_bound(samples + starts_[feature], end,
                                         static_cast<int>(range.begin));
         k < end && *k < range.end; ++k)
      work(*k, values_[k - samples]);
  }

private:
  const SparseColumns &columns_;
  /// The position of the first value of each listed feature, and the number of
  /// values of features not listed that precede it in the data.
  Array<int> starts_, skipped_;
  Array<int> sample_starts_;
  Array<double> values_;
  Array<Entry> entries_; ///< by sample
};

/// Computes distances over sparse features, between samples of one view or of
/// two.
class SparseDistances {
public:
  SparseDistances(const ScaledView &rows, const ScaledView &columns,
                  Metric metric, const FeatureList &features,
                  Array<double> weights)
      : weights_(std::move(weights)), metric_(metric),
        columns_(columns, features), column_sizes_(sizes(columns_, columns)) {
    if (rows.raw.same_values(columns.raw))
      return;
    others_ = std::make_unique<ScaledColumns>(rows, features);
    other_sizes_ = sizes(*others_, rows);
  }

  /// Adds to the distances between two ranges of samples; only above the
  /// diagonal if both are the same. O(rows x columns + nonzeros that pairs
  /// share + all nonzeros of the pairs that are so near that apart() sums
  /// them).
  void add(const SampleRange &rows, const SampleRange &columns,
           PairMatrix<double> &distances, Runtime &runtime) const {
    const bool same = !others_ && rows == columns;
    runtime.for_parts(rows.size(), 16, [&](Index begin, Index end) {
      Array<double> shared(columns.size());
      for (Index n = rows.begin + begin; n < rows.begin + end; ++n) {
        const SampleRange from{same ? n + 1 : columns.begin, columns.end};
        add_row(n, from, shared,
                distances.row(n - rows.begin) + (from.begin - columns.begin));
      }
    });
  }

private:
  /// |a| + |b| - 2 overlap and a^2 + b^2 - 2 ab lose digits if small. Below
  /// this share of |a| + |b| or a^2 + b^2, apart() sums the differences
  /// instead.
  static constexpr double enough_left = 1e-3;

  const ScaledColumns &rows() const { return others_ ? *others_ : columns_; }

  Array<double> sizes(const ScaledColumns &of, const ScaledView &x) const {
    Array<double> result(x.n_samples(), 0.0);
    for (Index n = 0; n < result.size(); ++n)
      for (auto at = of.begin(n); at != of.end(n); ++at) {
        const double a = of.value(at->at);
        result[n] += weights_[at->feature] *
                     (metric_ == Metric::manhattan ? std::abs(a) : a * a);
      }
    return result;
  }

  /// Adds sample n's distances; row[0] is for the first sample of the range.
  void add_row(Index n, const SampleRange &range, Array<double> &shared,
               double *row) const {
    std::fill(shared.begin(), shared.end(), 0.0);
    for (auto at = rows().begin(n); at != rows().end(n); ++at) {
      const double a = rows().value(at->at), w = 2.0 * weights_[at->feature];
      const double size = std::abs(a), sign = a < 0.0 ? -1.0 : 1.0;
      columns_.each_in(range, at->feature, [&](Index i, double b) {
        shared[i - range.begin] +=
            w * (metric_ == Metric::manhattan ? overlap(size, sign, b) : a * b);
      });
    }
    const double own = (others_ ? other_sizes_ : column_sizes_)[n];
    for (Index i = range.begin; i < range.end; ++i) {
      const double size = own + column_sizes_[i];
      const double left = size - shared[i - range.begin];
      row[i - range.begin] += left > enough_left * size ? left : apart(n, i);
    }
  }

  /// Returns the weighted sum of differences (or squares) of two samples.
  double apart(Index n, Index i) const {
    auto p = rows().begin(n), q = columns_.begin(i);
    const auto p_end = rows().end(n), q_end = columns_.end(i);
    double sum = 0.0;
    while (p != p_end || q != q_end) {
      const bool first = q == q_end || (p != p_end && p->feature <= q->feature);
      const bool second =
          p == p_end || (q != q_end && q->feature <= p->feature);
      const double weight = weights_[first ? p->feature : q->feature];
      const double a = first ? rows().value(p++->at) : 0.0;
      const double d = a - (second ? columns_.value(q++->at) : 0.0);
      sum += weight * (metric_ == Metric::manhattan ? std::abs(d) : d * d);
    }
    return sum;
  }

  Array<double> weights_;
  Metric metric_;
  ScaledColumns columns_;
  std::unique_ptr<ScaledColumns> others_; ///< rows, if of another view
  Array<double> column_sizes_, other_sizes_;
};

} // namespace detail

} // namespace hitmiss

#endif
