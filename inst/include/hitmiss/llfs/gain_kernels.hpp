// The sums over samples in LLFS' optimisation problems: gains, derivatives,
// and products with columns of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_GAIN_KERNELS_HPP
#define HITMISS_LLFS_GAIN_KERNELS_HPP

#include <cstdint>
#include <cstring>
#include <utility>

#include "../runtime/simd.hpp"
#include "../runtime/vector_exp.hpp"

namespace hitmiss {

/// The input of the kernels of G (see LogisticGain): the points z and the
/// parameters of G.
struct GainJob {
  const double *z;
  Index n;
  double sigma, lambda;
  double *value;      ///< sum of G
  double *out;        ///< G' or -G'' of each point, over n
  double *curvatures; ///< -G'' of each point, over n, beside G'
};

namespace detail {

/// Three ways read and write the vector at an array's entry i: whole; the last
/// one, whose entries that an earlier vector had count as 0; and that of an
/// array shorter than a vector, which is filled up with zeros.
template <class S> struct Whole {
  using V = typename S::Vector;
  static HITMISS_INLINE void load(V &out, const double *from, Index i, Index) {
    S::load(out, from + i);
  }
  static HITMISS_INLINE void store(double *to, const V &x, Index i, Index) {
    S::store(to + i, x);
  }
};

template <class S> struct Last {
  using V = typename S::Vector;
  static HITMISS_INLINE void load(V &out, const double *from, Index i,
                                  Index n) {
    static const std::int64_t masks[] = {0, 0, 0, 0, -1, -1, -1, -1};
    static_assert(S::lanes == 4, "as many as there are masks");
    typename S::Bits mask;
    std::memcpy(&mask, masks + (n - i), sizeof mask);
    S::load(out, from + n - S::lanes);
    out = (V)((typename S::Bits)out & mask);
  }
};

template <class S> struct Short {
  using V = typename S::Vector;
  static HITMISS_INLINE void load(V &out, const double *from, Index, Index n) {
    out = V{};
    for (Index k = 0; k < n; ++k)
      out[k] = from[k];
  }
  static HITMISS_INLINE void store(double *to, const V &x, Index, Index n) {
    for (Index k = 0; k < n; ++k)
      to[k] = x[k];
  }
};

/// Sums are kept in vectors of 32 bytes whatever the width of what is added, so
/// that their order is always the same.
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

/// Calls Kernel::at<Access>(job, i, sums) for every vector of the job.
template <class Kernel, class S, class Job, class Sums>
HITMISS_INLINE void add_vectors(const Job &job, Sums &sums) {
  if (job.n < SumLanes::lanes)
    return Kernel::template at<Short<SumLanes>>(job, 0, sums);
  Index i = 0;
  for (; i + S::lanes <= job.n; i += S::lanes)
    Kernel::template at<Whole<S>>(job, i, sums);
  if (i + SumLanes::lanes <= job.n) {
    Kernel::template at<Whole<SumLanes>>(job, i, sums);
    i += SumLanes::lanes;
  }
  if (i < job.n)
    Kernel::template at<Last<SumLanes>>(job, i, sums);
}

/// Calls Kernel::at<Access>(job, i) for every vector; some entries are written
/// twice.
template <class Kernel, class S, class Job>
HITMISS_INLINE void write_vectors(const Job &job) {
  if (job.n < S::lanes)
    return Kernel::template at<Short<S>>(job, 0);
  for (Index i = 0; i + S::lanes <= job.n; i += S::lanes)
    Kernel::template at<Whole<S>>(job, i);
  if (job.n % S::lanes != 0)
    Kernel::template at<Whole<S>>(job, job.n - S::lanes);
}

/// Sets z, e = exp(-sigma z) and 1 / (1 + e) for the entries from i on.
template <class Access, class V>
HITMISS_INLINE void gain_terms(const GainJob &job, Index i, V &z, V &e,
                               V &logistic) {
  Access::load(z, job.z, i, job.n);
  const V least = V{} - 700.0; // what exponential() takes
  e = z * -job.sigma;
  e = e < least ? least : e;
  exponential<sizeof(V)>(e);
  logistic = 1.0 / (1.0 + e);
}

} // namespace detail

/// Computes the sum of G. An entry that is 0 adds nothing.
struct GainSumKernel {
  using Sums = detail::SumLanes::Vector;

  template <int Bytes> static HITMISS_INLINE void run(const GainJob &job) {
    Sums sum = {};
    detail::add_vectors<GainSumKernel, Simd<double, Bytes>>(job, sum);
    *job.value = detail::SumLanes::sum(sum);
  }

