// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/relief/sample_margins.hpp>
#include <hitmiss/runtime/aligned_buffer.hpp>
#include <hitmiss/soft/pair_sums.hpp>
#include <hitmiss/soft/soft_neighbours.hpp>
#include <hitmiss/vote/nearest_vote.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::MissRule;
using hitmiss::NearRule;
using hitmiss::PairMatrix;
using hitmiss::SimdLevel;

namespace {

/// Values on a coarse grid, so that some are equal; one feature is constant.
struct Data {
  Data(Index n, Index j) : values(n * j) {
    hitmiss::RandomStream random(7, static_cast<std::uint64_t>(n * 1000 + j),
                                 hitmiss::Purpose::simulation);
    for (Index i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>(random.below(50)) / 7.0;
    if (j > 2)
      std::fill_n(values.begin() + 2 * n, n, 3.0);
    raw = hitmiss::view_by_feature(values.data(), n, j);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }

  Array<double> values;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

/// The distances of other samples (rows) to training samples (columns).
PairMatrix<double> cross_distances(const hitmiss::ScaledView &queries,
                                   const hitmiss::ScaledView &x,
                                   const Array<double> &weights, SimdLevel simd,
                                   hitmiss::Runtime &runtime) {
  PairMatrix<double> distances(queries.n_samples(), x.n_samples());
  hitmiss::SampleDistances(queries, x, weights, hitmiss::Metric::manhattan,
                           simd)
      .measure({0, queries.n_samples()}, {0, x.n_samples()}, distances,
               runtime);
  return distances;
}

double difference(const Data &data, Index j, Index a, Index b) {
  const auto x = data.view();
  return std::abs(x(a, j) - x(b, j));
}

/// What nearest_terms() should list, as a table of all pairs: of the k nearest
/// of a kind, r places shared by the t that are as near as the last, for one
/// sample after the other.
Array<double> plain_terms(const PairMatrix<double> &d,
                          const hitmiss::ClassIndex &y, int k,
                          hitmiss::MissRule rule) {
  const int n = y.n_samples();
  Array<double> table(n * n);
  const auto add = [&](int a, double weight, const auto &belongs) {
    Array<double> near;
    for (int b = 0; b < n; ++b)
      if (b != a && belongs(b))
        near.push_back(d.row(a)[b]);
    if (near.empty())
      return;
    std::sort(near.begin(), near.end());
    const Index places = std::min<Index>(near.size(), k);
    const double last = near[places - 1];
    const auto tied = std::count(near.begin(), near.end(), last);
    const auto left = std::count(near.begin(), near.begin() + places, last);
    const double each = weight / static_cast<double>(places);
    for (int b = 0; b < n; ++b)
      if (b != a && belongs(b) && d.row(a)[b] <= last)
        table[a * n + b] +=
            d.row(a)[b] < last
                ? each
                : each * static_cast<double>(left) / static_cast<double>(tied);
  };
  for (int a = 0; a < n; ++a) {
    const double p = static_cast<double>(y.count(y[a])) / n;
    const bool map = rule == hitmiss::MissRule::map;
    add(a, map ? -(1.0 - p) : -1.0, [&](int b) { return y[b] == y[a]; });
    if (map || rule == hitmiss::MissRule::pooled) {
      add(a, map ? p : 1.0, [&](int b) { return y[b] != y[a]; });
      continue;
    }
    for (int c = 0; c < y.n_classes(); ++c)
      if (c != y[a])
        add(a,
            static_cast<double>(y.count(c)) / n /
                (rule == hitmiss::MissRule::prior ? 1.0 : 1.0 - p),
            [&](int b) { return y[b] == c; });
  }
  return table;
}

} // namespace

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

TEST_CASE("Gradients and columns of all shapes and paths") {
  for (const Index n : {2, 7, 33, 300})
    for (const Index j : {1, 5, 67}) {
      const Data data(n, j);
      const auto x = data.view();
      const auto y = some_classes(n);
      const double sigma = 0.7;
      const auto soft = soft_margins(y, sigma, [&](int a, int b) {
        double d = 0.0;
        for (Index f = 0; f < j; ++f)
          d += difference(data, f, a, b);
        return d;
      });
      Array<double> r, gradient, column; // by the definition, once
      for (Index a = 0; a < n; ++a)
        r.push_back(1.0 / static_cast<double>(a + 1));
      for (Index f = 0; f < j; ++f) {
        gradient.push_back(0.0);
        for (Index a = 0; a < n; ++a) {
          column.push_back(0.0);
          for (Index b = 0; b < n; ++b)
            column.back() += soft.c[a][b] * difference(data, f, a, b);
          gradient.back() += r[a] * column.back();
        }
      }
      hitmiss::FeatureList all;
      for (Index f = 0; f < j; ++f)
        all.push_back(f);
      for (const auto level : levels())
        for (const Index held : {Index{0}, n}) // rows measured again, or held
          with_threads(3, [&](hitmiss::Runtime &runtime) {
            const hitmiss::AllowedPairs every;
            hitmiss::ColumnSums sums(x, all, level, runtime);
            PairMatrix<double> memory;
            const hitmiss::SoftNeighbours margins(
                hitmiss::DistanceRows(x, Array<double>(j, 1.0), level, held,
                                      memory, runtime),
                {y, every, sigma, level}, runtime, std::ref(sums));
            PairMatrix<double> s;
            PairMatrix<float> s_float;
            const auto g =
                hitmiss::pair_gradient(x, margins, r, s, level, runtime);
            PairMatrix<double> part(32, n);
            const auto by_parts =
                hitmiss::pair_gradient(x, margins, r, part, level, runtime);
            const auto g_float =
                hitmiss::pair_gradient(x, margins, r, s_float, level, runtime);
            const auto &z = sums.columns();
            double worst = 0.0, worst_float = 0.0, worst_column = 0.0;
            for (Index f = 0; f < j; ++f) {
              for (Index a = 0; a < n; ++a)
                worst_column = std::max(worst_column,
                                        std::abs(z[f][a] - column[f * n + a]));
              worst = std::max({worst, std::abs(g[f] - gradient[f]),
                                std::abs(by_parts[f] - gradient[f])});
              worst_float =
                  std::max(worst_float, std::abs(g_float[f] - gradient[f]));
            }
            CHECK(worst < 1e-12);
            CHECK(worst_float < 1e-5);
            CHECK(worst_column < 1e-12);
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
      hitmiss::detail::DistanceMemory tiles;
      rows.read({55, 75}, {32, 75}, some, tiles, runtime);
      bool same = true;
      for (Index a = 0; a < 20; ++a)
        for (Index b = 0; b < 43; ++b)
          same = same && some.row(a)[b] == plain.row(55 + a)[32 + b];
      CHECK(same);
    }
    return 0;
  });
}

TEST_CASE("lists of terms: the sums over the lists, for every level") {
  const Data data(40, 37);
  const Array<hitmiss::SampleTerms> lists{{0, {{1, 0.5}}},
                                          {39, {{3, -1.25}, {8, 2.0}}}};
  for (const auto level : levels()) {
    const auto m = with_threads(2, [&](hitmiss::Runtime &runtime) {
      Array<double> sums(37);
      hitmiss::add_margins(data.view(), lists, level, sums, runtime);
      return sums;
    });
    for (Index f = 0; f < 37; ++f) {
      double expected = 0.0;
      for (const auto &list : lists)
        for (const auto &term : list.terms)
          expected +=
              term.coefficient * difference(data, f, list.sample, term.sample);
      CHECK(m[f] == Approx(expected).margin(1e-13));
    }
  }
}

namespace {

/// Samples on a line: their distances are those of their one feature.
struct Line {
  explicit Line(const Array<double> &places) : values(places) {
    x = {hitmiss::view_by_feature(values.data(), values.size(), 1), &plain};
  }
  Line(const Line &) = delete;
  hitmiss::SoftNeighbours margins(const hitmiss::ClassIndex &y, double sigma,
                                  SimdLevel level,
                                  hitmiss::Runtime &runtime) const {
    PairMatrix<double> none; // few features are not held
    return {hitmiss::DistanceRows(x, {1.0}, level, 0, none, runtime),
            {y, every, sigma, level},
            runtime};
  }

