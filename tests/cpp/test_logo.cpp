// Tests of hitmiss/logo/logo.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/logo/logo.hpp>

#include "support/host.hpp"
#include "support/logo_problem.hpp"
#include "support/soft_margins.hpp"

namespace logo_problem {

TEST_CASE("LOGO finds features that are worth a weight late") {
  // Feature 1 tells the classes apart only among samples that are alike in
  // feature 0. Over all pairs it is of no use, so it is no early candidate.
  constexpr Index n = 80, j = 300;
  hitmiss::RandomStream random(3, 1, hitmiss::Purpose::simulation);
  Array<double> values(n * j);
  for (double &value : values)
    value = 0.001 * random.uniform();
  Array<int> labels(n);
  for (Index i = 0; i < n; ++i) {
    const int block = static_cast<int>(i / 20), side = static_cast<int>(i % 2);
    labels[i] = block == 0 ? side : block == 1 ? 1 - side : block - 2;
    values[i] = block;
    values[n + i] = side;
  }
  const auto raw = hitmiss::view_by_feature(values.data(), n, j);
  const hitmiss::ClassIndex y(labels, 2);
  hitmiss::LogoOptions options;
  options.sigma = 0.1;
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    const auto scaling =
        hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::none, runtime);
    const hitmiss::ScaledView x{raw, &scaling};
    hitmiss::LogoSolver solver(x, y, options, runtime);
    REQUIRE(solver.candidates().size() == 1);
    REQUIRE(solver.candidates()[0] == 0);
    Array<double> w(j, 0.0);
    w[0] = 5.0; // only samples of a block are near
    CHECK(solver.step(w).weights[1] == 0.0);
    const auto all = solver.certify();
    CHECK(all.weights[1] > 0.0);
    CHECK(all.kkt < 1e-7);
    return 0;
  });
}

TEST_CASE("LOGO's answer is optimal over all features, wherever it stops") {
  const Problem problem(40, 500);
  const auto x = problem.view();
  const auto y = problem.y();
  for (const int most : {1, 2, 3, 50}) {
    hitmiss::LogoOptions options;
    options.lambda = 0.5;
    options.max_iter = most;
    const auto result = with_threads(2, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(x, y, options, runtime);
    });
    CHECK(result.weights[0] > 0.0);
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(40, 500);
    const auto soft = soft_margins(y, options.sigma, [&](int a, int b) {
      double d = 0.0;
      for (int j = 0; j < 500; ++j)
        d += result.point[j] * std::abs(x(a, j) - x(b, j));
      return d;
    });
    for (int a = 0; a < 40; ++a)
      for (int b = 0; b < 40; ++b)
        for (int j = 0; j < 500; ++j)
          z(a, j) += soft.c[a][b] * std::abs(x(a, j) - x(b, j));
    const Eigen::Map<const Eigen::VectorXd> weights(result.weights.data(), 500),
        point(result.point.data(), 500);
    const Eigen::ArrayXd chance = 1.0 / (1.0 + (z * weights).array().exp());
    const Eigen::VectorXd pull =
        (z.transpose() * chance.matrix()).array() - options.lambda;
    CHECK(pull.maxCoeff() < 1e-7);
    CHECK(std::abs(weights.dot(pull)) < 1e-6);
    CHECK(result.report.kkt < 1e-7);
    CHECK(result.report.residual == Approx((weights - point).norm()));
  }
}

TEST_CASE("LOGO: float and double screening agree, threads do not matter") {
  const Problem problem(200, 900);
  const auto run = [&](bool in_float, int threads) {
    hitmiss::LogoOptions options;
    options.lambda = 1.0;
    options.unit_range = in_float;
    options.tol = 1e-6;
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(problem.view(), problem.y(), options, runtime);
    });
  };
  const auto one = run(true, 1), three = run(true, 3), exact = run(false, 1);
  CHECK(one.report.status == hitmiss::Status::converged);
  CHECK(one.report.iterations < hitmiss::LogoOptions().max_iter);
  CHECK(one.report.kkt < 1e-8);
  CHECK(one.report.gap < 1e-7);
  CHECK(one.weights[0] > 0.0);
  CHECK(one.weights == three.weights);
  double worst = 0.0;
  for (Index j = 0; j < one.weights.size(); ++j)
    worst = std::max(worst, std::abs(one.weights[j] - exact.weights[j]));
  CHECK(worst < 1e-5);
}

TEST_CASE("LOGO: without convergence the best iterate is kept") {
  const Problem problem(40, 50);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double before = infinity, first = infinity;
  for (const int most : {1, 2, 3, 5, 8}) {
    hitmiss::LogoOptions options;
    options.tol = 0.0;
    options.max_iter = most;
    const auto result = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(problem.view(), problem.y(), options, runtime);
    });
    CHECK(result.report.iterations == most);
    double squares = 0.0;
    for (const double w : result.weights)
      squares += w * w;
    const double relative =
        result.report.residual / std::max(1.0, std::sqrt(squares));
    CHECK(relative <= before);
    before = relative;
    first = std::min(first, most == 1 ? relative : infinity);
  }
  CHECK(before < 0.1 * first);
}

} // namespace logo_problem
