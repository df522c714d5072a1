// What a compiler that fuses everywhere changes.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_FUSED_HPP
#define HITMISS_TESTS_FUSED_HPP

/// How far two sums of the same numbers may be apart: not at all, unless the
/// whole program is compiled with fused multiply-add (-march=native), which
/// each loop then uses in its own way.
#ifdef __FMA__
constexpr double fused_rounding = 1e-12;
#else
constexpr double fused_rounding = 0.0;
#endif

#endif
