// The nearest neighbours of pairs of samples among pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PAIR_NEIGHBOURS_HPP
#define HITMISS_PAIRS_PAIR_NEIGHBOURS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../data/neighbour_key.hpp"
#include "pair_distance.hpp"
#include "panel_product.hpp"

namespace hitmiss {

struct PairNeighbour {
  std::ptrdiff_t pair;
  double squared; ///< distance
};

/// Exact h nearest neighbours by two passes: blocked products in float keep
/// h + 16 candidates of every pair, and those that may be among the h nearest,
/// given a bound of the rounding, are measured again in double. A pair with
/// more candidates than kept is measured against all others.
/// O(P^2 J) flops in float for P pairs and J features; O(P h) memory.
class PairNeighbours {
public:
  PairNeighbours(const PairSpace &space, const std::vector<SamplePair> &pairs,
                 std::ptrdiff_t h, Runtime &runtime)
      : space_(space), pairs_(pairs), h_(std::min(h, n_pairs() - 1)),
        runtime_(runtime), kernel_(kernel_polynomial(space)),
        lists_(pairs.size()) {}

  /// One list per pair, nearest first, ties to the lower index.
  std::vector<std::vector<PairNeighbour>> find() {
    if (h_ < 1)
      return std::vector<std::vector<PairNeighbour>>(lists_.size());
    measure_norms();
    runtime_.monitor().expect(n_blocks() * (n_blocks() + 1) / 2);
    for (std::ptrdiff_t i = 0; i < n_blocks(); ++i)
      scan_row_of_blocks(i);
    return choose();
  }

private:
  static constexpr std::ptrdiff_t block = 384, lanes = 32, tile = 256;
  struct Candidate {
    float squared;
    int pair;
    bool operator<(const Candidate &other) const {
      return squared < other.squared ||
             (squared == other.squared && pair < other.pair);
    }
  };
  using List = std::vector<Candidate>; ///< a heap, the farthest on top

  std::ptrdiff_t n_pairs() const {
    return static_cast<std::ptrdiff_t>(pairs_.size());
  }
  std::ptrdiff_t n_blocks() const { return (n_pairs() + block - 1) / block; }
  std::size_t capacity() const { return static_cast<std::size_t>(h_) + 16; }

