// Tests of hitmiss/bfs/pair_gram.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/pair_gram.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

TEST_CASE("Gram entries, target and residual correlations: explicit pairs") {
  const Toy toy(13, 37, 3);
  const hitmiss::ClassIndex y(toy.labels, 3);
  for (const auto &allowed : designs(toy.n))
    for (const SimdLevel level : levels())
      for (const PairKernel &kernel : {polynomial(1, 0.0), polynomial(2, 0.7),
                                       polynomial(3, 0.7), gaussian(0.9)})
        // Gram columns in memory, in a file, or none at all.
        for (const auto &[bytes, file] : Array<std::pair<double, bool>>{
                 {1e9, true}, {1e9, false}, {0.0, false}})
          with_threads(2, [&, bytes = bytes,
                           file = file](hitmiss::Runtime &runtime) {
            const auto scaling = hitmiss::learn_scaling(
                toy.view(), hitmiss::ScaleMethod::zscore, runtime);
            const hitmiss::ScaledView x{toy.view(), &scaling};
            hitmiss::BfsOptions options;
            options.kernel = kernel;
            options.simd = level;
            options.allowed = allowed;
            const auto space = hitmiss::pair_space(x, y, options, runtime);
            hitmiss::PairGram gram(space, static_cast<Index>(bytes), runtime,
                                   file ? new_scratch() : nullptr);
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

} // namespace explicit_pairs
