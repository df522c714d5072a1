// LLFS (7) for every beta: least within-class spread for a required share of
// the largest separation, by convex-concave steps over an outer approximation.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SEPARATION_PATH_HPP
#define HITMISS_LLFS_SEPARATION_PATH_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "boxed_dual_simplex.hpp"
#include "lagrangian_finish.hpp"
#include "on_grid.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

struct PathOptions {
  double tolerance = 1e-3; ///< of the required separation, relative to eps_max
  bool cold_start = false; ///< every beta from `start` instead of the last
  int most_steps = 25;     ///< convex-concave steps per beta
};

/// Linear programs of one step, before the Lagrangian takes over. Most steps
/// need a few. Each program also costs a few passes over the samples, so that
/// with many samples it pays to change over earlier.
inline int most_programs(Index n_samples) {
  return static_cast<int>(std::clamp<Index>(20000 / n_samples, 12, 250));
}

/// Solution of (7) at one required separation, with what is needed to price
/// columns that were not in the program: a column with distances a has the
/// reduced cost a'weights - mass_dual (weights over same then other samples).
struct PathPoint {
  SparseVector f;
  Eigen::VectorXd weights;
  double mass_dual = 0.0;
  bool settled = false; ///< false: steps or linear programs ran out
};

/// (7) minimises a concave function: what is found is a local solution, a
/// stationary point. Cuts are valid for every beta since U2 is concave, so one
/// pool serves the whole path.
class SeparationPath {
public:
  SeparationPath(const SeparationProblem &problem,
                 const LargestSeparation &best, const PathOptions &options)
      : problem_(problem), best_(best), options_(options),
        program_(problem.columns()) {
    const auto n = problem.columns();
    program_.add_row(Array<double>(n, 1.0), 1.0, problem.mass);
    add_cut({best.totals.tail(problem.n_other()), best.value});
    separates_ = gradient(0); // the gradient of U2 at its largest value
  }

  /// `start`: warm start of the step at the first beta, or of every beta.
  PathPoint solve(double required, const SparseVector &start) {
    required_ = required;
    finishing_ = false;
    for (int k = 0; k < in_program_.size(); ++k)
      program_.set_row_lower(k + 1, pool_[in_program_[k]].rhs(required));
    PathPoint point;
    Eigen::VectorXd weights = problem_.within_weights(problem_.totals(start));
    double spread = 0.0;
    for (int step = 0; step < options_.most_steps; ++step) {
      set_cost(weights);
      const bool solved = solve_outer() || finish();
      if (!solved && step > 0)
        break; // the last step's solution is feasible
      const Eigen::VectorXd totals = problem_.totals(candidate_);
      const double new_spread = problem_.within(totals);
      // The last program's duals, of the cost at f, are those that certify f:
      // also when its vertex is no improvement.
      if (solved)
        remember_prices(point, weights);
      // Cuts end at the same vertex again, the Lagrangian within a tolerance.
      const double worth = finishing_ ? 0.5 * options_.tolerance : 1e-7;
      if (step > 0 && new_spread >= spread * (1.0 - worth)) {
        point.settled = solved;
        break;
      }
      spread = new_spread;
      point.f = candidate_;
      weights = problem_.within_weights(totals);
      if (!solved)
        break;
    }
    if (point.weights.size() == 0)
      point.weights = Eigen::VectorXd::Zero(problem_.distances.rows());
    return point;
  }

private:
  /// g'f >= rhs(required), scaled so that max |g| = 1.
  struct Cut {
    Eigen::VectorXd weights; // over the other samples, unscaled
    double scale, offset;
    bool used; // in the program?
    double rhs(double required) const { return (required - offset) / scale; }
  };

  /// The totals of a point over the other samples, and U2 there.
  struct Separated {
    Eigen::VectorXd totals;
    double value;
  };

