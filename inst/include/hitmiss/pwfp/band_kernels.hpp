// Kernels over differences in pairs of samples: count, gather, mark. They
// compare floats; BandSelector compares keys near a threshold again in doubles.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PWFP_BAND_KERNELS_HPP
#define HITMISS_PWFP_BAND_KERNELS_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../runtime/simd.hpp"

namespace hitmiss {

/// Adding and subtracting this rounds a number below 2^15 to a multiple of
/// 2^-36: differences of scaled values that are equal but for rounding noise
/// become equal.
constexpr double tie_rounder = 1.5 * 65536.0;

/// Returns the key of a feature in a pair: |a - b| within a class, -|a - b|
/// between classes, so that the wanted features have the smallest keys.
/// `rounder`: tie_rounder, or 0 for differences as they are.
inline double pair_key(double a, double b, bool same, double rounder) {
  const double distance = (std::abs(a - b) + rounder) - rounder;
  return same ? distance : -distance;
}

namespace detail {

template <bool same, class S>
HITMISS_INLINE void load_key(typename S::Vector &key, const float *a,
                             const float *b) {
  typename S::Vector other;
  S::load(key, a);
  S::load(other, b);
  key -= other;
  S::absolute(key);
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

/// Says whether any flag is set. Flags become bytes first, so that few words
/// have to be joined.
template <class S> HITMISS_INLINE bool some(const typename S::Bits &flags) {
  typedef std::int8_t Narrow __attribute__((vector_size(S::lanes)));
  using Word = std::conditional_t<S::lanes == 4, std::uint32_t, std::uint64_t>;
  const Narrow narrow = __builtin_convertvector(flags, Narrow);
  Word words[sizeof narrow / sizeof(Word)];
  std::memcpy(words, &narrow, sizeof narrow);
  Word all = 0;
  for (const Word word : words)
    all |= word;
  return all != 0;
}

} // namespace detail

/// *below += number of keys < low, *upto += number of keys <= high, over
/// features [begin, end) of one pair. Required: both are multiples of 32.
struct BandCountJob {
  const float *a, *b;
  Index begin, end;
  float low, high;
  std::int64_t *below, *upto;
};

template <bool same> struct BandCountKernel {
  template <int Bytes> static HITMISS_INLINE void run(const BandCountJob &job) {
    using S = Simd<float, Bytes>;
    typename S::Bits below[2] = {}, upto[2] = {};
    for (Index j = job.begin; j < job.end; j += 2 * S::lanes)
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        typename S::Vector key;
        const Index at = j + half * S::lanes;
        detail::load_key<same, S>(key, job.a + at, job.b + at);
        below[half] -= (typename S::Bits)(key < job.low);
        upto[half] -= (typename S::Bits)(key <= job.high);
      }
    *job.below += detail::sum_of<S>(below[0]) + detail::sum_of<S>(below[1]);
    *job.upto += detail::sum_of<S>(upto[0]) + detail::sum_of<S>(upto[1]);
  }
};

/// A feature of a pair and its key.
struct FeatureKey {
  float key;
  std::int32_t feature;
};

/// Appends the keys in [low, high] to `out`, features increasing; *below +=
/// number of keys < low. Required: `out` has room for one more key.
struct BandGatherJob {
  const float *a, *b;
  Index begin, end;
  float low, high;
  std::int64_t *below;
  FeatureKey *out;
  Index *count;
};

template <bool same> struct BandGatherKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const BandGatherJob &job) {
    using S = Simd<float, Bytes>;
    constexpr Index step = 32, vectors = step / S::lanes;
    const BandGatherJob at_hand = job; // a copy: `out` could alias `job`
    typename S::Bits below = {};
    Index count = *job.count;
    for (Index j = at_hand.begin; j < at_hand.end; j += step) {
      typename S::Vector keys[vectors];
      typename S::Bits inside[vectors], any = {}; // -1: yes; 0: no
#pragma GCC unroll 16
      for (Index v = 0; v < vectors; ++v) {
        const Index at = j + v * S::lanes;
        detail::load_key<same, S>(keys[v], at_hand.a + at, at_hand.b + at);
        // Not a conjunction of comparisons, which gcc 12 takes apart.
        const auto less = (typename S::Bits)(keys[v] < at_hand.low);
        inside[v] = (typename S::Bits)(keys[v] <= at_hand.high) - less;
        below -= less;
        any |= inside[v];
      }
      if (!detail::some<S>(any))
        continue;
      for (Index v = 0; v < vectors; ++v)
        if (detail::some<S>(inside[v]))
          for (Index lane = 0; lane < S::lanes; ++lane) {
            at_hand.out[count] = {keys[v][lane], static_cast<std::int32_t>(
                                                     j + v * S::lanes + lane)};
            count -= inside[v][lane];
          }
    }
    *job.below += detail::sum_of<S>(below);
    *job.count = count;
  }
};

/// A pair for MarkKernel, which marks the features with a key < below.
struct MarkedPair {
  const float *a, *b;
  float below;
};

/// counts[j] += number of pairs in which feature j has a key < below, for j in
/// [begin, end). Required: both are multiples of 32.
struct MarkJob {
  const MarkedPair *pairs;
  Index n_pairs;
  Index begin, end;
  std::int64_t *counts;
};

template <bool same> struct MarkKernel {
  template <int Bytes> static HITMISS_INLINE void run(const MarkJob &job) {
    using S = Simd<float, Bytes>;
    constexpr int vectors = 32 / S::lanes < 4 ? 2 : 4;
    for (Index j = job.begin; j < job.end; j += vectors * S::lanes) {
      typename S::Bits marks[vectors] = {};
      for (Index p = 0; p < job.n_pairs; ++p) {
        const MarkedPair &pair = job.pairs[p];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
          typename S::Vector key;
          const Index at = j + v * S::lanes;
          detail::load_key<same, S>(key, pair.a + at, pair.b + at);
          marks[v] -= (typename S::Bits)(key < pair.below);
        }
      }
      for (int v = 0; v < vectors; ++v)
        for (Index lane = 0; lane < S::lanes; ++lane)
          job.counts[j + v * S::lanes + lane] += marks[v][lane];
    }
  }
};

/// Runs one of the kernels above for pairs of one class, or of two.
template <template <bool> class Kernel, class Job>
void run_band(SimdLevel level, bool same, const Job &job) {
  if (same)
    run_simd<Kernel<true>>(level, job);
  else
    run_simd<Kernel<false>>(level, job);
}

} // namespace hitmiss

#endif
