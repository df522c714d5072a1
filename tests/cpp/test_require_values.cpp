// Tests of hitmiss/data/require_values.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/require_values.hpp>

#include "support/host.hpp"
#include "support/learn_scaling.hpp"

namespace learn_scaling {

TEST_CASE("one value that is not finite is seen wherever it lies") {
  for (const auto level :
       {hitmiss::SimdLevel::baseline, hitmiss::SimdLevel::avx2,
        hitmiss::SimdLevel::avx512}) {
    if (!hitmiss::simd_supported(level))
      continue;
    Array<double> values(77, 1.7e308);
    CHECK(hitmiss::all_finite(values.data(), 0, level));
    CHECK(hitmiss::all_finite(values.data(), 77, level));
    for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
      for (Index at = 0; at < values.size(); ++at) {
        values[at] = bad;
        CHECK(!hitmiss::all_finite(values.data(), 77, level));
        values[at] = -1.7e308;
      }
  }
}

} // namespace learn_scaling
