// The rule of the radius: neighbours nearer, or farther, than a threshold.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RADIUS_HPP
#define HITMISS_RELIEF_RADIUS_HPP

#include <cmath>
#include <utility>

#include "../pairs/neighbour_key.hpp"
#include "nearest_terms.hpp"

namespace hitmiss {

/// Without `own`, near samples are nearer than T and far samples farther than
/// T, the mean distance of all allowed pairs. With `own`, those of sample n are
/// nearer than m_n - s_n / 2 and farther than m_n + s_n / 2: m_n and s_n are
/// the mean and standard deviation of its distances. A distance that equals a
/// threshold but for rounding is neither near nor far.
struct RadiusRule {
  bool own = true;
  bool far = false; ///< use far samples too, with negated weights
};

/// Distances from one sample to all that it may be compared with.
class RadiusRow {
public:
  /// `distances[i]` is the distance from sample n to sample i.
  RadiusRow(Index n, const double *distances, const NearRule &rule)
      : n_(n), distances_(distances), rule_(rule) {}

  /// The sum of the distances, and the number of distances.
  std::pair<double, double> total() const {
    double sum = 0.0, count = 0.0;
    each([&](int, double d) {
      sum += d;
      count += 1.0;
    });
    return {sum, count};
  }

  /// Sets the two thresholds of this sample, see RadiusRule.
  void own_radii(double &near, double &far) const {
    const auto [sum, count] = total();
    const double mean = sum / count;
    // Distances are in units of a power of two near the mean, so that the
    // squares of distances of 1e-200 do not vanish.
    const double unit = mean > 0.0 ? std::ldexp(1.0, std::ilogb(mean)) : 1.0;
    double squares = 0.0;
    each([&](int, double d) {
      const double off = (d - mean) / unit;
      squares += off * off;
    });
    const double half = unit * (std::sqrt(squares / count) / 2.0);
    near = mean - half;
    far = mean + half;
  }

  /// Appends the neighbours on one side of `radius`: near ones with their
  /// weights, far ones with negated weights. Appends none if there is no hit or
  /// no miss on this side.
  void add_side(double radius, bool far, Array<PairTerm> &terms) const {
    const NeighbourKey key;
    const auto at = key(radius);
    const auto inside = [&](double d) {
      return far ? key(d) > at : key(d) < at;
    };
    Array<int> found(rule_.y.n_classes(), 0);
    each([&](int i, double d) {
      if (inside(d))
        ++found[rule_.y[i]];
    });
    const int own = rule_.y[n_];
    int misses = 0;
    for (int c = 0; c < rule_.y.n_classes(); ++c)
      misses += c == own ? 0 : found[c];
    if (misses == 0 || found[own] == 0)
      return;
    ClassWeights weights(rule_.y, rule_.miss);
    weights.enter(n_, [&](int c) { return found[c] > 0; });
    const double sign = far ? -1.0 : 1.0;
    each([&](int i, double d) {
      if (!inside(d))
        return;
      const int c = rule_.y[i];
      const double weight = c == own ? weights.hit() : weights.miss(c);
      terms.push_back({i, sign * weight / found[c]});
    });
  }

private:
  template <class Work> void each(Work work) const {
    for (int i = 0; i < rule_.y.n_samples(); ++i)
      if (rule_.allowed(n_, i))
        work(i, distances_[i]);
  }

  Index n_;
  const double *distances_;
  const NearRule &rule_;
};

} // namespace hitmiss

#endif
