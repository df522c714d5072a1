// Leave-one-out Gaussian kernel densities of the classes at every sample.
//
// class_densities(x, y, bandwidths, simd, runtime) is eq. 9 of Yang and Hu
// (2012) for several bandwidths. Required: finite values, a class for each
// sample, bandwidths above 0; else std::invalid_argument. Memory: N x
// classes x bandwidths numbers, and 16 MB. Time: N^2 (J + bandwidths).
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_VOTE_CLASS_DENSITIES_HPP
#define HITMISS_VOTE_CLASS_DENSITIES_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../data/class_index.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/require_problem.hpp"

namespace hitmiss {

struct ClassDensities {
  /// [(b * C + c) * N + n] is that of class c at sample n for h =
  /// bandwidths[b]: the log of the mean of exp(-d^2 / (2 h^2)) over the other
  /// samples of the class (-infinity if there are none), plus nearest[n] / (2
  /// h^2), so that a far sample is not -infinity for all classes.
  Array<double> log_density;
  Array<double> nearest; ///< least d^2 to another sample
};

namespace detail {

/// Sets all densities at one sample, from its distances to all.
inline void set_densities(Index sample, const double *distances,
                          const ClassIndex &y, const Array<double> &bandwidths,
                          ClassDensities &found) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Index n = y.n_samples(), n_classes = y.n_classes();
  Array<double> squared(n), near(n_classes, infinity), sums(n_classes);
  for (Index i = 0; i < n; ++i) {
    squared[i] = i == sample ? infinity : distances[i] * distances[i];
    near[y[i]] = std::min(near[y[i]], squared[i]);
  }
  const double nearest = *std::min_element(near.begin(), near.end());
  require(std::isfinite(nearest) || n == 1, "distances are too large");
  found.nearest[sample] = nearest;
  for (Index b = 0; b < bandwidths.size(); ++b) {
    const double h = bandwidths[b]; // its square might underflow
    std::fill(sums.begin(), sums.end(), 0.0);
    for (Index i = 0; i < n; ++i)
      if (i != sample)
        sums[y[i]] += std::exp(-(squared[i] - near[y[i]]) / h / h / 2.0);
    for (int c = 0; c < n_classes; ++c) {
      const double others = y.count(c) - (y[sample] == c ? 1.0 : 0.0);
      found.log_density[(b * n_classes + c) * n + sample] =
          others > 0.0
              ? std::log(sums[c] / others) - (near[c] - nearest) / h / h / 2.0
              : -infinity;
    }
  }
}

} // namespace detail

inline ClassDensities class_densities(const ScaledView &x, const ClassIndex &y,
                                      const Array<double> &bandwidths,
                                      SimdLevel simd, Runtime &runtime) {
  detail::require_samples(x, 1);
  detail::require(y.n_samples() == x.n_samples() &&
                      y.n_labelled() == y.n_samples(),
                  "one label per sample is needed");
  detail::require(std::all_of(bandwidths.begin(), bandwidths.end(),
                              [](double h) { return h > 0.0; }),
                  "bandwidths must be above 0");
  const Index n = x.n_samples();
  ClassDensities found{Array<double>(n * y.n_classes() * bandwidths.size()),
                       Array<double>(n)};
  const SampleDistances distances(x, Array<double>(x.n_features(), 1.0),
                                  Metric::euclidean, simd);
  const SampleParts parts(n, std::max<Index>(32, (1 << 21) / n));
  PairMatrix<double> part(parts.size, n);
  for (Index b = 0; b < parts.count(); ++b) {
    distances.measure(parts[b], {0, n}, part, runtime);
    runtime.for_each(parts[b].size(), [&](Index row, int) {
      detail::set_densities(parts[b].begin + row, part.row(row), y, bandwidths,
                            found);
    });
  }
  return found;
}

} // namespace hitmiss

#endif
