// Relief, ReliefF and M-Relief: mean margins over near hits and near misses.
//
// near_relief(x, y, options, runtime) gives a signed score to every feature:
// Yang, Hu (2012), eqs 3, 4 and 16. By default it uses k = 10 neighbours by
// Manhattan distance and Kononenko's weights of classes. sampled_relief() looks
// for the neighbours of some samples only and gives standard errors.
//
// Required: finite values, a centre and a scale for each feature, a class for
// each sample, and two samples of different classes that may be compared; else
// std::invalid_argument. Memory: bytes_needed(). Time: N^2 J / 2 pair features
// for N samples and J features.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RELIEF_HPP
#define HITMISS_RELIEF_RELIEF_HPP

#include <utility>

#include "../pairs/bytes_needed.hpp"
#include "../pairs/require_problem.hpp"
#include "margin_scores.hpp"
#include "nearest_terms.hpp"
#include "reference_distances.hpp"
#include "sample_margins.hpp"

namespace hitmiss {

/// The options of a search for neighbours, for outcomes of any kind.
struct NeighbourOptions {
  int k = 10;
  Metric metric = Metric::manhattan;
  bool centre = false; ///< order neighbours by CentredOrder
  AllowedPairs allowed;
  SimdLevel simd = best_simd_level();
  Index at_once = 0; ///< samples in a part of distances; 0: as memory allows

  void check() const {
    detail::require(k >= 1, "k must be at least 1");
    detail::require(at_once >= 0, "the size of a part must be at least 0");
  }

  const AllowedPairs *centred() const { return centre ? &allowed : nullptr; }
};

struct NearReliefOptions : NeighbourOptions {
  MissRule rule = MissRule::conditional;
  bool balanced = false; ///< by balanced_weights(); not for map and map15

  void check() const {
    NeighbourOptions::check();
    detail::require(!balanced ||
                        (rule != MissRule::map && rule != MissRule::map15),
                    "M-Relief has weights of its own");
  }
};

struct SampledScores {
  Array<double> scores;
  Array<double> errors;       ///< standard errors of a draw, 0 without a draw;
                              ///< empty if the outcome has no classes
  Array<double> times_listed; ///< number of lists of neighbours that each
                              ///< sample is in, or the sum of its balanced
                              ///< weights; empty if neighbours have a radius
  /// Those of ClassMargins: feature j of class c at [c * J + j]. Empty for
  /// fewer than three classes, pooled near misses, or a radius.
  Array<double> class_margins;
};

/// Bytes beside the data that sampled_relief() takes; 0 samples: near_relief().
inline double bytes_needed(const FitSize &size,
                           const NearReliefOptions &options,
                           double samples = 0) {
  const bool pooled = is_pooled(options.rule);
  const auto classes = static_cast<double>(size.class_sizes.size());
  const double listed =
      options.balanced
          ? detail::balanced_neighbours(
                size.class_sizes, options.k, pooled,
                samples > 0.0 ? detail::drawn_samples(size, samples)
                              : size.n_samples)
          : detail::listed_neighbours(
                size.class_sizes,
                static_cast<double>(options.k + NearestList::room(options.k)),
                pooled);
  return detail::listed_bytes(size, listed, pooled ? 2.0 : classes, samples) +
         detail::class_bytes(size, samples) +
         (pooled || classes < 3.0 ? 0.0 : 8.0 * classes * size.n_features);
}

/// near_relief() with the neighbours of m = `samples` drawn samples only (0:
/// all), and the standard errors of this draw. Time: m N J pair features (N^2 J
/// / 2 for all), and m J k n_classes for the margins; rows with many ties are
/// measured again, up to m N J more. Memory: k neighbours of each class for
/// each of the m samples, and a part of the distances.
inline SampledScores sampled_relief(const ScaledView &x, const ClassIndex &y,
                                    const NearReliefOptions &options,
                                    int samples, Runtime &runtime) {
  options.check();
  const auto counts =
      detail::require_problem(x, y, options.allowed, false, options.balanced);
  detail::require(samples >= 0, "the number of samples must be at least 0");
  const ReferenceSamples reference(y, counts, samples, runtime);
  const detail::ReferenceDistances distances(x, reference.samples,
                                             options.metric, options.simd,
                                             options.at_once, runtime);
  const double n_values =
      static_cast<double>(x.n_samples()) * static_cast<double>(x.n_features());
  runtime.monitor().expect(distances.distances().pair_features() + n_values);
  const bool all = reference.samples.size() == x.n_samples();
  SampledScores result{Array<double>(x.n_features(), 0.0),
                       Array<double>(x.n_features(), 0.0),
                       Array<double>(x.n_samples()),
                       {}};
  ClassMoments moments(all ? 0 : x.n_features(), y.n_classes());
  const bool lists = y.n_classes() > 2 && !is_pooled(options.rule);
  ClassMargins margins(lists ? x.n_features() : 0, y, counts, reference);
  ClassMargins *by_class = lists ? &margins : nullptr;
  nearest_terms(
      distances.distances(), reference.samples,
      NearRule{y, options.allowed, counts, options.rule, options.k,
               options.balanced},
      runtime, result.times_listed,
      [&](const Array<SampleTerms> &terms) {
        if (all)
          add_margins(x, terms, options.simd, result.scores, runtime, by_class);
        else
          moments.add(x, y, terms, options.simd, runtime, by_class);
      },
      options.at_once, options.centred());
  if (all)
    for (double &score : result.scores)
      score /= counts.n_counting();
  else
    moments.combine(reference.sizes, result.scores, result.errors);
  result.scores = without_noise(std::move(result.scores));
  result.class_margins = without_noise(margins.take());
  return result;
}

/// Signed mean margins with hard neighbours (Relief, ReliefF, M-Relief; Yang
/// and Hu 2012, eqs 3, 4, 16), over all samples that are allowed a miss.
inline Array<double> near_relief(const ScaledView &x, const ClassIndex &y,
                                 const NearReliefOptions &options,
                                 Runtime &runtime) {
  return sampled_relief(x, y, options, 0, runtime).scores;
}

} // namespace hitmiss

#endif
