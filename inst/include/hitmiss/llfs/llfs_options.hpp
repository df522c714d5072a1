// Options of llfs(), and its result for one training sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_OPTIONS_HPP
#define HITMISS_LLFS_LLFS_OPTIONS_HPP

#include <algorithm>
#include <cmath>

#include "../pairs/allowed_pairs.hpp"
#include "../pairs/bytes_needed.hpp"
#include "../runtime/require.hpp"
#include "../runtime/simd.hpp"
#include "llfs_evidence.hpp"

namespace hitmiss {

/// Must the nearest training sample in the frame agree with a sphere? If it
/// does not, the sphere's vote is 1, 1/2 or 0.
enum class NeighbourRule { none, half, full };

struct LlfsOptions {
  Array<double> alpha{2, 3, 5, 10, 20}; ///< every representative takes its own
  double gamma = 0.2;                   ///< largest impurity of a sphere
  bool impurity_by_count = false; ///< of numbers of samples, not of shares
  /// Increasing, from 0 to 1.
  Array<double> beta{0.0,  0.05, 0.1,  0.15, 0.2,  0.25, 0.3,
                     0.35, 0.4,  0.45, 0.5,  0.55, 0.6,  0.65,
                     0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 1.0};
  double parsimony = 0.0; ///< smallest beta within so many samples of the best
  bool polish = false;    ///< local search over binary sets
  double size_penalty = 0.0;                     ///< of a feature, in samples
  NeighbourRule neighbour = NeighbourRule::none; ///< of votes by spheres
  bool evidence = true;  ///< learn the evidence of the cells
  bool frames = true;    ///< learn from the frames, too, see FrameRegression
  bool balanced = false; ///< its intercepts weigh all classes the same
  double tol = 1e-3;
  int draws = 1000;
  int enumerate = 10;
  int working_set = 400;
  int working_set_from = 500; ///< features from which a working set is used
  bool init_one = false;      ///< f0 = 1/alpha instead of alpha/M
  bool cold_start = false;    ///< every beta from f0
  /// How many samples are drawn by class, 0 for all. `program_samples`: those
  /// with which a representative's problems compare it. `score_samples`: those
  /// inside its sphere, and those outside, whose neighbours scores and evidence
  /// ask. Spheres are measured on all samples.
  int program_samples = 0, score_samples = 0;
  int intercept_samples = 0; ///< that intercepts are fitted to; 0: all
  Array<int> centres;        ///< samples to fit, in this order; empty: all
  AllowedPairs allowed;      ///< what a representative is compared with
  /// The sorted copies of a representative's frames (llfs_frame.hpp) have fewer
  /// values than this together. When they reach it, all are released.
  static constexpr Index most_held = 1 << 20;
  SimdLevel simd = best_simd_level();

  /// True if all that intercepts need of a frame is known once its evidence is:
  /// both ask the neighbours of all samples.
  bool keeps_cells() const {
    return evidence && allowed.all() && score_samples == 0 &&
           intercept_samples == 0 &&
           std::is_sorted(centres.begin(), centres.end());
  }

  bool uses_working_set(Index n_features) const {
    return n_features > working_set_from;
  }

  void check(int n_samples) const {
    using detail::require;
    require(!alpha.empty(), "alpha must have at least one value");
    for (const double a : alpha)
      require(a >= 1.0 && std::isfinite(a), "alpha must be at least 1");
    require(gamma > 0.0 && std::isfinite(gamma), "gamma must be above 0");
    require(beta.size() >= 2 && beta.front() == 0.0 && beta.back() == 1.0,
            "beta must go from 0 to 1");
    for (Index b = 1; b < beta.size(); ++b)
      require(beta[b] > beta[b - 1], "beta must increase");
    require(parsimony >= 0.0, "parsimony must be at least 0");
    require(size_penalty >= 0.0, "size_penalty must be at least 0");
    require(tol > 0.0, "tol must be above 0");
    require(draws >= 1, "draws must be at least 1");
    require(enumerate >= 0 && enumerate <= 20,
            "enumerate must lie in 0 ... 20: it tries 2^enumerate sets");
    require(working_set >= 1, "working_set must be at least 1");
    require(program_samples >= 0, "program_samples must be at least 0");
    require(score_samples >= 0, "score_samples must be at least 0");
    require(intercept_samples >= 0, "intercept_samples must be at least 0");
    for (const int centre : centres)
      require(centre >= 0 && centre < n_samples,
              "centres must be numbers of samples");
    Array<int> sorted(centres);
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
            "centres must differ");
  }
};

/// Bytes beside the data that llfs() takes: a scaled copy, and the samples'
/// distances; for each thread the samples of its problems, if they are drawn,
/// the columns of its working set, a number for every feature, and distances in
/// the frames of one representative's sets, a few for each alpha, with sorted
/// copies of their samples; and then, in place of all that, the samples on the
/// features in use, which the fit keeps, while they are scaled and sorted. An
/// integer for each representative and sample. With many classes also what is
/// counted for each sample and class, and for each two classes in every thread.
/// For the regression on frames, the similarities of its samples, copies of the
/// samples for the consensus frame, and for each thread what it works on.
inline double bytes_needed(const FitSize &size, const LlfsOptions &options,
                           double representatives) {
  const double n = size.n_samples, features = size.n_features;
  const bool draws = options.program_samples > 0;
  const double of_program =
      draws ? std::min<double>(n, options.program_samples) : n;
  const auto alphas = static_cast<double>(options.alpha.size());
  const double totals = !draws && n <= features ? 8.0 * n * n : 0.0;
  double used = 0.0;
  for (const double alpha : options.alpha)
    used = std::max(used, alpha);
  const double sorted = std::min<double>(
      LlfsOptions::most_held, 10.0 * alphas * n * std::min(features, used));
  const double running = 8.0 * n * features + totals +
                         8.0 * size.threads *
                             ((draws ? of_program * features : 0.0) +
                              of_program * std::min(features, 500.0) +
                              features + n * (15.0 * alphas + 2.0) + sorted);
  const auto classes = static_cast<double>(size.class_sizes.size());
  const double counts = classes * (12.0 * n + 16.0 * size.threads * classes);
  const double columns = std::min(features, used * representatives);
  double learned = 0.0;
  if (options.evidence && options.frames) {
    const double m =
        options.intercept_samples > 0
            ? std::min<double>(n, options.intercept_samples + 2.0 * classes)
            : n;
    learned = 40.0 * n * columns +
              m * (8.0 * m + 24.0 * classes + 2000.0 * size.threads);
  }
  return counts + 4.0 * n * representatives +
         std::max(running, 24.0 * n * columns + learned);
}

/// The sphere of one training sample. Features are positions in the input.
struct Representative {
  Array<int> subset;
  double radius = 0.0;
  double alpha = 0.0;
  double beta = 0.0;
  double score = 0.0;
  double objective = 0.0; ///< U1 of the binary set
  int programs = 0;       ///< problems (7) solved for it
  int unsettled = 0;      ///< of these, stopped by a limit of steps
  Array<CellEvidence> evidence;
  TrainingCells cells; ///< if LlfsOptions::keeps_cells()
};

} // namespace hitmiss

#endif
