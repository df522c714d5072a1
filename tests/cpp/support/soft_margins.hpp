// Margins of soft near hits and misses, by their definition and made up.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SOFT_MARGINS_HPP
#define HITMISS_TESTS_SOFT_MARGINS_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include <hitmiss/pairs/expected_margin.hpp>

using hitmiss::Array;
using hitmiss::Index;

/// Pmiss - Phit of all pairs, and the mass of hits among all others.
struct SoftMargins {
  Array<Array<double>> c;
  Array<double> hit_mass;
};

/// From distance(a, b), as written in the paper, but that each kind's nearest
/// is taken out of its sum: long doubles underflow too.
template <class Distance>
SoftMargins soft_margins(const hitmiss::ClassIndex &y, double sigma,
                         Distance distance) {
  const Index n = y.n_samples();
  SoftMargins result{Array<Array<double>>(n), {}};
  for (int a = 0; a < y.n_samples(); ++a) {
    Array<long double> near(n, 0.0L);
    long double hits = 0.0L, misses = 0.0L;
    long double nearest_hit = HUGE_VALL, nearest_miss = HUGE_VALL;
    const auto nearest = [&](int b) -> long double & {
      return y[b] == y[a] ? nearest_hit : nearest_miss;
    };
    for (int b = 0; b < y.n_samples(); ++b)
      if (b != a)
        nearest(b) = std::min<long double>(nearest(b), distance(a, b));
    for (int b = 0; b < y.n_samples(); ++b)
      if (b != a) {
        const Index at = b;
        const long double d = distance(a, b);
        near[at] = std::exp((nearest(b) - d) / sigma);
        (y[b] == y[a] ? hits : misses) += near[at];
      }
    auto &row = result.c[a];
    for (int b = 0; b < y.n_samples(); ++b) {
      const long double share = near[b];
      row.push_back(static_cast<double>(b == a         ? 0.0L
                                        : y[b] == y[a] ? -share / hits
                                                       : share / misses));
    }
    const long double farther =
        misses == 0.0L
            ? 0.0L
            : misses * std::exp((nearest_hit - nearest_miss) / sigma);
    result.hit_mass.push_back(
        hits == 0.0L ? 0.0 : static_cast<double>(hits / (hits + farther)));
  }
  return result;
}

/// C[n, i], as its user sees it.
inline double coefficient(const hitmiss::ExpectedMargins &margins, Index n,
                          Index i) {
  return margins.nearness.row(n)[i] * margins.factor(n, i);
}

/// Margins of n samples of three classes that no distances imply: any
/// nearness, symmetric or not, and any factors.
inline hitmiss::ExpectedMargins any_margins(Index n, bool symmetric,
                                            hitmiss::Runtime &runtime) {
  hitmiss::ExpectedMargins margins;
  margins.nearness = hitmiss::PairMatrix<double>(n, n);
  for (Index a = 0; a < n; ++a)
    for (Index b = 0; b < n; ++b)
      margins.nearness.row(a)[b] =
          a == b ? 0.0
                 : std::sin(static_cast<double>(symmetric ? 3 * (a + b) + a * b
                                                          : 3 * a + b));
  if (!symmetric)
    margins.transposed = hitmiss::detail::transposed(margins.nearness, runtime);
  for (auto *vector : {&margins.labels, &margins.hit, &margins.miss})
    *vector = hitmiss::AlignedBuffer<double>(margins.nearness.stride());
  for (Index a = 0; a < n; ++a) {
    margins.labels[a] = static_cast<double>(a * a % 3);
    margins.hit[a] = -1.0 - 0.01 * static_cast<double>(a);
    margins.miss[a] = 0.5 + 0.02 * static_cast<double>(a);
  }
  for (Index a = 0; a < n; ++a) {
    double sum = 0.0;
    for (Index b = 0; b < n; ++b)
      sum += coefficient(margins, a, b);
    margins.row_sums.push_back(sum);
  }
  return margins;
}

#endif
