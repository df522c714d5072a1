// Tests of hitmiss/comparators/rank_products.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/rank_products.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("rank products: the matrix formed, ties, both widths of numbers") {
  // 70 features: more than a block. 400 samples: more than floats hold.
  for (const int n : {7, 400}) {
    const int count = 70;
    Values x(n * count);
    hitmiss::RandomStream stream(3, 0, hitmiss::Purpose::simulation);
    for (double &value : x)
      value = std::floor(20.0 * stream.uniform());
    const auto view = hitmiss::view_by_feature(x.data(), n, count);
    Values factors(count);
    for (double &factor : factors)
      factor = stream.uniform() - 0.3;
    Values ranks;
    const auto product = [&](hitmiss::SimdLevel simd, int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        ranks = hitmiss::centred_ranks(view, runtime);
        return hitmiss::rank_products(ranks.data(), n, factors, simd, runtime);
      });
    };
    const Values found = product(hitmiss::SimdLevel::baseline, 1);
    CHECK(product(hitmiss::best_simd_level(), 1) == found);
    CHECK(product(hitmiss::best_simd_level(), 3) == found);
    for (int i = 0; i < count; ++i) {
      double expected = 0.0, size = 0.0;
      for (int j = 0; j < count; ++j) {
        double dot = 0.0;
        for (int a = 0; a < n; ++a)
          dot += ranks[i * n + a] * ranks[j * n + a];
        expected += std::abs(dot) * factors[j];
        size += std::abs(dot);
      }
      CHECK(std::abs(found[i] - expected) < 1e-12 * size);
    }
    // 2 (smaller ones) + equal ones - n, of the first feature.
    for (int a = 0; a < n; ++a) {
      int rank = -n;
      for (int b = 0; b < n; ++b)
        rank += (x[b] < x[a]) + (x[b] <= x[a]);
      CHECK(ranks[a] == rank);
    }
  }
}

} // namespace reference_scores
