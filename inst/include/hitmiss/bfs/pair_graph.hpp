// The normalised Laplacian of a graph whose nodes are pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_GRAPH_HPP
#define HITMISS_BFS_PAIR_GRAPH_HPP

#include <algorithm>
#include <cmath>
#include <memory>

#include "../pairs/nearest.hpp"
#include "../pairs/neighbour_kinds.hpp"
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
    const auto &x = space_.x.held();
    for (Index f = first; f < first + count; ++f)
      for (const SamplePair &pair : pairs_)
        *out++ = space_.kernel(x(pair.a, f), x(pair.b, f));
  }

private:
  const PairSpace &space_;
  const Array<SamplePair> &pairs_;
};

/// The h nearest of every pair. O(P^2 J) for P pairs and J features.
inline NearestLists pair_neighbours(const PairSpace &space,
                                    const Array<SamplePair> &pairs, int h,
                                    Runtime &runtime) {
  const Index n_features = space.x.n_features();
  const Array<double> ones(n_features, 1.0);
  const Scaling as_is{Array<double>(n_features), ones, Array<char>(n_features)};
  const AllowedPairs all;
  const ScaledView z{view_of_tiles(std::make_shared<PairTiles>(space, pairs),
                                   pairs.size(), n_features),
                     &as_is};
  const SampleDistances distances(z, ones, Metric::euclidean, space.simd);
  runtime.monitor().expect(distances.pair_features());
  return nearest_lists(distances, AllowedKind{all}, h, runtime);
}

/// Counts the allowed pairs of n samples. O(n^2).
inline Index count_pairs(int n, const AllowedPairs &allowed) {
  Index count = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      count += allowed(a, b) ? 1 : 0;
  return count;
}

/// All allowed pairs of the samples 0 ... n - 1, first sample first, or a
/// random sample of `most` of them, in the same order. O(n^2).
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

/// L = I - D^-1/2 S D^-1/2, S_pq = exp(-|z_p - z_q|^2 / sigma^2) if either is
/// among the h nearest of the other; sigma^2 is the mean of the squared
/// distances to the h nearest. All that are tied for the last place are near,
/// each in its share of sigma^2.
class PairLaplacian {
public:
  PairLaplacian(const NearestLists &nearest, Index n_pairs) : edges_(n_pairs) {
    double total = 0.0, count = 0.0;
    for (Index p = 0; p < n_pairs; ++p)
      nearest.share(p, 0, [&](const Neighbour &near, double share) {
        total += share * near.distance * near.distance;
        count += share;
      });
    const double sigma_squared = count > 0.0 ? total / count : 0.0;
    for (Index p = 0; p < n_pairs; ++p)
      for (const Neighbour &near : nearest(p, 0)) {
        const double squared = near.distance * near.distance;
        const double weight =
            sigma_squared > 0.0 ? std::exp(-squared / sigma_squared) : 1.0;
        edges_[p].push_back({near.sample, weight});
        edges_[near.sample].push_back({p, weight});
      }
    for (auto &list : edges_)
      merge(list);
    normalise();
  }

  Index size() const { return edges_.size(); }

  Array<double> operator()(const Array<double> &f) const {
    Array<double> result(f);
    for (Index p = 0; p < edges_.size(); ++p)
      for (const Edge &edge : edges_[p])
        result[p] -= edge.weight * f[edge.to];
    return result;
  }

private:
  struct Edge {
    Index to;
    double weight;
  };

  /// Mutual neighbours were entered twice.
  static void merge(Array<Edge> &list) {
    std::sort(list.begin(), list.end(),
              [](const Edge &a, const Edge &b) { return a.to < b.to; });
    list.erase(
        std::unique(list.begin(), list.end(),
                    [](const Edge &a, const Edge &b) { return a.to == b.to; }),
        list.end());
  }

  void normalise() {
    Array<double> scale;
    for (const auto &list : edges_) {
      double degree = 0.0;
      for (const Edge &edge : list)
        degree += edge.weight;
      scale.push_back(degree > 0.0 ? 1.0 / std::sqrt(degree) : 0.0);
    }
    for (Index p = 0; p < edges_.size(); ++p)
      for (Edge &edge : edges_[p])
        edge.weight *= scale[p] * scale[edge.to];
  }

  Array<Array<Edge>> edges_;
};

} // namespace hitmiss

#endif
