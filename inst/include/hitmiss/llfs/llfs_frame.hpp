// The frame of a representative, which is the space of its features: the score
// of its sphere on the training samples, and the evidence on both sides.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_FRAME_HPP
#define HITMISS_LLFS_LLFS_FRAME_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/neighbour_key.hpp"
#include "../pairs/reference_samples.hpp"
#include "../runtime/eigen.hpp"
#include "llfs_evidence.hpp"
#include "llfs_nearest.hpp"
#include "sphere.hpp"

namespace hitmiss {

/// All samples at the least distance, which tie by `key`, share one vote:
/// shares[c] is the part of class c. Sample `leave_out` does not vote. All
/// shares are 0 if no sample is at a finite distance.
inline void share_nearest(const Array<double> &distances, const ClassIndex &y,
                          int leave_out, const NeighbourKey &key,
                          Array<double> &shares) {
  double least = std::numeric_limits<double>::infinity(), tied = 0.0;
  for (int n = 0; n < y.n_samples(); ++n)
    if (n != leave_out)
      least = std::min(least, distances[n]);
  shares.assign(y.n_classes(), 0.0);
  for (int n = 0; n < y.n_samples() && std::isfinite(least); ++n)
    if (n != leave_out && key.reaches(distances[n], key(least))) {
      ++shares[y[n]];
      ++tied;
    }
  for (double &share : shares)
    share /= std::max(1.0, tied);
}

/// Score and evidence ask `wanted` samples inside a sphere and `wanted` outside
/// (0: all) for their neighbours. `stream` draws the samples.
struct ScoreDraw {
  int wanted;
  RandomStream stream;
};

/// Finds, for every sample, whether it is inside the sphere and the classes of
/// its nearest neighbours in the frame. The neighbours of a sample are other
/// samples with which it may be compared.
class FrameCells {
public:
  FrameCells(const Eigen::MatrixXd &z, const ClassIndex &y, Array<int> features,
             int centre, const AllowedPairs &allowed, const ScoreDraw &draw)
      : z_(z), y_(y), features_(std::move(features)), centre_(centre),
        allowed_(allowed), draw_(draw), from_centre_(distances_from(centre)),
        vote_(z.rows(), unknown) {}

  double radius(double gamma, bool by_count = false) const {
    return sphere_radius(from_centre_, y_, centre_, gamma, key_, by_count);
  }

  /// Starts the score of the sphere of this radius: the share of the
  /// representative's class that it detects, less the share of the other
  /// samples that it detects. A sample is detected if it is inside and most of
  /// its nearest neighbours have the representative's class. Samples of other
  /// classes are asked first, and in both groups those near the edge, because
  /// they lower the score most often.
  void start_score(double radius) {
    side_ = samples_on(true, radius);
    std::sort(side_.asked.begin(), side_.asked.end(), [&](int a, int b) {
      if (is_same(a) != is_same(b))
        return is_same(b);
      return from_centre_[a] > from_centre_[b] ||
             (from_centre_[a] == from_centre_[b] && a < b);
    });
    n_asked_ = 0;
    missed_ = alarms_ = 0.0;
  }
  /// The score if all samples not asked yet had nearest neighbours of their own
  /// class. Once all were asked, this is the score itself.
  double most_score() const {
    const int n_class = y_.count(y_[centre_]);
    return (side_.same - side_.per_same * missed_) / std::max(1, n_class - 1) -
           side_.per_other * alarms_ / (y_.n_samples() - n_class);
  }
  bool is_scored() const { return n_asked_ == side_.asked.size(); }

  /// Looks up the neighbours of the next few samples.
  void ask_more() {
    const Index begin = n_asked_;
    n_asked_ =
        std::min(begin + 4 * SamplesByClass::together, side_.asked.size());
    look_up(side_.asked, begin, n_asked_);
    for (Index k = begin; k < n_asked_; ++k) {
      const int j = side_.asked[k];
      const bool agrees = votes_[vote_[j]][y_[centre_]] > 0.5;
      if (agrees != is_same(j))
        ++(is_same(j) ? missed_ : alarms_);
    }
  }

  /// Returns the evidence from counts of the samples by side of the sphere,
  /// class of their nearest neighbours, and own class.
  Array<CellEvidence> evidence(double radius) {
    EvidenceCounts counts(y_.n_classes());
    for (const bool is_in : {false, true}) {
      const Side side = samples_on(is_in, radius);
      look_up(side.asked, 0, side.asked.size());
      for (const int j : side.asked)
        counts.add(is_in, votes_[vote_[j]], y_[j],
                   is_same(j) ? side.per_same : side.per_other);
    }
    return counts.evidence();
  }

