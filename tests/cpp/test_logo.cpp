// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/logo/logo.hpp>
#include <hitmiss/relief/relief.hpp>

#include "support/host.hpp"
#include "support/soft_margins.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

/// Uniform noise; feature 0 separates the two classes.
struct Problem {
  Problem(Index n, Index j) : values(n * j), labels(n) {
    hitmiss::RandomStream random(11, 1, hitmiss::Purpose::simulation);
    for (double &value : values)
      value = random.uniform();
    for (Index i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<int>(i % 2);
      values[i] = 0.4 * values[i] + 0.5 * labels[i];
    }
    raw = hitmiss::view_by_feature(values.data(), n, j);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }
  hitmiss::ClassIndex y() const { return {labels, 2}; }

  Array<double> values;
  Array<int> labels;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

} // namespace

TEST_CASE("projected Newton reaches the optimality conditions and the gap") {
  Eigen::MatrixXd z(30, 12);
  hitmiss::RandomStream random(5, 2, hitmiss::Purpose::simulation);
  for (Index k = 0; k < z.size(); ++k)
    z.data()[k] = random.uniform() - 0.4;
  z.col(5) = z.col(4); // a repeated feature
  z.col(6).setZero();  // a constant one
  for (const double lambda : {0.05, 0.5, 5.0}) {
    hitmiss::NonnegLogisticOptions options;
    options.lambda = lambda;
    const auto result = hitmiss::NonnegLogistic(z, options)
                            .solve(Eigen::VectorXd::Zero(z.cols()));
    CHECK(result.report.status == hitmiss::Status::converged);
    CHECK(result.weights.minCoeff() >= 0.0);
    const Eigen::VectorXd margin = z * result.weights;
    double loss = lambda * result.weights.sum();
    for (Index n = 0; n < margin.size(); ++n)
      loss += std::log1p(std::exp(-margin[n]));
    CHECK(result.objective == Approx(loss));
    const Eigen::VectorXd g = z.transpose() * result.chance;
    CHECK(g.maxCoeff() <= lambda + 1e-8);
    CHECK(std::abs(result.weights.dot((g.array() - lambda).matrix())) < 1e-7);
  }
}

TEST_CASE("the residual counts weights that are too large") {
  Eigen::MatrixXd z(4, 2);
  z << 1.0, 0.5, -1.0, 0.2, 0.5, -0.4, 0.1, 0.3;
  hitmiss::NonnegLogisticOptions options;
  options.lambda = 3.0;
  options.max_iter = 0;
  Eigen::VectorXd start(2);
  start << 2.0, 1.0;
  const auto result = hitmiss::NonnegLogistic(z, options).solve(start);
  const Eigen::ArrayXd chance = 1.0 / (1.0 + (z * start).array().exp());
  const Eigen::VectorXd pull =
      (z.transpose() * chance.matrix()).array() - options.lambda;
  REQUIRE(pull.maxCoeff() < 0.0);
  CHECK(result.report.kkt == Approx(pull.cwiseAbs().maxCoeff()));
}

TEST_CASE(
    "a solution that no step improves, but no tolerance fits, has stalled") {
  const Eigen::MatrixXd z = Eigen::MatrixXd::Ones(4, 2);
  hitmiss::NonnegLogisticOptions options;
  options.lambda = 100.0; // no weight is worth it
  options.tol = -1.0;
  const auto result =
      hitmiss::NonnegLogistic(z, options).solve(Eigen::VectorXd::Zero(2));
  CHECK(result.report.status == hitmiss::Status::stalled);
  CHECK(result.weights.isZero(0.0));
}

TEST_CASE("a start from which nothing curves does not end at once") {
  Eigen::MatrixXd z(20, 3);
  hitmiss::RandomStream random(6, 2, hitmiss::Purpose::simulation);
  for (Index k = 0; k < z.size(); ++k)
    z.data()[k] = random.uniform() - 0.3;
  const hitmiss::NonnegLogisticOptions options{0.01};
  hitmiss::NonnegLogistic solver(z, options);
  const auto expected = solver.solve(Eigen::VectorXd::Zero(3));
  // Margins far from 0: chances are 0 or 1 to the last digit, or nearly so.
  for (const double far : {1e2, 3e2, 1e3, 3e3, 1e4, 1e7})
    for (Index j = 0; j < 3; ++j) {
      const auto result = solver.solve(far * Eigen::VectorXd::Unit(3, j));
      CHECK(result.report.status == hitmiss::Status::converged);
      CHECK((result.weights - expected.weights).norm() <
            1e-6 * expected.weights.norm());
    }
}

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

TEST_CASE("Relief finds the separating feature, on any number of threads") {
  const Problem problem(50, 300);
  const auto run = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::near_relief(problem.view(), problem.y(), {}, runtime);
    });
  };
  const auto scores = run(1);
  CHECK(std::max_element(scores.begin(), scores.end()) == scores.begin());
  CHECK(scores == run(3));
}
