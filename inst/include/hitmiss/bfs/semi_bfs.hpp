// Semi-BFS: BFS with a graph over pairs of samples, labelled or not.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_SEMI_BFS_HPP
#define HITMISS_BFS_SEMI_BFS_HPP

#include <limits>

#include "bfs.hpp"
#include "pair_graph.hpp"

namespace hitmiss {

/// The graph term in eq. (6) of Zhu, Liu, Zhou, Liu, Yin (2014).
struct ManifoldOptions {
  double weight = 1.0; ///< a2
  int k = 5;           ///< neighbours of a pair in the graph
  double max_pairs = std::numeric_limits<double>::infinity();

  void check() const {
    detail::require(weight >= 0.0 && std::isfinite(weight),
                    "the weight of the manifold must be at least 0");
    detail::require(k >= 1, "k must be at least 1");
    detail::require(max_pairs >= 1.0, "max_pairs must be at least 1");
  }
};

/// The bytes that semi_bfs() takes beside the data: those of bfs(), with the
/// graph of pairs instead of the Gram columns.
inline double bytes_needed(const FitSize &size, const BfsOptions &,
                           const ManifoldOptions &manifold) {
  const double all = size.n_samples * (size.n_samples - 1.0) / 2.0;
  const double pairs = std::min(all, manifold.max_pairs);
  const double part = std::min(pairs, static_cast<double>(tiles_part));
  return 64.0 * pairs + NeighbourGraph::bytes_needed(pairs, manifold.k) +
         8.0 * part * part + 4.0 * detail::tile_run_bytes(size, pairs) +
         3.0 * detail::pair_matrix_bytes(size) + detail::tile_bytes(size, 64);
}

/// H = Z'Z + a3 alignments + a2 Z'LZ. Z is explicit for the working set only;
/// the correlations of all features come from one quadratic form each.
class ManifoldGram {
public:
  /// `weight`: a2 times (number of allowed pairs / of pairs in the graph).
  ManifoldGram(PairGram &loss, const PairSpace &space,
               const Array<SamplePair> &pairs, const PairLaplacian &laplacian,
               double weight)
      : loss_(loss), space_(space), pairs_(pairs), laplacian_(laplacian),
        weight_(weight) {}

  Index n_features() const { return loss_.n_features(); }
  const Array<double> &target_correlations() const {
    return loss_.target_correlations();
  }
  double target_norm() const { return loss_.target_norm(); }
  const Array<Index> &working() const { return loss_.working(); }
  double operator()(Index i, Index k) const {
    return loss_(i, k) +
           weight_ * (i >= k ? smoothness_[i][k] : smoothness_[k][i]);
  }

  void extend(const Array<Index> &features, Runtime &runtime) {
    const Index before = working().size();
    loss_.extend(features, runtime);
    z_.resize(working().size());
    smoothness_.resize(working().size());
    runtime.for_each(features.size(), [&](Index unit, int) {
      const auto values = space_.x.features(features[unit], 1);
      for (const SamplePair &pair : pairs_)
        z_[before + unit].push_back(
            space_.kernel(values[pair.a], values[pair.b]));
    });
    runtime.for_each(features.size(),
                     [&](Index unit, int) { grow(before + unit); });
  }

  void residual_correlations(const Array<double> &mu, Array<double> &c,
                             Runtime &runtime) const {
    auto residuals = loss_.residuals(mu, runtime);
    Array<double> f(pairs_.size(), 0.0);
    for (Index k = 0; k < mu.size(); ++k)
      if (mu[k] != 0.0)
        for (Index p = 0; p < f.size(); ++p)
          f[p] += mu[k] * z_[k][p];
    f = laplacian_(f);
    const Index n = space_.x.n_samples();
    for (Index p = 0; p < f.size(); ++p) {
      const Index a = pairs_[p].a, b = pairs_[p].b;
      residuals[a * n + b] -= weight_ * f[p];
      residuals[b * n + a] -= weight_ * f[p];
    }
    loss_.correlations(residuals, mu, c, runtime);
  }

private:
  void grow(Index i) {
    const auto smooth = laplacian_(z_[i]);
    smoothness_[i].resize(i + 1);
    for (Index k = 0; k <= i; ++k) {
      double sum = 0.0;
      for (Index p = 0; p < smooth.size(); ++p)
        sum += smooth[p] * z_[k][p];
      smoothness_[i][k] = sum;
    }
  }

  PairGram &loss_;
  const PairSpace &space_;
  const Array<SamplePair> &pairs_;
  const PairLaplacian &laplacian_;
  double weight_;
  Array<Array<double>> z_;          ///< per working feature
  Array<Array<double>> smoothness_; ///< Z'LZ, lower triangle
};

/// Takes P^2 J flops for P allowed pairs (at most `max_pairs`) and J features.
/// Memory beyond that of bfs(): O(P (k + m)) for m features in the working set,
/// more if many pairs tie (see neighbour_graph()).
inline BfsResult semi_bfs(const ScaledView &x, const ClassIndex &y,
                          const BfsOptions &options,
                          const ManifoldOptions &manifold, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed, true);
  options.check();
  manifold.check();
  const auto space = pair_space(x, y, options, runtime);
  // Pairs are drawn by the numbers of samples in `y`, so that the draw does not
  // depend on the order of samples in the tiles. Then numbers become
  // places in the tiles.
  Array<int> place(space.order.size());
  for (int i = 0; i < place.size(); ++i)
    place[space.order[i]] = i;
  const auto total =
      static_cast<double>(count_pairs(y.n_samples(), options.allowed));
  auto pairs =
      draw_pairs(y.n_samples(), options.allowed, manifold.max_pairs, runtime);
  for (SamplePair &pair : pairs)
    pair = {place[pair.a], place[pair.b]};
  const PairLaplacian laplacian(pair_graph(space, pairs, manifold.k, runtime));
  PairGram loss(space, 0, runtime);
  const double share = total / static_cast<double>(pairs.size());
  ManifoldGram gram(loss, space, pairs, laplacian, manifold.weight * share);
  return bfs_path(gram, options, runtime);
}

} // namespace hitmiss

#endif
