// Prices of all features, and the working set that they extend.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs/llfs_columns.hpp>
#include <hitmiss/llfs/llfs_pricing.hpp>
#include <hitmiss/llfs/llfs_working_set.hpp>

#include "support/host.hpp"
#include "support/simd_levels.hpp"

namespace {

Eigen::MatrixXd random_matrix(std::uint64_t seed, hitmiss::Index rows,
                              hitmiss::Index columns) {
  hitmiss::RandomStream draw(seed, 0, hitmiss::Purpose::simulation);
  Eigen::MatrixXd a(rows, columns);
  for (hitmiss::Index j = 0; j < columns; ++j)
    for (hitmiss::Index i = 0; i < rows; ++i)
      a(i, j) = draw.uniform() - 0.5;
  return a;
}

} // namespace

TEST_CASE("prices are weighted sums of distances, for any shape") {
  for (const hitmiss::Index n : {2, 7, 33}) {
    for (const hitmiss::Index features : {1, 9, 300}) {
      for (const hitmiss::Index sets : {1, 8, 19}) {
        const auto z = random_matrix(1, n, features);
        const auto weights = random_matrix(2, n, sets);
        const hitmiss::Index centre = n / 2;
        for (const auto level : levels()) {
          hitmiss::Index next = 0;
          double worst = 0.0;
          hitmiss::price_features(
              z, centre, weights, level,
              [&](hitmiss::Index m, const double *sums) {
                CHECK(m == next++);
                for (hitmiss::Index b = 0; b < sets; ++b) {
                  double expected = 0.0;
                  for (hitmiss::Index k = 0; k < n; ++k)
                    expected +=
                        std::abs(z(k, m) - z(centre, m)) * weights(k, b);
                  worst = std::max(worst, std::abs(sums[b] - expected));
                }
              });
          CHECK(next == features);
          CHECK(worst < 1e-13);
        }
      }
    }
  }
}

TEST_CASE("Manhattan distances from one sample, for any shape") {
  for (const hitmiss::Index n : {2, 9, 40})
    for (const hitmiss::Index features : {1, 33, 100}) {
      const auto z = random_matrix(11, n, features);
      const hitmiss::Array<int> rows{0, static_cast<int>(n) - 1};
      const auto totals = hitmiss::l1_totals({z, {}}, 1, rows);
      for (hitmiss::Index r = 0; r < 2; ++r)
        CHECK(totals[r] ==
              Approx((z.row(rows[r]) - z.row(1)).cwiseAbs().sum()));
    }
}

TEST_CASE("a working set grows by the cheapest features outside it") {
  const auto z = random_matrix(3, 6, 10);
  const hitmiss::Array<int> rows{0, 1, 3, 4, 5};
  hitmiss::SeparationProblem problem;
  hitmiss::WorkingSet set(z, 2, rows, problem);
  set.reset({4, 7});
  CHECK(problem.columns() == 2);
  CHECK(problem.distances(1, 1) == std::abs(z(1, 7) - z(2, 7)));
  // 7 is held already; of the others the two cheapest, ties to the lower.
  CHECK(set.append_cheapest({{-9.0, 7}, {-1.0, 8}, {-2.0, 5}, {-2.0, 3}}, 2));
  CHECK(problem.columns() == 4);
  CHECK(set.feature(2) == 3);
  CHECK(set.feature(3) == 5);
  CHECK(set.column_of(5) == 3);
  CHECK_FALSE(set.holds(8));
  CHECK_FALSE(set.append_cheapest({{-9.0, 7}}, 2));
  CHECK(problem.distances(4, 3) == std::abs(z(5, 5) - z(2, 5)));
  set.reset({1});
  CHECK(problem.columns() == 1);
  CHECK_FALSE(set.holds(4));
}
