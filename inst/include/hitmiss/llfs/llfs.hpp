// LLFS: every training sample gets its own feature subset and sphere.
// Armanfard, Reilly, Komeili (2018), equations (1) to (12).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_HPP
#define HITMISS_LLFS_LLFS_HPP

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../data/feature_tile.hpp"
#include "../pairs/require_problem.hpp"
#include "../runtime/report.hpp"
#include "../runtime/runtime.hpp"
#include "llfs_candidates.hpp"
#include "llfs_frame.hpp"
#include "llfs_options.hpp"
#include "llfs_visible.hpp"
#include "local_classifier.hpp"

namespace hitmiss {

struct LlfsResult {
  Array<Representative> representatives; ///< one per centre, in order
  Report report; ///< iterations: problems (7); residual: share not settled
  Eigen::RowVectorXd intercept; ///< if LlfsOptions::keeps_cells(); else empty
};

namespace detail {

/// The scaled values of the features that vary: samples x features.
struct ScaledMatrix {
  ScaledSamples samples;
  Array<int> features; ///< input position of each column
};

/// Returns the values of `features`, none of which may be constant, scaled.
inline Eigen::MatrixXd
columns_of(const ScaledView &x, const Array<int> &features, Runtime &runtime) {
  Eigen::MatrixXd values(x.n_samples(), features.size());
  runtime.for_parts(features.size(), 256, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k)
      copy_tile(x, features[k], 1, values.data() + k * x.n_samples(),
                x.n_samples());
  });
  return values;
}

inline ScaledMatrix scaled_matrix(const ScaledView &x, Runtime &runtime) {
  ScaledMatrix z;
  for (Index j = 0; j < x.n_features(); ++j)
    if (!x.is_constant(j))
      z.features.push_back(static_cast<int>(j));
  detail::require(!z.features.empty(), "at least one feature must vary");
  z.samples.values = columns_of(x, z.features, runtime);
  return z;
}

/// Sets z.totals for the samples `centres`. A pass over the features serves
/// several centres, because reading many features from memory takes most time.
inline void add_totals(ScaledSamples &z, const Array<int> &centres,
                       Runtime &runtime) {
  constexpr Index together = 8;
  z.totals = Eigen::MatrixXd::Zero(z.values.rows(), z.values.rows());
  runtime.for_parts(centres.size(), together, [&](Index begin, Index end) {
    const Array<int> some(centres.begin() + begin, centres.begin() + end);
    const Eigen::MatrixXd totals = manhattan_totals(z.values, some);
    for (Index k = 0; k < some.size(); ++k)
      z.totals.col(some[k]) = totals.col(k);
  });
}

/// Chooses among the candidates of one representative.
class RepresentativeChoice {
public:
  RepresentativeChoice(const Eigen::MatrixXd &z, const ClassIndex &y,
                       int centre, const AllowedPairs &allowed, int stream,
                       const LlfsOptions &options, Runtime &runtime)
      : z_(z), y_(y), centre_(centre),
        allowed_(allowed), draw_{options.score_samples,
                                 runtime.stream(
                                     static_cast<std::uint64_t>(stream),
                                     Purpose::score_samples)},
        options_(options), runtime_(runtime) {}

  void offer(double alpha, const Array<Candidate> &candidates) {
    for (const Candidate &candidate : candidates) {
      if (candidate.features.empty())
        continue;
      Representative r;
      r.subset = candidate.features;
      r.alpha = alpha;
      r.beta = candidate.beta;
      r.objective = candidate.objective;
      offered_.push_back(r);
    }
  }

  /// Returns the set of the best score. Scores are reduced by penalty() and by
  /// the share of the set's features that do not vary within the class: a
  /// feature that is constant in a few training samples need not be so in new
  /// ones. All sets within 1e-12 of the best score tie, with `parsimony` all
  /// within so many samples. A tie goes to the smallest alpha, then to the
  /// smallest beta. If U1 of this set is 0, it cannot be lowered: the tie then
  /// goes to the largest alpha and beta, unless there is `parsimony`. A sample
  /// alone in its class gets the set of largest alpha and beta.
  Representative best() {
    if (y_.count(y_[centre_]) == 1)
      return chosen(offered_.back());
    const double enough = score_frames();
    const auto is_enough = [&](const Representative &r) {
      return frames_.at(r.subset).score >= enough;
    };
    const auto first =
        std::find_if(offered_.begin(), offered_.end(), is_enough);
    if (first->objective > 0.0 || options_.parsimony > 0.0)
      return chosen(*first);
    return chosen(*std::find_if(offered_.rbegin(), offered_.rend(), is_enough));
  }

private:
  static constexpr double never = -std::numeric_limits<double>::infinity();

