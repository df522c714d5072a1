// The localized classifier: every representative's sphere votes for its class.
// Armanfard, Reilly, Komeili (2018), equations (9) to (12) and footnote 2.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LOCAL_CLASSIFIER_HPP
#define HITMISS_LLFS_LOCAL_CLASSIFIER_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "../pairs/allowed_pairs.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/eigen.hpp"
#include "../runtime/require.hpp"
#include "../runtime/runtime.hpp"
#include "frame_regression.hpp"
#include "llfs_frame.hpp"
#include "llfs_options.hpp"

namespace hitmiss {

struct LocalClassifier {
  Eigen::MatrixXd training; ///< samples x features that any subset uses
  ClassIndex y;
  /// One per training sample; subsets are columns of `training`. A
  /// representative whose subset is empty, because it was not fitted or new
  /// samples lack a feature of it, has no vote and does not count in the shares
  /// of its class.
  Array<Representative> representatives;
  NeighbourRule neighbour = NeighbourRule::none;
  bool evidence = false;        ///< sum evidence instead of votes
  Eigen::RowVectorXd intercept; ///< added to the evidence; empty: 0
  /// With learners, the similarity is the mean of evidence and regression.
  FrameRegression frames{};
};

/// The vote of a sphere on a new sample. If evidence is used, `evidence` has
/// what the sphere says for each class. With a regression every representative,
/// the consensus frame and the intercepts have a vote, and `evidence` is what
/// the vote adds to the similarity.
struct SphereVote {
  static constexpr int consensus = -1, intercept = -2; ///< in `representative`
  int sample, representative;
  bool inside;
  double distance, vote;
  Eigen::RowVectorXd evidence;
};

struct LocalPrediction {
  Eigen::MatrixXd similarity; ///< S_l, new samples x classes
  Eigen::MatrixXd nearest;    ///< V_l if the largest S_l tie, otherwise 0
  Array<int> predicted;
  Array<int> inside; ///< number of spheres that contain the sample
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

/// Returns the classes of `allowed` that have the largest value, up to 1e-12.
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

/// Lets all representatives vote on some samples, frame by frame, so that the
/// samples share each read of the training samples. If `themselves`, the
/// samples are the training samples. No sample is then its own neighbour, and
/// no representative votes on itself.
class LocalVotes {
public:
  LocalVotes(const LocalClassifier &model, const Eigen::MatrixXd &samples,
             bool themselves)
      : model_(model), themselves_(themselves),
        voting_(voting_representatives(model)),
        learned_(!model.frames.learners.empty()), samples_(framed(samples)),
        sorted_(framed(model.training), all_samples(samples_.cols()), model.y,
                model.frames.learners),
        voters_(model.y.n_classes(), 0.0) {
    for (const int i : voting_)
      ++voters_[model_.y[i]];
    if (learned_)
      place_learners();
  }

  /// Returns kappa of the learners (rows) and the samples `rows` (columns).
  Eigen::MatrixXd kernel(const Array<int> &rows) const {
    Eigen::MatrixXd sums = no_sums(rows.size());
    each_vote(rows, false, &sums, false, [](const auto &...) {});
    const auto &learners = model_.frames.learners;
    Eigen::MatrixXd result(learners.size(), rows.size());
    for (Index k = 0; k < rows.size(); ++k)
      for (Index l = 0; l < learners.size(); ++l)
        result(l, k) = 1.0 + 0.5 * sums(place_[learners[l]], k);
    return result;
  }

