// P-Relief: margins of every feature by itself under a Gaussian kernel.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_PARZEN_RELIEF_HPP
#define HITMISS_SELECTORS_PARZEN_RELIEF_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../data/class_index.hpp"
#include "../pairs/margins.hpp"
#include "../pairs/parzen_kernels.hpp"

namespace hitmiss {

struct ParzenOptions {
  double bandwidth = 0.01; ///< standard deviation of the kernel, scaled units
  bool self = false;       ///< count a sample as its own near hit, as printed
  SimdPath simd = best_simd_path();
};

namespace detail {

/// What a pair of classes counts, both directions together:
/// 2 / (N_c - 1) within a class, -1/(N - N_c) - 1/(N - N_c') between two.
struct ParzenWeights {
  ParzenWeights(const ClassIndex &y, bool self)
      : hit(static_cast<std::size_t>(y.n_classes())), miss(hit.size()) {
    const double n = y.n_samples();
    for (std::size_t c = 0; c < hit.size(); ++c) {
      const double members = y.count(static_cast<int>(c));
      const double others = self ? members : members - 1.0;
      hit[c] = others > 0.0 ? 2.0 / others : 0.0;
      miss[c] = 1.0 / (n - members);
    }
  }
  double operator()(std::size_t a, std::size_t b) const {
    return a == b ? hit[a] : -(miss[a] + miss[b]);
  }
  std::vector<double> hit, miss;
};

struct LabelledValue {
  double value;
  std::size_t label;
  bool operator<(const LabelledValue &other) const {
    return value < other.value || (value == other.value && label < other.label);
  }
};

/// The bandwidth, or the least in which values as large as these can be
/// measured: only what differs by less than 1e-298 of the largest is then
/// nearer than it is.
inline double usable_bandwidth(double bandwidth, const double *values,
                               std::size_t n) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(values[i]));
  return std::max(bandwidth, largest * 1e-300);
}

/// Sum of weight exp(-d^2/2) over pairs within reach, values sorted.
inline double window_sum(const std::vector<LabelledValue> &sorted,
                         const ParzenWeights &weights, SimdPath simd) {
  constexpr std::size_t padding = 8;
  const std::size_t n = sorted.size(), stride = n + padding;
  std::vector<double> values(stride, sorted.back().value);
  std::vector<std::size_t> labels(n);
  std::vector<double> rows(weights.hit.size() * stride, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = sorted[i].value;
    labels[i] = sorted[i].label;
    for (std::size_t c = 0; c < weights.hit.size(); ++c)
      rows[c * stride + i] = weights(c, labels[i]);
  }
  double total = 0.0;
  WindowJob job;
  job.values = values.data();
  job.labels = labels.data();
  job.n_values = static_cast<std::ptrdiff_t>(n);
  job.weights = rows.data();
  job.stride = static_cast<std::ptrdiff_t>(stride);
  job.total = &total;
  run_simd<WindowKernel>(simd, job);
  return total;
}

/// The same sum by boxes of one bandwidth, u and v offsets from their centres:
/// exp(-(d + v - u)^2/2) = e^{-d^2/2} e^{du - u^2/2} e^{-dv - v^2/2} e^{uv},
/// |uv| <= 1/4, so a few moments of each box suffice. O(N + boxes).
class BoxSum {
public:
  BoxSum(const std::vector<LabelledValue> &sorted, const ParzenWeights &weights,
         SimdPath simd)
      : weights_(weights), simd_(simd) {
    const std::size_t n_classes = weights.hit.size();
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (i == 0 ||
          std::floor(sorted[i].value) != std::floor(sorted[i - 1].value))
        box_.push_back(std::floor(sorted[i].value));
    left_.assign(box_.size() * n_classes * box_size, 0.0);
    right_ = left_;
    std::size_t box = 0;
    for (const LabelledValue &x : sorted) {
      if (std::floor(x.value) != box_[box])
        ++box;
      const double u = x.value - box_[box] - 0.5;
      const std::size_t at = (box * n_classes + x.label) * box_size;
      run_simd<MomentKernel>(simd,
                             MomentJob{u, std::exp(u), std::exp(-0.5 * u * u),
                                       &left_[at], &right_[at]});
    }
  }