  /// A candidate set; it counts once, however many alphas and betas lead to it.
  struct Frame {
    FrameCells cells;
    double radius;
    double less;          ///< for features without spread, and for size
    double score = never; ///< cells.most_score() - less, once found
    double most_score() const { return cells.most_score() - less; }
  };

  Frame &frame(const Array<int> &subset) {
    auto known = frames_.find(subset);
    if (known == frames_.end()) {
      FrameCells cells(z_, y_, subset, centre_, allowed_, draw_);
      const double radius =
          cells.radius(options_.gamma, options_.impurity_by_count);
      cells.start_score(radius);
      const double less = share_without_spread(subset) + penalty(subset);
      known =
          frames_.emplace(subset, Frame{std::move(cells), radius, less}).first;
    }
    return known->second;
  }

  /// The share of a set's features that do not vary within the class.
  double share_without_spread(const Array<int> &subset) const {
    const auto constant =
        std::count_if(subset.begin(), subset.end(), [&](int m) {
          for (int n = 0; n < y_.n_samples(); ++n)
            if (y_[n] == y_[centre_] && z_(n, m) != z_(centre_, m))
              return false;
          return true;
        });
    return static_cast<double>(constant) / static_cast<double>(subset.size());
  }

  double penalty(const Array<int> &subset) const {
    return options_.size_penalty * static_cast<double>(subset.size()) /
           std::max(1, y_.count(y_[centre_]) - 1);
  }

  /// Finds the scores that may be best, and returns the least score that ties
  /// (see best()). A score needs the neighbours of every sample inside the
  /// sphere, so the next samples are always asked of the frame whose score can
  /// still be highest.
  double score_frames() {
    Array<Frame *> frames; // a heap
    for (const Representative &r : offered_)
      if (frames_.find(r.subset) == frames_.end())
        frames.push_back(&frame(r.subset));
    const auto worse = [](const Frame *a, const Frame *b) {
      return a->most_score() < b->most_score();
    };
    std::make_heap(frames.begin(), frames.end(), worse);
    const double less =
        options_.parsimony / (y_.count(y_[centre_]) - 1) + 1e-12;
    double enough = never;
    while (!frames.empty() && frames.front()->most_score() >= enough) {
      runtime_.checkpoint();
      std::pop_heap(frames.begin(), frames.end(), worse);
      Frame &best = *frames.back();
      if (best.cells.is_scored()) {
        best.score = best.most_score();
        enough = std::max(enough, best.score - less);
        frames.pop_back();
      } else {
        ask_more(best);
        std::push_heap(frames.begin(), frames.end(), worse);
      }
    }
    return enough;
  }

  /// Asks the next samples of a frame. If all frames then hold at least
  /// most_held values, every frame drops its copy of the samples.
  void ask_more(Frame &frame) {
    held_ -= frame.cells.held();
    frame.cells.ask_more();
    held_ += frame.cells.held();
    if (held_ < LlfsOptions::most_held)
      return;
    for (auto &known : frames_)
      known.second.cells.release();
    held_ = 0;
  }

  Representative chosen(Representative r) {
    Frame &f = frame(r.subset);
    r.radius = f.radius;
    while (!f.cells.is_scored())
      ask_more(f);
    r.score = f.cells.most_score();
    if (options_.evidence)
      r.evidence = f.cells.evidence(f.radius);
    if (options_.keeps_cells())
      r.cells = f.cells.cells(f.radius);
    return r;
  }

  const Eigen::MatrixXd &z_;
  const ClassIndex &y_;
  int centre_;
  const AllowedPairs &allowed_;
  const ScoreDraw draw_;
  const LlfsOptions &options_;
  Runtime &runtime_;
  std::map<Array<int>, Frame> frames_;
  Index held_ = 0;
  Array<Representative> offered_; // by alpha, then beta
};

inline Array<int> all_centres(const ClassIndex &y) {
  Array<int> centres(y.n_samples());
  std::iota(centres.begin(), centres.end(), 0);
  return centres;
}

