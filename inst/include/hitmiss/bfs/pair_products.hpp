// Inner products of features in the space of all pairs, never forming a pair.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_PRODUCTS_HPP
#define HITMISS_BFS_PAIR_PRODUCTS_HPP

#include <algorithm>
#include <array>
#include <cmath>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/tile_product.hpp"
#include "packed_tiles.hpp"
#include "pair_kernel.hpp"

namespace hitmiss {

/// All pairs of samples in [begin, end). Sums over pairs add them (sign 1) or
/// subtract them (-1).
struct PairRange {
  Index begin, end;
  double sign;
};

/// The data set in the form in which products over pairs read it. `x` holds the
/// labelled samples first: the loss runs over pairs of labelled samples, the
/// alignments of the redundancy term over all samples.
struct PairSpace {
  Array<int> order;  ///< sample n of x is sample order[n] of the data
  ClassIndex labels; ///< of the samples of x
  TileSource x;
  AllowedPairs allowed; ///< pairs of samples of x
  PairKernel kernel;    ///< z_ab(j) = k(x_aj, x_bj)
  double redundancy;    ///< a3 of eq. (10)
  SimdLevel simd;
  Index n_labelled = labels.n_labelled();
  Array<PairRange> ranges{};  ///< add up to the allowed labelled pairs
  Array<double> unit_scale{}; ///< see learn_unit_scales()
};

/// The KernelFactor of the 16 features (lanes) of one tile.
class TileFactors {
public:
  explicit TileFactors(const PairSpace &space)
      : factor_(space.kernel, space.x.n_samples(), tile_width),
        diagonal_(space.n_labelled * tile_width) {}

  /// `tile`: n_samples x 16 values, which must stay valid until the next call.
  void load(const double *tile) {
    factor_.form(tile);
    for (Index i = 0; i < diagonal_.size(); ++i) {
      double d = 0.0;
      for (Index q = 0; q < size(); ++q)
        d += coefficient(q) * vector(q)[i] * vector(q)[i];
      diagonal_[i] = d;
    }
  }

