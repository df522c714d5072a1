// A copy of scaled training data, sample by sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PWFP_SAMPLE_ROWS_HPP
#define HITMISS_PWFP_SAMPLE_ROWS_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../data/scratch_file.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

/// The scaled values, sample by sample: number n * padded() + j is feature j of
/// sample n. Rows are padded to whole cache lines with NaN, which no comparison
/// counts. They lie in memory or in a file.
class SampleRows {
public:
  /// `file` is where the rows go; nullptr means memory.
  SampleRows(const ScaledView &x, std::shared_ptr<ScratchFile> file,
             Runtime &runtime)
      : n_samples_(x.n_samples()), n_features_(x.n_features()),
        stride_(round_up(n_features_, 32)), file_(std::move(file)) {
    if (file_)
      write(x, runtime);
    else
      hold(x, runtime);
  }

  /// The largest magnitude of all values.
  double largest() const {
    return *std::max_element(largest_.begin(), largest_.end());
  }
  Index n_samples() const { return n_samples_; }
  Index n_features() const { return n_features_; }
  /// The length of a row with its padding, a multiple of 32.
  Index padded() const { return stride_; }

  /// Memory for rows that are read from the file; it holds rows [first, first +
  /// count).
  struct Buffer {
    Index first = -1, count = 0;
    AlignedBuffer<double> values;
  };

  /// Returns rows [first, first + count). If rows lie in a file, they are read
  /// into `buffer`. Every thread must use a buffer of its own.
  const double *rows(Index first, Index count, Buffer &buffer) const {
    if (!file_)
      return values_.data() + first * stride_;
    if (buffer.first != first || buffer.count != count) {
      if (buffer.values.size() < count * stride_)
        buffer.values = AlignedBuffer<double>::uninitialised(count * stride_);
      file_->read(buffer.values.data(), count * stride_, first * stride_);
      buffer.first = first;
      buffer.count = count;
    }
    return buffer.values.data();
  }

private:
  static constexpr Index tile = 64; ///< features that are copied together

  void hold(const ScaledView &x, Runtime &runtime) {
    values_ = AlignedBuffer<double>::uninitialised(n_samples_ * stride_);
    largest_.resize(stride_ / tile + 1);
    runtime.for_parts(stride_, tile, [&](Index first, Index end) {
      largest_[first / tile] =
          copy(x, first, end - first, values_.data() + first, stride_);
    });
  }

  /// Writes strips of features, so that a row is written in few pieces.
  void write(const ScaledView &x, Runtime &runtime) {
    const Index strip = round_up(std::max<Index>(256, (1 << 20) / n_samples_),
                                 tile); // 8 MB
    largest_.resize(stride_ / tile + 1);
    runtime.for_parts(stride_, strip, [&](Index first, Index end) {
      const Index count = end - first;
      Array<double> turned(count * n_samples_);
      for (Index f = 0; f < count; f += tile)
        largest_[(first + f) / tile] = copy(
            x, first + f, std::min(tile, count - f), turned.data() + f, count);
      for (Index n = 0; n < n_samples_; ++n)
        file_->write(turned.data() + n * count, count, n * stride_ + first);
    });
  }

  /// Writes feature first + f of sample n to to[n * stride + f], and NaN beyond
  /// the last feature. Returns the largest magnitude.
  double copy(const ScaledView &x, Index first, Index count, double *to,
              Index stride) const {
    const Index there = std::min(count, n_features_ - first);
    Array<double> tile((std::max<Index>(0, there)) * n_samples_);
    if (there > 0)
      copy_tile(x, first, there, tile.data(), n_samples_);
    for (Index n = 0; n < n_samples_; ++n)
      for (Index f = 0; f < count; ++f)
        to[n * stride + f] = f < there
                                 ? tile[f * n_samples_ + n]
                                 : std::numeric_limits<double>::quiet_NaN();
    double largest = 0.0;
    for (const double value : tile)
      largest = std::max(largest, std::abs(value));
    return largest;
  }

  Index n_samples_;
  Index n_features_;
  Index stride_;
  std::shared_ptr<ScratchFile> file_;
  AlignedBuffer<double> values_;
  Array<double> largest_; ///< of each tile
};

} // namespace hitmiss

#endif
