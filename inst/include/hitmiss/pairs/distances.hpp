// Weighted distances between samples, all at once or part by part, held or
// measured whenever they are read.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCES_HPP
#define HITMISS_PAIRS_DISTANCES_HPP

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_sum.hpp"

namespace hitmiss {

namespace detail {

inline Array<double> gather(const Array<double> &values,
                            const FeatureList &at) {
  Array<double> result;
  result.reserve(at.size());
  for (const Index j : at)
    result.push_back(values[j]);
  return result;
}

/// Copies the triangle above the diagonal of n samples to the one below it.
inline void mirror(PairMatrix<double> &pairs, Index n, Runtime &runtime) {
  constexpr Index part = 64;
  runtime.for_parts(n, part, [&](Index begin, Index end) {
    for (Index c = 0; c < end; c += part)
      for (Index row = begin; row < end; ++row)
        for (Index i = c; i < std::min(c + part, row); ++i)
          pairs.row(row)[i] = pairs.row(i)[row];
  });
}

} // namespace detail

/// Measures d(n, i) = sum_j w_j |x_nj - x_ij|, or the root of sum_j w_j (x_nj -
/// x_ij)^2, where n is a row and i a column. Rows and columns are samples of
/// two views of equal scaling, or of one view. Features with w_j <= 0 and
/// constant ones are skipped. A distance is the same to the bit, whatever
/// ranges are measured. The views must outlive the object. `gaps`: see
/// missing_gaps(); if either sample lacks feature j (NaN), gaps[j] replaces
/// their difference (or its square). Empty: no value is missing.
class SampleDistances {
public:
  SampleDistances(const ScaledView &rows, const ScaledView &columns,
                  const Array<double> &weights, Metric metric, SimdLevel simd,
                  const Array<double> &gaps = {})
      : rows_(rows), columns_(columns), metric_(metric), simd_(simd) {
    FeatureList sparse;
    for (Index j = 0; j < columns.n_features(); ++j) {
      if (!(weights[j] > 0.0) || columns.is_constant(j))
        continue;
      if (!gaps.empty() && gaps[j] >= 0.0)
        masked_.push_back(j);
      else if (rows.raw.sparse() && detail::is_sparse(columns, j))
        sparse.push_back(j);
      else
        dense_.push_back(j);
    }
    n_features_ = dense_.size() + masked_.size() + sparse.size();
    dense_weights_ = detail::gather(weights, dense_);
    masked_weights_ = detail::gather(weights, masked_);
    if (!masked_.empty())
      gaps_ = detail::gather(gaps, masked_);
    if (!sparse.empty())
      sparse_ = std::make_unique<detail::SparseDistances>(
          rows, columns, metric, sparse, detail::gather(weights, sparse));
  }
  SampleDistances(const ScaledView &x, const Array<double> &weights,
                  Metric metric, SimdLevel simd, const Array<double> &gaps = {})
      : SampleDistances(x, x, weights, metric, simd, gaps) {}

  Index n_rows() const { return rows_.n_samples(); }
  Index n_columns() const { return columns_.n_samples(); }
  const ScaledView &columns() const { return columns_; }
  Metric metric() const { return metric_; }
  /// The number of features that are not skipped.
  Index n_features() const { return n_features_; }
  bool same_samples() const { return rows_.raw.same_values(columns_.raw); }
  /// Says whether the values are read in tiles of all samples, so that every
  /// part costs a pass over the data.
  bool in_tiles() const { return columns_.raw.tiles != nullptr; }

  /// The pair features (pairs of samples x features) of all distances.
  /// measure() counts them as progress.
  double pair_features() const {
    return (same_samples() ? 0.5 : 1.0) * static_cast<double>(n_rows()) *
           static_cast<double>(n_columns()) * static_cast<double>(n_features());
  }

