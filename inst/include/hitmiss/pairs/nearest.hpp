// The rule of the k nearest: lists of neighbours from blocks of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAREST_HPP
#define HITMISS_PAIRS_NEAREST_HPP

#include <algorithm>

#include "../data/neighbour_key.hpp"
#include "../runtime/runtime.hpp"
#include "distances.hpp"

namespace hitmiss {

struct Neighbour {
  double distance;
  int sample;
};

/// Neighbours are ordered by NeighbourKey, then index: no two are alike, so
/// what is nearest does not depend on the order in which they are met.
inline bool operator<(const Neighbour &a, const Neighbour &b) {
  const NeighbourKey key;
  const auto x = key(a.distance), y = key(b.distance);
  return x < y || (x == y && a.sample < b.sample);
}

/// Keeps a neighbour if it is among the `capacity` nearest met so far: a heap
/// whose top is the farthest.
inline void keep_nearest(Neighbour *heap, int &size, Index capacity,
                         const Neighbour &neighbour) {
  if (size < capacity) {
    heap[size++] = neighbour;
    std::push_heap(heap, heap + size);
  } else if (size > 0 && neighbour < heap[0]) {
    std::pop_heap(heap, heap + size);
    heap[size - 1] = neighbour;
    std::push_heap(heap, heap + size);
  }
}

/// The k nearest of one query, in order, from its distances.
inline Array<Neighbour> nearest_of(const double *distances, Index n_samples,
                                   int k) {
  const Index capacity = std::min<Index>(k, n_samples);
  Array<Neighbour> near(capacity);
  int size = 0;
  for (int i = 0; i < n_samples; ++i)
    keep_nearest(near.data(), size, capacity, {distances[i], i});
  std::sort_heap(near.begin(), near.end());
  return near;
}

/// Up to k nearest of each bin for every sample: O(N k bins) numbers.
class NearestLists {
public:
  /// `Bins`: see neighbour_bins.hpp.
  template <class Bins>
  NearestLists(Index n_samples, const Bins &bins, int k)
      : n_bins_(bins.count()) {
    starts_.push_back(0);
    for (int bin = 0; bin < bins.count(); ++bin)
      starts_.push_back(starts_.back() + std::min<Index>(k, bins.largest(bin)));
    sizes_.resize(n_samples * n_bins_);
    entries_.resize(n_samples * starts_.back());
  }

  /// One thread per sample.
  void offer(Index n, int bin, const Neighbour &neighbour) {
    keep_nearest(list(n, bin), sizes_[place(n, bin)], capacity(bin), neighbour);
  }

  /// Puts every list into order, nearest first; nothing is offered after.
  void sort(Runtime &runtime) {
    const Index total = sizes_.size() / std::max(n_bins_, 1);
    runtime.for_parts(total, 256, [&](Index begin_n, Index end_n) {
      for (Index n = begin_n; n < end_n; ++n)
        for (int bin = 0; bin < n_bins_; ++bin)
          std::sort_heap(list(n, bin), list(n, bin) + size(n, bin));
    });
  }

  int size(Index n, int bin) const { return sizes_[place(n, bin)]; }
  const Neighbour *begin(Index n, int bin) const {
    return entries_.data() + offset(n, bin);
  }
  const Neighbour *end(Index n, int bin) const {
    return begin(n, bin) + size(n, bin);
  }

private:
  Index place(Index n, int bin) const { return n * n_bins_ + bin; }
  Index offset(Index n, int bin) const {
    return n * starts_.back() + starts_[bin];
  }
  Index capacity(int bin) const { return starts_[bin + 1] - starts_[bin]; }
  Neighbour *list(Index n, int bin) { return entries_.data() + offset(n, bin); }

