// The k-th smallest key of every pair in a block of pairs, by narrowing bands.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_BAND_SELECT_HPP
#define HITMISS_PAIRS_BAND_SELECT_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../data/sample_rows.hpp"
#include "band_kernels.hpp"

namespace hitmiss {

/// A pair of samples, and where its k-th smallest key lies: `n_below` keys are
/// smaller than `threshold`, `n_equal` equal to it.
struct SelectedPair {
  const double *a, *b;
  const double *sample_a, *sample_b; ///< a sample of the features
  bool same;
  double threshold = 0.0;
  std::int64_t n_below = 0, n_equal = 0;
};

/// Exact selection: a band around the k-th key of a sample of features is
/// counted, narrowed by interpolation, gathered and sorted out. Whatever the
/// guess, the band kept always holds the k-th key. All pairs of a block go
/// through a tile of features together, so rows are read from fast memory.
class BandSelector {
public:
  static constexpr Index tile = 2048; ///< features

  struct Options {
    Index k;
    Index n_sample; ///< features in the sample
    double rounder; ///< of the keys, see pair_key()
    SimdLevel simd;
  };

  BandSelector(const SampleRows &x, const Options &options)
      : x_(x), options_(options), k_(options.k), n_sample_(options.n_sample),
        buffer_(x.padded() + 1) {}

  void select(Array<SelectedPair> &pairs, Runtime &runtime) {
    bands_.assign(pairs.size(), Band());
    for (Index p = 0; p < pairs.size(); ++p)
      guess(pairs[p], bands_[p]);
    sweep(pairs, runtime,
          [&](const SelectedPair &pair, Band &band, Index begin, Index end) {
            run_band<BandCountKernel>(
                options_.simd, pair.same,
                BandCountJob{pair.a, pair.b, begin, end, options_.rounder,
                             band.low, band.high, &band.below, &band.upto});
          });
    for (Band &band : bands_)
      narrow(band);
    sweep(pairs, runtime,
          [&](const SelectedPair &pair, Band &band, Index begin, Index end) {
            gather(pair, band, begin, end);
          });
    for (Index p = 0; p < pairs.size(); ++p)
      finish(pairs[p], bands_[p]);
  }

private:
  /// The k-th key is in [outer_low, outer_high]; [low, high] is looked at.
  struct Band {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double outer_low = low, outer_high = high;
    std::int64_t below = 0, upto = 0;
    Array<double> keys;
  };

  template <class Work>
  void sweep(const Array<SelectedPair> &pairs, Runtime &runtime, Work work) {
    for (Index begin = 0; begin < x_.padded(); begin += tile) {
      runtime.checkpoint();
      const Index end = std::min(x_.padded(), begin + tile);
      for (Index p = 0; p < pairs.size(); ++p)
        work(pairs[p], bands_[p], begin, end);
    }
  }

  void guess(const SelectedPair &pair, Band &band) {
    for (Index s = 0; s < n_sample_; ++s)
      buffer_[s] = pair_key(pair.sample_a[s], pair.sample_b[s], pair.same,
                            options_.rounder);
    const double share =
        static_cast<double>(k_) / static_cast<double>(x_.n_features());
    const double size = static_cast<double>(n_sample_);
    const double spread = 2.5 * std::sqrt(size * share * (1.0 - share)) + 1.0;
    const auto first = static_cast<Index>(share * size - spread);
    const auto last = static_cast<Index>(share * size + spread);
    const auto begin = buffer_.begin(), end = begin + n_sample_;
    if (last < n_sample_) {
      std::nth_element(begin, begin + last, end);
      band.high = buffer_[last];
    }
    if (first > 0) {
      std::nth_element(begin, begin + first,
                       last < n_sample_ ? begin + last : end);
      band.low = buffer_[first];
    }
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
      const double width = band.high - band.low;
      if (std::isfinite(width)) {
        const std::int64_t count = band.upto - band.below;
        band.keys.reserve(count / 6 + 32);
        const double at = band.low + width *
                                         static_cast<double>(k_ - band.below) /
                                         static_cast<double>(count);
        band.low = std::max(band.low, at - 0.06 * width);
        band.high = std::min(band.high, at + 0.06 * width);
      }
    }
    band.below = 0;
  }

  void gather(const SelectedPair &pair, Band &band, Index begin, Index end) {
    Index count = 0;
    run_band<BandGatherKernel>(
        options_.simd, pair.same,
        BandGatherJob{pair.a, pair.b, begin, end, options_.rounder, band.low,
                      band.high, &band.below, buffer_.data(), &count});
    band.keys.insert(band.keys.end(), buffer_.begin(), buffer_.begin() + count);
  }

  void finish(SelectedPair &pair, Band &band) {
    // If the interpolation missed, the neighbouring part holds the k-th key.
    while (k_ <= band.below || k_ > band.below + band.keys.size()) {
      const bool lower = k_ <= band.below;
      const double edge = lower ? band.low : band.high;
      band.low = lower ? band.outer_low : edge;
      band.high = lower ? edge : band.outer_high;
      band.below = 0;
      band.keys.clear();
      gather(pair, band, 0, x_.padded());
    }
    const auto kth = band.keys.begin() + (k_ - band.below - 1);
    std::nth_element(band.keys.begin(), kth, band.keys.end());
    pair.threshold = *kth;
    pair.n_below = band.below;
    for (const double key : band.keys) {
      pair.n_below += key < pair.threshold ? 1 : 0;
      pair.n_equal += key == pair.threshold ? 1 : 0;
    }
  }

  const SampleRows &x_;
  Options options_;
  Index k_;
  Index n_sample_;
  Array<double> buffer_;
  Array<Band> bands_;
};

} // namespace hitmiss

#endif
