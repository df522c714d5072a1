// Distances from the samples whose neighbours are looked for.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_REFERENCE_DISTANCES_HPP
#define HITMISS_RELIEF_REFERENCE_DISTANCES_HPP

#include <algorithm>
#include <memory>

#include "../pairs/nearest.hpp"
#include "../pairs/reference_samples.hpp"

namespace hitmiss::detail {

/// How many rows of distances to n samples make one part: as many as 16 MB hold
/// (at least 32), or 128 MB if the data are read in tiles, because every part
/// then needs another pass over them.
inline Index rows_at_once(bool tiles, Index n) {
  return std::max<Index>((1 << (tiles ? 24 : 21)) / n, 32);
}

/// Gives the distances from the reference samples to all samples, part by part.
class ReferenceDistances {
public:
  /// `most` is the number of samples in a part; 0 means what rows_at_once()
  /// says.
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
  Index n_parts() const { return parts().count(); }
  /// The pair features that each_part() counts as progress where it measures
  /// distances: all of them, or half in a single symmetric part.
  double pair_features() const {
    return distances_.pair_features() * (all_ && n_parts() > 1 ? 2.0 : 1.0);
  }

  /// Calls work(first, count, part) for parts of reference samples; row k of
  /// the part is number first + k. A single part is kept for the next time.
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
