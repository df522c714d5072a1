// Blocks of features that only the calling thread can fetch, one after the
// other, and what is done with each while the next one is on its way.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FEATURE_SOURCE_HPP
#define HITMISS_DATA_FEATURE_SOURCE_HPP

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "../runtime/runtime.hpp"
#include "scratch_file.hpp"

namespace hitmiss {

/// All samples of features [first, first + values.n_features), as an array.
/// In i32 the smallest number stands for a missing value.
struct FeatureBlock {
  Index first = 0;
  MatrixView values;
};

class FeatureSource {
public:
  virtual ~FeatureSource() = default;
  virtual Index n_blocks() const = 0;
  /// Block k, which stays valid until its slot (0 or 1) is fetched into again.
  /// Called on the thread that owns the source; may throw.
  virtual FeatureBlock fetch(Index k, int slot) = 0;
};

/// Calls use(block) for every block in order. With more than one thread, block
/// k + 1 is fetched on the calling thread while another one uses block k, so
/// `use` must not touch what belongs to the caller's thread, nor share out
/// work itself.
template <class Use>
void for_each_block(FeatureSource &source, Runtime &runtime, Use use) {
  const Index n = source.n_blocks();
  const int slots = runtime.threads() > 1 ? 2 : 1;
  int slot = 0;
  FeatureBlock block, next;
  if (n > 0)
    next = source.fetch(0, 0);
  for (Index k = 0; k < n; ++k) {
    block = next;
    runtime.checkpoint();
    runtime.overlap([&] { use(block); },
                    [&] {
                      if (k + 1 < n)
                        next = source.fetch(k + 1, slot = (slot + 1) % slots);
                    });
  }
}

/// Thrown where a value is missing or infinite.
struct NotFinite : std::exception {
  NotFinite(Index j, Index n) : feature(j), sample(n) {}
  const char *what() const noexcept override { return "not finite"; }
  Index feature, sample;
};

namespace detail {

inline double number(double value) { return value; }
inline double number(int value) {
  return value == std::numeric_limits<int>::min()
             ? std::numeric_limits<double>::quiet_NaN()
             : value;
}

template <class In>
void raw_tile_as(const MatrixView &block, Index from, Index count,
                 double *out) {
  const auto *data = static_cast<const In *>(block.data);
  const Index n = block.n_samples;
  // Squares of whole cache lines, whichever way the numbers lie.
  constexpr Index step = 16;
  for (Index f = 0; f < count; f += step)
    for (Index i = 0; i < n; i += step)
      for (Index g = f; g < std::min(f + step, count); ++g) {
        const In *feature = data + (from + g) * block.feature_stride;
        for (Index k = i; k < std::min(i + step, n); ++k)
          out[g * n + k] = number(feature[k * block.sample_stride]);
      }
}

/// Copies features [from, from + count) of a block, feature by feature.
/// Missing ints become NaN.
inline void raw_tile(const MatrixView &block, Index from, Index count,
                     double *out) {
  if (block.type == Scalar::f64)
    raw_tile_as<double>(block, from, count, out);
  else
    raw_tile_as<int>(block, from, count, out);
}

/// The place of the first number that is not finite, or `count`.
inline Index first_not_finite(const double *numbers, Index count) {
  bool bad = false; // without a way out the loop takes whole vectors
  for (Index i = 0; i < count; ++i)
    bad |= !(std::abs(numbers[i]) <= std::numeric_limits<double>::max());
  return !bad ? count : std::find_if(numbers, numbers + count, [](double x) {
                          return !std::isfinite(x);
                        }) - numbers;
}

} // namespace detail

/// Copies a source to a scratch file, samples of a feature side by side.
/// Feature j of the source becomes feature places[j] (empty: j). Throws
/// NotFinite at the first value that is; the file is then incomplete.
inline void copy_to_scratch(FeatureSource &source, const Array<int> &places,
                            ScratchFile &file, Runtime &runtime) {
  constexpr Index step = 256;
  Array<double> tile;
  runtime.monitor().expect(source.n_blocks());
  for_each_block(source, runtime, [&](const FeatureBlock &block) {
    const Index n = block.values.n_samples;
    const Index total = block.values.n_features;
    tile.resize(step * n);
    for (Index f = 0; f < total; f += step) {
      const Index count = std::min(step, total - f);
      detail::raw_tile(block.values, f, count, tile.data());
      const Index bad = detail::first_not_finite(tile.data(), count * n);
      if (bad < count * n)
        throw NotFinite(block.first + f + bad / n, bad % n);
      if (places.empty())
        file.write(tile.data(), count * n, (block.first + f) * n);
      for (Index g = 0; g < count && !places.empty(); ++g) {
        const Index at = block.first + f + g;
        file.write(tile.data() + g * n, n, places[at] * n);
      }
    }
    runtime.monitor().advance();
  });
}

/// A scratch file that holds the features of one sample after those of the
/// other, as blocks of features. O(n_samples) reads for each block.
class TurnedSource final : public FeatureSource {
public:
  TurnedSource(const ScratchFile &file, Index n_samples, Index n_features)
      : file_(file), n_samples_(n_samples), n_features_(n_features),
        step_(std::max<Index>(256, (1 << 20) / n_samples)) {} // 8 MB

  Index n_blocks() const override { return (n_features_ + step_ - 1) / step_; }
  FeatureBlock fetch(Index k, int slot) override {
    const Index first = k * step_;
    const Index count = std::min(step_, n_features_ - first);
    auto &values = slots_[slot];
    values.resize(count * n_samples_);
    for (Index n = 0; n < n_samples_; ++n)
      file_.read(values.data() + n * count, count, n * n_features_ + first);
    FeatureBlock block;
    block.first = first;
    block.values = view_by_feature(values.data(), n_samples_, count);
    block.values.sample_stride = count;
    block.values.feature_stride = 1;
    return block;
  }

private:
  const ScratchFile &file_;
  Index n_samples_, n_features_, step_;
  Array<double> slots_[2];
};

} // namespace hitmiss

#endif
