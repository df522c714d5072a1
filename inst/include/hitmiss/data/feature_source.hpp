// Features that only the calling thread can fetch, some at a time, and their
// copy to a scratch file.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FEATURE_SOURCE_HPP
#define HITMISS_DATA_FEATURE_SOURCE_HPP

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "../runtime/runtime.hpp"
#include "matrix_view.hpp"
#include "scratch_file.hpp"

namespace hitmiss {

/// All samples of features [first, first + values.n_features), as an array.
struct FeatureChunk {
  Index first = 0;
  MatrixView values;
};

class FeatureSource {
public:
  virtual ~FeatureSource() = default;
  virtual Index n_chunks() const = 0;
  /// Chunk k, which stays valid until its slot (0 or 1) is fetched into again.
  /// Called on the thread that owns the source; may throw.
  virtual FeatureChunk fetch(Index k, int slot) = 0;
};

/// Calls use(chunk) for every chunk in order. With more than one thread, chunk
/// k + 1 is fetched on the calling thread while another one uses chunk k, so
/// `use` must not touch what belongs to the caller's thread, nor share out
/// work itself.
template <class Use>
void for_each_chunk(FeatureSource &source, Runtime &runtime, Use use) {
  const Index n = source.n_chunks();
  const int slots = runtime.threads() > 1 ? 2 : 1;
  int slot = 0;
  FeatureChunk chunk, next;
  if (n > 0)
    next = source.fetch(0, 0);
  for (Index k = 0; k < n; ++k) {
    chunk = next;
    runtime.checkpoint();
    runtime.overlap([&] { use(chunk); },
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

template <class In>
void raw_tile_as(const MatrixView &chunk, Index from, Index count,
                 double *out) {
  const auto *data = static_cast<const In *>(chunk.data);
  const Index n = chunk.n_samples;
  // Squares of whole cache lines, whichever way the numbers lie.
  constexpr Index step = 16;
  for (Index f = 0; f < count; f += step)
    for (Index i = 0; i < n; i += step)
      for (Index g = f; g < std::min(f + step, count); ++g) {
        const In *feature = data + (from + g) * chunk.feature_stride;
        for (Index k = i; k < std::min(i + step, n); ++k)
          out[g * n + k] = number(feature[k * chunk.sample_stride]);
      }
}

/// Copies features [from, from + count) of a chunk, feature by feature.
/// Missing ints become NaN.
inline void raw_tile(const MatrixView &chunk, Index from, Index count,
                     double *out) {
  if (chunk.type == Scalar::f64)
    raw_tile_as<double>(chunk, from, count, out);
  else
    raw_tile_as<int>(chunk, from, count, out);
}

/// The place of the first number that is not finite, or `count`.
inline Index first_not_finite(const double *numbers, Index count) {
  bool bad = false; // a loop without an early exit is vectorised
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
  runtime.monitor().expect(source.n_chunks());
  for_each_chunk(source, runtime, [&](const FeatureChunk &chunk) {
    const Index n = chunk.values.n_samples;
    const Index total = chunk.values.n_features;
    tile.resize(step * n);
    for (Index f = 0; f < total; f += step) {
      const Index count = std::min(step, total - f);
      detail::raw_tile(chunk.values, f, count, tile.data());
      const Index bad = detail::first_not_finite(tile.data(), count * n);
      if (bad < count * n)
        throw NotFinite(chunk.first + f + bad / n, bad % n);
      if (places.empty())
        file.write(tile.data(), count * n, (chunk.first + f) * n);
      for (Index g = 0; g < count && !places.empty(); ++g) {
        const Index at = chunk.first + f + g;
        file.write(tile.data() + g * n, n, places[at] * n);
      }
    }
    runtime.monitor().advance();
  });
}

} // namespace hitmiss

#endif
