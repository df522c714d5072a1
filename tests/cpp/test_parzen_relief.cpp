// Tests of hitmiss/relief/parzen_relief.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/parzen_relief.hpp>

#include "support/host.hpp"
#include "support/logo_problem.hpp"
#include "support/relief_problem.hpp"
#include "support/soft_margins.hpp"
#include <limits>

namespace relief_problem {

TEST_CASE("P-Relief is the plain mean of the kernel over hits and misses") {
  for (const bool self : {false, true})
    for (const double bandwidth : {0.02, 0.3}) {
      const ReliefProblem problem(3);
      hitmiss::ParzenOptions options;
      options.bandwidth = bandwidth;
      options.self = self;
      const auto margins = with_threads(2, [&](hitmiss::Runtime &runtime) {
        return hitmiss::parzen_margins(problem.view(), problem.y, options,
                                       runtime);
      });
      for (int j = 0; j < n_features; ++j) {
        double expected = 0.0;
        for (int a = 0; a < n; ++a) {
          double hits = 0.0, misses = 0.0;
          for (int b = 0; b < n; ++b) {
            const double d = problem.apart(a, b, j) / bandwidth;
            if (problem.y[b] != problem.y[a])
              misses += std::exp(-0.5 * d * d);
            else if (self || b != a)
              hits += std::exp(-0.5 * d * d);
          }
          const int own = problem.y.count(problem.y[a]);
          const int others = self ? own : own - 1;
          expected += (others > 0 ? hits / others : 0.0) - misses / (n - own);
        }
        CHECK(margins[j] == Approx(j == 3 ? 0.0 : expected / n).margin(1e-12));
      }
    }
}

} // namespace relief_problem

namespace logo_problem {

TEST_CASE("P-Relief: the sum over a window is that over all pairs") {
  const Problem problem(400, 1);
  const auto y = problem.y();
  const auto parts = hitmiss::detail::parzen_parts(y, {}, false);
  REQUIRE(parts.size() == 1);
  const auto &weights = parts.front().weights;
  for (const double bandwidth : {0.003, 0.02, 0.3}) {
    Array<hitmiss::detail::LabelledValue> sorted;
    for (Index i = 0; i < problem.labels.size(); ++i)
      sorted.push_back({problem.view()(i, 0) / bandwidth, problem.labels[i]});
    std::sort(sorted.begin(), sorted.end());
    double plain = 0.0;
    for (Index a = 0; a < sorted.size(); ++a)
      for (Index b = 0; b < a; ++b) {
        const double d = sorted[a].value - sorted[b].value;
        plain +=
            weights(sorted[a].label, sorted[b].label) * std::exp(-0.5 * d * d);
      }
    for (const auto level :
         {hitmiss::SimdLevel::baseline, hitmiss::SimdLevel::avx2,
          hitmiss::SimdLevel::avx512}) {
      if (!hitmiss::simd_supported(level))
        continue;
      const double window = hitmiss::detail::window_sum(sorted, weights, level);
      CHECK(window == Approx(plain).epsilon(1e-12));
    }
  }
}

} // namespace logo_problem
