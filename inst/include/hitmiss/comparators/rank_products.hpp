// Products of the matrix of absolute rank correlations of all features with a
// vector: the matrix, features x features, is never formed (Inf-FS).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_RANK_PRODUCTS_HPP
#define HITMISS_COMPARATORS_RANK_PRODUCTS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../data/feature_values.hpp"
#include "../data/require_values.hpp"
#include "../pairs/tile_product.hpp"

namespace hitmiss {

/// out[j * n_samples + n] = twice the rank of sample n in feature j, ties
/// sharing their mean, less n_samples + 1: whole numbers whose sum is 0.
inline std::vector<double> centred_ranks(const MatrixView &x,
                                         Runtime &runtime) {
  detail::require_values(x, 1);
  const auto n = static_cast<std::size_t>(x.n_samples);
  std::vector<double> ranks(n * static_cast<std::size_t>(x.n_features));
  for_each_feature(
      x, runtime, [&](std::ptrdiff_t j, const std::vector<double> &values) {
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](auto a, auto b) { return values[a] < values[b]; });
        double *const out = ranks.data() + static_cast<std::size_t>(j) * n;
        for (std::size_t first = 0, end; first < n; first = end) {
          for (end = first + 1;
               end < n && values[order[end]] == values[order[first]];)
            ++end;
          for (std::size_t k = first; k < end; ++k)
            out[order[k]] =
                static_cast<double>(first + end) - static_cast<double>(n);
        }
      });
  return ranks;
}

namespace detail {

constexpr std::ptrdiff_t rank_tile = 64;

/// |r_i . r_j| of the features of two tiles, once for both orders.
template <class T> struct RankTiles {
  const double *ranks;
  std::ptrdiff_t length, count;
  const std::vector<double> &vector;
  SimdLevel simd;
  PackedColumns<T> columns;

  RankTiles(const double *ranks, std::ptrdiff_t length, std::ptrdiff_t count,
            const std::vector<double> &vector, SimdLevel simd)
      : ranks(ranks), length(length), count(count), vector(vector), simd(simd),
        columns(length, count) {
    for (std::ptrdiff_t j = 0; j < count; ++j)
      for (std::ptrdiff_t a = 0; a < length; ++a)
        columns(a, j) = static_cast<T>(ranks[j * length + a]);
  }

  std::ptrdiff_t n_tiles() const { return (count + rank_tile - 1) / rank_tile; }

  /// Adds to `sums` what the pairs of tile `b` and all tiles from it on give.
  void add(std::ptrdiff_t b, std::vector<double> &sums) const {
    const std::ptrdiff_t first = b * rank_tile;
    const std::ptrdiff_t size = std::min(rank_tile, count - first);
    AlignedBuffer<T> tile(length * rank_tile);
    for (std::ptrdiff_t i = 0; i < size; ++i)
      for (std::ptrdiff_t a = 0; a < length; ++a)
        tile[a * rank_tile + i] =
            static_cast<T>(ranks[(first + i) * length + a]);
    AlignedBuffer<T> products(rank_tile * column_group);
    std::vector<double> own(rank_tile), here(rank_tile);
    std::copy_n(vector.data() + first, size, here.begin());
    for (std::ptrdiff_t g = first / column_group; g < columns.n_groups(); ++g) {
      tile_product<T>(simd, {tile.data(), rank_tile, columns.group(g), length,
                             products.data(), rank_tile});
      const std::ptrdiff_t end =
          std::min(column_group, count - g * column_group);
      for (std::ptrdiff_t c = 0; c < end; ++c) {
        const std::ptrdiff_t j = g * column_group + c;
        const double mirrored =
            take(products.data() + c * rank_tile,
                 vector[static_cast<std::size_t>(j)], here, own);
        if (j >= first + size)
          sums[static_cast<std::size_t>(j)] += mirrored;
      }
    }
    for (std::ptrdiff_t i = 0; i < size; ++i)
      sums[static_cast<std::size_t>(first + i)] +=
          own[static_cast<std::size_t>(i)];
  }

private:
  /// own[i] += |product_i| factor; returns the sum of |product_i| here[i]: four
  /// sums at a time, always the same ones.
  static double take(const T *products, double factor,
                     const std::vector<double> &here,
                     std::vector<double> &own) {
    double sums[4] = {};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank_tile); i += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        const double size = std::abs(static_cast<double>(products[i + k]));
        own[i + k] += size * factor;
        sums[k] += size * here[i + k];
      }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
};

template <class T>
std::vector<double> rank_products_as(const RankTiles<T> &tiles,
                                     Runtime &runtime) {
  // Always as many parts, whoever computes them.
  constexpr std::ptrdiff_t parts = 16;
  const auto count = static_cast<std::size_t>(tiles.count);
  std::vector<std::vector<double>> sums(parts, std::vector<double>(count));
  runtime.for_each(parts, [&](std::ptrdiff_t part, int) {
    for (std::ptrdiff_t b = part; b < tiles.n_tiles(); b += parts)
      tiles.add(b, sums[static_cast<std::size_t>(part)]);
  });
  std::vector<double> total(count);
  for (const auto &part : sums)
    for (std::size_t j = 0; j < count; ++j)
      total[j] += part[j];
  return total;
}

} // namespace detail

/// sum over j of |r_i . r_j| vector[j] for every column r_i of centred ranks.
/// Products of ranks are whole numbers: exact, in floats as long as those hold
/// them. O(N J^2) operations, O(N J) memory.
inline std::vector<double> rank_products(const double *ranks,
                                         std::ptrdiff_t n_samples,
                                         const std::vector<double> &vector,
                                         SimdLevel simd, Runtime &runtime) {
  const auto count = static_cast<std::ptrdiff_t>(vector.size());
  const auto n = static_cast<double>(n_samples);
  // The largest product, that of a feature with itself.
  if (n * (n * n - 1.0) / 3.0 <= 16777216.0)
    return detail::rank_products_as(
        detail::RankTiles<float>(ranks, n_samples, count, vector, simd),
        runtime);
  return detail::rank_products_as(
      detail::RankTiles<double>(ranks, n_samples, count, vector, simd),
      runtime);
}

} // namespace hitmiss

#endif
