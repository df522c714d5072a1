// Tests of hitmiss/comparators/mrmr.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/mrmr.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("mrmr: the copy of a picked feature waits, constants never enter") {
  // f0 follows y but for 1 of 12; f1 is its copy; f2 errs twice, elsewhere;
  // f3 is constant.
  const Array<int> labels{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Values f0{1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Values f2{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  Values x = f0;
  x.insert(x.end(), f0.begin(), f0.end());
  x.insert(x.end(), f2.begin(), f2.end());
  x.insert(x.end(), 12, 5.0);
  const hitmiss::ClassIndex y(labels, 2);
  for (const int threads : {1, 3})
    for (const auto criterion : {hitmiss::MrmrCriterion::difference,
                                 hitmiss::MrmrCriterion::quotient}) {
      const auto result = with_threads(threads, [&](hitmiss::Runtime &runtime) {
        const auto binned =
            hitmiss::bin_features(hitmiss::view_by_feature(x.data(), 12, 4), y,
                                  {BinRule::three_sigma, 5}, runtime);
        return hitmiss::mrmr(binned, y, {4, criterion}, runtime);
      });
      CHECK((result.picked == Array<Index>{0, 2, 1}));
      CHECK(result.relevance[0] == result.relevance[1]);
      CHECK(result.relevance[3] == 0.0);
    }
}

} // namespace reference_scores
