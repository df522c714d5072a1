// Tests of hitmiss/comparators/graph_forms.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/graph_forms.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("graph forms: by hand, in units of the range") {
  const Values x{0,   1,       4,       2,        //
                 7,   7,       7,       7,        // constant
                 1e9, 1e9 + 1, 1e9 + 4, 1e9 + 2}; // an offset costs nothing
  const auto view = hitmiss::view_by_feature(x.data(), 4, 3);
  const std::vector<hitmiss::GraphEdges> graphs{{{0, 1, 2.0}, {1, 2, 0.5}},
                                                {{0, 3, -1.0}}};
  for (const int threads : {1, 3}) {
    const auto forms = with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::graph_forms(view, graphs, runtime);
    });
    const Values expected{6.5 / 16, 0, 6.5 / 16, -0.25, 0, -0.25};
    CHECK(forms == expected);
  }
  CHECK_THROWS_AS(
      with_threads(
          1,
          [&](hitmiss::Runtime &runtime) {
            return hitmiss::graph_forms(view, {{{0, 4, 1.0}}}, runtime);
          }),
      std::invalid_argument);
}

} // namespace reference_scores
