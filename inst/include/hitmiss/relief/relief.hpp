// Relief, ReliefF and M-Relief: mean margins over near hits and near misses.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RELIEF_HPP
#define HITMISS_RELIEF_RELIEF_HPP

#include <utility>

#include "../pairs/contracts.hpp"
#include "../pairs/fit_size.hpp"
#include "../pairs/mean_distances.hpp"
#include "margin_scores.hpp"
#include "near_terms.hpp"
#include "reference_distances.hpp"
#include "sample_margins.hpp"

namespace hitmiss {

struct NearReliefOptions {
  MissRule rule = MissRule::conditional;
  int k = 10;
  Metric metric = Metric::manhattan;
  bool centre = false; ///< order neighbours as centred_order() does
  AllowedPairs allowed;
  SimdLevel simd = best_simd_level();
  Index at_once = 0; ///< samples in a part of distances; 0: enough

  void check() const {
    detail::require(k >= 1, "k must be at least 1");
    detail::require(at_once >= 0, "the size of a part must be at least 0");
  }
};

struct SampledScores {
  Array<double> scores;
  Array<double> errors;    ///< standard errors; 0 where all samples count
  Array<int> times_listed; ///< see there; empty where neighbours have a radius
};

/// Bytes beside the data that near_relief() takes, with `samples` those of
/// sampled_relief().
inline double bytes_needed(const FitSize &size,
                           const NearReliefOptions &options,
                           double samples = 0) {
  return detail::listed_bytes(
             size,
             detail::listed_neighbours(size.class_sizes, options.k,
                                       is_pooled(options.rule)),
             samples) +
         144.0 * size.n_samples; // sums of mean_distances()
}

namespace detail {

inline ColumnOffsets order_of(const ScaledView &x,
                              const NearReliefOptions &options,
                              Runtime &runtime) {
  return options.centre
             ? centred_order(x, options.metric, options.allowed, runtime)
             : ColumnOffsets();
}

} // namespace detail

/// near_relief() with neighbours looked for around `samples` samples only (0:
/// all), and the standard error that this leaves. samples N J pair features,
/// N^2 J / 2 for all, and k n_classes samples J for the margins; memory: k
/// neighbours of each class for every sample, and a part of the distances.
inline SampledScores sampled_relief(const ScaledView &x, const ClassIndex &y,
                                    const NearReliefOptions &options,
                                    int samples, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  detail::require(samples >= 0, "the number of samples must be at least 0");
  const ReferenceSamples reference(y, AllowedCounts(y, options.allowed),
                                   samples, runtime);
  const detail::ReferenceDistances distances(x, reference.samples,
                                             options.metric, options.simd,
                                             options.at_once, runtime);
  const double n_values =
      static_cast<double>(x.n_samples()) * static_cast<double>(x.n_features());
  runtime.monitor().expect(distances.distances().pair_features() + n_values);
  const auto terms =
      near_terms(distances.distances(), reference.samples,
                 NearRule{y, options.allowed, options.rule, options.k}, runtime,
                 options.at_once, detail::order_of(x, options, runtime));
  SampledScores result;
  result.times_listed = times_listed(terms, x.n_samples());
  if (reference.samples.size() == x.n_samples()) {
    result.scores = sum_of_margins(x, terms, options.simd, runtime);
    for (double &score : result.scores)
      score /= static_cast<double>(terms.size());
    result.errors.assign(x.n_features(), 0.0);
  } else {
    ClassMoments moments(x.n_features(), y.n_classes());
    moments.add(x, y, terms, options.simd, runtime);
    moments.combine(reference.sizes, result.scores, result.errors);
  }
  result.scores = without_noise(std::move(result.scores));
  return result;
}

/// Signed mean margins with hard neighbours (Relief, ReliefF, M-Relief; Yang
/// and Hu 2012, eqs 3, 4, 16). All samples take part that are allowed a miss.
inline Array<double> near_relief(const ScaledView &x, const ClassIndex &y,
                                 const NearReliefOptions &options,
                                 Runtime &runtime) {
  return sampled_relief(x, y, options, 0, runtime).scores;
}

} // namespace hitmiss

#endif
