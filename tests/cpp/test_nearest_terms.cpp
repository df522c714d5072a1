// Tests of hitmiss/relief/nearest_terms.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/nearest_terms.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("near terms: every rule is the plain mean, ties share places") {
  const hitmiss::AllowedPairs every;
  const hitmiss::ClassIndex y({0, 1, 1, 2, 2, 2, 2, 1, 2, 2}, 3);
  const auto samples = hitmiss::all_samples(10);
  for (std::uint64_t round = 0; round < 20; ++round) {
    hitmiss::RandomStream random(3, round, hitmiss::Purpose::simulation);
    Array<double> places;
    for (int a = 0; a < 20; ++a)
      places.push_back(static_cast<double>(random.below(4)));
    const hitmiss::Scaling plain{{0.0, 0.0}, {1.0, 1.0}, {0, 0}};
    const hitmiss::ScaledView x{hitmiss::view_by_feature(places.data(), 10, 2),
                                &plain};
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto level = hitmiss::best_simd_level();
      const auto metric = hitmiss::Metric::manhattan;
      const hitmiss::SampleDistances distances(x, {1.0, 1.0}, metric, level);
      const hitmiss::AllowedCounts counts(y, every);
      const auto d =
          hitmiss::sample_distances(x, {1.0, 1.0}, metric, level, runtime);
      for (const auto rule : {MissRule::pooled, MissRule::map, MissRule::prior,
                              MissRule::conditional})
        for (const int k : {1, 2, 4}) {
          auto expected = plain_terms(d, y, k, rule);
          for (const auto &list :
               nearest_terms_of(distances, samples,
                                NearRule{y, every, counts, rule, k}, runtime))
            for (const auto &term : list.terms)
              expected[list.sample * 10 + term.sample] -= term.coefficient;
          double off = 0.0;
          for (const double rest : expected)
            off = std::max(off, std::abs(rest));
          CHECK(off < 1e-14);
        }
      return 0;
    });
  }
}

} // namespace pair_data
