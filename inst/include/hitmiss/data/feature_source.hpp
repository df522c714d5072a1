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
#include "feature_tile.hpp"
#include "require_values.hpp"
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
  /// Returns chunk k, which is valid until the next call. It is called on the
  /// thread that owns the source, and may throw.
  virtual FeatureChunk fetch(Index k) = 0;
};

/// Thrown if a value is infinite, or missing (NaN) although none may be.
struct NotFinite : std::exception {
  NotFinite(Index j, Index n) : feature(j), sample(n) {}
  const char *what() const noexcept override { return "not finite"; }
  Index feature, sample;
};

/// Copies a source to a scratch file, feature by feature. Feature j of the
/// source becomes feature places[j] (feature j if `places` is empty). Throws
/// NotFinite at the first value that is infinite or, unless `may_miss`, missing
/// (NaN); the file is then incomplete. Returns whether values are missing.
inline bool copy_to_scratch(FeatureSource &source, const Array<int> &places,
                            ScratchFile &file, Runtime &runtime,
                            bool may_miss = false) {
  constexpr Index step = 256;
  Array<double> tile;
  bool missing = false;
  runtime.monitor().expect(source.n_chunks());
  for (Index k = 0; k < source.n_chunks(); ++k) {
    runtime.checkpoint();
    const FeatureChunk chunk = source.fetch(k);
    const Index n = chunk.values.n_samples;
    const Index total = chunk.values.n_features;
    const Scaling as_is = identity_scaling(total);
    const ScaledView raw{chunk.values, &as_is};
    tile.resize(step * n);
    for (Index f = 0; f < total; f += step) {
      const Index count = std::min(step, total - f);
      copy_tile(raw, f, count, tile.data(), n);
      if (!all_finite(tile.data(), count * n)) {
        const Index bad = bad_entries(tile.data(), count * n, [&](double x) {
                            return may_miss ? std::isinf(x) : !std::isfinite(x);
                          }).first;
        if (bad >= 0)
          throw NotFinite(chunk.first + f + bad / n, bad % n);
        missing = true;
      }
      if (places.empty())
        file.write(tile.data(), count * n, (chunk.first + f) * n);
      for (Index g = 0; g < count && !places.empty(); ++g) {
        const Index at = chunk.first + f + g;
        file.write(tile.data() + g * n, n, places[at] * n);
      }
    }
    runtime.monitor().advance();
  }
  return missing;
}

} // namespace hitmiss

#endif