  void measure_norms() {
    std::vector<DistanceQuery> queries;
    for (std::ptrdiff_t p = 0; p < n_pairs(); ++p)
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
  void scan_row_of_blocks(std::ptrdiff_t i) {
    const std::ptrdiff_t units = n_blocks() - i;
    std::vector<std::vector<List>> found(static_cast<std::size_t>(units));
    const auto bars = farthest_kept(i);
    runtime_.for_each(units, [&](std::ptrdiff_t unit, int) {
      const auto at = static_cast<std::size_t>(unit);
      scan_block(i, i + unit, bars, found[at]);
      runtime_.monitor().advance();
    });
    for (std::size_t unit = 0; unit < found.size(); ++unit)
      for (std::size_t r = 0; r < found[unit].size(); ++r)
        for (const Candidate &candidate : found[unit][r])
          keep(lists_[static_cast<std::size_t>(i * block) + r], candidate);
  }

  /// What a candidate for a pair of block b must not exceed.
  std::vector<float> farthest_kept(std::ptrdiff_t b) const {
    std::vector<float> bars;
    for (std::ptrdiff_t p = b * block; p < std::min(n_pairs(), (b + 1) * block);
         ++p) {
      const List &list = lists_[static_cast<std::size_t>(p)];
      bars.push_back(list.size() < capacity()
                         ? std::numeric_limits<float>::infinity()
                         : list.front().squared);
    }
    return bars;
  }

  /// Measures block i (rows) against block k (columns) and offers the distances
  /// to both: to `found` for the rows, unless barred, and to the lists of the
  /// columns.
  void scan_block(std::ptrdiff_t i, std::ptrdiff_t k,
                  const std::vector<float> &bars, std::vector<List> &found) {
    const std::ptrdiff_t columns = std::min(block, n_pairs() - k * block);
    const auto products = multiply(i, k, columns);
    found.resize(bars.size());
    for (std::ptrdiff_t c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < bars.size(); ++r) {
        const std::ptrdiff_t q = k * block + c;
        const auto row = static_cast<std::ptrdiff_t>(r), p = i * block + row;
        if (p == q)
          continue;
        const auto distance = static_cast<float>(
            norms_[static_cast<std::size_t>(p)] +
            norms_[static_cast<std::size_t>(q)] -
            2.0 * static_cast<double>(products[c * block + row]));
        if (i != k && distance <= bars[r])
          keep(found[r], {distance, static_cast<int>(q)});
        keep(lists_[static_cast<std::size_t>(q)],
             {distance, static_cast<int>(p)});
      }
  }

  /// Inner products, float: entry (row r, column c) at c * 384 + r.
  AlignedBuffer<float> multiply(std::ptrdiff_t i, std::ptrdiff_t k,
                                std::ptrdiff_t columns) const {
    AlignedBuffer<float> out(block * round_up(columns, column_group));
    AlignedBuffer<float> panels(block * tile);
    PackedColumns<float> packed(tile, columns);
    std::vector<double> x(
        static_cast<std::size_t>(tile * space_.x.n_samples()));
    for (std::ptrdiff_t first = 0; first < space_.x.n_features();
         first += tile) {
      runtime_.checkpoint();
      const std::ptrdiff_t count =
          std::min(tile, space_.x.n_features() - first);
      load_tile(first, count, x);
      fill(i, count, x, [&](std::ptrdiff_t f, std::ptrdiff_t p) -> float & {
        return panels[(p / lanes * tile + f) * lanes + p % lanes];
      });
      fill(k, count, x, [&](std::ptrdiff_t f, std::ptrdiff_t p) -> float & {
        return packed(f, p);
      });
      for (std::ptrdiff_t panel = 0; panel < block / lanes; ++panel)
        for (std::ptrdiff_t g = 0; g < packed.n_groups(); ++g)
          panel_product(space_.simd,
                        PanelJob<float>{panels.data() + panel * tile * lanes,
                                        lanes, packed.group(g), count,
                                        out.data() + g * column_group * block +
                                            panel * lanes,
                                        block, true});
    }
    return out;
  }

  void load_tile(std::ptrdiff_t first, std::ptrdiff_t count,
                 std::vector<double> &x) const {
    const std::ptrdiff_t n = space_.x.n_samples();
    for (std::ptrdiff_t f = 0; f < count; ++f)
      for (std::ptrdiff_t a = 0; a < n; ++a)
        x[static_cast<std::size_t>(f * n + a)] = space_.x.held()(a, first + f);
  }

  template <class Place>
  void fill(std::ptrdiff_t b, std::ptrdiff_t count,
            const std::vector<double> &x, Place place) const {
    const std::ptrdiff_t size = std::min(block, n_pairs() - b * block);
    const int degree = space_.terms.front().power;
    for (std::ptrdiff_t f = 0; f < count; ++f) {
      const double *row = x.data() + f * space_.x.n_samples();
      const SamplePair *pair = pairs_.data() + b * block;
      if (degree == 1)
        for (std::ptrdiff_t p = 0; p < size; ++p)
          place(f, p) = static_cast<float>(
              row[pair[p].a] * row[pair[p].b] * kernel_[1] + kernel_[0]);
      else
        for (std::ptrdiff_t p = 0; p < size; ++p)
          place(f, p) = static_cast<float>(
              pair_value(kernel_, degree, row[pair[p].a] * row[pair[p].b]));
    }
  }

  /// Bound of the error of a float distance from pair p: sums of one tile,
  /// then of the tiles, and the rounding of the values.
  double slack(std::size_t p, double largest_norm) const {
    const double terms =
        static_cast<double>(tile + space_.x.n_features() / tile + 16);
    return terms * std::ldexp(1.0, -24) * (norms_[p] + largest_norm);
  }

  std::vector<std::vector<PairNeighbour>> choose() {
    const double largest = *std::max_element(norms_.begin(), norms_.end());
    std::vector<DistanceQuery> queries;
    std::vector<std::size_t> begin{0};
    for (std::size_t p = 0; p < lists_.size(); ++p) {
      list_queries(p, slack(p, largest), queries);
      begin.push_back(queries.size());
    }
    pair_distances(space_, pairs_, queries, runtime_);
    const NeighbourKey key;
    std::vector<std::vector<PairNeighbour>> result(lists_.size());
    for (std::size_t p = 0; p < lists_.size(); ++p) {
      auto &chosen = result[p];
      for (std::size_t i = begin[p]; i < begin[p + 1]; ++i)
        chosen.push_back({queries[i].to, queries[i].squared});
      std::sort(chosen.begin(), chosen.end(),
                [&](const PairNeighbour &a, const PairNeighbour &b) {
                  const auto x = key(std::sqrt(a.squared));
                  const auto y = key(std::sqrt(b.squared));
                  return x < y || (x == y && a.pair < b.pair);
                });
      chosen.resize(static_cast<std::size_t>(h_));
    }
    return result;
  }

  void list_queries(std::size_t p, double slack,
                    std::vector<DistanceQuery> &queries) {
    List &list = lists_[p];
    std::sort(list.begin(), list.end());
    const auto h = static_cast<std::size_t>(h_);
    const double limit = static_cast<double>(list[h - 1].squared) + 2.0 * slack;
    const auto from = static_cast<std::ptrdiff_t>(p);
    const bool full = list.size() == capacity();
    if (full && static_cast<double>(list.back().squared) <= limit) {
      for (std::ptrdiff_t q = 0; q < n_pairs(); ++q)
        if (q != from)
          queries.push_back({from, q});
      return;
    }
    for (const Candidate &candidate : list)
      if (static_cast<double>(candidate.squared) <= limit)
        queries.push_back({from, candidate.pair});
  }

  const PairSpace &space_;
  const std::vector<SamplePair> &pairs_;
  std::ptrdiff_t h_;
  Runtime &runtime_;
  KernelPolynomial kernel_;
  std::vector<double> norms_; ///< squared
  std::vector<List> lists_;
};

} // namespace hitmiss

#endif
