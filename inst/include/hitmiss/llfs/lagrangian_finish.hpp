// Least cost for a required separation, by its Lagrangian: for programs on
// which cutting planes do not come to an end.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LAGRANGIAN_FINISH_HPP
#define HITMISS_LLFS_LAGRANGIAN_FINISH_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "separation_problem.hpp"

namespace hitmiss {

/// min cost'f  subject to  U2(f) >= required, 0 <= f <= 1, 1 <= 1'f <= mass.
///
/// For a price of separation the maximiser of price * U2(f) - cost'f is found
/// by Newton steps, and the price is bracketed until U2 is what is required: U2
/// is concave, so that is the solution. Where U2 jumps with the price, a
/// mixture of both sides of the bracket is it.
class LagrangianFinish {
public:
  struct Tolerance {
    double separation; ///< of U2
    double ascent;     ///< of price * U2, for one price
  };

  LagrangianFinish(const SeparationProblem &problem, const Array<double> &cost)
      : problem_(problem), cost_(Eigen::Map<const Eigen::VectorXd>(
                               cost.data(), problem.columns())) {}

  /// From `start` and `price`; false where no solution was found.
  bool solve(double required, const Tolerance &tolerance,
             const SparseVector &start, double price) {
    tolerance_ = tolerance;
    set_start(start);
    price_ = price > 0.0 ? price : 1.0;
    Side below, above; // too little separation, more than enough
    Point last;
    for (int i = 0; i < 60; ++i) {
      if (!ascend())
        return false;
      const double value = mean_gain(problem_.gain, separation_);
      if (std::abs(value - required) <= tolerance_.separation)
        return certify();
      Side &side = value < required ? below : above;
      side = {price_, value, cost_.dot(f_), f_};
      if (below.known() && above.known()) {
        if (mixture_suffices(below, above, required))
          return mix(below, above, required);
      } else if (above.known() && price_ * value <= negligible) {
        return certify(); // separation costs nothing
      }
      change_price(below, above, last, required, value);
    }
    return false;
  }

  SparseVector solution() const { return detail::to_sparse(f_); }
  double price() const { return price_; }

  /// What certifies the solution: a point of least cost at price(), the weights
  /// of samples of other classes there, times price(), and a dual. A column
  /// with the cost c and the distances a has the reduced cost
  /// c - a'weights() - mass_dual(), not negative where it is not full.
  SparseVector certificate() const { return detail::to_sparse(certificate_); }
  const Eigen::VectorXd &weights() const { return weights_; }
  double mass_dual() const { return mass_dual_; }

private:
  static constexpr double negligible = 1e-12; // costs are at most 1
  static constexpr double rounding = 1e-9;    // of sums of f

  struct Side {
    double price = 0.0, value = 0.0, cost = 0.0;
    Eigen::VectorXd f;
    bool known() const { return f.size() > 0; }
    double bound(double required) const {
      return cost + price * (required - value);
    }
  };

  struct Point {
    double price = 0.0, value = 0.0;
  };
  /// By secants over the logarithm of the price, between the two sides.
  void change_price(const Side &below, const Side &above, Point &last,
                    double required, double value) {
    const double longest = std::log(4.0), here = std::log(price_);
    const double direction = value < required ? 1.0 : -1.0;
    double step = 0.2 * direction;
    if (last.price > 0.0) {
      step = (required - value) * (here - std::log(last.price)) /
             (value - last.value);
      if (!(step * direction > 0.0 && step * direction < longest))
        step = longest * direction;
    }
    last = {price_, value};
    double next = here + step;
    if (below.known() && above.known()) {
      const double low = std::log(below.price), high = std::log(above.price);
      const double margin = 0.05 * (high - low);
      if (!(next > low + margin && next < high - margin))
        next = 0.5 * (low + high);
    }
    price_ = std::exp(next);
  }

