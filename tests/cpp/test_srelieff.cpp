// Tests of hitmiss/relief/srelieff.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <stdexcept>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/srelieff.hpp>

#include "support/host.hpp"
#include "support/relief_problem.hpp"

namespace relief_problem {

/// Positions with ties, also at the ends; about half are events.
hitmiss::SurvivalOutcome outcome_of(std::uint64_t round) {
  hitmiss::RandomStream random(22, round, hitmiss::Purpose::simulation);
  hitmiss::SurvivalOutcome outcome;
  for (int i = 0; i < n; ++i) {
    outcome.event.push_back(static_cast<char>(random.below(2)));
    outcome.position.push_back(static_cast<double>(random.below(9)) / 8.0);
  }
  return outcome;
}

/// The mean over the middles of `steps` parts of each uncertain position.
double integrated(const hitmiss::SurvivalOutcome &outcome, int a, int b) {
  constexpr int steps = 400;
  double sum = 0.0;
  const auto at = [&](int i, int step) {
    const double p = outcome.position[i];
    return outcome.event[i] ? p : p + (1.0 - p) * (step + 0.5) / steps;
  };
  for (int s = 0; s < steps; ++s)
    for (int t = 0; t < steps; ++t)
      sum += std::abs(at(a, s) - at(b, t));
  return sum / (double{steps} * steps);
}

TEST_CASE("the distance of two positions is its expectation") {
  for (std::uint64_t round = 0; round < some_of(3); ++round) {
    const auto outcome = outcome_of(round);
    for (int a = 0; a < n; a += 2)
      for (int b = 0; b < n; b += 3) {
        if (a == b)
          continue;
        CHECK(std::abs(outcome.apart(a, b) - integrated(outcome, a, b)) < 1e-3);
        CHECK(std::abs(outcome.apart(a, b) - outcome.apart(b, a)) < 1e-15);
      }
  }
}

TEST_CASE("srelieff: all others as neighbours are the plain sum") {
  for (std::uint64_t round = 0; round < some_of(20); ++round) {
    const ReliefProblem problem(round);
    const auto outcome = outcome_of(round);
    hitmiss::NeighbourOptions options;
    options.k = n;
    const auto run = [&](int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::srelieff(problem.view(), outcome, options, runtime);
      });
    };
    const auto found = run(1);
    CHECK(run(3).scores == found.scores);
    Array<double> sums(n_features);
    double spread = 0.0, censored = 0.0;
    for (int i = 0; i < n; ++i) {
      double mean = 0.0;
      for (int o = 0; o < n; ++o)
        mean += o == i ? 0.0 : outcome.apart(i, o) / (n - 1);
      for (int o = 0; o < n; ++o) {
        if (o == i)
          continue;
        const double off = (outcome.apart(i, o) - mean) / (n - 1);
        spread += std::max(off, 0.0);
        censored += outcome.event[i] ? 0.0 : std::max(off, 0.0);
        for (int j = 0; j < n_features; ++j)
          sums[j] += off * problem.apart(i, o, j);
      }
    }
    CHECK(std::abs(found.spread - spread) < 1e-12);
    CHECK(std::abs(found.censored - censored / spread) < 1e-12);
    for (int j = 0; j < n_features; ++j) {
      CHECK(std::abs(found.scores[j] - sums[j] / spread) < 1e-12);
      CHECK(std::abs(found.scores[j]) <= 1.0);
    }
  }
}

TEST_CASE("srelieff: equal times have no score, bad positions are refused") {
  const ReliefProblem problem(1);
  hitmiss::SurvivalOutcome outcome;
  outcome.position.assign(n, 0.5);
  outcome.event.assign(n, 1);
  const auto run = [&] {
    return with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::srelieff(problem.view(), outcome, {}, runtime);
    });
  };
  CHECK(run().spread == 0.0);
  CHECK(run().scores == Array<double>(n_features, 0.0));
  for (const double bad : {-0.1, 1.1, std::nan("")}) {
    outcome.position[3] = bad;
    CHECK_THROWS_AS(run(), std::invalid_argument);
  }
  outcome.position.assign(n - 1, 0.5);
  CHECK_THROWS_AS(run(), std::invalid_argument);
}

} // namespace relief_problem
