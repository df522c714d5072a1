// Tests of hitmiss/vote/nearest_vote.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/vote/nearest_vote.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("votes: ties go to the class of the nearest among the tied") {
  const auto winner = [](const Array<double> &d, const hitmiss::ClassIndex &y,
                         int k, Array<double> expected) {
    Array<double> share(2);
    hitmiss::NearestList near(k);
    for (int i = 0; i < d.size(); ++i)
      near.offer({d[i], i});
    near.sort();
    const int found =
        hitmiss::detail::hard_vote(near.neighbours(), k, y, share);
    for (int c = 0; c < 2; ++c)
      CHECK(share[c] == Approx(expected[c]));
    return found;
  };
  const Array<double> apart{1.0, 2.0, 3.0, 4.0};
  CHECK(winner(apart, {{1, 0, 0, 1}, 2}, 4, {0.5, 0.5}) == 1);
  CHECK(winner(apart, {{1, 0, 0, 1}, 2}, 3, {2.0 / 3.0, 1.0 / 3.0}) == 0);
  CHECK(winner(apart, {{1, 0, 1, 0}, 2}, 4, {0.5, 0.5}) == 1);
  // Two of three share the last of two places, or all the one that there is.
  CHECK(winner({1.0, 2.0, 2.0, 9.0}, {{1, 0, 1, 0}, 2}, 2, {0.25, 0.75}) == 1);
  CHECK(winner({1.0, 1.0, 9.0, 9.0}, {{1, 0, 1, 0}, 2}, 1, {0.5, 0.5}) == 0);
}

TEST_CASE("votes: near samples do not tie because others are far away") {
  const Array<double> values{0.0, 10.0, 1e6}, asked{10.0, 1e6, 1.0};
  const hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  const auto samples = [&](const Array<double> &x) {
    return hitmiss::ScaledView{hitmiss::view_by_feature(x.data(), 3, 1),
                               &plain};
  };
  hitmiss::VoteOptions options;
  options.k = 1;
  for (const auto metric :
       {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean}) {
    options.metric = metric;
    const auto votes = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::nearest_vote(samples(asked), samples(values),
                                   hitmiss::ClassIndex({0, 1, 2}, 3), {1.0},
                                   options, runtime);
    });
    CHECK((votes.winner == Array<int>{1, 2, 0}));
    CHECK(votes.share[3] == 1.0);
    // Instead of classes, the mean of numbers; of two, the nearest two.
    for (const int k : {1, 2}) {
      options.k = k;
      const auto means = with_threads(1, [&](hitmiss::Runtime &runtime) {
        return hitmiss::nearest_mean(samples(asked), samples(values),
                                     {4.0, -2.0, 8.0}, {1.0}, options, runtime);
      });
      CHECK((means == (k == 1 ? Array<double>{-2.0, 8.0, 4.0}
                              : Array<double>{1.0, 3.0, 1.0})));
    }
    options.k = 1;
  }
}

} // namespace pair_data
