// The Laplacian score: features that vary little between near samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_LAPLACIAN_HPP
#define HITMISS_COMPARATORS_LAPLACIAN_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../data/for_each_feature.hpp"
#include "../pairs/neighbour_graph.hpp"
#include "../pairs/require_problem.hpp"

namespace hitmiss {

namespace detail {

/// Returns f'(D - S)f / f~'Df~, f~ = f less its mean under D; for a feature
/// without spread 2, the largest possible value.
inline double laplacian_ratio(const NeighbourGraph &graph,
                              const Array<double> &f) {
  double largest = 0.0, weight = 0.0, mean = 0.0;
  for (const double value : f)
    largest = std::max(largest, std::abs(value));
  if (largest == 0.0)
    return 2.0;
  for (Index n = 0; n < f.size(); ++n) {
    weight += graph.degree[n];
    mean += graph.degree[n] * (f[n] / largest);
  }
  mean /= weight;
  double spread = 0.0, rough = 0.0;
  for (Index n = 0; n < f.size(); ++n) {
    const double off = f[n] / largest - mean;
    spread += graph.degree[n] * off * off;
  }
  for (const auto &edge : graph.edges) {
    const double step = f[edge.a] / largest - f[edge.b] / largest;
    rough += edge.weight * step * step;
  }
  return spread > 0.0 ? rough / spread : 2.0;
}

} // namespace detail

/// The negative of the Laplacian score of every feature: 0 is best, and -2 is
/// the lowest, which constant features get. The distances take O(N^2 J) time.
inline Array<double> laplacian_scores(const ScaledView &x, int k,
                                      SimdLevel simd, Runtime &runtime) {
  detail::require_samples(x);
  detail::require(k >= 1, "k must be at least 1");
  const Index n_features = x.n_features();
  const NeighbourGraph graph =
      neighbour_graph(SampleDistances(x, Array<double>(n_features, 1.0),
                                      Metric::euclidean, simd),
                      k, runtime);
  Array<double> scores(n_features);
  for_each_feature(x.raw, runtime, [&](Index j, const Array<double> &values) {
    scores[j] =
        x.is_constant(j) ? -2.0 : -detail::laplacian_ratio(graph, values);
  });
  return scores;
}

} // namespace hitmiss

#endif
