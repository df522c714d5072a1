// The Gram matrix of features over all pairs of samples, one column at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_GRAM_HPP
#define HITMISS_BFS_PAIR_GRAM_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "column_store.hpp"
#include "pair_products.hpp"

namespace hitmiss {

/// H = Z'Z + a3 alignments over a working set that grows, and the residual
/// correlations c = Z'T - H mu of all features.
///
/// Columns of H over all J features are kept, in memory or in a file, while
/// they take at most `column_bytes`. Later c comes from a quadratic form in an
/// n x n matrix for each feature: O(n^2 J) time instead of O(|W| J) for the
/// working set W, and O(n^2) memory. The values of the working features are
/// always kept.
class PairGram {
public:
  /// The correlation of a constant feature is -infinity. `file` holds the
  /// columns; nullptr: memory holds them.
  PairGram(const PairSpace &space, Index column_bytes, Runtime &runtime,
           std::shared_ptr<ScratchFile> file = nullptr)
      : space_(space), column_bytes_(column_bytes), target_(n_features()),
        columns_(space.x.n_tiles() * tile_width, std::move(file)) {
    for_all_tiles(runtime, [&](Index p, TileFactors &factors) {
      for (Index lane = 0; lane < tile_width; ++lane)
        put(target_, p, lane, target_product(space_, factors, lane));
    });
  }

  Index n_features() const { return space_.x.n_features(); }
  /// The correlation (Z'T)_j of every feature j with the targets.
  const Array<double> &target_correlations() const { return target_; }
  /// ||T||^2, the number of labelled pairs that are compared.
  double target_norm() const {
    double pairs = 0.0;
    for (const PairRange &range : space_.ranges) {
      const auto n = static_cast<double>(range.end - range.begin);
      pairs += range.sign * n * (n - 1.0) / 2.0;
    }
    return pairs;
  }
  const Array<Index> &working() const { return working_; }
  /// The entry of H between features working()[i] and working()[k].
  double operator()(Index i, Index k) const { return gram_[i][k]; }

  /// Adds features to the working set.
  void extend(const Array<Index> &features, Runtime &runtime) {
    const Index before = working_.size();
    working_.insert(working_.end(), features.begin(), features.end());
    for (const Index j : features)
      values_.push_back(space_.x.features(j, 1));
    const PackedFeatures packed(space_, features, &values_[before]);
    const Index bytes = working_.size() * n_features() * bytes_of<double>;
    if (bytes > column_bytes_) {
      columns_.clear();
      column_bytes_ = 0;
    } else {
      form_columns(packed, features.size(), runtime);
    }
    grow_gram(before, packed, runtime);
  }

  /// c = Z'T - H mu for all features; `mu` runs over the working set.
  void residual_correlations(const Array<double> &mu, Array<double> &c,
                             Runtime &runtime) const {
    if (columns_.size() != working_.size())
      return correlations(residuals(mu, runtime), mu, c, runtime);
    c = target_;
    runtime.for_parts(n_features(), part_features, [&](Index begin, Index end) {
      Array<double> buffer(end - begin);
      for (Index k = 0; k < mu.size(); ++k) {
        if (mu[k] == 0.0)
          continue;
        const double *column =
            columns_.read(k, begin, end - begin, buffer.data());
        for (Index j = begin; j < end; ++j)
          c[j] -= mu[k] * column[j - begin];
      }
    });
  }

  /// Returns the residual T - Z mu as a symmetric matrix over all samples, row
  /// by row. It is 0 on the diagonal, for samples without a label, and for
  /// pairs that are not compared.
  Array<double> residuals(const Array<double> &mu, Runtime &runtime) const {
    auto r = fitted(mu, space_.n_labelled, runtime);
    const Index n = space_.x.n_samples();
    const ClassIndex &y = space_.labels;
    for (Index a = 0; a < space_.n_labelled; ++a)
      for (Index b = 0; b < space_.n_labelled; ++b) {
        double &value = r[a * n + b];
        value =
            space_.allowed(a, b) ? (y[a] == y[b] ? 1.0 : -1.0) - value : 0.0;
      }
    return r;
  }

  /// Returns Z mu off the diagonal of an n x n matrix, which is 0 from row and
  /// column `m` on.
  Array<double> fitted(const Array<double> &mu, Index m,
                       Runtime &runtime) const {
    const Index n = space_.x.n_samples();
    Array<double> f(n * n, 0.0);
    add_outer(mu, m, false, runtime, f);
    return f;
  }

  /// c_j = sum_q b_q f_q'R f_q / 2 less the redundancy term; R: `residuals`,
  /// b_q and f_q: coefficients and vectors of feature j (KernelFactor).
  void correlations(const Array<double> &residuals, const Array<double> &mu,
                    Array<double> &c, Runtime &runtime) const {
    const Index n = space_.x.n_samples();
    const bool redundant = space_.redundancy > 0.0;
    const QuadraticForm loss(residuals, n);
    Array<double> overlap(n * n, 0.0);
    if (redundant)
      add_outer(mu, n, true, runtime, overlap);
    const QuadraticForm redundancy(overlap, redundant ? n : 0);
    c.resize(n_features());
    for_all_tiles(runtime, [&](Index p, TileFactors &factors) {
      double value[tile_width], total[tile_width] = {}, shared[tile_width] = {};
      for (Index q = 0; q < factors.size(); ++q) {
        loss(space_.simd, factors.vector(q), value);
        for (Index lane = 0; lane < tile_width; ++lane)
          total[lane] += 0.5 * factors.coefficient(q) * value[lane];
        redundancy(space_.simd, factors.vector(q), value);
        for (Index lane = 0; lane < tile_width; ++lane)
          shared[lane] += factors.coefficient(q) * value[lane];
      }
      for (Index lane = 0; lane < tile_width; ++lane) {
        const double s = space_.unit_scale[p * tile_width + lane];
        put(c, p, lane, total[lane] - space_.redundancy * s * s * shared[lane]);
      }
    });
  }

private:
  static constexpr Index part_features = 2048,
                         part_tiles = part_features / tile_width;

