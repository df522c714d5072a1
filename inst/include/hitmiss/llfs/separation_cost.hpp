// Finds the largest separation of LLFS (6), and the least linear cost for a
// required separation, by the Lagrangian.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SEPARATION_COST_HPP
#define HITMISS_LLFS_SEPARATION_COST_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "on_grid.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

/// Minimises cost'f subject to U2(f) >= required, 0 <= f <= 1, 1 <= 1'f <=
/// mass, for one cost and requirement after another.
///
/// The solution f maximises price * U2(f) - cost'f for some price of
/// separation. Every step takes the second-order model of U2 on the columns of
/// choose_columns(), finds the price at which the model's maximiser separates
/// as required, and moves f to this maximiser. The steps end if no column at
/// all can improve f. If U2 jumps with the price, a mixture of both sides of
/// the jump is the solution. The next problem starts at the price of the last
/// solution. The *mass* of a column is its weight in f.
class SeparationCost {
public:
  struct Tolerance {
    double separation; ///< of U2
    double ascent;     ///< of U2 - cost'f / price, for one price
  };

  explicit SeparationCost(const SeparationProblem &problem)
      : problem_(problem), gradient_(problem) {}

  /// Sets the cost of the next problems. Required: entries in [-1, 1].
  void set_cost(const Eigen::VectorXd &cost) {
    cost_ = cost;
    cheapest_ = cheapest();
  }

  /// Starts from `start`. Returns false if it finds no solution.
  bool minimise(double required, const Tolerance &tolerance,
                const SparseVector &start) {
    tolerance_ = tolerance;
    if (cheapest_.value >= required)
      return take_cheapest(cheapest_);
    set_start(start);
    double farther = 0.1; // step of the price's logarithm if no mass moves
    columns_.clear();
    for (int round = 0; round < 200; ++round) {
      price_ = std::exp(log_price_);
      const Reach within = reach();
      const double away = std::abs(gain_.mean - required);
      if (within.up - within.down <= allowed_gap() &&
          away <= tolerance_.separation)
        return certify(within);
      choose_columns(within);
      const Eigen::VectorXd target = model_for(required);
      if (target != mass_) {
        step(target);
        columns_.clear();
      } else if (away > 0.1 * tolerance_.separation) {
        log_price_ = on_grid<20>(log_price_ +
                                 (gain_.mean < required ? farther : -farther));
        farther = std::min(2.0 * farther, 1.4);
      }
    }
    return false;
  }

  /// Maximises U2 over {0 <= f <= 1, 1'f <= mass} (6), to the relative error
  /// `tolerance`, by similar steps with a price of 1 and a cost of 0.
  SparseVector largest(double tolerance) {
    cost_ = Eigen::VectorXd::Zero(problem_.columns());
    price_ = 1.0;
    set_start(detail::to_sparse(detail::greedy_mass(
        problem_.others().colwise().sum().transpose(), problem_.mass)));
    for (int round = 0; round < 200; ++round) {
      tolerance_.ascent = tolerance * gain_.mean;
      const Reach within = reach();
      if (within.up - within.down <= allowed_gap())
        break;
      columns_.clear();
      choose_columns(within);
      Model at = model();
      climb(at);
      if (at.mass == mass_)
        break;
      step(at.mass);
    }
    return solution();
  }

  SparseVector solution() const { return detail::to_sparse(f_); }

  /// The certificate of the solution: weights of misses, and the dual
  /// value of the mass. A column with the cost c and the distances a has the
  /// reduced cost c - a'weights() - mass_dual(); it can be negative only if f
  /// is 1 there.
  const Eigen::VectorXd &weights() const { return weights_; }
  double mass_dual() const { return mass_dual_; }

private:
  static constexpr double rounding = 1e-9; // of sums of f

  /// The largest slope (see slope()) of a column that could have more mass, and
  /// the smallest slope of a column that could have less.
  struct Reach {
    double up, down;
  };

  struct Side {
    double value = 0.0;
    Eigen::VectorXd f;
  };