  /// Returns the similarity of the samples `rows` to each class. Calls
  /// visit(row, i, inside, distance, vote, evidence) for every sphere that
  /// contains a sample, or with a regression and `want_spheres` for every vote
  /// (see SphereVote). `evidence` has no entries unless `want_spheres`.
  template <class Visit>
  Eigen::MatrixXd similarity(const Array<int> &rows, bool want_spheres,
                             Visit visit) const {
    const Index n_classes = voters_.size();
    const double scale = std::sqrt(2.0 / static_cast<double>(n_classes));
    Array<Eigen::RowVectorXd> sums(rows.size(),
                                   Eigen::RowVectorXd::Zero(n_classes));
    const bool tell_all = learned_ && want_spheres;
    Eigen::MatrixXd similar = no_sums(rows.size());
    const auto add = [&](int i, Index k, double distance,
                         const Array<double> &near, const auto &frame) {
      Eigen::RowVectorXd own;
      if (want_spheres)
        own.setZero(n_classes);
      if (tell_all) {
        const double part = i == SphereVote::consensus ? 1.0 : 1.0 / frames();
        similar.col(k) += part * frame;
        own = 0.25 * part * said_by(frame);
      }
      if (i == SphereVote::consensus) {
        if (tell_all)
          visit(rows[k], i, false, 0.0, 0.0, own);
        return;
      }
      const Representative &r = model_.representatives[i];
      const bool inside = is_inside(distance, r.radius);
      const int label = model_.y[i];
      const double share = 1.0 / voters(label, rows[k]);
      double vote = 0.0;
      if (model_.evidence) {
        add_evidence(r.evidence, inside, near, share * scale, sums[k]);
        if (want_spheres && (inside || learned_)) {
          add_evidence(r.evidence, inside, near,
                       learned_ ? 0.5 * share * scale : 1.0, own);
          vote = own[label];
        }
      } else if (inside) {
        vote = vote_inside(label, near);
        sums[k][label] += share * vote;
      }
      if (inside || tell_all)
        visit(rows[k], i, inside, distance, vote, own);
    };
    each_vote(rows, model_.evidence || model_.neighbour != NeighbourRule::none,
              learned_ ? &similar : nullptr, tell_all, add);
    Eigen::MatrixXd result(rows.size(), n_classes);
    for (Index k = 0; k < rows.size(); ++k) {
      if (model_.evidence && model_.intercept.size() > 0)
        sums[k] += model_.intercept;
      if (learned_) {
        const Eigen::RowVectorXd level =
            said_by(Eigen::VectorXd::Ones(slopes_.rows()));
        sums[k] += level + 0.5 * said_by(similar.col(k));
        sums[k] *= 0.5;
        if (tell_all)
          visit(rows[k], SphereVote::intercept, false, 0.0, 0.0,
                0.5 * (model_.intercept + level));
      }
      result.row(k) = sums[k];
    }
    return result;
  }

  /// Returns V_l of the samples `rows`: the number of frames in which the
  /// nearest sample has class l, divided by the size of the class.
  Eigen::MatrixXd nearest(const Array<int> &rows) const {
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(rows.size(), voters_.size());
    const auto add = [&](int, Index k, double, const Array<double> &near,
                         const auto &) {
      for (Index l = 0; l < near.size(); ++l)
        v(k, l) += near[l];
    };
    each_vote(rows, true, nullptr, false, add);
    for (Index k = 0; k < rows.size(); ++k)
      for (int l = 0; l < model_.y.n_classes(); ++l) {
        const bool own = themselves_ && model_.y[rows[k]] == l;
        v(k, l) /= std::max(1, model_.y.count(l) - (own ? 1 : 0));
      }
    return v;
  }

private:
  /// The number of representatives of the class that vote on the sample.
  double voters(int label, int row) const {
    const bool own = themselves_ && model_.y[row] == label &&
                     !model_.representatives[row].subset.empty();
    return voters_[label] - (own ? 1.0 : 0.0);
  }

  /// The vote of a sphere of class `label` that contains the sample.
  double vote_inside(int label, const Array<double> &near) const {
    if (model_.neighbour == NeighbourRule::none || near[label] > 0.5)
      return 1.0;
    return model_.neighbour == NeighbourRule::half ? 0.5 : 0.0;
  }

  // ---- the regression -------------------------------------------------------

  /// Returns z and, for a regression, appends its columns times the roots of
  /// the weights that features have in the consensus frame, so that distances
  /// on them need no weights. The weights add up to 1.
  Eigen::MatrixXd framed(const Eigen::MatrixXd &z) const {
    if (!learned_)
      return z;
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(z.cols());
    for (const int i : voting_)
      for (const int j : model_.representatives[i].subset)
        ++weights[j];
    weights = weights.cwiseSqrt().eval();
    weights = (weights / weights.sum()).cwiseSqrt().eval();
    Eigen::MatrixXd both(z.rows(), 2 * z.cols());
    both << z, z * weights.asDiagonal();
    return both;
  }

  /// Finds the row of each learner in sums, and counts the representatives that
  /// share a subset.
  void place_learners() {
    const auto &learners = model_.frames.learners;
    place_.resize(model_.y.n_samples());
    parts_.resize(voters_.size() + 1, 0);
    Array<Index> count(voters_.size(), 0);
    for (const int l : learners)
      place_[l] = count[model_.y[l]]++;
    for (Index c = 0; c < count.size(); ++c)
      parts_[c + 1] = parts_[c] + round_up(count[c], NearestJob::whole);
    slopes_ = Eigen::MatrixXd::Zero(no_sums(0).rows(), voters_.size());
    for (Index l = 0; l < learners.size(); ++l) {
      place_[learners[l]] += parts_[model_.y[learners[l]]];
      if (model_.frames.slopes.rows() > 0)
        slopes_.row(place_[learners[l]]) = model_.frames.slopes.row(l);
    }
    times_.resize(model_.y.n_samples(), 0);
    std::map<Array<int>, int> first;
    for (const int i : voting_)
      ++times_[first.insert({model_.representatives[i].subset, i})
                   .first->second];
    for (Index j = samples_.cols() / 2; j < samples_.cols(); ++j)
      consensus_.push_back(static_cast<int>(j));
  }

