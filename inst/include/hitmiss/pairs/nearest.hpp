// The rule of the k nearest: lists of neighbours from parts of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAREST_HPP
#define HITMISS_PAIRS_NEAREST_HPP

#include <algorithm>
#include <limits>
#include <utility>

#include "../runtime/runtime.hpp"
#include "bytes_needed.hpp"
#include "distances.hpp"
#include "mean_distances.hpp"
#include "neighbour_key.hpp"

namespace hitmiss {

/// A sample at a distance. Neighbours are ordered by `key`; equal keys tie.
struct Neighbour {
  Neighbour() = default;
  Neighbour(double distance, int sample)
      : Neighbour(distance, sample, distance) {}
  /// `order`: the number from which the key is made, instead of the distance.
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

/// Holds the k nearest of the neighbours offered so far and all that tie with
/// the k-th, whatever the order of the offers. Discrete features may tie most
/// samples, so a list with more than `tied_room` ties is cut: it holds k
/// neighbours only, and complete() collects all ties again.
class NearestList {
public:
  static constexpr Index tied_room = 16;

  /// Keeps a neighbour if it is among the k nearest or ties with the k-th.
  void offer(Index k, const Neighbour &neighbour) {
    if (near_.size() < k) {
      push(k, neighbour);
      std::push_heap(near_.begin(), near_.end(), nearer);
    } else if (k > 0 && nearer(neighbour, near_[0])) {
      replace_farthest(k, neighbour);
    } else if (k > 0 && !nearer(near_[0], neighbour)) {
      keep_tied(k, neighbour);
    }
  }

  /// Sorts the list, nearest first. No neighbour may be offered after this.
  void sort() { std::sort(near_.begin(), near_.end()); }

  bool is_cut() const { return cut_; }
  /// Completes a sorted list that was cut: collect(reach, near) must append to
  /// `near` all neighbours with a key of at most `reach`, the key of the k-th.
  /// An empty list takes all neighbours.
  template <class Collect> void complete(Collect collect) {
    const auto reach = near_.empty() ? std::numeric_limits<std::int64_t>::max()
                                     : near_.back().key;
    near_.clear();
    collect(reach, near_);
    sort();
  }
  /// Cuts a completed list to k neighbours again.
  void cut_again(Index k) {
    near_.resize(k);
    near_.shrink_to_fit();
  }

  const Array<Neighbour> &neighbours() const { return near_; }

private:
  static bool nearer(const Neighbour &a, const Neighbour &b) {
    return a.key < b.key;
  }

  /// Adds a neighbour. Capacity doubles, up to k and the room for ties.
  void push(Index k, const Neighbour &neighbour) {
    const Index size = near_.size();
    if (size == static_cast<Index>(near_.capacity()))
      near_.reserve(std::min(2 * size + 1, k + tied_room));
    near_.push_back(neighbour);
  }

  void keep_tied(Index k, const Neighbour &neighbour) {
    if (cut_)
      return;
    cut_ = near_.size() >= k + tied_room;
    if (cut_)
      near_.resize(k);
    else
      push(k, neighbour);
  }

  /// The displaced neighbour is kept if it is as near as the new k-th one.
  void replace_farthest(Index k, const Neighbour &neighbour) {
    std::pop_heap(near_.begin(), near_.begin() + k, nearer);
    const Neighbour last = near_[k - 1];
    near_[k - 1] = neighbour;
    std::push_heap(near_.begin(), near_.begin() + k, nearer);
    if (nearer(near_[0], last)) {
      near_.resize(k);
      cut_ = false;
    } else {
      keep_tied(k, last);
    }
  }

  /// A heap of the k nearest, with the farthest of them on top; after the heap
  /// come the neighbours that are as near as that farthest one.
  Array<Neighbour> near_;
  bool cut_ = false;
};

/// Calls work(neighbour, share) for the k nearest of a sorted list `near`,
/// which must also hold all that tie with the k-th. Each share is 1 / k, but if
/// t neighbours tie for the last r places, the share of these is r / (t k), so
/// that the order of samples does not matter. A shorter list is taken whole, k
/// being its length.
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

/// The lists of the k nearest of each kind, for every sample.
class NearestLists {
public:
  /// `Kinds`: see neighbour_kinds.hpp.
  template <class Kinds>
  NearestLists(Index n_samples, const Kinds &kinds, int k)
      : n_kinds_(kinds.count()), k_(k), lists_(n_samples * n_kinds_) {}

