// Relief by radius: SURF, MultiSURF and their stars.
//
// radius_relief(x, y, options, samples, runtime) gives a signed score to every
// feature from all samples nearer than a radius, by default that of MultiSURF.
// Required: as for near_relief(). Memory: bytes_needed(). Time: at most N^2 J
// pair features for the distances (SURF: 2 N^2 J) and N^2 J for the margins.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RADIUS_RELIEF_HPP
#define HITMISS_RELIEF_RADIUS_RELIEF_HPP

#include <algorithm>
#include <utility>

#include "radius.hpp"
#include "relief.hpp"

namespace hitmiss {

namespace detail {

/// T of RadiusRule: the mean distance from reference samples to allowed ones.
inline double mean_distance(ReferenceDistances &distances,
                            const ReferenceSamples &reference,
                            const NearRule &rule, Runtime &runtime) {
  Array<std::pair<double, double>> totals(reference.samples.size());
  distances.each_part(runtime, [&](const SampleRange &part,
                                   const PairMatrix<double> &values) {
    runtime.for_each(part.size(), [&](Index k, int) {
      const Index r = part.begin + k;
      totals[r] = RadiusRow(reference.samples[r], values.row(k), rule).total();
    });
  });
  double sum = 0.0, count = 0.0;
  for (const auto &total : totals) {
    sum += total.first;
    count += total.second;
  }
  return sum / count;
}

} // namespace detail

struct RadiusReliefOptions {
  RadiusRule radius;
  MissRule rule = MissRule::conditional;
  Metric metric = Metric::manhattan;
  AllowedPairs allowed;
  SimdLevel simd = best_simd_level();
  Index at_once = 0; ///< samples in a part of distances; 0: as memory allows

  void check() const {
    detail::require(at_once >= 0, "the size of a part must be at least 0");
  }
};

/// Bytes beside the data that radius_relief() takes: a part of distances, twice
/// as much for the lists of neighbours, tiles and sums by class.
inline double bytes_needed(const FitSize &size, const RadiusReliefOptions &,
                           double samples = 0) {
  return detail::row_bytes(size, samples);
}

/// Mean margins over the neighbours inside a radius, less those outside for the
/// starred methods: SURF (Greene and others 2009), SURF* (2010), MultiSURF
/// (Urbanowicz and others 2018), MultiSURF*. Only m = `samples` drawn samples
/// have margins (0: all). Time: m N J differences for the distances (N^2 J / 2
/// if one part holds all), at most as many for the margins. Unless one part
/// holds all distances, SURF and SURF* measure them twice, first for the
/// radius.
inline SampledScores radius_relief(const ScaledView &x, const ClassIndex &y,
                                   const RadiusReliefOptions &options,
                                   int samples, Runtime &runtime) {
  const auto counts = detail::require_problem(x, y, options.allowed);
  options.check();
  const RadiusRule &radius = options.radius;
  detail::require(samples >= 0, "the number of samples must be at least 0");
  const NearRule rule{y, options.allowed, counts, options.rule, 0};
  const ReferenceSamples reference(y, counts, samples, runtime);
  detail::ReferenceDistances distances(x, reference.samples, options.metric,
                                       options.simd, options.at_once, runtime);
  const double rounds = radius.own || distances.n_parts() == 1 ? 1.0 : 2.0;
  const double n_values =
      static_cast<double>(x.n_samples()) * static_cast<double>(x.n_features());
  runtime.monitor().expect(rounds * distances.pair_features() +
                           static_cast<double>(distances.n_parts()) * n_values);
  const double global =
      radius.own ? 0.0
                 : detail::mean_distance(distances, reference, rule, runtime);
  ClassMoments moments(x.n_features(), y.n_classes());
  distances.each_part(
      runtime, [&](const SampleRange &part, const PairMatrix<double> &values) {
        Array<SampleTerms> lists(part.size());
        runtime.for_each(part.size(), [&](Index k, int) {
          SampleTerms &list = lists[k];
          list.sample = reference.samples[part.begin + k];
          const RadiusRow row(list.sample, values.row(k), rule);
          double near = global, far = global;
          if (radius.own)
            row.own_radii(near, far);
          row.add_side(near, false, list.terms);
          if (radius.far)
            row.add_side(far, true, list.terms);
        });
        lists.erase(std::remove_if(lists.begin(), lists.end(),
                                   [&](const SampleTerms &list) {
                                     return !counts.counts(y, list.sample);
                                   }),
                    lists.end());
        moments.add(x, y, lists, options.simd, runtime);
      });
  SampledScores result;
  moments.combine(reference.sizes, result.scores, result.errors);
  result.scores = without_noise(std::move(result.scores));
  return result;
}

} // namespace hitmiss

#endif
