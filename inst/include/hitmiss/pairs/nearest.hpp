// The rule of the k nearest: lists of neighbours from parts of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAREST_HPP
#define HITMISS_PAIRS_NEAREST_HPP

#include <algorithm>
#include <functional>
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
/// samples, so a list with more ties than it has room for is cut: it is sure of
/// k neighbours only, and complete() collects all ties again.
class NearestList {
public:
  /// The room for others beside the k nearest, which are dropped together.
  static constexpr Index room(Index k) { return std::max<Index>(16, k / 4); }

  explicit NearestList(int k = 0) : k_(k) {
    if (k == 0)
      reach_ = std::numeric_limits<std::int64_t>::min();
  }

  /// Keeps a neighbour if it is among the k nearest or ties with the k-th.
  void offer(const Neighbour &neighbour) {
    if (neighbour.key > reach_ || (cut_ && neighbour.key == reach_))
      return;
    const Index size = near_.size(), most = k_ + room(k_);
    if (size == static_cast<Index>(near_.capacity()))
      near_.reserve(std::min(2 * size + 1, most));
    near_.push_back(neighbour);
    if (size + 1 == most)
      drop_farther();
    if (near_.size() == most) {
      near_.resize(k_);
      cut_ = true;
    }
  }

  /// Sorts the list, nearest first. No neighbour may be offered after this.
  void sort() {
    drop_farther();
    std::sort(near_.begin(), near_.end());
  }

  int k() const { return k_; }
  bool is_cut() const { return cut_; }
  /// The key of the k-th of a sorted list that was cut; the largest key of a
  /// list without offers.
  std::int64_t reach() const { return reach_; }
  /// Completes a sorted list: `near` are all neighbours with a key of at most
  /// reach().
  void complete(Array<Neighbour> near) {
    near_ = std::move(near);
    sort();
    near_.shrink_to_fit();
  }
  /// Cuts a completed list to n neighbours again.
  void cut_again(Index n) {
    near_.resize(std::min(n, near_.size()));
    near_.shrink_to_fit();
  }

  const Array<Neighbour> &neighbours() const { return near_; }

private:
  /// Drops all that are farther than the k-th.
  void drop_farther() {
    if (near_.size() <= k_)
      return;
    std::nth_element(near_.begin(), near_.begin() + (k_ - 1), near_.end());
    const auto reach = near_[k_ - 1].key;
    cut_ = cut_ && reach == reach_;
    reach_ = reach;
    near_.erase(
        std::remove_if(near_.begin() + k_, near_.end(),
                       [&](const Neighbour &i) { return i.key > reach; }),
        near_.end());
  }

  Array<Neighbour> near_;
  /// No neighbour with a larger key is among the k nearest.
  std::int64_t reach_ = std::numeric_limits<std::int64_t>::max();
  int k_;
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
      : n_kinds_(kinds.count()), lists_(n_samples * n_kinds_, NearestList(k)) {}

  /// Gives every list a k of its own: k[n * n_kinds() + kind].
  void set_k(const Array<int> &k) {
    for (Index list = 0; list < k.size(); ++list)
      lists_[list] = NearestList(k[list]);
  }

  /// One thread at a time may offer neighbours to the lists of sample n.
  void offer(Index n, int kind, const Neighbour &neighbour) {
    at(n, kind).offer(neighbour);
  }

  NearestList &at(Index n, int kind) { return lists_[place(n, kind)]; }
  const NearestList &at(Index n, int kind) const {
    return lists_[place(n, kind)];
  }
  Index n_rows() const { return lists_.size() / n_kinds_; }
  int n_kinds() const { return n_kinds_; }

  /// Sorts every list. No neighbour may be offered after this.
  void sort(Runtime &runtime) {
    runtime.for_parts(lists_.size(), 256, [&](Index begin, Index end) {
      for (Index list = begin; list < end; ++list)
        lists_[list].sort();
    });
  }

  /// The k nearest and all that tie with the k-th; nearest first after sort().
  const Array<Neighbour> &operator()(Index n, int kind) const {
    return at(n, kind).neighbours();
  }

  /// Calls work(neighbour, share) as share_nearest() does.
  template <class Work> void share(Index n, int kind, Work work) const {
    share_nearest((*this)(n, kind), at(n, kind).k(), work);
  }

private:
  Index place(Index n, int kind) const { return n * n_kinds_ + kind; }

  int n_kinds_;
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

  /// Gives the lists lengths of their own, see NearestLists. If few of these
  /// lists can be held at a time, `later`, run() does not fill them, but
  /// for_rows() does. reduce(near) may take out neighbours that are collected
  /// for a list. Required: run() was not called.
  void set_k(const Array<int> &k, bool later,
             std::function<void(Array<Neighbour> &)> reduce) {
    lists_.set_k(k);
    later_ = later;
    reduce_ = std::move(reduce);
  }

  void run(Runtime &runtime) {
    const bool same = distances_.same_samples();
    const bool held = same && rows_.count() == 1 && !later_;
    const auto metric = distances_.metric();
    if (centred_ != nullptr && !held)
      order_ = {
          mean_distances(distances_.columns(), metric, *centred_, runtime),
          metric};
    for (Index r = 0; !later_ && r < rows_.count(); ++r)
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
        each_cut(n, [&](int, NearestList &list) {
          list.cut_again(later_ ? 0 : list.k());
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
      for (int kind = 0; kind < lists_.n_kinds(); ++kind) {
        const auto &list = lists_.at(n, kind);
        listed += list.is_cut() ? distances_.n_columns() : Index{list.k()};
      }
    return n;
  }

  bool is_cut(Index n, int kind) const {
    const auto &list = lists_.at(n, kind);
    return list.is_cut() || (later_ && list.k() > 0);
  }
  template <class Work> void each_cut(Index n, Work work) {
    for (int kind = 0; kind < lists_.n_kinds(); ++kind)
      if (is_cut(n, kind))
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
      each_cut(rows.begin + n, [&](int, NearestList &) {
        measured[n].resize(distances_.n_columns());
      });
    if (std::all_of(measured.begin(), measured.end(),
                    [](const Array<double> &row) { return row.empty(); }))
      return;
    for (Index c = 0; c < columns_.count(); ++c) {
      distances_.measure(rows, columns_[c], part_, runtime);
      for (Index n = 0; n < rows.size(); ++n)
        if (!measured[n].empty())
          std::copy_n(part_.row(n), columns_[c].size(),
                      measured[n].begin() + columns_[c].begin);
    }
    runtime.for_each(rows.size(), [&](Index n, int) {
      const Index row = rows.begin + n;
      Array<Array<Neighbour>> near(lists_.n_kinds());
      for (Index i = 0; i < measured[n].size(); ++i) {
        const int kind = kinds_(sample_of(row), i);
        if (kind < 0 || !is_cut(row, kind))
          continue;
        const Neighbour other = neighbour(i, measured[n][i]);
        if (other.key <= lists_.at(row, kind).reach())
          near[kind].push_back(other);
      }
      each_cut(row, [&](int kind, NearestList &list) {
        if (reduce_)
          reduce_(near[kind]);
        list.complete(std::move(near[kind]));
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
  bool later_ = false;
  std::function<void(Array<Neighbour> &)> reduce_;
};

} // namespace hitmiss

#endif
