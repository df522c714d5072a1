// The nearest neighbours of pairs of samples among pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PAIR_NEIGHBOURS_HPP
#define HITMISS_PAIRS_PAIR_NEIGHBOURS_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../data/neighbour_key.hpp"
#include "pair_distance.hpp"
#include "panel_product.hpp"

namespace hitmiss {

struct PairNeighbour {
  Index pair;
  double squared; ///< distance
};

/// Exact h nearest neighbours by two passes: blocked products in float keep
/// h + 16 candidates of every pair, and those that may be among the h nearest,
/// given a bound of the rounding, are measured again in double. A pair with
/// more candidates than kept is measured against all others.
/// O(P^2 J) flops in float for P pairs and J features; O(P h) memory.
class PairNeighbours {
public:
  PairNeighbours(const PairSpace &space, const Array<SamplePair> &pairs,
                 Index h, Runtime &runtime)
      : space_(space), pairs_(pairs), h_(std::min(h, n_pairs() - 1)),
        runtime_(runtime), lists_(pairs.size()) {}

  /// One list per pair, nearest first, ties to the lower index.
  Array<Array<PairNeighbour>> find() {
    if (h_ < 1)
      return Array<Array<PairNeighbour>>(lists_.size());
    measure_norms();
    runtime_.monitor().expect(n_blocks() * (n_blocks() + 1) / 2);
    for (Index i = 0; i < n_blocks(); ++i)
      scan_row_of_blocks(i);
    return choose();
  }

private:
  static constexpr Index block = 384, lanes = 32, tile = 256;
  struct Candidate {
    float squared;
    int pair;
    bool operator<(const Candidate &other) const {
      return squared < other.squared ||
             (squared == other.squared && pair < other.pair);
    }
  };
  using List = Array<Candidate>; ///< a heap, the farthest on top

  Index n_pairs() const { return pairs_.size(); }
  Index n_blocks() const { return (n_pairs() + block - 1) / block; }
  Index capacity() const { return h_ + 16; }

  void measure_norms() {
    Array<DistanceQuery> queries;
    for (Index p = 0; p < n_pairs(); ++p)
      queries.push_back({p, -1});
    pair_distances(space_, pairs_, queries, runtime_);
    for (const auto &query : queries)
      norms_.push_back(query.squared);
  }

  void keep(List &list, const Candidate &candidate) const {
    if (list.size() == capacity()) {
      if (!(candidate < list.front()))
        return;
      std::pop_heap(list.begin(), list.end());
      list.pop_back();
    }
    list.push_back(candidate);
    std::push_heap(list.begin(), list.end());
  }

  /// Blocks (i, k), k >= i, in parallel. Unit k owns the lists of block k; what
  /// it finds for block i waits in a slot of its own.
  void scan_row_of_blocks(Index i) {
    const Index units = n_blocks() - i;
    Array<Array<List>> found(units);
    const auto bars = farthest_kept(i);
    runtime_.for_each(units, [&](Index unit, int) {
      scan_block(i, i + unit, bars, found[unit]);
      runtime_.monitor().advance();
    });
    for (Index unit = 0; unit < found.size(); ++unit)
      for (Index r = 0; r < found[unit].size(); ++r)
        for (const Candidate &candidate : found[unit][r])
          keep(lists_[i * block + r], candidate);
  }

  /// What a candidate for a pair of block b must not exceed.
  Array<float> farthest_kept(Index b) const {
    Array<float> bars;
    for (Index p = b * block; p < std::min(n_pairs(), (b + 1) * block); ++p) {
      const List &list = lists_[p];
      bars.push_back(list.size() < capacity()
                         ? std::numeric_limits<float>::infinity()
                         : list.front().squared);
    }
    return bars;
  }

  /// Measures block i (rows) against block k (columns) and offers the distances
  /// to both: to `found` for the rows, unless barred, and to the lists of the
  /// columns.
  void scan_block(Index i, Index k, const Array<float> &bars,
                  Array<List> &found) {
    const Index columns = std::min(block, n_pairs() - k * block);
    const auto products = multiply(i, k, columns);
    found.resize(bars.size());
    for (Index c = 0; c < columns; ++c)
      for (Index r = 0; r < bars.size(); ++r) {
        const Index q = k * block + c;
        const Index row = r, p = i * block + row;
        if (p == q)
          continue;
        const auto distance = static_cast<float>(
            norms_[p] + norms_[q] - 2.0 * products[c * block + row]);
        if (i != k && distance <= bars[r])
          keep(found[r], {distance, static_cast<int>(q)});
        keep(lists_[q], {distance, static_cast<int>(p)});
      }
  }

