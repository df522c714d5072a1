// Relief by radius (SURF, MultiSURF and their stars), and Relief whose
// neighbours are looked for around some samples only.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_RADIUS_RELIEF_HPP
#define HITMISS_SELECTORS_RADIUS_RELIEF_HPP

#include <algorithm>
#include <memory>
#include <utility>

#include "../pairs/radius.hpp"
#include "../pairs/reference_samples.hpp"
#include "relief.hpp"

namespace hitmiss {

struct SampledScores {
  Array<double> scores;
  Array<double> errors; ///< standard errors; 0 where all samples count
};

namespace detail {

/// Rows of a band of distances to n samples: 16 MB; 128 MB where every band
/// costs a pass over data that are no array.
inline Index band_samples(bool tiles, Index n) {
  return std::max<Index>((1 << (tiles ? 24 : 21)) / n, 32);
}

/// Distances from the reference samples to all samples, band by band.
class ReferenceDistances {
public:
  ReferenceDistances(const ScaledView &x, const Array<int> &samples,
                     const NearReliefOptions &options, Runtime &runtime)
      : all_(samples.size() == x.n_samples()),
        gathered_(all_
                      ? nullptr
                      : std::make_unique<GatheredSamples>(x, samples, runtime)),
        distances_(all_ ? x : gathered_->view(), x,
                   Array<double>(x.n_features(), 1.0), options.metric,
                   options.simd),
        most_(options.block) {}

  const SampleDistances &distances() const { return distances_; }
  Index n_bands() const { return bands().count(); }

  /// Calls work(first, count, band) for bands of reference samples; row k of
  /// the band is number first + k. A single band is kept for the next time.
  template <class Work> void each_band(Runtime &runtime, Work work) {
    const SampleRange all{0, distances_.n_columns()};
    const SampleBlocks bands = this->bands();
    if (band_.n_rows() == 0)
      band_ = PairMatrix<double>(bands.size, all.end);
    detail::DistanceMemory memory;
    for (Index b = 0; b < bands.count(); ++b) {
      if (!kept_)
        distances_.measure(bands[b], all, band_, memory, runtime);
      kept_ = bands.count() == 1;
      work(bands[b], band_);
    }
  }

private:
  SampleBlocks bands() const {
    return {distances_.n_rows(),
            most_ > 0
                ? most_
                : band_samples(distances_.in_tiles(), distances_.n_columns())};
  }

