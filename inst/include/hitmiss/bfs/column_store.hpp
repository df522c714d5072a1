// Long columns that are written piece by piece, to memory or to a file.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_COLUMN_STORE_HPP
#define HITMISS_BFS_COLUMN_STORE_HPP

#include <memory>
#include <utility>

#include "../data/scratch_file.hpp"
#include "../runtime/aligned_buffer.hpp"

namespace hitmiss {

/// Stores columns of `length` doubles. Several threads may write and read at
/// once if each has pieces of its own.
class ColumnStore {
public:
  /// `file` is where the columns go; nullptr means memory.
  ColumnStore(Index length, std::shared_ptr<ScratchFile> file)
      : length_(length), file_(std::move(file)) {}

  Index size() const { return size_; }
  void clear() {
    columns_.clear();
    size_ = 0;
  }
  /// Adds columns. The caller must write them (see Piece) before it reads them.
  void append(Index count) {
    for (Index k = 0; k < count && !file_; ++k)
      columns_.push_back(AlignedBuffer<double>::uninitialised(length_));
    size_ += count;
  }

  /// Returns rows [first, first + count) of a column. If columns lie in a file,
  /// the rows are read into `buffer`, which must have room for them.
  const double *read(Index column, Index first, Index count,
                     double *buffer) const {
    if (!file_)
      return columns_[column].data() + first;
    file_->read(buffer, count, place(column, first));
    return buffer;
  }

  /// Rows [first, first + length) of columns [column, column + count). One
  /// thread must write all their numbers (piece[k] is column + k), then call
  /// keep().
  class Piece {
  public:
    Piece(ColumnStore &store, Index column, Index count, Index first,
          Index length)
        : store_(store), column_(column), count_(count), first_(first),
          length_(length), buffer_(AlignedBuffer<double>::uninitialised(
                               store.file_ ? count * length : 0)) {}

    double *operator[](Index k) {
      return store_.file_ ? buffer_.data() + k * length_
                          : store_.columns_[column_ + k].data() + first_;
    }
    /// Stores the piece. Required: all its numbers are written.
    void keep() {
      for (Index k = 0; k < count_ && store_.file_; ++k)
        store_.file_->write((*this)[k], length_,
                            store_.place(column_ + k, first_));
    }

  private:
    ColumnStore &store_;
    Index column_, count_;
    Index first_, length_;
    AlignedBuffer<double> buffer_;
  };

private:
  Index place(Index column, Index first) const {
    return column * length_ + first;
  }

  Index length_;
  std::shared_ptr<ScratchFile> file_;
  Index size_ = 0;
  Array<AlignedBuffer<double>> columns_;
};

} // namespace hitmiss

#endif
