// Tests of hitmiss/comparators/discretise.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/discretise.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

TEST_CASE("equal frequency: ties share the bin of their mean rank") {
  const Values ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const BinOptions five{BinRule::frequency, 5};
  // floor(10 / 5) = 2 bins, whatever was asked for.
  CHECK((codes(ten, alternating(10), five) ==
         Array<int>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
  // Mean rank 2.5 of the first four, (2.5 - 0.5) / 10 * 2 < 1; the others 7.5.
  CHECK((codes({1, 1, 1, 1, 2, 2, 2, 2, 2, 2}, alternating(10), five) ==
         Array<int>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  // A tie across the middle: mean rank 5.5, exactly the start of bin 1.
  CHECK((codes({0, 3, 3, 3, 3, 3, 3, 3, 3, 9}, alternating(10), five) ==
         Array<int>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST_CASE("three sigma: levels below, within and above the mean") {
  // Mean 0, sd sqrt(2.5), half of it 0.79.
  CHECK((codes({-2, -1, 0, 1, 2}, alternating(5), {BinRule::three_sigma, 5}) ==
         Array<int>{0, 0, 1, 2, 2}));
  CHECK((codes({-3, 0, 0, 0, 3}, alternating(5), {BinRule::three_sigma, 5}) ==
         Array<int>{0, 1, 1, 1, 2}));
  // Mean 0, sd 2: what lies on the border is within.
  CHECK((codes({-3, 3, -2, 2, -2, 2, -1, 1, 0, 0}, alternating(10),
               {BinRule::three_sigma, 5}) ==
         Array<int>{0, 2, 0, 2, 0, 2, 1, 1, 1, 1}));
}

TEST_CASE("description length: a clean cut pays, noise does not") {
  Values values(20);
  Array<int> clean(20), noise = alternating(20);
  for (Index i = 0; i < 20; ++i) {
    values[i] = static_cast<double>(i);
    clean[i] = i < 8 ? 0 : 1;
  }
  Array<int> expected(20);
  for (Index i = 8; i < 20; ++i)
    expected[i] = 1;
  const BinOptions mdl{BinRule::mdl, 5};
  CHECK((codes(values, clean, mdl) == expected));
  CHECK((codes(values, noise, mdl) == Array<int>(20, 0)));
  // A good cut that does not pay: 0.43 bits gained, 0.46 asked.
  const Array<int> nearly{0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0};
  values.resize(15);
  CHECK((codes(values, nearly, mdl) == Array<int>(15, 0)));
  // Two cuts: the classes lie in three runs.
  Array<int> runs(60);
  Values places(60);
  for (Index i = 0; i < 60; ++i) {
    places[i] = static_cast<double>(i);
    runs[i] = i / 20 == 1 ? 1 : 0;
  }
  const auto three = codes(places, runs, mdl);
  CHECK(three[19] == 0);
  CHECK(three[20] == 1);
  CHECK(three[39] == 1);
  CHECK(three[40] == 2);
}

} // namespace reference_scores
