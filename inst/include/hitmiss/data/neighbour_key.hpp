// The order of neighbours: by distance without its rounding noise, then index.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_NEIGHBOUR_KEY_HPP
#define HITMISS_DATA_NEIGHBOUR_KEY_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hitmiss {

/// Turns distances into integers on a grid of 2^-30 of the largest one.
/// Distances that are equal but for rounding get one key, so that permuting
/// the features (which reorders the sums) cannot change who is nearest.
class NeighbourKey {
public:
  /// `largest`: the largest distance that will be compared (>= 0).
  explicit NeighbourKey(double largest)
      : per_unit_(largest > 0.0 ? std::min(1073741824.0 / largest,
                                           std::numeric_limits<double>::max())
                                : 0.0) {}

  std::int64_t operator()(double distance) const {
    return std::llround(distance * per_unit_);
  }

  /// Is the distance's key at most `key`? The same as comparing keys, without
  /// rounding the distance.
  bool reaches(double distance, std::int64_t key) const {
    return distance * per_unit_ < static_cast<double>(key) + 0.5;
  }

private:
  double per_unit_;
};

} // namespace hitmiss

#endif