  /// Inner products, float: entry (row r, column c) at c * 384 + r.
  AlignedBuffer<float> multiply(Index i, Index k, Index columns) const {
    AlignedBuffer<float> out(block * round_up(columns, column_group));
    AlignedBuffer<float> panels(block * tile);
    PackedColumns<float> packed(tile, columns);
    Array<double> x(tile * space_.x.n_samples());
    for (Index first = 0; first < space_.x.n_features(); first += tile) {
      runtime_.checkpoint();
      const Index count = std::min(tile, space_.x.n_features() - first);
      load_tile(first, count, x);
      fill(i, count, x, [&](Index f, Index p) -> float & {
        return panels[(p / lanes * tile + f) * lanes + p % lanes];
      });
      fill(k, count, x,
           [&](Index f, Index p) -> float & { return packed(f, p); });
      for (Index panel = 0; panel < block / lanes; ++panel)
        for (Index g = 0; g < packed.n_groups(); ++g)
          panel_product(space_.simd,
                        PanelJob<float>{panels.data() + panel * tile * lanes,
                                        lanes, packed.group(g), count,
                                        out.data() + g * column_group * block +
                                            panel * lanes,
                                        block, true});
    }
    return out;
  }

  void load_tile(Index first, Index count, Array<double> &x) const {
    const Index n = space_.x.n_samples();
    for (Index f = 0; f < count; ++f)
      for (Index a = 0; a < n; ++a)
        x[f * n + a] = space_.x.held()(a, first + f);
  }

  template <class Place>
  void fill(Index b, Index count, const Array<double> &x, Place place) const {
    const Index size = std::min(block, n_pairs() - b * block);
    for (Index f = 0; f < count; ++f) {
      const double *row = x.data() + f * space_.x.n_samples();
      const SamplePair *pair = pairs_.data() + b * block;
      for (Index p = 0; p < size; ++p)
        place(f, p) =
            static_cast<float>(space_.kernel(row[pair[p].a], row[pair[p].b]));
    }
  }

  /// Bound of the error of a float distance from pair p: sums of one tile,
  /// then of the tiles, and the rounding of the values.
  double slack(Index p, double largest_norm) const {
    const double terms =
        static_cast<double>(tile + space_.x.n_features() / tile + 16);
    return terms * std::ldexp(1.0, -24) * (norms_[p] + largest_norm);
  }

  Array<Array<PairNeighbour>> choose() {
    const double largest = *std::max_element(norms_.begin(), norms_.end());
    Array<DistanceQuery> queries;
    Array<Index> begin{0};
    for (Index p = 0; p < lists_.size(); ++p) {
      list_queries(p, slack(p, largest), queries);
      begin.push_back(queries.size());
    }
    pair_distances(space_, pairs_, queries, runtime_);
    const NeighbourKey key;
    Array<Array<PairNeighbour>> result(lists_.size());
    for (Index p = 0; p < lists_.size(); ++p) {
      auto &chosen = result[p];
      for (Index i = begin[p]; i < begin[p + 1]; ++i)
        chosen.push_back({queries[i].to, queries[i].squared});
      std::sort(chosen.begin(), chosen.end(),
                [&](const PairNeighbour &a, const PairNeighbour &b) {
                  const auto x = key(std::sqrt(a.squared));
                  const auto y = key(std::sqrt(b.squared));
                  return x < y || (x == y && a.pair < b.pair);
                });
      chosen.resize(h_);
    }
    return result;
  }

  void list_queries(Index p, double slack, Array<DistanceQuery> &queries) {
    List &list = lists_[p];
    std::sort(list.begin(), list.end());
    const double limit = list[h_ - 1].squared + 2.0 * slack;
    const bool full = list.size() == capacity();
    if (full && list.back().squared <= limit) {
      for (Index q = 0; q < n_pairs(); ++q)
        if (q != p)
          queries.push_back({p, q});
      return;
    }
    for (const Candidate &candidate : list)
      if (candidate.squared <= limit)
        queries.push_back({p, candidate.pair});
  }

  const PairSpace &space_;
  const Array<SamplePair> &pairs_;
  Index h_;
  Runtime &runtime_;
  Array<double> norms_; ///< squared
  Array<List> lists_;
};

} // namespace hitmiss

#endif
