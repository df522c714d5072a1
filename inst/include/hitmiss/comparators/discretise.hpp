// Bins features: by equal frequency, Fayyad and Irani's rule, or three levels.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_DISCRETISE_HPP
#define HITMISS_COMPARATORS_DISCRETISE_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "../data/class_index.hpp"
#include "../data/for_each_feature.hpp"
#include "../data/require_values.hpp"
#include "sorted_samples.hpp"

namespace hitmiss {

enum class BinRule {
  frequency,  ///< bins of equal numbers of samples; ties share a bin
  mdl,        ///< cuts of least description length (Fayyad, Irani 1993)
  three_sigma ///< below, within, above mean -+ sd / 2 (Peng et al. 2005)
};

struct BinOptions {
  BinRule rule = BinRule::frequency;
  int bins = 5; ///< for equal frequency; at most n_samples / 5, but 2 at least
};

/// The bin (code) of every sample in every feature, feature by feature.
struct BinnedFeatures {
  using Code = std::uint16_t;

  Index n_samples = 0;
  Index n_features = 0;
  Array<Code> codes;
  Array<int> levels;    ///< number of bins of each feature
  Array<char> constant; ///< 1: all values of the feature are equal

  const Code *feature(Index j) const { return codes.data() + j * n_samples; }
  /// Says whether every code stands for a level of its feature.
  bool is_sound() const {
    if (n_samples < 1 || codes.size() != n_samples * n_features ||
        levels.size() != n_features || constant.size() != n_features)
      return false;
    for (Index j = 0; j < n_features; ++j)
      if (*std::max_element(feature(j), feature(j) + n_samples) >= levels[j])
        return false;
    return true;
  }
};

namespace detail {

using Code = BinnedFeatures::Code;

/// Sets codes min(bins - 1, floor((rank - 1/2) bins / n)), ranks from 1, those
/// of ties averaged; returns the number of bins. Integers suffice: for tied
/// places [first, end), 2 rank - 1 = first + end.
inline int frequency_bins(const Array<double> &values, const Array<int> &order,
                          int wanted, Code *codes) {
  const std::int64_t n = values.size();
  const std::int64_t bins =
      std::min<std::int64_t>(wanted, std::max<std::int64_t>(2, n / 5));
  each_tie(values, order, [&](std::int64_t first, std::int64_t end) {
    const auto bin = std::min(bins - 1, (first + end) * bins / (2 * n));
    for (std::int64_t i = first; i < end; ++i)
      codes[order[i]] = static_cast<Code>(bin);
  });
  return static_cast<int>(bins);
}

/// `largest`: the largest absolute value. Values are first divided by a power
/// of two near it: nothing is rounded, and squares neither vanish nor overflow.
inline int three_sigma_bins(const Array<double> &values, double largest,
                            Code *codes) {
  const auto n = static_cast<double>(values.size());
  const double unit = std::ldexp(1.0, -std::max(std::ilogb(largest), -1022));
  double mean = 0.0, squares = 0.0;
  for (const double value : values)
    mean += value * unit / n;
  for (const double value : values)
    squares += (value * unit - mean) * (value * unit - mean);
  const double half = n > 1.0 ? std::sqrt(squares / (n - 1.0)) / 2.0 : 0.0;
  for (Index i = 0; i < values.size(); ++i)
    codes[i] = values[i] * unit < mean - half   ? Code(0)
               : values[i] * unit > mean + half ? Code(2)
                                                : Code(1);
  return 3;
}

/// Recursive cuts by the least description length (Fayyad, Irani 1993). bin()
/// may be called for one feature after another.
class MdlBinning {
public:
  explicit MdlBinning(const ClassIndex &y)
      : y_(y), left_(classes()), right_(classes()) {}

  int bin(const Array<double> &values, const Array<int> &order, Code *codes) {
    values_ = &values;
    order_ = &order;
    starts_.clear();
    divide(0, order.size());
    std::sort(starts_.begin(), starts_.end());
    Index next = 0;
    for (Index i = 0; i < order.size(); ++i) {
      while (next < starts_.size() && starts_[next] <= i)
        ++next;
      codes[order[i]] = static_cast<Code>(next);
    }
    return static_cast<int>(starts_.size()) + 1;
  }

private:
  struct Cut {
    double gain;    ///< bits
    double penalty; ///< bits
    Index at;
  };

