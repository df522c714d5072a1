// The mean distance of every sample to the others, and an order of neighbours
// that is corrected by it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_MEAN_DISTANCES_HPP
#define HITMISS_PAIRS_MEAN_DISTANCES_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "../data/for_each_feature.hpp"
#include "../data/require_values.hpp"
#include "../data/sparse_tiles.hpp"
#include "../runtime/runtime.hpp"
#include "allowed_pairs.hpp"
#include "distance_kernel.hpp"
#include "for_each_tile.hpp"

namespace hitmiss {

namespace detail {

struct SampleValue {
  double value;
  int sample;
};

inline bool operator<(const SampleValue &a, const SampleValue &b) {
  return a.value < b.value;
}

inline double value_of(const SampleValue &v) { return v.value; }
inline double value_of(double v) { return v; }

/// Sorts by value: first into as many buckets of equal width as there are
/// values, then within each bucket. This takes O(n) unless most values share a
/// few buckets.
template <class Entry> void sort_by_value(Array<Entry> &values) {
  const Index n = values.size();
  if (n < 2)
    return;
  const auto ends = std::minmax_element(values.begin(), values.end());
  const double low = value_of(*ends.first);
  double factor = static_cast<double>(n - 1) / (value_of(*ends.second) - low);
  if (!(factor <= std::numeric_limits<double>::max()))
    factor = 0.0; // too narrow a range: one bucket
  const auto bucket = [&](const Entry &v) {
    return std::min(n - 1, static_cast<Index>((value_of(v) - low) * factor));
  };
  Array<Index> next(n + 1);
  for (const Entry &v : values)
    ++next[bucket(v) + 1];
  for (Index b = 0; b < n; ++b)
    next[b + 1] += next[b];
  Array<Entry> sorted(n);
  for (const Entry &v : values)
    sorted[next[bucket(v)]++] = v;
  for (Index b = 0, first = 0; b < n; first = next[b++])
    if (!std::is_sorted(sorted.begin() + first, sorted.begin() + next[b]))
      std::sort(sorted.begin() + first, sorted.begin() + next[b]);
  values.swap(sorted);
}

/// Lists the values that are not missing (NaN), minus the smallest of them.
inline void known_values(const double *from, Index n,
                         Array<SampleValue> &values) {
  values.resize(n);
  double low = std::numeric_limits<double>::infinity();
  Index known = 0;
  for (int i = 0; i < n; ++i) {
    values[known] = {from[i], i};
    low = from[i] < low ? from[i] : low; // false for a NaN
    known += from[i] == from[i] ? 1 : 0;
  }
  values.resize(known);
  for (SampleValue &v : values)
    v.value -= low;
}

/// Divides samples into disjoint sets, and sums differences within each set.
class SampleSets {
public:
  /// Samples with equal codes are in one set.
  template <class Code> explicit SampleSets(const Array<Code> &codes) {
    std::map<Code, int> numbers;
    for (const Code &code : codes) {
      const int next = static_cast<int>(numbers.size());
      set_.push_back(numbers.emplace(code, next).first->second);
    }
    sizes_.resize(static_cast<Index>(numbers.size()));
    for (const int set : set_)
      sizes_[set] += 1.0;
  }

  Index count() const { return sizes_.size(); }
  int operator[](Index n) const { return set_[n]; }
  double size_around(Index n) const { return sizes_[set_[n]]; }

  /// For each sample n, adds `factor` times the sum of the differences (or
  /// squares) of a feature between n and all samples of its set: the sum for
  /// the value 0 goes to of_sets[set of n], the rest to of_samples[n]. `values`
  /// must increase; samples that it does not list have the value 0. Equal
  /// values in a set get equal sums, whatever their order.
  void add(const Array<SampleValue> &values, bool squared, double factor,
           double *of_samples, double *of_sets) const {
    Array<Running> running(count());
    for (const SampleValue &v : values) {
      Running &r = running[set_[v.sample]];
      r.others += 1.0;
      r.total += v.value;
      r.negative += std::min(v.value, 0.0);
      of_sets[set_[v.sample]] +=
          factor * (squared ? v.value * v.value : std::abs(v.value));
    }
    for (Index first = 0, end; first < values.size(); first = end) {
      const double value = values[first].value;
      for (end = first; end < values.size() && values[end].value == value;
           ++end) {
        const int set = set_[values[end].sample];
        const Running &r = running[set];
        const double n = sizes_[set], zeros = value > 0.0 ? n - r.others : 0.0;
        const double more = squared ? value * (n * value - 2.0 * r.total)
                                    : value * (2.0 * (r.below + zeros) - n) -
                                          2.0 * (r.sum_below - r.negative);
        of_samples[values[end].sample] += factor * more;
      }
      for (Index k = first; k < end; ++k) {
        Running &r = running[set_[values[k].sample]];
        r.below += 1.0;
        r.sum_below += value;
      }
    }
  }

