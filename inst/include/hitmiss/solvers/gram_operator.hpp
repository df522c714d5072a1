// The Gram matrix of features over all pairs of samples, one column at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_GRAM_OPERATOR_HPP
#define HITMISS_SOLVERS_GRAM_OPERATOR_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "../pairs/pair_products.hpp"
#include "column_store.hpp"

namespace hitmiss {

/// H = Z'Z + a3 cor^2 over a working set that grows, and the residual
/// correlations c = Z'T - H mu of all features.
///
/// Columns of H over all features are kept, in memory or in a file, as long as
/// they fit in `column_bytes`; beyond it c comes from one n x n quadratic form
/// per feature: O(n^2 J) instead of O(|W| J), with O(n^2) memory. Samples of
/// the working features are always held.
class PairGram {
public:
  /// `y`: classes of the samples in the order of `space.x`, the unlabelled
  /// last. A constant feature gets a correlation of -infinity. `file`: where
  /// columns go, or nullptr.
  PairGram(const PairSpace &space, const ClassIndex &y,
           const std::vector<char> &constant, std::ptrdiff_t column_bytes,
           Runtime &runtime, std::shared_ptr<ScratchFile> file = nullptr)
      : space_(space), y_(y), constant_(constant), column_bytes_(column_bytes),
        columns_(space.x.n_panels() * panel_width, std::move(file)) {
    target_.resize(constant.size());
    for_tiles(runtime, [&](std::ptrdiff_t p, PanelPowers &powers) {
      for (std::ptrdiff_t lane = 0; lane < panel_width; ++lane)
        put(target_, p, lane, target_product(space_, y_, powers, lane));
    });
  }

  std::ptrdiff_t n_features() const { return space_.x.n_features(); }
  /// (Z'T)_j.
  const std::vector<double> &target_correlations() const { return target_; }
  /// ||T||^2, the number of labelled pairs that are compared.
  double target_norm() const {
    double pairs = 0.0;
    for (const PairRange &range : space_.ranges) {
      const auto n = static_cast<double>(range.end - range.begin);
      pairs += range.sign * n * (n - 1.0) / 2.0;
    }
    return pairs;
  }
  const std::vector<std::ptrdiff_t> &working() const { return working_; }
  /// Entry of H between members i and k of the working set.
  double operator()(std::size_t i, std::size_t k) const { return gram_[i][k]; }

  /// Adds features to the working set.
  void extend(const std::vector<std::ptrdiff_t> &features, Runtime &runtime) {
    const std::size_t before = working_.size();
    working_.insert(working_.end(), features.begin(), features.end());
    for (const std::ptrdiff_t j : features)
      values_.push_back(space_.x.feature(j));
    const PackedFeatures packed(space_, features, &values_[before]);
    const auto bytes = static_cast<std::ptrdiff_t>(working_.size()) *
                       n_features() *
                       static_cast<std::ptrdiff_t>(sizeof(double));
    if (bytes > column_bytes_) {
      columns_.clear();
      column_bytes_ = 0;
    } else {
      form_columns(packed, features.size(), runtime);
    }
    grow_gram(before, packed);
  }

  /// c = Z'T - H mu for all features; `mu` runs over the working set.
  void residual_correlations(const std::vector<double> &mu,
                             std::vector<double> &c, Runtime &runtime) const {
    if (columns_.size() != working_.size())
      return correlations(residuals(mu, runtime), mu, c, runtime);
    c = target_;
    runtime.for_each(n_tiles(), [&](std::ptrdiff_t tile, int) {
      const std::ptrdiff_t begin = tile * tile_features;
      const std::ptrdiff_t end = std::min(n_features(), begin + tile_features);
      std::vector<double> buffer(static_cast<std::size_t>(end - begin));
      for (std::size_t k = 0; k < mu.size(); ++k) {
        if (mu[k] == 0.0)
          continue;
        const double *column =
            columns_.read(k, begin, end - begin, buffer.data());
        for (std::ptrdiff_t j = begin; j < end; ++j)
          c[static_cast<std::size_t>(j)] -= mu[k] * column[j - begin];
      }
    });
  }

  /// The residual T - Z mu as a symmetric matrix over all samples, row by row:
  /// 0 on the diagonal, where a label is missing and where a pair is not
  /// compared.
  std::vector<double> residuals(const std::vector<double> &mu,
                                Runtime &runtime) const {
    auto r = fitted(mu, space_.n_labelled, runtime);
    const std::ptrdiff_t n = space_.x.n_samples();
    for (std::ptrdiff_t a = 0; a < space_.n_labelled; ++a)
      for (std::ptrdiff_t b = 0; b < space_.n_labelled; ++b) {
        double &value = r[static_cast<std::size_t>(a * n + b)];
        value =
            space_.allowed(a, b) ? (y_[a] == y_[b] ? 1.0 : -1.0) - value : 0.0;
      }
    return r;
  }

