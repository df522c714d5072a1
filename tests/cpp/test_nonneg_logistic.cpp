// Tests of hitmiss/logo/nonneg_logistic.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/logo/nonneg_logistic.hpp>

#include "support/host.hpp"
#include "support/logo_problem.hpp"
#include "support/soft_margins.hpp"

namespace logo_problem {

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

} // namespace logo_problem
