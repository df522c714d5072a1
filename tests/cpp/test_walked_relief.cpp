// Tests of hitmiss/relief/walked_relief.hpp, and of what it reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <stdexcept>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/walked_relief.hpp>

#include "support/host.hpp"
#include "support/relief_problem.hpp"

namespace relief_problem {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double farthest(const Array<double> &a, const Array<double> &b) {
  double most = a.size() == b.size() ? 0.0 : 1.0;
  for (Index j = 0; j < std::min(a.size(), b.size()); ++j)
    most = std::max(most, std::abs(a[j] - b[j]));
  return most;
}

/// The problem without some values of features 1 and 4.
struct HoledProblem : ReliefProblem {
  explicit HoledProblem(std::uint64_t round) : ReliefProblem(round) {
    hitmiss::RandomStream random(23, round, hitmiss::Purpose::simulation);
    for (const int j : {1, 4})
      for (int i = 0; i < n; ++i)
        if (random.below(4) == 0)
          values[j * n + i] = missing;
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
};

TEST_CASE("walked scores of whole data are those of the lists") {
  for (std::uint64_t round = 0; round < some_of(30); ++round) {
    const ReliefProblem problem(round);
    hitmiss::NearReliefOptions options;
    options.k = 2;
    options.centre = round % 2 == 0;
    options.metric = round % 3 == 0 ? hitmiss::Metric::euclidean
                                    : hitmiss::Metric::manhattan;
    for (const int samples : {0, 8}) {
      const auto lists = with_threads(1, [&](hitmiss::Runtime &runtime) {
        return hitmiss::sampled_relief(problem.view(), problem.y, options,
                                       samples, runtime);
      });
      const auto walked = with_threads(2, [&](hitmiss::Runtime &runtime) {
        return hitmiss::walked_relief(problem.view(), problem.y, options,
                                      samples, runtime);
      });
      CHECK(farthest(lists.scores, walked.scores) < 1e-13);
      CHECK(farthest(lists.class_margins, walked.class_margins) < 1e-13);
      if (samples > 0)
        CHECK(farthest(lists.errors, walked.errors) < 1e-13);
      CHECK(lists.times_listed == walked.times_listed);
    }
    Array<double> outcome;
    for (int i = 0; i < n; ++i)
      outcome.push_back(problem.values[i] + i % 3);
    CHECK(with_threads(1, [&](hitmiss::Runtime &runtime) {
            return farthest(
                hitmiss::rrelieff(problem.view(), outcome, options, runtime)
                    .scores,
                hitmiss::walked_rrelieff(problem.view(), outcome, options,
                                         runtime)
                    .scores);
          }) < 1e-13);
  }
}

/// The mean difference of sample a in feature j to the k nearest of class c
/// that have it; NaN where there is none.
double near_known(const HoledProblem &problem,
                  const hitmiss::PairMatrix<double> &distances, int a, int c,
                  int k, int j) {
  Array<hitmiss::Neighbour> near;
  for (int b = 0; b < n; ++b)
    if (b != a && problem.y[b] == c && !std::isnan(problem.apart(a, b, j)))
      near.push_back({distances.row(a)[b], b});
  std::sort(near.begin(), near.end());
  double mean = 0.0;
  hitmiss::share_nearest(near, k,
                         [&](const hitmiss::Neighbour &i, double share) {
                           mean += share * problem.apart(a, i.sample, j);
                         });
  return near.empty() ? missing : mean;
}

TEST_CASE("walked scores are the plain definition") {
  constexpr int k = 3;
  for (std::uint64_t round = 0; round < some_of(40); ++round) {
    const HoledProblem problem(round);
    const auto x = problem.view();
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      hitmiss::NearReliefOptions options;
      options.k = k;
      options.rule = hitmiss::MissRule::prior;
      const auto found =
          hitmiss::walked_relief(x, problem.y, options, 0, runtime).scores;
      const auto gaps = hitmiss::missing_gaps(x, options.metric, runtime);
      hitmiss::PairMatrix<double> distances(n, n);
      hitmiss::SampleDistances(x, Array<double>(n_features, 1.0),
                               options.metric, options.simd, gaps)
          .measure({0, n}, {0, n}, distances, runtime);
      for (int j = 0; j < n_features; ++j) {
        Array<double> sum(3), count(3);
        for (int a = 0; a < n; ++a) {
          const int own = problem.y[a];
          const double hit = near_known(problem, distances, a, own, k, j);
          double margin = -hit, whole = problem.y.count(own);
          for (int c = 0; c < 3; ++c)
            if (c != own &&
                !std::isnan(near_known(problem, distances, a, c, k, j)))
              whole += problem.y.count(c);
          if (problem.y.count(own) == 1)
            margin = 0.0; // no hit is allowed
          for (int c = 0; c < 3; ++c) {
            const double miss = near_known(problem, distances, a, c, k, j);
            if (c != own && !std::isnan(miss))
              margin += problem.y.count(c) / whole * miss;
          }
          if (std::isnan(margin) || whole == problem.y.count(own))
            continue;
          sum[own] += margin;
          count[own] += 1.0;
        }
        double score = 0.0;
        for (int c = 0; c < 3; ++c)
          if (count[c] > 0.0)
            score += problem.y.count(c) / double{n} * sum[c] / count[c];
        CHECK(std::abs(score * (count[0] + count[1] + count[2]) / n -
                       found[j]) < 1e-13);
      }
      return 0;
    });
  }
}

