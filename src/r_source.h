// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"

#include <hitmiss/data/feature_source.hpp>

/// Lets R's heap, and the C library's, grow before large blocks of `bytes` come
/// and go. Nothing is written there, so no memory is taken. Without it R would
/// look through all its objects for nearly every block (half of the time of
/// reading, where Bioconductor is loaded), and buffers of a chunk would be
/// taken from the system and given back each time: glibc keeps what is smaller
/// than the largest buffer up to 32 MiB that was freed before.
inline void make_room(double bytes) {
  constexpr double large = 67108864.0, kept = 33554432.0 - 65536.0;
  if (bytes < large)
    return;
  Rcpp::List room(2);
  room[0] = Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(3.0 * bytes));
  room[1] = Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(kept));
}

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
