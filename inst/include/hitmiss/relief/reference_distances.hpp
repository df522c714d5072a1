// Distances from the samples whose neighbours are looked for.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_REFERENCE_DISTANCES_HPP
#define HITMISS_RELIEF_REFERENCE_DISTANCES_HPP

#include <algorithm>
#include <memory>

#include "../pairs/bytes_needed.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/reference_samples.hpp"

namespace hitmiss::detail {

/// The number of rows of distances to n samples in one part: as many as 16 MB
/// hold (at least 32), or 128 MB if the data are read in tiles, because then
/// every part needs another pass over the data.
inline Index rows_at_once(bool tiles, Index n) {
  return std::max<Index>((1 << (tiles ? 24 : 21)) / n, 32);
}

/// Bytes for one part of distances, twice as much for the neighbours of its
/// samples, tiles, and moments by class.
inline double row_bytes(const FitSize &size, double samples) {
  const double rows = std::min(
      samples > 0.0 ? samples : size.n_samples,
      static_cast<double>(rows_at_once(size.tiles, whole_samples(size))));
  return 16.0 * size.nonzeros + 3.0 * 8.0 * padded(rows) * size.n_samples +
         2.0 * tile_run_bytes(size, size.n_samples) + tile_bytes(size, 32) +
         24.0 * static_cast<double>(size.class_sizes.size()) * size.n_features +
         class_bytes(size, 0.0) + 8.0 * samples * size.n_features;
}

/// Gives the distances from the reference samples to all samples, part by part.
class ReferenceDistances {
public:
  /// `most` is the number of samples in a part; 0 means what rows_at_once()
  /// says. `gaps`: see SampleDistances.
  ReferenceDistances(const ScaledView &x, const Array<int> &samples,
                     Metric metric, SimdLevel simd, Index most,
                     Runtime &runtime, const Array<double> &gaps = {})
      : all_(samples.size() == x.n_samples()),
        gathered_(all_
                      ? nullptr
                      : std::make_unique<GatheredSamples>(x, samples, runtime)),
        distances_(all_ ? x : gathered_->view(), x,
                   Array<double>(x.n_features(), 1.0), metric, simd, gaps),
        most_(most) {}

  const SampleDistances &distances() const { return distances_; }
  Index n_parts() const { return parts().count(); }
  /// Says whether a single part has the distances of all pairs.
  bool all_at_once() const { return all_ && n_parts() == 1; }
  /// The pair features that each_part() counts as progress when it measures
  /// distances: all of them, or half if a single part has all pairs.
  double pair_features() const {
    return distances_.pair_features() * (all_ && n_parts() > 1 ? 2.0 : 1.0);
  }

  /// Calls work(part, distances) for each part of the reference samples; row k
  /// is that of number part.begin + k. A single part is kept for the next call.
  template <class Work> void each_part(Runtime &runtime, Work work) {
    const SampleRange all{0, distances_.n_columns()};
    const SampleParts parts = this->parts();
    if (part_.n_rows() == 0)
      part_ = PairMatrix<double>(parts.size, all.end);
    for (Index b = 0; b < parts.count(); ++b) {
      if (!kept_)
        distances_.measure(parts[b], all, part_, runtime);
      kept_ = parts.count() == 1;
      work(parts[b], part_);
    }
  }

private:
  SampleParts parts() const {
    return {distances_.n_rows(),
            most_ > 0
                ? most_
                : rows_at_once(distances_.in_tiles(), distances_.n_columns())};
  }

  bool all_;
  std::unique_ptr<GatheredSamples> gathered_;
  SampleDistances distances_;
  Index most_; ///< samples in a part, or 0
  PairMatrix<double> part_;
  bool kept_ = false;
};

} // namespace hitmiss::detail

#endif
