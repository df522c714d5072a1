// Values without the digits that rounding may have touched.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_ON_GRID_HPP
#define HITMISS_LLFS_ON_GRID_HPP

#include <cmath>

namespace hitmiss {

/// Returns the nearest multiple of 2^-bits.
///
/// Rounding differs between compilers and processors. If the steps of an
/// iteration depend on ill-conditioned equations, every step enlarges the
/// difference, until another feature is chosen. If the points are moved to a
/// grid, far finer than the tolerance but coarser than rounding errors, every
/// step starts from the same numbers on every processor.
template <int bits> double on_grid(double value) {
  constexpr double steps = static_cast<double>(1LL << bits);
  return std::round(value * steps) / steps;
}

} // namespace hitmiss

#endif
