// Margins of soft near hits and misses, by their definition and made up.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SOFT_MARGINS_HPP
#define HITMISS_TESTS_SOFT_MARGINS_HPP

#include <cmath>
#include <utility>
#include <vector>

#include <hitmiss/pairs/expected_margin.hpp>

/// Pmiss - Phit of all pairs, and the mass of hits among all others.
struct SoftMargins {
  std::vector<std::vector<double>> c;
  std::vector<double> hit_mass;
};

/// From distance(a, b), as written in the paper; long double has the range.
template <class Distance>
SoftMargins soft_margins(const hitmiss::ClassIndex &y, double sigma,
                         Distance distance) {
  const auto n = static_cast<std::size_t>(y.n_samples());
  SoftMargins result{std::vector<std::vector<double>>(n), {}};
  for (int a = 0; a < y.n_samples(); ++a) {
    std::vector<long double> near(n, 0.0L);
    long double hits = 0.0L, misses = 0.0L;
    for (int b = 0; b < y.n_samples(); ++b)
      if (b != a) {
        const auto at = static_cast<std::size_t>(b);
        near[at] = std::exp(-static_cast<long double>(distance(a, b)) / sigma);
        (y[b] == y[a] ? hits : misses) += near[at];
      }
    auto &row = result.c[static_cast<std::size_t>(a)];
    for (int b = 0; b < y.n_samples(); ++b) {
      const long double share = near[static_cast<std::size_t>(b)];
      row.push_back(static_cast<double>(b == a         ? 0.0L
                                        : y[b] == y[a] ? -share / hits
                                                       : share / misses));
    }
    result.hit_mass.push_back(static_cast<double>(hits / (hits + misses)));
  }
  return result;
}

/// C[n, i], as its user sees it.
inline double coefficient(const hitmiss::ExpectedMargins &margins,
                          std::ptrdiff_t n, std::ptrdiff_t i) {
  return margins.nearness.row(n)[i] * margins.factor(n, i);
}

/// Margins of n samples of three classes that no distances imply: any
/// nearness, symmetric or not, and any factors.
inline hitmiss::ExpectedMargins any_margins(std::ptrdiff_t n, bool symmetric,
                                            hitmiss::Runtime &runtime) {
  hitmiss::ExpectedMargins margins;
  margins.nearness = hitmiss::PairMatrix<double>(n, n);
  for (std::ptrdiff_t a = 0; a < n; ++a)
    for (std::ptrdiff_t b = 0; b < n; ++b)
      margins.nearness.row(a)[b] =
          a == b ? 0.0
                 : std::sin(static_cast<double>(symmetric ? 3 * (a + b) + a * b
                                                          : 3 * a + b));
  if (!symmetric)
    margins.transposed = hitmiss::detail::transposed(margins.nearness, runtime);
  for (auto *vector : {&margins.labels, &margins.hit, &margins.miss})
    *vector = hitmiss::AlignedBuffer<double>(margins.nearness.stride());
  for (std::ptrdiff_t a = 0; a < n; ++a) {
    margins.labels[a] = static_cast<double>(a * a % 3);
    margins.hit[a] = -1.0 - 0.01 * static_cast<double>(a);
    margins.miss[a] = 0.5 + 0.02 * static_cast<double>(a);
  }
  for (std::ptrdiff_t a = 0; a < n; ++a) {
    double sum = 0.0;
    for (std::ptrdiff_t b = 0; b < n; ++b)
      sum += coefficient(margins, a, b);
    margins.row_sums.push_back(sum);
  }
  return margins;
}

#endif
