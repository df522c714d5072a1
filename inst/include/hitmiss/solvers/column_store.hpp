// Long columns that come to be piece by piece, in memory or in a file.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_COLUMN_STORE_HPP
#define HITMISS_SOLVERS_COLUMN_STORE_HPP

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../data/scratch_file.hpp"
#include "../runtime/aligned_buffer.hpp"

namespace hitmiss {

/// Columns of `length` doubles. Several threads may write and read pieces, each
/// its own.
class ColumnStore {
public:
  /// `file`: where the columns go, or nullptr.
  ColumnStore(std::ptrdiff_t length, std::shared_ptr<ScratchFile> file)
      : length_(length), file_(std::move(file)) {}

  std::size_t size() const { return size_; }
  void clear() {
    columns_.clear();
    size_ = 0;
  }
  /// New columns, to be written before they are read.
  void append(std::size_t count) {
    for (std::size_t k = 0; k < count && !file_; ++k)
      columns_.push_back(AlignedBuffer<double>::uninitialised(length_));
    size_ += count;
  }

  /// Numbers [first, first + count) of a column, perhaps in `buffer`.
  const double *read(std::size_t column, std::ptrdiff_t first,
                     std::ptrdiff_t count, double *buffer) const {
    if (!file_)
      return columns_[column].data() + first;
    file_->read(buffer, count, place(column, first));
    return buffer;
  }

  /// Numbers [first, first + length) of the columns from `column` on, while
  /// one thread computes them.
  class Piece {
  public:
    Piece(ColumnStore &store, std::size_t column, std::size_t count,
          std::ptrdiff_t first, std::ptrdiff_t length)
        : store_(store), column_(column), count_(count), first_(first),
          length_(length),
          buffer_(AlignedBuffer<double>::uninitialised(
              store.file_ ? static_cast<std::ptrdiff_t>(count) * length : 0)) {}

    double *operator[](std::size_t k) {
      return store_.file_
                 ? buffer_.data() + static_cast<std::ptrdiff_t>(k) * length_
                 : store_.columns_[column_ + k].data() + first_;
    }
    /// To be called when all numbers are there.
    void keep() {
      for (std::size_t k = 0; k < count_ && store_.file_; ++k)
        store_.file_->write((*this)[k], length_,
                            store_.place(column_ + k, first_));
    }

  private:
    ColumnStore &store_;
    std::size_t column_, count_;
    std::ptrdiff_t first_, length_;
    AlignedBuffer<double> buffer_;
  };

private:
  std::ptrdiff_t place(std::size_t column, std::ptrdiff_t first) const {
    return static_cast<std::ptrdiff_t>(column) * length_ + first;
  }

  std::ptrdiff_t length_;
  std::shared_ptr<ScratchFile> file_;
  std::size_t size_ = 0;
  std::vector<AlignedBuffer<double>> columns_;
};

} // namespace hitmiss

#endif
