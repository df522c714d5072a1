// Tiles of features whose samples lie in strips, for the distance kernel.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_STRIP_TILES_HPP
#define HITMISS_PAIRS_STRIP_TILES_HPP

#include <algorithm>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

using FeatureList = Array<Index>;

/// The number of samples in a strip of a tile: as many doubles as two of the
/// widest SIMD vectors hold.
constexpr Index strip_width = 16;

/// The values of a tile: feature f of sample n is values[n / W * strip_stride +
/// f * W + n % W], W = strip_width. A strip is one stream through memory.
struct TileRef {
  const double *values = nullptr;
  Index strip_stride = 0;

  HITMISS_INLINE const double *sample(Index n) const {
    return values + n / strip_width * strip_stride + n % strip_width;
  }
};

/// Copies features[0 .. count), which increase, as copy_tile() does.
/// Consecutive features are copied together.
template <class T>
void copy_features(const ScaledView &x, const Index *features, Index count,
                   T *tile, Index stride) {
  for (Index f = 0; f < count;) {
    Index end = f + 1;
    while (end < count && features[end] == features[end - 1] + 1)
      ++end;
    copy_tile(x, features[f], end - f, tile + f * stride, stride);
    f = end;
  }
}

namespace detail {

constexpr Index tile_features = 64; // features per call of the kernel

/// Scales features of an array, in which the values of a feature are
/// contiguous, into a tile: tile[p * strip_stride + f * W + k] is sample p W +
/// k of features[f], W = strip_width; samples beyond the last are 0.
struct StripFillJob {
  const ScaledView *x;
  const Index *features;
  Index count;
  Index n_strips;
  double *tile;
  Index strip_stride;
};

struct StripFillKernel {
  template <int Bytes> static HITMISS_INLINE void run(const StripFillJob &job) {
    using S = Simd<double, Bytes>;
    constexpr Index width = strip_width;
    const Index n = job.x->n_samples();
    for (Index f = 0; f < job.count; ++f) {
      const Index feature = job.features[f];
      const double *from = static_cast<const double *>(job.x->raw.data) +
                           job.features[f] * job.x->raw.feature_stride;
      const double center = job.x->scaling->center[feature];
      const double scale = job.x->scaling->scale[feature];
      double *to = job.tile + f * width;
      for (Index p = 0; p < job.n_strips; ++p) {
        const Index left = n - p * width;
        Index k = 0;
        for (; k + S::lanes <= std::min(left, width); k += S::lanes) {
          typename S::Vector values;
          S::load(values, from + p * width + k);
          S::store(to + k, (values - center) / scale);
        }
        for (; k < std::min(left, width); ++k)
          to[k] = (from[p * width + k] - center) / scale;
        for (; k < width; ++k)
          to[k] = 0.0;
        to += job.strip_stride;
      }
    }
  }
};

/// Tiles of `tile_features` features, each in strips of samples: the kernel
/// then reads a few streams, not a page of memory for each feature.
class StripTiles {
public:
  /// Makes room for so many samples and features. The values held before are
  /// lost.
  void resize(Index n_samples, Index n_features) {
    n_strips_ = padded_samples(n_samples) / width;
    const Index size = round_up(n_features, tile_features) * n_strips_ * width;
    if (values_.size() < size)
      values_ = AlignedBuffer<double>::uninitialised(size);
  }

  /// Fills tile `t` with features[0 .. count) of the samples of a range. None
  /// of these features may be constant.
  void fill(Index t, const ScaledView &x, const SampleRange &range,
            const Index *features, Index count, SimdLevel simd) {
    double *tile = values_.data() + t * tile_size();
    if (x.raw.tiles) {
      copy(x, range.begin, features, count, tile);
      return;
    }
    const ScaledView part{sample_range(x.raw, range), x.scaling};
    if (part.raw.type == Scalar::f64 && part.raw.sample_stride == 1)
      run_simd<StripFillKernel>(simd,
                                StripFillJob{&part, features, count, n_strips_,
                                             tile, tile_features * width});
    else
      copy(part, 0, features, count, tile);
  }

  TileRef tile(Index t) const {
    return {values_.data() + t * tile_size(), tile_features * width};
  }

private:
  static constexpr Index width = strip_width;
  Index tile_size() const { return tile_features * n_strips_ * width; }

  /// Copies data of any storage into a plain tile and then into strips, of
  /// which sample `begin` of the plain tile is the first sample.
  void copy(const ScaledView &x, Index begin, const Index *features,
            Index count, double *tile) const {
    const Index stride =
        std::max(begin + n_strips_ * width, padded_samples(x.n_samples()));
    auto plain = AlignedBuffer<double>::uninitialised(count * stride);
    copy_features(x, features, count, plain.data(), stride);
    for (Index p = 0; p < n_strips_; ++p)
      for (Index f = 0; f < count; ++f)
        std::copy_n(plain.data() + f * stride + begin + p * width, width,
                    tile + (p * tile_features + f) * width);
  }

  Index n_strips_ = 0;
  AlignedBuffer<double> values_;
};

} // namespace detail

} // namespace hitmiss

#endif