  bool all_;
  std::unique_ptr<GatheredSamples> gathered_;
  SampleDistances distances_;
  Index most_; ///< samples in a band, or 0
  PairMatrix<double> band_;
  bool kept_ = false;
};

/// The bins of neighbours of the reference samples, by their number.
struct ReferenceBins {
  const NeighbourBins &bins;
  const Array<int> &samples;
  int count() const { return bins.count(); }
  Index largest(int bin) const { return bins.largest(bin); }
  int operator()(Index row, Index i) const { return bins(samples[row], i); }
};

/// T: the mean distance between reference samples and those allowed to them.
inline double mean_distance(ReferenceDistances &distances,
                            const ReferenceSamples &reference,
                            const NearRule &rule, Runtime &runtime) {
  const Index m = reference.samples.size();
  Array<double> sums(m), counts(m);
  distances.each_band(
      runtime, [&](const SampleRange &band, const PairMatrix<double> &values) {
        runtime.for_each(band.size(), [&](Index k, int) {
          const Index r = band.begin + k;
          const RadiusRow row(reference.samples[r], values.row(k), rule);
          sums[r] = row.sum();
          counts[r] = row.count();
        });
      });
  double sum = 0.0, count = 0.0;
  for (Index r = 0; r < m; ++r) {
    sum += sums[r];
    count += counts[r];
  }
  return sum / count;
}

/// Without the samples that do not count.
inline Array<SampleTerms> counting(Array<SampleTerms> &lists,
                                   const ClassIndex &y,
                                   const AllowedCounts &counts) {
  Array<SampleTerms> kept;
  for (SampleTerms &list : lists)
    if (counts.counts(y, list.sample))
      kept.push_back(std::move(list));
  return kept;
}

} // namespace detail

/// Bytes beside the data that radius_relief() takes: a band of distances, twice
/// as much for the lists of neighbours, tiles, sums by class.
inline double radius_bytes_needed(const FitSize &size, double samples = 0) {
  const double rows =
      std::min(samples > 0.0 ? samples : size.n_samples,
               static_cast<double>(detail::band_samples(
                   size.tiles, static_cast<Index>(size.n_samples))));
  return 3.0 * 8.0 * detail::padded(rows) * size.n_samples +
         2.0 * detail::superblock_bytes(size, size.n_samples) +
         detail::tile_bytes(size, 32) +
         16.0 * static_cast<double>(size.class_sizes.size()) * size.n_features +
         8.0 * samples * size.n_features;
}

/// Mean margins with the neighbours inside (less those outside) a radius: SURF
/// (Greene and others 2009), SURF* (2010), MultiSURF (Urbanowicz and others
/// 2018) and MultiSURF*. `samples`: 0 for all, or how many look for neighbours.
/// N^2 J pair features for the distances (half of that where a matrix of them
/// fits into 16 MB), about as many for the margins; SURF's mean needs the
/// distances once more.
inline SampledScores radius_relief(const ScaledView &x, const ClassIndex &y,
                                   const NearReliefOptions &options,
                                   const RadiusRule &radius, int samples,
                                   Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  detail::require(samples >= 0, "the number of samples must be at least 0");
  const NearRule rule{y, options.allowed, options.rule, 0};
  const AllowedCounts counts(y, options.allowed);
  const ReferenceSamples reference(y, counts, samples, runtime);
  detail::ReferenceDistances distances(x, reference.samples, options, runtime);
  const double global =
      radius.own ? 0.0
                 : detail::mean_distance(distances, reference, rule, runtime);
  runtime.monitor().expect(distances.n_bands() * x.n_features());
  ClassMoments moments(x.n_features(), y.n_classes());
  distances.each_band(
      runtime, [&](const SampleRange &band, const PairMatrix<double> &values) {
        Array<SampleTerms> lists(band.size());
        runtime.for_each(band.size(), [&](Index k, int) {
          SampleTerms &list = lists[k];
          list.sample = reference.samples[band.begin + k];
          const RadiusRow row(list.sample, values.row(k), rule);
          double near = global, far = global;
          if (radius.own)
            row.own_radii(near, far);
          row.add_side(near, false, list.terms);
          if (radius.far)
            row.add_side(far, true, list.terms);
        });
        moments.add(x, y, detail::counting(lists, y, counts), options.simd,
                    runtime);
      });
  SampledScores result;
  moments.combine(reference.sizes, result.scores, result.errors);
  result.scores = without_noise(std::move(result.scores));
  return result;
}

/// The near hits and misses of `samples`, of those that count, and what each
/// weighs. samples N J pair features.
inline Array<SampleTerms> reference_terms(const ScaledView &x,
                                          const ClassIndex &y,
                                          const NearReliefOptions &options,
                                          const Array<int> &samples,
                                          Runtime &runtime) {
  const NearRule rule{y, options.allowed, options.rule, options.k};
  const AllowedCounts counts(y, options.allowed);
  const NeighbourBins bins(y, options.allowed, is_pooled(options.rule));
  const detail::ReferenceDistances distances(x, samples, options, runtime);
  const auto nearest =
      nearest_lists(distances.distances(), detail::ReferenceBins{bins, samples},
                    options.k, runtime, options.block);
  Array<SampleTerms> lists;
  for (Index r = 0; r < samples.size(); ++r) {
    if (!counts.counts(y, samples[r]))
      continue;
    lists.push_back({samples[r], {}});
    detail::weigh_nearest({samples[r], r}, nearest, rule, counts,
                          [&](const Neighbour &i, double weight) {
                            lists.back().terms.push_back({i.sample, weight});
                          });
  }
  return lists;
}

/// The scores that reference_terms() make. `sizes`: of the classes, of the
/// samples that count. J times the terms.
inline SampledScores terms_relief(const ScaledView &x, const ClassIndex &y,
                                  const NearReliefOptions &options,
                                  const Array<SampleTerms> &terms,
                                  const Array<int> &sizes, Runtime &runtime) {
  runtime.monitor().expect(x.n_features());
  ClassMoments moments(x.n_features(), y.n_classes());
  moments.add(x, y, terms, options.simd, runtime);
  SampledScores result;
  moments.combine(sizes, result.scores, result.errors);
  result.scores = without_noise(std::move(result.scores));
  return result;
}

/// near_relief() with neighbours looked for around `samples` samples only, and
/// the standard error that this leaves.
inline SampledScores sampled_relief(const ScaledView &x, const ClassIndex &y,
                                    const NearReliefOptions &options,
                                    int samples, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  detail::require(samples >= 0, "the number of samples must be at least 0");
  const ReferenceSamples reference(y, AllowedCounts(y, options.allowed),
                                   samples, runtime);
  const auto terms = reference_terms(x, y, options, reference.samples, runtime);
  return terms_relief(x, y, options, terms, reference.sizes, runtime);
}

} // namespace hitmiss

#endif
