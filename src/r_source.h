// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"

#include <hitmiss/data/feature_source.hpp>

/// Blocks that an R function reads. An error of that function leaves as a jump
/// of R (Rcpp::LongjumpException), to the handlers of who called.
class RChunkSource final : public hitmiss::FeatureSource {
public:
  RChunkSource(SEXP read, int n_chunks, bool features_in_rows)
      : read_(read), n_chunks_(n_chunks), features_in_rows_(features_in_rows) {}

  std::ptrdiff_t n_chunks() const override { return n_chunks_; }
  std::ptrdiff_t fetched() const { return next_; }

  hitmiss::FeatureChunk fetch(std::ptrdiff_t k) override {
    values_ = R_NilValue; // whose memory may be used for the new chunk
    values_ = read_(static_cast<int>(k + 1));
    hitmiss::FeatureChunk chunk{next_, view(values_, features_in_rows_)};
    next_ += chunk.values.n_features;
    return chunk;
  }

private:
  Rcpp::Function read_;
  Rcpp::RObject values_;
  std::ptrdiff_t n_chunks_, next_ = 0;
  bool features_in_rows_;
};

#endif