  /// Supporting cut of {U2 >= .} at a point.
  void add_cut(const Separated &point) {
    Cut cut;
    cut.weights = gain_weights(problem_.gain, point.totals);
    const Eigen::VectorXd g = problem_.between_gradient(cut.weights);
    cut.scale = std::max(g.maxCoeff(), 1e-300);
    cut.offset = point.value - cut.weights.dot(point.totals);
    cut.used = false;
    const auto k = pool_.size();
    if (k == gradients_.rows())
      gradients_.conservativeResize(std::max<Index>(32, 2 * k), g.size());
    gradients_.row(k) = g / cut.scale;
    pool_.push_back(std::move(cut));
    use_cut(pool_.size() - 1);
  }

  /// A cut's g, by column.
  Array<double> gradient(Index k) const {
    Array<double> g(gradients_.cols());
    Eigen::Map<Eigen::RowVectorXd>(g.data(), gradients_.cols()) =
        gradients_.row(k);
    return g;
  }

  /// Puts a cut of the pool into the program; slack ones leave first.
  void use_cut(Index k) {
    constexpr Index most_rows = 9;
    for (int r = 0;
         r < in_program_.size() && in_program_.size() >= most_rows;) {
      if (program_.is_slack(r + 1)) {
        program_.remove_row(r + 1);
        pool_[in_program_[r]].used = false;
        in_program_.erase(in_program_.begin() + r);
      } else {
        ++r;
      }
    }
    // Finite, so that any basis is dual feasible; never binding, as g <= 1.
    const double never = problem_.mass + 1.0;
    const double rhs = pool_[k].rhs(required_);
    program_.add_row(gradient(k), rhs, std::max(never, rhs));
    pool_[k].used = true;
    in_program_.push_back(k);
  }

  /// The gradient of U1. Features that do not vary within the class cost
  /// nothing: where there are many, (7) does not say which, and a linear
  /// program without an objective cycles. Among them those that separate best
  /// are preferred, by a cost far below what any other feature has.
  void set_cost(const Eigen::VectorXd &weights) {
    constexpr double preference = 1e-6;
    const Eigen::VectorXd c = problem_.within_gradient(weights);
    cost_scale_ = c.size() > 0 ? c.cwiseAbs().maxCoeff() : 0.0;
    if (!(cost_scale_ > 0.0))
      cost_scale_ = 1.0;
    cost_.resize(c.size());
    for (Index j = 0; j < cost_.size(); ++j) {
      const double own = c[j];
      cost_[j] = own == 0.0 ? -preference * separates_[j] : own / cost_scale_;
    }
    program_.set_cost(cost_);
  }

  /// min c'f subject to U2(f) >= required, up to the tolerance: Kelley's
  /// method with cuts where the segment to the best separation leaves the
  /// feasible set, deeper than cuts at the vertex itself. False where the
  /// vertex could not be reached: the least violated one stands in for it.
  bool solve_outer() {
    if (finishing_)
      return false;
    const double slip = options_.tolerance * best_.value;
    SparseVector nearest = best_.f;
    double most = -1.0;
    for (int round = 0; round < most_programs(problem_.distances.rows());
         ++round) {
      if (!program_.solve())
        break;
      candidate_ = program_vertex();
      if (reuse_cut(0.5 * slip))
        continue;
      const Eigen::VectorXd totals = problem_.other_totals(candidate_);
      const double value = mean_gain(problem_.gain, totals);
      if (value >= required_ - slip) {
        take_duals();
        return true;
      }
      if (value > most) {
        most = value;
        nearest = candidate_;
      }
      add_cut(boundary(totals, value));
    }
    candidate_ = std::move(nearest);
    price_ = 0.0;
    for (int k = 0; k < in_program_.size(); ++k)
      price_ += program_.dual(k + 1) / pool_[in_program_[k]].scale;
    return false;
  }

  /// The same by the Lagrangian, for this beta from now on: where cuts did not
  /// suffice for one step they seldom do for the next.
  bool finish() {
    finishing_ = true;
    LagrangianFinish lagrangian(problem_, cost_);
    const double eps = best_.value;
    if (!lagrangian.solve(
            required_,
            {0.5 * options_.tolerance * eps, 0.1 * options_.tolerance * eps},
            candidate_, price_))
      return false;
    candidate_ = on_fine_grid(lagrangian.solution());
    price_ = lagrangian.price();
    separation_weights_ = lagrangian.weights();
    mass_dual_ = lagrangian.mass_dual();
    return true;
  }

