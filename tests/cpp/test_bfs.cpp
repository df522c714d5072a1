// BFS against explicit pairs, and its parts against their definitions.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/semi_bfs.hpp>

#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::SimdLevel;

namespace {

struct Toy {
  Index n, features;
  Array<double> values;
  Array<int> labels;

  Toy(Index samples, Index count, std::uint64_t key)
      : n(samples), features(count) {
    hitmiss::RandomStream stream(key, 0, hitmiss::Purpose::simulation);
    for (Index i = 0; i < n; ++i)
      labels.push_back(static_cast<int>(i % 3));
    for (Index j = 0; j < features; ++j)
      for (Index i = 0; i < n; ++i)
        values.push_back(stream.uniform() + (j % 5 == labels[i]));
  }
  hitmiss::MatrixView view() const {
    return hitmiss::view_by_feature(values.data(), n, features);
  }
};

using hitmiss::PairKernel;

PairKernel polynomial(int degree, double offset) {
  PairKernel kernel;
  kernel.degree = degree;
  kernel.offset = offset;
  return kernel;
}
PairKernel gaussian(double width) {
  PairKernel kernel;
  kernel.kind = PairKernel::Kind::gaussian;
  kernel.width = width;
  return kernel;
}

double value(const PairKernel &kernel, double u, double v) {
  if (kernel.kind == PairKernel::Kind::gaussian)
    return std::exp(-(u - v) * (u - v) / (2.0 * kernel.width * kernel.width));
  return std::pow(u * v + kernel.offset, kernel.degree);
}

/// Z: for every feature, its value for each allowed pair a < b of the samples.
Array<Array<double>> explicit_pairs(const hitmiss::ScaledView &x,
                                    const hitmiss::AllowedPairs &allowed,
                                    const PairKernel &kernel) {
  Array<Array<double>> z;
  for (Index j = 0; j < x.n_features(); ++j) {
    z.emplace_back();
    for (Index a = 0; a < x.n_samples(); ++a)
      for (Index b = a + 1; b < x.n_samples(); ++b)
        if (allowed(a, b))
          z.back().push_back(value(kernel, x(a, j), x(b, j)));
  }
  return z;
}

/// No design, and one of blocks and groups.
Array<hitmiss::AllowedPairs> designs(Index n) {
  Array<int> block, group;
  for (int i = 0; i < n; ++i) {
    block.push_back(i % 5 < 3 ? 0 : 1);
    group.push_back(i / 2);
  }
  return {hitmiss::AllowedPairs(), hitmiss::AllowedPairs(block, group)};
}

double dot(const Array<double> &a, const Array<double> &b) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace

TEST_CASE("Gram entries, target and residual correlations: explicit pairs") {
  const Toy toy(13, 37, 3);
  const hitmiss::ClassIndex y(toy.labels, 3);
  for (const auto &allowed : designs(toy.n))
    for (const SimdLevel level : levels())
      for (const PairKernel &kernel : {polynomial(1, 0.0), polynomial(2, 0.7),
                                       polynomial(3, 0.7), gaussian(0.9)})
        // Gram columns in memory, in a file, or none at all.
        for (const auto &[bytes, hold] : Array<std::pair<double, bool>>{
                 {1e9, true}, {1e9, false}, {0.0, true}, {0.0, false}})
          with_threads(2, [&, bytes = bytes,
                           hold = hold](hitmiss::Runtime &runtime) {
            const auto scaling = hitmiss::learn_scaling(
                toy.view(), hitmiss::ScaleMethod::zscore, runtime);
            const hitmiss::ScaledView x{toy.view(), &scaling};
            hitmiss::BfsOptions options;
            options.kernel = kernel;
            options.simd = level;
            options.allowed = allowed;
            const auto space =
                hitmiss::pair_space(x, y, options, runtime, hold);
            hitmiss::PairGram gram(space, scaling.constant,
                                   static_cast<Index>(bytes), runtime,
                                   hold ? nullptr : new_scratch());
            const auto z = explicit_pairs(x, allowed, kernel);
            Array<double> target;
            for (Index a = 0; a < toy.labels.size(); ++a)
              for (Index b = a + 1; b < toy.labels.size(); ++b)
                if (allowed(a, b))
                  target.push_back(toy.labels[a] == toy.labels[b] ? 1.0 : -1.0);
            gram.extend({4, 30, 17}, runtime);
            gram.extend({0, 36}, runtime);
            const Array<double> mu{0.1, 0.0, 0.3, 0.02, 0.5};
            Array<double> residual = target, c;
            for (Index k = 0; k < mu.size(); ++k) {
              const auto &column = z[gram.working()[k]];
              for (Index i = 0; i <= k; ++i) {
                const auto &row = z[gram.working()[i]];
                CHECK(gram(i, k) == Approx(dot(row, column)).epsilon(1e-12));
                CHECK(gram(k, i) == gram(i, k));
              }
              for (Index p = 0; p < column.size(); ++p)
                residual[p] -= mu[k] * column[p];
            }
            gram.residual_correlations(mu, c, runtime);
            for (Index j = 0; j < z.size(); ++j) {
              const double scale = 1e-12 * dot(z[j], z[j]);
              CHECK(std::abs(gram.target_correlations()[j] -
                             dot(z[j], target)) < scale);
              CHECK(std::abs(c[j] - dot(z[j], residual)) < scale);
            }
            return 0;
          });
}

TEST_CASE("a kernel's factor gives its matrix, also of several features") {
  const Index n = 40, lanes = 3;
  Array<double> x(n * lanes);
  hitmiss::RandomStream stream(5, 0, hitmiss::Purpose::simulation);
  for (Index a = 0; a < n; ++a) {
    x[a * lanes] = 6.0 * stream.uniform() - 3.0;
    x[a * lanes + 1] = static_cast<double>(a % 2); // two values
    x[a * lanes + 2] = a == 7 ? 1e6 : 0.0;         // far beyond all others
  }
  for (const PairKernel &kernel : {polynomial(1, 0.0), polynomial(3, 0.5),
                                   polynomial(2, 0.0), gaussian(1.0)}) {
    hitmiss::KernelFactor factor(kernel, n, lanes);
    for (int again = 0; again < 2; ++again) {
      factor.form(x.data());
      CHECK(factor.size() <= 25);
      for (Index lane = 0; lane < lanes; ++lane)
        for (Index a = 0; a < n; ++a)
          for (Index b = 0; b < n; ++b) {
            double sum = 0.0;
            for (Index q = 0; q < factor.size(); ++q)
              sum += factor.coefficient(q) *
                     factor.vector(q)[a * lanes + lane] *
                     factor.vector(q)[b * lanes + lane];
            const double exact =
                value(kernel, x[a * lanes + lane], x[b * lanes + lane]);
            CHECK(std::abs(sum - exact) <= 2e-12 * std::max(1.0, exact));
          }
    }
  }
}

TEST_CASE("the lasso path is optimal over all features, however few enter") {
  const Toy toy(14, 80, 8);
  const hitmiss::ClassIndex y(toy.labels, 3);
  for (const Index batch : {Index{1}, Index{200}})
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto scaling = hitmiss::learn_scaling(
          toy.view(), hitmiss::ScaleMethod::zscore, runtime);
      const hitmiss::ScaledView x{toy.view(), &scaling};
      const hitmiss::BfsOptions bfs;
      const auto space = hitmiss::pair_space(x, y, bfs, runtime, true);
      hitmiss::PairGram gram(space, scaling.constant, 1 << 20, runtime,
                             nullptr);
      const auto z = explicit_pairs(x, {}, bfs.kernel);
      Array<double> residual;
      for (Index a = 0; a < toy.labels.size(); ++a)
        for (Index b = a + 1; b < toy.labels.size(); ++b)
          residual.push_back(toy.labels[a] == toy.labels[b] ? 1.0 : -1.0);
      double most = 0.0;
      for (const auto &column : z)
        most = std::max(most, 2.0 * dot(column, residual));
      CHECK(hitmiss::lambda_max(gram) == Approx(most).epsilon(1e-12));

      hitmiss::LassoOptions options;
      options.lambdas = {most, 0.999 * most, 0.05 * most};
      options.batch = batch;
      options.enough = 1000;
      const auto path = hitmiss::nonneg_lasso_path(gram, options, runtime);
      REQUIRE(path.points.size() == 3);
      CHECK(path.points[0].active == 0);
      CHECK(path.points[1].active == 1);
      CHECK(path.points[2].active > 5);
      for (Index k = 0; k < path.mu.size(); ++k)
        for (Index p = 0; p < residual.size(); ++p)
          residual[p] -= path.mu[k] * z[path.features[k]][p];
      Array<double> mu(z.size());
      for (Index k = 0; k < path.mu.size(); ++k)
        mu[path.features[k]] = path.mu[k];
      double worst = 0.0;
      for (Index j = 0; j < z.size(); ++j) {
        const double pull = dot(z[j], residual) - 0.025 * most;
        worst = std::max(worst, mu[j] > 0.0 ? std::abs(pull) : pull);
      }
      CHECK(worst < 1e-9 * most);
      return 0;
    });
}

