// Margins of soft near hits and misses, by their definition and made up.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SOFT_MARGINS_HPP
#define HITMISS_TESTS_SOFT_MARGINS_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include <hitmiss/soft/soft_neighbours.hpp>

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

/// C, as its user sees it.
inline hitmiss::PairMatrix<double> all_rows(hitmiss::SoftNeighbours &margins,
                                            hitmiss::Runtime &runtime) {
  const Index n = margins.n_samples();
  hitmiss::PairMatrix<double> all(n, n);
  margins.for_rows(runtime, [&](const hitmiss::SampleRange &rows,
                                const hitmiss::PairMatrix<double> &c) {
    for (Index a = rows.begin; a < rows.end; ++a)
      std::copy(c.row(a - rows.begin), c.row(a - rows.begin) + c.stride(),
                all.row(a));
  });
  return all;
}

/// Labels of three classes, of two where samples are few.
inline hitmiss::ClassIndex some_classes(Index n) {
  Array<int> labels(n);
  for (Index a = 0; a < n; ++a)
    labels[a] = static_cast<int>(a * a % 3) + (a == 5 ? 1 : 0);
  return {labels, 3};
}

#endif