  /// Returns the cells of all samples but the representative. Required:
  /// evidence() was called, and draw.wanted is 0.
  TrainingCells cells(double radius) const {
    TrainingCells result{vote_, votes_};
    for (Index j = 0; j < vote_.size(); ++j)
      result.cell[j] =
          2 * vote_[j] + (is_inside(from_centre_[j], radius) ? 1 : 0);
    return result;
  }

  /// The number of values in the sorted copy of the samples, see release().
  Index held() const { return sorted_ ? z_.rows() * features_.size() : 0; }
  void release() { sorted_.reset(); }

private:
  static constexpr int unknown = -1;

  Array<double> values_of(int sample) const {
    Array<double> values;
    for (const int feature : features_)
      values.push_back(z_(sample, feature));
    return values;
  }
  Array<double> distances_from(int sample) const {
    Array<double> distances(z_.rows());
    frame_distances(z_, features_, values_of(sample).data(), distances.data());
    return distances;
  }
  /// Says whether sample j is of the representative's class. The representative
  /// itself does not count.
  bool is_same(int j) const { return j != centre_ && y_[j] == y_[centre_]; }

  /// One side of the sphere: how many of its samples are of the
  /// representative's class (`same`), which of its samples are asked for their
  /// neighbours, and how many samples one asked sample stands for (`per_same`
  /// in the representative's class, `per_other` in other classes).
  struct Side {
    double same = 0.0;
    Array<int> asked; ///< increasing
    double per_same = 1.0, per_other = 1.0;
  };

  Side samples_on(bool inside, double radius) const {
    Array<Array<int>> members(2); // same, other classes
    Side side;
    for (int j = 0; j < y_.n_samples(); ++j)
      if (j != centre_ && is_inside(from_centre_[j], radius) == inside) {
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

  // ---- votes of the nearest -------------------------------------------------

  /// Finds the votes of the samples [begin, end) of `asked`.
  void look_up(const Array<int> &asked, Index begin, Index end) {
    if (!allowed_.all())
      return look_around(asked, begin, end);
    Array<int> unknowns;
    for (Index k = begin; k < end; ++k)
      if (vote_[asked[k]] == unknown)
        unknowns.push_back(asked[k]);
    if (unknowns.empty())
      return;
    if (!sorted_)
      sorted_.emplace(z_, features_, y_);
    for (Index k = 0; k < unknowns.size(); k += SamplesByClass::together)
      look_up_some(unknowns, k);
  }

  /// Finds the votes of the next few samples, unknowns[start] and on.
  void look_up_some(const Array<int> &unknowns, Index start) {
    constexpr Index together = SamplesByClass::together;
    Array<int> columns(features_.size());
    std::iota(columns.begin(), columns.end(), 0);
    Array<double> from(columns.size() * together);
    SamplesByClass::Samples some;
    for (Index q = 0; q < together; ++q) {
      some[q] = unknowns[std::min(start + q, unknowns.size() - 1)];
      for (Index k = 0; k < columns.size(); ++k)
        from[k * together + q] = z_(some[q], features_[k]);
    }
    SamplesByClass::Shares shares;
    sorted_->shares(columns, from.data(), some, key_, shares);
    for (Index q = 0; q < together; ++q)
      keep_vote(some[q], shares[q]);
  }

  /// Finds the votes of the samples [begin, end) of `asked` if not all pairs
  /// are allowed, from the distances between every one and all samples.
  void look_around(const Array<int> &asked, Index begin, Index end) {
    Array<double> shares;
    for (Index k = begin; k < end; ++k) {
      const int j = asked[k];
      auto distances = distances_from(j);
      for (int n = 0; n < y_.n_samples(); ++n)
        if (!allowed_(j, n))
          distances[n] = std::numeric_limits<double>::infinity();
      share_nearest(distances, y_, j, key_, shares);
      keep_vote(j, shares);
    }
  }

  /// Stores equal votes once: most go wholly to one class, so few differ.
  void keep_vote(int j, const Array<double> &shares) {
    const auto known = std::find(votes_.begin(), votes_.end(), shares);
    vote_[j] = static_cast<int>(known - votes_.begin());
    if (known == votes_.end())
      votes_.push_back(shares);
  }

  const Eigen::MatrixXd &z_;
  const ClassIndex &y_;
  const Array<int> features_;
  int centre_;
  const AllowedPairs &allowed_;
  const ScoreDraw &draw_;
  const Array<double> from_centre_;
  const NeighbourKey key_{};
  std::optional<SamplesByClass> sorted_;
  Array<int> vote_;            // by sample: index in votes_, or unknown
  Array<Array<double>> votes_; // see share_nearest()
  Side side_;                  // the samples inside, in the order of asking
  Index n_asked_ = 0;          // number of samples asked
  double missed_ = 0.0, alarms_ = 0.0; // among the samples asked
};

} // namespace hitmiss

#endif
