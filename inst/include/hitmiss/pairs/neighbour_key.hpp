// The order of neighbours: by distance without its rounding noise, then index.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEIGHBOUR_KEY_HPP
#define HITMISS_PAIRS_NEIGHBOUR_KEY_HPP

#include <cstdint>
#include <cstring>
#include <limits>

namespace hitmiss {

/// Turns distances (>= 0) into integers in the same order, which keep 30 binary
/// digits of each distance. Distances that differ only by rounding get one key
/// (unless they lie on two sides of a step between keys, which is rare), so
/// that permuting the features, which reorders the sums, does not change who is
/// nearest. The precision is relative to each distance, not to the largest
/// distance of a sample, which one outlier would determine. NaN is farther than
/// all others.
class NeighbourKey {
public:
  std::int64_t operator()(double distance) const {
    if (!(distance > 0.0)) // also -0
      distance =
          distance <= 0.0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    // The bits of positive doubles, read as integers, are in order. Half a step
    // is added, then the low digits are dropped.
    std::int64_t bits;
    std::memcpy(&bits, &distance, sizeof bits);
    return (bits + (std::int64_t(1) << (dropped - 1))) >> dropped;
  }

  /// Says whether the key of the distance is at most `key`.
  bool reaches(double distance, std::int64_t key) const {
    return (*this)(distance) <= key;
  }

private:
  static constexpr int dropped = 52 - 30;
  static_assert(std::numeric_limits<double>::is_iec559, "IEEE doubles");
};

} // namespace hitmiss

#endif
