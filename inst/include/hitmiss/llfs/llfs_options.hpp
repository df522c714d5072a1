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

/// The vote of a sphere that contains a sample whose nearest training sample in
/// the frame has another class: 1 (`none`), 1/2 (`half`) or 0 (`full`).
/// Otherwise it is 1.
enum class NeighbourRule { none, half, full };

struct LlfsOptions {
  Array<double> alpha{2, 3, 5, 10, 20}; ///< one is chosen per representative
  double gamma = 0.2;                   ///< largest impurity of a sphere
  bool impurity_by_count = false;       ///< ratio of counts, not of shares
  /// Required shares of the largest separation (7), increasing from 0 to 1.
  Array<double> beta{0.0,  0.05, 0.1,  0.15, 0.2,  0.25, 0.3,
                     0.35, 0.4,  0.45, 0.5,  0.55, 0.6,  0.65,
                     0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 1.0};
  double parsimony = 0.0;    ///< samples that a smaller alpha or beta may cost
  bool polish = false;       ///< improve binary sets, see swap_polish()
  double size_penalty = 0.0; ///< loss of score per feature, in samples
  NeighbourRule neighbour = NeighbourRule::none; ///< only without evidence
  bool evidence = true;  ///< classify by evidence, not by votes
  bool frames = true;    ///< with evidence: add a FrameRegression
  bool balanced = false; ///< equal class weights in intercepts and frames
  double tol = 1e-3;
  int draws = 1000;
  int enumerate = 10;
  int working_set = 400;
  int working_set_from = 500; ///< features from which a working set is used
  bool init_one = false;      ///< f0 = 1/alpha, not alpha/(number of features)
  bool cold_start = false;    ///< start every beta from f0
  /// The numbers of samples that are drawn by class; 0: all. The optimisation
  /// problems of a representative compare it with `program_samples` others. Its
  /// score and evidence need the nearest neighbours of `score_samples` samples
  /// inside its sphere, and of as many outside. Radii are always found from all
  /// samples.
  int program_samples = 0, score_samples = 0;
  int intercept_samples = 0; ///< sample size of intercepts and frames; 0: all
  Array<int> centres;        ///< samples to fit, in this order; empty: all
  AllowedPairs allowed;      ///< what a representative is compared with
  /// Largest number of values in the sorted copies of one representative's
  /// frames (llfs_frame.hpp). All copies are released when they reach it.
  static constexpr Index most_held = 1 << 20;
  SimdLevel simd = best_simd_level();

  /// True if the fit of evidence finds all that the fit of intercepts needs:
  /// both look up the nearest neighbours of every sample.
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
    require(tol >= 1e-15, "tol must be at least 1e-15: digits end there");
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

/// Returns the bytes that llfs() needs beside the data, in the larger of two
/// stages. First stage: a scaled copy; the distances of all pairs of samples,
/// unless samples are drawn or outnumber the features; and for each thread a
/// draw of samples, the columns of a working set, a number for every feature, a
/// few distances of every sample for each alpha, and sorted copies of frames.
/// Second stage: three matrices of all samples on the features in use; for the
/// regression also similarities, more copies of the samples, and work space of
/// each thread. Both: an integer for each representative and sample, counts by
/// sample and class, and in every thread counts by pair of classes.
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
  int programs = 0;       ///< number of problems (7) solved
  int unsettled = 0;      ///< problems that ended at a limit of steps
  Array<CellEvidence> evidence;
  TrainingCells cells; ///< during the fit, if LlfsOptions::keeps_cells()
};

} // namespace hitmiss

#endif
