// A view of somebody else's samples x features numbers, in either orientation.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_MATRIX_VIEW_HPP
#define HITMISS_DATA_MATRIX_VIEW_HPP

#include <cstddef>

namespace hitmiss {

/// Storage of one number. R's logical is i32 as well.
enum class Scalar { f64, i32 };

/// Strided, read-only, does not own. An R matrix with samples in rows has
/// sample_stride 1 and feature_stride n_samples; an assay with features in
/// rows the other way round. Nothing is ever transposed whole: kernels copy
/// tiles (see feature_tile.hpp).
struct MatrixView {
  const void *data = nullptr;
  Scalar type = Scalar::f64;
  std::ptrdiff_t n_samples = 0;
  std::ptrdiff_t n_features = 0;
  std::ptrdiff_t sample_stride = 1;
  std::ptrdiff_t feature_stride = 0;

  double operator()(std::ptrdiff_t sample, std::ptrdiff_t feature) const {
    const std::ptrdiff_t at = sample * sample_stride + feature * feature_stride;
    return type == Scalar::f64
               ? static_cast<const double *>(data)[at]
               : static_cast<double>(static_cast<const int *>(data)[at]);
  }
};

/// View of a dense double matrix stored feature by feature.
inline MatrixView view_by_feature(const double *data, std::ptrdiff_t n_samples,
                                  std::ptrdiff_t n_features) {
  return MatrixView{data, Scalar::f64, n_samples, n_features, 1, n_samples};
}

} // namespace hitmiss

#endif