  Index classes() const { return y_.n_classes(); }
  int label(Index place) const { return y_[(*order_)[place]]; }
  double value(Index place) const { return (*values_)[(*order_)[place]]; }

  /// Returns the entropy in bits, and sets `present` to the number of classes.
  static double entropy(const Array<int> &counts, double n, int &present) {
    double bits = 0.0;
    present = 0;
    for (const int count : counts) {
      if (count == 0)
        continue;
      ++present;
      bits -= count / n * std::log2(count / n);
    }
    return bits;
  }

  /// Cuts the places [first, end) if the gain exceeds the penalty, then goes on
  /// with both sides.
  void divide(Index first, Index end) {
    if (starts_.size() >= 65535)
      return;
    const Cut cut = best_cut(first, end);
    if (cut.at == first || cut.gain <= cut.penalty)
      return;
    starts_.push_back(cut.at);
    divide(first, cut.at);
    divide(cut.at, end);
  }

  /// Returns the best cut of the places [first, end). Its `at` is the first
  /// place of the right side, or `first` if no cut is possible. If gains are
  /// equal but for rounding, the first cut is taken.
  Cut best_cut(Index first, Index end) {
    std::fill(left_.begin(), left_.end(), 0);
    std::fill(right_.begin(), right_.end(), 0);
    for (Index i = first; i < end; ++i)
      ++right_[label(i)];
    const auto n = static_cast<double>(end - first);
    int present = 0;
    const double whole = entropy(right_, n, present);
    Cut best{0.0, 0.0, first};
    for (Index at = first + 1; at < end && present > 1; ++at) {
      const Index moved = label(at - 1);
      ++left_[moved];
      --right_[moved];
      if (value(at) == value(at - 1))
        continue;
      const auto n_left = static_cast<double>(at - first);
      int k_left = 0, k_right = 0;
      const double h_left = entropy(left_, n_left, k_left);
      const double h_right = entropy(right_, n - n_left, k_right);
      const double gain =
          whole - (n_left * h_left + (n - n_left) * h_right) / n;
      if (best.at != first && gain <= best.gain + 1e-12)
        continue;
      const double delta = std::log2(std::pow(3.0, present) - 2.0) -
                           present * whole + k_left * h_left +
                           k_right * h_right;
      best = {gain, (std::log2(n - 1.0) + delta) / n, at};
    }
    return best;
  }

  const ClassIndex &y_;
  const Array<double> *values_ = nullptr;
  const Array<int> *order_ = nullptr;
  Array<Index> starts_;
  Array<int> left_, right_;
};

} // namespace detail

/// Bins every feature by itself, in O(N log N J) time. Codes take 2 bytes per
/// value.
inline BinnedFeatures bin_features(const MatrixView &x, const ClassIndex &y,
                                   const BinOptions &options,
                                   Runtime &runtime) {
  detail::require_values(x, 1);
  detail::require(options.bins >= 2 && options.bins <= 65535,
                  "the number of bins must lie in 2 ... 65535");
  detail::require(
      options.rule != BinRule::mdl ||
          (y.n_samples() == x.n_samples && y.n_labelled() == y.n_samples()),
      "one label per sample is needed");
  BinnedFeatures result;
  result.n_samples = x.n_samples;
  result.n_features = x.n_features;
  result.codes.resize(x.n_samples * x.n_features);
  result.levels.resize(x.n_features);
  result.constant.resize(x.n_features);
  for_each_feature(x, runtime, [&](Index j, const Array<double> &values) {
    detail::Code *codes = result.codes.data() + j * x.n_samples;
    const auto order = options.rule == BinRule::three_sigma
                           ? Array<int>()
                           : sorted_samples(values);
    const auto range = std::minmax_element(values.begin(), values.end());
    result.constant[j] = *range.first == *range.second ? 1 : 0;
    result.levels[j] =
        result.constant[j] ? 1
        : options.rule == BinRule::frequency
            ? detail::frequency_bins(values, order, options.bins, codes)
        : options.rule == BinRule::mdl
            ? detail::MdlBinning(y).bin(values, order, codes)
            : detail::three_sigma_bins(
                  values,
                  std::max(std::abs(*range.first), std::abs(*range.second)),
                  codes);
  });
  return result;
}

} // namespace hitmiss

#endif
