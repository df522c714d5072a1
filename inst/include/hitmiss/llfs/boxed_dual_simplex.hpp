// A bounded dual simplex for few rows and many columns, kept warm over changes
// of cost, right-hand sides and rows.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_BOXED_DUAL_SIMPLEX_HPP
#define HITMISS_LLFS_BOXED_DUAL_SIMPLEX_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "basis_inverse.hpp"
#include "bound_flipping.hpp"

namespace hitmiss {

/// min c'f  subject to  0 <= f <= 1,  lower_r <= row_r'f <= upper_r.
///
/// Every variable and every row is bounded on both sides, so any basis is dual
/// feasible once nonbasic variables sit at the bound that the sign of their
/// reduced cost asks for; a solve is always warm, and redoes only what changes
/// since the last one have made stale. Internally a row is row'f - s = 0 with a
/// bounded logical variable s; variables are the columns, then the logicals.
class BoxedDualSimplex {
public:
  explicit BoxedDualSimplex(int n_columns)
      : n_columns_(n_columns), cost_(Eigen::ArrayXd::Zero(n_columns)),
        reduced_(cost_), side_(Eigen::ArrayXd::Ones(n_columns)), lower_(cost_),
        upper_(side_) {}

  int n_rows() const { return static_cast<int>(rows_.size()); }

  /// Appends a row; its logical variable enters the basis.
  void add_row(const Array<double> &coefficients, double lower, double upper) {
    rows_.push_back(
        Eigen::Map<const Eigen::ArrayXd>(coefficients.data(), n_columns_));
    Eigen::RowVectorXd on_basis(n_rows() - 1);
    for (int p = 0; p + 1 < n_rows(); ++p)
      on_basis[p] = basis_[p] < n_columns_ ? rows_.back()[basis_[p]] : 0.0;
    inverse_.append(on_basis);
    basis_.push_back(logical(n_rows() - 1));
    append(reduced_, 0.0);
    append(side_, 0.0);
    append(lower_, lower);
    append(upper_, upper);
    stale_values_ = true;
  }

  /// Does row r not bind (its logical variable is basic)?
  bool is_slack(int r) const { return is_basic(logical(r)); }

  /// Removes a row that is slack.
  void remove_row(int r) {
    const int gone = logical(r);
    const auto position = std::find(basis_.begin(), basis_.end(), gone);
    inverse_.remove(position - basis_.begin(), r);
    basis_.erase(position);
    for (int &variable : basis_)
      if (variable > gone)
        --variable;
    for (Eigen::ArrayXd *values : {&reduced_, &side_, &lower_, &upper_})
      erase(*values, gone);
    rows_.erase(rows_.begin() + r);
    stale_values_ = true;
  }

  void set_row_lower(int r, double lower) {
    lower_[logical(r)] = lower;
    stale_values_ = true;
  }

  void set_cost(const Array<double> &cost) {
    cost_ = Eigen::Map<const Eigen::ArrayXd>(cost.data(), n_columns_);
    stale_costs_ = true;
  }

  /// Solves from the basis at hand. False if no feasible point was found
  /// (numerically); values are then those of the last basis.
  bool solve() {
    constexpr int pivot_limit = 2000;
    for (int pivot = 1; pivot <= pivot_limit; ++pivot) {
      refresh();
      const int leaving = most_violated();
      if (leaving < 0)
        return true;
      if (!do_pivot(leaving))
        return false;
    }
    return false;
  }

  /// Nonzero values of f, by increasing column.
  Array<std::pair<int, double>> solution() const {
    Array<std::pair<int, double>> f;
    for (int j = 0; j < n_columns_; ++j)
      if (side_[j] < 0.0)
        f.push_back({j, 1.0});
    for (int p = 0; p < n_rows(); ++p)
      if (basis_[p] < n_columns_ && value_[p] > 0.0)
        f.push_back({basis_[p], std::min(value_[p], 1.0)});
    std::sort(f.begin(), f.end());
    return f;
  }

  /// Dual of row r: a column with coefficients q and cost c outside the
  /// program would have the reduced cost c - sum_r dual(r) q_r.
  double dual(int r) const { return reduced_[logical(r)]; }

private:
  int logical(int row) const { return n_columns_ + row; }
  bool is_basic(int v) const { return side_[v] == 0.0; }

  static void append(Eigen::ArrayXd &values, double last) {
    values.conservativeResize(values.size() + 1);
    values[values.size() - 1] = last;
  }
  static void erase(Eigen::ArrayXd &values, Index position) {
    for (Index k = position; k + 1 < values.size(); ++k)
      values[k] = values[k + 1];
    values.conservativeResize(values.size() - 1);
  }

  Eigen::VectorXd column(int v) const {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(n_rows());
    if (v >= n_columns_)
      q[v - n_columns_] = -1.0;
    else
      for (int r = 0; r < n_rows(); ++r)
        q[r] = rows_[r][v];
    return q;
  }

  /// out = sum_r weights_r row_r, over the columns.
  template <class Weights, class Out>
  void combine_rows(const Weights &weights, Out out) const {
    out.setZero();
    for (int r = 0; r < n_rows(); ++r)
      if (weights[r] != 0.0)
        out += weights[r] * rows_[r];
  }

