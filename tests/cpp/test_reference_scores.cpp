// Reference scores: binning by hand values, and by definitions on random data.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/fisher.hpp>
#include <hitmiss/comparators/graph_forms.hpp>
#include <hitmiss/comparators/laplacian.hpp>
#include <hitmiss/comparators/mrmr.hpp>
#include <hitmiss/comparators/rank_products.hpp>
#include <hitmiss/comparators/simba.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::BinOptions;
using hitmiss::BinRule;
using hitmiss::Index;

namespace {

using Values = Array<double>;

Array<int> codes(const Values &values, const Array<int> &labels,
                 const BinOptions &options, int n_classes = 2) {
  const hitmiss::ClassIndex y(labels, n_classes);
  const Index n = values.size();
  const auto binned = with_threads(1, [&](hitmiss::Runtime &runtime) {
    return hitmiss::bin_features(hitmiss::view_by_feature(values.data(), n, 1),
                                 y, options, runtime);
  });
  return {binned.feature(0), binned.feature(0) + n};
}

Array<int> alternating(Index n) {
  Array<int> labels(n);
  for (Index i = 0; i < n; ++i)
    labels[i] = static_cast<int>(i % 2);
  return labels;
}

Values scores(const Values &x, Index n, const Array<int> &labels,
              hitmiss::FisherForm form = hitmiss::FisherForm::variances) {
  const hitmiss::ClassIndex y(labels, 2);
  const auto features = x.size() / n;
  return with_threads(2, [&](hitmiss::Runtime &runtime) {
    return hitmiss::fisher_scores(
        hitmiss::view_by_feature(x.data(), n, features), y, runtime, form);
  });
}

} // namespace

