// Tests of hitmiss/comparators/fisher.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/fisher.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("fisher: hand value, both forms, classes without spread") {
  const Array<int> labels{0, 0, 0, 1, 1, 1};
  const Values x{1,   2,   3,   6,   7,   8,   // 9.375
                 0.1, 0.1, 0.1, 0.7, 0.7, 0.7, // differ, do not vary
                 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  const auto found = scores(x, 6, labels);
  CHECK(std::abs(found[0] - 9.375) < 1e-12);
  CHECK(found[1] == std::numeric_limits<double>::max());
  CHECK(found[2] == 0.0);
  const auto means = scores(x, 6, labels, hitmiss::FisherForm::means);
  CHECK(std::abs(means[0] - 5.0 / std::sqrt(4.0 / 3.0)) < 1e-12);
  CHECK(means[1] == std::numeric_limits<double>::max());
}

} // namespace reference_scores