  /// The program's solution on a grid: cuts are nearly parallel, which leaves
  /// its weights few true digits, and all further cuts follow from them.
  SparseVector program_vertex() const {
    return on_fine_grid(program_.solution());
  }
  static SparseVector on_fine_grid(SparseVector f) {
    for (auto &entry : f)
      entry.second = on_grid<26>(entry.second);
    f.erase(
        std::remove_if(f.begin(), f.end(),
                       [](const auto &entry) { return entry.second == 0.0; }),
        f.end());
    return f;
  }

  /// Brings back the pool's most violated cut, if one is.
  bool reuse_cut(double slip) {
    const auto n = pool_.size();
    left_.setZero(n); // left-hand sides
    for (const auto &entry : candidate_)
      left_ += entry.second * gradients_.col(entry.first).head(n);
    Index worst = -1;
    double least = -slip;
    for (Index k = 0; k < pool_.size(); ++k) {
      const Cut &cut = pool_[k];
      const double slack = (left_[k] - cut.rhs(required_)) * cut.scale;
      if (slack < least && !cut.used) {
        least = slack;
        worst = k;
      }
    }
    if (worst >= 0)
      use_cut(worst);
    return worst >= 0;
  }

  /// The point between a vertex, where U2 is `at_low`, and the best where U2 =
  /// required.
  Separated boundary(const Eigen::VectorXd &vertex, double at_low) const {
    const Eigen::VectorXd way = best_.totals.tail(problem_.n_other()) - vertex;
    double low = 0.0, high = 1.0; // infeasible, feasible
    double at_high = best_.value;
    for (int i = 0; i < 40 && high - low > 1e-6; ++i) {
      double t = low + (high - low) * (required_ - at_low) / (at_high - at_low);
      // The secant of a concave function is never feasible: it closes in from
      // one side, so every other step halves.
      if (i % 2 == 1 || !(t > low && t < high))
        t = 0.5 * (low + high);
      const double value = mean_gain_on_line(problem_.gain, vertex, way, t);
      if (std::abs(value - required_) <= 1e-3 * options_.tolerance * at_high)
        return {vertex + t * way, value};
      (value < required_ ? low : high) = t;
      (value < required_ ? at_low : at_high) = value;
    }
    return {vertex + high * way, at_high};
  }

  void take_duals() {
    separation_weights_ = Eigen::VectorXd::Zero(problem_.n_other());
    for (int k = 0; k < in_program_.size(); ++k) {
      const Cut &cut = pool_[in_program_[k]];
      separation_weights_ += program_.dual(k + 1) / cut.scale * cut.weights;
    }
    mass_dual_ = program_.dual(0);
  }

  void remember_prices(PathPoint &point, const Eigen::VectorXd &within) const {
    point.weights.resize(problem_.distances.rows());
    point.weights.head(problem_.n_same) = within / cost_scale_;
    point.weights.tail(problem_.n_other()) = -separation_weights_;
    point.mass_dual = mass_dual_;
  }

  const SeparationProblem &problem_;
  const LargestSeparation &best_;
  const PathOptions options_;
  BoxedDualSimplex program_; // row 0: the mass; row k + 1: in_program_[k]
  Array<Cut> pool_;
  Eigen::MatrixXd gradients_; // g of cut k: row k; some rows to spare
  Eigen::VectorXd left_;
  Array<Index> in_program_;
  double required_ = 0.0;
  bool finishing_ = false;             // by the Lagrangian
  double price_ = 0.0;                 // of separation
  Eigen::VectorXd separation_weights_; // over the other samples, priced
  double mass_dual_ = 0.0;
  double cost_scale_ = 1.0;
  Array<double> separates_, cost_; // by column
  SparseVector candidate_;
};

} // namespace hitmiss

#endif