  /// `self`: the sum over samples of weight(y, y), to be taken out of box 0.
  double total(double self) const {
    double inverse[box_terms] = {1.0};
    for (int p = 1; p < box_terms; ++p)
      inverse[p] = inverse[p - 1] / p;
    const std::size_t n_classes = weights_.hit.size();
    double sum = 0.0;
    for (std::size_t a = 0; a < box_.size(); ++a)
      for (std::size_t b = a; b < box_.size(); ++b) {
        const double apart = box_[b] - box_[a];
        if (apart >= box_reach)
          break;
        const auto row = static_cast<std::size_t>(apart) * box_terms;
        double pairs = 0.0;
        run_simd<BoxPairKernel>(
            simd_, BoxPairJob{&left_[a * n_classes * box_size + row],
                              &right_[b * n_classes * box_size + row], box_size,
                              n_classes, weights_.hit.data(),
                              weights_.miss.data(), inverse, &pairs});
        sum += (a == b ? 0.5 : 1.0) * std::exp(-0.5 * apart * apart) * pairs;
      }
    return sum - 0.5 * self;
  }

private:
  const ParzenWeights &weights_;
  SimdPath simd_;
  std::vector<double> box_, left_, right_;
};

/// Compares the cost of the two forms by the pairs and boxes there are.
inline bool boxes_are_cheaper(const std::vector<LabelledValue> &sorted,
                              std::size_t n_classes) {
  double pairs = 0.0, boxes = 0.0;
  for (std::size_t n = 0, end = 0; n < sorted.size(); ++n) {
    while (end < sorted.size() &&
           sorted[end].value - sorted[n].value <= parzen_reach)
      ++end;
    pairs += static_cast<double>(end - n - 1);
    if (n == 0 ||
        std::floor(sorted[n].value) != std::floor(sorted[n - 1].value))
      boxes += 1.0;
  }
  // Measured, in pairs: 60 a sample, 300 a box and 100 more for each class.
  return pairs > 60.0 * static_cast<double>(sorted.size()) +
                     boxes * (300.0 + 100.0 * static_cast<double>(n_classes));
}

} // namespace detail

/// Signed mean margin of every feature (Yang, Hu 2012, eqs 12 to 14):
/// (1/N) sum_n [mean of k over its class - mean of k over all others],
/// k = exp(-(x - x')^2 / (2 bandwidth^2)). Constant features have 0.
inline std::vector<double> parzen_margins(const ScaledView &x,
                                          const ClassIndex &y,
                                          const ParzenOptions &options,
                                          Runtime &runtime) {
  const auto n = static_cast<std::size_t>(x.n_samples());
  const auto n_classes = static_cast<std::size_t>(y.n_classes());
  const std::ptrdiff_t stride = tile_stride<double>(x.n_samples());
  const detail::ParzenWeights weights(y, options.self);
  double self = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    self +=
        weights
            .hit[static_cast<std::size_t>(y[static_cast<std::ptrdiff_t>(i)])];
  std::vector<double> margins(static_cast<std::size_t>(x.n_features()));
  runtime.monitor().expect(x.n_features());
  detail::for_each_tile<double>(
      x, nullptr, 16, runtime,
      [&](std::ptrdiff_t first, std::ptrdiff_t count, const auto &fill) {
        const double *tile = fill();
        std::vector<detail::LabelledValue> sorted(n);
        for (std::ptrdiff_t f = 0; f < count; ++f) {
          runtime.checkpoint();
          if (x.is_constant(first + f))
            continue;
          const double *values = tile + f * stride;
          const double bandwidth =
              detail::usable_bandwidth(options.bandwidth, values, n);
          for (std::size_t i = 0; i < n; ++i)
            sorted[i] = {
                values[i] / bandwidth,
                static_cast<std::size_t>(y[static_cast<std::ptrdiff_t>(i)])};
          std::sort(sorted.begin(), sorted.end());
          double sum =
              detail::boxes_are_cheaper(sorted, n_classes)
                  ? detail::BoxSum(sorted, weights, options.simd).total(self)
                  : detail::window_sum(sorted, weights, options.simd);
          if (options.self)
            sum += static_cast<double>(n_classes);
          margins[static_cast<std::size_t>(first + f)] =
              sum / static_cast<double>(n);
        }
        runtime.monitor().advance(count);
      });
  return margins;
}

} // namespace hitmiss

#endif
