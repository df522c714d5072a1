// Kernels on rows of distances: chances of near hits and misses, both ways.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_SOFT_KERNELS_HPP
#define HITMISS_SOFT_SOFT_KERNELS_HPP

#include <limits>

#include "../runtime/simd.hpp"
#include "../runtime/vector_exp.hpp"

namespace hitmiss {

namespace detail {

constexpr double never_near = std::numeric_limits<double>::infinity();

/// Replaces a distance by exp((nearest - distance) rate), which is 0 (but for
/// 1e-304) far beyond the nearest, and for pairs that are not compared.
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

/// Turns a row of distances into nearness, exp((nearest of the kind - d) rate),
/// and gives the sums of nearness over the two kinds.
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

/// The numbers of each sample that turn a distance into an entry of C: the
/// distances of its nearest hit and miss, and the factors of both. They are
/// padded with 0.
struct KindScales {
  const double *nearest_hit = nullptr, *nearest_miss = nullptr;
  const double *hit = nullptr, *miss = nullptr;
};

/// s[i] = C[n, i] + C[i, n], by the scales of both, for begin <= i < end, from
/// the distances row[i] of sample n, which are infinite where s is to be 0.
/// Both ends are multiples of 32.
template <class T> struct SymmetricJob {
  const double *row = nullptr; ///< its first number is that of `begin`
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