  /// Corrects the sums of add() for a feature that all samples not listed in
  /// `values` lack: `gap` is their difference (or its square) from any other
  /// sample. Required: values >= 0.
  void replace_missing(const Array<SampleValue> &values, bool squared,
                       double factor, double gap, double *of_samples) const {
    const auto size = [&](double v) { return squared ? v * v : v; };
    Array<double> known(count()), sum(count());
    Array<char> listed(set_.size());
    for (const SampleValue &v : values) {
      known[set_[v.sample]] += 1.0;
      sum[set_[v.sample]] += size(v.value);
      listed[v.sample] = 1;
    }
    for (const SampleValue &v : values) {
      const int set = set_[v.sample];
      of_samples[v.sample] +=
          factor * (sizes_[set] - known[set]) * (gap - size(v.value));
    }
    for (Index n = 0; n < listed.size(); ++n)
      if (!listed[n])
        of_samples[n] +=
            factor * (gap * (sizes_[set_[n]] - 1.0) - sum[set_[n]]);
  }

private:
  /// For the listed values of a set: number, sum, sum of the negative ones;
  /// number and sum of the ones below the current value.
  struct Running {
    double others = 0.0, total = 0.0, negative = 0.0;
    double below = 0.0, sum_below = 0.0;
  };

  Array<int> set_;
  Array<double> sizes_;
};

} // namespace detail

/// Returns the mean difference of two samples that have a feature (Euclidean:
/// the mean square), for each feature with missing values (NaN); -1 for all
/// others. Empty if no value is missing. No difference may be so large that a
/// sum of them is infinite. Time: O(N log N) per feature at most.
inline Array<double> missing_gaps(const ScaledView &x, Metric metric,
                                  Runtime &runtime) {
  const Index n = x.n_samples();
  Array<double> gaps(x.n_features(), -1.0);
  for_each_feature(x.raw, runtime, [&](Index j, const Array<double> &raw) {
    Array<double> values = raw;
    detail::leave_known(values, [](double v) { return v; });
    const auto ends = std::minmax_element(values.begin(), values.end());
    detail::require(values.empty() ||
                        (*ends.second / x.scaling->scale[j] -
                         *ends.first / x.scaling->scale[j]) < 1e300,
                    "differences must be below 1e300: scale the features");
    if (values.size() == n)
      return;
    detail::sort_by_value(values);
    const double count = static_cast<double>(values.size());
    double mean = 0.0, sum = 0.0, place = 1.0 - count;
    const double low = count > 0.0 ? values[0] : 0.0;
    for (double &v : values) {
      v = (v - low) / x.scaling->scale[j];
      mean += v;
    }
    mean /= count;
    for (const double v : values) {
      const double off = v - mean;
      sum += metric == Metric::manhattan ? off * place : off * off * count;
      place += 2.0;
    }
    gaps[j] =
        count > 1.0 ? std::max(0.0, 2.0 * sum / count / (count - 1.0)) : 0.0;
  });
  if (std::none_of(gaps.begin(), gaps.end(), [](double g) { return g >= 0.0; }))
    gaps.clear();
  return gaps;
}

/// For each sample, the mean distance (Euclidean: the mean squared distance),
/// with weights of 1, to all samples that it may be compared with; 0 if there
/// are none. There is no loop over pairs: O(J N log N) at most for N samples, J
/// features; O(nonzeros) for sparse features. Sums are in the order of values,
/// so that no bit depends on the order of samples. `gaps`: see SampleDistances.
inline Array<double> mean_distances(const ScaledView &x, Metric metric,
                                    const AllowedPairs &allowed,
                                    Runtime &runtime,
                                    const Array<double> &gaps = {}) {
  const Index n = x.n_samples();
  const bool squared = metric == Metric::euclidean;
  Array<int> blocks;
  Array<std::pair<int, int>> groups;
  for (Index i = 0; i < n; ++i) {
    blocks.push_back(allowed.block(i));
    if (allowed.has_groups())
      groups.emplace_back(allowed.block(i), allowed.group(i));
  }
  const detail::SampleSets of_block(blocks), of_group(groups);
  const auto misses = [&](Index j) { return !gaps.empty() && gaps[j] >= 0.0; };
  FeatureList dense, sparse;
  for (Index j = 0; j < x.n_features(); ++j)
    if (!x.is_constant(j))
      (!misses(j) && detail::is_sparse(x, j) ? sparse : dense).push_back(j);

  const auto add = [&](Array<detail::SampleValue> &values,
                       Array<double> &sums) {
    detail::sort_by_value(values);
    double *sets = sums.data() + n;
    of_block.add(values, squared, 1.0, sums.data(), sets);
    if (allowed.has_groups())
      of_group.add(values, squared, -1.0, sums.data(), sets + of_block.count());
  };
  const auto size = n + of_block.count() + of_group.count();
  constexpr Index step = feature_group;
  const auto of_dense = runtime.sum_in_parts(
      (dense.size() + step - 1) / step, size,
      [&](Index unit, Array<double> &into) {
        const Index first = unit * step;
        const Index count = std::min(step, dense.size() - first);
        Array<double> tile(count * n);
        copy_features(x, dense.data() + first, count, tile.data(), n);
        Array<detail::SampleValue> values(n);
        for (Index f = 0; f < count; ++f) {
          const double *from = tile.data() + f * n;
          if (misses(dense[first + f])) {
            detail::known_values(from, n, values);
            add(values, into);
            const double gap = gaps[dense[first + f]];
            of_block.replace_missing(values, squared, 1.0, gap, into.data());
            if (allowed.has_groups())
              of_group.replace_missing(values, squared, -1.0, gap, into.data());
            values.resize(n);
            continue;
          }
          const double low = *std::min_element(from, from + n);
          for (int i = 0; i < n; ++i)
            values[i] = {from[i] - low, i};
          add(values, into);
        }
      });
  const auto of_sparse = runtime.sum_in_parts(
      (sparse.size() + step - 1) / step, size,
      [&](Index unit, Array<double> &into) {
        const SparseColumns &columns = *x.raw.sparse();
        Array<detail::SampleValue> values;
        for (Index f = unit * step;
             f < std::min(sparse.size(), (unit + 1) * step); ++f) {
          const Index j = sparse[f];
          values.clear();
          for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k)
            values.push_back(
                {columns.values[k] / x.scaling->scale[j], columns.samples[k]});
          add(values, into);
        }
      });
  Array<double> means(n);
  for (Index i = 0; i < n; ++i) {
    double others = of_block.size_around(i) - 1.0, sum = 0.0;
    for (const auto *part : {&of_dense, &of_sparse}) {
      sum += (*part)[i] + (*part)[n + of_block[i]];
      if (allowed.has_groups())
        sum += (*part)[n + of_block.count() + of_group[i]];
    }
    if (allowed.has_groups())
      others += 1.0 - of_group.size_around(i);
    means[i] = others > 0.0 ? std::max(0.0, sum) / others : 0.0;
  }
  return means;
}

