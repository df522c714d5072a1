// Raw values of features, each one's side by side, from any orientation.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FEATURE_VALUES_HPP
#define HITMISS_DATA_FEATURE_VALUES_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../runtime/runtime.hpp"
#include "matrix_view.hpp"

namespace hitmiss {

/// Calls `work(j, values)` once for every feature j, several at once;
/// `values` holds the feature's n_samples raw numbers until the call returns.
template <class Work>
void for_each_feature(const MatrixView &x, Runtime &runtime, Work work) {
  constexpr std::ptrdiff_t block = 256;
  runtime.for_each(
      (x.n_features + block - 1) / block, [&](std::ptrdiff_t b, int) {
        std::vector<double> values(static_cast<std::size_t>(x.n_samples));
        std::vector<double> buffer;
        const std::ptrdiff_t first = b * block;
        const std::ptrdiff_t end = std::min(x.n_features, first + block);
        const MatrixView raw = feature_range(x, first, end - first, buffer);
        for (std::ptrdiff_t j = first; j < end; ++j) {
          for (std::ptrdiff_t n = 0; n < x.n_samples; ++n)
            values[static_cast<std::size_t>(n)] = raw(n, j - first);
          work(j, values);
        }
      });
}

/// out[k * n_samples + n] = raw value of feature features[k] of sample n.
inline void copy_raw_features(const MatrixView &x,
                              const std::vector<std::ptrdiff_t> &features,
                              double *out, Runtime &runtime) {
  constexpr std::size_t block = 64;
  runtime.for_each(
      static_cast<std::ptrdiff_t>((features.size() + block - 1) / block),
      [&](std::ptrdiff_t unit, int) {
        std::vector<double> buffer;
        const std::size_t first = static_cast<std::size_t>(unit) * block;
        for (std::size_t k = first;
             k < std::min(features.size(), first + block); ++k) {
          const MatrixView raw = feature_range(x, features[k], 1, buffer);
          double *to = out + static_cast<std::ptrdiff_t>(k) * x.n_samples;
          for (std::ptrdiff_t n = 0; n < x.n_samples; ++n)
            to[n] = raw(n, 0);
        }
      });
}

} // namespace hitmiss

#endif
