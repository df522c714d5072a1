// A copy of some features, side by side, that stands in for the data.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_FEATURE_COPY_HPP
#define HITMISS_LOGO_FEATURE_COPY_HPP

#include "../data/feature_tile.hpp"
#include "../data/feature_values.hpp"

namespace hitmiss {

/// Listed features of all samples, raw, and their scaling: wherever the data
/// lie, reading them again costs little. Grows at its end.
class FeatureCopy {
public:
  FeatureCopy() { view_.scaling = &scaling_; }
  FeatureCopy(const FeatureCopy &) = delete;
  FeatureCopy &operator=(const FeatureCopy &) = delete;

  /// O(n_samples) for each feature held then.
  void add(const ScaledView &x, const Array<Index> &features,
           Runtime &runtime) {
    const Index n = x.n_samples(), old = values_.size();
    values_.resize(old + n * features.size());
    copy_raw_features(x.raw, features, values_.data() + old, runtime);
    for (const Index j : features) {
      features_.push_back(j);
      scaling_.center.push_back(x.scaling->center[j]);
      scaling_.scale.push_back(x.scaling->scale[j]);
      scaling_.constant.push_back(x.scaling->constant[j]);
    }
    view_.raw = view_by_feature(values_.data(), n, features_.size());
  }

  /// Feature k of view() is feature features()[k] of the data.
  const Array<Index> &features() const { return features_; }
  const ScaledView &view() const { return view_; }

private:
  Array<Index> features_;
  Array<double> values_;
  Scaling scaling_;
  ScaledView view_{};
};

} // namespace hitmiss

#endif
