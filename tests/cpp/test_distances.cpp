// Tests of hitmiss/pairs/distances.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/pairs/distances.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("Distances of all shapes, metrics, paths, threads") {
  for (const Index n : {1, 2, 5, 31, 33, 70})
    for (const Index j : {1, 3, 130, 300}) {
      const Data data(n, j);
      Array<double> w(j);
      for (Index f = 0; f < w.size(); ++f)
        w[f] = f % 3 == 1 ? 0.0 : 0.5 + static_cast<double>(f % 5);
      for (const auto metric :
           {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean})
        for (const auto level : levels()) {
          const auto run = [&](int threads) {
            return with_threads(threads, [&](hitmiss::Runtime &runtime) {
              return hitmiss::sample_distances(data.view(), w, metric, level,
                                               runtime);
            });
          };
          const auto one = run(1), three = run(3);
          double worst = 0.0;
          bool same = true;
          for (Index a = 0; a < n; ++a)
            for (Index b = 0; b < n; ++b) {
              double expected = 0.0;
              for (Index f = 0; f < j; ++f) {
                const double d = difference(data, f, a, b);
                expected +=
                    w[f] * (metric == hitmiss::Metric::euclidean ? d * d : d);
              }
              if (metric == hitmiss::Metric::euclidean)
                expected = std::sqrt(expected);
              worst = std::max(worst, std::abs(one.row(a)[b] - expected));
              same = same && one.row(a)[b] == three.row(a)[b] &&
                     one.row(a)[b] == one.row(b)[a];
            }
          CHECK(worst < 1e-11);
          CHECK(same);
        }
    }
}

TEST_CASE("Distances of samples in rows have the bits of those of columns") {
  const Data data(45, 140);
  auto rows = data.view();
  Array<double> values(data.values.size());
  for (Index n = 0; n < 45; ++n)
    for (Index f = 0; f < 140; ++f)
      values[n * 140 + f] = data.values[f * 45 + n];
  rows.raw.data = values.data();
  rows.raw.sample_stride = 140;
  rows.raw.feature_stride = 1;
  const Array<double> w(140, 0.3);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    for (const auto level : levels()) {
      const auto one = hitmiss::sample_distances(
          data.view(), w, hitmiss::Metric::manhattan, level, runtime);
      const auto other = hitmiss::sample_distances(
          rows, w, hitmiss::Metric::manhattan, level, runtime);
      bool same = true;
      for (Index a = 0; a < 45; ++a)
        same = same && std::equal(one.row(a), one.row(a) + 45, other.row(a));
      CHECK(same);
    }
    return 0;
  });
}

TEST_CASE("Distances to other samples are those within, row by row") {
  const Data data(45, 140);
  auto part = data.view();
  part.raw.n_samples = 19;
  const Array<double> w(140, 1.0);
  for (const auto level : levels())
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto within = hitmiss::sample_distances(
          data.view(), w, hitmiss::Metric::manhattan, level, runtime);
      const auto cross = cross_distances(part, data.view(), w, level, runtime);
      bool same = true;
      for (Index a = 0; a < 19; ++a)
        for (Index b = 0; b < 45; ++b)
          same = same && within.row(a)[b] == cross.row(a)[b];
      CHECK(same);
      return 0;
    });
}

TEST_CASE("Equal samples are 0 apart, offsets and huge values do no harm") {
  constexpr Index n = 37, j = 150;
  Data data(n, j);
  for (Index f = 0; f < j; ++f) // the last sample repeats the first
    data.values[f * n + n - 1] = data.values[f * n];
  const auto shifted = [&](double by) {
    auto values = data.values;
    for (double &value : values)
      value += by;
    return values;
  };
  Array<double> w;
  for (Index f = 0; f < j; ++f)
    w.push_back(0.1 + 1.0 / static_cast<double>(f + 3));
  const auto distances = [&](const Array<double> &values,
                             hitmiss::ScaleMethod method, SimdLevel level) {
    return with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto raw = hitmiss::view_by_feature(values.data(), n, j);
      const auto scaling = hitmiss::learn_scaling(raw, method, runtime);
      return hitmiss::sample_distances(
          {raw, &scaling}, w, hitmiss::Metric::manhattan, level, runtime);
    });
  };
  for (const auto level : levels()) {
    const auto plain =
        distances(data.values, hitmiss::ScaleMethod::none, level);
    const auto moved = shifted(1e9);
    const auto far = distances(moved, hitmiss::ScaleMethod::none, level);
    const auto range =
        distances(data.values, hitmiss::ScaleMethod::range, level);
    double worst = 0.0;
    for (Index a = 0; a < n; ++a)
      for (Index b = 0; b < n; ++b) {
        double expected = 0.0, scaled = 0.0, expected_far = 0.0;
        for (Index f = 0; f < j; ++f) {
          const double *x = data.values.data() + f * n;
          const double d = std::abs(x[a] - x[b]);
          const double width =
              *std::max_element(x, x + n) - *std::min_element(x, x + n);
          expected += w[f] * d;
          // The offset took digits of the values, and takes no others here.
          const double *there = moved.data() + f * n;
          expected_far += w[f] * std::abs(there[a] - there[b]);
          scaled += width > 0.0 ? w[f] * d / width : 0.0;
        }
        worst = std::max({worst, std::abs(plain.row(a)[b] - expected),
                          std::abs(range.row(a)[b] - scaled),
                          std::abs(far.row(a)[b] - expected_far)});
      }
    CHECK(worst < 1e-10);
    CHECK(range.row(0)[n - 1] == 0.0);
    CHECK(far.row(n - 1)[0] == 0.0);
    // A new sample beyond the doubles is far from all, not near.
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      const Array<double> values(j, 1e308);
      auto scaling = data.learned;
      scaling.scale.assign(j, 1e-3);
      const hitmiss::ScaledView query{
          hitmiss::view_by_feature(values.data(), 1, j), &scaling};
      const auto d =
          cross_distances(query, {data.raw, &scaling}, w, level, runtime);
      CHECK(d.row(0)[0] == std::numeric_limits<double>::infinity());
      return 0;
    });
  }
}

TEST_CASE("distances by rows: the same bits, held or not") {
  const Data data(75, 40);
  const Array<double> w(40, 0.5);
  const auto view = data.view(); // which the rows do not copy
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    const auto level = hitmiss::best_simd_level();
    const auto plain = hitmiss::sample_distances(
        data.view(), w, hitmiss::Metric::manhattan, level, runtime);
    for (const Index held : {0, 75}) {
      PairMatrix<double> memory(75, 75); // what is there does not matter
      std::fill_n(memory.row(0), 75 * memory.stride(), 7.0);
      const hitmiss::DistanceRows rows(view, w, level, held, memory, runtime);
      PairMatrix<double> some(20, 75);
      rows.read({55, 75}, {32, 75}, some, runtime);
      bool same = true;
      for (Index a = 0; a < 20; ++a)
        for (Index b = 0; b < 43; ++b)
          same = same && some.row(a)[b] == plain.row(55 + a)[32 + b];
      CHECK(same);
    }
    return 0;
  });
}

} // namespace pair_data
