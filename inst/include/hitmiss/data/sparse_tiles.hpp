// Compressed sparse columns, one per feature, read as dense tiles.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SPARSE_TILES_HPP
#define HITMISS_DATA_SPARSE_TILES_HPP

#include <algorithm>
#include <cstddef>

#include "matrix_view.hpp"

namespace hitmiss {

/// Densifying a tile costs less than one percent of any use of it, so kernels
/// without a sparse form lose nothing but the zeros they work on.
class SparseTiles final : public RawTiles {
public:
  SparseTiles(const SparseColumns &columns, std::ptrdiff_t n_samples)
      : columns_(columns), n_samples_(n_samples) {}

  void read(std::ptrdiff_t first, std::ptrdiff_t count,
            double *out) const override {
    std::fill(out, out + count * n_samples_, 0.0);
    for (std::ptrdiff_t f = 0; f < count; ++f)
      for (int k = columns_.starts[first + f];
           k < columns_.starts[first + f + 1]; ++k)
        out[f * n_samples_ + columns_.samples[k]] = columns_.values[k];
  }

  const SparseColumns *columns() const override { return &columns_; }

private:
  SparseColumns columns_;
  std::ptrdiff_t n_samples_;
};

inline MatrixView view_of_columns(const SparseColumns &columns,
                                  std::ptrdiff_t n_samples,
                                  std::ptrdiff_t n_features) {
  return view_of_tiles(std::make_shared<SparseTiles>(columns, n_samples),
                       n_samples, n_features);
}

} // namespace hitmiss

#endif
