// Rows of distances between all samples, held or measured whenever they are
// read. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_ROWS_HPP
#define HITMISS_PAIRS_DISTANCE_ROWS_HPP

#include <algorithm>
#include <utility>

#include "distances.hpp"

namespace hitmiss {

namespace detail {

/// Distances over as few features are measured again and again: that costs
/// less than fetching them from memory.
constexpr Index few_features = 32;
/// Samples in a unit of rows. Every unit reads the values of all samples: the
/// more features, the more rows are to share them.
constexpr Index narrow_unit = 32, wide_unit = 128;

} // namespace detail

/// The distances of SampleDistances between all samples, some rows at a time:
/// the same bits, held or not.
class DistanceRows {
public:
  /// Distances over many features are held, of at most `held` samples, in
  /// `memory`, which outlives the rows: whoever measures again and again uses
  /// the same, as fresh pages take their time.
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
      memory = PairMatrix<double>::uninitialised(n_samples_, n_samples_);
    const SampleRange all{0, n_samples_};
    distances_.measure(all, all, memory, runtime);
    held_ = &memory;
  }

  Index n_samples() const { return n_samples_; }
  /// Rows to ask for at a time, a multiple of 32.
  Index unit() const { return unit_; }

  /// The distances from samples `rows` to samples `columns`, in the place of
  /// what `out` held.
  void read(const SampleRange &rows, const SampleRange &columns,
            PairMatrix<double> &out, detail::DistanceMemory &memory,
            Runtime &runtime) const {
    if (held_ == nullptr)
      return distances_.measure(rows, columns, out, memory, runtime);
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
