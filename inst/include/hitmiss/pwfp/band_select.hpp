// Finds the k-th smallest key of every pair by narrowing bands.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PWFP_BAND_SELECT_HPP
#define HITMISS_PWFP_BAND_SELECT_HPP

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "../runtime/array.hpp"
#include "../runtime/runtime.hpp"
#include "band_kernels.hpp"

namespace hitmiss {

/// Converts values to floats, in units in which no magnitude is above 1.
struct FloatUnits {
  double unit = 1.0;  ///< a power of 2
  double error = 0.0; ///< the largest error of a key in floats

  /// `largest`: the largest magnitude of a value. `error` covers the rounding
  /// of two values and their difference to floats, and that of the key in
  /// doubles.
  FloatUnits(double largest, double rounder) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    unit = std::ldexp(1.0, -std::max(exponent, -1000));
    error = std::ldexp(1.0, -21) + std::ldexp(rounder * unit, -52);
  }

  float operator()(double value) const {
    return static_cast<float>(value * unit);
  }
};

/// Returns the length of a row of `count` floats with its padding, which must
/// hold NaN.
inline Index padded_floats(Index count) { return (count + 31) / 32 * 32; }

/// A pair of samples and its k-th smallest key, `threshold`: `n_below` keys are
/// smaller, `n_equal` keys are equal. A feature whose key in floats is below
/// `surely` is certainly among the smaller ones.
struct SelectedPair {
  const double *a, *b;
  const float *float_a, *float_b;
  const float *sample_a, *sample_b; ///< of some features only, padded
  bool same;
  double threshold = 0.0;
  std::int64_t n_below = 0, n_equal = 0;
  float surely = 0.0F;
};

/// A feature whose key lies too near the k-th key to be compared in floats, and
/// its key in doubles.
struct ExactKey {
  double key;
  Index feature;
};

/// Finds the k-th key exactly: estimates a band (an interval) for it from some
/// features; counts the keys below the band and in it; narrows it, gathers the
/// keys in it and selects among them. If the k-th key is not in the band, the
/// band beside it is searched. Keys within float error of the k-th are compared
/// in doubles. All pairs go through a tile of features together, so rows are
/// read from cache.
class BandSelector {
public:
  static constexpr Index tile = 2048; ///< features

  struct Options {
    Index k;
    Index n_features, padded; ///< padded: a whole row
    Index n_sample;           ///< features in sample_a and sample_b
    double rounder;           ///< of the keys, see pair_key()
    FloatUnits floats;
    SimdLevel simd;
  };

  explicit BandSelector(const Options &options)
      : options_(options), k_(options.k),
        margin_(static_cast<float>(4.0 * options.floats.error)),
        buffer_(options.padded + 1) {}

  /// Calls use(pair, near) for every pair once its k-th key is found. `near`:
  /// the features whose keys in floats are too near the k-th.
  template <class Use>
  void select(Array<SelectedPair> &pairs, Runtime &runtime, Use use) {
    bands_.assign(pairs.size(), Band());
    for (Index p = 0; p < pairs.size(); ++p)
      guess(pairs[p], bands_[p]);
    sweep(pairs, runtime,
          [&](const SelectedPair &pair, Band &band, Index begin, Index end) {
            run_band<BandCountKernel>(
                options_.simd, pair.same,
                BandCountJob{pair.float_a, pair.float_b, begin, end, band.low,
                             band.high, &band.below, &band.upto});
          });
    for (Band &band : bands_)
      narrow(band);
    sweep(pairs, runtime,
          [&](const SelectedPair &pair, Band &band, Index begin, Index end) {
            gather(pair, band, begin, end);
          });
    for (Index p = 0; p < pairs.size(); ++p) {
      finish(pairs[p], bands_[p]);
      use(const_cast<const SelectedPair &>(pairs[p]), near_);
      Array<FeatureKey>().swap(bands_[p].keys);
    }
  }

private:
  /// The k-th key is in [outer_low, outer_high]; [low, high] is searched.
  struct Band {
    float low = -std::numeric_limits<float>::infinity();
    float high = std::numeric_limits<float>::infinity();
    float outer_low = low, outer_high = high;
    std::int64_t below = 0, upto = 0;
    Array<FeatureKey> keys;
  };

  template <class Work>
  void sweep(const Array<SelectedPair> &pairs, Runtime &runtime, Work work) {
    for (Index begin = 0; begin < options_.padded; begin += tile) {
      runtime.checkpoint();
      const Index end = std::min(options_.padded, begin + tile);
      for (Index p = 0; p < pairs.size(); ++p)
        work(pairs[p], bands_[p], begin, end);
    }
  }

