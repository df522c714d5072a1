// From sums of squares to distances, also where squares leave the doubles.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_ROOT_HPP
#define HITMISS_PAIRS_DISTANCE_ROOT_HPP

#include <algorithm>
#include <cmath>

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
                const FeatureList &features, const Array<double> &weights,
                SimdLevel simd)
      : rows_(rows), columns_(columns), features_(features), weights_(weights),
        simd_(simd), same_(rows.x.raw.same_values(columns.x.raw)) {}

  /// Of one range of the same samples: those above the diagonal.

  void take(PairMatrix<double> &sums, Runtime &runtime) const {
    const Index n_units = (rows_.range.size() + row_block - 1) / row_block;
    Array<Array<Pair>> doubtful(n_units);
    runtime.for_each(n_units, [&](Index unit, int) {
      auto &found = doubtful[unit];
      const Index begin = unit * row_block;
      for (Index n = begin; n < std::min(begin + row_block, rows_.range.size());
           ++n) {
        double *row = sums.row(n);
        const Index itself =
            same_ ? rows_.range.begin + n - columns_.range.begin : -1;
        const bool upper = same_ && rows_.range == columns_.range;
        for (Index i = upper ? n + 1 : 0; i < columns_.range.size(); ++i) {
          if (is_sound(row[i]))
            row[i] = std::sqrt(row[i]);
          else if (i != itself)
            found.push_back({n, i, 0.0, 0.0});
        }
      }
    });
    runtime.for_each(n_units, [&](Index unit, int) {
      for (const Pair &pair : measured(doubtful[unit], runtime))
        sums.row(pair.row)[pair.column] = pair.distance();
    });
  }

  /// Squares above 2^-1022 have all their digits; a sum this large may hold
  /// smaller ones, which do not count beside it.
  static bool is_sound(double sum) { return sum >= 1e-280 && sum <= 1e300; }

private:
  struct Pair {
    Index row, column;
    double largest, sum; ///< of the differences; of squares in its unit
    double distance() const {
      return largest > 0.0 && std::isfinite(largest) ? largest * std::sqrt(sum)
                                                     : largest;
    }
  };

  Array<Pair> measured(Array<Pair> pairs, Runtime &runtime) const {
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
  void each_difference(Array<Pair> &pairs, Runtime &runtime, Work work) const {
    PanelTiles rows, columns;
    rows.resize(rows_.range.size(), tile_features);
    columns.resize(columns_.range.size(), tile_features);
    const Index total = features_.size();
    for (Index first = 0; first < total; first += tile_features) {
      runtime.checkpoint();
      const Index count = std::min(tile_features, total - first);
      const Index *listed = features_.data() + first;
      rows.fill(0, rows_.x, rows_.range, listed, count, simd_);
      columns.fill(0, columns_.x, columns_.range, listed, count, simd_);
      const auto a = rows.tile(0), b = columns.tile(0);
      for (Pair &pair : pairs) {
        const double *at = a.sample(pair.row), *to = b.sample(pair.column);
        for (Index f = 0; f < count; ++f)
          work(pair, std::abs(at[f * a.stride] - to[f * b.stride]),
               weights_[first + f]);
      }
    }
  }

  const BlockSide rows_, columns_;
  const FeatureList &features_;
  const Array<double> &weights_;
  SimdLevel simd_;
  bool same_;
};

} // namespace detail

} // namespace hitmiss

#endif
