// Tiles of features whose samples lie in panels, as the distance kernel reads
// them. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PANEL_TILES_HPP
#define HITMISS_PAIRS_PANEL_TILES_HPP

#include <algorithm>
#include <cstddef>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// Samples in a panel of a tile: two vectors of the widest kernel.
template <class T>
constexpr std::ptrdiff_t tile_panel = 128 / std::ptrdiff_t(sizeof(T));

/// Where the values of a tile are: feature f of sample n is at
/// n / W * panel_stride + f * stride + n % W, W = tile_panel. Unless told
/// otherwise a tile is one array, feature after feature; where the panels lie
/// one after the other, a block of samples is one stream through memory.
template <class T> struct TileRef {
  const T *values = nullptr;
  std::ptrdiff_t stride = 0;
  std::ptrdiff_t panel_stride = tile_panel<T>;

  HITMISS_INLINE const T *sample(std::ptrdiff_t n) const {
    return values + n / tile_panel<T> * panel_stride + n % tile_panel<T>;
  }
};

/// Copies the features named by features[0 .. count), increasing, as copy_tile
/// does; neighbours in the list that are neighbours in the data go together.
template <class T>
void copy_features(const ScaledView &x, const std::ptrdiff_t *features,
                   std::ptrdiff_t count, T *tile, std::ptrdiff_t stride) {
  for (std::ptrdiff_t f = 0; f < count;) {
    std::ptrdiff_t end = f + 1;
    while (end < count && features[end] == features[end - 1] + 1)
      ++end;
    copy_tile(x, features[f], end - f, tile + f * stride, stride);
    f = end;
  }
}

namespace detail {

constexpr std::ptrdiff_t tile_features = 64; // features per call of the kernel

/// Scales features of an array whose samples lie together into a tile:
/// tile[p * panel_stride + f * W + k] is sample p W + k of features[f], W =
/// tile_panel; samples beyond the last are 0.
struct PanelFillJob {
  const ScaledView *x;
  const std::ptrdiff_t *features;
  std::ptrdiff_t count;
  std::ptrdiff_t n_panels;
  double *tile;
  std::ptrdiff_t panel_stride;
};

struct PanelFillKernel {
  template <int Bytes> static HITMISS_INLINE void run(const PanelFillJob &job) {
    using S = Simd<double, Bytes>;
    constexpr std::ptrdiff_t width = tile_panel<double>;
    const std::ptrdiff_t n = job.x->n_samples();
    for (std::ptrdiff_t f = 0; f < job.count; ++f) {
      const auto feature = static_cast<std::size_t>(job.features[f]);
      const double *from = static_cast<const double *>(job.x->raw.data) +
                           job.features[f] * job.x->raw.feature_stride;
      const double center = job.x->scaling->center[feature];
      const double scale = job.x->scaling->scale[feature];
      double *to = job.tile + f * width;
      for (std::ptrdiff_t p = 0; p < job.n_panels; ++p) {
        const std::ptrdiff_t left = n - p * width;
        std::ptrdiff_t k = 0;
        for (; k + S::lanes <= std::min(left, width); k += S::lanes) {
          typename S::Vector values;
          S::load(values, from + p * width + k);
          S::store(to + k, (values - center) / scale);
        }
        for (; k < std::min(left, width); ++k)
          to[k] = (from[p * width + k] - center) / scale;
        for (; k < width; ++k)
          to[k] = 0.0;
        to += job.panel_stride;
      }
    }
  }
};

/// Tiles of tile_features features of all samples, each in panels of samples:
/// The kernel then reads a few streams and not a page of memory per feature.
class PanelTiles {
public:
  PanelTiles(std::ptrdiff_t n_samples, std::ptrdiff_t n_features)
      : n_panels_(padded_samples(n_samples) / width),
        values_(AlignedBuffer<double>::uninitialised(
            round_up(n_features, tile_features) * n_panels_ * width)) {}

  /// Fills tile `t` with `count` listed features, none of them constant, of
  /// the samples of a range.
  void fill(std::ptrdiff_t t, const ScaledView &x, const SampleRange &range,
            const std::ptrdiff_t *features, std::ptrdiff_t count,
            SimdLevel simd) {
    double *tile = values_.data() + t * tile_size();
    if (x.raw.tiles) {
      copy(x, range.begin, features, count, tile);
      return;
    }
    const ScaledView part{sample_range(x.raw, range), x.scaling};
    if (part.raw.type == Scalar::f64 && part.raw.sample_stride == 1)
      run_simd<PanelFillKernel>(simd,
                                PanelFillJob{&part, features, count, n_panels_,
                                             tile, tile_features * width});
    else
      copy(part, 0, features, count, tile);
  }

  TileRef<double> tile(std::ptrdiff_t t) const {
    return {values_.data() + t * tile_size(), width, tile_features * width};
  }

private:
  static constexpr std::ptrdiff_t width = tile_panel<double>;
  std::ptrdiff_t tile_size() const { return tile_features * n_panels_ * width; }

  /// From whatever can be copied as a tile, of which sample `begin` is the
  /// first that is wanted.
  void copy(const ScaledView &x, std::ptrdiff_t begin,
            const std::ptrdiff_t *features, std::ptrdiff_t count,
            double *tile) const {
    const std::ptrdiff_t stride =
        std::max(begin + n_panels_ * width, padded_samples(x.n_samples()));
    auto plain = AlignedBuffer<double>::uninitialised(count * stride);
    copy_features(x, features, count, plain.data(), stride);
    for (std::ptrdiff_t p = 0; p < n_panels_; ++p)
      for (std::ptrdiff_t f = 0; f < count; ++f)
        std::copy_n(plain.data() + f * stride + begin + p * width, width,
                    tile + (p * tile_features + f) * width);
  }

  std::ptrdiff_t n_panels_;
  AlignedBuffer<double> values_;
};

} // namespace detail

} // namespace hitmiss

#endif
