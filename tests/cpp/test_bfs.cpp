// Tests of hitmiss/bfs/bfs.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/bfs.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

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

} // namespace explicit_pairs
