// Tests of hitmiss/bfs/nonneg_quadratic.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/nonneg_quadratic.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

TEST_CASE("nonnegative programs with dependent columns end at an optimum") {
  // Columns 3, 4 and 5 are sums of the first three: H has rank 3.
  const double base[3][4] = {{1, 2, 0, 1}, {0, 1, 3, 1}, {2, 0, 1, 0}};
  Array<Array<double>> columns;
  for (const auto &b : base)
    columns.emplace_back(b, b + 4);
  for (int i = 0; i < 3; ++i) {
    columns.emplace_back(4);
    for (Index a = 0; a < 4; ++a)
      columns.back()[a] = base[i][a] + base[(i + 1) % 3][a];
  }
  const auto gram = [&](Index i, Index k) {
    return dot(columns[i], columns[k]);
  };
  for (int trial = 0; trial < 64; ++trial)
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      Array<double> target, q;
      for (int a = 0; a < 4; ++a)
        target.push_back(((trial >> a) & 1) + 0.1 * a - 0.3 * (trial % 5 == 0));
      for (Index k = 0; k < 6; ++k)
        q.push_back(dot(columns[k], target) - 0.05 * (trial % 3));
      hitmiss::NonnegQuadratic<decltype(gram)> program(gram);
      REQUIRE(program.solve(q, 1e-12, runtime));
      const auto &mu = program.solution();
      for (Index k = 0; k < 6; ++k) {
        double gradient = q[k];
        for (Index i = 0; i < 6; ++i)
          gradient -= gram(k, i) * mu[i];
        CHECK(mu[k] >= 0.0);
        CHECK(gradient < 1e-9);
        if (mu[k] > 1e-12)
          CHECK(std::abs(gradient) < 1e-9);
      }
      return 0;
    });
}

} // namespace explicit_pairs
