// Tests of hitmiss/relief/sample_margins.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/sample_margins.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("lists of terms: the sums over the lists, for every level") {
  const Data data(40, 37);
  const Array<hitmiss::SampleTerms> lists{{0, {{1, 0.5}}},
                                          {39, {{3, -1.25}, {8, 2.0}}}};
  for (const auto level : levels()) {
    const auto m = with_threads(2, [&](hitmiss::Runtime &runtime) {
      Array<double> sums(37);
      hitmiss::add_margins(data.view(), lists, level, sums, runtime);
      return sums;
    });
    for (Index f = 0; f < 37; ++f) {
      double expected = 0.0;
      for (const auto &list : lists)
        for (const auto &term : list.terms)
          expected +=
              term.coefficient * difference(data, f, list.sample, term.sample);
      CHECK(m[f] == Approx(expected).margin(1e-13));
    }
  }
}

} // namespace pair_data