  void set_start(const SparseVector &start) {
    f_ = Eigen::VectorXd::Zero(problem_.columns());
    for (const auto &entry : start)
      f_[entry.first] = entry.second;
    set_separation(problem_.other_totals(start));
  }

  /// Of the way from `above` to `below` as far as U2, being concave, certainly
  /// suffices.
  static double share_below(const Side &below, const Side &above,
                            double required) {
    return (above.value - required) / (above.value - below.value);
  }
  bool mixture_suffices(const Side &below, const Side &above,
                        double required) const {
    const double t = share_below(below, above, required);
    const double cost = t * below.cost + (1.0 - t) * above.cost;
    const double bound = std::max(below.bound(required), above.bound(required));
    return cost - bound <= below.price * tolerance_.separation;
  }
  /// The better bound of the two certifies.
  bool mix(const Side &below, const Side &above, double required) {
    const double t = share_below(below, above, required);
    const Side &side =
        below.bound(required) > above.bound(required) ? below : above;
    price_ = side.price;
    f_ = side.f;
    set_separation(problem_.other_totals(solution()));
    certify();
    f_ = t * below.f + (1.0 - t) * above.f;
    return true;
  }

  bool certify() {
    certificate_ = f_;
    weights_ = price_ * gain_weights(problem_.gain, separation_);
    const double most = reach(gradient()).up;
    mass_dual_ = std::isfinite(most) ? -most : 0.0;
    return true;
  }

  // ---- one price ------------------------------------------------------------

  /// That of U2 outlives a change of price.
  Eigen::VectorXd gradient() {
    if (between_.size() == 0)
      between_ =
          problem_.between_gradient(gain_weights(problem_.gain, separation_));
    return price_ * between_ - cost_;
  }
  /// Mass that is not used: a column without cost or separation.
  double slack() const {
    const double unused = problem_.mass - f_.sum();
    return unused > rounding ? std::min(unused, problem_.mass - 1.0) : 0.0;
  }

  /// Newton steps on the columns that matter; all are looked at in the end.
  bool ascend() {
    for (int round = 0; round < 100; ++round) {
      const Eigen::VectorXd g = gradient();
      const Reach within = reach(g);
      if (within.up - within.down <= allowed_gap())
        return true;
      choose_columns(g, within);
      step(climb_model());
    }
    return false;
  }

  double allowed_gap() const {
    return tolerance_.ascent * price_ / problem_.mass;
  }

  /// The largest gradient of a column that could have more mass, and the least
  /// of one that could have less.
  struct Reach {
    double up, down;
  };
  Reach reach(const Eigen::VectorXd &g) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    const double unused = slack();
    Reach result{problem_.mass - 1.0 - unused > rounding ? 0.0 : -never,
                 unused > 0.0 ? 0.0 : never};
    for (Index j = 0; j < g.size(); ++j) {
      if (f_[j] < 1.0)
        result.up = std::max(result.up, g[j]);
      if (f_[j] > 0.0)
        result.down = std::min(result.down, g[j]);
    }
    return result;
  }

  /// Columns that an exchange would improve: fractional ones, full ones of too
  /// small a gradient, and of the empty ones those of largest gradient.
  void choose_columns(const Eigen::VectorXd &g, const Reach &reach) {
    constexpr Index candidates = 16;
    Array<int> empty;
    columns_.clear();
    for (int j = 0; j < static_cast<int>(g.size()); ++j) {
      if (f_[j] <= 0.0 && g[j] > reach.down)
        empty.push_back(j);
      else if (f_[j] > 0.0 && (f_[j] < 1.0 || g[j] < reach.up))
        columns_.push_back(j);
    }
    const auto count = std::min(candidates, empty.size());
    std::partial_sort(
        empty.begin(), empty.begin() + count, empty.end(),
        [&](int a, int b) { return g[a] > g[b] || (g[a] == g[b] && a < b); });
    columns_.insert(columns_.end(), empty.begin(), empty.begin() + count);
    const auto n = columns_.size();
    // The last one is the mass that is not used.
    near_.setZero(problem_.n_other(), n + 1);
    cost_near_.setZero(n + 1);
    slope_.setZero(n + 1);
    mass_.setZero(n + 1);
    most_.setOnes(n + 1);
    for (Index k = 0; k < n; ++k) {
      const int j = columns_[k];
      near_.col(k) = problem_.distances.col(j).tail(problem_.n_other());
      cost_near_[k] = cost_[j];
      slope_[k] = g[j];
      mass_[k] = f_[j];
    }
    mass_[n] = slack();
    most_[n] = problem_.mass - 1.0;
  }

