// Tests of hitmiss/relief/balanced_weights.hpp, and of the lists that have such
// weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/walked_relief.hpp>

#include "support/host.hpp"

namespace {

using namespace hitmiss;

/// How often each of n is among the k nearest of a subset of m, over all
/// subsets, as a share of them.
Array<double> plain_weights(int n, int m, int k) {
  Array<double> found(n);
  double subsets = 0.0;
  for (unsigned set = 0; set < 1u << n; ++set) {
    Array<int> members;
    for (int i = 0; i < n; ++i)
      if ((set >> i & 1u) != 0u)
        members.push_back(i);
    if (members.size() != m)
      continue;
    subsets += 1.0;
    for (int i = 0; i < k; ++i)
      found[members[i]] += 1.0;
  }
  for (double &share : found)
    share /= subsets;
  return found;
}

double sum(const Array<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double mean_rank(const Array<double> &weights) {
  double total = 0.0;
  for (Index r = 0; r < weights.size(); ++r)
    total += weights[r] * static_cast<double>(r);
  return total / sum(weights);
}

} // namespace

TEST_CASE("balanced weights: chances to be among the nearest of a subset") {
  for (int n = 2; n <= 10; ++n)
    for (int m = 1; m < n; ++m)
      for (const int k : {1, 2, 5, 100}) {
        const auto ranks = balanced_weights(k, n, m);
        CHECK(ranks.k == balanced_k(k, m, n));
        auto expected = plain_weights(n, m, ranks.k);
        for (Index r = 0; r < ranks.weights.size(); ++r)
          expected[r] -= ranks.weights[r];
        for (const double off : expected)
          CHECK(std::abs(off) < 1e-14);
      }
  // The nearest where there are not more than of the other kind.
  CHECK(balanced_weights(3, 5, 5).weights == Array<double>(3, 1.0));
  CHECK(balanced_weights(3, 2, 2).weights == Array<double>(2, 1.0));
  CHECK(balanced_weights(10, 20, 179).weights == Array<double>(4, 1.0));
}

TEST_CASE("balanced weights: at most 40 ranks, which keep sum and mean") {
  const std::pair<int, int> counts[] = {
      {41, 40},   {60, 20},    {400, 8},     {179, 20},      {2000, 1999},
      {5000, 50}, {100000, 2}, {100000, 10}, {100000, 60000}};
  for (const auto &[n, m] : counts)
    for (const int k : {1, 10, 300, 40000}) {
      const auto ranks = balanced_weights(k, n, m);
      const auto all = detail::subset_weights(n, m, ranks.k);
      CHECK(ranks.weights.size() <= n);
      CHECK(ranks.weights.back() > 0.0);
      CHECK(ranks.weights.size() -
                std::count(ranks.weights.begin(), ranks.weights.end(), 0.0) <=
            40);
      CHECK(sum(all) == Approx(ranks.k).epsilon(1e-11));
      CHECK(sum(ranks.weights) == Approx(ranks.k).epsilon(1e-11));
      CHECK(mean_rank(ranks.weights) ==
            Approx(mean_rank(all)).epsilon(1e-11).margin(1e-12));
      CHECK(std::is_sorted(all.rbegin(), all.rend()));
    }
}

TEST_CASE("balanced weights: ties share ranks, groups have one candidate") {
  const RankWeights ranks{2, {1.0, 0.6, 0.4}};
  CHECK(ranks.farthest[0] == 0.0);
  CHECK(ranks.farthest[2] == Approx(0.5));
  CHECK(ranks.farthest[3] == Approx(1.0));
  const AllowedPairs groups({}, {0, 7, 5, 5, 7});
  // Samples 2, 0 and 3 tie for the ranks 2 to 4.
  const Array<Neighbour> near{{1.0, 4}, {2.0, 0}, {2.0, 2}, {2.0, 3}, {3.0, 1}};
  const auto weighs = [&](const Array<Neighbour> &of,
                          const AllowedPairs *joined,
                          const Array<double> &expected) {
    Array<double> found(5);
    detail::share_ranks(detail::ranked(of, joined), ranks,
                        [&](int i, double w) { found[i] += w; });
    for (int i = 0; i < 5; ++i)
      CHECK(found[i] == Approx(expected[i]).margin(1e-15));
  };
  const double third = (0.6 + 0.4) / 3.0;
  weighs(near, nullptr, {third, 0.0, third, third, 1.0});
  weighs({near[0], near[1], near[4]}, nullptr, {0.6, 0.4, 0.0, 0.0, 1.0});
  // Samples 2 and 3 of one group tie; 1 is of the group of 4, which is nearer.
  auto nearest = near;
  detail::keep_nearest(nearest, groups);
  CHECK(nearest.size() == 4);
  weighs(nearest, &groups, {0.5, 0.0, 0.25, 0.25, 1.0});
}

TEST_CASE("balanced weights: lists, whole rows and walks agree") {
  RandomStream random(5, 1, Purpose::simulation);
  for (const int rare : {3, 300}) {
    const Index n = 2600; // whole rows for 3 of them: lists are longer
    Array<double> values(3 * n);
    for (double &value : values)
      value = random.uniform();
    Array<int> labels(n);
    std::fill_n(labels.begin(), rare, 1);
    const ClassIndex y(labels, 2);
    const Scaling plain{Array<double>(3, 0.0), Array<double>(3, 1.0),
                        Array<char>(3)};
    const ScaledView x{view_by_feature(values.data(), n, 3), &plain};
    NearReliefOptions options;
    options.balanced = true;
    options.centre = true;
    const double listed =
        detail::balanced_neighbours({n - 1.0 * rare, 1.0 * rare}, 10, false, n);
    CHECK((listed == 0x1p18) == (rare == 3));
    const auto run = [&](int threads, Index at_once, bool walk) {
      options.at_once = at_once;
      return with_threads(threads, [&](Runtime &runtime) {
        return (walk ? walked_relief : sampled_relief)(x, y, options, 0,
                                                       runtime);
      });
    };
    const auto found = run(1, 0, false), walked = run(2, 0, true);
    CHECK(run(2, 700, false).scores == found.scores);
    double off = 0.0;
    for (Index j = 0; j < 3; ++j)
      off = std::max(off, std::abs(found.scores[j] - walked.scores[j]));
    CHECK(off < 1e-13);
    // Each of the lists has the weight k'.
    const int k = balanced_k(10, rare - 1, static_cast<int>(n) - rare);
    CHECK(sum(found.times_listed) ==
          Approx(2.0 * k * static_cast<double>(n)).epsilon(0.2));
  }
}
