// The order of distances.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include <testthat/vendor/catch.h>

#include "support/host.hpp"
#include "support/learn_scaling.hpp"
#include <algorithm>
#include <cmath>
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

namespace learn_scaling {

TEST_CASE("neighbour keys ignore rounding noise only") {
  const hitmiss::NeighbourKey key;
  CHECK(key(0.0) == 0);
  CHECK(key(-0.0) == 0);
  for (const double scale :
       {std::ldexp(1.0, -600), 1.0, std::ldexp(1.0, 520)}) {
    CHECK(key(scale * (0.1 + 0.2)) == key(scale * 0.3));
    CHECK(key(scale) < key(scale * (1.0 + 1e-9)));
    // To the nearest step, from either side, also across a power of two.
    const double step = scale * std::ldexp(1.0, -30);
    for (const double place : {0.0, 1.0, 1000.0, 1e8}) {
      const auto at = key(scale + place * step);
      CHECK(key(scale + (place + 0.4) * step) == at);
      CHECK(key(scale + (place + 1.0) * step) == at + 1);
      CHECK(key.reaches(scale + (place + 0.4) * step, at));
      CHECK(!key.reaches(scale + (place + 0.6) * step, at));
    }
    CHECK(key(scale - 0.2 * step) == key(scale));
    CHECK(key(scale - 0.3 * step) < key(scale));
  }
}

} // namespace learn_scaling
