// Gradients and margins of features from their nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_MARGINS_HPP
#define HITMISS_PAIRS_SPARSE_MARGINS_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/runtime.hpp"
#include "expected_margin.hpp"
#include "sparse_pairs.hpp"

namespace hitmiss {

namespace detail {

/// All features: those that sums over nonzero values serve, and the others.
struct SplitFeatures {
  FeatureList sparse, dense;
};

inline SplitFeatures split_features(const ScaledView &x) {
  SplitFeatures parts;
  for (Index j = 0; j < x.n_features(); ++j)
    (is_sparse(x, j) ? parts.sparse : parts.dense).push_back(j);
  return parts;
}

/// Twice what value a has in common with `count` others, each times its
/// sample's place in `row`: 2 sum_k row[samples[k]] overlap(a, values[k]).
template <class T>
double shared_sum(double a, const int *samples, const double *values,
                  Index count, const T *row) {
  const double size = std::abs(a), sign = a < 0.0 ? -1.0 : 1.0;
  const auto term = [&](Index k) {
    return row[samples[k]] * overlap(size, sign, values[k]);
  };
  double sum[4] = {}; // four chains of sums: one would wait for itself
  Index k = 0;
  for (; k + 4 <= count; k += 4)
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c)
      sum[c] += term(k + c);
  for (; k < count; ++k)
    sum[0] += term(k);
  return 2.0 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/// Adds up sum_{n < i} S[n, i] |x_nj - x_ij| of sparse features, rows of S in
/// increasing order.
template <class T> class SparseGradient {
public:
  SparseGradient(const ScaledView &x, const FeatureList &features,
                 const PairMatrix<T> &s, const Array<double> &sums)
      : columns_(*x.raw.sparse()), features_(features), s_(s), sums_(sums),
        next_(features.size()), gradient_(features.size(), 0.0) {
    values_.resize(columns_.starts[x.n_features()]);
    for (Index f = 0; f < next_.size(); ++f) {
      const Index j = features[f];
      next_[f] = columns_.starts[x.is_constant(j) ? j + 1 : j];
      for (int k = next_[f]; k < columns_.starts[j + 1]; ++k)
        values_[k] = columns_.values[k] / x.scaling->scale[j];
    }
  }

  /// `result` has a place for every feature of the data. The features of a
  /// unit go over the same rows, which stay in the second-level cache.
  void run(Array<double> &result, Runtime &runtime) {
    constexpr Index cached = 1 << 19;
    const Index row_size = s_.stride() * bytes_of<T>;
    const Index rows = std::max<Index>(cached / row_size, 16);
    for (Index end = rows; end < s_.n_rows() + rows; end += rows)
      runtime.for_parts(features_.size(), 64, [&](Index first, Index stop) {
        for (Index f = first; f < stop; ++f)
          add_rows(f, end);
      });
    for (Index f = 0; f < features_.size(); ++f)
      result[features_[f]] = gradient_[f];
  }

private:
  /// The rows up to `end` that feature f has not seen yet.
  void add_rows(Index f, Index end) {
    const int stop = columns_.starts[features_[f] + 1];
    double total = 0.0;
    int k = next_[f];
    for (; k < stop && columns_.samples[k] < end; ++k) {
      const Index n = columns_.samples[k];
      const double *a = values_.data() + k;
      total +=
          std::abs(*a) * sums_[n] - shared_sum(*a, columns_.samples + k + 1,
                                               a + 1, stop - k - 1, s_.row(n));
    }
    next_[f] = k;
    gradient_[f] += total;
  }

  const SparseColumns &columns_;
  const FeatureList &features_;
  const PairMatrix<T> &s_;
  const Array<double> &sums_;
  Array<int> next_;
  Array<double> values_; ///< scaled, where `columns_` has them
  Array<double> gradient_;
};

/// The nonzero values of one feature, scaled, class by class.
struct ClassedFeature {
  Array<int> samples; ///< increasing within a class
  Array<double> values, sizes;
  Array<Index> ends; ///< of the classes that occur

