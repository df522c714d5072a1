// The sphere around a representative: distances on its own features, and the
// radius up to which the sphere stays pure.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SPHERE_HPP
#define HITMISS_LLFS_SPHERE_HPP

#include <algorithm>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/neighbour_key.hpp"
#include "../runtime/eigen.hpp"
#include "gain_kernels.hpp"

namespace hitmiss {

/// Writes to `out` the Euclidean distances on `features` from a point to every
/// row of z. `from`: the point's values, in the order of `features`.
inline void frame_distances(const Eigen::MatrixXd &z,
                            const Array<int> &features, const double *from,
                            double *out) {
  run_alike<SquaredDistanceKernel>(
      SquaredDistanceJob{z.data(), z.rows(), z.rows(), features.data(), from,
                         features.size(), out});
  Eigen::Map<Eigen::ArrayXd> distances(out, z.rows());
  distances = distances.sqrt();
}

namespace detail {

/// Gives values in increasing order. They are sorted only as far as they are
/// read, because a sphere mostly ends long before the last sample.
template <class T> class SortedOnDemand {
public:
  explicit SortedOnDemand(Array<T> values) : values_(std::move(values)) {}

  Index size() const { return values_.size(); }

  const T &operator[](Index at) {
    if (at >= sorted_)
      sort_more();
    return values_[at];
  }

private:
  void sort_more() {
    const auto from = values_.begin() + sorted_;
    sorted_ = std::min(size(), 2 * sorted_ + 32);
    const auto end = values_.begin() + sorted_;
    if (sorted_ < size())
      std::nth_element(from, end, values_.end());
    std::sort(from, end);
  }

  Array<T> values_;
  Index sorted_ = 0;
};

} // namespace detail

/// Returns the radius: the sphere grows from the representative while its
/// impurity is at most gamma, and ends halfway between the last distance within
/// this limit and the next. The impurity is the share of the other classes
/// inside, divided by the share of the representative's class inside, or if
/// `by_count` the ratio of these numbers of samples.
inline double sphere_radius(const Array<double> &distances, const ClassIndex &y,
                            int centre, double gamma, const NeighbourKey &key,
                            bool by_count = false) {
  Array<std::pair<double, bool>> others; // distance, is it of the same class?
  others.reserve(y.n_samples());
  for (int n = 0; n < y.n_samples(); ++n)
    if (n != centre)
      others.push_back({distances[n], y[n] == y[centre]});
  detail::SortedOnDemand<std::pair<double, bool>> nearest(std::move(others));
  const double n_same = by_count ? 1 : std::max(1, y.count(y[centre]) - 1);
  const double n_other = by_count ? 1 : y.n_samples() - y.count(y[centre]);
  double same = 0.0, other = 0.0, good = 0.0;
  for (Index at = 0; at < nearest.size();) {
    const double distance = nearest[at].first;
    const std::int64_t level = key(distance);
    double farthest = distance;
    for (; at < nearest.size() && key.reaches(nearest[at].first, level); ++at) {
      farthest = nearest[at].first;
      ++(nearest[at].second ? same : other);
    }
    if (other / n_other > gamma * same / n_same)
      return level == 0 ? 0.0 : 0.5 * (good + distance);
    good = farthest;
  }
  return good;
}

/// True if a sample at this distance is inside, with a tolerance for a sphere
/// that ends at a sample whose distance was computed elsewhere.
inline bool is_inside(double distance, double radius) {
  return distance <= radius * (1.0 + 1e-12);
}

} // namespace hitmiss

#endif
