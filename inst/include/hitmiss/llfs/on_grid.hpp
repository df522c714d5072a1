// Values without the digits that rounding may have touched.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_ON_GRID_HPP
#define HITMISS_LLFS_ON_GRID_HPP

#include <cmath>

namespace hitmiss {

/// The nearest multiple of 2^-bits.
///
/// Compilers and processors round otherwise, and an iteration whose next step
/// is taken from ill-conditioned equations makes more of that at every step,
/// until another feature is chosen. One that goes on from a point on a grid,
/// far finer than its tolerance but coarser than rounding, starts every step
/// from the same numbers everywhere.
template <int bits> double on_grid(double value) {
  constexpr double steps = static_cast<double>(1LL << bits);
  return std::round(value * steps) / steps;
}

} // namespace hitmiss

#endif
