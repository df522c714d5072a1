// The localized classifier: every representative's sphere votes for its class.
// Armanfard, Reilly, Komeili (2018), equations (9) to (12) and footnote 2.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LOCAL_CLASSIFIER_HPP
#define HITMISS_LLFS_LOCAL_CLASSIFIER_HPP

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../runtime/require.hpp"
#include "../runtime/runtime.hpp"
#include "../solvers/eigen.hpp"
#include "llfs_frame.hpp"
#include "llfs_options.hpp"

namespace hitmiss {

struct LocalClassifier {
  Eigen::MatrixXd training; ///< samples x features that any subset uses
  ClassIndex y;
  /// Subsets: columns above. One without features has no vote, nor a place in
  /// the shares of its class: new samples lack a feature that it uses.
  Array<Representative> representatives;
  NeighbourRule neighbour = NeighbourRule::none;
  bool evidence = false;        ///< sum evidence instead of votes
  Eigen::RowVectorXd intercept; ///< of the evidence for each class; empty: 0
};

/// A sphere that votes for a new sample; by evidence, it says so much for each
/// class.
struct SphereVote {
  int sample, representative;
  double distance, vote;
  Eigen::RowVectorXd evidence;
};

struct LocalPrediction {
  Eigen::MatrixXd similarity; ///< S_l, new samples x classes
  Eigen::MatrixXd nearest;    ///< V_l where S_l does not decide, otherwise 0
  Array<int> predicted;
  Array<int> inside; ///< spheres that contain the sample
  Array<SphereVote> spheres;
};

namespace detail {

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

/// One sample against all representatives. `self`: the training sample that it
/// is, which is then no neighbour of its own nor votes on itself, or -1.
class LocalVote {
public:
  LocalVote(const LocalClassifier &model, const Array<int> &voting,
            const Eigen::RowVectorXd &sample, int self)
      : model_(model), voting_(voting), sample_(sample), self_(self),
        distances_(model.training.rows()),
        voters_(Eigen::RowVectorXd::Zero(model.y.n_classes())) {
    for (const int i : voting_)
      if (i != self_)
        ++voters_[model_.y[i]];
  }

  /// The similarity to each class; calls visit(i, distance, vote, evidence) for
  /// every sphere that contains the sample, if it is to be known.
  template <class Visit>
  Eigen::RowVectorXd similarity(bool want_spheres, Visit visit) {
    const auto classes = static_cast<double>(voters_.size());
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(voters_.size());
    for (const int i : voting_) {
      if (i == self_)
        continue;
      const Representative &r = model_.representatives[i];
      const double distance = enter(i);
      const bool inside = is_inside(distance, r.radius);
      const double share = 1.0 / voters_[model_.y[i]];
      Eigen::RowVectorXd own;
      double vote = 0.0;
      if (model_.evidence) {
        share_nearest(distances_.data(), model_.y, self_, key_, near_);
        add_evidence(r.evidence, inside, near_,
                     share * std::sqrt(2.0 / classes), s);
        if (inside && want_spheres) {
          own = Eigen::RowVectorXd::Zero(voters_.size());
          add_evidence(r.evidence, inside, near_, 1.0, own);
          vote = own[model_.y[i]];
        }
      } else if (inside) {
        vote = sphere(model_.y[i]);
        s[model_.y[i]] += share * vote;
      }
      if (inside)
        visit(i, distance, vote, own);
    }
    if (model_.evidence && model_.intercept.size() > 0)
      s += model_.intercept;
    return s;
  }

  /// V_l: of the class's samples, the share of frames that they are nearest in.
  Eigen::RowVectorXd nearest() {
    Eigen::RowVectorXd v = Eigen::RowVectorXd::Zero(voters_.size());
    for (const int i : voting_) {
      if (i == self_)
        continue;
      enter_frame(i);
      share_nearest(distances_.data(), model_.y, self_, key_, near_);
      for (Index l = 0; l < v.size(); ++l)
        v[l] += near_[l];
    }
    for (int l = 0; l < model_.y.n_classes(); ++l)
      v[l] /= std::max(1, model_.y.count(l) -
                              (self_ >= 0 && model_.y[self_] == l ? 1 : 0));
    return v;
  }

private:
  /// The distance from representative i, and all others where they are asked.
  double enter(Index i) {
    if (model_.evidence || model_.neighbour != NeighbourRule::none) {
      enter_frame(i);
      return distances_[i];
    }
    double sum = 0.0;
    for (const int feature : model_.representatives[i].subset) {
      const double d = model_.training(i, feature) - sample_[feature];
      sum += d * d;
    }
    return std::sqrt(sum);
  }

  void enter_frame(Index i) {
    const auto &features = model_.representatives[i].subset;
    from_.clear();
    for (const int feature : features)
      from_.push_back(sample_[feature]);
    frame_distances(model_.training, features, from_.data(), distances_.data());
  }

  /// The vote of a sphere of this class that contains the sample.
  double sphere(int label) const {
    if (model_.neighbour == NeighbourRule::none ||
        nearest_vote(distances_.data(), model_.y, label, self_, key_).agrees())
      return 1.0;
    return model_.neighbour == NeighbourRule::half ? 0.5 : 0.0;
  }

  const LocalClassifier &model_;
  const Array<int> &voting_;
  const Eigen::RowVectorXd sample_;
  const int self_;
  const NeighbourKey key_{};
  Array<double> from_, distances_, near_;
  Eigen::RowVectorXd voters_; // representatives, by class
};

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
  LocalPrediction result;
  result.similarity = Eigen::MatrixXd::Zero(samples.rows(), n_classes);
  result.nearest = result.similarity;
  result.predicted.resize(samples.rows());
  result.inside.resize(samples.rows());
  Array<Array<SphereVote>> spheres(samples.rows());
  Array<int> classes(n_classes);
  std::iota(classes.begin(), classes.end(), 0);
  const auto voting = detail::voting_representatives(model);
  runtime.for_each(samples.rows(), [&](Index row, int) {
    const auto sample = static_cast<int>(row);
    detail::LocalVote votes(model, voting, samples.row(row),
                            themselves ? sample : -1);
    const Eigen::RowVectorXd s =
        votes.similarity(want_spheres, [&](int i, double distance, double vote,
                                           const Eigen::RowVectorXd &evidence) {
          ++result.inside[row];
          if (want_spheres && (vote != 0.0 || model.evidence))
            spheres[row].push_back({sample, i, distance, vote, evidence});
        });
    result.similarity.row(row) = s;
    auto best = detail::largest_of(s, classes);
    if (best.size() > 1 && !model.evidence) {
      const Eigen::RowVectorXd v = votes.nearest();
      result.nearest.row(row) = v;
      best = detail::largest_of(v, best);
    }
    result.predicted[row] = best.front();
  });
  for (const auto &some : spheres)
    result.spheres.insert(result.spheres.end(), some.begin(), some.end());
  return result;
}

/// Fits the intercepts of a classifier by evidence, to its own training
/// samples, of which none votes on itself.
inline void fit_intercept(LocalClassifier &model, bool balanced,
                          Runtime &runtime) {
  model.intercept.resize(0);
  const auto own =
      classify_locally(model, model.training, false, runtime, true);
  model.intercept = fit_intercepts(own.similarity, model.y, balanced);
}

} // namespace hitmiss

#endif
