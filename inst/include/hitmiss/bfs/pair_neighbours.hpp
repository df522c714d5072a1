// The nearest neighbours of pairs of samples among pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_NEIGHBOURS_HPP
#define HITMISS_BFS_PAIR_NEIGHBOURS_HPP

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
  return nearest_lists(SampleDistances(z, ones, Metric::euclidean, space.simd),
                       AllowedKind{all}, h, runtime);
}

} // namespace hitmiss

#endif