TEST_CASE("the factor survives appending and removing") {
  const Toy toy(40, 12, 5);
  const auto entry = [&](Index i, Index k) {
    double sum = 0.0;
    for (Index a = 0; a < 40; ++a)
      sum += toy.values[i * 40 + a] * toy.values[k * 40 + a];
    return sum;
  };
  hitmiss::ActiveCholesky factor;
  Array<Index> present;
  const auto append = [&](Index k) {
    Array<double> cross;
    for (const Index i : present)
      cross.push_back(entry(i, k));
    present.push_back(k);
    return factor.append(cross, entry(k, k));
  };
  for (Index k = 0; k < 12; ++k)
    REQUIRE(append(k));
  for (const Index at : {Index(5), Index(0), Index(9)}) {
    factor.remove(at);
    present.erase(present.begin() + at);
  }
  REQUIRE(append(5));
  Array<double> b;
  for (Index i = 0; i < present.size(); ++i)
    b.push_back(static_cast<double>(i) - 3.0);
  const auto x = factor.solve(b);
  for (Index i = 0; i < present.size(); ++i) {
    double sum = 0.0;
    for (Index k = 0; k < present.size(); ++k)
      sum += entry(present[i], present[k]) * x[k];
    CHECK(sum == Approx(b[i]).margin(1e-9));
  }
  // A variable that depends on those present is refused.
  const Index size = factor.size();
  Array<double> cross;
  for (const Index i : present)
    cross.push_back(entry(i, present[2]));
  CHECK_FALSE(factor.append(cross, entry(present[2], present[2])));
  CHECK(factor.size() == size);
}

