// Finds a fixed point w = T(w) of a map that may overshoot or run in a cycle.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_DAMPED_ITERATION_HPP
#define HITMISS_LOGO_DAMPED_ITERATION_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../runtime/array.hpp"
#include "../runtime/eigen.hpp"

namespace hitmiss {

namespace detail {

/// Returns a'b, added from first to last, so that further features of weight 0
/// do not change a bit of the sum.
inline double dot_in_order(const Eigen::VectorXd &a, const Eigen::VectorXd &b) {
  double sum = 0.0;
  for (Index j = 0; j < a.size(); ++j)
    sum += a[j] * b[j];
  return sum;
}

inline double norm_in_order(const Eigen::VectorXd &a) {
  return std::sqrt(dot_in_order(a, a));
}

} // namespace detail

/// Chooses the next w from the present w and t = T(w). If beta is 1 and t has
/// the support of the previous t, it takes an Anderson step. Else it moves w by
/// beta (t - w). Before that, beta is halved (to 1/16 at least) if t - w is
/// opposed to the previous t - w, and raised (to 1 at most) if both agree. No
/// point has negative values.
class DampedIteration {
public:
  explicit DampedIteration(Array<double> start)
      : w_(std::move(start)), beta_(1.0) {}

  const Array<double> &point() const { return w_; }

  void advance(const Array<double> &t) {
    const Eigen::VectorXd f = map(t) - map(w_);
    const bool first = t_.empty();
    if (!first && beta_ == 1.0 && same_support(t)) {
      const Eigen::VectorXd turn = f - f_;
      const double size = detail::dot_in_order(turn, turn);
      const double step =
          size > 0.0 ? detail::dot_in_order(f, turn) / size : 0.0;
      const double gamma = std::min(1.0, std::max(-2.0, step));
      w_ = clean(map(t) - gamma * (map(t) - map(t_)), 0.0);
    } else {
      const double size =
          first ? 0.0 : detail::norm_in_order(f) * detail::norm_in_order(f_);
      const double cosine =
          size > 0.0 ? detail::dot_in_order(f, f_) / size : 0.0;
      if (cosine < -0.2)
        beta_ = std::max(beta_ / 2.0, 1.0 / 16.0);
      else if (cosine > 0.7)
        beta_ = std::min(1.0, 1.5 * beta_);
      w_ = clean(beta_ * map(t) + (1.0 - beta_) * map(w_), 1e-6);
    }
    t_ = t;
    f_ = f;
  }

private:
  static Eigen::Map<const Eigen::VectorXd> map(const Array<double> &v) {
    return {v.data(), v.size()};
  }
  static Array<double> clean(const Eigen::VectorXd &v, double least) {
    Array<double> result(v.data(), v.data() + v.size());
    for (double &value : result)
      if (value < least || value < 0.0)
        value = 0.0;
    return result;
  }
  bool same_support(const Array<double> &t) const {
    for (Index j = 0; j < t.size(); ++j)
      if ((t[j] > 0.0) != (t_[j] > 0.0))
        return false;
    return true;
  }

  Array<double> w_, t_;
  Eigen::VectorXd f_;
  double beta_;
};

} // namespace hitmiss

#endif
