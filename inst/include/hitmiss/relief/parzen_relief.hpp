// P-Relief: margins of every feature by itself under a Gaussian kernel.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_PARZEN_RELIEF_HPP
#define HITMISS_RELIEF_PARZEN_RELIEF_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/bytes_needed.hpp"
#include "../pairs/for_each_tile.hpp"
#include "../pairs/require_problem.hpp"
#include "../runtime/simd.hpp"
#include "../runtime/vector_exp.hpp"
#include "margin_scores.hpp"

namespace hitmiss {

/// Beyond this many bandwidths exp(-d^2/2) is below half an ulp of 1.
constexpr double parzen_reach = 8.6;

/// total = sum over pairs n < i within reach (and a few beyond) of
/// weights[labels[n] * stride + i] exp(-d^2/2), d = values[i] - values[n].
/// Values must be sorted, in units of the bandwidth, and followed by 8 numbers
/// that are >= the largest value and have weight 0.
struct WindowJob {
  const double *values = nullptr;
  const Index *labels = nullptr;
  Index n_values = 0;
  const double *weights = nullptr;
  Index stride = 0;
  double *total = nullptr;
};

struct WindowKernel {
  template <int Bytes> static HITMISS_INLINE void run(const WindowJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    V sum = {};
    Index end = 0;
    for (Index n = 0; n < job.n_values; ++n) {
      const double value = job.values[n];
      while (end < job.n_values && job.values[end] - value <= parzen_reach)
        ++end;
      const double *weights = job.weights + job.labels[n] * job.stride;
      V own = {}; // one short sum for each value loses fewer digits
      for (Index i = n + 1; i < end; i += S::lanes) {
        V d, weight;
        S::load(d, job.values + i);
        S::load(weight, weights + i);
        d -= value;
        V e = d * d * -0.5;
        e = e < -700.0 ? V{} - 700.0 : e;
        detail::exponential<Bytes>(e);
        own += e * weight;
      }
      sum += own;
    }
    *job.total = S::sum(sum);
  }
};

struct ParzenOptions {
  double bandwidth = 0.1; ///< standard deviation of the kernel, scaled units
  bool self = false;      ///< count a sample as its own near hit, as the paper
  AllowedPairs allowed;
  SimdLevel simd = best_simd_level();

