// Densities of the classes against their definition, sample by sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <testthat/vendor/catch.h>

#include <hitmiss/vote/class_densities.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

TEST_CASE("class densities: the means of the others' kernels") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const Index n = 3 + seed % 20, p = 1 + seed % 4;
    Array<double> x(n * p);
    for (double &value : x)
      value = static_cast<double>(random() % 5) / 4.0; // some are equal
    Array<int> labels;
    for (int i = 0; i < n; ++i)
      labels.push_back(i == 0 ? 2 : i % 2); // a class of one
    const hitmiss::ClassIndex y(labels, 3);
    const hitmiss::Scaling plain{Array<double>(p, 0.0), Array<double>(p, 1.0),
                                 Array<char>(p)};
    const Array<double> bandwidths{0.3, 1.0, 1e-170};
    const auto run = [&](int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::class_densities(
            {hitmiss::view_by_feature(x.data(), n, p), &plain}, y, bandwidths,
            hitmiss::best_simd_level(), runtime);
      });
    };
    const auto found = run(1);
    CHECK(found.log_density == run(3).log_density);
    for (Index a = 0; a < n; ++a) {
      Array<double> squared(n, 0.0);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < p; ++j)
          squared[i] += std::pow(x[j * n + i] - x[j * n + a], 2);
      squared[a] = infinity;
      const double nearest = *std::min_element(squared.begin(), squared.end());
      CHECK(found.nearest[a] == Approx(nearest));
      for (Index b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) {
          double sum = 0.0, count = 0.0;
          for (Index i = 0; i < n; ++i)
            if (i != a && y[i] == c) {
              const double beyond = squared[i] - nearest;
              sum +=
                  beyond > 0.0 && b == 2
                      ? 0.0
                      : std::exp(-beyond / (2.0 * std::pow(bandwidths[b], 2) +
                                            (b == 2 ? 1.0 : 0.0)));
              count += 1.0;
            }
          const double log = found.log_density[(b * 3 + c) * n + a];
          if (sum > 0.0)
            CHECK(log == Approx(std::log(sum / count)).margin(1e-12));
          else
            CHECK(log == -infinity);
        }
    }
  }
}