  /// Returns zeros: a row for every learner, padded by class, and columns for
  /// whole groups of samples that share a load.
  Eigen::MatrixXd no_sums(Index columns) const {
    return Eigen::MatrixXd::Zero(learned_ ? parts_.back() : 0,
                                 round_up(columns, SamplesByClass::together));
  }

  double frames() const { return static_cast<double>(voting_.size()); }

  /// Returns the part of the regression for each class, if `similar` has the
  /// similarity of every learner to the sample.
  Eigen::RowVectorXd
  said_by(const Eigen::Ref<const Eigen::VectorXd> &similar) const {
    return similar.transpose() * slopes_;
  }

  // ---------------------------------------------------------------------------

  /// Calls visit(i, k, distance, near, frame) for every representative i that
  /// votes on the sample rows[k]: `distance` is between the two, and `near` has
  /// the shares of the classes in the sample's nearest neighbours (only if
  /// `near_asked`). If `similar` is not null, the consensus frame is visited
  /// last (i = SphereVote::consensus), and kappa_F + kappa_C is added to
  /// `similar`; or if `apart`, `frame` has the similarity of the sample to
  /// every learner in frame i.
  template <class Visit>
  void each_vote(const Array<int> &rows, bool near_asked,
                 Eigen::MatrixXd *similar, bool apart, Visit visit) const {
    constexpr Index together = SamplesByClass::together;
    Array<double> from;
    SamplesByClass::Shares near;
    Eigen::MatrixXd frame = no_sums(together);
    SimilaritySums to{};
    if (similar)
      to = {parts_.data(), frame.data(), similar->rows(), 1.0, 1.0};
    for (Index v = 0; v < voting_.size() + (similar ? 1 : 0); ++v) {
      const bool last = v == voting_.size();
      const int i = last ? SphereVote::consensus : voting_[v];
      const auto &subset = last ? consensus_ : model_.representatives[i].subset;
      from.resize(subset.size() * together);
      if (similar && !last) {
        to.width = static_cast<double>(subset.size());
        to.share = apart ? to.width : to.width * times_[i] / frames();
      } else {
        to.width = to.share = 1.0;
      }
      for (Index start = 0; start < rows.size(); start += together) {
        const Index count = std::min(together, rows.size() - start);
        SamplesByClass::Samples left_out;
        double distance[together];
        for (Index q = 0; q < together; ++q) {
          const int row = rows[start + std::min(q, count - 1)];
          left_out[q] = themselves_ ? row : -1;
          double sum = 0.0;
          for (Index k = 0; k < subset.size(); ++k) {
            from[k * together + q] = samples_(row, subset[k]);
            const double d =
                last ? 0.0 : sorted_(i, subset[k]) - from[k * together + q];
            sum += d * d;
          }
          distance[q] = std::sqrt(sum);
        }
        if (apart)
          frame.setZero();
        else if (similar)
          to.to = similar->col(start).data();
        const auto *sums = similar && to.share > 0.0 ? &to : nullptr;
        if (near_asked && !last)
          sorted_.shares(subset, from.data(), left_out, key_, near, sums);
        else if (sums)
          sorted_.least(subset, from.data(), left_out, nullptr, sums);
        for (Index q = 0; q < count; ++q)
          if (!themselves_ || rows[start + q] != i)
            visit(i, start + q, distance[q], near[q], frame.col(q));
      }
    }
  }