  Array<double> values;
  hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  hitmiss::ScaledView x;
  hitmiss::AllowedPairs every;
};

} // namespace

TEST_CASE("expected margins: softmax by kind, no underflow, no hit") {
  const Line line({0.0, 1.0, 5e4, 5e4 + 2.0});
  const hitmiss::ClassIndex y({0, 0, 0, 1}, 2);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    auto margins = line.margins(y, 2.0, hitmiss::best_simd_level(), runtime);
    const auto c = all_rows(margins, runtime);
    CHECK(c.row(0)[1] == Approx(-1.0));
    CHECK(c.row(0)[3] == 1.0);
    CHECK(c.row(3)[3] == 0.0);
    CHECK(c.row(3)[2] == Approx(1.0));
    CHECK(c.row(3)[4] == 0.0);
    CHECK(margins.hit_mass()[0] == Approx(1.0));
    CHECK(margins.hit_mass()[3] == 0.0);
    return 0;
  });
}

TEST_CASE("expected margins: the plain softmax of each kind") {
  Array<int> labels(70);
  for (Index a = 0; a < labels.size(); ++a)
    labels[a] = a == 3 ? 2 : static_cast<int>(a * a / 3 % 2); // 3 is alone
  const hitmiss::ClassIndex y(labels, 3);
  const int n = y.n_samples();
  hitmiss::RandomStream random(9, 4, hitmiss::Purpose::simulation);
  Array<double> place(labels.size());
  for (double &value : place)
    value = random.uniform();
  place[9] = place[4]; // at the same place
  const Line line(place);
  // Nearness of all, of some, and of the nearest alone; no chance underflows.
  for (const double sigma : {0.7, 0.0034, 0.0003, 1e-310}) {
    const auto plain = soft_margins(
        y, sigma, [&](int a, int b) { return std::abs(place[a] - place[b]); });
    for (const auto level : levels())
      with_threads(2, [&](hitmiss::Runtime &runtime) {
        auto margins = line.margins(y, sigma, level, runtime);
        const auto c = all_rows(margins, runtime);
        double worst = 0.0;
        for (int a = 0; a < n; ++a) {
          CHECK(margins.hit_mass()[a] ==
                Approx(plain.hit_mass[a]).epsilon(1e-10));
          for (int b = 0; b < n; ++b)
            worst = std::max(worst, std::abs(c.row(a)[b] - plain.c[a][b]));
        }
        CHECK(worst < 1e-12);
        return 0;
      });
  }
}