  void check() const {
    detail::require(bandwidth > 0.0 && std::isfinite(bandwidth),
                    "the bandwidth must be above 0");
  }
};

/// Bytes beside the data that parzen_margins() takes: tiles, and one feature's
/// values with the weights or the grid of every class.
inline double bytes_needed(const FitSize &size, const ParzenOptions &) {
  const auto classes = static_cast<double>(size.class_sizes.size());
  return detail::tile_bytes(size, 16) +
         detail::tile_bytes(size, 8.0 + 4.0 * classes);
}

namespace detail {

/// The weight of a pair of samples, both directions together: 1 / hits + 1 /
/// hits' within a class, -1 / misses - 1 / misses' between two classes. hits
/// and misses are the numbers of samples that the first sample is compared
/// with, hits' and misses' those of the second. Samples with equal class, hits
/// and misses have one profile.
class ParzenWeights {
public:
  /// Returns the profile of a sample. If the profile is new, it is added.
  Index profile(int label, int hits, int misses) {
    const Profile wanted{label, hits, misses};
    const auto found = std::find(profiles_.begin(), profiles_.end(), wanted);
    const Index at = found - profiles_.begin();
    if (found == profiles_.end()) {
      profiles_.push_back(wanted);
      // A sample without misses does not count.
      hit.push_back(hits > 0 && misses > 0 ? 2.0 / hits : 0.0);
      miss.push_back(misses > 0 ? 1.0 / misses : 0.0);
    }
    return at;
  }
  Index size() const { return profiles_.size(); }
  int hits(Index profile) const { return profiles_[profile][1]; }
  double operator()(Index a, Index b) const {
    return profiles_[a][0] == profiles_[b][0] ? 0.5 * (hit[a] + hit[b])
                                              : -(miss[a] + miss[b]);
  }
  Array<double> hit, miss; ///< by profile

private:
  using Profile = std::array<int, 3>;
  Array<Profile> profiles_;
};

/// A block of samples that are compared with each other, except within groups.
struct ParzenBlock {
  Array<int> samples;
  Array<Index> profiles;      ///< of the samples
  Array<Array<Index>> groups; ///< positions of the samples of each group
  ParzenWeights weights;
  double self_hits = 0.0; ///< sum of 1 / hits: each sample as its own near hit
};

/// Returns all blocks; if the data have none, one block of all samples.
inline Array<ParzenBlock>
parzen_blocks(const ClassIndex &y, const AllowedPairs &allowed, bool self) {
  const AllowedCounts counts(y, allowed);
  std::map<int, ParzenBlock> by_block;
  for (int n = 0; n < y.n_samples(); ++n)
    by_block[allowed.block(n)].samples.push_back(n);
  Array<ParzenBlock> blocks;
  for (auto &of_block : by_block) {
    ParzenBlock block = std::move(of_block.second);
    // Without groups the profiles are the classes, in their order.
    if (!allowed.has_groups())
      for (int c = 0; c < y.n_classes(); ++c)
        for (const int n : block.samples)
          if (y[n] == c) {
            block.weights.profile(c, counts.of_class(n, c) + (self ? 1 : 0),
                                  counts.misses(n));
            break;
          }
    std::map<Index, double> members;
    std::map<int, Array<Index>> by_group;
    for (Index at = 0; at < block.samples.size(); ++at) {
      const int n = block.samples[at];
      const int hits = counts.of_class(n, y[n]) + (self ? 1 : 0);
      block.profiles.push_back(
          block.weights.profile(y[n], hits, counts.misses(n)));
      if (allowed.has_groups())
        by_group[allowed.group(n)].push_back(at);
      if (counts.misses(n) > 0)
        members[block.profiles.back()] += 1.0;
    }
    for (const auto &profile : members)
      block.self_hits += profile.second / block.weights.hits(profile.first);
    for (auto &group : by_group)
      if (group.second.size() > 1)
        block.groups.push_back(std::move(group.second));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

struct LabelledValue {
  double value;
  Index label;
  bool operator<(const LabelledValue &other) const {
    return value < other.value || (value == other.value && label < other.label);
  }
};

/// Sorts the values, first into as many buckets of equal width as there are
/// values: mostly few share a bucket.
inline void sort_values(Array<LabelledValue> &values) {
  double least = values.front().value, most = least;
  for (const LabelledValue &v : values) {
    least = std::min(least, v.value);
    most = std::max(most, v.value);
  }
  const double scale = static_cast<double>(values.size() - 1) / (most - least);
  if (!std::isfinite(scale))
    return std::sort(values.begin(), values.end());
  const auto bucket = [&](const LabelledValue &v) {
    return static_cast<Index>((v.value - least) * scale);
  };
  Array<Index> end(values.size() + 1, 0);
  for (const LabelledValue &v : values)
    ++end[bucket(v) + 1];
  for (Index k = 1; k < end.size(); ++k)
    end[k] += end[k - 1];
  Array<LabelledValue> sorted(values.size());
  for (const LabelledValue &v : values)
    sorted[end[bucket(v)]++] = v;
  Index begin = 0;
  for (Index k = 0; k + 1 < end.size(); begin = end[k++])
    if (end[k] - begin > 1)
      std::sort(sorted.begin() + begin, sorted.begin() + end[k]);
  values = std::move(sorted);
}

/// The bandwidth, but at least 1e-300 of the largest |value|, so that values in
/// units of the bandwidth do not overflow. This changes the kernel only for
/// values that differ by less than 1e-298 of the largest.
inline double usable_bandwidth(double bandwidth, const double *values,
                               Index n) {
  double largest = 0.0;
  for (Index i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(values[i]));
  return std::max(bandwidth, largest * 1e-300);
}

/// Returns the sum of weight exp(-d^2/2) over the pairs within reach. The
/// values must be sorted.
inline double window_sum(const Array<LabelledValue> &sorted,
                         const ParzenWeights &weights, SimdLevel simd) {
  constexpr Index padding = 8;
  const Index n = sorted.size(), stride = n + padding;
  Array<double> values(stride, sorted.back().value);
  Array<Index> labels(n);
  Array<double> rows(weights.size() * stride, 0.0);
  for (Index i = 0; i < n; ++i) {
    values[i] = sorted[i].value;
    labels[i] = sorted[i].label;
    for (Index c = 0; c < weights.size(); ++c)
      rows[c * stride + i] = weights(c, labels[i]);
  }
  double total = 0.0;
  WindowJob job;
  job.values = values.data();
  job.labels = labels.data();
  job.n_values = n;
  job.weights = rows.data();
  job.stride = stride;
  job.total = &total;
  run_simd<WindowKernel>(simd, job);
  return total;
}

/// A grid that turns the sum over pairs into sums over single values: the
/// trapezoidal rule gives exp(-(x - y)^2 / 2) = sqrt(2 / pi) step sum over the
/// points t of exp(-(x - t)^2) exp(-(y - t)^2), with a relative error of
/// 2 exp(-pi^2 / (2 step^2)) = 1e-15. Points more than 15 steps from a value
/// are left out, where exp(-(x - t)^2) is below exp(-5.6^2).
struct ParzenGrid {
  static constexpr double step = 0.375; // its multiples are exact
  static constexpr Index reach = 32;    // points per value: -15 to 16 steps

  /// The number of steps from the first value to the last.
  static double span(const Array<LabelledValue> &sorted) {
    return (sorted.back().value - sorted.front().value) / step;
  }
};

/// total = sum over profiles a >= b of weights[a * profiles + b] times the
/// inner product of their grids. Every value x adds exp(-(x - t)^2) to points t
/// of the grid of its profile. Point 15 is at t = first * step; `stride` must
/// be a multiple of 8.
struct GridJob {
  const LabelledValue *values;
  Index n_values;
  double first;
  double *grid; ///< a row for each profile; must be 0
  Index stride, profiles;
  const double *weights;
  double *total;
};

struct GridKernel {
  template <int Bytes> static HITMISS_INLINE void run(const GridJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index reach = ParzenGrid::reach;
    constexpr double step = ParzenGrid::step;
    double steps[reach];
    for (Index j = 0; j < reach; ++j)
      steps[j] = step * static_cast<double>(j - 15);
    V d, sum;
    for (Index i = 0; i < job.n_values; ++i) {
      const double x = job.values[i].value - job.first * step;
      const auto cell = static_cast<Index>(x / step);
      const double offset = x - static_cast<double>(cell) * step;
      double *to = job.grid + job.values[i].label * job.stride + cell;
#pragma GCC unroll 4
      for (Index j = 0; j < reach; j += S::lanes) {
        S::load(d, steps + j);
        d -= offset;
        d *= -d;
        exponential<Bytes>(d);
        S::load(sum, to + j);
        sum += d;
        S::store(to + j, sum);
      }
    }
    *job.total = 0.0;
    for (Index a = 0; a < job.profiles; ++a)
      for (Index b = 0; b <= a; ++b) {
        V product = {};
        for (Index j = 0; j < job.stride; j += S::lanes) {
          S::load(d, job.grid + a * job.stride + j);
          S::load(sum, job.grid + b * job.stride + j);
          product += d * sum;
        }
        *job.total += job.weights[a * job.profiles + b] * S::sum(product);
      }
  }
};

/// The sum of window_sum() in O(values + span profiles^2). A grid times itself
/// has each pair twice and each value with itself, which is corrected.
inline double grid_sum(const Array<LabelledValue> &sorted,
                       const ParzenWeights &weights, SimdLevel simd) {
  constexpr double scale = 0.79788456080286535588 * ParzenGrid::step;
  const Index profiles = weights.size();
  const auto points =
      static_cast<Index>(ParzenGrid::span(sorted)) + ParzenGrid::reach + 2;
  const Index stride = (points + 7) / 8 * 8;
  Array<double> grid(profiles * stride, 0.0), pairs(profiles * profiles);
  for (Index a = 0; a < profiles; ++a)
    for (Index b = 0; b <= a; ++b)
      pairs[a * profiles + b] = (a == b ? 0.5 : 1.0) * weights(a, b);
  double total = 0.0, self = 0.0;
  run_simd<GridKernel>(
      simd, GridJob{sorted.data(), sorted.size(),
                    std::floor(sorted.front().value / ParzenGrid::step),
                    grid.data(), stride, profiles, pairs.data(), &total});
  for (const LabelledValue &x : sorted)
    self += weights(x.label, x.label);
  return scale * total - 0.5 * self;
}

/// Returns true if so many pairs are within reach that the grid is faster. The
/// grid of n values takes as long as 4000 + 40 n + span profiles^2 pairs. It is
/// not used if it has more than 4 n steps, or if values beyond 1e12 make its
/// steps inexact.
inline bool grid_pays(const Array<LabelledValue> &sorted, Index profiles) {
  const auto n = static_cast<double>(sorted.size());
  const double span = ParzenGrid::span(sorted);
  if (span > 4.0 * n || std::abs(sorted.front().value) > 1e12)
    return false;
  double pairs =
      -4000.0 - 40.0 * n - static_cast<double>(profiles * profiles) * span;
  for (Index i = 0, end = 0; i < sorted.size() && pairs <= 0.0; ++i) {
    while (end < sorted.size() &&
           sorted[end].value - sorted[i].value <= parzen_reach)
      ++end;
    pairs += static_cast<double>(end - i - 1);
  }
  return pairs > 0.0;
}

/// Returns the sum of weight exp(-d^2/2) over all pairs of `values`, which may
/// be in any order.
inline double pair_sum(Array<LabelledValue> values,
                       const ParzenWeights &weights, SimdLevel simd) {
  constexpr Index few = 8; // sorting these would take longer
  double total = 0.0;
  if (values.size() > few) {
    sort_values(values);
    return grid_pays(values, weights.size())
               ? grid_sum(values, weights, simd)
               : window_sum(values, weights, simd);
  }
  for (Index i = 0; i < values.size(); ++i)
    for (Index k = 0; k < i; ++k) {
      const double d = values[i].value - values[k].value;
      total +=
          weights(values[i].label, values[k].label) * std::exp(-0.5 * d * d);
    }
  return total;
}

/// Returns the sum over the pairs of a block that are compared, for one feature
/// with `values[n]` of sample n, not yet divided by the bandwidth.
inline double block_sum(const ParzenBlock &block, const double *values,
                        double bandwidth, SimdLevel simd) {
  Array<LabelledValue> all(block.samples.size());
  for (Index i = 0; i < all.size(); ++i)
    all[i] = {values[block.samples[i]] / bandwidth, block.profiles[i]};
  double within_groups = 0.0;
  for (const auto &group : block.groups) {
    Array<LabelledValue> some;
    for (const Index at : group)
      some.push_back(all[at]);
    within_groups += pair_sum(std::move(some), block.weights, simd);
  }
  return pair_sum(std::move(all), block.weights, simd) - within_groups;
}

} // namespace detail

/// Signed mean margin of every feature (Yang, Hu 2012, eqs 12 to 14):
/// (1/N) sum_n [mean of k over its class - mean of k over all other classes],
/// k = exp(-(x - x')^2 / (2 bandwidth^2)), over the samples that n is compared
/// with. The N samples n are those that are allowed a miss. Constant features
/// have 0. Time per feature: O(N log N); if the values span more than 4 N steps
/// of the grid, in addition one step for each pair within reach.
inline Array<double> parzen_margins(const ScaledView &x, const ClassIndex &y,
                                    const ParzenOptions &options,
                                    Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  const Index n = x.n_samples();
  const Index stride = tile_stride<double>(x.n_samples());
  const auto blocks = detail::parzen_blocks(y, options.allowed, options.self);
  const double n_counting = AllowedCounts(y, options.allowed).n_counting();
  Array<double> margins(x.n_features());
  runtime.monitor().expect(x.n_features());
  detail::for_each_tile<double>(
      x, 16, runtime, [&](Index first, Index count, const auto &fill) {
        const double *tile = fill();
        for (Index f = 0; f < count; ++f) {
          runtime.checkpoint();
          if (x.is_constant(first + f))
            continue;
          const double *values = tile + f * stride;
          const double bandwidth =
              detail::usable_bandwidth(options.bandwidth, values, n);
          double sum = 0.0;
          for (const auto &block : blocks) {
            sum += detail::block_sum(block, values, bandwidth, options.simd);
            if (options.self)
              sum += block.self_hits;
          }
          margins[first + f] = sum / n_counting;
        }
        runtime.monitor().advance(count);
      });
  return without_noise(std::move(margins));
}

} // namespace hitmiss

#endif
