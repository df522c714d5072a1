// Tests of hitmiss/bfs/pair_kernel.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/bfs/pair_kernel.hpp>

#include "support/explicit_pairs.hpp"
#include "support/host.hpp"
#include "support/scratch.hpp"
#include "support/simd_levels.hpp"

namespace explicit_pairs {

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

} // namespace explicit_pairs