  /// Gives every list a k of its own: k[n * n_kinds() + kind].
  void set_k(Array<int> k) { own_k_ = std::move(k); }
  /// Lets the lists be complete with all neighbours of a kind. They take no
  /// offers.
  void take_all() {
    k_ = 0;
    all_ = true;
  }
  bool takes_all() const { return all_; }

  /// One thread at a time may offer neighbours to the lists of sample n.
  void offer(Index n, int kind, const Neighbour &neighbour) {
    at(n, kind).offer(k(n, kind), neighbour);
  }

  NearestList &at(Index n, int kind) { return lists_[place(n, kind)]; }
  Index n_rows() const { return lists_.size() / n_kinds_; }
  int n_kinds() const { return n_kinds_; }
  int k(Index n, int kind) const {
    return own_k_.empty() ? k_ : own_k_[place(n, kind)];
  }
  bool is_cut(Index n, int kind) const {
    return all_ || lists_[place(n, kind)].is_cut();
  }
  bool is_cut(Index n) const {
    bool cut = false;
    for (int kind = 0; kind < n_kinds_; ++kind)
      cut = cut || is_cut(n, kind);
    return cut;
  }

  /// Sorts every list. No neighbour may be offered after this.
  void sort(Runtime &runtime) {
    runtime.for_parts(lists_.size(), 256, [&](Index begin, Index end) {
      for (Index list = begin; list < end; ++list)
        lists_[list].sort();
    });
  }

