// Gradients of sparse features from their nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_SPARSE_PAIR_SUMS_HPP
#define HITMISS_SOFT_SPARSE_PAIR_SUMS_HPP

#include <algorithm>
#include <cmath>

#include "../pairs/sparse_distances.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss::detail {

/// All features, divided into sparse ones, of which only nonzero values are
/// summed, and dense ones.
struct SplitFeatures {
  FeatureList sparse, dense;
};

inline SplitFeatures split_features(const ScaledView &x) {
  SplitFeatures parts;
  for (Index j = 0; j < x.n_features(); ++j)
    (is_sparse(x, j) ? parts.sparse : parts.dense).push_back(j);
  return parts;
}

/// Twice the overlap of the value a with `count` others, each multiplied by its
/// sample's entry of `row`: 2 sum_k row[samples[k]] overlap(a, values[k]).
template <class T>
double shared_sum(double a, const int *samples, const double *values,
                  Index count, const T *row) {
  const double size = std::abs(a), sign = a < 0.0 ? -1.0 : 1.0;
  const auto term = [&](Index k) {
    return row[samples[k]] * overlap(size, sign, values[k]);
  };
  double sum[4] = {}; // additions to a single sum would wait for each other
  Index k = 0;
  for (; k + 4 <= count; k += 4)
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c)
      sum[c] += term(k + c);
  for (; k < count; ++k)
    sum[0] += term(k);
  return 2.0 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/// Adds up sum_{n < i} S[n, i] |x_nj - x_ij| for sparse features j. The rows of
/// S must be given in increasing order.
template <class T> class SparseGradient {
public:
  SparseGradient(const ScaledView &x, const FeatureList &features)
      : columns_(x.raw.sparse()), features_(features), next_(features.size()),
        begin_(features.size()), shared_(features.size(), 0.0),
        sums_(x.n_samples(), 0.0) {
    if (features.empty())
      return;
    values_.resize(columns_->starts[x.n_features()]);
    for (Index f = 0; f < next_.size(); ++f) {
      const Index j = features[f];
      begin_[f] = columns_->starts[x.is_constant(j) ? j + 1 : j];
      for (int k = begin_[f]; k < columns_->starts[j + 1]; ++k)
        values_[k] = columns_->values[k] / x.scaling->scale[j];
    }
    next_ = begin_;
  }

  /// Adds the next rows of S, which are the first rows of `s`. The features of
  /// a unit of work read the same rows, which stay in the second-level cache.
  void add(const PairMatrix<T> &s, const SampleRange &rows, Runtime &runtime) {
    constexpr Index cached = 1 << 19;
    const Index row_size = s.stride() * bytes_of<T>;
    const Index step = std::max<Index>(cached / row_size, 16);
    for (Index end = rows.begin + step; end < rows.end + step; end += step)
      runtime.for_parts(features_.size(), 64, [&](Index first, Index stop) {
        for (Index f = first; f < stop; ++f)
          add_rows(f, s, {rows.begin, std::min(end, rows.end)});
      });
    add_sums(s, rows, runtime);
  }

  /// Writes the sums to `result`, which must have a place for every feature of
  /// the data. All rows must have been added before.
  void finish(Array<double> &result) const {
    for (Index f = 0; f < features_.size(); ++f) {
      double total = 0.0;
      for (int k = begin_[f]; k < next_[f]; ++k)
        total += std::abs(values_[k]) * sums_[columns_->samples[k]];
      result[features_[f]] = total - shared_[f];
    }
  }

private:
  /// Adds the rows before rows.end that feature f has not used yet.
  void add_rows(Index f, const PairMatrix<T> &s, const SampleRange &rows) {
    const int stop = columns_->starts[features_[f] + 1];
    double total = 0.0;
    int k = next_[f];
    for (; k < stop && columns_->samples[k] < rows.end; ++k) {
      const Index n = columns_->samples[k] - rows.begin;
      const double *a = values_.data() + k;
      total += shared_sum(*a, columns_->samples + k + 1, a + 1, stop - k - 1,
                          s.row(n));
    }
    next_[f] = k;
    shared_[f] += total;
  }

  /// Adds S[n, i] of these rows n and all i > n to both sums_[n] and sums_[i].
  void add_sums(const PairMatrix<T> &s, const SampleRange &rows,
                Runtime &runtime) {
    runtime.for_parts(sums_.size(), 256, [&](Index first, Index end) {
      for (Index n = rows.begin; n < rows.end; ++n)
        for (Index i = std::max(first, n + 1); i < end; ++i)
          sums_[i] += s.row(n - rows.begin)[i];
    });
    runtime.for_parts(rows.size(), 16, [&](Index first, Index end) {
      for (Index n = first; n < end; ++n)
        for (Index i = rows.begin + n + 1; i < sums_.size(); ++i)
          sums_[rows.begin + n] += s.row(n)[i];
    });
  }

  const SparseColumns *columns_;
  const FeatureList &features_;
  Array<int> next_, begin_;
  Array<double> values_; ///< scaled, at the positions of `columns_`
  Array<double> shared_, sums_;
};

} // namespace hitmiss::detail

#endif
