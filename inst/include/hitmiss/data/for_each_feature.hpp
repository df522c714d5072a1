// Gives the raw values of a feature side by side, however the data are stored.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FOR_EACH_FEATURE_HPP
#define HITMISS_DATA_FOR_EACH_FEATURE_HPP

#include <algorithm>

#include "../runtime/runtime.hpp"
#include "matrix_view.hpp"

namespace hitmiss {

/// Calls work(j, values) once for every feature j, on several threads at once.
/// `values`: the feature's n_samples raw values, valid until the call returns.
template <class Work>
void for_each_feature(const MatrixView &x, Runtime &runtime, Work work) {
  runtime.for_parts(x.n_features, 256, [&](Index first, Index end) {
    Array<double> values(x.n_samples), buffer;
    const MatrixView raw = feature_range(x, first, end - first, buffer);
    for (Index j = first; j < end; ++j) {
      for (Index n = 0; n < x.n_samples; ++n)
        values[n] = raw(n, j - first);
      work(j, values);
    }
  });
}

namespace detail {

/// Throws unless all `places` (of features or samples) lie in [0, count).
inline void require_places(const Array<Index> &places, Index count) {
  for (const Index at : places)
    require(at >= 0 && at < count, "features and samples must lie within x");
}

} // namespace detail

/// Writes the raw values of some features: out[k * n_samples + n] becomes
/// feature features[k] of sample n.
inline void copy_raw_features(const MatrixView &x, const Array<Index> &features,
                              double *out, Runtime &runtime) {
  detail::require_places(features, x.n_features);
  runtime.for_parts(features.size(), 64, [&](Index first, Index end) {
    Array<double> buffer;
    for (Index k = first; k < end; ++k) {
      const MatrixView raw = feature_range(x, features[k], 1, buffer);
      double *to = out + k * x.n_samples;
      for (Index n = 0; n < x.n_samples; ++n)
        to[n] = raw(n, 0);
    }
  });
}

} // namespace hitmiss

#endif
