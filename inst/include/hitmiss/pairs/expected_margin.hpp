// Soft near hits and misses: the chances that a sample is the nearest one.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_EXPECTED_MARGIN_HPP
#define HITMISS_PAIRS_EXPECTED_MARGIN_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../data/class_index.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "allowed_pairs.hpp"
#include "distances.hpp"
#include "nearness_kernels.hpp"

namespace hitmiss {

/// C[n, i] = Pmiss(n, i) - Phit(n, i), each the softmax of -d / sigma over its
/// kind (all other classes pooled; own class without n itself), as products:
/// nearness(n, i) times a factor of sample n and the kind. Nearness alone is
/// symmetric unless distances are far apart, so one matrix serves both
/// directions. Rows and vectors are padded with 0 as pair matrices are.
struct ExpectedMargins {
  PairMatrix<double> nearness;
  PairMatrix<double> transposed; ///< empty where nearness is symmetric
  AlignedBuffer<double> labels;
  AlignedBuffer<double> hit, miss; ///< factors: of own class, of the others
  Array<double> row_sums;          ///< of C: 0; without hits 1, nor misses 0
  Array<double> hit_mass;          ///< of all others (I-Relief's gamma)

  Index n_samples() const { return nearness.n_rows(); }
  /// nearness(i, n) for all samples i.
  const double *column(Index n) const { return columns().row(n); }
  const PairMatrix<double> &columns() const {
    return transposed.n_rows() > 0 ? transposed : nearness;
  }
  double factor(Index n, Index i) const {
    return labels[n] == labels[i] ? hit[n] : miss[n];
  }
};

namespace detail {

constexpr Index margin_rows = 32; // rows of a pair matrix per unit

/// The transposed matrix, padding and all. O(N^2).
inline PairMatrix<double> transposed(const PairMatrix<double> &pairs,
                                     Runtime &runtime) {
  PairMatrix<double> result(pairs.n_columns(), pairs.n_rows());
  const Index n = pairs.stride();
  runtime.for_parts(n, margin_rows, [&](Index begin, Index end) {
    for (Index c = 0; c < n; c += margin_rows)
      for (Index row = begin; row < end; ++row)
        for (Index i = c; i < c + margin_rows; ++i)
          result.row(row)[i] = pairs.row(i)[row];
  });
  return result;
}

/// Half the largest range of exponents that one shift can serve: nearness and
/// its products stay within e^+-600.
constexpr double widest_exponent = 300.0;

/// Distances in the upper triangle become one symmetric nearness
/// exp((shift - d) / sigma), with diagonal and padding 0.
inline void symmetric_nearness(PairMatrix<double> &pairs, double shift,
                               double rate, SimdLevel simd, Runtime &runtime) {
  const Index n_samples = pairs.n_rows(), stride = pairs.stride();
  runtime.for_parts(n_samples, margin_rows, [&](Index begin, Index end) {
    NearnessJob job;
    job.begin = begin;
    job.end = stride;
    job.shift = shift;
    job.rate = rate;
    for (Index n = begin; n < end; ++n) {
      job.row = pairs.row(n);
      std::fill(job.row + begin, job.row + n + 1, shift);
      std::fill(job.row + n_samples, job.row + stride, shift);
      run_simd<NearnessKernel>(simd, job);
      job.row[n] = 0.0;
      std::fill(job.row + n_samples, job.row + stride, 0.0);
    }
    for (Index i = begin + 1; i < n_samples; ++i) {
      double *mirrored = pairs.row(i);
      for (Index n = begin; n < std::min(end, i); ++n)
        mirrored[n] = pairs.row(n)[i];
    }
  });
}

/// Pairs that are not compared are no neighbours.
inline void forbid(PairMatrix<double> &nearness, const AllowedPairs &allowed,
                   Runtime &runtime) {
  if (allowed.all())
    return;
  const Index n_samples = nearness.n_rows();
  runtime.for_each(n_samples, [&](Index n, int) {
    double *row = nearness.row(n);
    for (Index i = 0; i < n_samples; ++i)
      if (!allowed(n, i))
        row[i] = 0.0;
  });
}

/// One row of distances becomes exp((nearest of the kind - d) / sigma): then
/// no softmax can underflow. Returns the nearest hit minus the nearest miss.
inline double shifted_row(double *row, Index n, const ClassIndex &y,
                          const AllowedPairs &allowed, double sigma) {
  const Index n_samples = y.n_samples();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int own = y[n];
  double nearest_hit = infinity, nearest_miss = infinity;
  for (Index i = 0; i < n_samples; ++i)
    if (!allowed(n, i))
      row[i] = infinity;
  for (Index i = 0; i < n_samples; ++i) {
    double &nearest = y[i] == own ? nearest_hit : nearest_miss;
    nearest = std::min(nearest, row[i]);
  }
  for (Index i = 0; i < n_samples; ++i)
    row[i] =
        row[i] == infinity
            ? 0.0
            : std::exp(((y[i] == own ? nearest_hit : nearest_miss) - row[i]) /
                       sigma);
  return nearest_hit - nearest_miss;
}

/// shifted_row() of all rows, the distances being in the upper triangle.
inline Array<double> shifted_nearness(PairMatrix<double> &pairs,
                                      const ClassIndex &y,
                                      const AllowedPairs &allowed, double sigma,
                                      Runtime &runtime) {
  const Index n_samples = pairs.n_rows();
  mirror(pairs, runtime);
  Array<double> lead(n_samples);
  runtime.for_parts(n_samples, margin_rows, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      double *row = pairs.row(n);
      lead[n] = shifted_row(row, n, y, allowed, sigma);
      std::fill(row + n_samples, row + pairs.stride(), 0.0);
    }
  });
  return lead;
}

} // namespace detail