TEST_CASE("walked scores do not depend on threads, parts and vectors") {
  for (std::uint64_t round = 0; round < some_of(30); ++round) {
    const HoledProblem problem(round);
    hitmiss::NearReliefOptions options;
    options.k = 3;
    options.centre = round % 2 == 1;
    const auto scores = [&](int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::walked_relief(problem.view(), problem.y, options, 0,
                                      runtime)
            .scores;
      });
    };
    const auto found = scores(1);
    CHECK(scores(3) == found);
    options.at_once = 32;
    CHECK(farthest(scores(2), found) < 1e-13);
    options.simd = hitmiss::SimdLevel::baseline;
    CHECK(farthest(scores(1), found) < 1e-13);
  }
}

TEST_CASE(
    "a missing value counts the mean difference, in distances and means") {
  for (const auto metric :
       {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean})
    for (std::uint64_t round = 0; round < some_of(20); ++round) {
      const HoledProblem problem(round);
      const auto x = problem.view();
      const bool squared = metric == hitmiss::Metric::euclidean;
      const auto apart = [&](int a, int b, int j) {
        const double d = problem.apart(a, b, j);
        return squared ? d * d : d;
      };
      with_threads(1, [&](hitmiss::Runtime &runtime) {
        const auto gaps = hitmiss::missing_gaps(x, metric, runtime);
        const hitmiss::SampleDistances distances(
            x, Array<double>(n_features, 1.0), metric,
            hitmiss::best_simd_level(), gaps);
        hitmiss::PairMatrix<double> all(n, n);
        distances.measure({0, n}, {0, n}, all, runtime);
        const hitmiss::AllowedPairs allowed(
            {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1},
            {0, 1, 2, 3, 4, 5, 5, 0, 1, 2, 3, 4, 5, 5});
        const auto means =
            hitmiss::mean_distances(x, metric, allowed, runtime, gaps);
        for (int a = 0; a < n; ++a) {
          double total = 0.0, others = 0.0;
          for (int b = 0; b < n; ++b) {
            if (a == b)
              continue;
            double sum = 0.0;
            for (int j = 0; j < n_features; ++j) {
              double mean = 0.0, pairs = 0.0;
              for (int c = 0; c < n; ++c)
                for (int e = 0; e < c; ++e)
                  if (!std::isnan(apart(c, e, j))) {
                    mean += apart(c, e, j);
                    pairs += 1.0;
                  }
              const double d = apart(a, b, j);
              sum += std::isnan(d) ? mean / pairs : d;
            }
            CHECK(std::abs(all.row(a)[b] - (squared ? std::sqrt(sum) : sum)) <
                  1e-12);
            if (allowed(a, b)) {
              total += sum;
              others += 1.0;
            }
          }
          CHECK(std::abs(means[a] - total / others) < 1e-12);
        }
        return 0;
      });
    }
}

TEST_CASE("infinite values and pooled misses are refused") {
  HoledProblem problem(1);
  hitmiss::NearReliefOptions options;
  const auto run = [&] {
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      hitmiss::walked_relief(problem.view(), problem.y, options, 0, runtime);
      return 0;
    });
  };
  CHECK_NOTHROW(run());
  options.rule = hitmiss::MissRule::pooled;
  CHECK_THROWS_AS(run(), std::invalid_argument);
  options.rule = hitmiss::MissRule::prior;
  problem.values[3] = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(run(), std::invalid_argument);
}

} // namespace relief_problem
