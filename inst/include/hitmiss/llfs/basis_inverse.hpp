// The inverse of a simplex basis of about ten rows, kept whole and up to date.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_BASIS_INVERSE_HPP
#define HITMISS_LLFS_BASIS_INVERSE_HPP

#include "../runtime/array.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

/// Inverse of the matrix whose column p holds the coefficients of the variable
/// at position p of the basis. A logical variable's column is minus a unit
/// vector. Every update is O(rows^2) and exact but for rounding; after
/// `most_updates` pivots is_worn() asks for a new factorisation.
class BasisInverse {
public:
  static constexpr int most_updates = 30;

  Index size() const { return inverse_.rows(); }
  bool is_worn() const { return updates_ >= most_updates; }

  /// Row p: how the variable at position p answers to a load on every row.
  auto row(Index p) const { return inverse_.row(p); }

  Eigen::VectorXd times(const Eigen::VectorXd &load) const {
    return inverse_ * load;
  }
  Eigen::VectorXd transpose_times(const Eigen::VectorXd &cost) const {
    return inverse_.transpose() * cost;
  }

  /// A new row, last, with these coefficients on the basic variables; its
  /// logical variable takes the last position.
  void append(const Eigen::RowVectorXd &coefficients) {
    const Index m = size();
    const Eigen::RowVectorXd below = coefficients * inverse_;
    inverse_.conservativeResize(m + 1, m + 1);
    inverse_.col(m).setZero();
    inverse_.row(m).head(m) = below;
    inverse_(m, m) = -1.0;
  }

  /// Drops a row together with its logical variable, basic at position p.
  void remove(Index p, Index row) {
    const Index rest = size() - 1;
    for (Index i = p; i < rest; ++i)
      inverse_.row(i) = inverse_.row(i + 1).eval();
    for (Index j = row; j < rest; ++j)
      inverse_.col(j) = inverse_.col(j + 1).eval();
    inverse_.conservativeResize(rest, rest);
  }

  /// The variable at position p gives way to one whose column, times the
  /// inverse, is `direction`.
  void pivot(Index p, const Eigen::VectorXd &direction) {
    const Eigen::RowVectorXd pivot_row = inverse_.row(p) / direction[p];
    inverse_.noalias() -= direction * pivot_row;
    inverse_.row(p) = pivot_row;
    ++updates_;
  }

  /// Afresh from the basis; false if it is numerically singular, and then the
  /// inverse is that of logical variables alone.
  bool factor(const Eigen::MatrixXd &basis) {
    updates_ = 0;
    Eigen::FullPivLU<Eigen::MatrixXd> factor(basis);
    factor.setThreshold(1e-11);
    const bool regular = factor.isInvertible();
    if (regular)
      inverse_ = factor.inverse();
    else
      inverse_ = -Eigen::MatrixXd::Identity(basis.rows(), basis.cols());
    return regular;
  }

private:
  Eigen::MatrixXd inverse_{0, 0};
  int updates_ = 0;
};

} // namespace hitmiss

#endif