  template <class Access>
  static HITMISS_INLINE void at(const GainJob &job, Index i, Sums &sum) {
    typename Access::V z, e, logistic;
    detail::gain_terms<Access>(job, i, z, e, logistic);
    detail::add_to(sum, logistic - 0.5 + job.lambda * z);
  }
};

/// Computes G' (Order 1) or -G'' (Order 2) of every point.
template <int Order> struct GainDerivativeKernel {
  template <int Bytes> static HITMISS_INLINE void run(const GainJob &job) {
    using S = Simd<double, Bytes>;
    detail::write_vectors<GainDerivativeKernel, S>(job);
  }

  template <class Access>
  static HITMISS_INLINE void at(const GainJob &job, Index i) {
    typename Access::V z, e, logistic;
    detail::gain_terms<Access>(job, i, z, e, logistic);
    e *= job.sigma * logistic * logistic;
    if (Order == 1)
      e += job.lambda;
    else
      e *= job.sigma * (2.0 * logistic - 1.0);
    e *= 1.0 / static_cast<double>(job.n);
    Access::store(job.out, e, i, job.n);
  }
};

/// The sum of G, and G' and -G'' of every point, from one exponential each: the
/// bits are those of the three kernels above.
struct GainKernel {
  template <int Bytes> static HITMISS_INLINE void run(const GainJob &job) {
    using S = Simd<double, Bytes>;
    if (job.n < S::lanes) {
      GainJob second = job;
      second.out = job.curvatures;
      GainSumKernel::run<Bytes>(job);
      GainDerivativeKernel<1>::template run<Bytes>(job);
      GainDerivativeKernel<2>::template run<Bytes>(second);
      return;
    }
    detail::SumLanes::Vector sum = {};
    Index i = 0;
    for (; i + S::lanes <= job.n; i += S::lanes)
      at<Bytes, true>(job, i, sum);
    if (i + detail::SumLanes::lanes <= job.n) {
      GainSumKernel::at<detail::Whole<detail::SumLanes>>(job, i, sum);
      i += detail::SumLanes::lanes;
    }
    if (i < job.n)
      GainSumKernel::at<detail::Last<detail::SumLanes>>(job, i, sum);
    if (job.n % S::lanes != 0)
      at<Bytes, false>(job, job.n - S::lanes, sum);
    *job.value = detail::SumLanes::sum(sum);
  }

private:
  template <int Bytes, bool summed>
  static HITMISS_INLINE void at(const GainJob &job, Index i,
                                detail::SumLanes::Vector &sum) {
    using Access = detail::Whole<Simd<double, Bytes>>;
    typename Access::V z, e, logistic;
    detail::gain_terms<Access>(job, i, z, e, logistic);
    if (summed)
      detail::add_to(sum, logistic - 0.5 + job.lambda * z);
    const double share = 1.0 / static_cast<double>(job.n);
    e *= job.sigma * logistic * logistic;
    Access::store(job.out, (e + job.lambda) * share, i, job.n);
    e *= job.sigma * (2.0 * logistic - 1.0);
    Access::store(job.curvatures, e * share, i, job.n);
  }
};

/// out = sum of entry.second times column entry.first, in the entries' order.
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
    detail::write_vectors<WeightedSumKernel, Simd<double, Bytes>>(job);
  }

  template <class Access>
  static HITMISS_INLINE void at(const WeightedSumJob &job, Index i) {
    typename Access::V sum = {}, x;
    for (Index k = 0; k < job.n_entries; ++k) {
      const auto &entry = job.entries[k];
      Access::load(x, job.columns + entry.first * job.stride, i, job.n);
      sum += entry.second * x;
    }
    Access::store(job.out, sum, i, job.n);
  }
};

/// out[i] = sum over columns k of (columns[k][i] - from[k])^2.
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
    detail::write_vectors<SquaredDistanceKernel, Simd<double, Bytes>>(job);
  }

  template <class Access>
  static HITMISS_INLINE void at(const SquaredDistanceJob &job, Index i) {
    typename Access::V sum = {}, x;
    for (Index k = 0; k < job.n_columns; ++k) {
      Access::load(x, job.columns + job.which[k] * job.stride, i, job.n);
      x -= job.from[k];
      sum += x * x;
    }
    Access::store(job.out, sum, i, job.n);
  }
};

/// products[k] = sum_i columns[which[k] * stride + i] weights[i].
struct ColumnProductJob {
  const double *columns;
  Index stride, n;
  const int *which;
  Index n_columns;
  const double *weights;
  double *products;
};

struct ColumnProductKernel {
  template <Index Together> struct Sums {
    const double *columns[Together];
    detail::SumLanes::Vector of[Together] = {};
  };

  template <int Bytes>
  static HITMISS_INLINE void run(const ColumnProductJob &job) {
    constexpr Index together = 4;
    Index k = 0;
    for (; k + together <= job.n_columns; k += together)
      some<Simd<double, Bytes>, together>(job, k);
    for (; k < job.n_columns; ++k)
      some<Simd<double, Bytes>, 1>(job, k);
  }

  template <class Access, Index Together>
  static HITMISS_INLINE void at(const ColumnProductJob &job, Index i,
                                Sums<Together> &sums) {
    typename Access::V w, x;
    Access::load(w, job.weights, i, job.n);
#pragma GCC unroll 4
    for (Index k = 0; k < Together; ++k) {
      Access::load(x, sums.columns[k], i, job.n);
      x *= w;
      detail::add_to(sums.of[k], x);
    }
  }

private:
  template <class S, Index Together>
  static HITMISS_INLINE void some(const ColumnProductJob &job, Index first) {
    Sums<Together> sums;
    for (Index k = 0; k < Together; ++k)
      sums.columns[k] = job.columns + job.which[first + k] * job.stride;
    detail::add_vectors<ColumnProductKernel, S>(job, sums);
    for (Index k = 0; k < Together; ++k)
      job.products[first + k] = detail::SumLanes::sum(sums.of[k]);
  }
};

} // namespace hitmiss

#endif
