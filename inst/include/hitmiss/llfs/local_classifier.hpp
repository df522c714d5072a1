// The localized classifier: every representative's sphere votes for its class.
// Armanfard, Reilly, Komeili (2018), equations (9) to (12) and footnote 2.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LOCAL_CLASSIFIER_HPP
#define HITMISS_LLFS_LOCAL_CLASSIFIER_HPP

#include <algorithm>
#include <limits>

#include "../runtime/require.hpp"
#include "../runtime/runtime.hpp"
#include "../solvers/eigen.hpp"
#include "llfs_frame.hpp"
#include "llfs_options.hpp"

namespace hitmiss {

/// Must the nearest training sample in the frame agree with a sphere? If it
/// does not, the sphere's vote is 1, 1/2 or 0.
enum class NeighbourRule { none, half, full };

struct LocalClassifier {
  Eigen::MatrixXd training; ///< samples x features that any subset uses
  ClassIndex y;
  /// Subsets: columns above. One without features has no vote, nor a place in
  /// the shares of its class: new samples lack a feature that it uses.
  Array<Representative> representatives;
  NeighbourRule neighbour = NeighbourRule::none;
  bool evidence = false; ///< sum log odds of cells instead of votes
};

/// A sphere that votes for a new sample.
struct SphereVote {
  int sample, representative;
  double distance, vote;
};

struct LocalPrediction {
  Eigen::MatrixXd similarity; ///< S_l, new samples x classes
  Eigen::MatrixXd nearest;    ///< V_l where S_l does not decide, otherwise 0
  Array<int> predicted;
  Array<int> inside; ///< spheres that contain the sample
  Array<SphereVote> spheres;
};

namespace detail {

/// One sample against all representatives. `self`: the training sample that it
/// is, which is then no neighbour of its own, or -1.
class LocalVote {
public:
  LocalVote(const LocalClassifier &model, const Eigen::RowVectorXd &sample,
            int self)
      : model_(model), sample_(sample), self_(self),
        distances_(model.training.rows()) {}

  /// Votes of representative i; `distance` is that of the sample from it.
  double sphere(Index i, double &distance) {
    const Representative &r = model_.representatives[i];
    const bool alone = model_.neighbour == NeighbourRule::none;
    if (alone && !model_.evidence) {
      distance = distance_to(i);
      return is_inside(distance, r.radius) ? 1.0 : 0.0;
    }
    enter_frame(i);
    distance = distances_[i];
    const bool inside = is_inside(distance, r.radius);
    const NearestVote near = vote_for(model_.y[i]);
    if (model_.evidence)
      return r.log_odds[2 * (inside ? 1 : 0) + (near.unanimous() ? 1 : 0)];
    if (!inside || near.agrees())
      return inside ? 1.0 : 0.0;
    return model_.neighbour == NeighbourRule::half ? 0.5 : 0.0;
  }

  /// Adds 1/k to each of the k classes of the nearest training samples.
  void add_nearest(Index i, Eigen::RowVectorXd &votes) {
    enter_frame(i);
    const NeighbourKey key;
    if (self_ >= 0)
      distances_[self_] = std::numeric_limits<double>::infinity();
    std::int64_t nearest = key(distances_[0]);
    for (double d : distances_)
      nearest = std::min(nearest, key(d));
    Array<char> tied(votes.size(), 0);
    for (int n = 0; n < model_.y.n_samples(); ++n)
      if (key(distances_[n]) == nearest)
        tied[model_.y[n]] = 1;
    const auto k = static_cast<double>(std::count(tied.begin(), tied.end(), 1));
    for (Index l = 0; l < votes.size(); ++l)
      votes[l] += tied[l] / k;
  }

private:
  void enter_frame(Index i) {
    const auto &features = model_.representatives[i].subset;
    gather(features);
    frame_distances(model_.training, features, from_.data(), distances_.data());
  }
  void gather(const Array<int> &features) {
    from_.clear();
    for (int feature : features)
      from_.push_back(sample_[feature]);
  }
  double distance_to(Index i) {
    const auto &features = model_.representatives[i].subset;
    double sum = 0.0;
    for (int feature : features) {
      const double d = model_.training(i, feature) - sample_[feature];
      sum += d * d;
    }
    return std::sqrt(sum);
  }
  NearestVote vote_for(int label) const {
    const NeighbourKey key;
    return nearest_vote(distances_.data(), model_.y, label, self_, key);
  }

