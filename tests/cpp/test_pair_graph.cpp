// Tests of hitmiss/bfs/pair_graph.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/pair_graph.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

TEST_CASE("the graph of pairs: exact, with all that are tied") {
  Toy toy(16, 600, 7);
  for (Index j = 0; j < toy.features; ++j) // a repeated sample
    toy.values[j * 16 + 9] = toy.values[j * 16 + 2];
  const hitmiss::ClassIndex y(toy.labels, 3);
  constexpr Index k = 4;
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
        const auto space = hitmiss::pair_space(x, y, options, runtime);
        const auto pairs = hitmiss::draw_pairs(16, {}, 1e9, runtime);
        const auto graph = hitmiss::pair_graph(space, pairs, k, runtime);
        const auto z = explicit_pairs(x, {}, kernel);
        const Index n_pairs = pairs.size();
        Array<double> squared(n_pairs * n_pairs, 0.0);
        for (const auto &feature : z)
          for (Index p = 0; p < n_pairs; ++p)
            for (Index q = 0; q < n_pairs; ++q)
              squared[p * n_pairs + q] +=
                  (feature[p] - feature[q]) * (feature[p] - feature[q]);
        const hitmiss::NeighbourKey key;
        std::set<std::pair<Index, Index>> edges;
        double total = 0.0;
        for (Index p = 0; p < n_pairs; ++p) {
          Array<std::pair<std::int64_t, Index>> order;
          for (Index q = 0; q < n_pairs; ++q)
            if (q != p)
              order.push_back({key(std::sqrt(squared[p * n_pairs + q])), q});
          std::sort(order.begin(), order.end());
          for (Index i = 0; i < k; ++i)
            total += squared[p * n_pairs + order[i].second] / k;
          for (const auto &[distance, q] : order)
            if (distance <= order[k - 1].first)
              edges.insert({std::min(p, q), std::max(p, q)});
        }
        REQUIRE(graph.edges.size() == static_cast<Index>(edges.size()));
        Array<double> degree(n_pairs);
        auto expected = edges.begin();
        for (const auto &edge : graph.edges) {
          const std::pair<Index, Index> ends(edge.a, edge.b);
          CHECK(*expected++ == ends);
          const double exact = squared[edge.a * n_pairs + edge.b];
          CHECK(edge.weight ==
                Approx(std::exp(-exact * static_cast<double>(n_pairs) / total))
                    .epsilon(1e-9));
          degree[edge.a] += edge.weight;
          degree[edge.b] += edge.weight;
        }
        // f'Lf = sum over the edges of w (f_a / root d_a - f_b / root d_b)^2.
        Array<double> f;
        for (Index p = 0; p < n_pairs; ++p) {
          CHECK(graph.degree[p] == Approx(degree[p]).epsilon(1e-12));
          f.push_back(std::sin(static_cast<double>(p)));
        }
        double form = 0.0;
        for (const auto &edge : graph.edges) {
          const double step = f[edge.a] / std::sqrt(degree[edge.a]) -
                              f[edge.b] / std::sqrt(degree[edge.b]);
          form += edge.weight * step * step;
        }
        CHECK(dot(f, hitmiss::PairLaplacian(graph)(f)) ==
              Approx(form).epsilon(1e-9));
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

} // namespace explicit_pairs