  const LocalClassifier &model_;
  const bool themselves_;
  const Array<int> voting_;
  const bool learned_;
  const Eigen::MatrixXd samples_;
  const SamplesByClass sorted_; // the training samples
  const NeighbourKey key_{};
  Array<double> voters_;   // voting representatives, by class
  Array<Index> place_;     // by sample: its row in sums if it is a learner
  Array<Index> parts_;     // first row of each class in sums
  Eigen::MatrixXd slopes_; // by row in sums
  Array<int> consensus_;   // columns of the consensus frame in sorted_
  Array<int> times_; // number of representatives with the same subset, at the
                     // first of them; else 0
};

/// The training samples that intercepts and regression are fitted to, and the
/// weight of one sample of each class.
struct InterceptSamples {
  Array<int> rows; ///< increasing
  ClassIndex y;
  Array<double> weights;
};

/// Returns all training samples or, if `wanted` > 0, a draw with the same
/// number of each class, because small classes need their samples most. If
/// `balanced`, all classes have the same weight.
inline InterceptSamples intercept_samples(const ClassIndex &y, bool balanced,
                                          int wanted, const Runtime &runtime) {
  Array<int> rows, labels;
  Array<double> weights;
  for (int c = 0; c < y.n_classes(); ++c) {
    auto some = y.members(c);
    if (wanted > 0) {
      auto stream = runtime.stream(0, Purpose::intercept_samples);
      stream.seek(static_cast<std::uint64_t>(c));
      some = draw_by_class({some}, std::max(2, wanted / y.n_classes()), stream);
    }
    rows.insert(rows.end(), some.begin(), some.end());
    const double classes = balanced ? y.n_classes() : 1.0;
    weights.push_back((balanced ? y.n_samples() : y.count(c)) /
                      (classes * static_cast<double>(some.size())));
  }
  std::sort(rows.begin(), rows.end());
  for (const int row : rows)
    labels.push_back(y[row]);
  return {rows, ClassIndex(labels, y.n_classes()), weights};
}

/// Samples that pass all frames together: few, so that values stay in cache.
constexpr Index votes_at_once = 64;

} // namespace detail

/// Classifies the rows of `samples`, whose columns must be those of
/// `model.training`. With `themselves`, the rows must be the training samples,
/// and none votes on itself: its own sphere is left out, and it is no neighbour
/// of itself. Evidence and spheres alone can say so; all slopes of a regression
/// were learned with the sample's label. Time: O(new samples x representatives
/// x subset), times the number of training samples if nearest neighbours must
/// be found.
inline LocalPrediction classify_locally(const LocalClassifier &model,
                                        const Eigen::MatrixXd &samples,
                                        bool want_spheres, Runtime &runtime,
                                        bool themselves = false) {
  detail::require(samples.cols() == model.training.cols(),
                  "new samples must have the features of the training samples");
  detail::require(samples.allFinite(), "the values must be finite");
  detail::require(!themselves || samples.rows() == model.training.rows(),
                  "the samples must be the training samples");
  detail::require(!themselves || model.frames.learners.empty(),
                  "a regression votes on the samples that it learned from");
  const int n_classes = model.y.n_classes();
  LocalPrediction result;
  result.similarity = Eigen::MatrixXd::Zero(samples.rows(), n_classes);
  result.nearest = result.similarity;
  result.predicted.resize(samples.rows());
  result.inside.resize(samples.rows());
  Array<Array<SphereVote>> spheres(samples.rows());
  Array<int> classes(n_classes);
  std::iota(classes.begin(), classes.end(), 0);
  const detail::LocalVotes votes(model, samples, themselves);
  const auto classify = [&](Index begin, Index end) {
    Array<int> rows, undecided;
    for (Index row = begin; row < end; ++row)
      rows.push_back(static_cast<int>(row));
    result.similarity.middleRows(begin, end - begin) = votes.similarity(
        rows, want_spheres,
        [&](int row, int i, bool inside, double distance, double vote,
            const Eigen::RowVectorXd &evidence) {
          result.inside[row] += inside ? 1 : 0;
          if (want_spheres && (vote != 0.0 || model.evidence))
            spheres[row].push_back({row, i, inside, distance, vote, evidence});
        });
    const auto best = [&](int row) {
      return detail::largest_of(result.similarity.row(row), classes);
    };
    for (const int row : rows) {
      result.predicted[row] = best(row).front();
      if (!model.evidence && best(row).size() > 1)
        undecided.push_back(row);
    }
    const auto nearest = votes.nearest(undecided);
    for (Index k = 0; k < undecided.size(); ++k) {
      const int row = undecided[k];
      result.nearest.row(row) = nearest.row(k);
      result.predicted[row] =
          detail::largest_of(nearest.row(k), best(row)).front();
    }
  };
  runtime.for_parts(samples.rows(), detail::votes_at_once, classify);
  for (const auto &some : spheres)
    result.spheres.insert(result.spheres.end(), some.begin(), some.end());
  return result;
}

/// Fits the intercepts of a classifier by evidence to all its training samples,
/// or if `wanted` > 0 to a draw of about so many, with the same number of each
/// class. No sample votes on itself. `balanced`: classes have equal weights.
inline void fit_intercept(LocalClassifier &model, bool balanced, int wanted,
                          Runtime &runtime) {
  const auto drawn =
      detail::intercept_samples(model.y, balanced, wanted, runtime);
  model.intercept.resize(0);
  const detail::LocalVotes votes(model, model.training, true);
  Eigen::MatrixXd similarity(drawn.rows.size(), model.y.n_classes());
  runtime.for_parts(drawn.rows.size(), detail::votes_at_once,
                    [&](Index begin, Index end) {
                      const Array<int> some(drawn.rows.begin() + begin,
                                            drawn.rows.begin() + end);
                      similarity.middleRows(begin, end - begin) =
                          votes.similarity(some, false, [](const auto &...) {});
                    });
  model.intercept = fit_intercepts(similarity, drawn.y, drawn.weights);
}

namespace detail {

/// Adds 1 to the similarity of two samples of one block, and of two samples of
/// one group of several classes. This gives every block and group an intercept,
/// for what its samples share. A group of one class gets none, because its
/// intercept would explain the class.
inline void add_design(const InterceptSamples &drawn,
                       const AllowedPairs &allowed, Eigen::MatrixXd &kernel) {
  const auto &rows = drawn.rows;
  std::map<int, std::set<int>> classes; // of each group
  for (Index a = 0; a < rows.size() && allowed.has_groups(); ++a)
    classes[allowed.group(rows[a])].insert(drawn.y[a]);
  for (Index a = 0; a < rows.size(); ++a)
    for (Index b = 0; b < rows.size(); ++b) {
      if (allowed.has_blocks() &&
          allowed.block(rows[a]) == allowed.block(rows[b]))
        kernel(a, b) += 1.0;
      if (allowed.has_groups() &&
          allowed.group(rows[a]) == allowed.group(rows[b]) &&
          classes[allowed.group(rows[a])].size() > 1)
        kernel(a, b) += 1.0;
    }
}

} // namespace detail

/// Learns the slopes of the regression from the samples that fit_intercept()
/// uses (all, or the draw), with the same weights.
inline void fit_frames(LocalClassifier &model, const AllowedPairs &allowed,
                       bool balanced, int wanted, Runtime &runtime) {
  const auto drawn =
      detail::intercept_samples(model.y, balanced, wanted, runtime);
  const Index n = drawn.rows.size();
  model.frames.learners = drawn.rows;
  model.frames.slopes.resize(0, 0);
  const detail::LocalVotes votes(model, model.training, false);
  Eigen::MatrixXd kernel(n, n);
  runtime.for_parts(n, detail::votes_at_once, [&](Index begin, Index end) {
    kernel.middleCols(begin, end - begin) =
        votes.kernel({drawn.rows.begin() + begin, drawn.rows.begin() + end});
  });
  if (!allowed.all())
    detail::add_design(drawn, allowed, kernel);
  model.frames.slopes =
      learn_slopes(std::move(kernel), drawn.y, drawn.weights, runtime);
}

/// Returns the intercepts that fit_intercept() would fit to all training
/// samples. The cells that the representatives of `centres` have kept (see
/// LlfsOptions::keeps_cells()) save looking up neighbours again.
inline Eigen::RowVectorXd
kept_intercept(const Array<Representative> &representatives,
               const Array<int> &centres, const ClassIndex &y, bool balanced,
               Runtime &runtime) {
  const auto all = detail::intercept_samples(y, balanced, 0, runtime);
  const Index n_classes = y.n_classes();
  const double scale = std::sqrt(2.0 / static_cast<double>(n_classes));
  Array<double> voters(n_classes, 0.0);
  Array<char> votes(y.n_samples(), 0); // is the sample a representative?
  for (const int centre : centres) {
    ++voters[y[centre]];
    votes[centre] = 1;
  }
  Eigen::MatrixXd similarity(y.n_samples(), n_classes);
  runtime.for_parts(
      y.n_samples(), detail::votes_at_once, [&](Index begin, Index end) {
        Array<Eigen::RowVectorXd> sums(end - begin,
                                       Eigen::RowVectorXd::Zero(n_classes));
        for (Index i = 0; i < centres.size(); ++i) {
          const auto &r = representatives[i];
          const int label = y[centres[i]];
          for (auto row = static_cast<int>(begin); row < end; ++row) {
            if (row == centres[i])
              continue;
            const bool own = votes[row] && y[row] == label;
            const double share = 1.0 / (voters[label] - (own ? 1.0 : 0.0));
            const int cell = r.cells.cell[row];
            add_evidence(r.evidence, cell % 2 == 1, r.cells.near[cell / 2],
                         share * scale, sums[row - begin]);
          }
        }
        for (Index row = begin; row < end; ++row)
          similarity.row(row) = sums[row - begin];
      });
  return fit_intercepts(similarity, y, all.weights);
}

} // namespace hitmiss

#endif
