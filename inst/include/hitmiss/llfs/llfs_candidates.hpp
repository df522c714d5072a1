// Binary feature sets for one representative and one alpha, one per beta.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_CANDIDATES_HPP
#define HITMISS_LLFS_LLFS_CANDIDATES_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../runtime/runtime.hpp"
#include "llfs_columns.hpp"
#include "llfs_options.hpp"
#include "llfs_pricing.hpp"
#include "llfs_working_set.hpp"
#include "rounding.hpp"
#include "separation_path.hpp"
#include "swap_polish.hpp"

namespace hitmiss {

/// The binary set of one beta; empty if no rounding was feasible.
struct Candidate {
  Array<int> features; ///< columns of z, increasing
  double beta = 0.0;
  double objective = 0.0; ///< U1
};

/// Solves (6) and (7) around sample `centre` for every beta.
///
/// `samples`: features that are not constant, scaled. With many features the
/// problem holds only a working set of them. One pass over all features then
/// certifies the solutions of all betas or adds the features that they lack.
class CandidateSearch {
public:
  /// `stream` is the number of the random stream.
  CandidateSearch(const ScaledSamples &samples, const ClassIndex &y, int centre,
                  int stream, const LlfsOptions &options, Runtime &runtime)
      : z_(samples.values), centre_(centre), stream_(stream), options_(options),
        runtime_(runtime), columns_(z_, centre, rows_, problem_) {
    // The centre itself, at a distance of 0 from itself, pads both parts.
    for (int n = 0; n < y.n_samples(); ++n)
      if (n != centre && y[n] == y[centre])
        rows_.push_back(n);
    problem_.n_same = rows_.size();
    problem_.n_other = y.n_samples() - 1 - problem_.n_same;
    rows_.resize(problem_.same_rows(), centre);
    for (int n = 0; n < y.n_samples(); ++n)
      if (y[n] != y[centre])
        rows_.push_back(n);
    rows_.resize(problem_.same_rows() + problem_.other_rows(), centre);
    problem_.distances.resize(rows_.size(), 0);
    l1_totals_ = l1_totals(samples, centre, rows_);
  }

  /// The solutions of LLFS' (6) and (7) for one alpha, not yet rounded.
  struct Relaxed {
    int single;                ///< beta = 0: one feature
    LargestSeparation largest; ///< beta = 1
    Array<PathPoint> path;     ///< betas between 0 and 1
  };

  Relaxed relax(double alpha) {
    set_alpha(alpha);
    const int single = best_single_feature(z_, centre_, rows_, problem_);
    choose_columns(single);
    LargestSeparation best = largest_separation(problem_);
    while (uses_working_set() && add_separating(best)) {
      runtime_.checkpoint();
      best = largest_separation(problem_);
    }
    auto path = solve_path(best, single);
    while (uses_working_set() && add_attractive(path))
      path = solve_path(best, single);
    return {single, std::move(best), std::move(path)};
  }

  /// `which` is the position of `alpha` in the grid. It numbers the random
  /// draws.
  Array<Candidate> solve(double alpha, Index which) {
    const Relaxed relaxed = relax(alpha);
    for (const PathPoint &point : relaxed.path) {
      ++programs_;
      unsettled_ += point.settled ? 0 : 1;
    }
    return round_path(relaxed, alpha, which);
  }

  /// The number of problems (7) solved so far, and how many of them ended at a
  /// limit of steps.
  int programs() const { return programs_; }
  int unsettled() const { return unsettled_; }

  int feature(int column) const { return columns_.feature(column); }
  const LogisticGain &gain() const { return problem_.gain; }

private:
  bool uses_working_set() const { return options_.uses_working_set(z_.cols()); }

  void set_alpha(double alpha) {
    const auto n_features = static_cast<double>(z_.cols());
    start_ =
        std::min(1.0, options_.init_one ? 1.0 / alpha : alpha / n_features);
    const double phi = start_ * l1_totals_.maxCoeff(); // (8)
    problem_.gain.sigma = phi > 0.0 ? std::log(0.97 / 0.03) / phi : 1.0;
    problem_.gain.lambda = 0.01 / alpha;
    problem_.mass = std::min(alpha, n_features);
  }

  // ---- the columns of the problem -----------------------------------------

  void choose_columns(int single) {
    Array<int> chosen;
    if (uses_working_set()) {
      chosen = promising();
      chosen.push_back(single);
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    } else {
      if (problem_.columns() > 0)
        return; // all features are columns, for every alpha
      chosen.resize(z_.cols());
      std::iota(chosen.begin(), chosen.end(), 0);
    }
    columns_.reset(chosen);
  }

  Eigen::VectorXd by_sample(const Eigen::VectorXd &weights) const {
    return in_sample_order(weights, rows_, z_.rows());
  }

  /// Returns the features that look best at the start f0 (see
  /// promising_features()).
  Array<int> promising() const {
    const Eigen::VectorXd totals = start_ * l1_totals_;
    Eigen::VectorXd w = Eigen::VectorXd::Zero(totals.size());
    Eigen::MatrixXd weights(z_.rows(), 2);
    w.head(problem_.same_rows()) = problem_.within_weights(totals);
    weights.col(0) = by_sample(w);
    w.setZero();
    w.tail(problem_.other_rows()) = problem_.between_weights(totals);
    weights.col(1) = by_sample(w);
    const Index share =
        std::max(options_.working_set / 4, static_cast<int>(problem_.mass) + 1);
    Eigen::MatrixXd gradients(z_.cols(), 2);
    price_features(z_, centre_, weights, options_.simd,
                   [&](Index m, const double *sums) {
                     gradients.row(m) << sums[0], sums[1];
                   });
    return promising_features(gradients, share);
  }

