// A bounded dual simplex for few rows and many columns, kept warm over changes
// of cost, right-hand sides and rows.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_BOXED_DUAL_SIMPLEX_HPP
#define HITMISS_SOLVERS_BOXED_DUAL_SIMPLEX_HPP

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "basis_inverse.hpp"

namespace hitmiss {

/// min c'f  subject to  0 <= f <= 1,  lower_r <= row_r'f <= upper_r.
///
/// Every variable and every row is bounded on both sides, so any basis is dual
/// feasible once nonbasic variables sit at the bound that the sign of their
/// reduced cost asks for; a solve is always warm, and redoes only what changes
/// since the last one have made stale. Internally a row is row'f - s = 0 with a
/// bounded logical variable s.
class BoxedDualSimplex {
public:
  explicit BoxedDualSimplex(int n_columns)
      : n_columns_(n_columns), cost_(static_cast<std::size_t>(n_columns), 0.0),
        reduced_(static_cast<std::size_t>(n_columns), 0.0),
        place_(static_cast<std::size_t>(n_columns), Place::lower) {}

  int n_rows() const { return static_cast<int>(rows_.size()); }

  /// Appends a row; its logical variable enters the basis.
  void add_row(std::vector<double> coefficients, double lower, double upper) {
    Eigen::RowVectorXd on_basis(n_rows());
    for (int p = 0; p < n_rows(); ++p)
      on_basis[p] =
          basis_[at(p)] < n_columns_ ? coefficients[at(basis_[at(p)])] : 0.0;
    inverse_.append(on_basis);
    stale_values_ = true;
    rows_.push_back({std::move(coefficients), lower, upper, Place::basic, 0.0});
    basis_.push_back(n_columns_ + n_rows() - 1);
  }

  /// Does row r not bind (its logical variable is basic)?
  bool is_slack(int r) const { return row(r).place == Place::basic; }

  /// Removes a row that is slack.
  void remove_row(int r) {
    const int logical = n_columns_ + r;
    const auto position = std::find(basis_.begin(), basis_.end(), logical);
    inverse_.remove(position - basis_.begin(), r);
    stale_values_ = true;
    basis_.erase(position);
    for (int &variable : basis_)
      if (variable > logical)
        --variable;
    rows_.erase(rows_.begin() + r);
  }

