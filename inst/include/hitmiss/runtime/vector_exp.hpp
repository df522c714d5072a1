// The exponential of a vector of numbers.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_VECTOR_EXP_HPP
#define HITMISS_RUNTIME_VECTOR_EXP_HPP

#include "simd.hpp"

namespace hitmiss::detail {

/// Replaces x by exp(x), to an ulp or two. Required: -700 <= x <= 700. Method:
/// x = k log 2 + r (Cody and Waite), a polynomial for exp(r), k as exponent.
template <int Bytes>
HITMISS_INLINE void exponential(typename Simd<double, Bytes>::Vector &x) {
  using S = Simd<double, Bytes>;
  using V = typename S::Vector;
  using Bits = typename S::Bits;
  constexpr double shifter = 6755399441055744.0; // 1.5 * 2^52: rounds to whole
  const V shifted = x * 1.4426950408889634 + shifter;
  const V k = shifted - shifter;
  V r = x - k * 6.93147180369123816490e-01;
  r = r - k * 1.90821492927058770002e-10;
  constexpr double c[] = {1.0 / 479001600,
                          1.0 / 39916800,
                          1.0 / 3628800,
                          1.0 / 362880,
                          1.0 / 40320,
                          1.0 / 5040,
                          1.0 / 720,
                          1.0 / 120,
                          1.0 / 24,
                          1.0 / 6,
                          0.5,
                          1.0,
                          1.0};
  V p = r * (1.0 / 6227020800.0) + c[0];
#pragma GCC unroll 12
  for (int i = 1; i < 13; ++i)
    p = p * r + c[i];
  x = (V)((Bits)p + ((Bits)shifted << 52));
}

} // namespace hitmiss::detail

#endif