  /// Z mu as a matrix over the first `m` samples, 0 elsewhere.
  std::vector<double> fitted(const std::vector<double> &mu, std::ptrdiff_t m,
                             Runtime &runtime) const {
    const std::ptrdiff_t n = space_.x.n_samples();
    std::vector<double> f(static_cast<std::size_t>(n * n), 0.0);
    for (const auto &term : space_.terms)
      add_outer(mu, m, runtime, f, [&](std::size_t k) {
        return Outer{term.coefficient * mu[k], term.power, 0.0, 1.0};
      });
    return f;
  }

  /// c_j = x_j' R x_j / 2 (over powers, for a polynomial kernel) less the
  /// redundancy term.
  void correlations(const std::vector<double> &residuals,
                    const std::vector<double> &mu, std::vector<double> &c,
                    Runtime &runtime) const {
    const std::ptrdiff_t n = space_.x.n_samples();
    const QuadraticForm loss(residuals, n);
    std::vector<double> overlap(static_cast<std::size_t>(n * n), 0.0);
    if (space_.redundancy > 0.0)
      add_outer(mu, n, runtime, overlap, [&](std::size_t k) {
        const auto j = static_cast<std::size_t>(working_[k]);
        return Outer{mu[k], 1, space_.mean[j], space_.inverse_norm[j]};
      });
    const QuadraticForm redundancy(overlap, space_.redundancy > 0.0 ? n : 0);
    c.resize(constant_.size());
    for_tiles(runtime, [&](std::ptrdiff_t p, PanelPowers &powers) {
      double value[panel_width], total[panel_width] = {};
      for (std::size_t q = 0; q < space_.terms.size(); ++q) {
        loss(space_.simd, powers.power(q), value);
        for (std::ptrdiff_t lane = 0; lane < panel_width; ++lane)
          total[lane] += 0.5 * space_.terms[q].coefficient * value[lane];
      }
      redundancy(space_.simd, powers.plain(), value);
      for (std::ptrdiff_t lane = 0; lane < panel_width; ++lane) {
        const double s =
            space_
                .inverse_norm[static_cast<std::size_t>(p * panel_width + lane)];
        put(c, p, lane, total[lane] - space_.redundancy * s * s * value[lane]);
      }
    });
  }

private:
  static constexpr std::ptrdiff_t tile_features = 2048;
  struct Outer {
    double weight;
    int power;
    double shift, scale;
  };

  std::ptrdiff_t n_tiles() const {
    return (n_features() + tile_features - 1) / tile_features;
  }

  /// Calls work(panel number, its powers), tiles of 2048 features in parallel.
  template <class Work> void for_tiles(Runtime &runtime, Work work) const {
    runtime.for_each(n_tiles(), [&](std::ptrdiff_t tile, int) {
      for_panels(tile, work);
      runtime.checkpoint();
    });
  }

  template <class Work>
  void for_panels(std::ptrdiff_t tile, const Work &work) const {
    constexpr std::ptrdiff_t panels = tile_features / panel_width;
    PanelPowers powers(space_);
    PanelSource::Reader read(space_.x);
    const std::ptrdiff_t end =
        std::min(space_.x.n_panels(), (tile + 1) * panels);
    for (std::ptrdiff_t p = tile * panels; p < end; ++p) {
      powers.load(read(p));
      work(p, powers);
    }
  }

  void put(std::vector<double> &to, std::ptrdiff_t p, std::ptrdiff_t lane,
           double value) const {
    const std::ptrdiff_t j = p * panel_width + lane;
    if (j >= n_features())
      return;
    const auto at = static_cast<std::size_t>(j);
    to[at] = constant_[at] ? -std::numeric_limits<double>::infinity() : value;
  }

  void form_columns(const PackedFeatures &packed, std::size_t count,
                    Runtime &runtime) {
    const std::size_t before = columns_.size();
    columns_.append(count);
    runtime.for_each(n_tiles(), [&](std::ptrdiff_t tile, int) {
      const std::ptrdiff_t begin = tile * tile_features;
      const std::ptrdiff_t end =
          std::min(space_.x.n_panels() * panel_width, begin + tile_features);
      ColumnStore::Piece piece(columns_, before, count, begin, end - begin);
      for_panels(tile, [&](std::ptrdiff_t p, const PanelPowers &powers) {
        const std::ptrdiff_t first = p * panel_width;
        for (std::ptrdiff_t g = 0; g < packed.n_groups(); ++g) {
          const auto block = gram_block(
              space_, powers,
              &space_.inverse_norm[static_cast<std::size_t>(first)], packed, g);
          for (std::ptrdiff_t k = 0; k < column_group; ++k) {
            const auto column = static_cast<std::size_t>(g * column_group + k);
            if (column < count)
              std::copy_n(block.data() + k * panel_width, panel_width,
                          piece[column] + (first - begin));
          }
        }
      });
      piece.keep();
      runtime.checkpoint();
    });
  }

