// Gradients and margins of features from their nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_MARGINS_HPP
#define HITMISS_PAIRS_SPARSE_MARGINS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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
  for (std::ptrdiff_t j = 0; j < x.n_features(); ++j)
    (is_sparse(x, j, 1) ? parts.sparse : parts.dense).push_back(j);
  return parts;
}

/// Adds up sum_{n < i} S[n, i] |x_nj - x_ij| of sparse features, rows of S in
/// increasing order. Values are scaled at the end.
template <class T> class SparseGradient {
public:
  SparseGradient(const ScaledView &x, const FeatureList &features,
                 const PairMatrix<T> &s, const std::vector<double> &sums)
      : x_(x), columns_(*x.raw.sparse()), features_(features), s_(s),
        sums_(sums), next_(features.size()), gradient_(features.size(), 0.0) {
    for (std::size_t f = 0; f < next_.size(); ++f)
      next_[f] = columns_.starts[features[f]];
  }

  /// `result` has a place for every feature of the data. The features of a
  /// unit go over the same rows, which stay in the second-level cache.
  void run(std::vector<double> &result, Runtime &runtime) {
    constexpr std::ptrdiff_t step = 64, cached = std::ptrdiff_t(1) << 19;
    const auto total = static_cast<std::ptrdiff_t>(features_.size());
    const std::ptrdiff_t row_size =
        s_.stride() * static_cast<std::ptrdiff_t>(sizeof(T));
    const std::ptrdiff_t rows = std::max<std::ptrdiff_t>(cached / row_size, 16);
    for (std::ptrdiff_t end = rows; end < s_.n_rows() + rows; end += rows)
      runtime.for_each(
          (total + step - 1) / step, [&](std::ptrdiff_t unit, int) {
            const std::ptrdiff_t stop = std::min((unit + 1) * step, total);
            for (std::ptrdiff_t f = unit * step; f < stop; ++f)
              add_rows(static_cast<std::size_t>(f), end);
          });
    for (std::size_t f = 0; f < features_.size(); ++f) {
      const auto j = static_cast<std::size_t>(features_[f]);
      result[j] = x_.is_constant(features_[f])
                      ? 0.0
                      : gradient_[f] / x_.scaling->scale[j];
    }
  }

private:
  /// The rows up to `end` that feature f has not seen yet.
  void add_rows(std::size_t f, std::ptrdiff_t end) {
    const int stop = columns_.starts[features_[f] + 1];
    double total = 0.0;
    int k = next_[f];
    for (; k < stop && columns_.samples[k] < end; ++k) {
      const std::ptrdiff_t n = columns_.samples[k];
      const T *row = s_.row(n);
      const double a = columns_.values[k], size = std::abs(a);
      const double sign = a < 0.0 ? -1.0 : 1.0;
      double shared = 0.0;
      for (int l = k + 1; l < stop; ++l)
        shared += static_cast<double>(row[columns_.samples[l]]) *
                  overlap(size, sign, columns_.values[l]);
      total += size * sums_[static_cast<std::size_t>(n)] - shared;
    }
    next_[f] = k;
    gradient_[f] += total;
  }

  const ScaledView &x_;
  const SparseColumns &columns_;
  const FeatureList &features_;
  const PairMatrix<T> &s_;
  const std::vector<double> &sums_;
  std::vector<int> next_;
  std::vector<double> gradient_;
};

/// The nonzero values of one feature, scaled, class by class.
struct ClassedFeature {
  std::vector<int> samples; ///< increasing within a class
  std::vector<double> values, sizes;
  std::vector<std::size_t> ends; ///< of the classes that occur

  ClassedFeature(const ScaledView &x, std::ptrdiff_t j,
                 const ExpectedMargins &margins) {
    if (x.is_constant(j))
      return;
    const SparseColumns &columns = *x.raw.sparse();
    std::vector<int> order;
    for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k)
      order.push_back(k);
    const auto label = [&](int k) {
      return margins.labels[columns.samples[k]];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return label(a) < label(b); });
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && label(order[k]) != label(order[k - 1]))
        ends.push_back(k);
      samples.push_back(columns.samples[order[k]]);
      values.push_back(columns.values[order[k]] /
                       x.scaling->scale[static_cast<std::size_t>(j)]);
      sizes.push_back(std::abs(values.back()));
    }
    ends.push_back(order.size());
  }
};

