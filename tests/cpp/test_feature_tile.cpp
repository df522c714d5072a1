// Tests of hitmiss/data/feature_tile.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/feature_tile.hpp>

#include "support/host.hpp"
#include "support/learn_scaling.hpp"

namespace learn_scaling {

TEST_CASE("tiles are the same numbers from either orientation and type") {
  const Index n = 5, features = 7;
  Array<double> by_feature(35), by_sample(35);
  Array<int> whole(35);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < features; ++j) {
      const int value = static_cast<int>((i * 7 + j * j * 3) % 11);
      by_feature[j * n + i] = value;
      by_sample[i * features + j] = value;
      whole[j * n + i] = value;
    }
  const auto columns = hitmiss::view_by_feature(by_feature.data(), n, features);
  const hitmiss::MatrixView rows{
      by_sample.data(), hitmiss::Scalar::f64, n, features, features, 1};
  const hitmiss::MatrixView integers{
      whole.data(), hitmiss::Scalar::i32, n, features, 1, n};
  const auto scaling = learn(columns, hitmiss::ScaleMethod::zscore);
  const Index stride = 8;
  Array<double> expected(3 * 8);
  hitmiss::copy_tile(hitmiss::ScaledView{columns, &scaling}, 2, 3,
                     expected.data(), stride);
  for (const auto &view : {columns, rows, integers}) {
    const hitmiss::ScaledView scaled{view, &scaling};
    Array<double> tile(3 * 8, NAN);
    hitmiss::copy_tile(scaled, 2, 3, tile.data(), stride);
    CHECK(tile == expected);
    CHECK(tile[8 + 4] == scaled(4, 3));
    CHECK(tile[8 + 5] == 0.0);
  }
}

} // namespace learn_scaling
