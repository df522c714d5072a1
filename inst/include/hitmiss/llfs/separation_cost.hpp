// Least cost for a required separation, by its Lagrangian.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SEPARATION_COST_HPP
#define HITMISS_LLFS_SEPARATION_COST_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "on_grid.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

/// min cost'f  subject to  U2(f) >= required, 0 <= f <= 1, 1 <= 1'f <= mass,
/// for one cost and requirement after another.
///
/// For a price of separation the maximiser of price * U2(f) - cost'f is found
/// by Newton steps, and the price is bracketed until U2 is what is required: U2
/// is concave, so that is the solution. Where U2 jumps with the price, a
/// mixture of both sides of the bracket is it. Price and bracket of the last
/// program are where the next one starts.
class SeparationCost {
public:
  struct Tolerance {
    double separation; ///< of U2
    double ascent;     ///< of price * U2, for one price
  };

  SeparationCost(const SeparationProblem &problem,
                 const LargestSeparation &best)
      : problem_(problem), largest_{best.value, 0.0, false, dense(best.f)},
        above_(largest_) {}

  /// From `start`; false where no solution was found. Costs are at most 1.
  bool minimise(const Eigen::VectorXd &cost, double required,
                const Tolerance &tolerance, const SparseVector &start) {
    cost_ = cost;
    tolerance_ = tolerance;
    const Side least = cheapest();
    if (least.value >= required)
      return take_cheapest(least);
    set_bracket(least, required);
    set_start(start);
    double last = 0.0;
    for (int i = 0; i < 60; ++i) {
      log_price_ = on_grid<20>(next_price(required, last));
      price_ = std::exp(log_price_);
      if (!ascend())
        return false;
      if (look_at(required, i > 0))
        return true;
    }
    return false;
  }

  SparseVector solution() const { return detail::to_sparse(f_); }

  /// What certifies the solution: weights of samples of other classes, and a
  /// dual. A column with the cost c and the distances a has the reduced cost
  /// c - a'weights() - mass_dual(), not negative where it is not full.
  const Eigen::VectorXd &weights() const { return weights_; }
  double mass_dual() const { return mass_dual_; }

private:
  static constexpr double rounding = 1e-9; // of sums of f

  struct Side {
    double value, cost;
    bool near; // the least cost at some price, of a program or the one before
    Eigen::VectorXd f;
  };

