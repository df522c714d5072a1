// The parts of the dual simplex: its inverse and its ratio test.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs/basis_inverse.hpp>
#include <hitmiss/llfs/bound_flipping.hpp>

#include "support/host.hpp"

namespace {

Eigen::MatrixXd random_matrix(hitmiss::RandomStream &draw, hitmiss::Index rows,
                              hitmiss::Index columns) {
  Eigen::MatrixXd a(rows, columns);
  for (hitmiss::Index j = 0; j < columns; ++j)
    for (hitmiss::Index i = 0; i < rows; ++i)
      a(i, j) = draw.uniform() - 0.3;
  return a;
}

Eigen::MatrixXd dense(const hitmiss::BasisInverse &inverse) {
  Eigen::MatrixXd a(inverse.size(), inverse.size());
  for (hitmiss::Index p = 0; p < inverse.size(); ++p)
    a.row(p) = inverse.row(p);
  return a;
}

double error(const hitmiss::BasisInverse &inverse,
             const Eigen::MatrixXd &basis) {
  return (dense(inverse) * basis -
          Eigen::MatrixXd::Identity(basis.rows(), basis.cols()))
      .cwiseAbs()
      .maxCoeff();
}

} // namespace

TEST_CASE("the inverse of a basis follows rows, pivots and removals") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    hitmiss::RandomStream draw(seed, 0, hitmiss::Purpose::simulation);
    hitmiss::BasisInverse inverse;
    Eigen::MatrixXd basis(0, 0);
    // Rows arrive one by one; in between, columns enter the basis.
    for (hitmiss::Index m = 1; m <= 7; ++m) {
      const Eigen::RowVectorXd row = random_matrix(draw, 1, m - 1);
      inverse.append(row);
      Eigen::MatrixXd grown = Eigen::MatrixXd::Zero(m, m);
      grown.topLeftCorner(m - 1, m - 1) = basis;
      grown.row(m - 1).head(m - 1) = row;
      grown(m - 1, m - 1) = -1.0;
      basis = grown;
      const Eigen::VectorXd column = random_matrix(draw, m, 1);
      const Eigen::VectorXd direction = inverse.times(column);
      const auto p = static_cast<hitmiss::Index>(
          draw.below(static_cast<std::uint64_t>(m)));
      if (std::abs(direction[p]) > 0.05) {
        inverse.pivot(p, direction);
        basis.col(p) = column;
      }
      CHECK(error(inverse, basis) < 1e-7);
    }
    // A row whose logical variable is basic leaves again.
    inverse.append(random_matrix(draw, 1, 7));
    inverse.append(random_matrix(draw, 1, 8));
    inverse.remove(7, 7);
    CHECK(inverse.size() == 8);
    inverse.remove(7, 7);
    CHECK(error(inverse, basis) < 1e-7);
  }
}

TEST_CASE("a factorisation replaces the updates, or says that it cannot") {
  hitmiss::RandomStream draw(3, 0, hitmiss::Purpose::simulation);
  hitmiss::BasisInverse inverse;
  const Eigen::MatrixXd basis = random_matrix(draw, 5, 5);
  CHECK(inverse.factor(basis));
  CHECK(error(inverse, basis) < 1e-9);
  CHECK_FALSE(inverse.is_worn());
  for (int k = 0; k < hitmiss::BasisInverse::most_updates; ++k)
    inverse.pivot(0, Eigen::VectorXd::Unit(5, 0));
  CHECK(inverse.is_worn());
  Eigen::MatrixXd singular = basis;
  singular.col(4) = singular.col(1);
  CHECK_FALSE(inverse.factor(singular));
  CHECK(dense(inverse) == -Eigen::MatrixXd::Identity(5, 5));
}

TEST_CASE("ratio test: passes by increasing ratio until the slope is used up") {
  Eigen::ArrayXd pull(5), reduced(5), range(5);
  pull << 1.0, 2.0, -1.0, 0.5, 1.0;
  reduced << 3.0, 2.0, 0.0, 1.0, 0.5; // ratios 3, 1, none, 2, none (no range)
  range << 1.0, 1.0, 1.0, 1.0, 0.0;
  hitmiss::BoundFlipping flipping;
  CHECK(flipping.entering(pull, reduced, range, 1.5) == 1);
  CHECK(flipping.passed().empty());
  CHECK(flipping.entering(pull, reduced, range, 2.2) == 3);
  CHECK((flipping.passed() == hitmiss::Array<int>{1}));
  CHECK(flipping.entering(pull, reduced, range, 3.0) == 0);
  CHECK((flipping.passed() == hitmiss::Array<int>{1, 3}));
  CHECK(flipping.entering(pull, reduced, range, 9.0) == -1);
  // Ties go to the lower index.
  reduced << 1.0, 2.0, 0.0, 0.5, 0.5;
  CHECK(flipping.entering(pull, reduced, range, 0.5) == 0);
}
