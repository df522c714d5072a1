// The order of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/pairs/neighbour_key.hpp>

TEST_CASE("neighbour key: in the order of distances, gaps last") {
  const hitmiss::NeighbourKey key;
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(key(-1.0) == key(0.0));
  CHECK(key(-0.0) == key(0.0));
  CHECK(key(0.0) < key(1e-300));
  CHECK(key(1.0) < key(1.0 + 1e-8));
  CHECK(key(1.0) == key(1.0 + 1e-12));
  CHECK(key(1e300) < key(inf));
  CHECK(key(inf) < key(nan));
  CHECK(key(-nan) == key(nan));
}