  Eigen::VectorXd dense(const SparseVector &f) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(problem_.columns());
    for (const auto &entry : f)
      result[entry.first] = entry.second;
    return result;
  }

  // ---- the price ------------------------------------------------------------

  /// All columns that cost less than nothing, at least the cheapest.
  Side cheapest() const {
    const auto paid = static_cast<double>((cost_.array() < 0.0).count());
    const Eigen::VectorXd f =
        detail::greedy_mass(-cost_, std::clamp(paid, 1.0, problem_.mass));
    return {problem_.between(problem_.totals(detail::to_sparse(f))),
            cost_.dot(f), false, f};
  }
  /// Separation that comes for nothing has no price.
  bool take_cheapest(const Side &side) {
    f_ = side.f;
    weights_ = Eigen::VectorXd::Zero(problem_.n_other());
    mass_dual_ = (f_.array() > 0.0).select(cost_, -1.0).maxCoeff();
    return true;
  }

  /// The last program's sides, as far as they are still on both sides.
  void set_bracket(const Side &least, double required) {
    if (above_.value < required) {
      below_ = above_;
      below_.near = false;
      above_ = largest_;
    } else if (below_.f.size() == 0 || below_.value >= required) {
      below_ = least;
    }
    below_.cost = cost_.dot(below_.f);
    above_.cost = cost_.dot(above_.f);
    bound_ = -std::numeric_limits<double>::infinity();
  }

  /// Where both sides are worth the same, if both are near. Otherwise by the
  /// rise of the logarithm with U2, a little farther, and farther than last if
  /// that was not far enough.
  double next_price(double required, double &last) const {
    if (below_.near && above_.near && exchange() > 0.0 &&
        above_.value - below_.value > tolerance_.separation)
      return std::log(exchange());
    const double away = required - value_, longest = std::log(4.0);
    const double farther = last * away > 0.0 ? 2.0 * std::abs(last) : 0.0;
    const double step = std::max(
        {1.1 * rise_ * std::abs(away), farther, rise_ == 0.0 ? 0.2 : 0.01});
    last = std::copysign(std::min(step, longest), away);
    return log_price_ + last;
  }

  /// What separation costs between both sides.
  double exchange() const {
    return (above_.cost - below_.cost) / (above_.value - below_.value);
  }

  /// Takes the maximiser for a price as a side. Is it the solution, or do both
  /// sides have it between them?
  bool look_at(double required, bool same_cost) {
    const double value = mean_gain(problem_.gain, separation_);
    const double more = value - value_, dearer = log_price_ - rise_from_;
    if (same_cost && std::abs(more) > tolerance_.separation &&
        dearer * more > 0.0)
      rise_ = dearer / more;
    rise_from_ = log_price_;
    value_ = value;
    const Side side{value, cost_.dot(f_), true, f_};
    const double bound = worth(side, price_, required);
    const bool here = std::abs(value - required) <= tolerance_.separation;
    if (here || bound > bound_)
      certify(bound);
    (value < required ? below_ : above_) = side;
    return here || mix(required);
  }

  /// What a side costs where it sells separation that is not required.
  static double worth(const Side &side, double price, double required) {
    return side.cost + price * (required - side.value);
  }

  /// Where both sides are as good as any at the price that certifies, a mixture
  /// is. U2 is concave: so far from one to the other it certainly suffices.
  bool mix(double required) {
    for (const Side *side : {&below_, &above_})
      if (worth(*side, bound_price_, required) - bound_ >
          bound_price_ * tolerance_.separation)
        return false;
    const double t = (above_.value - required) / (above_.value - below_.value);
    f_ = t * below_.f + (1.0 - t) * above_.f;
    return true;
  }

  void certify(double bound) {
    bound_ = bound;
    bound_price_ = price_;
    weights_ = price_ * pull_;
    const double most = reach(gradient()).up;
    mass_dual_ = std::isfinite(most) ? -most : 0.0;
  }

  // ---- one price ------------------------------------------------------------

  void set_start(const SparseVector &start) {
    f_ = dense(start);
    set_separation(problem_.other_totals(start));
  }

  /// That of U2 outlives a change of price.
  Eigen::VectorXd gradient() {
    if (between_.size() == 0)
      between_ = problem_.between_gradient(pull_);
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
    // Slopes that an exchange made equal differ by rounding only.
    const double alike = 0.01 * allowed_gap();
    // Few columns exchange mass, so few of the model's matrix are needed.
    Eigen::MatrixXd bends(x.size(), x.size());
    Array<char> known(x.size(), 0);
    const auto bend = [&](Index k) {
      if (!known[k])
        bends.col(k) =
            column_products(near_, curvature.cwiseProduct(near_.col(k)));
      known[k] = 1;
      return bends.col(k);
    };
    for (Index move = 0; move < 50 * x.size(); ++move) {
      Index up = -1, down = -1;
      for (Index k = 0; k < x.size(); ++k) {
        if (x[k] < most_[k] && (up < 0 || slope[k] > slope[up] + alike))
          up = k;
        if (x[k] > 0.0 && (down < 0 || slope[k] < slope[down] - alike))
          down = k;
      }
      if (up < 0 || down < 0 || slope[up] - slope[down] <= 10.0 * alike)
        break;
      const auto of_up = bend(up), of_down = bend(down);
      const double bent = of_up[up] + of_down[down] - 2.0 * of_up[down];
      const double room = most_[up] - x[up];
      double t = std::min(room, x[down]);
      if (slope[up] - slope[down] < t * bent)
        t = on_grid<32>((slope[up] - slope[down]) / bent);
      x[up] = t == room ? most_[up] : x[up] + t;
      x[down] = t == x[down] ? 0.0 : x[down] - t;
      slope -= t * (of_up - of_down);
    }
    return x;
  }

  void set_separation(const Eigen::VectorXd &separation) {
    separation_ = separation;
    pull_ = gain_weights(problem_.gain, separation_);
    between_.resize(0);
  }

  /// To `target`, or less far if that is too far. The whole step leaves no
  /// traces of mass behind.
  void step(const Eigen::VectorXd &target) {
    const Eigen::VectorXd way = near_ * (target - mass_);
    const double saved = cost_near_.dot(mass_ - target);
    const double slope = price_ * pull_.dot(way) + saved;
    const Eigen::VectorXd from = separation_;
    set_separation(from + way);
    if (price_ * pull_.dot(way) + saved >= -0.5 * slope) {
      mass_ = target;
    } else {
      const double t = on_grid<10>(detail::concave_argmax(
          [&](double s) {
            return price_ * gain_slope(problem_.gain, from, way, s) + saved;
          },
          1.0));
      mass_ += t * (target - mass_);
      set_separation(from + t * way);
    }
    for (Index k = 0; k < columns_.size(); ++k)
      f_[columns_[k]] = mass_[k];
  }

  const SeparationProblem &problem_;
  Eigen::VectorXd cost_;
  Tolerance tolerance_{};
  const Side largest_;
  Side above_, below_{};                   // enough separation, too little
  double bound_ = 0.0, bound_price_ = 0.0; // of the cost, and by which price
  double log_price_ = 0.0, price_ = 1.0;
  double value_ = 0.0, rise_from_ = 0.0, rise_ = 0.0; // U2 at the last price
  Eigen::VectorXd f_;
  Eigen::VectorXd separation_, pull_; // of f by sample, and what more would add
  Eigen::VectorXd between_;           // the gradient of U2, if it is known
  Eigen::VectorXd weights_;
  double mass_dual_ = 0.0;
  Array<int> columns_; // that exchange mass; by these, then unused mass:
  Eigen::MatrixXd near_;
  Eigen::VectorXd cost_near_, slope_, mass_, most_;
};

} // namespace hitmiss

#endif
