// The weights of near hits and near misses of a sample, by class.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_CLASS_WEIGHTS_HPP
#define HITMISS_RELIEF_CLASS_WEIGHTS_HPP

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"

namespace hitmiss {

/// The weights in the margin of a sample x of class y. |x - M| is its mean
/// difference from near misses, |x - M_c| from near misses of class c, |x - H|
/// from near hits; p(c) is the share of class c. Equations: Yang, Hu (2012).
enum class MissRule {
  pooled, ///< |x - M| - |x - H|, M among all other classes (Relief)
  map,    ///< p(y) |x - M| - (1 - p(y)) |x - H|, M pooled (M-Relief, eq. 16)
  map15,  ///< (1 - p(y)) |x - M| - p(y) |x - H|, M pooled (eq. 15)
  prior,  ///< sum_c p(c) |x - M_c| - |x - H| (ReliefF as Yang, Hu 2012)
  conditional, ///< sum_c p(c) / (1 - p(y)) |x - M_c| - |x - H| (Kononenko)
};

inline bool is_pooled(MissRule rule) {
  return rule == MissRule::pooled || rule == MissRule::map ||
         rule == MissRule::map15;
}

/// Weights of the means over a sample's near hits and near misses. A class
/// without a near miss of the sample is left out, and the priors of the other
/// classes are rescaled.
class ClassWeights {
public:
  ClassWeights(const ClassIndex &y, MissRule rule) : y_(y), rule_(rule) {}

  /// Sets the weights for sample n, which has a miss of class c if there(c).
  template <class There> void enter(Index n, There there) {
    int left_out = 0;
    for (int c = 0; c < y_.n_classes(); ++c)
      if (c != y_[n] && !there(c))
        left_out += y_.count(c);
    n_left_ = y_.n_samples() - left_out;
    p_ = share(y_[n]);
  }

  double hit() const {
    return rule_ == MissRule::map     ? p_ - 1.0
           : rule_ == MissRule::map15 ? -p_
                                      : -1.0;
  }
  double miss(int c) const {
    return share(c) / (rule_ == MissRule::prior ? 1.0 : 1.0 - p_);
  }
  double pooled_miss() const {
    return rule_ == MissRule::map     ? p_
           : rule_ == MissRule::map15 ? 1.0 - p_
                                      : 1.0;
  }

private:
  double share(int c) const { return y_.count(c) / n_left_; }

  const ClassIndex &y_;
  MissRule rule_;
  double n_left_ = 0.0, p_ = 0.0;
};

} // namespace hitmiss

#endif