/// z[n] += f_n sum_k columns[samples[k] * stride + n] sizes[k] for a block of
/// samples n, where f_n is the factor beside samples of class `label`.
struct SparseColumnJob {
  const double *columns = nullptr;
  std::ptrdiff_t stride = 0;
  const int *samples = nullptr;
  const double *sizes = nullptr;
  std::size_t count = 0;
  double label = 0.0;
  const double *labels = nullptr, *hit = nullptr, *miss = nullptr;
  double *z = nullptr;
};

struct SparseColumnKernel {
  static constexpr std::ptrdiff_t block = 32; ///< samples

  template <int Bytes>
  static HITMISS_INLINE void run(const SparseColumnJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr std::ptrdiff_t n_vectors = block / S::lanes;
    V sum[n_vectors] = {};
    for (std::size_t k = 0; k < job.count; ++k) {
      const double *column = job.columns + job.samples[k] * job.stride;
      const double size = job.sizes[k];
#pragma GCC unroll 16
      for (std::ptrdiff_t v = 0; v < n_vectors; ++v) {
        V near;
        S::load(near, column + v * S::lanes);
        sum[v] += near * size;
      }
    }
    for (std::ptrdiff_t v = 0; v < n_vectors; ++v) {
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
                               const ExpectedMargins &margins,
                               std::ptrdiff_t begin, SimdPath simd, double *z) {
  constexpr std::ptrdiff_t block = SparseColumnKernel::block;
  SparseColumnJob job;
  job.columns = margins.column(0) + begin;
  job.stride = margins.nearness.stride();
  job.labels = margins.labels.data() + begin;
  job.hit = margins.hit.data() + begin;
  job.miss = margins.miss.data() + begin;
  job.z = z + begin;
  std::size_t first = 0;
  for (const std::size_t end : feature.ends) {
    job.samples = feature.samples.data() + first;
    job.sizes = feature.sizes.data() + first;
    job.count = end - first;
    job.label = margins.labels[feature.samples[first]];
    run_simd<SparseColumnKernel>(simd, job);
    first = end;
  }
  first = 0;
  for (const std::size_t end : feature.ends) {
    const auto at = feature.samples.begin();
    auto k = static_cast<std::size_t>(
        std::lower_bound(at + static_cast<std::ptrdiff_t>(first),
                         at + static_cast<std::ptrdiff_t>(end), begin) -
        at);
    for (; k < end && feature.samples[k] < begin + block; ++k) {
      const std::ptrdiff_t n = feature.samples[k];
      const double *row = margins.nearness.row(n);
      const double size = feature.sizes[k];
      const double sign = feature.values[k] < 0.0 ? -1.0 : 1.0;
      z[n] += size * margins.row_sums[static_cast<std::size_t>(n)];
      std::size_t l = 0;
      for (const std::size_t group : feature.ends) {
        const double factor = margins.factor(n, feature.samples[l]);
        double shared = 0.0;
        for (; l < group; ++l)
          shared +=
              row[feature.samples[l]] * overlap(size, sign, feature.values[l]);
        z[n] -= factor * shared;
      }
    }
    first = end;
  }
}

} // namespace detail

/// Adds to columns z of `stride` samples the margins of sparse features.
inline void sparse_margins(const ScaledView &x, const FeatureList &features,
                           const ExpectedMargins &margins, double *columns,
                           std::ptrdiff_t stride, SimdPath simd,
                           Runtime &runtime) {
  std::vector<detail::ClassedFeature> classed;
  for (const std::ptrdiff_t j : features)
    classed.emplace_back(x, j, margins);
  constexpr std::ptrdiff_t block = detail::SparseColumnKernel::block;
  runtime.for_each(stride / block, [&](std::ptrdiff_t unit, int) {
    double *z = columns;
    for (const auto &feature : classed) {
      detail::add_sparse_margins(feature, margins, unit * block, simd, z);
      z += stride;
    }
  });
}

} // namespace hitmiss

#endif