TEST_CASE("nonnegative programs with dependent columns end at an optimum") {
  // Columns 3, 4 and 5 are sums of the first three: H has rank 3.
  const double base[3][4] = {{1, 2, 0, 1}, {0, 1, 3, 1}, {2, 0, 1, 0}};
  Array<Array<double>> columns;
  for (const auto &b : base)
    columns.emplace_back(b, b + 4);
  for (int i = 0; i < 3; ++i) {
    columns.emplace_back(4);
    for (Index a = 0; a < 4; ++a)
      columns.back()[a] = base[i][a] + base[(i + 1) % 3][a];
  }
  const auto gram = [&](Index i, Index k) {
    return dot(columns[i], columns[k]);
  };
  for (int trial = 0; trial < 64; ++trial)
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      Array<double> target, q;
      for (int a = 0; a < 4; ++a)
        target.push_back(((trial >> a) & 1) + 0.1 * a - 0.3 * (trial % 5 == 0));
      for (Index k = 0; k < 6; ++k)
        q.push_back(dot(columns[k], target) - 0.05 * (trial % 3));
      hitmiss::NonnegQuadratic<decltype(gram)> program(gram);
      REQUIRE(program.solve(q, 1e-12, runtime));
      const auto &mu = program.solution();
      for (Index k = 0; k < 6; ++k) {
        double gradient = q[k];
        for (Index i = 0; i < 6; ++i)
          gradient -= gram(k, i) * mu[i];
        CHECK(mu[k] >= 0.0);
        CHECK(gradient < 1e-9);
        if (mu[k] > 1e-12)
          CHECK(std::abs(gradient) < 1e-9);
      }
      return 0;
    });
}

