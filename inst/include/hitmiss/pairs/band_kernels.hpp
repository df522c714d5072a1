// Kernels over the differences of one or many pairs of samples: count, gather.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_BAND_KERNELS_HPP
#define HITMISS_PAIRS_BAND_KERNELS_HPP

#include <cmath>
#include <cstdint>

#include "../runtime/simd.hpp"

namespace hitmiss {

/// Adding and subtracting this rounds a number below 2^15 to a multiple of
/// 2^-36: differences of scaled values that are equal but for rounding noise
/// become equal.
constexpr double tie_rounder = 1.5 * 65536.0;

/// The order of features in a pair: |a - b| within a class, -|a - b| between
/// classes, so that the wanted features are always the smallest. `rounder`:
/// tie_rounder, or 0 for differences as they are.
inline double pair_key(double a, double b, bool same, double rounder) {
  const double distance = (std::abs(a - b) + rounder) - rounder;
  return same ? distance : -distance;
}

namespace detail {

template <bool same, class S>
HITMISS_INLINE void load_key(typename S::Vector &key, const double *a,
                             const double *b, double rounder) {
  typename S::Vector other;
  S::load(key, a);
  S::load(other, b);
  key -= other;
  S::absolute(key);
  key = (key + rounder) - rounder;
  if (!same)
    key = -key;
}

template <class S>
HITMISS_INLINE std::int64_t sum_of(const typename S::Bits &counts) {
  std::int64_t total = 0;
  for (Index lane = 0; lane < S::lanes; ++lane)
    total += counts[lane];
  return total;
}

} // namespace detail

/// `below` += number of keys < low, `upto` += number of keys <= high, over
/// features [begin, end) of one pair, both multiples of 32.
struct BandCountJob {
  const double *a, *b;
  Index begin, end;
  double rounder;
  double low, high;
  std::int64_t *below, *upto;
};

template <bool same> struct BandCountKernel {
  template <int Bytes> static HITMISS_INLINE void run(const BandCountJob &job) {
    using S = Simd<double, Bytes>;
    typename S::Bits below[2] = {}, upto[2] = {};
    for (Index j = job.begin; j < job.end; j += 2 * S::lanes)
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        typename S::Vector key;
        const Index at = j + half * S::lanes;
        detail::load_key<same, S>(key, job.a + at, job.b + at, job.rounder);
        below[half] -= (typename S::Bits)(key < job.low);
        upto[half] -= (typename S::Bits)(key <= job.high);
      }
    *job.below += detail::sum_of<S>(below[0]) + detail::sum_of<S>(below[1]);
    *job.upto += detail::sum_of<S>(upto[0]) + detail::sum_of<S>(upto[1]);
  }
};

/// Appends the keys in [low, high] to `out` (room for one more than there
/// are), features increasing; `below` += number of keys < low.
struct BandGatherJob {
  const double *a, *b;
  Index begin, end;
  double rounder;
  double low, high;
  std::int64_t *below;
  double *out;
  Index *count;
};

template <bool same> struct BandGatherKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const BandGatherJob &job) {
    using S = Simd<double, Bytes>;
    constexpr Index block = 32, vectors = block / S::lanes;
    const BandGatherJob at_hand = job; // `out` could alias it
    typename S::Bits below = {};
    Index count = *job.count;
    for (Index j = at_hand.begin; j < at_hand.end; j += block) {
      typename S::Vector keys[vectors];
      typename S::Bits inside[vectors], any = {};
#pragma GCC unroll 16
      for (Index v = 0; v < vectors; ++v) {
        const Index at = j + v * S::lanes;
        detail::load_key<same, S>(keys[v], at_hand.a + at, at_hand.b + at,
                                  at_hand.rounder);
        // A difference: gcc 12 takes a conjunction of comparisons apart.
        const auto less = (typename S::Bits)(keys[v] < at_hand.low);
        inside[v] = (typename S::Bits)(keys[v] <= at_hand.high) - less;
        below -= less;
        any += inside[v];
      }
      if (detail::sum_of<S>(any) == 0)
        continue;
      for (Index v = 0; v < vectors; ++v)
        for (Index lane = 0; lane < S::lanes; ++lane) {
          at_hand.out[count] = keys[v][lane];
          count -= inside[v][lane];
        }
    }
    *job.below += detail::sum_of<S>(below);
    *job.count = count;
  }
};

/// One pair as the marking kernel sees it.
struct MarkedPair {
  const double *a, *b;
  double threshold;
};

/// counts[j] += number of pairs with key <= threshold at feature j, for j in
/// [begin, end), both multiples of 32.
struct MarkJob {
  const MarkedPair *pairs;
  Index n_pairs;
  Index begin, end;
  double rounder;
  std::int64_t *counts;
};

template <bool same> struct MarkKernel {
  template <int Bytes> static HITMISS_INLINE void run(const MarkJob &job) {
    using S = Simd<double, Bytes>;
    for (Index j = job.begin; j < job.end; j += 4 * S::lanes) {
      typename S::Bits marks[4] = {};
      for (Index p = 0; p < job.n_pairs; ++p) {
        const MarkedPair &pair = job.pairs[p];
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
          typename S::Vector key;
          const Index at = j + v * S::lanes;
          detail::load_key<same, S>(key, pair.a + at, pair.b + at, job.rounder);
          marks[v] -= (typename S::Bits)(key <= pair.threshold);
        }
      }
      for (int v = 0; v < 4; ++v)
        for (Index lane = 0; lane < S::lanes; ++lane)
          job.counts[j + v * S::lanes + lane] += marks[v][lane];
    }
  }
};

/// Runs one of the kernels above for pairs of one kind.
template <template <bool> class Kernel, class Job>
void run_band(SimdLevel level, bool same, const Job &job) {
  if (same)
    run_simd<Kernel<true>>(level, job);
  else
    run_simd<Kernel<false>>(level, job);
}

} // namespace hitmiss

#endif
