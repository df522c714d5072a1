// Tests of hitmiss/bfs/nonneg_lasso.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/nonneg_lasso.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

TEST_CASE("the lasso path is optimal over all features, however few enter") {
  const Toy toy(14, 80, 8);
  const hitmiss::ClassIndex y(toy.labels, 3);
  for (const Index batch : {Index{1}, Index{200}})
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto scaling = hitmiss::learn_scaling(
          toy.view(), hitmiss::ScaleMethod::zscore, runtime);
      const hitmiss::ScaledView x{toy.view(), &scaling};
      const hitmiss::BfsOptions bfs;
      const auto space = hitmiss::pair_space(x, y, bfs, runtime);
      hitmiss::PairGram gram(space, 1 << 20, runtime);
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

} // namespace explicit_pairs