  Index size() const { return factor_.size(); }
  double coefficient(Index q) const { return factor_.coefficient(q); }
  const double *vector(Index q) const { return factor_.vector(q); }
  /// k(x_aj, x_aj) of the labelled samples a. Sums over pairs must not hold it.
  const double *diagonal() const { return diagonal_.data(); }

private:
  KernelFactor factor_;
  AlignedBuffer<double> diagonal_;
};

namespace detail {

/// Returns the vectors of the feature in one lane less their means over all
/// samples: the vectors of its centred kernel matrix, eq. (8).
inline Array<Array<double>> centred_vectors(const KernelFactor &factor,
                                            Index n_samples, Index lanes,
                                            Index lane) {
  Array<Array<double>> centred(factor.size(), Array<double>(n_samples));
  for (Index q = 0; q < factor.size(); ++q) {
    const double *f = factor.vector(q) + lane;
    double mean = 0.0;
    for (Index a = 0; a < n_samples; ++a)
      mean += f[a * lanes];
    mean /= static_cast<double>(n_samples);
    for (Index a = 0; a < n_samples; ++a)
      centred[q][a] = f[a * lanes] - mean;
  }
  return centred;
}

/// Returns 1 / sqrt(norm) of a centred kernel matrix, or 0 if the norm is 0.
inline double unit_scale(const KernelFactor &factor,
                         const Array<Array<double>> &centred) {
  double squares = 0.0;
  for (Index q = 0; q < factor.size(); ++q)
    for (Index r = 0; r < factor.size(); ++r) {
      double dot = 0.0;
      for (Index a = 0; a < centred[q].size(); ++a)
        dot += centred[q][a] * centred[r][a];
      squares += factor.coefficient(q) * factor.coefficient(r) * dot * dot;
    }
  return squares > 0.0 ? 1.0 / std::sqrt(std::sqrt(squares)) : 0.0;
}

} // namespace detail

/// Sets unit_scale[j]: it multiplies the centred vectors of feature j, so that
/// their kernel matrix has norm 1, for alignments: eqs (7) to (9). It is 0 for
/// a constant feature, and for all features if `redundancy` is 0.
inline void learn_unit_scales(PairSpace &space, Runtime &runtime) {
  const Index n = space.x.n_samples();
  space.unit_scale.assign(space.x.n_tiles() * tile_width, 0.0);
  if (space.redundancy == 0.0)
    return;
  constexpr Index group = TileSource::Reader::group * tile_width;
  runtime.for_parts(space.x.n_features(), group, [&](Index first, Index end) {
    TileSource::Reader read(space.x);
    KernelFactor factor(space.kernel, n, tile_width);
    for (Index j = first; j < end; ++j) {
      if (j % tile_width == 0)
        factor.form(read(j / tile_width));
      if (!space.x.is_constant(j))
        space.unit_scale[j] = detail::unit_scale(
            factor,
            detail::centred_vectors(factor, n, tile_width, j % tile_width));
    }
  });
}

/// Returns (Z'T)_j of the feature in one lane; T is 1 for pairs of one class,
/// else -1. Over all ordered pairs and self pairs of a range, x'Tx is 2 sum
/// over classes (class sum of x)^2 - (sum of x)^2.
inline double target_product(const PairSpace &space, const TileFactors &factors,
                             Index lane) {
  double value = 0.0;
  for (Index q = 0; q < factors.size(); ++q)
    for (const PairRange &range : space.ranges) {
      Array<double> sums(space.labels.n_classes(), 0.0);
      double all = 0.0, square = 0.0;
      for (Index a = range.begin; a < range.end; ++a) {
        const double x = factors.vector(q)[a * tile_width + lane];
        sums[space.labels[a]] += x;
        all += x;
        square += x * x;
      }
      double quadratic = -all * all - square;
      for (const double sum : sums)
        quadratic += 2.0 * sum * sum;
      value += 0.5 * range.sign * factors.coefficient(q) * quadratic;
    }
  return value;
}

/// The kernel vectors of a few features, packed as columns for gram_tile().
class PackedFeatures {
public:
  /// `values[k]` holds the values of feature features[k] in all samples.
  PackedFeatures(const PairSpace &space, const Array<Index> &features,
                 const Array<double> *values)
      : diagonal_(space.n_labelled, features.size()) {
    KernelFactor factor(space.kernel, space.x.n_samples(), 1);
    for (Index k = 0; k < features.size(); ++k) {
      factor.form(values[k].data());
      pack(space, factor, space.unit_scale[features[k]], features.size(), k);
    }
  }

  Index n_groups() const { return diagonal_.n_groups(); }
  Index size() const { return vectors_.size(); }
  double coefficient(Index q) const { return coefficients_[q]; }
  const PackedColumns &vector(Index q) const { return vectors_[q]; }
  const PackedColumns &diagonal() const { return diagonal_; }
  /// The vectors, centred over all samples and scaled by PairSpace::unit_scale.
  /// They are empty if `redundancy` is 0.
  const PackedColumns &centred(Index q) const { return centred_[q]; }

private:
  void pack(const PairSpace &space, const KernelFactor &factor,
            double unit_scale, Index count, Index k) {
    const Index n = space.x.n_samples();
    while (size() < factor.size()) {
      coefficients_.push_back(factor.coefficient(size()));
      vectors_.emplace_back(space.n_labelled, count);
      centred_.emplace_back(space.redundancy > 0.0 ? n : 0, count);
    }
    for (Index a = 0; a < space.n_labelled; ++a) {
      double d = 0.0;
      for (Index q = 0; q < factor.size(); ++q) {
        const double f = factor.vector(q)[a];
        vectors_[q](a, k) = f;
        d += factor.coefficient(q) * f * f;
      }
      diagonal_(a, k) = d;
    }
    if (space.redundancy == 0.0)
      return;
    const auto centred = detail::centred_vectors(factor, n, 1, 0);
    for (Index q = 0; q < factor.size(); ++q)
      for (Index a = 0; a < n; ++a)
        centred_[q](a, k) = centred[q][a] * unit_scale;
  }

