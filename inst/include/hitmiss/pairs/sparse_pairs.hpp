// Sums over pairs of samples from the nonzero values alone.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_SPARSE_PAIRS_HPP
#define HITMISS_PAIRS_SPARSE_PAIRS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"

namespace hitmiss {

using FeatureList = std::vector<std::ptrdiff_t>;

// |a - b| = |a| + |b| - 2 overlap(a, b), and the overlap of a value with 0 is
// 0: pairs of which one is zero are dealt with by sums over samples.
// Differences do not see the shift of a scaling, so values are only divided by
// the scale.

namespace detail {

/// Below this share of nonzero values a column is summed by its nonzeros. A
/// constant (measured crossover 20 to 30 %), so that results do not depend on
/// the machine.
constexpr double sparse_density = 0.25;

/// What b has in common with a value of absolute value `size` and sign `sign`.
inline double overlap(double size, double sign, double b) {
  return std::max(0.0, std::min(size, sign * b));
}

/// Has feature j few nonzero values?
inline bool is_sparse(const ScaledView &x, std::ptrdiff_t j) {
  const SparseColumns *columns = x.raw.sparse();
  if (columns == nullptr)
    return false;
  const int nonzero = columns->starts[j + 1] - columns->starts[j];
  return static_cast<double>(nonzero) <
         sparse_density * static_cast<double>(x.n_samples());
}

/// The nonzero values of listed features, divided by their scales, and which
/// of them belong to each sample.
class ScaledColumns {
public:
  ScaledColumns(const ScaledView &x, const FeatureList &features) {
    const SparseColumns &columns = *x.raw.sparse();
    entries.resize(static_cast<std::size_t>(x.n_samples()));
    starts.push_back(0);
    for (std::size_t f = 0; f < features.size(); ++f) {
      const auto j = static_cast<std::size_t>(features[f]);
      const double scale = x.scaling->scale[j];
      for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k) {
        if (columns.values[k] == 0.0)
          continue;
        const int n = columns.samples[k];
        entries[static_cast<std::size_t>(n)].push_back({f, samples.size()});
        samples.push_back(n);
        values.push_back(columns.values[k] / scale);
      }
      starts.push_back(samples.size());
    }
  }

  struct Entry {
    std::size_t feature, at; ///< position in the list, and of the value
  };
  std::vector<std::size_t> starts; ///< of each listed feature, and the end
  std::vector<int> samples;
  std::vector<double> values;
  std::vector<std::vector<Entry>> entries; ///< by sample, features increasing
};

/// Adds one row: distances from sample n to later ones.
template <class Overlap>
void add_sparse_row(const ScaledColumns &x, const std::vector<double> &weights,
                    const std::vector<double> &size, std::ptrdiff_t n,
                    double *row, Overlap shared) {
  for (const auto &entry : x.entries[static_cast<std::size_t>(n)]) {
    const double a = x.values[entry.at], w = 2.0 * weights[entry.feature];
    for (std::size_t k = entry.at + 1; k < x.starts[entry.feature + 1]; ++k)
      row[x.samples[k]] -= w * shared(a, x.values[k]);
  }
  const auto n_samples = static_cast<std::ptrdiff_t>(size.size());
  // Equal samples: both sums have the same terms in the same order, so the
  // distance is exactly 0.
  for (std::ptrdiff_t i = n + 1; i < n_samples; ++i)
    row[i] +=
        size[static_cast<std::size_t>(n)] + size[static_cast<std::size_t>(i)];
}

template <class Size, class Overlap>
void add_sparse_rows(const ScaledColumns &x, const std::vector<double> &weights,
                     PairMatrix<double> &distances, Runtime &runtime, Size size,
                     Overlap shared) {
  const std::ptrdiff_t n = distances.n_rows();
  std::vector<double> sizes(static_cast<std::size_t>(n), 0.0);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (const auto &entry : x.entries[i])
      sizes[i] += weights[entry.feature] * size(x.values[entry.at]);
  constexpr std::ptrdiff_t block = 16;
  runtime.for_each((n + block - 1) / block, [&](std::ptrdiff_t unit, int) {
    for (std::ptrdiff_t i = unit * block; i < std::min(n, (unit + 1) * block);
         ++i)
      add_sparse_row(x, weights, sizes, i, distances.row(i), shared);
  });
}

} // namespace detail

/// Adds to the upper triangle of `distances`, which is 0, the distances over
/// the sparse ones among `features`, and takes them off the lists. Without
/// sparse storage nothing happens. O(N^2 + sum of squared column counts).
inline void add_sparse_distances(const ScaledView &x, Metric metric,
                                 FeatureList &features,
                                 std::vector<double> &weights,
                                 PairMatrix<double> &distances,
                                 Runtime &runtime) {
  if (x.raw.sparse() == nullptr)
    return;
  FeatureList sparse, dense;
  std::vector<double> sparse_weights, dense_weights;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const bool few = detail::is_sparse(x, features[f]);
    (few ? sparse : dense).push_back(features[f]);
    (few ? sparse_weights : dense_weights).push_back(weights[f]);
  }
  const detail::ScaledColumns columns(x, sparse);
  if (metric == Metric::manhattan)
    detail::add_sparse_rows(
        columns, sparse_weights, distances, runtime,
        [](double a) { return std::abs(a); },
        [](double a, double b) {
          return detail::overlap(std::abs(a), a < 0.0 ? -1.0 : 1.0, b);
        });
  else
    detail::add_sparse_rows(
        columns, sparse_weights, distances, runtime,
        [](double a) { return a * a; },
        [](double a, double b) { return a * b; });
  features = dense;
  weights = dense_weights;
}

} // namespace hitmiss

#endif
