// Tests of hitmiss/relief/sample_margins.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
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

TEST_CASE("class margins: half of a class, half of the others that see it") {
  constexpr Index n = 50, n_features = 21;
  const Data data(n, n_features);
  const auto x = data.view();
  // The last class has one sample; in block 1 there is none of class 0.
  Array<int> labels(n), blocks(n);
  for (int i = 0; i < n; ++i) {
    labels[i] = i == 7 ? 3 : i % 3;
    blocks[i] = labels[i] > 0 && i % 2 > 0;
  }
  const hitmiss::ClassIndex y(labels, 4);
  for (const bool blocked : {false, true})
    for (const auto level : levels()) {
      const hitmiss::AllowedPairs allowed(blocked ? blocks : Array<int>(), {});
      const hitmiss::AllowedCounts counts(y, allowed);
      Array<hitmiss::SampleTerms> lists;
      Array<double> sums(n_features);
      const auto found = with_threads(2, [&](hitmiss::Runtime &runtime) {
        const hitmiss::ReferenceSamples all(y, counts, 0, runtime);
        hitmiss::ClassMargins margins(n_features, y, counts, all);
        const hitmiss::SampleDistances d(x, Array<double>(n_features, 1.0),
                                         hitmiss::Metric::manhattan, level);
        Array<double> times(n);
        hitmiss::nearest_terms(
            d, all.samples, NearRule{y, allowed, counts}, runtime, times,
            [&](const Array<hitmiss::SampleTerms> &some) {
              lists.insert(lists.end(), some.begin(), some.end());
              hitmiss::add_margins(x, some, level, sums, runtime, &margins);
            });
        return margins.take();
      });
      for (Index f = 0; f < n_features; ++f) {
        Array<double> own(4), others(4), n_own(4), n_others(4);
        double whole = 0.0;
        for (const auto &list : lists) {
          Array<double> sum(4), weight(4);
          for (const auto &term : list.terms) {
            const int c = labels[term.sample];
            sum[c] += term.coefficient *
                      difference(data, f, list.sample, term.sample);
            weight[c] += term.coefficient;
          }
          const int mine = labels[list.sample];
          const double margin = std::accumulate(sum.begin(), sum.end(), 0.0);
          whole += margin;
          own[mine] += margin;
          n_own[mine] += 1.0;
          const double hits =
              weight[mine] < 0.0 ? sum[mine] / weight[mine] : 0.0;
          for (int c = 0; c < 4; ++c)
            if (c != mine && weight[c] > 0.0) {
              others[c] += sum[c] / weight[c] - hits;
              n_others[c] += 1.0;
            }
        }
        CHECK(sums[f] == Approx(whole).margin(1e-12));
        for (int c = 0; c < 4; ++c)
          CHECK(found[c * n_features + f] ==
                Approx(own[c] / n_own[c] / 2.0 + others[c] / n_others[c] / 2.0)
                    .margin(1e-12));
      }
    }
}

} // namespace pair_data
