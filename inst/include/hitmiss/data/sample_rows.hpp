// Scaled training data repacked once, sample by sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SAMPLE_ROWS_HPP
#define HITMISS_DATA_SAMPLE_ROWS_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "../pairs/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "feature_tile.hpp"

namespace hitmiss {

/// row(n)[j] is feature j of sample n; rows are padded to whole cache lines
/// with NaN, which no comparison counts. Owns n_samples x n_features doubles.
class SampleRows {
public:
  SampleRows(const ScaledView &x, Runtime &runtime)
      : n_samples_(x.n_samples()), n_features_(x.n_features()),
        stride_(round_up(n_features_, 32)),
        values_(AlignedBuffer<double>::uninitialised(n_samples_ * stride_)) {
    constexpr std::ptrdiff_t block = 64;
    runtime.for_each((n_features_ + block - 1) / block,
                     [&](std::ptrdiff_t unit, int) {
                       const std::ptrdiff_t first = unit * block;
                       copy(x, first, std::min(block, n_features_ - first));
                     });
    for (std::ptrdiff_t n = 0; n < n_samples_; ++n)
      std::fill(values_.data() + n * stride_ + n_features_,
                values_.data() + (n + 1) * stride_,
                std::numeric_limits<double>::quiet_NaN());
  }

  std::ptrdiff_t n_samples() const { return n_samples_; }
  std::ptrdiff_t n_features() const { return n_features_; }
  /// Length of a row with its padding, a multiple of 32.
  std::ptrdiff_t padded() const { return stride_; }
  const double *row(std::ptrdiff_t n) const {
    return values_.data() + n * stride_;
  }

private:
  void copy(const ScaledView &x, std::ptrdiff_t first, std::ptrdiff_t count) {
    std::vector<double> tile(static_cast<std::size_t>(count * n_samples_));
    copy_tile(x, first, count, tile.data(), n_samples_);
    for (std::ptrdiff_t n = 0; n < n_samples_; ++n)
      for (std::ptrdiff_t f = 0; f < count; ++f)
        values_[n * stride_ + first + f] =
            tile[static_cast<std::size_t>(f * n_samples_ + n)];
  }

  std::ptrdiff_t n_samples_;
  std::ptrdiff_t n_features_;
  std::ptrdiff_t stride_;
  AlignedBuffer<double> values_;
};

} // namespace hitmiss

#endif
