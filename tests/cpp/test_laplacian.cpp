// Tests of hitmiss/comparators/laplacian.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/comparators/laplacian.hpp>

#include "support/host.hpp"
#include "support/reference_scores.hpp"

namespace reference_scores {

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

TEST_CASE("neighbour graph: too many ties are refused, 4,096 samples are not") {
  const hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  const auto edges = [&](Index n) {
    const Array<double> at(n, 0.5), one{1.0};
    const hitmiss::ScaledView x{hitmiss::view_by_feature(at.data(), n, 1),
                                &plain};
    return with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::neighbour_graph(
                 hitmiss::SampleDistances(x, one, hitmiss::Metric::euclidean,
                                          hitmiss::best_simd_level()),
                 5, runtime)
          .edges.size();
    });
  };
  CHECK(edges(200) == 200 * 199 / 2);
  CHECK(static_cast<double>(edges(4096)) ==
        hitmiss::NeighbourGraph::bytes_needed(4096.0, 5) / 24.0);
  CHECK_THROWS_AS(edges(4200), std::invalid_argument);
}

} // namespace reference_scores
