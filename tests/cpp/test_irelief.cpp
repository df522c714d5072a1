// Tests of hitmiss/relief/irelief.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/irelief.hpp>

#include "support/host.hpp"
#include "support/relief_problem.hpp"
#include "support/soft_margins.hpp"

namespace relief_problem {

TEST_CASE("I-Relief ends where its map leaves the weights as they are") {
  const ReliefProblem problem(1);
  hitmiss::IReliefOptions options;
  options.sigma = 0.5;
  options.tol = 1e-10;
  options.max_iter = 1000;
  const auto result = with_threads(2, [&](hitmiss::Runtime &runtime) {
    return hitmiss::irelief(problem.view(), problem.y, options, runtime);
  });
  REQUIRE(result.report.status == hitmiss::Status::converged);
  Array<double> margin(n_features);
  const auto soft = soft_margins(problem.y, options.sigma, [&](int a, int b) {
    double d = 0.0;
    for (int j = 0; j < n_features; ++j)
      d += result.weights[j] * problem.apart(a, b, j);
    return d;
  });
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      for (int j = 0; j < n_features; ++j) {
        const Index at = a;
        margin[j] +=
            soft.hit_mass[at] * soft.c[at][b] * problem.apart(a, b, j) / n;
      }
  const auto next = hitmiss::positive_part(margin);
  for (int j = 0; j < n_features; ++j)
    CHECK(result.weights[j] == Approx(next[j]).margin(1e-7));
}

} // namespace relief_problem