TEST_CASE("equal frequency: ties share the bin of their mean rank") {
  const Values ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const BinOptions five{BinRule::frequency, 5};
  // floor(10 / 5) = 2 bins, whatever was asked for.
  CHECK((codes(ten, alternating(10), five) ==
         Array<int>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
  // Mean rank 2.5 of the first four, (2.5 - 0.5) / 10 * 2 < 1; the others 7.5.
  CHECK((codes({1, 1, 1, 1, 2, 2, 2, 2, 2, 2}, alternating(10), five) ==
         Array<int>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  // A tie across the middle: mean rank 5.5, exactly the start of bin 1.
  CHECK((codes({0, 3, 3, 3, 3, 3, 3, 3, 3, 9}, alternating(10), five) ==
         Array<int>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST_CASE("three sigma: levels below, within and above the mean") {
  // Mean 0, sd sqrt(2.5), half of it 0.79.
  CHECK((codes({-2, -1, 0, 1, 2}, alternating(5), {BinRule::three_sigma, 5}) ==
         Array<int>{0, 0, 1, 2, 2}));
  CHECK((codes({-3, 0, 0, 0, 3}, alternating(5), {BinRule::three_sigma, 5}) ==
         Array<int>{0, 1, 1, 1, 2}));
  // Mean 0, sd 2: what lies on the border is within.
  CHECK((codes({-3, 3, -2, 2, -2, 2, -1, 1, 0, 0}, alternating(10),
               {BinRule::three_sigma, 5}) ==
         Array<int>{0, 2, 0, 2, 0, 2, 1, 1, 1, 1}));
}

TEST_CASE("description length: a clean cut pays, noise does not") {
  Values values(20);
  Array<int> clean(20), noise = alternating(20);
  for (Index i = 0; i < 20; ++i) {
    values[i] = static_cast<double>(i);
    clean[i] = i < 8 ? 0 : 1;
  }
  Array<int> expected(20);
  for (Index i = 8; i < 20; ++i)
    expected[i] = 1;
  const BinOptions mdl{BinRule::mdl, 5};
  CHECK((codes(values, clean, mdl) == expected));
  CHECK((codes(values, noise, mdl) == Array<int>(20, 0)));
  // A good cut that does not pay: 0.43 bits gained, 0.46 asked.
  const Array<int> nearly{0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0};
  values.resize(15);
  CHECK((codes(values, nearly, mdl) == Array<int>(15, 0)));
  // Two cuts: the classes lie in three runs.
  Array<int> runs(60);
  Values places(60);
  for (Index i = 0; i < 60; ++i) {
    places[i] = static_cast<double>(i);
    runs[i] = i / 20 == 1 ? 1 : 0;
  }
  const auto three = codes(places, runs, mdl);
  CHECK(three[19] == 0);
  CHECK(three[20] == 1);
  CHECK(three[39] == 1);
  CHECK(three[40] == 2);
}

TEST_CASE("chi-squared and information of the table (8 2; 3 7)") {
  Array<int> rows, columns;
  const int counts[2][2] = {{8, 2}, {3, 7}};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int i = 0; i < counts[a][b]; ++i) {
        rows.push_back(a);
        columns.push_back(b);
      }
  const hitmiss::CodeGroups groups(columns.data(), 2, 20);
  const hitmiss::CountEntropy entropy(20);
  hitmiss::Comparison with(groups, entropy);
  CHECK(std::abs(with.chi_squared(rows.data(), 2) - 5.050505050505) < 1e-11);
  CHECK(std::abs(with.information(rows.data(), 2) - 0.132505450917) < 1e-11);
}

TEST_CASE("information: none for independent tables, log n for copies") {
  for (const int n : {2, 6, 30, 1000, 100000}) {
    Array<int> parity, half;
    for (int i = 0; i < n; ++i) {
      parity.push_back(i % 2);
      half.push_back(i / 2 % 2);
    }
    const hitmiss::CountEntropy entropy(n);
    const hitmiss::CodeGroups by_parity(parity.data(), 2, n);
    hitmiss::Comparison with(by_parity, entropy);
    CHECK(std::abs(with.information(parity.data(), 2) - std::log(2.0)) < 1e-10);
    if (n % 4 == 0)
      CHECK(with.information(half.data(), 2) == 0.0);
  }
}

TEST_CASE("information: many codes as few, in any order") {
  hitmiss::RandomStream draw(3, 0, hitmiss::Purpose::simulation);
  for (const int n_codes : {1, 3, 40, 400}) {
    constexpr int n = 300;
    Array<int> a(n), b(n);
    for (int i = 0; i < n; ++i) {
      a[i] = draw.below(n_codes);
      b[i] = draw.below(3) == 0 ? a[i] : draw.below(n_codes);
    }
    const hitmiss::CountEntropy entropy(n);
    const hitmiss::CodeGroups by_a(a.data(), n_codes, n),
        by_b(b.data(), n_codes, n);
    hitmiss::Comparison with_a(by_a, entropy), with_b(by_b, entropy);
    // Of all pairs of codes, one after the other.
    double information = 0.0, squares = 0.0;
    for (int p = 0; p < n_codes; ++p)
      for (int q = 0; q < n_codes; ++q) {
        double both = 0.0;
        for (int i = 0; i < n; ++i)
          both += a[i] == p && b[i] == q ? 1.0 : 0.0;
        const double apart = static_cast<double>(by_a.count(p)) *
                             static_cast<double>(by_b.count(q)) / n;
        if (both > 0.0)
          information += both / n * std::log(both / apart);
        if (apart > 0.0)
          squares += (both - apart) * (both - apart) / apart;
      }
    const double found = with_a.information(b.data(), n_codes);
    CHECK(found == Approx(information).margin(1e-10));
    CHECK(with_b.information(a.data(), n_codes) == found);
    CHECK(with_a.information(b.data(), n_codes) == found); // memory is clean
    CHECK(with_a.chi_squared(b.data(), n_codes) ==
          Approx(squares).margin(1e-9));
    CHECK(with_b.chi_squared(a.data(), n_codes) ==
          Approx(squares).margin(1e-9));
  }
}

TEST_CASE("mrmr: the copy of a picked feature waits, constants never enter") {
  // f0 follows y but for 1 of 12; f1 is its copy; f2 errs twice, elsewhere;
  // f3 is constant.
  const Array<int> labels{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Values f0{1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Values f2{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  Values x = f0;
  x.insert(x.end(), f0.begin(), f0.end());
  x.insert(x.end(), f2.begin(), f2.end());
  x.insert(x.end(), 12, 5.0);
  const hitmiss::ClassIndex y(labels, 2);
  for (const int threads : {1, 3})
    for (const auto criterion : {hitmiss::MrmrCriterion::difference,
                                 hitmiss::MrmrCriterion::quotient}) {
      const auto result = with_threads(threads, [&](hitmiss::Runtime &runtime) {
        const auto binned =
            hitmiss::bin_features(hitmiss::view_by_feature(x.data(), 12, 4), y,
                                  {BinRule::three_sigma, 5}, runtime);
        return hitmiss::mrmr(binned, y, {4, criterion}, runtime);
      });
      CHECK((result.picked == Array<Index>{0, 2, 1}));
      CHECK(result.relevance[0] == result.relevance[1]);
      CHECK(result.relevance[3] == 0.0);
    }
}

TEST_CASE("fisher: hand value, both forms, classes without spread") {
  const Array<int> labels{0, 0, 0, 1, 1, 1};
  const Values x{1,   2,   3,   6,   7,   8,   // 9.375
                 0.1, 0.1, 0.1, 0.7, 0.7, 0.7, // differ, do not vary
                 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  const auto found = scores(x, 6, labels);
  CHECK(std::abs(found[0] - 9.375) < 1e-12);
  CHECK(found[1] == std::numeric_limits<double>::max());
  CHECK(found[2] == 0.0);
  const auto means = scores(x, 6, labels, hitmiss::FisherForm::means);
  CHECK(std::abs(means[0] - 5.0 / std::sqrt(4.0 / 3.0)) < 1e-12);
  CHECK(means[1] == std::numeric_limits<double>::max());
}

TEST_CASE("laplacian: a feature that is smooth over the graph is best") {
  // Two far groups of three; f0 says which, f1 varies within them only, f2 is
  // constant.
  const Values x{0,   0.1, 0.2, 10,  10.1, 10.2, //
                 0.3, 0,   0.3, 0.3, 0,    0.3,  //
                 4,   4,   4,   4,   4,    4};
  const hitmiss::Scaling none{{0, 0, 0}, {1, 1, 1}, {0, 0, 1}};
  const hitmiss::ScaledView view{hitmiss::view_by_feature(x.data(), 6, 3),
                                 &none};
  for (const auto simd :
       {hitmiss::SimdLevel::baseline, hitmiss::best_simd_level()}) {
    const auto found = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::laplacian_scores(view, 1, simd, runtime);
    });
    CHECK(found[0] > -0.01);
    CHECK(found[1] < -0.5);
    CHECK(found[2] == -2.0);
  }
}

TEST_CASE("neighbour graph: one of the two names the other") {
  // 0 names 1, 1 and 2 name each other.
  const Array<double> at{0.0, 1.0, 1.4}, one{1.0};
  const hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  const hitmiss::ScaledView x{hitmiss::view_by_feature(at.data(), 3, 1),
                              &plain};
  const auto graph = with_threads(1, [&](hitmiss::Runtime &runtime) {
    return hitmiss::neighbour_graph(
        hitmiss::SampleDistances(x, one, hitmiss::Metric::euclidean,
                                 hitmiss::best_simd_level()),
        1, runtime);
  });
  const double t = (1.0 + 0.16 + 0.16) / 3.0;
  REQUIRE(graph.edges.size() == 2);
  CHECK(graph.degree[0] == Approx(std::exp(-1.0 / t)));
  CHECK(graph.degree[1] == Approx(std::exp(-1.0 / t) + std::exp(-0.16 / t)));
  CHECK(graph.degree[2] == Approx(std::exp(-0.16 / t)));
}

TEST_CASE("graph forms: by hand, in units of the range") {
  const Values x{0,   1,       4,       2,        //
                 7,   7,       7,       7,        // constant
                 1e9, 1e9 + 1, 1e9 + 4, 1e9 + 2}; // an offset costs nothing
  const auto view = hitmiss::view_by_feature(x.data(), 4, 3);
  const std::vector<hitmiss::GraphEdges> graphs{{{0, 1, 2.0}, {1, 2, 0.5}},
                                                {{0, 3, -1.0}}};
  for (const int threads : {1, 3}) {
    const auto forms = with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::graph_forms(view, graphs, runtime);
    });
    const Values expected{6.5 / 16, 0, 6.5 / 16, -0.25, 0, -0.25};
    CHECK(forms == expected);
  }
  CHECK_THROWS_AS(
      with_threads(
          1,
          [&](hitmiss::Runtime &runtime) {
            return hitmiss::graph_forms(view, {{{0, 4, 1.0}}}, runtime);
          }),
      std::invalid_argument);
}

TEST_CASE("rank products: the matrix formed, ties, both widths of numbers") {
  // 70 features: more than a block. 400 samples: more than floats hold.
  for (const int n : {7, 400}) {
    const int count = 70;
    Values x(n * count);
    hitmiss::RandomStream stream(3, 0, hitmiss::Purpose::simulation);
    for (double &value : x)
      value = std::floor(20.0 * stream.uniform());
    const auto view = hitmiss::view_by_feature(x.data(), n, count);
    Values factors(count);
    for (double &factor : factors)
      factor = stream.uniform() - 0.3;
    Values ranks;
    const auto product = [&](hitmiss::SimdLevel simd, int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        ranks = hitmiss::centred_ranks(view, runtime);
        return hitmiss::rank_products(ranks.data(), n, factors, simd, runtime);
      });
    };
    const Values found = product(hitmiss::SimdLevel::baseline, 1);
    CHECK(product(hitmiss::best_simd_level(), 1) == found);
    CHECK(product(hitmiss::best_simd_level(), 3) == found);
    for (int i = 0; i < count; ++i) {
      double expected = 0.0, size = 0.0;
      for (int j = 0; j < count; ++j) {
        double dot = 0.0;
        for (int a = 0; a < n; ++a)
          dot += ranks[i * n + a] * ranks[j * n + a];
        expected += std::abs(dot) * factors[j];
        size += std::abs(dot);
      }
      CHECK(std::abs(found[i] - expected) < 1e-12 * size);
    }
    // 2 (smaller ones) + equal ones - n, of the first feature.
    for (int a = 0; a < n; ++a) {
      int rank = -n;
      for (int b = 0; b < n; ++b)
        rank += (x[b] < x[a]) + (x[b] <= x[a]);
      CHECK(ranks[a] == rank);
    }
  }
}

TEST_CASE("simba: one step by hand, then a score of 1 and of 0") {
  // Sample 0 has its hit at (0, 0.6), its miss at (0.8, 0).
  const std::vector<int> labels{0, 0, 1, 1};
  const hitmiss::ClassIndex y(labels, 2);
  const Values x{0, 0,   0.8, 0.9, //
                 0, 0.6, 0,   1,   //
                 5, 5,   5,   5};
  const hitmiss::Scaling none{{0, 0, 0}, {1, 1, 1}, {0, 0, 1}};
  const hitmiss::ScaledView view{hitmiss::view_by_feature(x.data(), 4, 3),
                                 &none};
  const double distances[] = {0.0, 0.6, 0.8, std::sqrt(1.81)};
  const auto near = hitmiss::detail::hit_and_miss(distances, y, 0);
  CHECK(near.hit.sample == 1);
  CHECK(near.miss.sample == 2);
  Values weights{1, 1, 1};
  hitmiss::detail::simba_step(view, 0, near, weights);
  CHECK(weights[0] == Approx(1.4));
  CHECK(weights[1] == Approx(0.7));
  CHECK(weights[2] == 1.0);
  for (const int threads : {1, 3}) {
    const auto result = with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::simba(view, y, {3, hitmiss::best_simd_level()}, runtime);
    });
    CHECK(result.visited.size() == 12);
    CHECK(result.scores[0] == 1.0);
    CHECK(result.scores[1] < 1.0);
    CHECK(result.scores[2] == 0.0);
  }
}