/// The margins that distances (manhattan, in the upper triangle) imply, among
/// allowed pairs. A sample without hits has its misses alone; one without
/// misses has no margin, its row is 0. O(N^2), with N^2 / 2 exponentials
/// unless distances differ by more than 600 sigma.
inline ExpectedMargins expected_margins(PairMatrix<double> distances,
                                        const ClassIndex &y,
                                        const AllowedPairs &allowed,
                                        double sigma, SimdLevel simd,
                                        Runtime &runtime) {
  const Index n_samples = distances.n_rows();
  const Index padded = distances.stride();
  ExpectedMargins result;
  result.nearness = std::move(distances);
  result.labels = AlignedBuffer<double>(padded);
  for (Index n = 0; n < n_samples; ++n)
    result.labels[n] = y[n];
  // No two samples are further apart than twice the radius around the first.
  const double *first = result.nearness.row(0);
  double radius = 0.0;
  for (Index i = 1; i < n_samples; ++i)
    radius = first[i] <= radius ? radius : first[i];
  const double rate = 1.0 / sigma;
  Array<double> lead(n_samples, 0.0);
  if (radius * rate <= detail::widest_exponent &&
      rate <= std::numeric_limits<double>::max()) {
    detail::symmetric_nearness(result.nearness, radius, rate, simd, runtime);
    detail::forbid(result.nearness, allowed, runtime);
  } else {
    lead =
        detail::shifted_nearness(result.nearness, y, allowed, sigma, runtime);
    result.transposed = detail::transposed(result.nearness, runtime);
  }
  result.hit = AlignedBuffer<double>(padded);
  result.miss = AlignedBuffer<double>(padded);
  result.row_sums.resize(lead.size());
  result.hit_mass.resize(lead.size());
  runtime.for_parts(
      n_samples, detail::margin_rows, [&](Index begin, Index end) {
        for (Index n = begin; n < end; ++n) {
          double hits = 0.0, misses = 0.0;
          KindSumJob job;
          job.row = result.nearness.row(n);
          job.labels = result.labels.data();
          job.n = padded;
          job.own = result.labels[n];
          job.hits = &hits;
          job.misses = &misses;
          run_simd<KindSumKernel>(simd, job);
          if (misses == 0.0) // not compared with any other class
            continue;
          const bool alone = hits == 0.0;
          result.hit[n] = alone ? 0.0 : -1.0 / hits;
          result.miss[n] = 1.0 / misses;
          result.row_sums[n] = alone ? 1.0 : 0.0;
          result.hit_mass[n] =
              alone ? 0.0 : hits / (hits + misses * std::exp(lead[n] / sigma));
        }
      });
  return result;
}

/// The margins under weighted distances, in the memory of earlier ones.
inline void expected_margins(const ScaledView &x, const Array<double> &weights,
                             const ClassIndex &y, const AllowedPairs &allowed,
                             double sigma, SimdLevel simd,
                             ExpectedMargins &margins, Runtime &runtime) {
  auto distances = std::move(margins.nearness);
  if (distances.n_rows() != x.n_samples())
    distances = PairMatrix<double>(x.n_samples(), x.n_samples());
  margins = ExpectedMargins();
  upper_distances(x, weights, Metric::manhattan, simd, distances, runtime);
  margins =
      expected_margins(std::move(distances), y, allowed, sigma, simd, runtime);
}

/// S[n, i] = r_n C[n, i] + r_i C[i, n] for n < i, else 0, in the memory of an
/// earlier S if `s` is one: then sum_n r_n z_nj = sum_{n < i} S[n, i]
/// |x_nj - x_ij| without any z.
/// Returns sum_i S[n, i] for every n, S read as symmetric. O(N^2).
template <class T>
Array<double> symmetric_margins(const ExpectedMargins &margins,
                                const Array<double> &r, PairMatrix<T> &s,
                                SimdLevel simd, Runtime &runtime) {
  using detail::margin_rows;
  const Index n_samples = margins.n_samples();
  const Index padded = margins.nearness.stride();
  if (s.n_rows() != n_samples)
    s = PairMatrix<T>(n_samples, n_samples);
  AlignedBuffer<double> hit(padded), miss(padded);
  for (Index n = 0; n < n_samples; ++n) {
    hit[n] = r[n] * margins.hit[n];
    miss[n] = r[n] * margins.miss[n];
  }
  const Index units = padded / margin_rows;
  PairMatrix<double> totals(units, n_samples);
  runtime.for_each(units, [&](Index unit, int) {
    SymmetricJob<T> job;
    job.labels = margins.labels.data();
    job.hit = hit.data();
    job.miss = miss.data();
    job.end = padded;
    job.total = totals.row(unit);
    const Index end = std::min((unit + 1) * margin_rows, n_samples);
    for (job.n = unit * margin_rows; job.n < end; ++job.n) {
      job.row = margins.nearness.row(job.n);
      job.column = margins.column(job.n);
      job.s = s.row(job.n);
      run_simd<SymmetricKernel<T>>(simd, job);
    }
  });
  Array<double> sums(n_samples, 0.0);
  for (Index unit = 0; unit < units; ++unit)
    for (Index n = 0; n < sums.size(); ++n)
      sums[n] += totals.row(unit)[n];
  return sums;
}

} // namespace hitmiss

#endif
