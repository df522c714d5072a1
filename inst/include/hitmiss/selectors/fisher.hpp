// The Fisher score: between-class over within-class variance.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_FISHER_HPP
#define HITMISS_SELECTORS_FISHER_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../data/class_index.hpp"
#include "../data/matrix_view.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {
namespace detail {

inline double fisher_score(const std::vector<double> &x, const ClassIndex &y) {
  double largest = 0.0;
  for (double value : x)
    largest = std::max(largest, std::abs(value));
  if (largest == 0.0)
    return 0.0;
  const auto at = [&](int n) {
    return x[static_cast<std::size_t>(n)] / largest;
  };
  double mean = 0.0;
  for (int n = 0; n < y.n_samples(); ++n)
    mean += at(n) / y.n_samples();
  double between = 0.0, within = 0.0;
  for (int c = 0; c < y.n_classes(); ++c) {
    double class_mean = 0.0;
    for (int n : y.members(c))
      class_mean += at(n) / y.count(c);
    for (int n : y.members(c))
      within += (at(n) - class_mean) * (at(n) - class_mean);
    between += y.count(c) * (class_mean - mean) * (class_mean - mean);
  }
  if (within > 0.0)
    return std::min(between / within, std::numeric_limits<double>::max());
  return between > 0.0 ? std::numeric_limits<double>::max() : 0.0;
}

} // namespace detail

/// sum_c n_c (m_c - m)^2 / sum_c n_c v_c for every feature; 0 for a constant
/// one, the largest double where classes differ and do not vary.
inline std::vector<double>
fisher_scores(const MatrixView &x, const ClassIndex &y, Runtime &runtime) {
  constexpr std::ptrdiff_t block = 256;
  std::vector<double> scores(static_cast<std::size_t>(x.n_features));
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
          scores[static_cast<std::size_t>(j)] = detail::fisher_score(values, y);
        }
      });
  return scores;
}

} // namespace hitmiss

#endif
