// Tests of hitmiss/data/class_index.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/class_index.hpp>

#include "support/host.hpp"
#include "support/learn_scaling.hpp"

namespace learn_scaling {

TEST_CASE("class index lists members and skips the unlabelled") {
  const hitmiss::ClassIndex y({1, 0, -1, 1}, 2);
  CHECK((y.members(1) == Array<int>{0, 3}));
  CHECK(y.count(0) == 1);
  CHECK(y.n_labelled() == 3);
  CHECK(y[2] == hitmiss::ClassIndex::unlabelled);
}

} // namespace learn_scaling
