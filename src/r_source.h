// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"
#include "r_unwind.h"

#include <hitmiss/data/scratch_file.hpp>

/// Blocks that an R function reads; both slots stay protected. fetch() runs
/// inside a parallel loop: a jump of R waits until the loop is left.
class RBlockSource final : public hitmiss::FeatureSource {
public:
  RBlockSource(SEXP read, int n_blocks, bool features_in_rows)
      : read_(read), n_blocks_(n_blocks), features_in_rows_(features_in_rows) {}

  std::ptrdiff_t n_blocks() const override { return n_blocks_; }
  std::ptrdiff_t fetched() const { return next_; }

  hitmiss::FeatureBlock fetch(std::ptrdiff_t k, int slot) override {
    Reading reading{read_, slots_, slot, static_cast<int>(k + 1)};
    if (!jump_.call(read_block, &reading))
      throw jump_.go_on();
    hitmiss::FeatureBlock block{
        next_, view(VECTOR_ELT(slots_, slot), features_in_rows_)};
    next_ += block.values.n_features;
    return block;
  }

private:
  struct Reading {
    SEXP read, slots;
    int slot, number;
  };

  static SEXP read_block(void *data) {
    const auto &reading = *static_cast<Reading *>(data);
    // The memory may be used for the new block.
    SET_VECTOR_ELT(reading.slots, reading.slot, R_NilValue);
    SEXP number = PROTECT(Rf_ScalarInteger(reading.number));
    SEXP call = PROTECT(Rf_lang2(reading.read, number));
    SET_VECTOR_ELT(reading.slots, reading.slot, Rf_eval(call, R_GlobalEnv));
    UNPROTECT(2);
    return R_NilValue;
  }

  Rcpp::RObject read_;
  std::ptrdiff_t n_blocks_, next_ = 0;
  bool features_in_rows_;
  Rcpp::List slots_ = Rcpp::List(2);
  HeldJump jump_;
};

#endif