  void set_row_lower(int r, double lower) {
    row(r).lower = lower;
    stale_values_ = true;
  }
  void set_cost(const std::vector<double> &cost) {
    cost_ = cost;
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
  std::vector<std::pair<int, double>> solution() const {
    std::vector<std::pair<int, double>> f;
    std::vector<std::pair<int, double>> basic;
    for (int p = 0; p < n_rows(); ++p)
      if (basis_[at(p)] < n_columns_)
        basic.push_back({basis_[at(p)], std::clamp(value_[p], 0.0, 1.0)});
    std::sort(basic.begin(), basic.end());
    auto next = basic.begin();
    for (int j = 0; j < n_columns_; ++j) {
      if (next != basic.end() && next->first == j) {
        if (next->second > 0.0)
          f.push_back(*next);
        ++next;
      } else if (place_[at(j)] == Place::upper) {
        f.push_back({j, 1.0});
      }
    }
    return f;
  }

  /// Dual of row r: a column with coefficients q and cost c outside the
  /// program would have the reduced cost c - sum_r dual(r) q_r.
  double dual(int r) const { return row(r).reduced; }

private:
  enum class Place : char { lower, upper, basic };

  struct Row {
    std::vector<double> coefficients;
    double lower, upper;
    Place place;
    double reduced;
  };

  struct Candidate {
    double ratio;
    int variable;
    double step; // |alpha|
    bool operator<(const Candidate &other) const {
      return ratio < other.ratio ||
             (ratio == other.ratio && variable < other.variable);
    }
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// y += a x
  static void add_to(std::vector<double> &y, double a,
                     const std::vector<double> &x) {
    using Vector = Eigen::Map<Eigen::VectorXd>;
    const auto n = static_cast<Eigen::Index>(y.size());
    if (a != 0.0)
      Vector(y.data(), n) += a * Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  }
  Row &row(int r) { return rows_[at(r)]; }
  const Row &row(int r) const { return rows_[at(r)]; }

  double lower(int v) const {
    return v < n_columns_ ? 0.0 : row(v - n_columns_).lower;
  }
  double upper(int v) const {
    return v < n_columns_ ? 1.0 : row(v - n_columns_).upper;
  }
  Place &place(int v) {
    return v < n_columns_ ? place_[at(v)] : row(v - n_columns_).place;
  }
  double &reduced(int v) {
    return v < n_columns_ ? reduced_[at(v)] : row(v - n_columns_).reduced;
  }

  Eigen::VectorXd column(int v) const {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(n_rows());
    if (v >= n_columns_)
      q[v - n_columns_] = -1.0;
    else
      for (int r = 0; r < n_rows(); ++r)
        q[r] = row(r).coefficients[at(v)];
    return q;
  }

  /// Brings inverse, reduced costs, bounds and values up to date.
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
      basis.col(p) = column(basis_[at(p)]);
    if (!inverse_.factor(basis))
      reset_basis();
    stale_costs_ = stale_values_ = true;
  }

  void reset_basis() {
    for (int v : basis_)
      place(v) = Place::lower;
    for (int r = 0; r < n_rows(); ++r) {
      basis_[at(r)] = n_columns_ + r;
      row(r).place = Place::basic;
    }
  }

  void recompute_reduced() {
    const int m = n_rows();
    Eigen::VectorXd basic_cost(m);
    for (int p = 0; p < m; ++p)
      basic_cost[p] = basis_[at(p)] < n_columns_ ? cost_[at(basis_[at(p)])] : 0;
    const Eigen::VectorXd y = inverse_.transpose_times(basic_cost);
    reduced_ = cost_;
    for (int r = 0; r < m; ++r) {
      row(r).reduced = y[r];
      add_to(reduced_, -y[r], row(r).coefficients);
    }
    for (int p = 0; p < m; ++p)
      reduced(basis_[at(p)]) = 0.0;
    for (int v = 0; v < n_columns_ + m; ++v)
      if (place(v) != Place::basic && reduced(v) != 0.0)
        place(v) = reduced(v) > 0.0 ? Place::lower : Place::upper;
    stale_values_ = true;
  }

  void recompute_values() {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(n_rows());
    for (int j = 0; j < n_columns_; ++j)
      if (place_[at(j)] == Place::upper)
        for (int r = 0; r < n_rows(); ++r)
          load[r] += row(r).coefficients[at(j)];
    for (int r = 0; r < n_rows(); ++r)
      if (row(r).place != Place::basic)
        load[r] -= row(r).place == Place::upper ? row(r).upper : row(r).lower;
    value_ = -inverse_.times(load);
  }

  /// Position in the basis of the most violated bound; -1 if none is.
  int most_violated() const {
    int worst = -1;
    double most = 1e-9;
    for (int p = 0; p < n_rows(); ++p) {
      const int v = basis_[at(p)];
      const double violation =
          std::max(lower(v) - value_[p], value_[p] - upper(v));
      if (violation > most) {
        most = violation;
        worst = p;
      }
    }
    return worst;
  }

  bool do_pivot(int p) {
    const int leaving = basis_[at(p)];
    const bool rises = value_[p] < lower(leaving);
    const double bound = rises ? lower(leaving) : upper(leaving);
    price_row(p);
    collect_candidates(rises);
    const int entering = ratio_test(std::abs(value_[p] - bound));
    if (entering < 0)
      return false;
    const double pivot = alpha_of(entering);
    const double dual_step = reduced(entering) / pivot;
    add_to(reduced_, -dual_step, alpha_);
    for (int r = 0; r < n_rows(); ++r)
      row(r).reduced -= dual_step * alpha_of(n_columns_ + r);
    for (int v : basis_)
      reduced(v) = 0.0;
    reduced(leaving) = -dual_step;
    reduced(entering) = 0.0;
    flip_passed();

    const Eigen::VectorXd direction = inverse_.times(column(entering));
    const double start =
        place(entering) == Place::upper ? upper(entering) : lower(entering);
    const double step = (value_[p] - bound) / direction[p];
    value_ -= step * direction;
    value_[p] = start + step;
    place(leaving) = rises ? Place::lower : Place::upper;
    place(entering) = Place::basic;
    basis_[at(p)] = entering;
    inverse_.pivot(p, direction);
    return true;
  }

  /// Row p of inverse * [rows, -I]: how the leaving variable answers to the
  /// others.
  void price_row(int p) {
    rho_ = inverse_.row(p);
    alpha_.assign(at(n_columns_), 0.0);
    for (int r = 0; r < n_rows(); ++r)
      add_to(alpha_, rho_[r], row(r).coefficients);
  }
  double alpha_of(int v) const {
    return v < n_columns_ ? alpha_[at(v)] : -rho_[v - n_columns_];
  }

  void collect_candidates(bool rises) {
    candidates_.clear();
    for (int j = 0; j < n_columns_; ++j)
      consider(j, place_[at(j)], rises ? -alpha_[at(j)] : alpha_[at(j)],
               reduced_[at(j)]);
    for (int r = 0; r < n_rows(); ++r)
      if (row(r).upper > row(r).lower)
        consider(n_columns_ + r, row(r).place, rises ? rho_[r] : -rho_[r],
                 row(r).reduced);
  }

  void consider(int v, Place where, double alpha, double reduced) {
    if ((where == Place::lower && alpha > 1e-9) ||
        (where == Place::upper && alpha < -1e-9))
      candidates_.push_back({std::abs(reduced / alpha), v, std::abs(alpha)});
  }

  /// Bound flipping: passes candidates while the dual objective still rises.
  /// Mostly the first one ends it, so they are not sorted.
  int ratio_test(double slope) {
    passed_.clear();
    while (!candidates_.empty()) {
      const auto next =
          std::min_element(candidates_.begin(), candidates_.end());
      const int variable = next->variable;
      slope -= next->step * (upper(variable) - lower(variable));
      if (slope <= 0.0)
        return variable;
      passed_.push_back(variable);
      *next = candidates_.back();
      candidates_.pop_back();
    }
    return -1;
  }

  void flip_passed() {
    if (passed_.empty())
      return;
    Eigen::VectorXd load = Eigen::VectorXd::Zero(n_rows());
    for (int v : passed_) {
      const double range = upper(v) - lower(v);
      const bool was_lower = place(v) == Place::lower;
      load += (was_lower ? range : -range) * column(v);
      place(v) = was_lower ? Place::upper : Place::lower;
    }
    value_ -= inverse_.times(load);
  }

  int n_columns_;
  std::vector<double> cost_, reduced_;
  std::vector<Place> place_;
  std::vector<Row> rows_;
  std::vector<int> basis_; // variable at each position; >= n_columns_: logical
  BasisInverse inverse_;
  bool stale_costs_ = true, stale_values_ = true;
  Eigen::VectorXd value_; // of the basic variables
  Eigen::RowVectorXd rho_;
  std::vector<double> alpha_;
  std::vector<Candidate> candidates_;
  std::vector<int> passed_;
};

} // namespace hitmiss

#endif