  int n_bins_;
  Array<Index> starts_; ///< of the bins, within a sample
  Array<int> sizes_;
  Array<Neighbour> entries_;
};

namespace detail {

/// Offers a block of distances to its rows, or to its columns.
template <class Bins> class BlockOffers {
public:
  BlockOffers(const PairMatrix<double> &block, const SampleRange &rows,
              const SampleRange &columns, const Bins &bins, NearestLists &lists)
      : block_(block), rows_(rows), columns_(columns), bins_(bins),
        lists_(lists) {}

  void to_rows(Runtime &runtime) {
    runtime.for_parts(rows_.size(), row_block, [&](Index begin, Index end) {
      for (Index n = begin; n < end; ++n)
        for (Index i = 0; i < columns_.size(); ++i)
          offer(rows_.begin + n, columns_.begin + i, block_.row(n)[i]);
    });
  }

  /// A few columns at a time: those that share a cache line.
  void to_columns(Runtime &runtime) {
    runtime.for_parts(columns_.size(), 32, [&](Index begin, Index end) {
      for (Index n = 0; n < rows_.size(); ++n)
        for (Index i = begin; i < end; ++i)
          offer(columns_.begin + i, rows_.begin + n, block_.row(n)[i]);
    });
  }

private:
  void offer(Index n, Index i, double distance) {
    const int bin = bins_(n, i);
    if (bin >= 0)
      lists_.offer(n, bin, {distance, static_cast<int>(i)});
  }

  const PairMatrix<double> &block_;
  const SampleRange rows_, columns_;
  const Bins &bins_;
  NearestLists &lists_;
};

} // namespace detail

/// How many blocks of about `most` samples there are, and where each lies: all
/// of one size, but the last.
struct SampleBlocks {
  SampleBlocks(Index n_samples, Index most) : n_samples(n_samples) {
    const Index count = std::max<Index>(1, (n_samples + most - 1) / most);
    size = padded_samples((n_samples + count - 1) / count);
  }
  Index count() const { return size > 0 ? (n_samples + size - 1) / size : 0; }
  SampleRange operator[](Index b) const {
    return {b * size, std::min(n_samples, (b + 1) * size)};
  }
  Index n_samples, size = 0;
};

/// Samples on each side of a block of distances: 2 MB. Where every block costs
/// a pass over data that are no array, fewer and larger ones: 128 MB.
constexpr Index array_block = 512, tiles_block = 4096;

inline Index block_samples(const SampleDistances &distances) {
  return distances.in_tiles() ? tiles_block : array_block;
}

/// The k nearest of each bin for every row among the columns. Every distance
/// is computed once, and only a block of them held at a time; the result does
/// not depend on the size of the blocks (0: as above).
template <class Bins>
NearestLists nearest_lists(const SampleDistances &distances, const Bins &bins,
                           int k, Runtime &runtime, Index most = 0) {
  most = most > 0 ? most : block_samples(distances);
  NearestLists lists(distances.n_rows(), bins, k);
  const SampleBlocks rows(distances.n_rows(), most),
      columns(distances.n_columns(), most);
  PairMatrix<double> block(rows.size, columns.size);
  detail::DistanceMemory memory;
  const bool same = distances.same_samples();
  for (Index r = 0; r < rows.count(); ++r)
    for (Index c = same ? r : 0; c < columns.count(); ++c) {
      distances.measure(rows[r], columns[c], block, memory, runtime);
      detail::BlockOffers<Bins> offers(block, rows[r], columns[c], bins, lists);
      offers.to_rows(runtime);
      if (same && c > r)
        offers.to_columns(runtime);
    }
  lists.sort(runtime);
  return lists;
}

/// The k nearest of each bin, from a whole matrix of distances.
template <class Bins>
NearestLists nearest_lists(const PairMatrix<double> &distances,
                           const Bins &bins, int k, Runtime &runtime) {
  NearestLists lists(distances.n_rows(), bins, k);
  const SampleRange rows{0, distances.n_rows()};
  const SampleRange columns{0, distances.n_columns()};
  detail::BlockOffers<Bins>(distances, rows, columns, bins, lists)
      .to_rows(runtime);
  lists.sort(runtime);
  return lists;
}

} // namespace hitmiss

#endif
