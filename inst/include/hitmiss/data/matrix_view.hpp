// A view of samples x features numbers of the caller, however they are stored.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_MATRIX_VIEW_HPP
#define HITMISS_DATA_MATRIX_VIEW_HPP

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "../runtime/array.hpp"

namespace hitmiss {

/// Storage of one number. R's logical is i32 as well. The smallest i32 stands
/// for a missing value, and is read as NaN.
enum class Scalar { f64, i32 };

namespace detail {

inline double number(double value) { return value; }
inline double number(int value) {
  return value == std::numeric_limits<int>::min()
             ? std::numeric_limits<double>::quiet_NaN()
             : value;
}

} // namespace detail

/// The nonzero values of feature j are values[k] of sample samples[k] for
/// starts[j] <= k < starts[j + 1], samples increasing. The arrays are the
/// caller's, and must outlive this struct.
struct SparseColumns {
  const int *starts;
  const int *samples;
  const double *values;
};

/// Values that are no strided array in memory (sparse, in a file) and are
/// therefore read in tiles.
class RawTiles {
public:
  virtual ~RawTiles() = default;
  /// Writes feature first + f of sample n to out[f * n_samples + n], for f <
  /// count. Several threads may call it at once; it may throw.
  virtual void read(Index first, Index count, double *out) const = 0;
  /// Returns true if the tiles hold n_samples values for each of n_features
  /// features, and all are finite or, if `may_miss`, missing (NaN). Override it
  /// if this is known without reading.
  virtual bool sound(Index n_samples, Index n_features, bool may_miss) const {
    Array<double> values(n_samples);
    for (Index j = 0; j < n_features; ++j) {
      read(j, 1, values.data());
      for (const double value : values)
        if (!std::isfinite(value) && !(may_miss && std::isnan(value)))
          return false;
    }
    return true;
  }
  /// The nonzero values, if stored alone and open to kernels, or nullptr.
  virtual const SparseColumns *columns() const { return nullptr; }
};

/// A read-only view of a data set. An array is the caller's, and must outlive
/// the view. An R matrix with samples in rows has sample_stride 1 and
/// feature_stride n_samples; an assay with features in rows has feature_stride
/// 1 and sample_stride n_features. No data set is transposed as a whole:
/// kernels copy tiles (see feature_tile.hpp).
struct MatrixView {
  const void *data = nullptr;
  Scalar type = Scalar::f64;
  Index n_samples = 0;
  Index n_features = 0;
  Index sample_stride = 1;
  Index feature_stride = 0;
  std::shared_ptr<const RawTiles> tiles = nullptr; ///< if set: not an array

  /// One value. Required: the data are an array.
  double operator()(Index sample, Index feature) const {
    const Index at = sample * sample_stride + feature * feature_stride;
    return type == Scalar::f64
               ? static_cast<const double *>(data)[at]
               : detail::number(static_cast<const int *>(data)[at]);
  }

  /// The view of the array that begins `skip` numbers later.
  MatrixView from(Index skip) const {
    MatrixView part = *this;
    if (type == Scalar::f64)
      part.data = static_cast<const double *>(data) + skip;
    else
      part.data = static_cast<const int *>(data) + skip;
    return part;
  }

  const SparseColumns *sparse() const {
    return tiles ? tiles->columns() : nullptr;
  }
  bool same_values(const MatrixView &other) const {
    return data == other.data && tiles == other.tiles &&
           n_samples == other.n_samples;
  }
};

/// Returns the view of a dense double matrix that is stored feature by feature.
inline MatrixView view_by_feature(const double *data, Index n_samples,
                                  Index n_features) {
  return MatrixView{data, Scalar::f64, n_samples, n_features, 1, n_samples};
}

/// Returns the view of values that are read in tiles.
inline MatrixView view_of_tiles(std::shared_ptr<const RawTiles> tiles,
                                Index n_samples, Index n_features) {
  MatrixView x;
  x.n_samples = n_samples;
  x.n_features = n_features;
  x.feature_stride = n_samples;
  x.tiles = std::move(tiles);
  return x;
}

/// Returns features [first, first + count) of `x` as an array. If `x` is read
/// in tiles, the values are copied to `buffer`.
inline MatrixView feature_range(const MatrixView &x, Index first, Index count,
                                Array<double> &buffer) {
  if (x.tiles) {
    buffer.resize(count * x.n_samples);
    x.tiles->read(first, count, buffer.data());
    return view_by_feature(buffer.data(), x.n_samples, count);
  }
  MatrixView part = x.from(first * x.feature_stride);
  part.n_features = count;
  return part;
}

/// The samples [begin, end).
struct SampleRange {
  Index begin = 0, end = 0;
  Index size() const { return end - begin; }
  bool operator==(const SampleRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// Returns the samples in `range`. Required: `x` is an array.
inline MatrixView sample_range(const MatrixView &x, const SampleRange &range) {
  MatrixView part = x.from(range.begin * x.sample_stride);
  part.n_samples = range.size();
  return part;
}

} // namespace hitmiss

#endif
