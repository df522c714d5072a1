// Tests of hitmiss/relief/margin_scores.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/margin_scores.hpp>

#include "support/host.hpp"
#include "support/relief_problem.hpp"
#include "support/soft_margins.hpp"

namespace relief_problem {

TEST_CASE("weights are the positive part of the margins, with unit norm") {
  using Weights = Array<double>;
  CHECK(hitmiss::positive_part({-3.0, 0.0, 4.0, 3.0}) ==
        (Weights{0.0, 0.0, 0.8, 0.6}));
  CHECK(hitmiss::positive_part({-1.0, -2.0}) == (Weights{0.0, 0.0}));
  CHECK(hitmiss::positive_part({4e-200, 3e-200, -1.0}) ==
        (Weights{0.8, 0.6, 0.0}));
}

} // namespace relief_problem
