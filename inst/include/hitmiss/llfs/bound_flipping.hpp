// The ratio test of a bounded dual simplex: which variable enters, and which
// ones jump to their other bound on the way.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_BOUND_FLIPPING_HPP
#define HITMISS_LLFS_BOUND_FLIPPING_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../runtime/array.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

class BoundFlipping {
public:
  /// Variables are passed, by increasing ratio |reduced| / `pull`, while the
  /// dual objective still rises: it does at rate `slope`, less pull * range of
  /// every one passed. Gives the variable that ends it, -1 if none does. A
  /// variable with pull <= 0 or without range is no candidate. All by variable;
  /// ties go to the lower index. Mostly the first candidate ends it, so the
  /// ratios are not sorted.
  int entering(const Eigen::ArrayXd &pull, const Eigen::ArrayXd &reduced,
               const Eigen::ArrayXd &range, double slope) {
    constexpr double never = std::numeric_limits<double>::infinity();
    passed_.clear();
    ratio_ = (pull.min(range) > 1e-9).select(reduced.abs() / pull, never);
    while (true) {
      const double least = ratio_.minCoeff();
      if (!(least < never))
        return -1;
      const double *begin = ratio_.data();
      const auto v = static_cast<int>(
          std::find(begin, begin + ratio_.size(), least) - begin);
      slope -= pull[v] * range[v];
      if (slope <= 0.0)
        return v;
      passed_.push_back(v);
      ratio_[v] = never;
    }
  }

  /// Those passed by the last call.
  const Array<int> &passed() const { return passed_; }

private:
  Eigen::ArrayXd ratio_;
  Array<int> passed_;
};

} // namespace hitmiss

#endif
