// The rule of the k nearest: lists of neighbours from blocks of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAREST_HPP
#define HITMISS_PAIRS_NEAREST_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

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
inline void keep_nearest(Neighbour *heap, int &size, int capacity,
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
inline std::vector<Neighbour> nearest_of(const double *distances,
                                         std::ptrdiff_t n_samples, int k) {
  const int capacity = static_cast<int>(std::min<std::ptrdiff_t>(k, n_samples));
  std::vector<Neighbour> near(static_cast<std::size_t>(capacity));
  int size = 0;
  for (std::ptrdiff_t i = 0; i < n_samples; ++i)
    keep_nearest(near.data(), size, capacity,
                 {distances[i], static_cast<int>(i)});
  std::sort_heap(near.begin(), near.end());
  return near;
}

/// Up to k nearest of each bin for every sample: O(N k bins) numbers.
class NearestLists {
public:
  /// `Bins`: see neighbour_bins.hpp.
  template <class Bins>
  NearestLists(std::ptrdiff_t n_samples, const Bins &bins, int k)
      : n_bins_(static_cast<std::size_t>(bins.count())) {
    starts_.push_back(0);
    for (int bin = 0; bin < bins.count(); ++bin)
      starts_.push_back(starts_.back() + static_cast<std::size_t>(
                                             std::min(k, bins.largest(bin))));
    const auto n = static_cast<std::size_t>(n_samples);
    sizes_.resize(n * n_bins_);
    entries_.resize(n * starts_.back());
  }

  /// One thread per sample.
  void offer(std::ptrdiff_t n, int bin, const Neighbour &neighbour) {
    keep_nearest(list(n, bin), sizes_[place(n, bin)], capacity(bin), neighbour);
  }

  /// Puts every list into order, nearest first; nothing is offered after.
  void sort(Runtime &runtime) {
    constexpr std::ptrdiff_t some = 256;
    const auto total =
        static_cast<std::ptrdiff_t>(sizes_.size() / std::max(n_bins_, one));
    runtime.for_each((total + some - 1) / some, [&](std::ptrdiff_t u, int) {
      for (std::ptrdiff_t n = u * some; n < std::min(total, (u + 1) * some);
           ++n)
        for (int bin = 0; bin < static_cast<int>(n_bins_); ++bin)
          std::sort_heap(list(n, bin), list(n, bin) + size(n, bin));
    });
  }

  int size(std::ptrdiff_t n, int bin) const { return sizes_[place(n, bin)]; }
  const Neighbour *begin(std::ptrdiff_t n, int bin) const {
    return entries_.data() + offset(n, bin);
  }
  const Neighbour *end(std::ptrdiff_t n, int bin) const {
    return begin(n, bin) + size(n, bin);
  }

private:
  static constexpr std::size_t one = 1;
  std::size_t place(std::ptrdiff_t n, int bin) const {
    return static_cast<std::size_t>(n) * n_bins_ +
           static_cast<std::size_t>(bin);
  }
  std::size_t offset(std::ptrdiff_t n, int bin) const {
    return static_cast<std::size_t>(n) * starts_.back() +
           starts_[static_cast<std::size_t>(bin)];
  }
  int capacity(int bin) const {
    const auto b = static_cast<std::size_t>(bin);
    return static_cast<int>(starts_[b + 1] - starts_[b]);
  }
  Neighbour *list(std::ptrdiff_t n, int bin) {
    return entries_.data() + offset(n, bin);
  }

  std::size_t n_bins_;
  std::vector<std::size_t> starts_; ///< of the bins, within a sample
  std::vector<int> sizes_;
  std::vector<Neighbour> entries_;
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
    runtime.for_each(
        (rows_.size() + row_block - 1) / row_block,
        [&](std::ptrdiff_t unit, int) {
          const SampleRange some = part(rows_, unit * row_block, row_block);
          for (std::ptrdiff_t n = some.begin; n < some.end; ++n)
            for (std::ptrdiff_t i = columns_.begin; i < columns_.end; ++i)
              offer(n, i, at(n, i));
        });
  }

  /// A few columns at a time: those that share a cache line.
  void to_columns(Runtime &runtime) {
    constexpr std::ptrdiff_t few = 32;
    runtime.for_each((columns_.size() + few - 1) / few,
                     [&](std::ptrdiff_t unit, int) {
                       const SampleRange some = part(columns_, unit * few, few);
                       for (std::ptrdiff_t n = rows_.begin; n < rows_.end; ++n)
                         for (std::ptrdiff_t i = some.begin; i < some.end; ++i)
                           offer(i, n, at(n, i));
                     });
  }

private:
  static SampleRange part(const SampleRange &of, std::ptrdiff_t skip,
                          std::ptrdiff_t count) {
    return {of.begin + skip, std::min(of.begin + skip + count, of.end)};
  }
  double at(std::ptrdiff_t n, std::ptrdiff_t i) const {
    return block_.row(n - rows_.begin)[i - columns_.begin];
  }
  void offer(std::ptrdiff_t n, std::ptrdiff_t i, double distance) {
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
  SampleBlocks(std::ptrdiff_t n_samples, std::ptrdiff_t most)
      : n_samples(n_samples) {
    const std::ptrdiff_t count =
        std::max<std::ptrdiff_t>(1, (n_samples + most - 1) / most);
    size = padded_samples((n_samples + count - 1) / count);
  }
  std::ptrdiff_t count() const {
    return size > 0 ? (n_samples + size - 1) / size : 0;
  }
  SampleRange operator[](std::ptrdiff_t b) const {
    return {b * size, std::min(n_samples, (b + 1) * size)};
  }
  std::ptrdiff_t n_samples, size = 0;
};

/// Samples on each side of a block of distances: 2 MB. Where every block costs
/// a pass over data that are no array, fewer and larger ones: 128 MB.
constexpr std::ptrdiff_t array_block = 512, tiles_block = 4096;

inline std::ptrdiff_t block_samples(const SampleDistances &distances) {
  return distances.in_tiles() ? tiles_block : array_block;
}

/// The k nearest of each bin for every row among the columns. Every distance
/// is computed once, and only a block of them held at a time; the result does
/// not depend on the size of the blocks (0: as above).
template <class Bins>
NearestLists nearest_lists(const SampleDistances &distances, const Bins &bins,
                           int k, Runtime &runtime, std::ptrdiff_t most = 0) {
  most = most > 0 ? most : block_samples(distances);
  NearestLists lists(distances.n_rows(), bins, k);
  const SampleBlocks rows(distances.n_rows(), most),
      columns(distances.n_columns(), most);
  PairMatrix<double> block(rows.size, columns.size);
  const bool same = distances.same_samples();
  for (std::ptrdiff_t r = 0; r < rows.count(); ++r)
    for (std::ptrdiff_t c = same ? r : 0; c < columns.count(); ++c) {
      distances.measure(rows[r], columns[c], block, runtime);
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
