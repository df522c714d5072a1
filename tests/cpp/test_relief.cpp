// Tests of hitmiss/relief/relief.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/relief.hpp>

#include "support/host.hpp"
#include "support/logo_problem.hpp"
#include "support/relief_problem.hpp"
#include "support/soft_margins.hpp"
#include <limits>

namespace relief_problem {

TEST_CASE("ReliefF is the plain mean over the k nearest of every class") {
  for (std::uint64_t round = 0; round < 10; ++round) {
    const ReliefProblem problem(round);
    for (const int k : {1, 3}) {
      hitmiss::NearReliefOptions options;
      options.k = k;
      const auto scores = with_threads(2, [&](hitmiss::Runtime &runtime) {
        return hitmiss::near_relief(problem.view(), problem.y, options,
                                    runtime);
      });
      for (int j = 0; j < n_features; ++j) {
        double expected = 0.0;
        for (int a = 0; a < n; ++a) {
          const int own = problem.y[a];
          expected -= near_mean(problem, a, own, k, j);
          for (int c = 0; c < 3; ++c)
            if (c != own)
              expected += problem.y.count(c) /
                          static_cast<double>(n - problem.y.count(own)) *
                          near_mean(problem, a, c, k, j);
        }
        CHECK(scores[j] == Approx(expected / n).margin(1e-12));
      }
    }
  }
}

} // namespace relief_problem

namespace logo_problem {

TEST_CASE("Relief finds the separating feature, on any number of threads") {
  const Problem problem(50, 300);
  const auto run = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::near_relief(problem.view(), problem.y(), {}, runtime);
    });
  };
  const auto scores = run(1);
  CHECK(std::max_element(scores.begin(), scores.end()) == scores.begin());
  CHECK(scores == run(3));
}

} // namespace logo_problem