/// Returns these means from the distances between all `n` samples. Distances
/// (or squares) are rounded so that the sums are exact, and no bit depends on
/// the order of the samples.
inline Array<double> mean_distances(const PairMatrix<double> &distances,
                                    Index n, Metric metric,
                                    const AllowedPairs &allowed,
                                    Runtime &runtime) {
  Array<double> means(n);
  runtime.for_parts(n, 32, [&](Index begin, Index end) {
    Array<double> values(n);
    for (Index row = begin; row < end; ++row) {
      std::copy_n(distances.row(row), n, values.begin());
      if (metric == Metric::euclidean)
        for (double &value : values)
          value *= value;
      double sum = 0.0, others = 0.0;
      // Adding this drops the digits for which a sum of n values has no place.
      const double step = 2.0 * static_cast<double>(n) *
                          *std::max_element(values.begin(), values.end());
      for (Index i = 0; i < n; ++i)
        if (allowed(row, i)) {
          sum += (values[i] + step) - step;
          others += 1.0;
        }
      means[row] = others > 0.0 ? sum / others : 0.0;
    }
  });
  return means;
}

/// Orders the neighbours i of sample n by d(n, i) - m_i, where m_i is the mean
/// distance of sample i (Euclidean: squares and their mean). If ordered by
/// distance alone, samples near the centre of high-dimensional data are among
/// the nearest of most others ("hubs"; Suzuki et al. 2013). Without means, the
/// order is by distance alone.
class CentredOrder {
public:
  CentredOrder() = default;
  /// A constant is added to -m_i, so that NeighbourKey gets no negative number.
  CentredOrder(Array<double> means, Metric metric)
      : squared_(metric == Metric::euclidean), offsets_(std::move(means)) {
    const double most = *std::max_element(offsets_.begin(), offsets_.end());
    for (double &offset : offsets_)
      offset = 2.0 * most - offset;
  }

  double operator()(double distance, Index i) const {
    if (offsets_.empty())
      return distance;
    return (squared_ ? distance * distance : distance) + offsets_[i];
  }

private:
  bool squared_ = false;
  Array<double> offsets_;
};

} // namespace hitmiss

#endif
