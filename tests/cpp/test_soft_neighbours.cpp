// Tests of hitmiss/soft/soft_neighbours.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/soft/soft_neighbours.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("expected margins: softmax by kind, no underflow, no hit") {
  const Line line({0.0, 1.0, 5e4, 5e4 + 2.0});
  const hitmiss::ClassIndex y({0, 0, 0, 1}, 2);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    auto margins = line.margins(y, 2.0, hitmiss::best_simd_level(), runtime);
    const auto c = all_rows(margins, runtime);
    CHECK(c.row(0)[1] == Approx(-1.0));
    CHECK(c.row(0)[3] == 1.0);
    CHECK(c.row(3)[3] == 0.0);
    CHECK(c.row(3)[2] == Approx(1.0));
    CHECK(c.row(3)[4] == 0.0);
    CHECK(margins.hit_mass()[0] == Approx(1.0));
    CHECK(margins.hit_mass()[3] == 0.0);
    return 0;
  });
}

TEST_CASE("expected margins: the plain softmax of each kind") {
  Array<int> labels(70);
  for (Index a = 0; a < labels.size(); ++a)
    labels[a] = a == 3 ? 2 : static_cast<int>(a * a / 3 % 2); // 3 is alone
  const hitmiss::ClassIndex y(labels, 3);
  const int n = y.n_samples();
  hitmiss::RandomStream random(9, 4, hitmiss::Purpose::simulation);
  Array<double> place(labels.size());
  for (double &value : place)
    value = random.uniform();
  place[9] = place[4]; // at the same place
  const Line line(place);
  // Nearness of all, of some, and of the nearest alone; no chance underflows.
  for (const double sigma : {0.7, 0.0034, 0.0003, 1e-310}) {
    const auto plain = soft_margins(
        y, sigma, [&](int a, int b) { return std::abs(place[a] - place[b]); });
    for (const auto level : levels())
      with_threads(2, [&](hitmiss::Runtime &runtime) {
        auto margins = line.margins(y, sigma, level, runtime);
        const auto c = all_rows(margins, runtime);
        double worst = 0.0;
        for (int a = 0; a < n; ++a) {
          CHECK(margins.hit_mass()[a] ==
                Approx(plain.hit_mass[a]).epsilon(1e-10));
          for (int b = 0; b < n; ++b)
            worst = std::max(worst, std::abs(c.row(a)[b] - plain.c[a][b]));
        }
        CHECK(worst < 1e-12);
        return 0;
      });
  }
}

TEST_CASE("symmetric margins: both directions, of all rows and of some") {
  const auto check = [](auto zero, Index n, double sigma, SimdLevel level) {
    using T = decltype(zero);
    return with_threads(3, [&](hitmiss::Runtime &runtime) {
      Array<double> places;
      for (Index a = 0; a < n; ++a)
        places.push_back(std::sin(static_cast<double>(a * a)));
      const Line line(places);
      const auto y = some_classes(n);
      auto margins = line.margins(y, sigma, level, runtime);
      const auto c = all_rows(margins, runtime);
      PairMatrix<T> s(n, n);
      double worst = 0.0;
      for (const Index begin : {0, 32}) { // the second in used memory
        if (begin >= n)
          continue;
        Array<double> r;
        for (Index a = 0; a < n; ++a)
          r.push_back((begin == 0 ? 0.3 : 0.9) / static_cast<double>(a + 1));
        margins.symmetric(r, {begin, n}, s, runtime);
        for (Index a = begin; a < hitmiss::round_up(n, 32); ++a)
          for (Index b = begin; b < s.stride(); ++b) {
            const double value = b <= a || b >= n
                                     ? 0.0
                                     : r[a] * c.row(a)[b] + r[b] * c.row(b)[a];
            const double found = static_cast<double>(s.row(a - begin)[b]);
            worst = std::max(worst, std::abs(found - value));
          }
      }
      return worst;
    });
  };
  for (const Index n : {2, 31, 32, 75})
    for (const double sigma : {0.5, 0.001})
      for (const auto level : levels()) {
        CHECK(check(0.0, n, sigma, level) < 1e-14);
        CHECK(check(0.0f, n, sigma, level) < 1e-6);
      }
}

} // namespace pair_data
