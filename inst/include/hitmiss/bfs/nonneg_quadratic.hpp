// Solves nonnegative quadratic programs by an active set and its Cholesky
// factor.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_NONNEG_QUADRATIC_HPP
#define HITMISS_BFS_NONNEG_QUADRATIC_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../runtime/runtime.hpp"
#include "active_cholesky.hpp"

namespace hitmiss {

/// min mu'H mu / 2 - q'mu, mu >= 0, for one right side q after another and a
/// growing H. Each problem starts at the last solution (Lawson and Hanson, with
/// an updated factor). O(size |support|) per change of the support.
///
/// `Gram`: gram(i, k) is H_ik.
template <class Gram> class NonnegQuadratic {
public:
  NonnegQuadratic(const Gram &gram) : gram_(gram) {}

  const Array<double> &solution() const { return mu_; }

  /// Returns false if the support still changes after 10 n + 100 steps for n
  /// variables. `tolerance` is the largest positive gradient q - H mu that may
  /// be left off the support.
  bool solve(const Array<double> &q, double tolerance, Runtime &runtime) {
    mu_.resize(q.size(), 0.0);
    barred_.assign(q.size(), 0);
    Index left = 10 * q.size() + 100;
    descend(q);
    for (;;) {
      const auto candidates = steep(q, tolerance);
      if (candidates.empty()) {
        refine(q);
        return true;
      }
      // Computing all gradients costs as much as many changes of the support:
      // one list serves all candidates above half its largest gradient.
      const double steep_enough = std::max(tolerance, candidates[0].first / 2);
      for (const auto &candidate : candidates) {
        const Index k = candidate.second;
        if (gradient(q, k) <= steep_enough)
          continue;
        if (left-- == 0)
          return false;
        runtime.checkpoint();
        enter(k);
        descend(q);
        barred_[k] = mu_[k] == 0.0;
      }
    }
  }

private:
  double gradient(const Array<double> &q, Index k) const {
    double value = q[k];
    for (const Index i : support_)
      value -= gram_(k, i) * mu_[i];
    return value;
  }

  /// Gradients above `tolerance` and their variables, which lie off the support
  /// and are not barred; the largest first, ties by the lower index.
  Array<std::pair<double, Index>> steep(const Array<double> &q,
                                        double tolerance) const {
    Array<char> inside(barred_);
    for (const Index i : support_)
      inside[i] = 1;
    Array<std::pair<double, Index>> found;
    for (Index k = 0; k < q.size(); ++k) {
      const double value = inside[k] ? 0.0 : gradient(q, k);
      if (value > tolerance)
        found.emplace_back(value, k);
    }
    std::stable_sort(
        found.begin(), found.end(),
        [](const auto &a, const auto &b) { return a.first > b.first; });
    return found;
  }

  /// Returns value(i) for the variables i in `support_`, in this order.
  template <class Value> Array<double> on_support(Value value) const {
    Array<double> values;
    for (const Index i : support_)
      values.push_back(value(i));
    return values;
  }

  /// Adds variable k to the support. If the column of k depends on the columns
  /// of the support, mu moves along the null direction until a variable
  /// leaves the support, and k takes its place.
  void enter(Index k) {
    const auto cross = [&] {
      return on_support([&](Index i) { return gram_(i, k); });
    };
    while (!factor_.append(cross(), gram_(k, k))) {
      const auto share = factor_.solve(cross());
      double step = -1.0;
      Index leaving = support_.size();
      for (Index i = 0; i < share.size(); ++i)
        if (share[i] > 0.0 && (leaving == support_.size() ||
                               mu_[support_[i]] / share[i] < step)) {
          step = mu_[support_[i]] / share[i];
          leaving = i;
        }
      if (leaving == support_.size())
        return; // a column of zeros: it can never help
      for (Index i = 0; i < share.size(); ++i)
        mu_[support_[i]] = std::max(0.0, mu_[support_[i]] - step * share[i]);
      mu_[k] += step;
      leave(leaving);
    }
    support_.push_back(k);
  }

  void leave(Index position) {
    mu_[support_[position]] = 0.0;
    factor_.remove(position);
    support_.erase(support_.begin() + position);
  }

  /// Minimises over the support, and drops variables that would become
  /// negative.
  void descend(const Array<double> &q) {
    while (!support_.empty()) {
      const auto target =
          factor_.solve(on_support([&](Index i) { return q[i]; }));
      double step = 1.0;
      for (Index i = 0; i < target.size(); ++i)
        if (target[i] <= 0.0) {
          const double from = mu_[support_[i]];
          step = std::min(step, from > 0.0 ? from / (from - target[i]) : 0.0);
        }
      Array<Index> leaving;
      for (Index i = 0; i < target.size(); ++i) {
        double &value = mu_[support_[i]];
        const bool leaves =
            target[i] <= 0.0 &&
            (value <= 0.0 || value / (value - target[i]) <= step);
        value += step * (target[i] - value);
        if (leaves)
          leaving.push_back(i);
      }
      if (leaving.empty())
        return;
      for (Index i = leaving.size(); i-- > 0;)
        leave(leaving[i]);
    }
  }

  /// Takes one step of iterative refinement, which undoes the rounding of the
  /// updates.
  void refine(const Array<double> &q) {
    const auto correction =
        factor_.solve(on_support([&](Index i) { return gradient(q, i); }));
    for (Index i = 0; i < support_.size(); ++i)
      mu_[support_[i]] = std::max(0.0, mu_[support_[i]] + correction[i]);
  }

  const Gram &gram_;
  ActiveCholesky factor_;
  Array<double> mu_;
  Array<Index> support_; ///< in the order of the factor
  Array<char> barred_;   ///< tried in this solve, stayed at zero
};

} // namespace hitmiss

#endif
