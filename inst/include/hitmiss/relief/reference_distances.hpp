// Distances from the samples whose neighbours are looked for.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_REFERENCE_DISTANCES_HPP
#define HITMISS_RELIEF_REFERENCE_DISTANCES_HPP

#include <algorithm>
#include <memory>

#include "../pairs/nearest.hpp"
#include "../pairs/reference_samples.hpp"

namespace hitmiss {

namespace detail {

/// Rows of a band of distances to n samples: 16 MB; 128 MB where every band
/// costs a pass over data that are no array.
inline Index band_samples(bool tiles, Index n) {
  return std::max<Index>((1 << (tiles ? 24 : 21)) / n, 32);
}

/// Distances from the reference samples to all samples, band by band.
class ReferenceDistances {
public:
  /// `most`: samples in a band; 0: as above.
  ReferenceDistances(const ScaledView &x, const Array<int> &samples,
                     Metric metric, SimdLevel simd, Index most,
                     Runtime &runtime)
      : all_(samples.size() == x.n_samples()),
        gathered_(all_
                      ? nullptr
                      : std::make_unique<GatheredSamples>(x, samples, runtime)),
        distances_(all_ ? x : gathered_->view(), x,
                   Array<double>(x.n_features(), 1.0), metric, simd),
        most_(most) {}

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

} // namespace detail
} // namespace hitmiss

#endif
