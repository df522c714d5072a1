// Tests of hitmiss/data/scaling.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/scaling.hpp>

#include "support/host.hpp"
#include "support/learn_scaling.hpp"

namespace learn_scaling {

TEST_CASE("scaling: mean and sd, range, constants, extreme magnitudes") {
  const Array<double> values{1,      2,      3,      4,      // plain
                             5,      5,      5,      5,      // constant
                             1e-200, 2e-200, 3e-200, 4e-200, // tiny
                             1e300,  2e300,  3e300,  4e300}; // huge
  const auto x = hitmiss::view_by_feature(values.data(), 4, 4);
  const auto z = learn(x, hitmiss::ScaleMethod::zscore);
  const double sd = std::sqrt(5.0 / 3.0);
  CHECK(z.center[0] == Approx(2.5));
  CHECK(z.scale[0] == Approx(sd));
  CHECK((z.constant == Array<char>{0, 1, 0, 0}));
  CHECK(z.scale[2] / 1e-200 == Approx(sd));
  CHECK(z.scale[3] / 1e300 == Approx(sd));
  const auto r = learn(x, hitmiss::ScaleMethod::range);
  CHECK(r.center[0] == 1.0);
  CHECK(r.scale[0] == 3.0);
  CHECK((r.constant == Array<char>{0, 1, 0, 0}));
}

TEST_CASE("scaling: every feature has its own, over all blocks") {
  const Index features = 700;
  Array<double> values;
  for (Index j = 0; j < features; ++j)
    for (const double step : {-1.0, 0.0, 1.0})
      values.push_back(static_cast<double>(j) + step);
  const auto x = hitmiss::view_by_feature(values.data(), 3, features);
  const auto z = learn(x, hitmiss::ScaleMethod::zscore);
  double worst = 0.0;
  for (Index j = 0; j < 700; ++j)
    worst = std::max(worst, std::abs(z.center[j] - static_cast<double>(j)) +
                                std::abs(z.scale[j] - 1.0));
  CHECK(worst < 1e-11);
}

TEST_CASE("class means: raw values, labelled samples, either orientation") {
  const Index n = 11, features = 600;
  Array<double> by_feature, by_sample(n * 600);
  Array<int> labels;
  for (int i = 0; i < 11; ++i)
    labels.push_back(i == 4 ? hitmiss::ClassIndex::unlabelled : i % 3);
  const hitmiss::ClassIndex classes(labels, 3);
  for (Index j = 0; j < features; ++j)
    for (Index i = 0; i < n; ++i) {
      const double value = std::sin(static_cast<double>(7 * j + i));
      by_feature.push_back(value);
      by_sample[i * features + j] = value;
    }
  const auto columns = hitmiss::view_by_feature(by_feature.data(), n, features);
  const hitmiss::MatrixView rows{
      by_sample.data(), hitmiss::Scalar::f64, n, features, features, 1};
  const auto means_of = [&](const hitmiss::MatrixView &x, int threads) {
    Array<double> means(4 * 600, NAN);
    const hitmiss::ClassMeans out{&classes, means.data(),
                                  means.data() + 3 * 600};
    with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(x, hitmiss::ScaleMethod::zscore, runtime,
                                    &out);
    });
    return means;
  };
  const auto means = means_of(columns, 1);
  double worst = 0.0;
  for (Index j = 0; j < 600; ++j) {
    double squares = 0.0;
    Index freedom = 0;
    for (int c = 0; c < 3; ++c) {
      double sum = 0.0;
      for (const int i : classes.members(c))
        sum += by_feature[j * 11 + i];
      const double mean = sum / classes.count(c);
      worst = std::max(worst, std::abs(mean - means[c * 600 + j]));
      for (const int i : classes.members(c))
        squares += std::pow(by_feature[j * 11 + i] - mean, 2.0);
      freedom += classes.count(c) - 1;
    }
    const double spread = std::sqrt(squares / static_cast<double>(freedom));
    worst = std::max(worst, std::abs(spread - means[3 * 600 + j]));
  }
  CHECK(worst < 1e-15);
  CHECK((means_of(columns, 3) == means));
  CHECK((means_of(rows, 2) == means));
}

TEST_CASE("class means: a sum beyond the largest double") {
  const Array<double> values{1e308, 1.5e308, 1.7e308, -1e308, 0.0};
  const hitmiss::ClassIndex classes({0, 0, 0, 1, 1}, 2);
  Array<double> means(3);
  const hitmiss::ClassMeans out{&classes, means.data(), means.data() + 2};
  with_threads(1, [&](hitmiss::Runtime &runtime) {
    return hitmiss::learn_scaling(hitmiss::view_by_feature(values.data(), 5, 1),
                                  hitmiss::ScaleMethod::none, runtime, &out);
  });
  CHECK(means[0] == Approx(1.4e308));
  CHECK(means[1] == -5e307);
}

TEST_CASE("scaling: an offset costs no digits, rounding error is no spread") {
  const double eps = std::numeric_limits<double>::epsilon();
  Array<double> values;
  // Milliseconds since 1970, then 8 and 9 units of rounding error.
  for (const double v : {0.0, 1.0, 5.0, 2.0})
    values.push_back(1.7e12 + v);
  for (const double v : {0.0, 8.0, 3.0, 1.0})
    values.push_back(1.0 - eps * v);
  for (const double v : {0.0, 9.0, 3.0, 1.0})
    values.push_back(1.0 - eps * v);
  const auto x = hitmiss::view_by_feature(values.data(), 4, 3);
  const auto z = learn(x, hitmiss::ScaleMethod::zscore);
  CHECK((z.constant == Array<char>{0, 1, 0}));
  CHECK(z.center[0] == 1.7e12 + 2.0);
  CHECK(z.scale[0] == Approx(std::sqrt(14.0 / 3.0)).epsilon(1e-15));
  const auto same = Array<char>{0, 1, 0};
  CHECK((learn(x, hitmiss::ScaleMethod::range).constant == same));
  CHECK((learn(x, hitmiss::ScaleMethod::none).constant == same));
}

} // namespace learn_scaling
