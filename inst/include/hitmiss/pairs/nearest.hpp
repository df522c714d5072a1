// The rule of the k nearest: lists of neighbours from parts of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAREST_HPP
#define HITMISS_PAIRS_NEAREST_HPP

#include <algorithm>

#include "../data/neighbour_key.hpp"
#include "../runtime/runtime.hpp"
#include "distances.hpp"
#include "fit_size.hpp"

namespace hitmiss {

/// A sample at a distance. Neighbours are ordered by `key`; equal keys tie.
struct Neighbour {
  Neighbour() = default;
  Neighbour(double distance, int sample)
      : Neighbour(distance, sample, distance) {}
  /// `order`: the number that takes the place of the distance in the key.
  Neighbour(double distance, int sample, double order)
      : key(NeighbourKey()(order)), distance(distance), sample(sample) {}

  std::int64_t key = 0;
  double distance = 0.0;
  int sample = -1;
};

/// Tied neighbours are put in the order of their indices.
inline bool operator<(const Neighbour &a, const Neighbour &b) {
  return a.key < b.key || (a.key == b.key && a.sample < b.sample);
}

/// Orders the neighbours of any row by distance + by_column[i], or by distance
/// squared + by_column[i], of columns i; by distance alone without offsets. The
/// sums must not be negative.
struct ColumnOffsets {
  bool squared = false;
  Array<double> by_column;

  double operator()(double distance, Index column) const {
    if (by_column.empty())
      return distance;
    return (squared ? distance * distance : distance) + by_column[column];
  }
};

/// The k nearest of those met so far, and all that are as near as the last of
/// them: what is kept does not depend on the order in which they are met.
class NearestList {
public:
  /// Keeps a neighbour if it is among them.
  void offer(Index k, const Neighbour &neighbour) {
    if (near_.size() < k) {
      near_.push_back(neighbour);
      std::push_heap(near_.begin(), near_.end(), nearer);
    } else if (k > 0 && nearer(neighbour, near_[0])) {
      replace_farthest(k, neighbour);
    } else if (k > 0 && !nearer(near_[0], neighbour)) {
      near_.push_back(neighbour);
    }
  }

  /// Nearest first; nothing is offered after.
  void sort() { std::sort(near_.begin(), near_.end()); }

  const Array<Neighbour> &neighbours() const { return near_; }

private:
  static bool nearer(const Neighbour &a, const Neighbour &b) {
    return a.key < b.key;
  }

  /// The one that leaves stays as a tied one if another is as far.
  void replace_farthest(Index k, const Neighbour &neighbour) {
    std::pop_heap(near_.begin(), near_.begin() + k, nearer);
    const Neighbour last = near_[k - 1];
    near_[k - 1] = neighbour;
    std::push_heap(near_.begin(), near_.begin() + k, nearer);
    if (nearer(near_[0], last))
      near_.resize(k);
    else
      near_.push_back(last);
  }

  /// A heap of k, the farthest on top, and those that are tied with it.
  Array<Neighbour> near_;
};

/// Calls work(neighbour, share) for the k nearest of a list in order, which
/// also holds all that are as near as the last of them. Those that are tied for
/// the last places share these, r places among t: so the order of the samples
/// does not matter. Shares add up to 1.
template <class Work>
void share_nearest(const Array<Neighbour> &near, Index k, Work work) {
  const Index places = std::min(k, near.size());
  if (places < 1)
    return;
  const auto last = near[places - 1].key;
  const auto is_nearer = [&](const Neighbour &other) {
    return other.key < last;
  };
  const Index first =
      std::partition_point(near.begin(), near.begin() + places, is_nearer) -
      near.begin();
  Index end = places;
  while (end < near.size() && near[end].key == last)
    ++end;
  const double each = 1.0 / static_cast<double>(places);
  const double tied = each * static_cast<double>(places - first) /
                      static_cast<double>(end - first);
  for (Index i = 0; i < end; ++i)
    work(near[i], i < first ? each : tied);
}

/// The k nearest of each kind for every sample.
class NearestLists {
public:
  /// `Kinds`: see neighbour_kinds.hpp.
  template <class Kinds>
  NearestLists(Index n_samples, const Kinds &kinds, int k)
      : n_kinds_(kinds.count()), k_(k), lists_(n_samples * n_kinds_) {}

  /// One thread per sample.
  void offer(Index n, int kind, const Neighbour &neighbour) {
    lists_[place(n, kind)].offer(k_, neighbour);
  }

