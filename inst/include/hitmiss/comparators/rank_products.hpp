// Multiplies the features x features matrix of absolute rank correlations by a
// vector, without forming the matrix (Inf-FS).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_RANK_PRODUCTS_HPP
#define HITMISS_COMPARATORS_RANK_PRODUCTS_HPP

#include <algorithm>
#include <cmath>

#include "../data/for_each_feature.hpp"
#include "../data/require_values.hpp"
#include "../pairs/tile_product.hpp"
#include "sorted_samples.hpp"

namespace hitmiss {

/// Returns 2 r - (n_samples + 1) at [j * n_samples + n], r the rank of sample n
/// in feature j, ties averaged: whole numbers that sum to 0 over n.
inline Array<double> centred_ranks(const MatrixView &x, Runtime &runtime) {
  detail::require_values(x, 1);
  const Index n = x.n_samples;
  Array<double> ranks(n * x.n_features);
  for_each_feature(x, runtime, [&](Index j, const Array<double> &values) {
    const auto order = sorted_samples(values);
    each_tie(values, order, [&](Index first, Index end) {
      for (Index k = first; k < end; ++k)
        ranks[j * n + order[k]] = static_cast<double>(first + end - n);
    });
  });
  return ranks;
}

namespace detail {

constexpr Index rank_tile = 64; ///< features

/// Sums |r_i . r_j| vector[j] for features i and j by tiles. Each product is
/// formed once, and used for (i, j) and (j, i).
struct RankTiles {
  const double *ranks;
  Index length, count;
  const Array<double> &vector;
  SimdLevel simd;
  PackedColumns columns;

  RankTiles(const double *ranks, Index length, const Array<double> &vector,
            SimdLevel simd)
      : ranks(ranks), length(length), count(vector.size()), vector(vector),
        simd(simd), columns(length, count) {
    for (Index j = 0; j < count; ++j)
      for (Index a = 0; a < length; ++a)
        columns(a, j) = ranks[j * length + a];
  }

  Index n_tiles() const { return (count + rank_tile - 1) / rank_tile; }

  /// Adds to `sums` the terms of all pairs of a feature in tile `t` and one in
  /// this or a later tile.
  void add(Index t, Array<double> &sums) const {
    const Index first = t * rank_tile;
    const Index size = std::min(rank_tile, count - first);
    AlignedBuffer<double> tile(length * rank_tile);
    Array<double> own(rank_tile), here(rank_tile);
    for (Index i = 0; i < size; ++i) {
      here[i] = vector[first + i];
      for (Index a = 0; a < length; ++a)
        tile[a * rank_tile + i] = ranks[(first + i) * length + a];
    }
    AlignedBuffer<double> products(rank_tile * column_group);
    for (Index g = first / column_group; g < columns.n_groups(); ++g) {
      tile_product(simd, {tile.data(), rank_tile, columns.group(g), length,
                          products.data(), rank_tile});
      const Index end = std::min(count, (g + 1) * column_group);
      for (Index j = g * column_group; j < end; ++j) {
        const double mirrored =
            take(products.data() + j % column_group * rank_tile, vector[j],
                 here, own);
        if (j >= first + size)
          sums[j] += mirrored;
      }
    }
    for (Index i = 0; i < size; ++i)
      sums[first + i] += own[i];
  }

private:
  /// own[i] += |product_i| factor. Returns the sum of |product_i| here[i] as
  /// four partial sums in a fixed order, which hide the latency of additions.
  static double take(const double *products, double factor,
                     const Array<double> &here, Array<double> &own) {
    double sums[4] = {};
    for (Index i = 0; i < rank_tile; ++i) {
      const double size = std::abs(products[i]);
      own[i] += size * factor;
      sums[i % 4] += size * here[i];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
};

} // namespace detail

/// Returns sum_j |r_i . r_j| vector[j] for every feature i; `ranks` holds the
/// r_i, see centred_ranks(). Ranks are whole numbers, so their products are
/// exact. O(N J^2) operations, O(N J) memory.
inline Array<double> rank_products(const double *ranks, Index n_samples,
                                   const Array<double> &vector, SimdLevel simd,
                                   Runtime &runtime) {
  detail::require(ranks != nullptr && n_samples >= 1 &&
                      std::all_of(vector.begin(), vector.end(),
                                  [](double v) { return std::abs(v) < 1e250; }),
                  "ranks of a sample and a vector below 1e250 are needed");
  const detail::RankTiles tiles(ranks, n_samples, vector, simd);
  return runtime.sum_in_parts(
      tiles.n_tiles(), vector.size(),
      [&](Index t, Array<double> &sums) { tiles.add(t, sums); });
}

} // namespace hitmiss

#endif
