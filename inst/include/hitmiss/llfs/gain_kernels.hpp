// The sums over samples in LLFS' optimisation problems: gains, derivatives,
// and products with columns of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_GAIN_KERNELS_HPP
#define HITMISS_LLFS_GAIN_KERNELS_HPP

#include <cstring>
#include <utility>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/simd.hpp"
#include "../runtime/vector_exp.hpp"

namespace hitmiss {

/// Returns n rounded up to whole vectors, because the kernels read and write no
/// part of one. The samples of the representative's class and the other samples
/// are padded with distances of 0. These add nothing: G(0) is exactly 0, and
/// derivatives are multiplied by columns that are 0 there.
inline Index padded_part(Index n) { return round_up(n, 8); }

/// The input of the kernels of G (see LogisticGain): the points z and the
/// parameters of G.
struct GainJob {
  const double *z;
  Index n;      ///< entries, padded
  double count; ///< samples: G' and -G'' are divided by it
  double sigma, lambda;
  double *sum;        ///< of G
  double *weights;    ///< G' of each point
  double *curvatures; ///< -G'' of each point
};

namespace detail {

/// Sums are kept in vectors of 32 bytes even if wider vectors are added, so
/// that the order of additions is always the same.
using SumLanes = Simd<double, 32>;

template <class V>
HITMISS_INLINE void add_to(SumLanes::Vector &sum, const V &x) {
  constexpr Index bytes = bytes_of<SumLanes::Vector>;
  SumLanes::Vector part;
#pragma GCC unroll 2
  for (Index k = 0; k < bytes_of<V> / bytes; ++k) {
    std::memcpy(&part, reinterpret_cast<const char *>(&x) + k * bytes, bytes);
    sum += part;
  }
}

} // namespace detail

/// Computes the sum of G, and with `derivatives` also G' and -G'' of every
/// point, from one exponential each.
template <bool derivatives> struct GainKernel {
  template <int Bytes> static HITMISS_INLINE void run(const GainJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const V least = V{} - 700.0; // what exponential() takes
    const double share = 1.0 / job.count;
    detail::SumLanes::Vector sum = {};
    for (Index i = 0; i < job.n; i += S::lanes) {
      V z;
      S::load(z, job.z + i);
      V e = z * -job.sigma;
      e = e < least ? least : e;
      detail::exponential<Bytes>(e);
      const V logistic = 1.0 / (1.0 + e);
      detail::add_to(sum, logistic - 0.5 + job.lambda * z);
      if (derivatives) {
        e *= job.sigma * logistic * logistic;
        S::store(job.weights + i, (e + job.lambda) * share);
        e *= job.sigma * (2.0 * logistic - 1.0);
        S::store(job.curvatures + i, e * share);
      }
    }
    *job.sum = detail::SumLanes::sum(sum);
  }
};

/// out = sum over entries of entry.second times column entry.first, in order; n
/// must be padded.
struct WeightedSumJob {
  const double *columns;
  Index stride, n;
  const std::pair<int, double> *entries;
  Index n_entries;
  double *out;
};

struct WeightedSumKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const WeightedSumJob &job) {
    using S = Simd<double, Bytes>;
    for (Index i = 0; i < job.n; i += S::lanes) {
      typename S::Vector sum = {}, x;
      for (Index k = 0; k < job.n_entries; ++k) {
        const auto &entry = job.entries[k];
        S::load(x, job.columns + entry.first * job.stride + i);
        sum += entry.second * x;
      }
      S::store(job.out + i, sum);
    }
  }
};

/// out[i] = sum_k (columns[which[k] * stride + i] - from[k])^2.
struct SquaredDistanceJob {
  const double *columns;
  Index stride, n;
  const int *which;
  const double *from;
  Index n_columns;
  double *out;
};

struct SquaredDistanceKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const SquaredDistanceJob &job) {
    using S = Simd<double, Bytes>;
    Index i = 0;
    for (; i + S::lanes <= job.n; i += S::lanes)
      at<S>(job, i);
    for (; i < job.n; ++i)
      at<Simd<double, 8>>(job, i); // a vector of one entry
  }

private:
  template <class S>
  static HITMISS_INLINE void at(const SquaredDistanceJob &job, Index i) {
    typename S::Vector sum = {}, x;
    for (Index k = 0; k < job.n_columns; ++k) {
      S::load(x, job.columns + job.which[k] * job.stride + i);
      x -= job.from[k];
      sum += x * x;
    }
    S::store(job.out + i, sum);
  }
};

/// products[k] = sum_i columns[which[k] * stride + i] weights[i], n padded.
struct ColumnProductJob {
  const double *columns;
  Index stride, n;
  const int *which;
  Index n_columns;
  const double *weights;
  double *products;
};

struct ColumnProductKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const ColumnProductJob &job) {
    constexpr Index together = 4;
    Index k = 0;
    for (; k + together <= job.n_columns; k += together)
      some<Simd<double, Bytes>, together>(job, k);
    for (; k < job.n_columns; ++k)
      some<Simd<double, Bytes>, 1>(job, k);
  }

private:
  template <class S, Index together>
  static HITMISS_INLINE void some(const ColumnProductJob &job, Index first) {
    const double *columns[together];
    detail::SumLanes::Vector sums[together] = {};
    for (Index k = 0; k < together; ++k)
      columns[k] = job.columns + job.which[first + k] * job.stride;
    for (Index i = 0; i < job.n; i += S::lanes) {
      typename S::Vector w, x;
      S::load(w, job.weights + i);
#pragma GCC unroll 4
      for (Index k = 0; k < together; ++k) {
        S::load(x, columns[k] + i);
        x *= w;
        detail::add_to(sums[k], x);
      }
    }
    for (Index k = 0; k < together; ++k)
      job.products[first + k] = detail::SumLanes::sum(sums[k]);
  }
};

} // namespace hitmiss

#endif
