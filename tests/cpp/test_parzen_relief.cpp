// Tests of hitmiss/relief/parzen_relief.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/parzen_relief.hpp>

#include "support/host.hpp"
#include "support/relief_problem.hpp"

namespace relief_problem {

TEST_CASE("P-Relief is the plain mean of the kernel over hits and misses") {
  for (const bool self : {false, true})
    for (const double bandwidth : {0.02, 0.3}) {
      const ReliefProblem problem(3);
      hitmiss::ParzenOptions options;
      options.bandwidth = bandwidth;
      options.self = self;
      const auto margins = with_threads(2, [&](hitmiss::Runtime &runtime) {
        return hitmiss::parzen_margins(problem.view(), problem.y, options,
                                       runtime);
      });
      for (int j = 0; j < n_features; ++j) {
        double expected = 0.0;
        for (int a = 0; a < n; ++a) {
          double hits = 0.0, misses = 0.0;
          for (int b = 0; b < n; ++b) {
            const double d = problem.apart(a, b, j) / bandwidth;
            if (problem.y[b] != problem.y[a])
              misses += std::exp(-0.5 * d * d);
            else if (self || b != a)
              hits += std::exp(-0.5 * d * d);
          }
          const int own = problem.y.count(problem.y[a]);
          const int others = self ? own : own - 1;
          expected += (others > 0 ? hits / others : 0.0) - misses / (n - own);
        }
        CHECK(margins[j] == Approx(j == 3 ? 0.0 : expected / n).margin(1e-12));
      }
    }
}

/// Values of one feature, with ties, clusters, long tails or outliers, and
/// classes, blocks and groups of any size.
struct ParzenProblem {
  explicit ParzenProblem(std::uint64_t round) : random(22, round, purpose) {
    const int samples = 12 + random.below(250), classes = 2 + random.below(4);
    const std::uint64_t kind = round % 5;
    for (int i = 0; i < samples; ++i) {
      const double u = random.uniform() - 0.5;
      values.push_back(kind == 0   ? 4.0 * u
                       : kind == 1 ? std::round(6.0 * u)
                       : kind == 2 ? u / (0.51 - std::abs(u))
                       : kind == 3 ? 5.0 * random.below(3) + 0.01 * u
                                   : (i == 0 ? 1e4 : u));
      labels.push_back(i < classes ? i : random.below(classes));
      block.push_back(random.below(2));
      group.push_back(random.below(round % 2 == 0 ? 2 : samples));
    }
    y = {labels, classes};
    if (round % 3 == 1)
      allowed = hitmiss::AllowedPairs({}, group);
    else if (round % 7 == 2)
      allowed = hitmiss::AllowedPairs(block, group);
    bandwidth = std::pow(10.0, 3.5 * random.uniform() - 3.0);
  }

  static constexpr auto purpose = hitmiss::Purpose::simulation;
  hitmiss::RandomStream random;
  Array<double> values;
  Array<int> labels, block, group;
  hitmiss::ClassIndex y{{}, 0};
  hitmiss::AllowedPairs allowed;
  double bandwidth = 1.0;
};

/// The sum over the pairs of a block that are compared, and that of its
/// absolute terms, by the definition.
inline std::array<long double, 2>
every_pair(const ParzenProblem &p, const hitmiss::detail::ParzenBlock &block) {
  long double sum = 0.0L, size = 0.0L;
  for (Index a = 0; a < block.samples.size(); ++a)
    for (Index b = 0; b < a; ++b) {
      if (!p.allowed(block.samples[a], block.samples[b]))
        continue;
      const long double d =
          static_cast<long double>(p.values[block.samples[a]] / p.bandwidth) -
          p.values[block.samples[b]] / p.bandwidth;
      const long double term =
          block.weights(block.profiles[a], block.profiles[b]) *
          std::exp(-0.5L * d * d);
      sum += term;
      size += std::abs(term);
    }
  return {sum, size};
}

TEST_CASE("P-Relief: window and grid give the sum over all pairs") {
  int by_grid = 0, in_groups = 0;
  bool in_order = true;
  double worst = 0.0, worst_grid = 0.0;
  for (std::uint64_t round = 0; round < some_of(500); ++round) {
    const ParzenProblem p(round);
    const auto level = round % 2 == 0 ? hitmiss::SimdLevel::baseline
                                      : hitmiss::best_simd_level();
    for (const auto &block :
         hitmiss::detail::parzen_blocks(p.y, p.allowed, false)) {
      const auto expected = every_pair(p, block);
      const double scale = std::max(1e-30, static_cast<double>(expected[1]));
      const auto error = [&](double found) {
        return std::abs(static_cast<double>(found - expected[0])) / scale;
      };
      in_groups += block.groups.empty() ? 0 : 1;
      const double found = hitmiss::detail::block_sum(block, p.values.data(),
                                                      p.bandwidth, level);
      worst = std::max(worst, error(found));
      Array<hitmiss::detail::LabelledValue> sorted;
      for (Index k = 0; k < block.samples.size(); ++k)
        sorted.push_back(
            {p.values[block.samples[k]] / p.bandwidth, block.profiles[k]});
      auto same = sorted;
      hitmiss::detail::sort_values(same);
      std::sort(sorted.begin(), sorted.end());
      for (Index k = 0; k < sorted.size(); ++k)
        in_order = in_order && same[k].value == sorted[k].value &&
                   same[k].label == sorted[k].label;
      const double span = hitmiss::detail::ParzenGrid::span(sorted);
      by_grid += hitmiss::detail::grid_pays(sorted, block.weights.size());
      if (!block.groups.empty() ||
          span > 4.0 * static_cast<double>(sorted.size()))
        continue;
      const double grid =
          hitmiss::detail::grid_sum(sorted, block.weights, level);
      worst_grid = std::max(worst_grid, error(grid));
    }
  }
  CHECK(worst <= 1e-12);
  CHECK(worst_grid <= 1e-12);
  CHECK(in_order);
  CHECK(by_grid >= static_cast<int>(some_of(20)));
  CHECK(in_groups >= 50);
}

} // namespace relief_problem
