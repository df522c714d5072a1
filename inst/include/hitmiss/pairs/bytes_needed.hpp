// The memory that a fit takes beside its data: parts that all estimates share.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_BYTES_NEEDED_HPP
#define HITMISS_PAIRS_BYTES_NEEDED_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/array.hpp"

namespace hitmiss {

/// The number of rows and of columns of a part of the distances: 2 MB for
/// arrays; 128 MB for data in tiles, because each part costs a pass over the
/// data.
constexpr Index array_part = 512, tiles_part = 4096;

/// The size of a fit, which bytes_needed() of each selector takes. Numbers are
/// doubles: data may be larger than any memory.
struct FitSize {
  double n_samples = 0, n_features = 0;
  Array<double> class_sizes;
  double nonzeros = 0; ///< of sparse data
  double threads = 1;
  bool tiles = false; ///< are the data read in tiles, not in an array?
  bool files = false; ///< may the fit put some values in scratch files?
};

namespace detail {

/// The number of samples as an integer of at least 1, because formulas of the
/// fits divide by it.
inline Index whole_samples(const FitSize &size) {
  return static_cast<Index>(std::max(1.0, std::min(0x1p31, size.n_samples)));
}

inline double padded(double n) { return 32.0 * std::ceil(n / 32.0); }

/// The bytes of a matrix of all pairs of samples.
inline double pair_matrix_bytes(const FitSize &size) {
  return 8.0 * padded(size.n_samples) * padded(size.n_samples);
}

/// The bytes of tiles of `features` features, one tile for every thread.
inline double tile_bytes(const FitSize &size, double features) {
  return 8.0 * (size.n_samples + 40.0) * features * size.threads;
}

/// The bytes of a run of tiles of `samples` samples: all features or as many as
/// fill 2 MB, rounded up to a multiple of 64.
inline double tile_run_bytes(const FitSize &size, double samples) {
  const double features = std::min(size.n_features, 262144.0 / samples);
  return 8.0 * samples * 64.0 * std::ceil(features / 64.0);
}

/// The bytes of a part of the distances and of the two runs of tiles it needs
/// at a time; for sparse data also 16 bytes (value and index) per nonzero.
inline double part_bytes(const FitSize &size) {
  const double most = static_cast<double>(size.tiles ? tiles_part : array_part);
  const double side = padded(std::min(size.n_samples, most));
  return 8.0 * side * side + 2.0 * tile_run_bytes(size, side) +
         16.0 * size.nonzeros;
}

/// The length of all lists together: each sample lists `k` hits, and `k` misses
/// of each other class (or, if `pooled`, of all others). `sizes`: by class.
inline double listed_neighbours(const Array<double> &sizes, double k,
                                bool pooled) {
  double total = 0.0, listed = 0.0;
  for (const double n : sizes)
    total += n;
  for (Index c = 0; c < sizes.size(); ++c) {
    double each = std::min(k, sizes[c] - 1.0);
    if (pooled)
      each += std::min(k, total - sizes[c]);
    for (Index other = 0; !pooled && other < sizes.size(); ++other)
      each += other == c ? 0.0 : std::min(k, sizes[other]);
    listed += sizes[c] * each;
  }
  return listed;
}

/// The number of samples drawn if the user asks for `samples` (0: no draw): at
/// least two of each class, or its only one.
inline double drawn_samples(const FitSize &size, double samples) {
  double least = 0.0;
  for (const double n : size.class_sizes)
    least += std::min(n, 2.0);
  return samples > 0.0 ? std::max(samples, least) : 0.0;
}

/// The bytes of the neighbour lists and of the part of distances that they are
/// made from. Each sample, or each of the `samples` that are drawn, has `lists`
/// lists. `listed`: the length of the lists of all samples together.
inline double listed_bytes(const FitSize &size, double listed, double lists,
                           double samples) {
  samples = drawn_samples(size, samples);
  const double drawn =
      samples > 0.0 ? std::min(1.0, samples / size.n_samples) : 1.0;
  return part_bytes(size) + tile_bytes(size, 32.0) +
         drawn * (24.0 * listed + 48.0 * lists * size.n_samples) +
         16.0 * std::min(drawn * listed, 262144.0) +
         8.0 * samples * size.n_features + 144.0 * size.n_samples;
}

/// The bytes of AllowedCounts, plus 3 moments per class and feature with a
/// draw.
inline double class_bytes(const FitSize &size, double samples) {
  const auto classes = static_cast<double>(size.class_sizes.size());
  return 8.0 * (classes + 1.0) * size.n_samples +
         (samples > 0.0 ? 24.0 * classes * size.n_features : 0.0);
}

} // namespace detail
} // namespace hitmiss

#endif
