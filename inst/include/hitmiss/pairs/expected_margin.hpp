// Soft near hits and misses: the chances that a sample is the nearest one.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_EXPECTED_MARGIN_HPP
#define HITMISS_PAIRS_EXPECTED_MARGIN_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../data/class_index.hpp"
#include "../runtime/runtime.hpp"
#include "aligned_buffer.hpp"

namespace hitmiss {

namespace detail {

constexpr std::ptrdiff_t margin_rows = 32; // rows of a pair matrix per unit

/// Turns one row of distances into Pmiss - Phit in place; returns the mass of
/// hits relative to all others (0 without hits), both shifted alike.
inline double margin_row(double *row, std::ptrdiff_t n, const ClassIndex &y,
                         double sigma) {
  const std::ptrdiff_t n_samples = y.n_samples();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int own = y[n];
  // Two chains of minima and sums in registers: an array indexed by the kind
  // would make every sample wait for the one before.
  double nearest_hit = infinity, nearest_miss = infinity;
  row[n] = infinity;
  for (std::ptrdiff_t i = 0; i < n_samples; ++i) {
    const bool hit = y[i] == own;
    nearest_hit = std::min(nearest_hit, hit ? row[i] : infinity);
    nearest_miss = std::min(nearest_miss, hit ? infinity : row[i]);
  }
  // Shifted by the smallest distance of its kind, no softmax can underflow.
  for (std::ptrdiff_t i = 0; i < n_samples; ++i)
    row[i] =
        std::exp(((y[i] == own ? nearest_hit : nearest_miss) - row[i]) / sigma);
  row[n] = 0.0;
  double hits = 0.0, misses = 0.0;
  for (std::ptrdiff_t i = 0; i < n_samples; ++i) {
    const bool hit = y[i] == own;
    hits += hit ? row[i] : 0.0;
    misses += hit ? 0.0 : row[i];
  }
  const double per_hit = -1.0 / hits, per_miss = 1.0 / misses;
  for (std::ptrdiff_t i = 0; i < n_samples; ++i)
    row[i] *= y[i] == own ? per_hit : per_miss;
  row[n] = 0.0; // alone in its class: 0 / 0
  if (hits == 0.0)
    return 0.0;
  return hits /
         (hits + misses * std::exp((nearest_hit - nearest_miss) / sigma));
}

} // namespace detail

/// Replaces distances by C[n, i] = Pmiss(n, i) - Phit(n, i), each the softmax
/// of -d / sigma over its kind (all other classes pooled; own class without n
/// itself). A sample without hits has its misses alone. Zeroes the padding.
/// Returns for every sample the mass of its hits among all others (I-Relief's
/// gamma). O(N^2) exponentials.
inline std::vector<double> expected_margins(PairMatrix<double> &pairs,
                                            const ClassIndex &y, double sigma,
                                            Runtime &runtime) {
  using detail::margin_rows;
  const std::ptrdiff_t n_samples = y.n_samples();
  std::vector<double> hit_mass(static_cast<std::size_t>(n_samples));
  const std::ptrdiff_t rows = padded_samples(n_samples);
  runtime.for_each(rows / margin_rows, [&](std::ptrdiff_t unit, int) {
    for (std::ptrdiff_t n = unit * margin_rows; n < (unit + 1) * margin_rows;
         ++n) {
      double *row = pairs.row(n);
      std::ptrdiff_t used = 0;
      if (n < n_samples) {
        hit_mass[static_cast<std::size_t>(n)] =
            detail::margin_row(row, n, y, sigma);
        used = n_samples;
      }
      std::fill(row + used, row + pairs.stride(), 0.0);
    }
  });
  return hit_mass;
}

/// The transposed matrix, padding and all. O(N^2).
inline PairMatrix<double> transposed(const PairMatrix<double> &pairs,
                                     Runtime &runtime) {
  using detail::margin_rows;
  PairMatrix<double> result(pairs.n_columns(), pairs.n_rows());
  const std::ptrdiff_t n = pairs.stride();
  runtime.for_each(n / margin_rows, [&](std::ptrdiff_t unit, int) {
    const std::ptrdiff_t begin = unit * margin_rows, end = begin + margin_rows;
    for (std::ptrdiff_t c = 0; c < n; c += margin_rows)
      for (std::ptrdiff_t row = begin; row < end; ++row)
        for (std::ptrdiff_t i = c; i < c + margin_rows; ++i)
          result.row(row)[i] = pairs.row(i)[row];
  });
  return result;
}

/// S[n, i] = r_n C[n, i] + r_i C[i, n] for n < i, else 0: then sum_n r_n z_nj
/// = sum_{n < i} S[n, i] |x_nj - x_ij| without any z. O(N^2).
template <class T>
void symmetric_margins(const PairMatrix<double> &c,
                       const PairMatrix<double> &c_transposed,
                       const std::vector<double> &r, PairMatrix<T> &s,
                       Runtime &runtime) {
  using detail::margin_rows;
  const std::ptrdiff_t n_samples = c.n_rows();
  runtime.for_each(
      (n_samples + margin_rows - 1) / margin_rows,
      [&](std::ptrdiff_t unit, int) {
        const std::ptrdiff_t end =
            std::min((unit + 1) * margin_rows, n_samples);
        for (std::ptrdiff_t n = unit * margin_rows; n < end; ++n) {
          const double *row = c.row(n), *column = c_transposed.row(n);
          const double r_n = r[static_cast<std::size_t>(n)];
          T *out = s.row(n);
          for (std::ptrdiff_t i = n + 1; i < n_samples; ++i)
            out[i] = static_cast<T>(r_n * row[i] +
                                    r[static_cast<std::size_t>(i)] * column[i]);
        }
      });
}

} // namespace hitmiss

#endif
