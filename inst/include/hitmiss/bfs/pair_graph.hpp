// The normalised Laplacian of a graph whose nodes are pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_GRAPH_HPP
#define HITMISS_BFS_PAIR_GRAPH_HPP

#include <algorithm>
#include <cmath>
#include <memory>

#include "../pairs/neighbour_graph.hpp"
#include "pair_products.hpp"

namespace hitmiss {

/// Two samples, as positions in PairSpace::x.
struct SamplePair {
  int a, b;
};

/// Pairs as the samples of a data set: feature j of a pair is k(x_aj, x_bj).
class PairTiles final : public RawTiles {
public:
  PairTiles(const PairSpace &space, const Array<SamplePair> &pairs)
      : space_(space), pairs_(pairs) {}

  void read(Index first, Index count, double *out) const override {
    const auto values = space_.x.features(first, count);
    for (Index f = 0; f < count; ++f) {
      const double *x = &values[f * space_.x.n_samples()];
      for (const SamplePair &pair : pairs_)
        *out++ = space_.kernel(x[pair.a], x[pair.b]);
    }
  }

private:
  const PairSpace &space_;
  const Array<SamplePair> &pairs_;
};

/// Returns the graph of every pair and its h nearest pairs, in O(P^2 J) time
/// for P pairs and J features.
inline NeighbourGraph pair_graph(const PairSpace &space,
                                 const Array<SamplePair> &pairs, int h,
                                 Runtime &runtime) {
  const Index n_features = space.x.n_features();
  const Array<double> ones(n_features, 1.0);
  const Scaling as_is = identity_scaling(n_features);
  const ScaledView z{view_of_tiles(std::make_shared<PairTiles>(space, pairs),
                                   pairs.size(), n_features),
                     &as_is};
  return neighbour_graph(
      SampleDistances(z, ones, Metric::euclidean, space.simd), h, runtime);
}

/// Counts the allowed pairs of n samples, in O(n^2) time.
inline Index count_pairs(int n, const AllowedPairs &allowed) {
  Index count = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      count += allowed(a, b) ? 1 : 0;
  return count;
}

/// Returns the allowed pairs of samples 0 ... n - 1 or, if there are more than
/// `most`, a random `most` of them. They are ordered by the first, then by the
/// second sample. Time: O(n^2).
inline Array<SamplePair> draw_pairs(int n, const AllowedPairs &allowed,
                                    double most, const Runtime &runtime) {
  Array<SamplePair> pairs;
  Index left = count_pairs(n, allowed);
  const bool all = most >= static_cast<double>(left);
  Index wanted = all ? left : static_cast<Index>(most);
  auto stream = runtime.stream(0, Purpose::pair_sampling);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      if (!allowed(a, b))
        continue;
      if (all || stream.below(left) < wanted) {
        pairs.push_back({a, b});
        --wanted;
      }
      --left;
    }
  return pairs;
}

/// L = I - D^-1/2 S D^-1/2 of a graph with weights S and degrees D.
class PairLaplacian {
public:
  explicit PairLaplacian(NeighbourGraph graph)
      : edges_(std::move(graph.edges)) {
    const auto scale = [&](Index p) {
      const double degree = graph.degree[p]; // 0 if all weights underflow
      return degree > 0.0 ? 1.0 / std::sqrt(degree) : 0.0;
    };
    for (auto &edge : edges_)
      edge.weight *= scale(edge.a) * scale(edge.b);
  }
  Array<double> operator()(const Array<double> &f) const {
    Array<double> result(f);
    for (const auto &edge : edges_) {
      result[edge.a] -= edge.weight * f[edge.b];
      result[edge.b] -= edge.weight * f[edge.a];
    }
    return result;
  }

private:
  Array<NeighbourGraph::Edge> edges_;
};

} // namespace hitmiss

#endif
