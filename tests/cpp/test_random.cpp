// Tests of hitmiss/runtime/random.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include <testthat/vendor/catch.h>

#include <hitmiss/runtime/random.hpp>
#include <hitmiss/runtime/runtime.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

TEST_CASE("streams depend on key, unit and purpose, and on nothing else") {
  using hitmiss::Purpose;
  using hitmiss::RandomStream;
  const auto first = [](std::uint64_t key, std::uint64_t unit, Purpose why) {
    return RandomStream(key, unit, why).bits();
  };
  CHECK(first(1, 2, Purpose::rounding) == first(1, 2, Purpose::rounding));
  CHECK(first(1, 2, Purpose::rounding) != first(2, 2, Purpose::rounding));
  CHECK(first(1, 2, Purpose::rounding) != first(1, 3, Purpose::rounding));
  CHECK(first(1, 2, Purpose::rounding) != first(1, 2, Purpose::simulation));

  RandomStream stream(7, 0, Purpose::rounding);
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const double u = stream.uniform();
    REQUIRE((u >= 0.0 && u < 1.0));
    sum += u;
  }
  CHECK(std::abs(sum / 100000 - 0.5) < 0.005);
  for (int i = 0; i < 1000; ++i)
    CHECK(stream.below(3) < 3);
  RandomStream a(7, 0, Purpose::rounding), b(7, 0, Purpose::rounding);
  a.bits();
  a.seek(5);
  b.seek(5);
  CHECK(a.bits() == b.bits());
}
