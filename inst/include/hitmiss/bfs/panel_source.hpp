// Panels of all features, held in memory or packed again whenever they are
// read. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PANEL_SOURCE_HPP
#define HITMISS_BFS_PANEL_SOURCE_HPP

#include <algorithm>
#include <utility>

#include "feature_panels.hpp"

namespace hitmiss {

/// The samples `order` of `x`, in that order. Held: one copy of x. Not held:
/// nothing but what a Reader has at hand, the same numbers.
class PanelSource {
public:
  PanelSource() = default;
  PanelSource(const ScaledView &x, Array<int> order, bool hold,
              Runtime &runtime)
      : x_(x), order_(std::move(order)), n_features_(x.n_features()) {
    if (hold)
      held_ = FeaturePanels(x, order_, runtime);
  }

  Index n_samples() const { return order_.size(); }
  Index n_features() const { return n_features_; }
  Index n_panels() const {
    return (n_features_ + panel_width - 1) / panel_width;
  }

  bool is_held() const { return held_.n_features() > 0; }
  /// All panels, if they are held.
  const FeaturePanels &held() const { return held_; }

  /// The samples of one feature.
  Array<double> feature(Index j) const {
    Array<double> values(order_.size());
    if (is_held()) {
      for (Index a = 0; a < values.size(); ++a)
        values[a] = held_(a, j);
      return values;
    }
    Array<double> all(x_.n_samples());
    copy_tile(x_, j, 1, all.data(), x_.n_samples());
    for (Index a = 0; a < values.size(); ++a)
      values[a] = all[order_[a]];
    return values;
  }

  /// Reads panels, a group at a time; one for each thread.
  class Reader {
  public:
    /// Panels that are packed together: they stay in fast memory.
    static constexpr Index group = 8;

    explicit Reader(const PanelSource &source) : source_(source) {}

    /// Panel p, valid until the next call. Cheapest in increasing order.
    const double *operator()(Index p) {
      if (source_.is_held())
        return source_.held_.panel(p);
      const Index size = source_.n_samples() * panel_width;
      if (first_ < 0 || p < first_ || p >= first_ + group)
        pack(p / group * group, size);
      return packed_.data() + (p - first_) * size;
    }

  private:
    void pack(Index first, Index size) {
      if (packed_.size() == 0)
        packed_ = AlignedBuffer<double>::uninitialised(group * size);
      const Index from = first * panel_width;
      pack_panels(source_.x_, source_.order_, from,
                  std::min(group * panel_width, source_.n_features_ - from),
                  packed_.data());
      first_ = first;
    }

    const PanelSource &source_;
    Index first_ = -1;
    AlignedBuffer<double> packed_;
  };

private:
  ScaledView x_{};
  Array<int> order_;
  Index n_features_ = 0;
  FeaturePanels held_;
};

} // namespace hitmiss

#endif
