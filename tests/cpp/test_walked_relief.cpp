// Tests of hitmiss/relief/walked_relief.hpp, and of what it reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <numeric>
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
    // Feature 1 of one sample of the first class, which so has no hit in it.
    bool first = true;
    for (int i = 0; i < n && round % 4 == 1; ++i)
      if (y[i] == 0) {
        values[n + i] = first ? 0.5 : missing;
        first = false;
      }
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
    options.at_once = round % 4 > 1 ? 5 : 0; // in parts, the last of fewer
    options.balanced = round % 5 > 1;
    if (round % 5 > 2) // groups of one, two and three samples of unlike classes
      options.allowed =
          hitmiss::AllowedPairs({}, {0, 1, 1, 0, 2, 3, 3, 2, 3, 4, 5, 5, 6, 7});
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
      CHECK(farthest(lists.times_listed, walked.times_listed) < 1e-13);
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

/// The numbers that order each sample's neighbours: distances, where a feature
/// that one of two samples lacks counts its mean difference; or these (squared)
/// less the mean of the other sample, plus twice the largest mean.
Array<Array<double>> plain_order(const HoledProblem &problem,
                                 const hitmiss::NeighbourOptions &options) {
  const bool squared = options.metric == hitmiss::Metric::euclidean;
  Array<Array<double>> order(n);
  for (auto &row : order)
    row.resize(n);
  for (int j = 0; j < n_features; ++j) {
    double sum = 0.0, pairs = 0.0;
    const auto each_pair = [&](auto work) {
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          if (a != b) {
            const double d = problem.apart(a, b, j);
            work(order[a][b], squared ? d * d : d);
          }
    };
    each_pair([&](double, double d) {
      sum += std::isnan(d) ? 0.0 : d;
      pairs += std::isnan(d) ? 0.0 : 1.0;
    });
    each_pair(
        [&](double &to, double d) { to += std::isnan(d) ? sum / pairs : d; });
  }
  Array<double> means;
  for (const auto &row : order)
    means.push_back(std::accumulate(row.begin(), row.end(), 0.0) / (n - 1));
  const double most = *std::max_element(means.begin(), means.end());
  for (auto &row : order)
    for (int b = 0; b < n; ++b)
      row[b] = options.centre ? row[b] + 2.0 * most - means[b]
               : squared      ? std::sqrt(row[b])
                              : row[b];
  return order;
}

/// The mean difference of sample a in feature j to the k nearest of class c
/// that have it; NaN where there is none.
double near_known(const HoledProblem &problem, const Array<double> &order,
                  int a, int c, int k, int j) {
  Array<hitmiss::Neighbour> near;
  for (int b = 0; b < n; ++b)
    if (b != a && problem.y[b] == c && !std::isnan(problem.apart(a, b, j)))
      near.push_back({order[b], b});
  std::sort(near.begin(), near.end());
  double mean = 0.0;
  hitmiss::share_nearest(near, k,
                         [&](const hitmiss::Neighbour &i, double share) {
                           mean += share * problem.apart(a, i.sample, j);
                         });
  return near.empty() ? missing : mean;
}

TEST_CASE("walked scores are the plain definition") {
  for (std::uint64_t round = 0; round < some_of(80); ++round) {
    const HoledProblem problem(round);
    hitmiss::NearReliefOptions options;
    options.k = 3;
    options.metric = round % 2 == 0 ? hitmiss::Metric::manhattan
                                    : hitmiss::Metric::euclidean;
    options.centre = round % 4 > 1;
    options.rule = round % 3 == 0 ? hitmiss::MissRule::conditional
                                  : hitmiss::MissRule::prior;
    options.at_once = round % 8 > 3 ? 5 : 0;
    const int samples = round % 5 < 2 ? 8 : 0;
    const auto order = plain_order(problem, options);
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      const auto found = hitmiss::walked_relief(problem.view(), problem.y,
                                                options, samples, runtime)
                             .scores;
      const hitmiss::ReferenceSamples reference(
          problem.y, {problem.y, options.allowed}, samples, runtime);
      for (int j = 0; j < n_features; ++j) {
        Array<double> sum(3), count(3), drawn(3);
        for (const int a : reference.samples) {
          const int own = problem.y[a];
          const auto near = [&](int c) {
            return near_known(problem, order[a], a, c, options.k, j);
          };
          drawn[own] += 1.0;
          double margin = 0.0, whole = 0.0;
          for (int c = 0; c < 3; ++c)
            if (c != own && !std::isnan(near(c))) {
              margin += problem.y.count(c) * near(c);
              whole += problem.y.count(c);
            }
          if (whole == 0.0)
            continue;
          if (options.rule == hitmiss::MissRule::prior)
            whole += problem.y.count(own);
          margin /= whole;
          if (problem.y.count(own) > 1) // else no hit is allowed
            margin -= near(own);
          if (std::isnan(margin))
            continue;
          sum[own] += margin;
          count[own] += 1.0;
        }
        double score = 0.0, share = 0.0;
        for (int c = 0; c < 3; ++c)
          if (count[c] > 0.0) {
            score += problem.y.count(c) / double{n} * sum[c] / count[c];
            share += problem.y.count(c) / double{n} * count[c] / drawn[c];
          }
        CHECK(std::abs(score * share - found[j]) < 1e-13);
      }
      return 0;
    });
  }
}

TEST_CASE("walked scores do not depend on threads and vectors") {
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
    options.simd = hitmiss::SimdLevel::baseline;
    CHECK(farthest(scores(1), found) < 1e-13);
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