  Eigen::VectorXd dense(const SparseVector &f) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(problem_.columns());
    for (const auto &entry : f)
      result[entry.first] = entry.second;
    return result;
  }

  // ---- the price ------------------------------------------------------------

  /// Takes the cheapest columns: all of negative cost, but 1 to `mass` columns.
  Side cheapest() const {
    const auto paid = static_cast<double>((cost_.array() < 0.0).count());
    const Eigen::VectorXd f =
        detail::greedy_mass(-cost_, std::clamp(paid, 1.0, problem_.mass));
    Side side;
    side.value = problem_.between(problem_.totals(detail::to_sparse(f)));
    side.f = f;
    return side;
  }
  /// If the cheapest solution separates enough, the constraint is inactive and
  /// its multiplier is 0.
  bool take_cheapest(const Side &side) {
    f_ = side.f;
    weights_ = Eigen::VectorXd::Zero(problem_.other_rows());
    mass_dual_ = (f_.array() > 0.0).select(cost_, -1.0).maxCoeff();
    return true;
  }

  /// Keeps the weights and the dual value that prove that the solution is the
  /// best.
  bool certify(const Reach &within) {
    weights_ = price_ * gain_.weights;
    mass_dual_ = std::isfinite(within.up) ? -within.up : 0.0;
    return true;
  }

  // ---- one price ------------------------------------------------------------

  /// Scales a start with too much or too little mass, such as equal weights of
  /// all features, to the nearest allowed sum: steps only exchange mass.
  void set_start(const SparseVector &start) {
    constexpr double by_grid = 1e-6; // more than on_grid() changes a sum
    f_ = dense(start);
    const double sum = f_.sum(), allowed = std::clamp(sum, 1.0, problem_.mass);
    if (std::abs(sum - allowed) > by_grid)
      f_ *= allowed / sum;
    set_separation(problem_.other_totals(solution()));
  }

  double slope(Index j) const { return price_ * gradient_[j] - cost_[j]; }
  /// Returns the mass that is not used: the largest sum of the weights,
  /// `problem_.mass`, less their sum. It counts as a weight of one more column,
  /// without cost or separation. It is at most `problem_.mass` - 1, because the
  /// weights must sum to at least 1.
  double slack() const {
    const double unused = problem_.mass - f_.sum();
    return unused > rounding ? std::min(unused, problem_.mass - 1.0) : 0.0;
  }

  double allowed_gap() const {
    return tolerance_.ascent * price_ / problem_.mass;
  }

  Reach reach() {
    constexpr double never = std::numeric_limits<double>::infinity();
    const double unused = slack();
    Reach result{problem_.mass - 1.0 - unused > rounding ? 0.0 : -never,
                 unused > 0.0 ? 0.0 : never};
    used_.clear();
    for (int j = 0; j < static_cast<int>(f_.size()); ++j)
      if (f_[j] > 0.0)
        used_.push_back(j);
    gradient_.find(used_);
    for (const int j : used_) {
      if (f_[j] < 1.0)
        result.up = std::max(result.up, slope(j));
      result.down = std::min(result.down, slope(j));
    }
    const double least = std::min(result.up, result.down);
    empty_.clear();
    const double *bounds = gradient_.bounds();
    for (int j = 0; j < static_cast<int>(f_.size()); ++j)
      if (price_ * bounds[j] - cost_[j] > least && f_[j] <= 0.0)
        empty_.push_back(j);
    gradient_.find(empty_);
    for (const int j : empty_)
      result.up = std::max(result.up, slope(j));
    return result;
  }

  /// Chooses the columns that exchange mass: all fractional ones, full ones of
  /// slope below reach.up, and the 16 steepest of the empty ones of slope above
  /// reach.down. Columns chosen before are kept if no mass has moved since.
  void choose_columns(const Reach &reach) {
    constexpr Index candidates = 16;
    const auto kept = columns_;
    const auto is_kept = [&](int j) {
      return std::find(kept.begin(), kept.end(), j) != kept.end();
    };
    gradient_.find(kept);
    for (const int j : used_)
      if ((f_[j] < 1.0 || slope(j) < reach.up) && !is_kept(j))
        columns_.push_back(j);
    empty_.erase(std::remove_if(empty_.begin(), empty_.end(),
                                [&](int j) {
                                  return slope(j) <= reach.down || is_kept(j);
                                }),
                 empty_.end());
    const auto count = std::min(candidates, empty_.size());
    std::partial_sort(empty_.begin(), empty_.begin() + count, empty_.end(),
                      [&](int a, int b) {
                        return slope(a) > slope(b) ||
                               (slope(a) == slope(b) && a < b);
                      });
    columns_.insert(columns_.end(), empty_.begin(), empty_.begin() + count);
    const auto n = columns_.size();
    // The last entry is the unused mass, see slack().
    slope_.setZero(n + 1);
    cost_near_.setZero(n + 1);
    mass_.setZero(n + 1);
    most_.setOnes(n + 1);
    for (Index k = 0; k < n; ++k) {
      slope_[k] = gradient_[columns_[k]];
      cost_near_[k] = cost_[columns_[k]];
      mass_[k] = f_[columns_[k]];
    }
    mass_[n] = slack();
    most_[n] = problem_.mass - 1.0;
  }

  /// The second-order model of U2 at some masses of the chosen columns.
  struct Model {
    Eigen::VectorXd mass, slope; ///< slope of the model at `mass`
    double value;                ///< of the model at `mass`
  };

  /// The model at the present masses.
  Model model() {
    bends_.setZero(mass_.size(), mass_.size());
    known_.assign(mass_.size(), 0);
    known_.back() = 1; // unused mass is no column
    return {mass_, slope_, gain_.mean};
  }

  /// Returns column k of the model's Hessian, with the opposite sign. It is
  /// computed when first used: few columns exchange mass.
  auto bend(Index k) {
    const auto others = problem_.others();
    if (!known_[k]) {
      weighted_ = gain_.curvatures.cwiseProduct(others.col(columns_[k]));
      column_products(others, columns_, weighted_.data(), &bends_(0, k));
    }
    known_[k] = 1;
    return bends_.col(k);
  }

  /// Moves mass between two columns at a time, until price * U2 - cost'f is
  /// largest in the model. `gain_of_` and `loss_of_` hold the slope of each
  /// column, divided by the price. `gain_of_` is -infinity if the column can
  /// take no more mass, and `loss_of_` is infinity if it can give none.
  void climb(Model &at) {
    constexpr double never = std::numeric_limits<double>::infinity();
    // Slopes this close are equal: an exchange equalises two but for rounding.
    const double alike = 0.01 * tolerance_.ascent / problem_.mass;
    Eigen::VectorXd &x = at.mass;
    const Index n = x.size();
    gain_of_ = loss_of_ = at.slope - cost_near_ / price_;
    for (Index k = 0; k < n; ++k) {
      gain_of_[k] = x[k] < most_[k] ? gain_of_[k] : -never;
      loss_of_[k] = x[k] > 0.0 ? loss_of_[k] : never;
    }
    for (Index move = 0; move < 50 * n; ++move) {
      const double *gains = gain_of_.data(), *losses = loss_of_.data();
      double enough = gains[0] + alike, little = losses[0] - alike;
      Index up = 0, down = 0;
      for (Index k = 1; k < n; ++k) {
        if (gains[k] > enough) {
          up = k;
          enough = gains[k] + alike;
        }
        if (losses[k] < little) {
          down = k;
          little = losses[k] - alike;
        }
      }
      const double better = gains[up] - losses[down];
      if (!(better > 10.0 * alike))
        break;
      const auto of_up = bend(up), of_down = bend(down);
      const double bent = of_up[up] + of_down[down] - 2.0 * of_up[down];
      const double room = most_[up] - x[up];
      double t = std::min(room, x[down]);
      if (better < t * bent)
        t = on_grid<32>(better / bent);
      x[up] = t == room ? most_[up] : x[up] + t;
      x[down] = t == x[down] ? 0.0 : x[down] - t;
      at.value += t * (at.slope[up] - at.slope[down] - 0.5 * t * bent);
      loss_of_[up] = x[up] > 0.0 ? gain_of_[up] : never;
      gain_of_[down] = x[down] < most_[down] ? loss_of_[down] : -never;
      gain_of_[up] = x[up] < most_[up] ? gain_of_[up] : -never;
      loss_of_[down] = x[down] > 0.0 ? loss_of_[down] : never;
      change_ = t * (of_up - of_down);
      at.slope -= change_;
      gain_of_ -= change_;
      loss_of_ -= change_;
    }
  }

  /// Finds the price at which the model's best masses separate as required.
  /// Returns these masses, or a mixture of two if U2 jumps at this price.
  Eigen::VectorXd model_for(double required) {
    Model at = model();
    const double enough = 0.1 * tolerance_.separation;
    // A change of U2 within a smaller step of log_price_ is a jump.
    const double jump = std::min(1e-4, tolerance_.ascent / required);
    Side below, above;
    const double from = log_price_;
    double low = 0.0, high = 0.0, farther = 0.0; // logarithms of prices
    for (int i = 0; i < 60; ++i) {
      price_ = std::exp(log_price_);
      climb(at);
      const double away = at.value - required;
      if (std::abs(away) <= enough)
        return at.mass;
      (away < 0.0 ? below : above) = {at.value, at.mass};
      (away < 0.0 ? low : high) = log_price_;
      if (below.f.size() == 0 || above.f.size() == 0) {
        if (farther > 1.0) { // the chosen columns do not suffice
          if (at.mass == mass_)
            log_price_ = from;
          return at.mass;
        }
        farther = i == 0 ? std::clamp(1.2 * rise_ * std::abs(away), 0.01, 0.5)
                         : 2.0 * farther;
        log_price_ =
            on_grid<20>(log_price_ + (away < 0.0 ? farther : -farther));
        continue;
      }
      rise_ = (high - low) / (above.value - below.value);
      double share = (required - below.value) / (above.value - below.value);
      share = i % 3 == 2 ? 0.5 : std::clamp(share, 0.02, 0.98);
      const double next = on_grid<20>(low + share * (high - low));
      if (std::abs(high - low) <= jump || next == low || next == high) {
        // At this price both sides have the same price * U2 - cost'f.
        const double price =
            cost_near_.dot(above.f - below.f) / (above.value - below.value);
        if (price > 0.0)
          log_price_ = std::clamp(std::log(price), std::min(low, high),
                                  std::max(low, high));
        return mixture(below, above, required);
      }
      log_price_ = next;
    }
    return at.mass;
  }

  /// Mixes the two sides of a jump so that U2, interpolated between them, is
  /// `required`. U2 is concave, so that of the mixture is at least this.
  static Eigen::VectorXd mixture(const Side &below, const Side &above,
                                 double required) {
    const double t = (above.value - required) / (above.value - below.value);
    return t * below.f + (1.0 - t) * above.f;
  }

  void set_separation(const Eigen::VectorXd &separation) {
    separation_ = separation;
    gain_.form(problem_.gain, separation_, problem_.n_other);
    gradient_.move(gain_.weights);
  }

  /// Moves the masses to `target`, or only part of the way if that goes too
  /// far. A whole step copies `target`, so that zeros are exact.
  void step(const Eigen::VectorXd &target) {
    SparseVector moved;
    double saved = 0.0;
    for (Index k = 0; k < columns_.size(); ++k)
      if (target[k] != mass_[k]) {
        moved.push_back({columns_[k], target[k] - mass_[k]});
        saved -= cost_[columns_[k]] * moved.back().second;
      }
    const Eigen::VectorXd way = problem_.other_totals(moved);
    const double slope = price_ * gain_.weights.dot(way) + saved;
    const Eigen::VectorXd from = separation_;
    set_separation(from + way);
    if (price_ * gain_.weights.dot(way) + saved >= -0.5 * slope) {
      mass_ = target;
    } else {
      const double t = on_grid<10>(detail::concave_argmax(
          [&](double s) {
            const auto at = gain_slope(problem_.gain, from, way, s,
                                       problem_.n_other, gain_);
            return GainSlope{price_ * at.slope + saved, price_ * at.bend};
          },
          1.0));
      mass_ += t * (target - mass_);
      set_separation(from + t * way);
    }
    for (Index k = 0; k < columns_.size(); ++k)
      f_[columns_[k]] = mass_[k];
  }

  const SeparationProblem &problem_;
  SeparationGradient gradient_;
  Eigen::VectorXd cost_;
  Tolerance tolerance_{};
  Side cheapest_{};
  double log_price_ = 0.0, price_ = 1.0;
  double rise_ = 0.0; // change of log_price_ per unit of U2
  Eigen::VectorXd f_;
  Eigen::VectorXd separation_; // distances of the misses under f_
  GainTerms gain_;             // of separation_
  Eigen::VectorXd weighted_;
  Eigen::MatrixXd bends_;
  Array<char> known_;
  Eigen::VectorXd weights_;
  double mass_dual_ = 0.0;
  Array<int> used_, empty_; // columns with mass; empty ones to try
  Array<int> columns_;      // that exchange mass
  // By columns_, then the unused mass.
  Eigen::VectorXd slope_, cost_near_, mass_, most_;
  Eigen::VectorXd gain_of_, loss_of_, change_; // see climb()
};

/// The solution of (6).
struct LargestSeparation {
  SparseVector f;
  Eigen::VectorXd totals;
  double value = 0.0; ///< eps_max, attained by f
};

inline LargestSeparation largest_separation(const SeparationProblem &problem,
                                            double tolerance = 1e-7) {
  LargestSeparation best;
  best.f = problem.mass >= static_cast<double>(problem.columns())
               ? detail::to_sparse(Eigen::VectorXd::Ones(problem.columns()))
               : SeparationCost(problem).largest(tolerance);
  best.totals = problem.totals(best.f);
  best.value = problem.between(best.totals);
  return best;
}

} // namespace hitmiss

#endif
