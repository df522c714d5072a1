// From sums of squares to distances, also where squares leave the doubles.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_ROOT_HPP
#define HITMISS_PAIRS_DISTANCE_ROOT_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "distance_sum.hpp"

namespace hitmiss {

namespace detail {

/// Takes the roots of a block of sums of squares. Sums whose squares may have
/// lost digits at either end of the doubles are formed again, in units of the
/// largest difference: so are those of equal samples, which costs nothing but
/// time.
class DistanceRoots {
public:
  DistanceRoots(const BlockSide &rows, const BlockSide &columns,
                const FeatureList &features, const std::vector<double> &weights,
                SimdLevel simd)
      : rows_(rows), columns_(columns), features_(features), weights_(weights),
        simd_(simd), same_(rows.x.raw.same_values(columns.x.raw)) {}

  /// Of one range of the same samples: those above the diagonal.

  void take(PairMatrix<double> &sums, Runtime &runtime) const {
    const std::ptrdiff_t n_units =
        (rows_.range.size() + row_block - 1) / row_block;
    std::vector<std::vector<Pair>> doubtful(static_cast<std::size_t>(n_units));
    runtime.for_each(n_units, [&](std::ptrdiff_t unit, int) {
      auto &found = doubtful[static_cast<std::size_t>(unit)];
      const std::ptrdiff_t begin = unit * row_block;
      for (std::ptrdiff_t n = begin;
           n < std::min(begin + row_block, rows_.range.size()); ++n) {
        double *row = sums.row(n);
        const std::ptrdiff_t itself =
            same_ ? rows_.range.begin + n - columns_.range.begin : -1;
        const bool upper = same_ && rows_.range == columns_.range;
        for (std::ptrdiff_t i = upper ? n + 1 : 0; i < columns_.range.size();
             ++i) {
          if (is_sound(row[i]))
            row[i] = std::sqrt(row[i]);
          else if (i != itself)
            found.push_back({n, i, 0.0, 0.0});
        }
      }
    });
    runtime.for_each(n_units, [&](std::ptrdiff_t unit, int) {
      for (const Pair &pair :
           measured(doubtful[static_cast<std::size_t>(unit)], runtime))
        sums.row(pair.row)[pair.column] = pair.distance();
    });
  }

  /// Squares above 2^-1022 have all their digits; a sum this large may hold
  /// smaller ones, which do not count beside it.
  static bool is_sound(double sum) { return sum >= 1e-280 && sum <= 1e300; }

private:
  struct Pair {
    std::ptrdiff_t row, column;
    double largest, sum; ///< of the differences; of squares in its unit
    double distance() const {
      return largest > 0.0 && std::isfinite(largest) ? largest * std::sqrt(sum)
                                                     : largest;
    }
  };

  std::vector<Pair> measured(std::vector<Pair> pairs, Runtime &runtime) const {
    if (pairs.empty())
      return pairs;
    each_difference(pairs, runtime, [](Pair &pair, double d, double) {
      pair.largest = std::max(pair.largest, d);
    });
    each_difference(pairs, runtime, [](Pair &pair, double d, double weight) {
      const double share = pair.largest > 0.0 ? d / pair.largest : 0.0;
      pair.sum += weight * share * share;
    });
    return pairs;
  }

  template <class Work>
  void each_difference(std::vector<Pair> &pairs, Runtime &runtime,
                       Work work) const {
    PanelTiles rows(rows_.range.size(), tile_features);
    PanelTiles columns(columns_.range.size(), tile_features);
    const auto total = static_cast<std::ptrdiff_t>(features_.size());
    for (std::ptrdiff_t first = 0; first < total; first += tile_features) {
      runtime.checkpoint();
      const std::ptrdiff_t count = std::min(tile_features, total - first);
      const std::ptrdiff_t *listed = features_.data() + first;
      rows.fill(0, rows_.x, rows_.range, listed, count, simd_);
      columns.fill(0, columns_.x, columns_.range, listed, count, simd_);
      const auto a = rows.tile(0), b = columns.tile(0);
      for (Pair &pair : pairs) {
        const double *at = a.sample(pair.row), *to = b.sample(pair.column);
        for (std::ptrdiff_t f = 0; f < count; ++f)
          work(pair, std::abs(at[f * a.stride] - to[f * b.stride]),
               weights_[static_cast<std::size_t>(first + f)]);
      }
    }
  }

  const BlockSide rows_, columns_;
  const FeatureList &features_;
  const std::vector<double> &weights_;
  SimdLevel simd_;
  bool same_;
};

} // namespace detail

} // namespace hitmiss

#endif