/// Calls work(z, y, centre) with the samples that enter the optimisation
/// problems of the representative `centre`: itself and all others, or itself
/// and a draw of the others.
template <class Work>
void among_drawn(const ScaledSamples &z, const ClassIndex &y, int centre,
                 int stream, const LlfsOptions &options, const Runtime &runtime,
                 Work work) {
  const int wanted = options.program_samples;
  if (wanted == 0 || wanted >= y.n_samples() - 1)
    return work(z, y, centre);
  const auto drawn =
      drawn_around(centre, y, wanted,
                   runtime.stream(static_cast<std::uint64_t>(stream),
                                  Purpose::program_samples));
  const auto few = visible_samples(z.values, y, centre, AllowedPairs(), drawn);
  work(few.z, few.y, few.centre);
}

/// Fits the representative `centre`; `stream` is the number of its random
/// streams.
inline Representative fit_representative(const ScaledSamples &z,
                                         const ClassIndex &y, int centre,
                                         const AllowedPairs &allowed,
                                         int stream, const LlfsOptions &options,
                                         Runtime &runtime) {
  RepresentativeChoice choice(z.values, y, centre, allowed, stream, options,
                              runtime);
  int programs = 0, unsettled = 0;
  among_drawn(z, y, centre, stream, options, runtime, [&](const auto &...of) {
    CandidateSearch search(of..., stream, options, runtime);
    for (Index a = 0; a < options.alpha.size(); ++a)
      choice.offer(options.alpha[a], search.solve(options.alpha[a], a));
    programs = search.programs();
    unsettled = search.unsettled();
  });
  Representative chosen = choice.best();
  chosen.programs = programs;
  chosen.unsettled = unsettled;
  return chosen;
}

/// Calls work(z, y, centre, allowed) with the sample `centre` and the samples
/// that it is compared with. If they are all of its class, there is nothing to
/// tell apart: returns false without a call.
template <class Work>
bool among_allowed(const ScaledSamples &z, const ClassIndex &y, int centre,
                   const LlfsOptions &options, Work work) {
  const AllowedPairs &allowed = options.allowed;
  if (allowed.all()) {
    work(z, y, centre, allowed);
    return true;
  }
  const auto seen = visible_samples(z.values, y, centre, allowed,
                                    seen_by(centre, y.n_samples(), allowed));
  if (seen.y.count(y[centre]) == seen.y.n_samples())
    return false;
  work(seen.z, seen.y, seen.centre, seen.allowed);
  return true;
}

inline Report summarise(const Array<Representative> &representatives) {
  Report report;
  int unsettled = 0;
  for (const Representative &r : representatives) {
    report.iterations += r.programs;
    unsettled += r.unsettled;
  }
  report.residual = unsettled / std::max(1.0, double(report.iterations));
  report.status = unsettled > 0 ? Status::max_iter : Status::converged;
  return report;
}

} // namespace detail

/// Fits the representatives. Required: a feature that varies, and two classes.
/// Memory: see bytes_needed(); mostly a scaled copy of the features that vary,
/// per thread a working set of them and, if not all pairs are allowed, a copy
/// of the samples that a centre is compared with.
inline LlfsResult fit_representatives(const ScaledView &x, const ClassIndex &y,
                                      const LlfsOptions &options,
                                      Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check(y.n_samples());
  auto z = detail::scaled_matrix(x, runtime);
  const auto centres =
      options.centres.empty() ? detail::all_centres(y) : options.centres;
  if (options.allowed.all() && options.program_samples == 0 &&
      options.uses_working_set(z.samples.values.cols()) &&
      z.samples.values.rows() <= z.samples.values.cols())
    detail::add_totals(z.samples, centres, runtime);
  LlfsResult result;
  result.representatives.resize(centres.size());
  const auto n_centres = centres.size();
  runtime.monitor().expect(n_centres);
  runtime.for_each(n_centres, [&](Index i, int) {
    const int centre = centres[i];
    // A centre that is compared with no other class gets no set and no vote.
    Representative chosen;
    chosen.alpha = options.alpha.front();
    detail::among_allowed(
        z.samples, y, centre, options, [&](const auto &...seen) {
          chosen =
              detail::fit_representative(seen..., centre, options, runtime);
        });
    for (int &feature : chosen.subset)
      feature = z.features[feature];
    result.representatives[i] = std::move(chosen);
    runtime.monitor().advance();
  });
  if (options.keeps_cells()) {
    result.intercept = kept_intercept(result.representatives, centres, y,
                                      options.balanced, runtime);
    for (Representative &r : result.representatives)
      r.cells = {};
  }
  result.report = detail::summarise(result.representatives);
  return result;
}

} // namespace hitmiss

#endif