TEST_CASE("symmetric margins: both directions, of all rows and of some") {
  const auto check = [](auto zero, Index n, double sigma, SimdLevel level) {
    using T = decltype(zero);
    return with_threads(3, [&](hitmiss::Runtime &runtime) {
      Array<double> places;
      for (Index a = 0; a < n; ++a)
        places.push_back(std::sin(static_cast<double>(a * a)));
      const Line line(places);
      const auto y = some_classes(n);
      auto margins = line.margins(y, sigma, level, runtime);
      const auto c = all_rows(margins, runtime);
      PairMatrix<T> s(n, n);
      double worst = 0.0;
      for (const Index begin : {0, 32}) { // the second in used memory
        if (begin >= n)
          continue;
        Array<double> r;
        for (Index a = 0; a < n; ++a)
          r.push_back((begin == 0 ? 0.3 : 0.9) / static_cast<double>(a + 1));
        margins.symmetric(r, {begin, n}, s, runtime);
        for (Index a = begin; a < hitmiss::round_up(n, 32); ++a)
          for (Index b = begin; b < s.stride(); ++b) {
            const double value = b <= a || b >= n
                                     ? 0.0
                                     : r[a] * c.row(a)[b] + r[b] * c.row(b)[a];
            const double found = static_cast<double>(s.row(a - begin)[b]);
            worst = std::max(worst, std::abs(found - value));
          }
      }
      return worst;
    });
  };
  for (const Index n : {2, 31, 32, 75})
    for (const double sigma : {0.5, 0.001})
      for (const auto level : levels()) {
        CHECK(check(0.0, n, sigma, level) < 1e-14);
        CHECK(check(0.0f, n, sigma, level) < 1e-6);
      }
}