  const LocalClassifier &model_;
  const Eigen::RowVectorXd sample_;
  int self_;
  Array<double> from_, distances_;
};

inline Array<int> voting_representatives(const LocalClassifier &model) {
  Array<int> voting;
  for (int i = 0; i < model.representatives.size(); ++i)
    if (!model.representatives[i].subset.empty())
      voting.push_back(i);
  return voting;
}

/// First of the largest entries among `allowed`; values within 1e-12 tie.
inline Array<int> largest_of(const Eigen::RowVectorXd &values,
                             const Array<int> &allowed) {
  double most = values[allowed.front()];
  for (int l : allowed)
    most = std::max(most, values[l]);
  Array<int> ties;
  for (int l : allowed)
    if (values[l] >= most - 1e-12)
      ties.push_back(l);
  return ties;
}

} // namespace detail

/// Classifies the rows of `samples` (columns as `model.training`). With
/// `themselves` they are the training samples, and none votes on itself: its
/// sphere is left out, and so is it as a neighbour.
/// O(new samples x representatives x subset), times the number of training
/// samples where nearest neighbours are asked.
inline LocalPrediction classify_locally(const LocalClassifier &model,
                                        const Eigen::MatrixXd &samples,
                                        bool want_spheres, Runtime &runtime,
                                        bool themselves = false) {
  detail::require(samples.cols() == model.training.cols(),
                  "new samples must have the features of the training samples");
  detail::require(!themselves || samples.rows() == model.training.rows(),
                  "the samples must be the training samples");
  const int n_classes = model.y.n_classes();
  const Index n_new = samples.rows();
  LocalPrediction result;
  result.similarity = Eigen::MatrixXd::Zero(samples.rows(), n_classes);
  result.nearest = Eigen::MatrixXd::Zero(samples.rows(), n_classes);
  result.predicted.resize(n_new);
  Array<Array<SphereVote>> spheres(n_new);
  result.inside.resize(n_new);
  Eigen::RowVectorXd class_size(n_classes);
  Array<int> classes;
  for (int l = 0; l < n_classes; ++l) {
    class_size[l] = model.y.count(l);
    classes.push_back(l);
  }
  const auto voting = detail::voting_representatives(model);
  Eigen::RowVectorXd n_voting = Eigen::RowVectorXd::Zero(n_classes);
  for (const int i : voting)
    ++n_voting[model.y[i]];
  runtime.for_each(samples.rows(), [&](Index row, int) {
    const auto sample = static_cast<int>(row);
    const int self = themselves ? sample : -1;
    detail::LocalVote votes(model, samples.row(row), self);
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(n_classes);
    Eigen::RowVectorXd voters = n_voting;
    for (const int i : voting) {
      if (i == self) {
        --voters[model.y[self]];
        continue;
      }
      double distance = 0.0;
      const double vote = votes.sphere(i, distance);
      const bool inside = is_inside(distance, model.representatives[i].radius);
      if (inside)
        ++result.inside[row];
      s[model.y[i]] += vote;
      if (want_spheres && inside && vote != 0.0)
        spheres[row].push_back({sample, i, distance, vote});
    }
    s.array() /= voters.array().max(1.0);
    result.similarity.row(row) = s;
    auto best = detail::largest_of(s, classes);
    if (best.size() > 1 && !model.evidence) {
      Eigen::RowVectorXd v = Eigen::RowVectorXd::Zero(n_classes);
      for (const int i : voting)
        if (i != self)
          votes.add_nearest(i, v);
      Eigen::RowVectorXd others = class_size;
      if (self >= 0)
        --others[model.y[self]];
      v.array() /= others.array().max(1.0);
      result.nearest.row(row) = v;
      best = detail::largest_of(v, best);
    }
    result.predicted[row] = best.front();
  });
  for (const auto &some : spheres)
    result.spheres.insert(result.spheres.end(), some.begin(), some.end());
  return result;
}

} // namespace hitmiss

#endif
