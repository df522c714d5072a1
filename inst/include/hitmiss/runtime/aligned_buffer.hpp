// Memory for kernels: whole cache lines, padded to whole vectors.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_ALIGNED_BUFFER_HPP
#define HITMISS_RUNTIME_ALIGNED_BUFFER_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>

namespace hitmiss {

/// Smallest multiple of `step` that is >= `n`.
inline std::ptrdiff_t round_up(std::ptrdiff_t n, std::ptrdiff_t step) {
  return (n + step - 1) / step * step;
}

/// Samples in the rows and columns of a pair matrix: a multiple of the widest
/// block of any kernel (two 64 byte vectors of float), so no kernel has a
/// remainder loop.
inline std::ptrdiff_t padded_samples(std::ptrdiff_t n_samples) {
  return round_up(n_samples, 32);
}

/// Distance between two features in a tile: padded, and an odd number of cache
/// lines, so that one sample's features do not fall into the same cache set.
template <class T> std::ptrdiff_t tile_stride(std::ptrdiff_t n_samples) {
  return padded_samples(n_samples) +
         64 / static_cast<std::ptrdiff_t>(sizeof(T));
}

/// An owned array of trivial T, aligned to 64 bytes, zero at birth unless asked
/// otherwise.
template <class T> class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::ptrdiff_t size)
      : AlignedBuffer(uninitialised(size)) {
    std::fill_n(data_.get(), size, T(0));
  }

  /// Values that the caller sets before it reads them. The threads that write
  /// then share the work of getting fresh pages from the system.
  static AlignedBuffer uninitialised(std::ptrdiff_t size) {
    constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max() /
                          static_cast<std::ptrdiff_t>(sizeof(T));
    if (size < 0 || size > most)
      throw std::bad_alloc();
    AlignedBuffer buffer;
    buffer.data_.reset(static_cast<T *>(::operator new(
        static_cast<std::size_t>(size) * sizeof(T), std::align_val_t(64))));
    buffer.size_ = size;
    return buffer;
  }

  T *data() { return data_.get(); }
  const T *data() const { return data_.get(); }
  std::ptrdiff_t size() const { return size_; }
  T &operator[](std::ptrdiff_t i) { return data_.get()[i]; }
  const T &operator[](std::ptrdiff_t i) const { return data_.get()[i]; }

private:
  struct Free {
    void operator()(T *data) const {
      ::operator delete(data, std::align_val_t(64));
    }
  };
  std::unique_ptr<T, Free> data_;
  std::ptrdiff_t size_ = 0;
};

/// One number for every ordered pair of (row, column) samples, padded with 0.
template <class T> class PairMatrix {
public:
  PairMatrix() = default;
  PairMatrix(std::ptrdiff_t n_rows, std::ptrdiff_t n_columns)
      : n_rows_(n_rows), n_columns_(n_columns),
        stride_(padded_samples(n_columns)), values_(size(n_rows, n_columns)) {}

  std::ptrdiff_t n_rows() const { return n_rows_; }
  std::ptrdiff_t n_columns() const { return n_columns_; }
  std::ptrdiff_t stride() const { return stride_; }
  T *row(std::ptrdiff_t n) { return values_.data() + n * stride_; }
  const T *row(std::ptrdiff_t n) const { return values_.data() + n * stride_; }

private:
  static std::ptrdiff_t size(std::ptrdiff_t n_rows, std::ptrdiff_t n_columns) {
    const std::ptrdiff_t rows = padded_samples(n_rows);
    const std::ptrdiff_t columns = padded_samples(n_columns);
    if (columns > 0 &&
        rows > std::numeric_limits<std::ptrdiff_t>::max() / columns / 8)
      throw std::bad_alloc();
    return rows * columns;
  }

  std::ptrdiff_t n_rows_ = 0;
  std::ptrdiff_t n_columns_ = 0;
  std::ptrdiff_t stride_ = 0;
  AlignedBuffer<T> values_;
};

} // namespace hitmiss

#endif
