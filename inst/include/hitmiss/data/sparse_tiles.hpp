// Compressed sparse columns, one per feature, read as dense tiles.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SPARSE_TILES_HPP
#define HITMISS_DATA_SPARSE_TILES_HPP

#include <algorithm>
#include <cmath>
#include <memory>

#include "feature_tile.hpp"

namespace hitmiss {

/// Decides whether sums over pairs of samples use the nonzero values only.
/// These sums round differently. Below 2^27 differences (hundredths of a
/// second) all values are used, so that sparse and dense input give identical
/// results. The threshold is a constant, so that results do not depend on the
/// machine.
inline bool worth_nonzeros(Index n_samples, Index n_features) {
  const auto n = static_cast<double>(n_samples);
  return 0.5 * n * n * static_cast<double>(n_features) >= 134217728.0;
}

namespace detail {

/// A column with a smaller share of nonzero values is summed by these alone.
/// The share is constant (the measured crossover is 20 to 30 %), so that
/// results do not depend on the machine.
constexpr double sparse_density = 0.25;

/// Says whether feature j has few nonzero values.
inline bool is_sparse(const ScaledView &x, Index j) {
  const SparseColumns *columns = x.raw.sparse();
  if (columns == nullptr)
    return false;
  const int nonzero = columns->starts[j + 1] - columns->starts[j];
  return nonzero < sparse_density * static_cast<double>(x.n_samples());
}

} // namespace detail

/// Makes dense tiles of sparse columns. This costs less than one percent of any
/// use of a tile, so kernels without a form for sparse data only lose the time
/// that they spend on zeros.
class SparseTiles final : public RawTiles {
public:
  /// `offer` says whether kernels that have a form for sparse data may see the
  /// nonzero values.
  SparseTiles(const SparseColumns &columns, Index n_samples, bool offer)
      : columns_(columns), n_samples_(n_samples), offer_(offer) {}

  void read(Index first, Index count, double *out) const override {
    std::fill(out, out + count * n_samples_, 0.0);
    for (Index f = 0; f < count; ++f)
      for (int k = columns_.starts[first + f];
           k < columns_.starts[first + f + 1]; ++k)
        out[f * n_samples_ + columns_.samples[k]] = columns_.values[k];
  }

  /// Also checks `samples`, because read() uses them as places in its output.
  bool sound(Index n_samples, Index n_features, bool may_miss) const override {
    const auto &c = columns_;
    if (n_samples != n_samples_ || c.starts == nullptr || c.starts[0] != 0)
      return false;
    for (Index j = 0; j < n_features; ++j) {
      if (c.starts[j + 1] < c.starts[j])
        return false;
      for (int k = c.starts[j], last = -1; k < c.starts[j + 1]; ++k) {
        if (c.samples[k] <= last || c.samples[k] >= n_samples ||
            !(std::isfinite(c.values[k]) ||
              (may_miss && std::isnan(c.values[k]))))
          return false;
        last = c.samples[k];
      }
    }
    return true;
  }

  const SparseColumns *columns() const override {
    return offer_ ? &columns_ : nullptr;
  }

private:
  SparseColumns columns_;
  Index n_samples_;
  bool offer_;
};

inline MatrixView view_of_columns(const SparseColumns &columns, Index n_samples,
                                  Index n_features, bool offer) {
  return view_of_tiles(std::make_shared<SparseTiles>(columns, n_samples, offer),
                       n_samples, n_features);
}

} // namespace hitmiss

#endif
