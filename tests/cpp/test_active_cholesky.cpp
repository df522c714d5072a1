// Tests of hitmiss/bfs/active_cholesky.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/active_cholesky.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

TEST_CASE("the factor survives appending and removing") {
  const Toy toy(40, 12, 5);
  const auto entry = [&](Index i, Index k) {
    double sum = 0.0;
    for (Index a = 0; a < 40; ++a)
      sum += toy.values[i * 40 + a] * toy.values[k * 40 + a];
    return sum;
  };
  hitmiss::ActiveCholesky factor;
  Array<Index> present;
  const auto append = [&](Index k) {
    Array<double> cross;
    for (const Index i : present)
      cross.push_back(entry(i, k));
    present.push_back(k);
    return factor.append(cross, entry(k, k));
  };
  for (Index k = 0; k < 12; ++k)
    REQUIRE(append(k));
  for (const Index at : {Index(5), Index(0), Index(9)}) {
    factor.remove(at);
    present.erase(present.begin() + at);
  }
  REQUIRE(append(5));
  Array<double> b;
  for (Index i = 0; i < present.size(); ++i)
    b.push_back(static_cast<double>(i) - 3.0);
  const auto x = factor.solve(b);
  for (Index i = 0; i < present.size(); ++i) {
    double sum = 0.0;
    for (Index k = 0; k < present.size(); ++k)
      sum += entry(present[i], present[k]) * x[k];
    CHECK(sum == Approx(b[i]).margin(1e-9));
  }
  // A variable that depends on those present is refused.
  const Index size = factor.size();
  Array<double> cross;
  for (const Index i : present)
    cross.push_back(entry(i, present[2]));
  CHECK_FALSE(factor.append(cross, entry(present[2], present[2])));
  CHECK(factor.size() == size);
}

} // namespace explicit_pairs