TEST_CASE("neighbours among pairs: exact, with all that are tied") {
  Toy toy(16, 600, 7);
  for (Index j = 0; j < toy.features; ++j) // a repeated sample
    toy.values[j * 16 + 9] = toy.values[j * 16 + 2];
  const hitmiss::ClassIndex y(toy.labels, 3);
  for (const SimdLevel level : levels())
    for (const PairKernel &kernel :
         {polynomial(1, 0.0), polynomial(2, 1.0), gaussian(1.5)})
      with_threads(3, [&](hitmiss::Runtime &runtime) {
        const auto scaling = hitmiss::learn_scaling(
            toy.view(), hitmiss::ScaleMethod::zscore, runtime);
        const hitmiss::ScaledView x{toy.view(), &scaling};
        hitmiss::BfsOptions options;
        options.kernel = kernel;
        options.simd = level;
        const auto space = hitmiss::pair_space(x, y, options, runtime, true);
        const auto pairs = hitmiss::draw_pairs(16, {}, 1e9, runtime);
        const auto found = hitmiss::pair_neighbours(space, pairs, 4, runtime);
        const auto z = explicit_pairs(x, {}, kernel);
        const Index n_pairs = pairs.size();
        Array<double> squared(n_pairs * n_pairs, 0.0);
        for (const auto &feature : z)
          for (Index p = 0; p < n_pairs; ++p)
            for (Index q = 0; q < n_pairs; ++q)
              squared[p * n_pairs + q] +=
                  (feature[p] - feature[q]) * (feature[p] - feature[q]);
        const hitmiss::NeighbourKey key;
        for (Index p = 0; p < n_pairs; ++p) {
          Array<std::pair<std::int64_t, Index>> order;
          for (Index q = 0; q < n_pairs; ++q)
            if (q != p)
              order.push_back({key(std::sqrt(squared[p * n_pairs + q])), q});
          std::sort(order.begin(), order.end());
          REQUIRE(found(p, 0).size() >= 4);
          CHECK(order[found(p, 0).size()].first > order[3].first);
          for (Index i = 0; i < found(p, 0).size(); ++i) {
            const auto &near = found(p, 0)[i];
            CHECK(near.sample == order[i].second);
            CHECK(order[i].first <= order[3].first);
            const double exact = squared[p * n_pairs + near.sample];
            CHECK(near.distance == Approx(std::sqrt(exact)).margin(1e-9));
          }
        }
        return 0;
      });
}

