// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"

#include <hitmiss/data/feature_source.hpp>

/// Blocks that an R function reads; both slots stay protected.
class RBlockSource final : public hitmiss::FeatureSource {
public:
  RBlockSource(Rcpp::Function read, int n_blocks, bool features_in_rows)
      : read_(read), n_blocks_(n_blocks), features_in_rows_(features_in_rows) {}

  std::ptrdiff_t n_blocks() const override { return n_blocks_; }
  std::ptrdiff_t fetched() const { return next_; }

  hitmiss::FeatureBlock fetch(std::ptrdiff_t k, int slot) override {
    slots_[slot] = R_NilValue; // the memory may be used for the new block
    slots_[slot] = read_(static_cast<int>(k + 1));
    hitmiss::FeatureBlock block{next_, view(slots_[slot], features_in_rows_)};
    next_ += block.values.n_features;
    return block;
  }

private:
  Rcpp::Function read_;
  std::ptrdiff_t n_blocks_, next_ = 0;
  bool features_in_rows_;
  Rcpp::List slots_ = Rcpp::List(2);
};

#endif
