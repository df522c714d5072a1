// Memory for kernels: whole cache lines, padded to whole vectors.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_ALIGNED_BUFFER_HPP
#define HITMISS_RUNTIME_ALIGNED_BUFFER_HPP

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "array.hpp"

namespace hitmiss {

/// Returns the smallest multiple of `step` that is at least `n`.
inline Index round_up(Index n, Index step) {
  return (n + step - 1) / step * step;
}

/// The samples that a row or column of a pair matrix has room for: a multiple
/// of the widest step of any kernel (two 64 byte vectors of float), so that no
/// kernel has a remainder loop.
inline Index padded_samples(Index n_samples) { return round_up(n_samples, 32); }

/// The step from one feature of a tile to the next, in values: padded, and an
/// odd number of cache lines, so that the features of one sample do not fall
/// into the same cache set.
template <class T> Index tile_stride(Index n_samples) {
  return padded_samples(n_samples) + 64 / bytes_of<T>;
}

/// Owns an array of a trivial type T. It is aligned to 64 bytes, and filled
/// with 0 except by uninitialised().
template <class T> class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index size) : AlignedBuffer(uninitialised(size)) {
    std::fill_n(data_.get(), size, T(0));
  }

  /// The caller must write each value before reading it. The threads that write
  /// then share the work of getting fresh pages from the system.
  static AlignedBuffer uninitialised(Index size) {
    constexpr auto most = std::numeric_limits<Index>::max() / bytes_of<T>;
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
  Index size() const { return size_; }
  T &operator[](Index i) { return data_.get()[i]; }
  const T &operator[](Index i) const { return data_.get()[i]; }

private:
  struct Free {
    void operator()(T *data) const {
      ::operator delete(data, std::align_val_t(64));
    }
  };
  std::unique_ptr<T, Free> data_;
  Index size_ = 0;
};

/// One number for every pair of a row sample and a column sample. The caller
/// must write each number before reading it. Rows and columns are padded.
template <class T> class PairMatrix {
public:
  PairMatrix() = default;
  PairMatrix(Index n_rows, Index n_columns)
      : n_rows_(n_rows), n_columns_(n_columns),
        stride_(padded_samples(n_columns)),
        values_(AlignedBuffer<T>::uninitialised(size(n_rows, n_columns))) {}

  Index n_rows() const { return n_rows_; }
  Index n_columns() const { return n_columns_; }
  Index stride() const { return stride_; }
  T *row(Index n) { return values_.data() + n * stride_; }
  const T *row(Index n) const { return values_.data() + n * stride_; }

private:
  static Index size(Index n_rows, Index n_columns) {
    const Index rows = padded_samples(n_rows);
    const Index columns = padded_samples(n_columns);
    if (columns > 0 && rows > std::numeric_limits<Index>::max() / columns / 8)
      throw std::bad_alloc();
    return rows * columns;
  }

  Index n_rows_ = 0;
  Index n_columns_ = 0;
  Index stride_ = 0;
  AlignedBuffer<T> values_;
};

} // namespace hitmiss

#endif
