// A representative's frame: distances on its own features, the sphere around
// it and how well the sphere does on the training samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_FRAME_HPP
#define HITMISS_LLFS_LLFS_FRAME_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "../data/class_index.hpp"
#include "../data/neighbour_key.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/reference_samples.hpp"
#include "../solvers/eigen.hpp"
#include "gain_kernels.hpp"
#include "llfs_evidence.hpp"
#include "llfs_nearest.hpp"

namespace hitmiss {

/// Euclidean distances from `from` (values on the frame's features, same
/// order) to every row of z.
inline void frame_distances(const Eigen::MatrixXd &z,
                            const Array<int> &features, const double *from,
                            double *out) {
  run_alike<SquaredDistanceKernel>(
      SquaredDistanceJob{z.data(), z.rows(), z.rows(), features.data(), from,
                         features.size(), out});
  Eigen::Map<Eigen::ArrayXd> distances(out, z.rows());
  distances = distances.sqrt();
}

/// Nearest neighbours, all that tie: how many of them have a class, how many
/// another.
struct NearestVote {
  int same = 0;
  int other = 0;
  double distance = 0.0; ///< of the nearest
  bool agrees() const { return same > other; }
};

/// Calls visit(n) for the nearest of the samples, all that tie, `leave_out`
/// excepted (-1: none), and gives their distance. Distances are compared by
/// key, without their rounding noise.
template <class Visit>
double for_nearest(const double *distances, int n_samples, int leave_out,
                   const NeighbourKey &key, Visit visit) {
  const Eigen::Map<const Eigen::ArrayXd> all(distances, n_samples);
  const Index before = std::max(leave_out, 0);
  const Index after = all.size() - leave_out - 1;
  double least = std::numeric_limits<double>::infinity();
  if (before > 0)
    least = all.head(before).minCoeff();
  if (after > 0)
    least = std::min(least, all.tail(after).minCoeff());
  const std::int64_t nearest = key(least);
  const double beyond = least * (1.0 + 1e-8); // no key reaches so far
  for (int n = 0; n < n_samples; ++n)
    if (distances[n] <= beyond && key.reaches(distances[n], nearest) &&
        n != leave_out)
      visit(n);
  return least;
}

/// Vote of the nearest for `label`.
inline NearestVote nearest_vote(const double *distances, const ClassIndex &y,
                                int label, int leave_out,
                                const NeighbourKey &key) {
  NearestVote vote;
  vote.distance =
      for_nearest(distances, y.n_samples(), leave_out, key,
                  [&](int n) { ++(y[n] == label ? vote.same : vote.other); });
  return vote;
}

/// The nearest share one vote: what each class has of it. Nothing where no
/// sample is at a finite distance.
inline void share_nearest(const double *distances, const ClassIndex &y,
                          int leave_out, const NeighbourKey &key,
                          Array<double> &shares) {
  shares.assign(y.n_classes(), 0.0);
  double tied = 0.0;
  const double least =
      for_nearest(distances, y.n_samples(), leave_out, key, [&](int n) {
        ++shares[y[n]];
        ++tied;
      });
  for (double &share : shares)
    share = std::isfinite(least) ? share / tied : 0.0;
}

/// Radius: grow from the representative while the impurity stays within gamma;
/// halfway to the first distance that breaks it. The impurity is the ratio of
/// the classes' shares inside, or `by_count` of the numbers of samples.
inline double sphere_radius(const Array<double> &distances, const ClassIndex &y,
                            int centre, double gamma, const NeighbourKey &key,
                            bool by_count = false) {
  Array<std::pair<double, bool>> nearest; // distance, of its class?
  for (int n = 0; n < y.n_samples(); ++n)
    if (n != centre)
      nearest.push_back({distances[n], y[n] == y[centre]});
  std::sort(nearest.begin(), nearest.end());
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

/// Is a sample at this distance inside? A sphere may end at a sample, and the
/// same distance computed elsewhere differs by rounding.
inline bool is_inside(double distance, double radius) {
  return distance <= radius * (1.0 + 1e-12);
}

/// Of how many samples, at most, inside a sphere and outside neighbours are
/// asked (0: all), and the stream they are drawn from.
struct ScoreDraw {
  int wanted;
  RandomStream stream;
};

/// For every sample, left out: is it inside, and do its nearest neighbours in
/// the frame, of the samples it is compared with, vote for the representative's
/// class?
class FrameCells {
public:
  FrameCells(const Eigen::MatrixXd &z, const ClassIndex &y, Array<int> features,
             int centre, const AllowedPairs &allowed, const ScoreDraw &draw)
      : z_(z), y_(y), features_(std::move(features)), centre_(centre),
        allowed_(allowed), draw_(draw), from_centre_(distances_from(centre)),
        agrees_(z.rows(), unknown) {}

  double radius(double gamma, bool by_count = false) const {
    return sphere_radius(from_centre_, y_, centre_, gamma, key_, by_count);
  }

  /// No score is higher: that of a sphere where the neighbours of all that are
  /// inside vote for their own class.
  double most_score(double radius) const {
    double inside = 0.0;
    for (int j = 0; j < y_.n_samples(); ++j)
      inside += is_same(j) && this->inside(j, radius) ? 1.0 : 0.0;
    return score_of(inside, 0.0);
  }

  /// The share of its class that a sphere detects, less that of the others for
  /// which it is a false alarm; once it is sure to be below `enough`, minus
  /// infinity.
  double score(double radius,
               double enough = -std::numeric_limits<double>::infinity()) {
    const Side side = samples_on(true, radius);
    double missed = 0.0, alarms = 0.0; // of those that are asked
    const auto score = [&] {
      return score_of(side.same - side.per_same * missed,
                      side.per_other * alarms);
    };
    VotesInFrame votes(*this, side.asked);
    for (const int j : side.asked) {
      if (votes.agree(j) == is_same(j))
        continue;
      ++(is_same(j) ? missed : alarms);
      if (score() < enough)
        return -std::numeric_limits<double>::infinity();
    }
    return score();
  }

  /// Counts the samples by side, class of their nearest and class.
  Array<CellEvidence> evidence(double radius) const {
    EvidenceCounts counts(y_.n_classes());
    Array<double> near;
    for (const bool is_in : {false, true}) {
      const Side side = samples_on(is_in, radius);
      for (const int j : side.asked) {
        auto distances = distances_from(j);
        hide_from(j, distances);
        share_nearest(distances.data(), y_, j, key_, near);
        counts.add(is_in, near, y_[j],
                   is_same(j) ? side.per_same : side.per_other);
      }
    }
    return counts.evidence();
  }

private:
  Array<double> distances_from(int sample) const {
    Array<double> from, distances(z_.rows());
    for (int feature : features_)
      from.push_back(z_(sample, feature));
    frame_distances(z_, features_, from.data(), distances.data());
    return distances;
  }
  /// Not the representative itself.
  bool is_same(int j) const { return j != centre_ && y_[j] == y_[centre_]; }

  /// The samples inside, or outside: how many are of the representative's
  /// class, those of whom neighbours are asked, and for how many of its kind
  /// (of that class or of another) each of these stands.
  struct Side {
    double same = 0.0;
    Array<int> asked; ///< increasing
    double per_same = 1.0, per_other = 1.0;
  };

  Side samples_on(bool inside, double radius) const {
    Array<Array<int>> members(2); // of its class, of others
    Side side;
    for (int j = 0; j < y_.n_samples(); ++j)
      if (j != centre_ && this->inside(j, radius) == inside) {
        members[is_same(j) ? 0 : 1].push_back(j);
        side.asked.push_back(j);
      }
    side.same = static_cast<double>(members[0].size());
    if (draw_.wanted == 0 || draw_.wanted >= side.asked.size())
      return side;
    const auto other = static_cast<double>(members[1].size());
    RandomStream stream = draw_.stream;
    stream.seek(inside ? 1 : 0);
    side.asked = draw_by_class(std::move(members), draw_.wanted, stream);
    double same_asked = 0.0;
    for (const int j : side.asked)
      same_asked += is_same(j) ? 1.0 : 0.0;
    const auto asked = static_cast<double>(side.asked.size());
    side.per_same = side.same / std::max(1.0, same_asked);
    side.per_other = other / std::max(1.0, asked - same_asked);
    return side;
  }

  double score_of(double detected, double false_alarms) const {
    const int n_class = y_.count(y_[centre_]);
    return detected / std::max(1, n_class - 1) -
           false_alarms / (y_.n_samples() - n_class);
  }
  bool inside(int j, double radius) const {
    return is_inside(from_centre_[j], radius);
  }
  /// Votes of samples that are asked in their order, each looked up when it is
  /// needed, a few at once.
  class VotesInFrame {
  public:
    VotesInFrame(FrameCells &frame, const Array<int> &asked)
        : frame_(frame), asked_(asked) {}

    bool agree(int j) {
      while (asked_[next_] != j)
        ++next_;
      if (frame_.agrees_[j] == unknown)
        frame_.allowed_.all() ? look_up() : frame_.look_around(j);
      return frame_.agrees_[j] == 1;
    }

  private:
    /// The votes of j and of the next that are unknown. Where the nearest of
    /// both sides tie they are counted one by one.
    void look_up() {
      const int label = frame_.y_[frame_.centre_];
      if (!minima_)
        minima_.emplace(frame_.z_, frame_.y_, frame_.features_, label);
      FixedArray<int, ClassMinima::together> some{};
      Index count = 0;
      for (Index k = next_; k < asked_.size() && count < ClassMinima::together;
           ++k)
        if (frame_.agrees_[asked_[k]] == unknown)
          some[count++] = asked_[k];
      for (Index q = count; q < ClassMinima::together; ++q)
        some[q] = some[0];
      const auto least = minima_->of(some);
      for (Index q = 0; q < count; ++q) {
        const std::int64_t own = frame_.key_(std::sqrt(least[q].own));
        const std::int64_t other = frame_.key_(std::sqrt(least[q].other));
        if (own != other)
          frame_.agrees_[some[q]] = own < other ? 1 : 0;
        else if (frame_.agrees_[some[q]] == unknown)
          frame_.look_around(some[q]);
      }
    }

    FrameCells &frame_;
    const Array<int> &asked_;
    Index next_ = 0;
    std::optional<ClassMinima> minima_;
  };

  /// Finds the vote of sample j and of all that equal it in this frame: they
  /// have its neighbours, itself in place of the one left out. Discrete
  /// features leave few samples that differ.
  void look_around(int j) {
    auto distances = distances_from(j);
    const int label = y_[centre_];
    if (!allowed_.all()) {
      agrees_[j] = allowed_agree(j, distances) ? 1 : 0;
      return;
    }
    const NearestVote vote = nearest_vote(distances.data(), y_, label, j, key_);
    agrees_[j] = vote.agrees() ? 1 : 0;
    if (vote.distance > 0.0)
      return;
    for (int n = 0; n < y_.n_samples(); ++n) {
      if (n == j || distances[n] > 0.0)
        continue;
      NearestVote own = vote;
      ++(y_[j] == label ? own.same : own.other);
      --(y_[n] == label ? own.same : own.other);
      agrees_[n] = own.agrees() ? 1 : 0;
    }
  }

  /// Only samples that j may be compared with are its neighbours.
  void hide_from(int j, Array<double> &distances) const {
    for (int n = 0; n < y_.n_samples() && !allowed_.all(); ++n)
      if (!allowed_(j, n))
        distances[n] = std::numeric_limits<double>::infinity();
  }

  bool allowed_agree(int j, Array<double> &distances) const {
    hide_from(j, distances);
    const NearestVote vote =
        nearest_vote(distances.data(), y_, y_[centre_], j, key_);
    return std::isfinite(vote.distance) && vote.agrees();
  }

  const Eigen::MatrixXd &z_;
  const ClassIndex &y_;
  const Array<int> features_;
  int centre_;
  const AllowedPairs &allowed_;
  const ScoreDraw &draw_;
  Array<double> from_centre_;
  NeighbourKey key_;
  static constexpr char unknown = 2;
  Array<char> agrees_; // by sample: 0, 1 or unknown
};

} // namespace hitmiss

#endif