  /// Adds features that would raise U2 of the best separation. Returns false if
  /// there are none.
  bool add_separating(const LargestSeparation &best) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(rows_.size());
    w.tail(problem_.other_rows()) = problem_.between_weights(best.totals);
    Eigen::VectorXd gradient(z_.cols());
    price_features(z_, centre_, by_sample(w), options_.simd,
                   [&](Index m, const double *sums) { gradient[m] = sums[0]; });
    double least_used = std::numeric_limits<double>::infinity();
    for (const auto &entry : best.f)
      least_used =
          std::min(least_used, gradient[columns_.feature(entry.first)]);
    const double enough = least_used + 1e-7 * best.value / problem_.mass;
    Array<PricedFeature> priced;
    for (Index m = 0; m < gradient.size(); ++m)
      if (gradient[m] > enough)
        priced.push_back({enough - gradient[m], static_cast<int>(m)});
    return columns_.append_cheapest(std::move(priced), 50);
  }

  /// Adds, for every beta, up to 15 features of reduced cost below -0.001.
  bool add_attractive(const Array<PathPoint> &path) {
    if (path.empty())
      return false;
    Eigen::MatrixXd weights(z_.rows(), path.size());
    for (Index b = 0; b < path.size(); ++b)
      weights.col(b) = by_sample(path[b].weights);
    Array<Array<PricedFeature>> priced(path.size());
    price_features(z_, centre_, weights, options_.simd,
                   [&](Index m, const double *sums) {
                     for (Index b = 0; b < path.size(); ++b) {
                       const double cost = sums[b] - path[b].mass_dual + 1e-3;
                       if (cost < 0.0)
                         priced[b].push_back({cost, static_cast<int>(m)});
                     }
                   });
    bool added = false;
    for (auto &of_beta : priced)
      added |= columns_.append_cheapest(std::move(of_beta), 15);
    return added;
  }

  // ---- the path and its roundings ------------------------------------------

  /// Finds one point for every beta strictly between 0 and 1.
  Array<PathPoint> solve_path(const LargestSeparation &best, int single) {
    PathOptions options;
    options.tol = options_.tol;
    SeparationPath path(problem_, best, options);
    SparseVector start{{columns_.column_of(single), 1.0}};
    if (options_.cold_start) {
      start.clear();
      for (int j = 0; j < problem_.columns(); ++j)
        start.push_back({j, start_});
    }
    Array<PathPoint> points;
    for (Index b = 1; b + 1 < options_.beta.size(); ++b) {
      runtime_.checkpoint();
      points.push_back(path.solve(options_.beta[b] * best.value, start));
      if (!options_.cold_start)
        start = points.back().f;
    }
    return points;
  }

  Array<Candidate> round_path(const Relaxed &relaxed, double alpha,
                              Index which) {
    const auto &path = relaxed.path;
    const auto &best = relaxed.largest;
    RoundingOptions options;
    options.alpha = alpha;
    options.draws = options_.draws;
    options.enumerate = options_.enumerate;
    RandomStream stream =
        runtime_.stream(static_cast<std::uint64_t>(stream_), Purpose::rounding);
    Array<Candidate> candidates;
    RoundingPath rounding(problem_, best.value, options);
    const Index n_beta = options_.beta.size();
    for (Index b = 0; b < n_beta; ++b) {
      const double required = options_.beta[b] * best.value;
      Rounded rounded;
      if (b == 0) {
        rounded.columns = {columns_.column_of(relaxed.single)};
        rounded.spread =
            problem_.within(problem_.totals({{rounded.columns[0], 1.0}}));
      } else {
        stream.seek(static_cast<std::uint64_t>(which * n_beta + b));
        const SparseVector &f = b + 1 == n_beta ? best.f : path[b - 1].f;
        rounded = rounding.round(f, required, stream);
        if (options_.polish)
          rounded = swap_polish(problem_, rounded, f,
                                b + 1 == n_beta ? nullptr : &path[b - 1],
                                required - 1e-9 * best.value, alpha);
      }
      candidates.push_back(to_candidate(rounded, options_.beta[b]));
    }
    return candidates;
  }

  Candidate to_candidate(const Rounded &rounded, double beta) const {
    Candidate candidate;
    candidate.beta = beta;
    candidate.objective = rounded.spread;
    for (int j : rounded.columns)
      candidate.features.push_back(columns_.feature(j));
    std::sort(candidate.features.begin(), candidate.features.end());
    return candidate;
  }

  const Eigen::MatrixXd &z_; // values of the samples
  const int centre_, stream_;
  const LlfsOptions &options_;
  Runtime &runtime_;
  SeparationProblem problem_;
  Array<int> rows_; ///< sample of each row of the problem
  WorkingSet columns_;
  double start_ = 0.0;        ///< every entry of f0
  Eigen::VectorXd l1_totals_; ///< by row of the problem, over all features
  int programs_ = 0, unsettled_ = 0;
};

} // namespace hitmiss

#endif