TEST_CASE("near terms: every rule is the plain mean, ties share places") {
  const hitmiss::AllowedPairs every;
  const hitmiss::ClassIndex y({0, 1, 1, 2, 2, 2, 2, 1, 2, 2}, 3);
  const auto samples = hitmiss::all_samples(10);
  for (std::uint64_t round = 0; round < 20; ++round) {
    hitmiss::RandomStream random(3, round, hitmiss::Purpose::simulation);
    Array<double> places;
    for (int a = 0; a < 20; ++a)
      places.push_back(static_cast<double>(random.below(4)));
    const hitmiss::Scaling plain{{0.0, 0.0}, {1.0, 1.0}, {0, 0}};
    const hitmiss::ScaledView x{hitmiss::view_by_feature(places.data(), 10, 2),
                                &plain};
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto level = hitmiss::best_simd_level();
      const auto metric = hitmiss::Metric::manhattan;
      const hitmiss::SampleDistances distances(x, {1.0, 1.0}, metric, level);
      const hitmiss::AllowedCounts counts(y, every);
      const auto d =
          hitmiss::sample_distances(x, {1.0, 1.0}, metric, level, runtime);
      for (const auto rule : {MissRule::pooled, MissRule::map, MissRule::prior,
                              MissRule::conditional})
        for (const int k : {1, 2, 4}) {
          auto expected = plain_terms(d, y, k, rule);
          for (const auto &list :
               nearest_terms_of(distances, samples,
                                NearRule{y, every, counts, rule, k}, runtime))
            for (const auto &term : list.terms)
              expected[list.sample * 10 + term.sample] -= term.coefficient;
          double off = 0.0;
          for (const double rest : expected)
            off = std::max(off, std::abs(rest));
          CHECK(off < 1e-14);
        }
      return 0;
    });
  }
}

TEST_CASE("nearest: what is kept does not depend on the order of offers") {
  hitmiss::RandomStream random(4, 0, hitmiss::Purpose::simulation);
  Array<hitmiss::Neighbour> all;
  for (int i = 0; i < 60; ++i)
    all.push_back({static_cast<double>(random.below(9)), i});
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end());
  for (const Index k : {1, 3, 10, 59, 60, 70}) {
    Array<hitmiss::Neighbour> expected;
    const double last = sorted[std::min<Index>(k, 60) - 1].distance;
    for (const auto &near : sorted)
      if (near.distance <= last)
        expected.push_back(near);
    for (int round = 0; round < 20; ++round) {
      for (Index i = 59; i > 0; --i)
        std::swap(all[i], all[random.below(i + 1)]);
      hitmiss::NearestList list;
      for (const auto &near : all)
        list.offer(k, near);
      list.sort();
      CHECK(std::equal(
          expected.begin(), expected.end(), list.neighbours().begin(),
          list.neighbours().end(),
          [](const auto &a, const auto &b) { return a.sample == b.sample; }));
      double sum = 0.0;
      hitmiss::share_nearest(
          list.neighbours(), k,
          [&](const hitmiss::Neighbour &, double share) { sum += share; });
      CHECK(sum == Approx(1.0));
    }
  }
}