  /// Rows and columns of H for the working features from `before` on: read
  /// from the columns, or multiplied out on a copy of the working features.
  void grow_gram(std::size_t before, const PackedFeatures &packed) {
    for (auto &row : gram_)
      row.resize(working_.size());
    gram_.resize(working_.size(), std::vector<double>(working_.size()));
    if (columns_.size() == working_.size()) {
      for (std::size_t k = before; k < working_.size(); ++k)
        for (std::size_t i = 0; i <= k; ++i) {
          double value;
          gram_[i][k] = gram_[k][i] = *columns_.read(k, working_[i], 1, &value);
        }
      return;
    }
    multiply_working(packed, [&](std::size_t i, std::size_t k, double value) {
      k += before;
      if (i <= k && k < working_.size())
        gram_[i][k] = gram_[k][i] = value;
    });
  }

  template <class Sink>
  void multiply_working(const PackedFeatures &packed, Sink sink) const {
    const auto count = static_cast<std::ptrdiff_t>(working_.size());
    FeaturePanels x(space_.x.n_samples(), count);
    std::vector<double> norms(
        static_cast<std::size_t>(x.n_panels() * panel_width), 0.0);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t j = working_[static_cast<std::size_t>(i)];
      norms[static_cast<std::size_t>(i)] =
          space_.inverse_norm[static_cast<std::size_t>(j)];
      for (std::ptrdiff_t a = 0; a < x.n_samples(); ++a)
        x(a, i) =
            values_[static_cast<std::size_t>(i)][static_cast<std::size_t>(a)];
    }
    PanelPowers powers(space_);
    for (std::ptrdiff_t p = 0; p < x.n_panels(); ++p) {
      powers.load(x.panel(p));
      for (std::ptrdiff_t g = 0; g < packed.n_groups(); ++g) {
        const auto block = gram_block(
            space_, powers, &norms[static_cast<std::size_t>(p * panel_width)],
            packed, g);
        for (std::size_t at = 0; at < block.size(); ++at)
          sink(static_cast<std::size_t>(p) * panel_width + at % panel_width,
               static_cast<std::size_t>(g) * column_group + at / panel_width,
               block[at]);
      }
    }
  }

  /// to += sum over k of weight v_k v_k' on the first m samples, where v is
  /// ((x - shift) scale)^power and outer(k) gives these numbers.
  template <class OuterOf>
  void add_outer(const std::vector<double> &mu, std::ptrdiff_t m,
                 Runtime &runtime, std::vector<double> &to,
                 OuterOf outer) const {
    const std::ptrdiff_t n = space_.x.n_samples();
    std::vector<std::vector<double>> vectors;
    std::vector<double> weights;
    for (std::size_t k = 0; k < mu.size(); ++k) {
      if (mu[k] == 0.0)
        continue;
      const Outer o = outer(k);
      weights.push_back(o.weight);
      vectors.emplace_back(static_cast<std::size_t>(m));
      for (std::ptrdiff_t a = 0; a < m; ++a)
        vectors.back()[static_cast<std::size_t>(a)] = integer_power(
            (values_[k][static_cast<std::size_t>(a)] - o.shift) * o.scale,
            o.power);
    }
    runtime.for_each(m, [&](std::ptrdiff_t a, int) {
      double *row = to.data() + a * n;
      for (std::size_t k = 0; k < vectors.size(); ++k) {
        const double factor =
            weights[k] * vectors[k][static_cast<std::size_t>(a)];
        for (std::ptrdiff_t b = 0; b < m; ++b)
          row[b] += factor * vectors[k][static_cast<std::size_t>(b)];
      }
    });
  }

  const PairSpace &space_;
  const ClassIndex &y_;
  const std::vector<char> &constant_;
  std::ptrdiff_t column_bytes_;
  std::vector<double> target_;
  std::vector<std::ptrdiff_t> working_;
  std::vector<std::vector<double>> gram_;
  std::vector<std::vector<double>> values_; ///< of the working features
  ColumnStore columns_;
};

} // namespace hitmiss

#endif