  /// Calls work(p, its factors) for all tiles p; 2048 features are one unit.
  template <class Work> void for_all_tiles(Runtime &runtime, Work work) const {
    runtime.for_parts(
        space_.x.n_tiles(), part_tiles,
        [&](Index first, Index end) { for_tiles(first, end, work, runtime); });
  }

  template <class Work>
  void for_tiles(Index first, Index end, const Work &work,
                 Runtime &runtime) const {
    TileFactors factors(space_);
    TileSource::Reader read(space_.x);
    for (Index p = first; p < end; ++p) {
      // A tile of a Gaussian kernel, up to 25 vectors, takes 100 ms or more.
      runtime.checkpoint();
      factors.load(read(p));
      work(p, factors);
    }
  }

  void put(Array<double> &to, Index p, Index lane, double value) const {
    const Index j = p * tile_width + lane;
    if (j >= n_features())
      return;
    to[j] = space_.x.is_constant(j) ? -std::numeric_limits<double>::infinity()
                                    : value;
  }

  void form_columns(const PackedFeatures &packed, Index count,
                    Runtime &runtime) {
    const Index before = columns_.size();
    columns_.append(count);
    runtime.for_parts(
        space_.x.n_tiles(), part_tiles, [&](Index from, Index to) {
          const Index begin = from * tile_width;
          ColumnStore::Piece piece(columns_, before, count, begin,
                                   (to - from) * tile_width);
          for_tiles(
              from, to,
              [&](Index p, const TileFactors &factors) {
                const Index first = p * tile_width;
                for (Index g = 0; g < packed.n_groups(); ++g) {
                  const auto product = gram_tile(
                      space_, factors, &space_.unit_scale[first], packed, g);
                  for (Index k = 0; k < column_group; ++k) {
                    const Index column = g * column_group + k;
                    if (column < count)
                      std::copy_n(product.data() + k * tile_width, tile_width,
                                  piece[column] + (first - begin));
                  }
                }
              },
              runtime);
          piece.keep();
        });
  }

  /// Computes the rows and columns of gram_ for working features `before` and
  /// later, from a packed copy of all working features.
  void grow_gram(Index before, const PackedFeatures &packed, Runtime &runtime) {
    for (auto &row : gram_)
      row.resize(working_.size());
    gram_.resize(working_.size(), Array<double>(working_.size()));
    const Index count = working_.size();
    PackedTiles x(space_.x.n_samples(), count);
    Array<double> norms(x.n_tiles() * tile_width, 0.0);
    for (Index i = 0; i < count; ++i) {
      const Index j = working_[i];
      norms[i] = space_.unit_scale[j];
      for (Index a = 0; a < x.n_samples(); ++a)
        x(a, i) = values_[i][a];
    }
    TileFactors factors(space_);
    for (Index p = 0; p < x.n_tiles(); ++p) {
      runtime.checkpoint();
      factors.load(x.tile(p));
      for (Index g = 0; g < packed.n_groups(); ++g) {
        const auto product =
            gram_tile(space_, factors, &norms[p * tile_width], packed, g);
        for (Index at = 0; at < product_size; ++at) {
          const Index i = p * tile_width + at % tile_width;
          const Index k = before + g * column_group + at / tile_width;
          if (i <= k && k < count)
            gram_[i][k] = gram_[k][i] = product[at];
        }
      }
    }
  }

  /// to += sum over k of mu_k K_k over the first m samples. K_k is the kernel
  /// matrix of working feature k; if `centred`, it is centred and has norm 1.
  void add_outer(const Array<double> &mu, Index m, bool centred,
                 Runtime &runtime, Array<double> &to) const {
    const Index n = space_.x.n_samples();
    Array<Array<double>> vectors;
    Array<double> weights;
    KernelFactor factor(space_.kernel, n, 1);
    for (Index k = 0; k < mu.size(); ++k) {
      if (mu[k] == 0.0)
        continue;
      factor.form(values_[k].data());
      const double s = centred ? space_.unit_scale[working_[k]] : 1.0;
      const auto middle = centred ? detail::centred_vectors(factor, n, 1, 0)
                                  : Array<Array<double>>{};
      for (Index q = 0; q < factor.size(); ++q) {
        const double *f = centred ? middle[q].data() : factor.vector(q);
        weights.push_back(factor.coefficient(q) * mu[k] * s * s);
        vectors.emplace_back(f, f + m);
      }
    }
    runtime.for_each(m, [&](Index a, int) {
      double *row = to.data() + a * n;
      for (Index k = 0; k < vectors.size(); ++k) {
        const double weight = weights[k] * vectors[k][a];
        for (Index b = 0; b < m; ++b)
          row[b] += weight * vectors[k][b];
      }
    });
  }

  const PairSpace &space_;
  Index column_bytes_;
  Array<double> target_;
  Array<Index> working_;
  Array<Array<double>> gram_;
  Array<Array<double>> values_; ///< of the working features
  ColumnStore columns_;
};

} // namespace hitmiss

#endif
