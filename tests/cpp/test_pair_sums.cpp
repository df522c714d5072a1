// Tests of hitmiss/soft/pair_sums.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/soft/pair_sums.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("Gradients and columns of all shapes and paths") {
  for (const Index n : {2, 7, 33, 300})
    for (const Index j : {1, 5, 67}) {
      const Data data(n, j);
      const auto x = data.view();
      const auto y = some_classes(n);
      const double sigma = 0.7;
      const auto soft = soft_margins(y, sigma, [&](int a, int b) {
        double d = 0.0;
        for (Index f = 0; f < j; ++f)
          d += difference(data, f, a, b);
        return d;
      });
      Array<double> r, gradient, column; // by the definition, once
      for (Index a = 0; a < n; ++a)
        r.push_back(1.0 / static_cast<double>(a + 1));
      for (Index f = 0; f < j; ++f) {
        gradient.push_back(0.0);
        for (Index a = 0; a < n; ++a) {
          column.push_back(0.0);
          for (Index b = 0; b < n; ++b)
            column.back() += soft.c[a][b] * difference(data, f, a, b);
          gradient.back() += r[a] * column.back();
        }
      }
      hitmiss::FeatureList all;
      for (Index f = 0; f < j; ++f)
        all.push_back(f);
      for (const auto level : levels())
        for (const Index held : {Index{0}, n}) // rows measured again, or held
          with_threads(3, [&](hitmiss::Runtime &runtime) {
            const hitmiss::AllowedPairs every;
            hitmiss::ColumnSums sums(x, all, level, runtime);
            PairMatrix<double> memory;
            const hitmiss::SoftNeighbours margins(
                hitmiss::DistanceRows(x, Array<double>(j, 1.0), level, held,
                                      memory, runtime),
                {y, every, sigma, level}, runtime, std::ref(sums));
            PairMatrix<double> s;
            PairMatrix<float> s_float;
            const auto g =
                hitmiss::pair_gradient(x, margins, r, s, level, runtime);
            PairMatrix<double> part(32, n);
            const auto by_parts =
                hitmiss::pair_gradient(x, margins, r, part, level, runtime);
            const auto g_float =
                hitmiss::pair_gradient(x, margins, r, s_float, level, runtime);
            const auto &z = sums.columns();
            double worst = 0.0, worst_float = 0.0, worst_column = 0.0;
            for (Index f = 0; f < j; ++f) {
              for (Index a = 0; a < n; ++a)
                worst_column = std::max(worst_column,
                                        std::abs(z[f][a] - column[f * n + a]));
              worst = std::max({worst, std::abs(g[f] - gradient[f]),
                                std::abs(by_parts[f] - gradient[f])});
              worst_float =
                  std::max(worst_float, std::abs(g_float[f] - gradient[f]));
            }
            CHECK(worst < 1e-12);
            CHECK(worst_float < 1e-5);
            CHECK(worst_column < 1e-12);
            return 0;
          });
    }
}

TEST_CASE("a gradient of few features is the sum over all rows") {
  constexpr Index n = 600, j = 70; // two tiles, of each some parts of the rows
  const Data data(n, j);
  const auto x = data.view();
  const auto y = some_classes(n);
  const hitmiss::AllowedPairs every;
  const auto level = hitmiss::best_simd_level();
  Array<double> r;
  for (Index a = 0; a < n; ++a)
    r.push_back(1.0 / static_cast<double>(a % 7 + 1));
  const auto gradient = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      PairMatrix<double> memory, s;
      hitmiss::SoftNeighbours margins(
          hitmiss::DistanceRows(x, Array<double>(j, 0.1), level, n, memory,
                                runtime),
          {y, every, 1.0, level}, runtime);
      auto g = hitmiss::pair_gradient(x, margins, r, s, level, runtime);
      if (threads > 1)
        return g;
      const auto c = all_rows(margins, runtime);
      for (Index f = 0; f < j; f += 23) {
        double plain = 0.0;
        for (Index a = 0; a < n; ++a)
          for (Index b = 0; b < n; ++b)
            plain += r[a] * c.row(a)[b] * std::abs(x(a, f) - x(b, f));
        CHECK(g[f] == Approx(plain).epsilon(1e-9));
      }
      return g;
    });
  };
  CHECK(gradient(1) == gradient(3));
}

} // namespace pair_data
