// The Laplacian score: features that vary little between near samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_LAPLACIAN_HPP
#define HITMISS_COMPARATORS_LAPLACIAN_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../data/for_each_feature.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/neighbour_kinds.hpp"
#include "../pairs/require_problem.hpp"

namespace hitmiss {

/// A joins B if either is among the other's nearest; each edge once, a < b.
struct NeighbourGraph {
  struct Edge {
    int a, b;
    double weight;
  };
  Array<Edge> edges;
  Array<double> degree; ///< sum of the weights at each sample
};

/// exp(-d^2 / t) between near samples, t the mean d^2 of a sample and one of
/// its `k` nearest (He, Cai, Niyogi 2005). Where t = 0, weights are 1. All that
/// are tied for the last place are near, each in its share of t.
inline NeighbourGraph neighbour_graph(const SampleDistances &distances, int k,
                                      Runtime &runtime) {
  const Index n = distances.n_rows();
  const AllowedPairs all;
  runtime.monitor().expect(distances.pair_features());
  const auto lists = nearest_lists(distances, AllowedKind{all}, k, runtime);
  NeighbourGraph graph{{}, Array<double>(n)};
  double total = 0.0;
  for (int a = 0; a < n; ++a)
    lists.share(a, 0, [&](const Neighbour &near, double share) {
      const double squared = near.distance * near.distance;
      graph.edges.push_back(
          {std::min(a, near.sample), std::max(a, near.sample), squared});
      total += share * squared;
    });
  const double t = total > 0.0 ? total / static_cast<double>(n) : 1.0;
  const auto ends = [](const NeighbourGraph::Edge &edge) {
    return std::make_pair(edge.a, edge.b);
  };
  std::sort(graph.edges.begin(), graph.edges.end(),
            [&](const auto &e, const auto &f) { return ends(e) < ends(f); });
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end(),
                                [&](const auto &e, const auto &f) {
                                  return ends(e) == ends(f);
                                }),
                    graph.edges.end());
  for (auto &edge : graph.edges) {
    edge.weight = std::exp(-edge.weight / t);
    graph.degree[edge.a] += edge.weight;
    graph.degree[edge.b] += edge.weight;
  }
  return graph;
}

namespace detail {

/// f'(D - S)f / f~'Df~, f~ = f less its mean under D; 2, the largest value
/// there is, for a feature without spread.
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

/// Minus the Laplacian score of every feature: 0 is best, -2 the lowest, which
/// constant features get. O(N^2 J) for the distances.
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