  /// Sets edges between which the k-th key mostly lies, by bisection of the bit
  /// patterns of floats.
  void guess(const SelectedPair &pair, Band &band) const {
    const double share =
        static_cast<double>(k_) / static_cast<double>(options_.n_features);
    const double size = static_cast<double>(options_.n_sample);
    const double spread = 2.5 * std::sqrt(size * share * (1.0 - share)) + 1.0;
    const double first = share * size - spread, last = share * size + spread;
    std::int32_t low[2] = {0, float_steps}, high[2] = {0, float_steps};
    for (int step = 0; step < 14; ++step) {
      const std::int32_t lower = (low[0] + low[1]) / 2;
      const std::int32_t upper = (high[0] + high[1]) / 2;
      std::int64_t below = 0, upto = 0;
      run_band<BandCountKernel>(options_.simd, pair.same,
                                BandCountJob{pair.sample_a, pair.sample_b, 0,
                                             padded_floats(options_.n_sample),
                                             float_at(lower, pair.same),
                                             float_at(upper, pair.same), &below,
                                             &upto});
      low[static_cast<double>(below) <= first ? 0 : 1] = lower;
      high[static_cast<double>(upto) >= last ? 1 : 0] = upper;
    }
    if (first > 0.0)
      band.low = float_at(low[0], pair.same);
    if (last < size)
      band.high = float_at(high[1], pair.same);
  }

  static constexpr std::int32_t float_steps = 0x40000000; // bits of 2

  /// Returns the float at place `step`, from 0, of those in [0, 2] or [-2, 0].
  static float float_at(std::int32_t step, bool positive) {
    const std::int32_t bits = positive ? step : float_steps - step;
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return positive ? value : -value;
  }

  void narrow(Band &band) const {
    if (k_ <= band.below) {
      band.outer_high = band.high = band.low;
      band.low = band.outer_low;
    } else if (k_ > band.upto) {
      band.outer_low = band.low = band.high;
      band.high = band.outer_high;
    } else {
      band.outer_low = band.low;
      band.outer_high = band.high;
      const float width = band.high - band.low;
      if (std::isfinite(width)) {
        const std::int64_t count = band.upto - band.below;
        band.keys.reserve(count / 8 + 32);
        const float at = band.low + width *
                                        static_cast<float>(k_ - band.below) /
                                        static_cast<float>(count);
        band.low = std::max(band.low, at - 0.04F * width);
        band.high = std::min(band.high, at + 0.04F * width);
      }
    }
    widen(band);
    band.below = 0;
  }

  /// Widens a band by the error of floats.
  void widen(Band &band) const {
    band.low -= margin_;
    band.high += margin_;
  }

  void gather(const SelectedPair &pair, Band &band, Index begin, Index end) {
    Index count = 0;
    run_band<BandGatherKernel>(
        options_.simd, pair.same,
        BandGatherJob{pair.float_a, pair.float_b, begin, end, band.low,
                      band.high, &band.below, buffer_.data(), &count});
    band.keys.insert(band.keys.end(), buffer_.begin(), buffer_.begin() + count);
  }

  void gather_again(const SelectedPair &pair, Band &band) {
    widen(band);
    band.below = 0;
    band.keys.clear();
    gather(pair, band, 0, options_.padded);
  }

  void finish(SelectedPair &pair, Band &band) {
    // If the interpolation missed, the neighbouring interval holds the k-th
    // key.
    while (k_ <= band.below || k_ > band.below + band.keys.size()) {
      const bool lower = k_ <= band.below;
      const float edge = lower ? band.low : band.high;
      band.low = lower ? band.outer_low : edge;
      band.high = lower ? edge : band.outer_high;
      gather_again(pair, band);
    }
    const auto kth = band.keys.begin() + (k_ - band.below - 1);
    std::nth_element(
        band.keys.begin(), kth, band.keys.end(),
        [](const FeatureKey &a, const FeatureKey &b) { return a.key < b.key; });
    // The k-th key in doubles is at most one error from the k-th in floats, and
    // equal keys are at most one more error from it in floats.
    const float low = kth->key - margin_, high = kth->key + margin_;
    if (low < band.low || high > band.high) {
      band.low = std::min(band.low, low);
      band.high = std::max(band.high, high);
      gather_again(pair, band);
    }
    look_again(pair, band, low, high);
  }

  void look_again(SelectedPair &pair, const Band &band, float low, float high) {
    near_.clear();
    pair.surely = low;
    pair.n_below = band.below;
    for (const FeatureKey &at : band.keys) {
      if (at.key < low)
        ++pair.n_below;
      else if (at.key <= high)
        near_.push_back({pair_key(pair.a[at.feature], pair.b[at.feature],
                                  pair.same, options_.rounder),
                         at.feature});
    }
    const auto kth = near_.begin() + (k_ - pair.n_below - 1);
    std::nth_element(
        near_.begin(), kth, near_.end(),
        [](const ExactKey &a, const ExactKey &b) { return a.key < b.key; });
    pair.threshold = kth->key;
    for (const ExactKey &at : near_) {
      pair.n_below += at.key < pair.threshold ? 1 : 0;
      pair.n_equal += at.key == pair.threshold ? 1 : 0;
    }
  }

  Options options_;
  Index k_;
  float margin_; ///< two errors, and as much for rounding
  Array<FeatureKey> buffer_;
  Array<Band> bands_;
  Array<ExactKey> near_;
};

} // namespace hitmiss

#endif