TEST_CASE("a drawn sample of pairs has its size and depends on the key") {
  const auto draw = [](std::uint64_t key) {
    return with_threads(
        1,
        [](hitmiss::Runtime &runtime) {
          Array<int> flat;
          for (const auto &pair : hitmiss::draw_pairs(30, {}, 100, runtime)) {
            CHECK(pair.a < pair.b);
            flat.push_back(pair.a * 30 + pair.b);
          }
          return flat;
        },
        key);
  };
  CHECK(draw(1).size() == 100);
  CHECK(draw(1) == draw(1));
  CHECK(draw(1) != draw(2));
  const auto sorted = draw(3);
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST_CASE("ranking: by weight or by entry, then by Z'T, ties by index") {
  hitmiss::BfsResult result;
  result.mu = {0.2, 0.0, 0.5, 0.0, 0.0, 0.1};
  result.target = {1.0, 2.0, 1.0, 3.0, 2.0, 9.0};
  result.entry = {1, 0, 2, 0, 0, 1};
  const Array<double> entry_mu{0.1, 0.0, 0.4, 0.0, 0.0, 0.3};
  using hitmiss::BfsRank;
  using hitmiss::detail::rank_features;
  CHECK((rank_features(result, entry_mu, BfsRank::weight) ==
         Array<int>{2, 0, 5, 3, 1, 4}));
  CHECK((rank_features(result, entry_mu, BfsRank::entry) ==
         Array<int>{5, 0, 2, 3, 1, 4}));
}

TEST_CASE("a given lambda is where the path ends") {
  const Toy toy(21, 60, 7);
  const hitmiss::ClassIndex y(toy.labels, 3);
  with_threads(1, [&](hitmiss::Runtime &runtime) {
    const auto scaling = hitmiss::learn_scaling(
        toy.view(), hitmiss::ScaleMethod::zscore, runtime);
    const hitmiss::ScaledView x{toy.view(), &scaling};
    hitmiss::BfsOptions options;
    options.n_features = 10;
    const auto path = hitmiss::bfs(x, y, options, runtime);
    const auto &last = path.points.back();
    options.lambda = last.lambda;
    options.n_features = 1;
    const auto given = hitmiss::bfs(x, y, options, runtime);
    CHECK(given.points.back().lambda == last.lambda);
    CHECK(given.points.back().active == last.active);
    for (Index j = 0; j < toy.features; ++j)
      CHECK(given.mu[j] == Approx(path.mu[j]).margin(1e-9));
    // Above the largest lambda nothing is active.
    options.lambda = 2.0 * path.points.front().lambda;
    const auto none = hitmiss::bfs(x, y, options, runtime);
    CHECK(none.points.size() == 1);
    CHECK(none.mu == Array<double>(toy.features, 0.0));
    return 0;
  });
}

TEST_CASE("BFS and semi-BFS: the same bits on any number of threads") {
  const Toy toy(21, 1500, 11);
  auto labels = toy.labels;
  labels[4] = labels[8] = labels[15] = hitmiss::ClassIndex::unlabelled;
  const hitmiss::ClassIndex y(labels, 3);
  for (const bool semi : {false, true}) {
    Array<double> first;
    for (int threads = 1; threads <= 3; ++threads)
      with_threads(threads, [&](hitmiss::Runtime &runtime) {
        const auto scaling = hitmiss::learn_scaling(
            toy.view(), hitmiss::ScaleMethod::zscore, runtime);
        const hitmiss::ScaledView x{toy.view(), &scaling};
        hitmiss::BfsOptions options;
        options.n_features = 20;
        options.redundancy = 3.0;
        const auto result =
            semi ? hitmiss::semi_bfs(x, y, options, hitmiss::ManifoldOptions(),
                                     runtime)
                 : hitmiss::bfs(x, y, options, runtime);
        CHECK(result.report.kkt < 1e-9);
        CHECK(result.report.gap < 1e-9);
        if (threads == 1)
          first = result.mu;
        CHECK(result.mu == first);
        if (threads == 2)
          return 0;

        // The same numbers in a file.
        auto file = new_scratch();
        file->write(toy.values.data(), toy.n * toy.features, 0);
        const hitmiss::ScaledView filed{
            hitmiss::view_of_tiles(
                std::make_shared<hitmiss::ScratchTiles>(file, toy.n), toy.n,
                toy.features),
            &scaling};
        for (const double bytes : {1e9, 0.0}) {
          options.gram_memory = bytes;
          options.columns = nullptr;
          const auto expected =
              semi ? first : hitmiss::bfs(x, y, options, runtime).mu;
          options.columns = new_scratch();
          const auto streamed =
              semi ? hitmiss::semi_bfs(filed, y, options,
                                       hitmiss::ManifoldOptions(), runtime)
                   : hitmiss::bfs(filed, y, options, runtime);
          CHECK(streamed.mu == expected);
        }
        return 0;
      });
  }
}
