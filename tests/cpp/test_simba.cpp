// Tests of hitmiss/comparators/simba.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/simba.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("simba: one step by hand, then a score of 1 and of 0") {
  // Sample 0 has its hit at (0, 0.6), its miss at (0.8, 0).
  const std::vector<int> labels{0, 0, 1, 1};
  const hitmiss::ClassIndex y(labels, 2);
  const Values x{0, 0,   0.8, 0.9, //
                 0, 0.6, 0,   1,   //
                 5, 5,   5,   5};
  const hitmiss::Scaling none{{0, 0, 0}, {1, 1, 1}, {0, 0, 1}};
  const hitmiss::ScaledView view{hitmiss::view_by_feature(x.data(), 4, 3),
                                 &none};
  const double distances[] = {0.0, 0.6, 0.8, std::sqrt(1.81)};
  const auto near = hitmiss::detail::hit_and_miss(distances, y, 0);
  CHECK(near.hit.sample == 1);
  CHECK(near.miss.sample == 2);
  Values weights{1, 1, 1};
  hitmiss::detail::simba_step(view, 0, near, weights);
  CHECK(weights[0] == Approx(1.4));
  CHECK(weights[1] == Approx(0.7));
  CHECK(weights[2] == 1.0);
  for (const int threads : {1, 3}) {
    const auto result = with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::simba(view, y, {3, hitmiss::best_simd_level()}, runtime);
    });
    CHECK(result.visited.size() == 12);
    CHECK(result.scores[0] == 1.0);
    CHECK(result.scores[1] < 1.0);
    CHECK(result.scores[2] == 0.0);
  }
}

} // namespace reference_scores
