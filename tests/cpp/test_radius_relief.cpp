// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/radius_relief.hpp>
#include <hitmiss/relief/rrelieff.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

/// Three classes, ties, some samples that count for nothing in a design.
struct Designed {
  Designed() : values(100 * 21) {
    hitmiss::RandomStream random(11, 0, hitmiss::Purpose::simulation);
    Array<int> labels, block, group;
    for (int i = 0; i < 100; ++i) {
      labels.push_back(i % 9 == 0 ? 2 : i % 2);
      block.push_back(i < 3 ? 7 : i % 3);
      group.push_back(i / 2);
    }
    for (Index v = 0; v < values.size(); ++v)
      values[v] = static_cast<double>(random.below(9));
    y = hitmiss::ClassIndex(labels, 3);
    allowed = hitmiss::AllowedPairs(block, group);
    learned.center.assign(21, 0.0);
    learned.scale.assign(21, 8.0);
    learned.constant.assign(21, 0);
  }
  hitmiss::ScaledView view() const {
    return {hitmiss::view_by_feature(values.data(), 100, 21), &learned};
  }
  Array<double> values;
  hitmiss::ClassIndex y{{}, 0};
  hitmiss::AllowedPairs allowed;
  hitmiss::Scaling learned;
};

/// MultiSURF of one feature by its definition, `near` as a 0/1 decision.
double plain_multisurf(const Designed &data, const Array<int> &block,
                       const Array<int> &group, Index feature) {
  const auto x = data.view();
  double total = 0.0, counted = 0.0;
  for (int n = 0; n < 100; ++n) {
    Array<int> others;
    Array<double> d;
    bool has_miss = false;
    for (int i = 0; i < 100; ++i) {
      const Index a = n, b = i;
      if (n == i || block[a] != block[b] || group[a] == group[b])
        continue;
      double sum = 0.0;
      for (Index j = 0; j < 21; ++j)
        sum += std::abs(x(n, j) - x(i, j));
      others.push_back(i);
      d.push_back(sum);
      has_miss = has_miss || data.y[i] != data.y[n];
    }
    if (!has_miss)
      continue;
    counted += 1.0;
    double mean = 0.0, squares = 0.0;
    for (const double v : d)
      mean += v / static_cast<double>(d.size());
    for (const double v : d)
      squares += (v - mean) * (v - mean) / static_cast<double>(d.size());
    double sums[3] = {}, counts[3] = {};
    for (Index k = 0; k < d.size(); ++k)
      if (d[k] < mean - std::sqrt(squares) / 2.0) {
        sums[data.y[others[k]]] +=
            std::abs(x(n, feature) - x(others[k], feature));
        counts[data.y[others[k]]] += 1.0;
      }
    double misses = 0.0, weight = 0.0;
    for (int c = 0; c < 3; ++c)
      if (c != data.y[n] && counts[c] > 0.0) {
        misses += data.y.count(c) * sums[c] / counts[c];
        weight += data.y.count(c);
      }
    if (weight > 0.0 && counts[data.y[n]] > 0.0)
      total += misses / weight - sums[data.y[n]] / counts[data.y[n]];
  }
  return total / counted;
}

} // namespace

TEST_CASE("multisurf among allowed samples is its definition") {
  Designed data;
  for (const int design : {0, 1, 2, 3}) {
    const Designed whole;
    Array<int> block, group;
    for (int n = 0; n < 100; ++n) {
      block.push_back(design % 2 == 1 ? whole.allowed.block(n) : 0);
      group.push_back(design >= 2 ? whole.allowed.group(n) : n);
    }
    data.allowed = hitmiss::AllowedPairs(block, group);
    hitmiss::RadiusReliefOptions options;
    options.allowed = data.allowed;
    const auto result = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::radius_relief(data.view(), data.y, options, 0, runtime);
    });
    for (Index j = 0; j < 21; ++j)
      CHECK(result.scores[j] == Approx(plain_multisurf(data, block, group, j))
                                    .epsilon(1e-10)
                                    .margin(1e-12));
  }
}

TEST_CASE("relief by radius: bands and threads change no bit") {
  const Designed data;
  for (const bool own : {false, true})
    for (const bool far : {false, true})
      for (const int samples : {0, 30})
        for (const bool designed : {false, true}) {
          const auto run = [&](Index band, int threads) {
            hitmiss::RadiusReliefOptions options;
            options.radius = {own, far};
            options.at_once = band;
            if (designed)
              options.allowed = data.allowed;
            return with_threads(threads, [&](hitmiss::Runtime &runtime) {
              return hitmiss::radius_relief(data.view(), data.y, options,
                                            samples, runtime);
            });
          };
          const auto whole = run(0, 1), parts = run(32, 1), three = run(64, 3);
          CHECK(whole.scores == parts.scores);
          CHECK(whole.errors == parts.errors);
          CHECK(whole.scores == three.scores);
          CHECK(std::any_of(whole.scores.begin(), whole.scores.end(),
                            [](double s) { return s != 0.0; }));
          CHECK(std::any_of(whole.errors.begin(), whole.errors.end(),
                            [](double e) { return e > 0.0; }) == (samples > 0));
        }
}

TEST_CASE("reference samples: at least two of each class, none twice") {
  using Counts = Array<int>;
  CHECK(hitmiss::stratified_counts({50, 50}, 10) == (Counts{5, 5}));
  CHECK(hitmiss::stratified_counts({90, 8, 2, 1}, 20) == (Counts{17, 2, 2, 1}));
  CHECK(hitmiss::stratified_counts({3, 3, 3}, 7) == (Counts{3, 2, 2}));
  const Designed data;
  const hitmiss::AllowedCounts counts(data.y, data.allowed);
  const auto drawn = with_threads(1, [&](hitmiss::Runtime &runtime) {
    return hitmiss::ReferenceSamples(data.y, counts, 30, runtime);
  });
  CHECK(drawn.samples.size() == 30);
  CHECK(std::set<int>(drawn.samples.begin(), drawn.samples.end()).size() == 30);
  CHECK(std::is_sorted(drawn.samples.begin(), drawn.samples.end()));
  for (const int n : drawn.samples)
    CHECK(counts.counts(data.y, n));
  int total = 0;
  for (const int size : drawn.sizes)
    total += size;
  CHECK(total == counts.n_counting());
}

TEST_CASE("RReliefF refuses outcomes of another length, or without spread") {
  const Designed data;
  const auto run = [&](const Array<double> &outcome) {
    return with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::rrelieff(data.view(), outcome, {}, runtime).scores;
    });
  };
  CHECK_THROWS_AS(run(Array<double>(99, 1.0)), std::invalid_argument);
  CHECK_THROWS_AS(run(Array<double>(100, 1.0)), std::invalid_argument);
  // The outcome is a feature: that one is best.
  const Array<double> first(data.values.begin(), data.values.begin() + 100);
  const auto scores = run(first);
  CHECK(std::max_element(scores.begin(), scores.end()) == scores.begin());
}
