// Reads features from a scratch file that is stored sample by sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_TURNED_SOURCE_HPP
#define HITMISS_DATA_TURNED_SOURCE_HPP

#include <algorithm>

#include "feature_source.hpp"

namespace hitmiss {

/// Gives chunks of features from a scratch file in which number n * n_features
/// + j is feature j of sample n. Each chunk takes n_samples reads.
class TurnedSource final : public FeatureSource {
public:
  TurnedSource(const ScratchFile &file, Index n_samples, Index n_features)
      : file_(file), n_samples_(n_samples), n_features_(n_features),
        step_(std::max<Index>(256, (1 << 20) / std::max<Index>(n_samples, 1))) {
  } // 8 MB

  Index n_chunks() const override { return (n_features_ + step_ - 1) / step_; }
  FeatureChunk fetch(Index k) override {
    const Index first = k * step_;
    const Index count = std::min(step_, n_features_ - first);
    values_.resize(count * n_samples_);
    for (Index n = 0; n < n_samples_; ++n)
      file_.read(values_.data() + n * count, count, n * n_features_ + first);
    FeatureChunk chunk;
    chunk.first = first;
    chunk.values = view_by_feature(values_.data(), n_samples_, count);
    chunk.values.sample_stride = count;
    chunk.values.feature_stride = 1;
    return chunk;
  }

private:
  const ScratchFile &file_;
  Index n_samples_, n_features_, step_;
  Array<double> values_;
};

} // namespace hitmiss

#endif