  /// The k nearest and all that tie with the k-th; nearest first after sort().
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
  bool all_ = false;
  Array<int> own_k_;
  Array<NearestList> lists_;
};

/// Divides samples into parts of one size (the last may be smaller), at most
/// `most` rounded up to a multiple of 32.
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

/// Finds the k nearest of each kind for every row among the columns. Every
/// distance is computed once, and only a part of them is held at a time. Rows
/// with more ties than their lists hold are measured again, a few rows at a
/// time. The result does not depend on the size of the parts. The search keeps
/// references to its arguments, which must outlive it.
template <class Kinds> class NearestSearch {
public:
  /// `most`: samples in a part; 0: the default. `centred`: pairs of columns for
  /// the means of CentredOrder; nullptr: order by distance. `rows_are`: the
  /// sample in `kinds` of each row; nullptr: row n is sample n.
  NearestSearch(const SampleDistances &distances, const Kinds &kinds, int k,
                Index most = 0, const AllowedPairs *centred = nullptr,
                const Array<int> *rows_are = nullptr)
      : distances_(distances), kinds_(kinds), centred_(centred),
        rows_are_(rows_are), lists_(distances.n_rows(), kinds, k),
        rows_(distances.n_rows(), most > 0 ? most : part_samples(distances)),
        columns_(distances.n_columns(),
                 most > 0 ? most : part_samples(distances)),
        part_(rows_.size, columns_.size) {}

  /// See NearestLists. Both must be called before run().
  void set_k(Array<int> k) { lists_.set_k(std::move(k)); }
  void take_all() { lists_.take_all(); }

  void run(Runtime &runtime) {
    const bool same = distances_.same_samples();
    const bool held = same && rows_.count() == 1;
    held_ = held && lists_.takes_all();
    const auto metric = distances_.metric();
    if (centred_ != nullptr && !held)
      order_ = {
          mean_distances(distances_.columns(), metric, *centred_, runtime),
          metric};
    const bool searches = held || !lists_.takes_all();
    for (Index r = 0; searches && r < rows_.count(); ++r)
      for (Index c = same ? r : 0; c < columns_.count(); ++c) {
        distances_.measure(rows_[r], columns_[c], part_, runtime);
        if (centred_ != nullptr && held)
          order_ = {mean_distances(part_, distances_.n_rows(), metric,
                                   *centred_, runtime),
                    metric};
        offer_to_rows(rows_[r], columns_[c], runtime);
        if (same && c > r)
          offer_to_columns(rows_[r], columns_[c], runtime);
      }
    lists_.sort(runtime);
  }

  /// Required: run() was called. Calls work(rows, lists) for successive ranges
  /// of all rows. The lists of these rows are complete during the call only.
  template <class Work> void for_rows(Runtime &runtime, Work work) {
    for (SampleRange rows; rows.end < lists_.n_rows();) {
      rows = {rows.end, some_rows(rows.end)};
      for (Index first = rows.begin; first < rows.end; first += again())
        complete({first, std::min(first + again(), rows.end)}, runtime);
      work(rows, static_cast<const NearestLists &>(lists_));
      for (Index n = rows.begin; n < rows.end; ++n)
        each_cut(n, [&](int kind, NearestList &list) {
          list.cut_again(lists_.k(n, kind));
        });
    }
  }

private:
  /// The number of rows that are measured again together.
  Index again() const {
    return std::min<Index>(rows_.size, distances_.in_tiles() ? 512 : 32);
  }

  /// Returns the end of rows from `begin` on that have lists of 6 MB together.
  Index some_rows(Index begin) const {
    constexpr Index most = 1 << 18;
    Index n = begin;
    for (Index listed = 0; n < lists_.n_rows() && listed < most; ++n)
      for (int kind = 0; kind < lists_.n_kinds(); ++kind)
        listed += lists_.is_cut(n) ? distances_.n_columns() / lists_.n_kinds()
                                   : Index{lists_.k(n, kind)};
    return n;
  }

  template <class Work> void each_cut(Index n, Work work) {
    for (int kind = 0; kind < lists_.n_kinds(); ++kind)
      if (lists_.is_cut(n, kind))
        work(kind, lists_.at(n, kind));
  }

  Index sample_of(Index row) const {
    return rows_are_ ? (*rows_are_)[row] : row;
  }
  Neighbour neighbour(Index i, double distance) const {
    return {distance, static_cast<int>(i), order_(distance, i)};
  }
  /// Offers column i to the lists of `row`, which is the sample `sample`.
  void offer(Index row, Index sample, Index i, double distance) {
    const int kind = kinds_(sample, i);
    if (kind >= 0)
      lists_.offer(row, kind, neighbour(i, distance));
  }

  void offer_to_rows(const SampleRange &rows, const SampleRange &columns,
                     Runtime &runtime) {
    runtime.for_parts(
        rows.size(), detail::row_part, [&](Index begin, Index end) {
          for (Index n = begin; n < end; ++n) {
            const Index row = rows.begin + n, sample = sample_of(row);
            const double *distances = part_.row(n);
            for (Index i = 0; i < columns.size(); ++i)
              offer(row, sample, columns.begin + i, distances[i]);
          }
        });
  }

  /// A unit has 32 columns side by side, so that it reads whole cache lines.
  void offer_to_columns(const SampleRange &rows, const SampleRange &columns,
                        Runtime &runtime) {
    runtime.for_parts(columns.size(), 32, [&](Index begin, Index end) {
      for (Index n = 0; n < rows.size(); ++n)
        for (Index i = begin; i < end; ++i)
          offer(columns.begin + i, sample_of(columns.begin + i), rows.begin + n,
                part_.row(n)[i]);
    });
  }

  /// If a list of these rows was cut, measures the rows again to complete it.
  void complete(const SampleRange &rows, Runtime &runtime) {
    Array<Array<double>> measured(rows.size());
    for (Index n = 0; n < rows.size(); ++n)
      if (lists_.is_cut(rows.begin + n))
        measured[n].resize(distances_.n_columns());
    if (std::all_of(measured.begin(), measured.end(),
                    [](const Array<double> &row) { return row.empty(); }))
      return;
    for (Index c = 0; c < columns_.count(); ++c) {
      if (!held_)
        distances_.measure(rows, columns_[c], part_, runtime);
      for (Index n = 0; n < rows.size(); ++n)
        if (!measured[n].empty())
          std::copy_n(part_.row(held_ ? rows.begin + n : n), columns_[c].size(),
                      measured[n].begin() + columns_[c].begin);
    }
    runtime.for_each(rows.size(), [&](Index n, int) {
      each_cut(rows.begin + n, [&](int which, NearestList &list) {
        list.complete([&](std::int64_t reach, Array<Neighbour> &near) {
          for (Index i = 0; i < measured[n].size(); ++i) {
            const Neighbour other = neighbour(i, measured[n][i]);
            if (other.key <= reach &&
                kinds_(sample_of(rows.begin + n), i) == which)
              near.push_back(other);
          }
        });
      });
    });
  }

  const SampleDistances &distances_;
  const Kinds &kinds_;
  const AllowedPairs *centred_;
  CentredOrder order_;
  const Array<int> *rows_are_;
  NearestLists lists_;
  SampleParts rows_, columns_;
  PairMatrix<double> part_;
  bool held_ = false; ///< does part_ hold the distances of all rows?
};

} // namespace hitmiss

#endif
