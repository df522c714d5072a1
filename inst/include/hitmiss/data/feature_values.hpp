// One feature at a time, its values side by side, in any orientation.
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

} // namespace hitmiss

#endif
