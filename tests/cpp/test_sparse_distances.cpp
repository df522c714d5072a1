// Sums over nonzero values are the sums over all values.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <random>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/sparse_tiles.hpp>
#include <hitmiss/pairs/reference_samples.hpp>
#include <hitmiss/soft/pair_sums.hpp>
#include <hitmiss/soft/soft_neighbours.hpp>

#include "support/host.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

/// Columns of density 0 to 1, with repeated samples and negative values.
struct SparseToy {
  SparseToy(unsigned seed, Index samples, Index features)
      : n(samples), j(features), dense(samples * features) {
    std::mt19937 random(seed);
    const auto draw = [&] { return static_cast<double>(random() % 1000); };
    starts.push_back(0);
    for (Index f = 0; f < j; ++f) {
      const double density = f % 4 == 3 ? draw() : draw() / 8.0;
      for (Index i = 0; i < n; ++i) {
        // The last two samples are copies of the first.
        double value = draw() < density ? draw() - 300.0 : 0.0;
        if (i >= n - 2)
          value = dense[f * n];
        if (f == 5)
          value = 0.0;
        dense[f * n + i] = value;
        if (value != 0.0) {
          rows.push_back(static_cast<int>(i));
          entries.push_back(value);
        }
      }
      starts.push_back(static_cast<int>(rows.size()));
    }
  }
  hitmiss::MatrixView plain() const {
    return hitmiss::view_by_feature(dense.data(), n, j);
  }
  hitmiss::MatrixView sparse() const {
    return hitmiss::view_of_columns(
        {starts.data(), rows.data(), entries.data()}, n, j, true);
  }
  Index n, j;
  Array<double> dense, entries;
  Array<int> starts, rows;
};

} // namespace

TEST_CASE("sparse distances of near replicates keep their digits") {
  SparseToy toy(3, 40, 120);
  // The last sample is the first, but for a small part of each value.
  for (Index f = 0; f < toy.j; ++f) {
    double &value = toy.dense[f * toy.n + toy.n - 1];
    value *= 1.0 + 1e-8 * static_cast<double>(f % 5);
    if (value != 0.0)
      toy.entries[toy.starts[f + 1] - 1] = value;
  }
  const hitmiss::Scaling plain{Array<double>(toy.j, 0.0),
                               Array<double>(toy.j, 1.0), Array<char>(toy.j)};
  const Array<double> ones(toy.j, 1.0);
  for (const auto metric :
       {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean})
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      const auto level = hitmiss::best_simd_level();
      const auto d = hitmiss::sample_distances({toy.plain(), &plain}, ones,
                                               metric, level, runtime);
      const auto e = hitmiss::sample_distances({toy.sparse(), &plain}, ones,
                                               metric, level, runtime);
      CHECK(d.row(0)[toy.n - 1] > 0.0);
      CHECK(d.row(0)[toy.n - 1] < 1e-3);
      CHECK(e.row(0)[toy.n - 1] == Approx(d.row(0)[toy.n - 1]).epsilon(1e-12));
      return 0;
    });
}

TEST_CASE("sparse distances and gradients are the dense ones") {
  const auto every = levels();
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const SparseToy toy(seed, 10 + seed % 30, 20 + 7 * (seed % 20));
    const auto simd = every[seed % every.size()];
    const auto how =
        seed % 2 ? hitmiss::ScaleMethod::range : hitmiss::ScaleMethod::zscore;
    with_threads(
        1 + static_cast<int>(seed % 3), [&](hitmiss::Runtime &runtime) {
          const auto scaling =
              hitmiss::learn_scaling(toy.plain(), how, runtime);
          const hitmiss::ScaledView plain{toy.plain(), &scaling};
          const hitmiss::ScaledView sparse{toy.sparse(), &scaling};
          Array<double> w(toy.j);
          for (Index f = 0; f < w.size(); ++f)
            w[f] = f % 5 == 2 ? 0.0 : 1.0 / static_cast<double>(f + 1);
          for (const auto metric :
               {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean}) {
            const auto d =
                hitmiss::sample_distances(plain, w, metric, simd, runtime);
            const auto e =
                hitmiss::sample_distances(sparse, w, metric, simd, runtime);
            for (Index a = 0; a < toy.n; ++a)
              for (Index b = 0; b < toy.n; ++b)
                REQUIRE(e.row(a)[b] ==
                        Approx(d.row(a)[b]).epsilon(1e-12).margin(1e-12));
            const Array<int> some{0, 2, static_cast<int>(toy.n) - 1};
            const hitmiss::GatheredSamples drawn(sparse, some, runtime);
            REQUIRE(drawn.view().raw.sparse() != nullptr);
            hitmiss::PairMatrix<double> between(32, toy.n);
            hitmiss::SampleDistances(drawn.view(), sparse, w, metric, simd)
                .measure({0, some.size()}, {0, toy.n}, between, runtime);
            for (Index a = 0; a < some.size(); ++a)
              for (Index b = 0; b < toy.n; ++b)
                REQUIRE(between.row(a)[b] ==
                        Approx(d.row(some[a])[b]).epsilon(1e-12).margin(1e-12));
            CHECK(between.row(0)[toy.n - 1] == 0.0);
            CHECK(e.row(0)[toy.n - 1] == 0.0);
            CHECK(e.row(toy.n - 2)[toy.n - 1] == 0.0);
          }
          const auto y = some_classes(toy.n);
          const hitmiss::AllowedPairs every;
          hitmiss::PairMatrix<double> memory;
          const hitmiss::SoftNeighbours margins(
              hitmiss::DistanceRows(plain, w, simd, toy.n, memory, runtime),
              {y, every, 0.5, simd}, runtime);
          Array<double> r;
          for (Index a = 0; a < toy.n; ++a)
            r.push_back(1.0 / static_cast<double>(a + 1));
          hitmiss::PairMatrix<double> s(32, toy.n);
          const auto g =
              hitmiss::pair_gradient(plain, margins, r, s, simd, runtime);
          const auto h =
              hitmiss::pair_gradient(sparse, margins, r, s, simd, runtime);
          for (Index f = 0; f < toy.j; ++f)
            CHECK(h[f] == Approx(g[f]).epsilon(1e-10).margin(1e-10));
          CHECK(h[5] == 0.0);
          return 0;
        });
  }
}