TEST_CASE("votes: ties go to the class of the nearest among the tied") {
  const auto winner = [](const Array<double> &d, const hitmiss::ClassIndex &y,
                         int k, Array<double> expected) {
    Array<double> share(2);
    hitmiss::NearestList near;
    for (int i = 0; i < d.size(); ++i)
      near.offer(k, {d[i], i});
    near.sort();
    const int found =
        hitmiss::detail::hard_vote(near.neighbours(), k, y, share);
    for (int c = 0; c < 2; ++c)
      CHECK(share[c] == Approx(expected[c]));
    return found;
  };
  const Array<double> apart{1.0, 2.0, 3.0, 4.0};
  CHECK(winner(apart, {{1, 0, 0, 1}, 2}, 4, {0.5, 0.5}) == 1);
  CHECK(winner(apart, {{1, 0, 0, 1}, 2}, 3, {2.0 / 3.0, 1.0 / 3.0}) == 0);
  CHECK(winner(apart, {{1, 0, 1, 0}, 2}, 4, {0.5, 0.5}) == 1);
  // Two of three share the last of two places, or all the one that there is.
  CHECK(winner({1.0, 2.0, 2.0, 9.0}, {{1, 0, 1, 0}, 2}, 2, {0.25, 0.75}) == 1);
  CHECK(winner({1.0, 1.0, 9.0, 9.0}, {{1, 0, 1, 0}, 2}, 1, {0.5, 0.5}) == 0);
}

TEST_CASE("votes: near samples do not tie because others are far away") {
  const Array<double> values{0.0, 10.0, 1e6}, asked{10.0, 1e6, 1.0};
  const hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  const auto samples = [&](const Array<double> &x) {
    return hitmiss::ScaledView{hitmiss::view_by_feature(x.data(), 3, 1),
                               &plain};
  };
  hitmiss::VoteOptions options;
  options.k = 1;
  for (const auto metric :
       {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean}) {
    options.metric = metric;
    const auto votes = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::nearest_vote(samples(asked), samples(values),
                                   hitmiss::ClassIndex({0, 1, 2}, 3), {1.0},
                                   options, runtime);
    });
    CHECK((votes.winner == Array<int>{1, 2, 0}));
    CHECK(votes.share[3] == 1.0);
    // Instead of classes, the mean of numbers; of two, the nearest two.
    for (const int k : {1, 2}) {
      options.k = k;
      const auto means = with_threads(1, [&](hitmiss::Runtime &runtime) {
        return hitmiss::nearest_mean(samples(asked), samples(values),
                                     {4.0, -2.0, 8.0}, {1.0}, options, runtime);
      });
      CHECK((means == (k == 1 ? Array<double>{-2.0, 8.0, 4.0}
                              : Array<double>{1.0, 3.0, 1.0})));
    }
    options.k = 1;
  }
}

TEST_CASE("sizes that no memory has are refused, not wrapped around") {
  constexpr auto most = std::numeric_limits<Index>::max();
  using Buffer = hitmiss::AlignedBuffer<double>;
  CHECK_THROWS_AS(Buffer::uninitialised(-1), std::bad_alloc);
  CHECK_THROWS_AS(Buffer::uninitialised(most / 4), std::bad_alloc);
  CHECK_THROWS_AS(PairMatrix<double>(most / 1024, 1024), std::bad_alloc);
}

TEST_CASE("a gradient of few features is the sum over all rows") {
  constexpr Index n = 600, j = 70; // two tiles, of each some parts of the rows
  const Data data(n, j);
  const auto x = data.view();
  const auto y = some_classes(n);
  const hitmiss::AllowedPairs every;
  const auto level = hitmiss::best_simd_level();
  Array<double> r;
  for (Index a = 0; a < n; ++a)
    r.push_back(1.0 / static_cast<double>(a % 7 + 1));
  const auto gradient = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      PairMatrix<double> memory, s;
      hitmiss::SoftNeighbours margins(
          hitmiss::DistanceRows(x, Array<double>(j, 0.1), level, n, memory,
                                runtime),
          {y, every, 1.0, level}, runtime);
      auto g = hitmiss::pair_gradient(x, margins, r, s, level, runtime);
      if (threads > 1)
        return g;
      const auto c = all_rows(margins, runtime);
      for (Index f = 0; f < j; f += 23) {
        double plain = 0.0;
        for (Index a = 0; a < n; ++a)
          for (Index b = 0; b < n; ++b)
            plain += r[a] * c.row(a)[b] * std::abs(x(a, f) - x(b, f));
        CHECK(g[f] == Approx(plain).epsilon(1e-9));
      }
      return g;
    });
  };
  CHECK(gradient(1) == gradient(3));
}