  /// Writes the distances between two ranges into `out`, which must have room
  /// for them; its padding is unspecified. If both are the same range of the
  /// same samples, half are computed. Counts pair features as progress.
  void measure(const SampleRange &rows, const SampleRange &columns,
               PairMatrix<double> &out, Runtime &runtime) const {
    const bool same = same_samples() && rows == columns;
    const auto each_row = [&](auto work) {
      runtime.for_parts(
          rows.size(), detail::row_part, [&](Index begin, Index end) {
            for (Index n = begin; n < end; ++n)
              work(out.row(n) + (same ? begin : 0), out.row(n) + out.stride());
          });
    };
    each_row([](double *from, double *to) { std::fill(from, to, 0.0); });
    const detail::DistanceSum sum({rows_, rows}, {columns_, columns}, metric_,
                                  simd_);
    sum.run(dense_, dense_weights_, nullptr, out, runtime);
    if (!masked_.empty())
      sum.run(masked_, masked_weights_, gaps_.data(), out, runtime);
    if (sparse_) {
      sparse_->add(rows, columns, out, runtime);
      runtime.advance(sum.n_pairs() *
                      (n_features_ - dense_.size() - masked_.size()));
    }
    if (metric_ == Metric::euclidean)
      each_row([](double *from, double *to) {
        for (; from < to; ++from)
          *from = std::sqrt(std::max(0.0, *from));
      });
    if (same)
      detail::mirror(out, rows.size(), runtime);
  }

private:
  const ScaledView &rows_, &columns_;
  Metric metric_;
  SimdLevel simd_;
  Index n_features_;
  FeatureList dense_, masked_;
  Array<double> dense_weights_, masked_weights_, gaps_;
  std::unique_ptr<detail::SparseDistances> sparse_;
};

/// Returns the distances of all pairs of N samples. The matrix is symmetric,
/// with 0 on the diagonal; its padding is unspecified. Time: N^2 J / 2 pair
/// features, J features. Memory: N^2 doubles and 4 MB.
inline PairMatrix<double> sample_distances(const ScaledView &x,
                                           const Array<double> &weights,
                                           Metric metric, SimdLevel simd,
                                           Runtime &runtime) {
  PairMatrix<double> distances(x.n_samples(), x.n_samples());
  const SampleRange all{0, x.n_samples()};
  SampleDistances(x, weights, metric, simd)
      .measure(all, all, distances, runtime);
  return distances;
}

namespace detail {

/// Distances over at most this many features are measured again at each read,
/// which takes less time than reading them from memory.
constexpr Index few_features = 32;
/// The rows in a unit. Every unit reads the values of all samples: if there are
/// many features, more rows share this cost (5 to 9 % of LOGO's time).
constexpr Index narrow_unit = 32, wide_unit = 128;

} // namespace detail

/// Gives the Manhattan distances between all samples, some rows at a time,
/// identical to the bit whether held in memory or measured again.
class DistanceRows {
public:
  /// If more than `few_features` features are not skipped and there are at most
  /// `held` samples, all distances are computed now and held in `memory`. The
  /// caller owns `memory`; passing it to the next object too saves page faults.
  DistanceRows(const ScaledView &x, const Array<double> &weights,
               SimdLevel simd, Index held, PairMatrix<double> &memory,
               Runtime &runtime)
      : distances_(x, weights, Metric::manhattan, simd),
        n_samples_(x.n_samples()) {
    const bool many = distances_.n_features() > detail::few_features;
    unit_ = many ? detail::wide_unit : detail::narrow_unit;
    if (!many || n_samples_ > held)
      return;
    if (memory.n_rows() != n_samples_)
      memory = PairMatrix<double>(n_samples_, n_samples_);
    const SampleRange all{0, n_samples_};
    distances_.measure(all, all, memory, runtime);
    held_ = &memory;
  }

  Index n_samples() const { return n_samples_; }
  /// The number of rows to read() at a time, a multiple of 32.
  Index unit() const { return unit_; }

  /// Writes the distances from samples `rows` to samples `columns` into `out`,
  /// which must have room for them.
  void read(const SampleRange &rows, const SampleRange &columns,
            PairMatrix<double> &out, Runtime &runtime) const {
    if (held_ == nullptr)
      return distances_.measure(rows, columns, out, runtime);
    for (Index n = rows.begin; n < rows.end; ++n)
      std::copy(held_->row(n) + columns.begin, held_->row(n) + columns.end,
                out.row(n - rows.begin));
  }

private:
  SampleDistances distances_;
  Index n_samples_, unit_;
  const PairMatrix<double> *held_ = nullptr;
};

} // namespace hitmiss

#endif