  // ---- what a change makes stale --------------------------------------------

  void refresh() {
    if (inverse_.is_worn())
      refactor();
    if (stale_costs_)
      recompute_reduced();
    if (stale_values_)
      recompute_values();
    stale_costs_ = stale_values_ = false;
  }

  void refactor() {
    const int m = n_rows();
    Eigen::MatrixXd basis(m, m);
    for (int p = 0; p < m; ++p)
      basis.col(p) = column(basis_[p]);
    if (!inverse_.factor(basis))
      reset_basis();
    stale_costs_ = stale_values_ = true;
  }

  void reset_basis() {
    for (int v : basis_)
      side_[v] = 1.0;
    for (int r = 0; r < n_rows(); ++r) {
      basis_[r] = logical(r);
      side_[logical(r)] = 0.0;
    }
  }

  /// Reduced costs from the basis; nonbasic variables go where they ask to be.
  void recompute_reduced() {
    const int m = n_rows();
    Eigen::VectorXd basic_cost(m);
    for (int p = 0; p < m; ++p)
      basic_cost[p] = basis_[p] < n_columns_ ? cost_[basis_[p]] : 0.0;
    const Eigen::VectorXd y = inverse_.transpose_times(basic_cost);
    combine_rows(y, reduced_.head(n_columns_));
    reduced_.head(n_columns_) = cost_ - reduced_.head(n_columns_);
    reduced_.tail(m) = y.array();
    for (int v : basis_)
      reduced_[v] = 0.0;
    for (Index v = 0; v < reduced_.size(); ++v)
      if (side_[v] != 0.0 && reduced_[v] != 0.0)
        side_[v] = reduced_[v] > 0.0 ? 1.0 : -1.0;
    stale_values_ = true;
  }

  void recompute_values() {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(n_rows());
    for (int j = 0; j < n_columns_; ++j)
      if (side_[j] < 0.0)
        load += column(j);
    for (int r = 0; r < n_rows(); ++r)
      if (!is_slack(r))
        load[r] -= bound_of(logical(r));
    value_ = -inverse_.times(load);
  }

  double bound_of(int v) const {
    return side_[v] < 0.0 ? upper_[v] : lower_[v];
  }

  // ---- one pivot ------------------------------------------------------------

  /// Position in the basis of the most violated bound; -1 if none is.
  int most_violated() const {
    int worst = -1;
    double most = 1e-9;
    for (int p = 0; p < n_rows(); ++p) {
      const int v = basis_[p];
      const double violation =
          std::max(lower_[v] - value_[p], value_[p] - upper_[v]);
      if (violation > most) {
        most = violation;
        worst = p;
      }
    }
    return worst;
  }

  bool do_pivot(int p) {
    const int leaving = basis_[p];
    const bool rises = value_[p] < lower_[leaving];
    const double bound = rises ? lower_[leaving] : upper_[leaving];
    price_row(p);
    const double away = rises ? -1.0 : 1.0;
    const int entering =
        flipping_.entering(away * side_ * alpha_, reduced_, upper_ - lower_,
                           std::abs(value_[p] - bound));
    if (entering < 0)
      return false;
    const double dual_step = reduced_[entering] / alpha_[entering];
    reduced_ -= dual_step * alpha_;
    for (int v : basis_)
      reduced_[v] = 0.0;
    reduced_[leaving] = -dual_step;
    reduced_[entering] = 0.0;
    flip_passed();

    const Eigen::VectorXd direction = inverse_.times(column(entering));
    const double step = (value_[p] - bound) / direction[p];
    const double start = bound_of(entering);
    value_ -= step * direction;
    value_[p] = start + step;
    side_[leaving] = rises ? 1.0 : -1.0;
    side_[entering] = 0.0;
    basis_[p] = entering;
    inverse_.pivot(p, direction);
    return true;
  }

  /// Row p of inverse * [rows, -I]: how the leaving variable answers to the
  /// others.
  void price_row(int p) {
    const auto rho = inverse_.row(p);
    alpha_.resize(reduced_.size());
    combine_rows(rho, alpha_.head(n_columns_));
    alpha_.tail(n_rows()) = -rho.transpose().array();
  }

  void flip_passed() {
    if (flipping_.passed().empty())
      return;
    Eigen::VectorXd load = Eigen::VectorXd::Zero(n_rows());
    for (int v : flipping_.passed()) {
      load += side_[v] * (upper_[v] - lower_[v]) * column(v);
      side_[v] = -side_[v];
    }
    value_ -= inverse_.times(load);
  }

  int n_columns_;
  Eigen::ArrayXd cost_;    // by column
  Eigen::ArrayXd reduced_; // this and the next: by variable
  Eigen::ArrayXd side_;    // 1: at the lower bound, -1: at the upper, 0: basic
  Eigen::ArrayXd lower_, upper_;
  Array<Eigen::ArrayXd> rows_;
  Array<int> basis_; // variable at each position
  BasisInverse inverse_;
  bool stale_costs_ = true, stale_values_ = true;
  Eigen::VectorXd value_; // of the basic variables
  Eigen::ArrayXd alpha_;  // by variable
  BoundFlipping flipping_;
};

} // namespace hitmiss

#endif