  /// Where the second-order model is largest: mass moves between two columns
  /// at a time.
  Eigen::VectorXd climb_model() const {
    const Eigen::VectorXd curvature =
        price_ * gain_curvatures(problem_.gain, separation_);
    Eigen::VectorXd x = mass_, slope = slope_;
    // Few columns exchange mass, so few of the model's matrix are needed.
    Array<Eigen::VectorXd> bends(x.size());
    const auto bend = [&](Index k) -> const Eigen::VectorXd & {
      Eigen::VectorXd &column = bends[k];
      if (column.size() == 0)
        column = column_products(near_, curvature.cwiseProduct(near_.col(k)));
      return column;
    };
    for (Index move = 0; move < 50 * x.size(); ++move) {
      Index up = -1, down = -1;
      for (Index k = 0; k < x.size(); ++k) {
        if (x[k] < most_[k] && (up < 0 || slope[k] > slope[up]))
          up = k;
        if (x[k] > 0.0 && (down < 0 || slope[k] < slope[down]))
          down = k;
      }
      if (up < 0 || down < 0 || slope[up] - slope[down] <= 0.1 * allowed_gap())
        break;
      const Eigen::VectorXd &of_up = bend(up), &of_down = bend(down);
      const double bent = of_up[up] + of_down[down] - 2.0 * of_up[down];
      const double room = most_[up] - x[up];
      double t = std::min(room, x[down]);
      if (slope[up] - slope[down] < t * bent)
        t = (slope[up] - slope[down]) / bent;
      x[up] = t == room ? most_[up] : x[up] + t;
      x[down] = t == x[down] ? 0.0 : x[down] - t;
      slope -= t * (of_up - of_down);
    }
    return x;
  }

  void set_separation(const Eigen::VectorXd &separation) {
    separation_ = separation;
    between_.resize(0);
  }

  /// To `target`, or less far if that is too far. The whole step leaves no
  /// traces of mass behind.
  void step(const Eigen::VectorXd &target) {
    const Eigen::VectorXd way = near_ * (target - mass_);
    const double saved = cost_near_.dot(mass_ - target);
    const auto slope = [&](double t) {
      return price_ * gain_on_line(problem_.gain, separation_, way, t).slope +
             saved;
    };
    const bool whole = slope(1.0) >= -0.5 * slope(0.0);
    const double t = whole ? 1.0 : detail::concave_argmax(slope, 1.0);
    if (whole)
      mass_ = target;
    else
      mass_ += t * (target - mass_);
    set_separation(separation_ + t * way);
    for (Index k = 0; k < columns_.size(); ++k)
      f_[columns_[k]] = mass_[k];
  }

  const SeparationProblem &problem_;
  const Eigen::VectorXd cost_;
  Tolerance tolerance_{};
  double price_ = 1.0;
  Eigen::VectorXd f_, separation_; // at f
  Eigen::VectorXd between_;        // the gradient of U2 there, if it is known
  Eigen::VectorXd certificate_, weights_;
  double mass_dual_ = 0.0;
  Array<int> columns_; // that exchange mass; by these, then unused mass:
  Eigen::MatrixXd near_;
  Eigen::VectorXd cost_near_, slope_, mass_, most_;
};

} // namespace hitmiss

#endif
