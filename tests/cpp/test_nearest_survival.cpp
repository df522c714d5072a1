// Tests of hitmiss/vote/nearest_survival.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <testthat/vendor/catch.h>

#include <hitmiss/vote/nearest_survival.hpp>

#include "support/host.hpp"

namespace nearest_survival {

using hitmiss::Array;
using hitmiss::Index;

constexpr int n = 15, n_features = 3;

struct Problem {
  explicit Problem(std::uint64_t round) {
    hitmiss::RandomStream random(24, round, hitmiss::Purpose::simulation);
    values = grid_values(random, n * n_features, 1000);
    for (int i = 0; i < n; ++i) {
      voters.step.push_back(static_cast<int>(random.below(6)));
      voters.event.push_back(static_cast<char>(random.below(3) > 0));
      voters.position.push_back(static_cast<double>(i) / n);
    }
    voters.grid = {0, 1, 3, 6};
  }
  hitmiss::MatrixView view() const {
    return hitmiss::view_by_feature(values.data(), n, n_features);
  }

  Array<double> values;
  hitmiss::SurvivalVoters voters;
};

TEST_CASE("with all samples as neighbours every curve is Kaplan-Meier's") {
  for (std::uint64_t round = 0; round < some_of(20); ++round) {
    const Problem problem(round);
    const auto found = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::nested_survival(problem.view(), problem.view(),
                                      problem.voters, {1, n_features}, n,
                                      runtime);
    });
    const auto &voters = problem.voters;
    for (Index g = 0; g < voters.grid.size(); ++g) {
      double alive = 1.0, mean = 0.0;
      for (int t = 0; t < voters.grid[g]; ++t) {
        double risk = 0.0, dead = 0.0;
        for (int i = 0; i < n; ++i) {
          risk += voters.step[i] >= t ? 1.0 : 0.0;
          dead += voters.step[i] == t && voters.event[i] ? 1.0 : 0.0;
        }
        alive *= risk > 0.0 ? 1.0 - dead / risk : 1.0;
      }
      for (const double p : voters.position)
        mean += p / n;
      for (Index s = 0; s < 2; ++s)
        for (int q = 0; q < n; ++q) {
          CHECK(std::abs(found.curve[(s * voters.grid.size() + g) * n + q] -
                         alive) < 1e-12);
          CHECK(std::abs(found.risk[s * n + q] - (1.0 - mean)) < 1e-12);
        }
    }
  }
}

// Values of single draws hardly ever tie, so that each has k neighbours.
TEST_CASE("a neighbour weighs the less the more samples it is near to") {
  const int k = 4;
  for (std::uint64_t round = 0; round < some_of(20); ++round) {
    const Problem problem(round);
    const auto &voters = problem.voters;
    const auto distance = [&](int a, int b) {
      double sum = 0.0;
      for (int j = 0; j < n_features; ++j)
        sum += std::pow(problem.values[j * n + a] - problem.values[j * n + b],
                        2.0);
      return sum;
    };
    const auto nearest = [&](int of, bool itself) {
      Array<int> others;
      for (int i = 0; i < n; ++i)
        if (itself || i != of)
          others.push_back(i);
      std::sort(others.begin(), others.end(), [&](int a, int b) {
        return distance(of, a) < distance(of, b);
      });
      others.resize(k);
      return others;
    };
    Array<double> weight(n, 1.0);
    for (int i = 0; i < n; ++i)
      for (const int other : nearest(i, false))
        weight[other] += 1.0;
    const auto found = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::nested_survival(problem.view(), problem.view(), voters,
                                      {n_features}, k, runtime);
    });
    for (int q = 0; q < n; ++q)
      for (Index g = 0; g < voters.grid.size(); ++g) {
        double alive = 1.0;
        for (int t = 0; t < voters.grid[g]; ++t) {
          double risk = 0.0, dead = 0.0;
          for (const int i : nearest(q, true)) {
            risk += voters.step[i] >= t ? 1.0 / weight[i] : 0.0;
            dead +=
                voters.step[i] == t && voters.event[i] ? 1.0 / weight[i] : 0.0;
          }
          alive *= dead > 0.0 ? 1.0 - dead / risk : 1.0;
        }
        CHECK(std::abs(found.curve[g * n + q] - alive) < 1e-12);
      }
  }
}

TEST_CASE("both searches give the same votes, for any number of threads") {
  for (std::uint64_t round = 0; round < some_of(20); ++round) {
    const Problem problem(round);
    const hitmiss::Scaling scaling{Array<double>(n_features, 0.0),
                                   Array<double>(n_features, 1.0),
                                   Array<char>(n_features)};
    const hitmiss::ScaledView x{problem.view(), &scaling};
    hitmiss::VoteOptions options;
    options.k = 4;
    options.metric = hitmiss::Metric::euclidean;
    const auto run = [&](int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::nearest_survival(x, x, problem.voters, {1, 1, 1},
                                         options, runtime);
      });
    };
    const auto found = run(1);
    CHECK(run(3).curve == found.curve);
    const auto nested = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::nested_survival(problem.view(), problem.view(),
                                      problem.voters, {n_features}, 4, runtime);
    });
    for (Index i = 0; i < found.risk.size(); ++i)
      CHECK(std::abs(found.risk[i] - nested.risk[i]) < 1e-12);
    for (Index i = 0; i < found.curve.size(); ++i)
      CHECK(std::abs(found.curve[i] - nested.curve[i]) < 1e-12);
  }
}

TEST_CASE("voters that contradict each other are refused") {
  for (int fault = 0; fault < 4; ++fault) {
    Problem problem(1);
    auto &voters = problem.voters;
    if (fault == 0)
      voters.step[2] = -1;
    else if (fault == 1)
      voters.grid[1] = n + 1;
    else if (fault == 2)
      voters.event.pop_back();
    else
      voters.position.push_back(0.5);
    CHECK_THROWS_AS(with_threads(1,
                                 [&](hitmiss::Runtime &runtime) {
                                   return hitmiss::nested_survival(
                                       problem.view(), problem.view(), voters,
                                       {1}, 2, runtime);
                                 }),
                    std::invalid_argument);
  }
}

} // namespace nearest_survival