  /// Puts every list into order; nothing is offered after.
  void sort(Runtime &runtime) {
    runtime.for_parts(lists_.size(), 256, [&](Index begin, Index end) {
      for (Index list = begin; list < end; ++list)
        lists_[list].sort();
    });
  }

  /// The k nearest and all that are tied with the last, nearest first.
  const Array<Neighbour> &operator()(Index n, int kind) const {
    return lists_[place(n, kind)].neighbours();
  }

  /// Calls work(neighbour, share) as share_nearest() does.
  template <class Work> void share(Index n, int kind, Work work) const {
    share_nearest((*this)(n, kind), k_, work);
  }

private:
  Index place(Index n, int kind) const { return n * n_kinds_ + kind; }

  int n_kinds_, k_;
  Array<NearestList> lists_;
};

namespace detail {

/// Offers a part of distances to its rows, or to its columns.
template <class Kinds> class Offers {
public:
  Offers(const PairMatrix<double> &part, const SampleRange &rows,
         const SampleRange &columns, const Kinds &kinds,
         const ColumnOffsets &offsets, NearestLists &lists)
      : part_(part), rows_(rows), columns_(columns), kinds_(kinds),
        offsets_(offsets), lists_(lists) {}

  void to_rows(Runtime &runtime) {
    runtime.for_parts(rows_.size(), row_part, [&](Index begin, Index end) {
      for (Index n = begin; n < end; ++n)
        for (Index i = 0; i < columns_.size(); ++i)
          offer(rows_.begin + n, columns_.begin + i, part_.row(n)[i]);
    });
  }

  /// A few columns at a time: those that share a cache line.
  void to_columns(Runtime &runtime) {
    runtime.for_parts(columns_.size(), 32, [&](Index begin, Index end) {
      for (Index n = 0; n < rows_.size(); ++n)
        for (Index i = begin; i < end; ++i)
          offer(columns_.begin + i, rows_.begin + n, part_.row(n)[i]);
    });
  }

private:
  void offer(Index n, Index i, double distance) {
    const int kind = kinds_(n, i);
    if (kind >= 0)
      lists_.offer(n, kind,
                   {distance, static_cast<int>(i), offsets_(distance, i)});
  }

  const PairMatrix<double> &part_;
  const SampleRange rows_, columns_;
  const Kinds &kinds_;
  const ColumnOffsets &offsets_;
  NearestLists &lists_;
};

} // namespace detail

/// How many parts of about `most` samples there are, and where each lies: all
/// of one size, but the last.
struct SampleParts {
  SampleParts(Index n_samples, Index most) : n_samples(n_samples) {
    const Index count = std::max<Index>(1, (n_samples + most - 1) / most);
    size = padded_samples((n_samples + count - 1) / count);
  }
  Index count() const { return size > 0 ? (n_samples + size - 1) / size : 0; }
  SampleRange operator[](Index b) const {
    return {b * size, std::min(n_samples, (b + 1) * size)};
  }
  Index n_samples, size = 0;
};

inline Index part_samples(const SampleDistances &distances) {
  return distances.in_tiles() ? tiles_part : array_part;
}

/// The k nearest of each kind for every row among the columns. Every distance
/// is computed once, and only a part of them held at a time; the result does
/// not depend on the size of the parts (0: as above). `offsets`: see there.
template <class Kinds>
NearestLists nearest_lists(const SampleDistances &distances, const Kinds &kinds,
                           int k, Runtime &runtime, Index most = 0,
                           const ColumnOffsets &offsets = {}) {
  detail::require(offsets.by_column.empty() ||
                      offsets.by_column.size() == distances.n_columns(),
                  "one offset per column is needed");
  most = most > 0 ? most : part_samples(distances);
  NearestLists lists(distances.n_rows(), kinds, k);
  const SampleParts rows(distances.n_rows(), most),
      columns(distances.n_columns(), most);
  PairMatrix<double> part(rows.size, columns.size);
  detail::DistanceMemory memory;
  const bool same = distances.same_samples();
  for (Index r = 0; r < rows.count(); ++r)
    for (Index c = same ? r : 0; c < columns.count(); ++c) {
      distances.measure(rows[r], columns[c], part, memory, runtime);
      detail::Offers<Kinds> offers(part, rows[r], columns[c], kinds, offsets,
                                   lists);
      offers.to_rows(runtime);
      if (same && c > r)
        offers.to_columns(runtime);
    }
  lists.sort(runtime);
  return lists;
}

} // namespace hitmiss

#endif
