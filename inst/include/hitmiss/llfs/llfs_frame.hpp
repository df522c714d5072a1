// A representative's frame: how well the sphere in its features does on the
// training samples, and what the samples on either side of it say.
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

/// The samples at the least distance, all that tie by key, share one vote:
/// shares[c] is what class c gets of it. Sample `leave_out` does not vote. All
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

/// The largest number of samples inside a sphere, and outside, whose neighbours
/// are asked (0: all), and the stream that draws these samples.
struct ScoreDraw {
  int wanted;
  RandomStream stream;
};

/// Tells of every sample whether it is inside the sphere, and of which classes
/// its nearest neighbours in the frame are. Samples are not neighbours of
/// themselves, nor of samples that they may not be compared with.
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

  /// Starts the score of the sphere of this radius: the share of its class that
  /// the sphere detects, less the share of the other samples for which it is a
  /// false alarm. A sample is detected if its nearest neighbours vote for the
  /// class. Samples of other classes are asked first, then those near the edge,
  /// because they lower the score most often.
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
  /// The score that would result if all samples that were not asked yet voted
  /// for their own class. Once all were asked, this is the score itself.
  double most_score() const {
    const int n_class = y_.count(y_[centre_]);
    return (side_.same - side_.per_same * missed_) / std::max(1, n_class - 1) -
           side_.per_other * alarms_ / (y_.n_samples() - n_class);
  }
  bool is_scored() const { return n_asked_ == side_.asked.size(); }

  /// Asks the next few samples.
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

  /// Counts the samples by side of the sphere, class of their nearest
  /// neighbours, and own class.
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

  /// What evidence() has asked, if no draw limits it.
  TrainingCells cells(double radius) const {
    TrainingCells result{vote_, votes_};
    for (Index j = 0; j < vote_.size(); ++j)
      result.cell[j] =
          2 * vote_[j] + (is_inside(from_centre_[j], radius) ? 1 : 0);
    return result;
  }

  /// The size of the copy of the frame's samples, which release() ends.
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

  /// The samples inside, or those outside: how many are of the representative's
  /// class (`same`), which ones are asked for their neighbours, and how many
  /// samples each of these stands for (`per_same` if it is of that class, else
  /// `per_other`).
  struct Side {
    double same = 0.0;
    Array<int> asked; ///< increasing
    double per_same = 1.0, per_other = 1.0;
  };

  Side samples_on(bool inside, double radius) const {
    Array<Array<int>> members(2); // of its class, of others
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

  /// Finds the votes of the next few of `unknowns`.
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

  /// Finds the votes of the samples `asked`. For each one the distances to the
  /// samples that it may be compared with are measured.
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

  /// One class has the whole vote mostly, so few votes differ.
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
  Array<int> vote_;            // by sample: its place in votes_, or unknown
  Array<Array<double>> votes_; // what the classes have of the nearest
  Side side_;                  // the samples inside, in the order of asking
  Index n_asked_ = 0;          // of these
  double missed_ = 0.0, alarms_ = 0.0; // of those that were asked
};

} // namespace hitmiss

#endif
