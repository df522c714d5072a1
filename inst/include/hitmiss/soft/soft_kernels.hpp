// Kernels that turn rows of distances into chances of near hits and misses.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_SOFT_KERNELS_HPP
#define HITMISS_SOFT_SOFT_KERNELS_HPP

#include <limits>

#include "../runtime/simd.hpp"
#include "../runtime/vector_exp.hpp"

namespace hitmiss {

namespace detail {

constexpr double never_near = std::numeric_limits<double>::infinity();

/// Replaces distances `e` by exp((from - e) rate), with `from` the nearest one.
/// The result is 1e-304 far beyond `from`, and 0 for an infinite distance,
/// which marks a pair that is not compared.
template <int Bytes>
HITMISS_INLINE void nearness(typename Simd<double, Bytes>::Vector &e,
                             const typename Simd<double, Bytes>::Vector &from,
                             double rate) {
  using V = typename Simd<double, Bytes>::Vector;
  const V least = V{} - 700.0;
  const V distance = e;
  e = (from - distance) * rate;
  e = e < least ? least : e;
  exponential<Bytes>(e);
  e = distance == never_near ? V{} : e;
}

} // namespace detail

/// Replaces each distance d of a row by its nearness exp((nearest - d) rate),
/// with the nearest hit or miss, and gives the sums over hits and over misses.
struct NearnessJob {
  double *row = nullptr;
  const double *labels = nullptr;
  Index n = 0;
  double own = 0.0, rate = 1.0;
  double nearest_hit = 0.0, nearest_miss = 0.0;
  double *hits = nullptr, *misses = nullptr;
};

struct NearnessKernel {
  template <int Bytes> static HITMISS_INLINE void run(const NearnessJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const V nearest_hit = V{} + job.nearest_hit,
            nearest_miss = V{} + job.nearest_miss;
    V hits[2] = {}, misses[2] = {};
    for (Index i = 0; i < job.n; i += 2 * S::lanes)
#pragma GCC unroll 2
      for (int k = 0; k < 2; ++k) {
        V e, label;
        S::load(e, job.row + i + k * S::lanes);
        S::load(label, job.labels + i + k * S::lanes);
        const auto hit = label == job.own;
        detail::nearness<Bytes>(e, hit ? nearest_hit : nearest_miss, job.rate);
        S::store(job.row + i + k * S::lanes, e);
        hits[k] += hit ? e : V{};
        misses[k] += hit ? V{} : e;
      }
    *job.hits = S::sum(hits[0] + hits[1]);
    *job.misses = S::sum(misses[0] + misses[1]);
  }
};

/// For each sample, the numbers that turn its distances into entries of C (see
/// SoftNeighbours): the distances of its nearest hit and nearest miss, and the
/// factors of hits and of misses. The arrays must be padded with 0.
struct KindScales {
  const double *nearest_hit = nullptr, *nearest_miss = nullptr;
  const double *hit = nullptr, *miss = nullptr;
};

/// s[i] = C[n, i] + C[i, n], by the scales of samples n and i, for begin <= i <
/// end, from the distances of sample n; an infinite distance gives 0. begin and
/// end must be multiples of 32.
template <class T> struct SymmetricJob {
  const double *row = nullptr; ///< row[0] is the distance to sample `begin`
  const double *labels = nullptr;
  KindScales scales;
  double rate = 1.0;
  Index n = 0, begin = 0, end = 0;
  T *s = nullptr;
};

template <class T> struct SymmetricKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const SymmetricJob<T> &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr int narrow = S::lanes * sizeof(T);
    typedef T Narrow __attribute__((vector_size(narrow)));
    typedef T Stored
        __attribute__((vector_size(narrow), aligned(sizeof(T)), may_alias));
    const KindScales &scales = job.scales;
    const Index n = job.n;
    const V nearest_hit = V{} + scales.nearest_hit[n],
            nearest_miss = V{} + scales.nearest_miss[n],
            hit_n = V{} + scales.hit[n], miss_n = V{} + scales.miss[n];
    for (Index i = job.begin; i < job.end; i += S::lanes) {
      V there, back, label, nearest, other, factor, factor_other;
      S::load(there, job.row + (i - job.begin));
      back = there;
      S::load(label, job.labels + i);
      const auto hit = label == job.labels[n];
      S::load(nearest, scales.nearest_hit + i);
      S::load(other, scales.nearest_miss + i);
      S::load(factor, scales.hit + i);
      S::load(factor_other, scales.miss + i);
      detail::nearness<Bytes>(there, hit ? nearest_hit : nearest_miss,
                              job.rate);
      detail::nearness<Bytes>(back, hit ? nearest : other, job.rate);
      const V value =
          there * (hit ? hit_n : miss_n) + back * (hit ? factor : factor_other);
      *reinterpret_cast<Stored *>(job.s + i) =
          __builtin_convertvector(value, Narrow);
    }
  }
};

} // namespace hitmiss

#endif
