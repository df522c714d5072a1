// The graph of the near samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEIGHBOUR_GRAPH_HPP
#define HITMISS_PAIRS_NEIGHBOUR_GRAPH_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "nearest.hpp"
#include "neighbour_kinds.hpp"

namespace hitmiss {

/// An edge joins two samples if either is among the nearest of the other. Each
/// edge is listed once, a < b.
struct NeighbourGraph {
  struct Edge {
    int a, b;
    double weight;
  };
  Array<Edge> edges;
  Array<double> degree; ///< sum of the weights at each sample

  /// The largest number of edges allowed for n samples: the larger of k n and 8
  /// million. Graphs of up to 4,096 samples may therefore have all edges.
  static double most_edges(double n, int k) { return std::max(k * n, 0x1p23); }
  /// The bytes of the edges, and of the half as long list they are copied from.
  static double bytes_needed(double n, int k) {
    return 24.0 * std::min(n * (n - 1.0) / 2.0, most_edges(n, k));
  }
};

/// The weight of an edge of length d is exp(-d^2 / t), where t is the mean d^2
/// between a sample and its `k` nearest (He, Cai, Niyogi 2005); if t = 0, all
/// weights are 1. All samples that tie for the last place get an edge and share
/// that place in t. An exception is thrown if ties make more than most_edges().
inline NeighbourGraph neighbour_graph(const SampleDistances &distances, int k,
                                      Runtime &runtime) {
  detail::require(k >= 1, "k must be at least 1");
  const Index n = distances.n_rows();
  const AllowedPairs all;
  runtime.monitor().expect(distances.pair_features());
  const AllowedKind kinds{all};
  NearestSearch<AllowedKind> search(distances, kinds, k);
  search.run(runtime);
  NeighbourGraph graph{{}, Array<double>(n)};
  double total = 0.0;
  const auto most =
      static_cast<Index>(NeighbourGraph::most_edges(static_cast<double>(n), k));
  search.for_rows(
      runtime, [&](const SampleRange &rows, const NearestLists &lists) {
        for (auto a = static_cast<int>(rows.begin); a < rows.end; ++a)
          lists.share(a, 0, [&](const Neighbour &near, double share) {
            const double squared = near.distance * near.distance;
            const bool mutual = near.key <= lists(near.sample, 0).back().key;
            if (a < near.sample || !mutual) {
              detail::require(graph.edges.size() < most,
                              "the graph of the nearest would have more than 8 "
                              "million edges, because too many distances tie");
              graph.edges.push_back({std::min(a, near.sample),
                                     std::max(a, near.sample), squared});
            }
            total += share * squared;
          });
      });
  detail::require(std::isfinite(total), "distances are too large");
  const double t = total > 0.0 ? total / static_cast<double>(n) : 1.0;
  std::sort(graph.edges.begin(), graph.edges.end(),
            [](const auto &e, const auto &f) {
              return e.a < f.a || (e.a == f.a && e.b < f.b);
            });
  for (auto &edge : graph.edges) {
    edge.weight = std::exp(-edge.weight / t);
    graph.degree[edge.a] += edge.weight;
    graph.degree[edge.b] += edge.weight;
  }
  return graph;
}

} // namespace hitmiss

#endif