  Array<double> coefficients_;
  Array<PackedColumns> vectors_, centred_;
  PackedColumns diagonal_;
};

/// The products of one tile (16 lanes) with one group of 4 columns.
constexpr Index product_size = column_group * tile_width;
using TileProduct = FixedArray<double, product_size>;

namespace detail {

/// Returns the products summed over samples [begin, end).
inline TileProduct multiply(SimdLevel level, const double *tile,
                            const PackedColumns &columns, Index g, Index begin,
                            Index end) {
  alignas(64) TileProduct out;
  ProductJob job;
  job.tile = tile + begin * tile_width;
  job.lanes = tile_width;
  job.columns = columns.group(g) + begin * column_group;
  job.length = end - begin;
  job.out = out.data();
  job.out_stride = tile_width;
  tile_product(level, job);
  return out;
}

} // namespace detail

/// Returns (Z'Z)_jk + a3 alignment_jk for the 16 features j of a loaded tile
/// and the features k of group `g`. `unit_scale`: one per lane of the tile. A
/// sum over pairs of a range is half of (sum over all a, b - sum over a = b).
inline TileProduct gram_tile(const PairSpace &space, const TileFactors &tile,
                             const double *unit_scale,
                             const PackedFeatures &columns, Index g) {
  TileProduct out{};
  const auto each_product = [&](const auto &of_columns, Index begin, Index end,
                                auto take) {
    for (Index q = 0; q < tile.size(); ++q)
      for (Index r = 0; r < columns.size(); ++r)
        take(tile.coefficient(q) * columns.coefficient(r),
             detail::multiply(space.simd, tile.vector(q), of_columns(r), g,
                              begin, end));
  };
  for (const PairRange &range : space.ranges) {
    auto sums = detail::multiply(space.simd, tile.diagonal(),
                                 columns.diagonal(), g, range.begin, range.end);
    for (double &value : sums)
      value = -value;
    each_product(
        [&](Index r) -> const auto & { return columns.vector(r); }, range.begin,
        range.end,
        [&](double b, const TileProduct &dot) {
          for (Index i = 0; i < product_size; ++i)
            sums[i] += b * dot[i] * dot[i];
        });
    for (Index i = 0; i < product_size; ++i)
      out[i] += 0.5 * range.sign * sums[i];
  }
  if (space.redundancy > 0.0)
    each_product(
        [&](Index r) -> const auto & { return columns.centred(r); }, 0,
        space.x.n_samples(),
        [&](double b, const TileProduct &dot) {
          for (Index i = 0; i < product_size; ++i) {
            const double scaled = dot[i] * unit_scale[i % tile_width];
            out[i] += space.redundancy * b * scaled * scaled;
          }
        });
  return out;
}

/// x_j' R x_j for the 16 features j of a tile.
class QuadraticForm {
public:
  /// `r`: symmetric, n x n, row by row.
  QuadraticForm(const Array<double> &r, Index n) : lower_(n, n) {
    for (Index a = 0; a < n; ++a)
      for (Index b = 0; b <= a; ++b)
        lower_(b, a) = (a == b ? 1.0 : 2.0) * r[a * n + b];
  }

  void operator()(SimdLevel level, const double *tile, double *out) const {
    const Index n = lower_.length();
    std::fill_n(out, tile_width, 0.0);
    alignas(64) TileProduct row;
    ProductJob job;
    job.tile = tile;
    job.lanes = tile_width;
    job.out = row.data();
    job.out_stride = tile_width;
    for (Index g = 0; g < lower_.n_groups(); ++g) {
      const Index end = std::min(n, (g + 1) * column_group);
      job.columns = lower_.group(g);
      job.length = end;
      tile_product(level, job);
      for (Index a = g * column_group; a < end; ++a)
        for (Index lane = 0; lane < tile_width; ++lane)
          out[lane] += tile[a * tile_width + lane] *
                       row[(a - g * column_group) * tile_width + lane];
    }
  }

private:
  PackedColumns lower_;
};

} // namespace hitmiss

#endif
