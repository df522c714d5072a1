// Scaled training data repacked once for products: panels of 16 features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_FEATURE_PANELS_HPP
#define HITMISS_BFS_FEATURE_PANELS_HPP

#include <algorithm>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

/// Features side by side in one panel: two of the widest vectors of double.
constexpr Index panel_width = 16;

/// Packs features [first, first + count) of the samples `order` of `x` into
/// whole panels from `to` on, `first` a multiple of 16. Lanes beyond the last
/// feature are 0.
inline void pack_panels(const ScaledView &x, const Array<int> &order,
                        Index first, Index count, double *to) {
  const Index stride = x.n_samples();
  const Index n = order.size();
  Array<double> tile(count * stride);
  copy_tile(x, first, count, tile.data(), stride);
  for (Index f = 0; f < count; ++f) {
    double *lane = to + f / panel_width * n * panel_width + f % panel_width;
    for (Index a = 0; a < n; ++a)
      lane[a * panel_width] = tile[f * stride + order[a]];
  }
  const Index last = count % panel_width;
  double *panel = to + count / panel_width * n * panel_width;
  for (Index a = 0; a < n && last > 0; ++a)
    std::fill_n(panel + a * panel_width + last, panel_width - last, 0.0);
}

/// n_samples x n_features doubles; panel p holds features 16 p ... 16 p + 15,
/// sample by sample: panel(p)[a * 16 + lane]. Lanes beyond the last feature
/// are 0. Owns its memory, as much as the input read as doubles.
class FeaturePanels {
public:
  FeaturePanels() = default;
  /// Features to be filled in by the caller; the last panel is 0.
  FeaturePanels(Index n_samples, Index n_features)
      : n_samples_(n_samples), n_features_(n_features),
        values_(AlignedBuffer<double>::uninitialised(
            n_samples * round_up(n_features, panel_width))) {
    const Index last = n_samples * panel_width;
    if (n_features > 0)
      std::fill_n(values_.data() + values_.size() - last, last, 0.0);
  }

  /// Copies the samples `order` of `x`, in that order. O(samples features).
  FeaturePanels(const ScaledView &x, const Array<int> &order, Runtime &runtime)
      : n_samples_(order.size()), n_features_(x.n_features()),
        values_(AlignedBuffer<double>::uninitialised(
            n_samples_ * round_up(n_features_, panel_width))) {
    runtime.for_parts(n_features_, 8 * panel_width,
                      [&](Index first, Index end) {
                        pack_panels(x, order, first, end - first,
                                    values_.data() + first * n_samples_);
                      });
  }

  Index n_samples() const { return n_samples_; }
  Index n_features() const { return n_features_; }
  Index n_panels() const {
    return (n_features_ + panel_width - 1) / panel_width;
  }
  const double *panel(Index p) const {
    return values_.data() + p * n_samples_ * panel_width;
  }
  double operator()(Index sample, Index feature) const {
    return values_[at(sample, feature)];
  }
  double &operator()(Index sample, Index feature) {
    return values_[at(sample, feature)];
  }

private:
  Index at(Index sample, Index feature) const {
    return (feature / panel_width * n_samples_ + sample) * panel_width +
           feature % panel_width;
  }

  Index n_samples_ = 0;
  Index n_features_ = 0;
  AlignedBuffer<double> values_;
};

} // namespace hitmiss

#endif
