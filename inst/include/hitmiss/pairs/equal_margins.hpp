// Margins where all samples are equally near: from counts, without pairs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_EQUAL_MARGINS_HPP
#define HITMISS_PAIRS_EQUAL_MARGINS_HPP

#include <algorithm>

#include "margins.hpp"

namespace hitmiss {
namespace detail {

constexpr Index margin_bins = 256;

/// What a pair of samples counts, by the classes of the two: `cross` of one
/// sample's class where classes differ, summed over the two; -`same` else.
struct ClassFactors {
  float count = 0.0F, cross = 0.0F, same = 0.0F;
};

/// Between bins b and b + 1 lie low (n - low) pairs, `low` samples in the bins
/// to b. Sums over the gaps between bins, times what each pair counts, are sums
/// of distances in bins.
struct EqualMarginJob {
  const float *low = nullptr; ///< by class and bin
  const ClassFactors *factors = nullptr;
  Index n_classes = 0;
  float n_samples = 0.0F;
  double *sum = nullptr;
};

struct EqualMarginKernel {
  template <int Bytes> static HITMISS_INLINE void run(const EqualMarginJob &j) {
    using S = Simd<float, Bytes>;
    using V = typename S::Vector;
    V sum = {};
    for (Index b = 0; b < margin_bins; b += S::lanes) {
      V all_low = {}, low;
      for (Index c = 0; c < j.n_classes; ++c) {
        S::load(low, j.low + c * margin_bins + b);
        all_low += low;
      }
      const V all_high = j.n_samples - all_low;
      for (Index c = 0; c < j.n_classes; ++c) {
        S::load(low, j.low + c * margin_bins + b);
        const ClassFactors &factor = j.factors[c];
        const V high = factor.count - low;
        sum +=
            factor.cross * (low * (all_high - high) + high * (all_low - low));
        sum -= factor.same * (low * high);
      }
    }
    *j.sum = S::sum(sum);
  }
};

/// Counts of one feature's samples by class and bin, up to each bin.
class LowCounts {
public:
  explicit LowCounts(const ClassIndex &y)
      : counts_(y.n_classes() * margin_bins), low_(counts_.size()) {
    for (Index n = 0; n < y.n_samples(); ++n)
      first_.push_back(y[n] * margin_bins);
  }

  /// `x` by sample; values beyond [0, 1] count as its ends.
  const float *operator()(const float *x) {
    std::fill(counts_.begin(), counts_.end(), 0);
    for (Index n = 0; n < first_.size(); ++n) {
      const float inside = x[n] > 0.0F ? std::min(x[n], 1.0F) : 0.0F;
      ++counts_[first_[n] +
                static_cast<int>(inside * (margin_bins - 1) + 0.5F)];
    }
    for (Index first = 0; first < low_.size(); first += margin_bins) {
      int low = 0;
      for (Index b = first; b < first + margin_bins; ++b)
        low_[b] = static_cast<float>(low += counts_[b]);
    }
    return low_.data();
  }

private:
  Array<int> counts_;
  AlignedBuffer<float> low_;
  Array<Index> first_; ///< by sample, the first count of its class
};

} // namespace detail

/// Whether counts are cheaper than pairs.
inline bool counts_pay(const ClassIndex &y) {
  return Index{y.n_samples()} * y.n_samples() >
         64 * detail::margin_bins * y.n_classes();
}

/// sum_n z_nj / 2 for every feature j, where z_nj is the mean of |x_nj - x_ij|
/// over all near misses i less that over all near hits: pair_gradient() of
/// weights 0, all pairs allowed and every r 1/2. Features lie in [0, 1] and are
/// rounded to 256 values. O(J (N + 256 C)).
inline Array<double> equal_margins(const ScaledView &x, const ClassIndex &y,
                                   SimdLevel simd, Runtime &runtime) {
  const Index n = x.n_samples();
  Array<detail::ClassFactors> factors;
  for (int c = 0; c < y.n_classes(); ++c) {
    const int count = y.count(c);
    factors.push_back(
        {static_cast<float>(count),
         n > count ? 0.5F / static_cast<float>(n - count) : 0.0F,
         count > 1 ? 1.0F / static_cast<float>(count - 1) : 0.0F});
  }
  constexpr Index step = 64;
  Array<double> sums(x.n_features());
  detail::for_each_tile<float>(
      x, nullptr, step, runtime,
      [&](Index first, Index count, const auto &fill) {
        runtime.checkpoint();
        const float *tile = fill();
        detail::LowCounts low(y);
        detail::EqualMarginJob job;
        job.factors = factors.data();
        job.n_classes = factors.size();
        job.n_samples = static_cast<float>(n);
        for (Index f = 0; f < count; ++f) {
          job.low = low(tile + f * tile_stride<float>(n));
          double sum = 0.0;
          job.sum = &sum;
          run_simd<detail::EqualMarginKernel>(simd, job);
          sums[first + f] = sum / (detail::margin_bins - 1);
        }
      });
  return sums;
}

} // namespace hitmiss

#endif
