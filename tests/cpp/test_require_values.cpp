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
  for (Index n = 0; n < 12; ++n) { // whole groups of four, and what is left
    Array<double> values(n, 1.7e308);
    CHECK(hitmiss::all_finite(values.data(), n));
    for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
      for (Index at = 0; at < n; ++at) {
        values[at] = bad;
        CHECK(!hitmiss::all_finite(values.data(), n));
        values[at] = -1.7e308;
      }
  }
}

} // namespace learn_scaling
