// Tests of hitmiss/comparators/association.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/association.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("chi-squared and information of the table (8 2; 3 7)") {
  Array<int> rows, columns;
  const int counts[2][2] = {{8, 2}, {3, 7}};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int i = 0; i < counts[a][b]; ++i) {
        rows.push_back(a);
        columns.push_back(b);
      }
  const hitmiss::CodeGroups groups(columns.data(), 2, 20);
  const hitmiss::CountEntropy entropy(20);
  hitmiss::Comparison with(groups, entropy);
  CHECK(std::abs(with.chi_squared(rows.data(), 2) - 5.050505050505) < 1e-11);
  CHECK(std::abs(with.information(rows.data(), 2) - 0.132505450917) < 1e-11);
}

TEST_CASE("information: none for independent tables, log n for copies") {
  for (const int n : {2, 6, 30, 1000, 100000}) {
    Array<int> parity, half;
    for (int i = 0; i < n; ++i) {
      parity.push_back(i % 2);
      half.push_back(i / 2 % 2);
    }
    const hitmiss::CountEntropy entropy(n);
    const hitmiss::CodeGroups by_parity(parity.data(), 2, n);
    hitmiss::Comparison with(by_parity, entropy);
    CHECK(std::abs(with.information(parity.data(), 2) - std::log(2.0)) < 1e-10);
    if (n % 4 == 0)
      CHECK(with.information(half.data(), 2) == 0.0);
  }
}

TEST_CASE("information: many codes as few, in any order") {
  hitmiss::RandomStream draw(3, 0, hitmiss::Purpose::simulation);
  for (const int n_codes : {1, 3, 40, 400}) {
    constexpr int n = 300;
    Array<int> a(n), b(n);
    for (int i = 0; i < n; ++i) {
      a[i] = draw.below(n_codes);
      b[i] = draw.below(3) == 0 ? a[i] : draw.below(n_codes);
    }
    const hitmiss::CountEntropy entropy(n);
    const hitmiss::CodeGroups by_a(a.data(), n_codes, n),
        by_b(b.data(), n_codes, n);
    hitmiss::Comparison with_a(by_a, entropy), with_b(by_b, entropy);
    // Of all pairs of codes, one after the other.
    double information = 0.0, squares = 0.0;
    for (int p = 0; p < n_codes; ++p)
      for (int q = 0; q < n_codes; ++q) {
        double both = 0.0;
        for (int i = 0; i < n; ++i)
          both += a[i] == p && b[i] == q ? 1.0 : 0.0;
        const double apart = static_cast<double>(by_a.count(p)) *
                             static_cast<double>(by_b.count(q)) / n;
        if (both > 0.0)
          information += both / n * std::log(both / apart);
        if (apart > 0.0)
          squares += (both - apart) * (both - apart) / apart;
      }
    const double found = with_a.information(b.data(), n_codes);
    CHECK(found == Approx(information).margin(1e-10));
    CHECK(with_b.information(a.data(), n_codes) == found);
    CHECK(with_a.information(b.data(), n_codes) == found); // memory is clean
    CHECK(with_a.chi_squared(b.data(), n_codes) ==
          Approx(squares).margin(1e-9));
    CHECK(with_b.chi_squared(a.data(), n_codes) ==
          Approx(squares).margin(1e-9));
  }
}

} // namespace reference_scores
