// Tests of hitmiss/comparators/cox_score.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <stdexcept>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/cox_score.hpp>

#include "support/host.hpp"

namespace cox_score {

using hitmiss::Array;
using hitmiss::Index;

/// z and effect, from the sums of every risk set.
std::pair<double, double> plain_scores(const Array<double> &x,
                                       const hitmiss::CensoredTimes &times) {
  double score = 0.0, variance = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    if (!times.event[i])
      continue;
    double count = 0.0, sum = 0.0, squares = 0.0;
    for (Index o = 0; o < x.size(); ++o)
      if (times.stratum[o] == times.stratum[i] &&
          times.time[o] >= times.time[i]) {
        ++count;
        sum += x[o];
        squares += x[o] * x[o];
      }
    score += x[i] - sum / count;
    variance += squares / count - sum / count * (sum / count);
  }
  Array<double> count(2), sum(2);
  for (Index i = 0; i < x.size(); ++i) {
    count[times.stratum[i]] += 1.0;
    sum[times.stratum[i]] += x[i];
  }
  double within = 0.0, left = static_cast<double>(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const int s = times.stratum[i];
    within += (x[i] - sum[s] / count[s]) * (x[i] - sum[s] / count[s]);
  }
  for (const double c : count)
    left -= c > 0.0 ? 1.0 : 0.0;
  if (variance <= 1e-12)
    return {0.0, 0.0};
  return {score / std::sqrt(variance),
          score / variance * std::sqrt(within / left)};
}

TEST_CASE("cox_scores: risk sets by hand, ties, strata, squares") {
  for (std::uint64_t round = 0; round < some_of(30); ++round) {
    hitmiss::RandomStream random(23, round, hitmiss::Purpose::simulation);
    const Index n = 12 + static_cast<Index>(random.below(20));
    hitmiss::CensoredTimes times;
    Array<double> x;
    for (Index i = 0; i < n; ++i) {
      times.time.push_back(static_cast<int>(random.below(8)));
      times.event.push_back(static_cast<char>(random.below(3) > 0));
      times.stratum.push_back(static_cast<int>(random.below(2)));
      x.push_back(static_cast<double>(random.below(50)) / 7.0);
    }
    double mean = 0.0;
    for (const double v : x)
      mean += v / static_cast<double>(n);
    Array<double> squares;
    for (const double v : x)
      squares.push_back((v - mean) * (v - mean));
    const auto view = hitmiss::view_by_feature(x.data(), n, 1);
    const auto run = [&](bool squared, int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::cox_scores(view, times, squared, runtime);
      });
    };
    const auto plain = plain_scores(x, times);
    CHECK(std::abs(run(false, 1).z[0] - plain.first) < 1e-9);
    CHECK(std::abs(run(false, 1).effect[0] - plain.second) < 1e-9);
    CHECK(std::abs(run(true, 2).z[0] - plain_scores(squares, times).first) <
          1e-9);
    // Features are scored several at once: here x to the power of 0, 1, ...
    constexpr Index many = 11;
    Array<double> powers;
    for (Index j = 0; j < many; ++j)
      for (const double v : x)
        powers.push_back(std::pow(v, static_cast<double>(j)));
    const auto all = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::cox_scores(
          hitmiss::view_by_feature(powers.data(), n, many), times, false,
          runtime);
    });
    for (Index j = 0; j < many; ++j) {
      const Array<double> own(powers.begin() + j * n,
                              powers.begin() + (j + 1) * n);
      CHECK(std::abs(all.z[j] - plain_scores(own, times).first) < 1e-6);
    }
    Array<double> large(x);
    for (double &v : large)
      v = v * 1e300;
    const auto wide = hitmiss::view_by_feature(large.data(), n, 1);
    const auto scaled = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::cox_scores(wide, times, true, runtime);
    });
    CHECK(std::abs(scaled.z[0] - run(true, 1).z[0]) < 1e-9);
    CHECK(std::abs(scaled.effect[0] - run(true, 1).effect[0]) < 1e-9);
  }
}

TEST_CASE("cox_scores: a constant feature scores 0, lengths must agree") {
  const Array<double> x(6, 2.5);
  hitmiss::CensoredTimes times{
      {1, 2, 3, 4, 5, 6}, {1, 0, 1, 1, 0, 1}, {0, 0, 0, 0, 0, 0}};
  const auto run = [&] {
    return with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::cox_scores(hitmiss::view_by_feature(x.data(), 6, 1),
                                 times, false, runtime);
    });
  };
  CHECK(run().z[0] == 0.0);
  CHECK(run().effect[0] == 0.0);
  times.event.push_back(1);
  CHECK_THROWS_AS(run(), std::invalid_argument);
}

} // namespace cox_score