  ClassedFeature(const ScaledView &x, Index j, const ExpectedMargins &margins) {
    if (x.is_constant(j))
      return;
    const SparseColumns &columns = *x.raw.sparse();
    Array<int> order;
    for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k)
      order.push_back(k);
    const auto label = [&](int k) {
      return margins.labels[columns.samples[k]];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return label(a) < label(b); });
    for (Index k = 0; k < order.size(); ++k) {
      if (k > 0 && label(order[k]) != label(order[k - 1]))
        ends.push_back(k);
      samples.push_back(columns.samples[order[k]]);
      values.push_back(columns.values[order[k]] / x.scaling->scale[j]);
      sizes.push_back(std::abs(values.back()));
    }
    ends.push_back(order.size());
  }
};

/// z[n] += f_n sum_k columns[samples[k] * stride + n] sizes[k] for a block of
/// samples n, where f_n is the factor beside samples of class `label`.
struct SparseColumnJob {
  const double *columns = nullptr;
  Index stride = 0;
  const int *samples = nullptr;
  const double *sizes = nullptr;
  Index count = 0;
  double label = 0.0;
  const double *labels = nullptr, *hit = nullptr, *miss = nullptr;
  double *z = nullptr;
};

struct SparseColumnKernel {
  static constexpr Index block = 32; ///< samples

  template <int Bytes>
  static HITMISS_INLINE void run(const SparseColumnJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index n_vectors = block / S::lanes;
    V sum[n_vectors] = {};
    for (Index k = 0; k < job.count; ++k) {
      const double *column = job.columns + job.samples[k] * job.stride;
      const double size = job.sizes[k];
#pragma GCC unroll 16
      for (Index v = 0; v < n_vectors; ++v) {
        V near;
        S::load(near, column + v * S::lanes);
        sum[v] += near * size;
      }
    }
    for (Index v = 0; v < n_vectors; ++v) {
      V label, hit, miss, z;
      S::load(label, job.labels + v * S::lanes);
      S::load(hit, job.hit + v * S::lanes);
      S::load(miss, job.miss + v * S::lanes);
      S::load(z, job.z + v * S::lanes);
      z += sum[v] * (label == job.label ? hit : miss);
      S::store(job.z + v * S::lanes, z);
    }
  }
};

/// z_n += sum_i C[n, i] |x_nj - x_ij| of a sparse feature j, for one block of
/// samples n. O((block + column count) column count).
inline void add_sparse_margins(const ClassedFeature &feature,
                               const ExpectedMargins &margins, Index begin,
                               SimdLevel simd, double *z) {
  constexpr Index block = SparseColumnKernel::block;
  SparseColumnJob job;
  job.columns = margins.column(0) + begin;
  job.stride = margins.nearness.stride();
  job.labels = margins.labels.data() + begin;
  job.hit = margins.hit.data() + begin;
  job.miss = margins.miss.data() + begin;
  job.z = z + begin;
  Index first = 0;
  for (const Index end : feature.ends) {
    job.samples = feature.samples.data() + first;
    job.sizes = feature.sizes.data() + first;
    job.count = end - first;
    job.label = margins.labels[feature.samples[first]];
    run_simd<SparseColumnKernel>(simd, job);
    first = end;
  }
  first = 0;
  for (const Index end : feature.ends) {
    const auto at = feature.samples.begin();
    Index k = std::lower_bound(at + first, at + end, begin) - at;
    for (; k < end && feature.samples[k] < begin + block; ++k) {
      const Index n = feature.samples[k];
      z[n] += feature.sizes[k] * margins.row_sums[n];
      Index l = 0;
      for (const Index group : feature.ends) {
        const double shared = shared_sum(
            feature.values[k], feature.samples.data() + l,
            feature.values.data() + l, group - l, margins.nearness.row(n));
        z[n] -= margins.factor(n, feature.samples[l]) * shared;
        l = group;
      }
    }
    first = end;
  }
}

} // namespace detail

/// Adds to columns z of `stride` samples the margins of sparse features.
inline void sparse_margins(const ScaledView &x, const FeatureList &features,
                           const ExpectedMargins &margins, double *columns,
                           Index stride, SimdLevel simd, Runtime &runtime) {
  Array<detail::ClassedFeature> classed;
  for (const Index j : features)
    classed.emplace_back(x, j, margins);
  constexpr Index block = detail::SparseColumnKernel::block;
  runtime.for_each(stride / block, [&](Index unit, int) {
    double *z = columns;
    for (const auto &feature : classed) {
      detail::add_sparse_margins(feature, margins, unit * block, simd, z);
      z += stride;
    }
  });
}

} // namespace hitmiss

#endif
