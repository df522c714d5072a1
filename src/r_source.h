// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"

#include <csetjmp>

#include <hitmiss/data/feature_source.hpp>

/// Blocks that an R function reads; both slots stay protected.
///
/// fetch() runs inside a parallel loop, over whose frames R must never jump:
/// the loop's library would go on with a stack that is gone. An interrupt that
/// waits makes R jump out of any allocation that collects garbage, not only out
/// of R code. So all that may allocate is done under R_UnwindProtect(), also
/// the making of the call, and its token is made here, before the loop.
class RBlockSource final : public hitmiss::FeatureSource {
public:
  RBlockSource(SEXP read, int n_blocks, bool features_in_rows)
      : read_(read), n_blocks_(n_blocks), features_in_rows_(features_in_rows),
        token_(R_MakeUnwindCont()) {
    R_PreserveObject(token_);
  }
  // Who continues a jump releases its token.
  ~RBlockSource() override {
    if (!jumped_)
      R_ReleaseObject(token_);
  }
  RBlockSource(const RBlockSource &) = delete;
  RBlockSource &operator=(const RBlockSource &) = delete;

  std::ptrdiff_t n_blocks() const override { return n_blocks_; }
  std::ptrdiff_t fetched() const { return next_; }

  hitmiss::FeatureBlock fetch(std::ptrdiff_t k, int slot) override {
    Reading reading{read_, slots_, slot, static_cast<int>(k + 1), {}};
    if (setjmp(reading.back) != 0) {
      jumped_ = true;
      throw Rcpp::LongjumpException(token_);
    }
    R_UnwindProtect(read_block, &reading, leave, &reading, token_);
    hitmiss::FeatureBlock block{
        next_, view(VECTOR_ELT(slots_, slot), features_in_rows_)};
    next_ += block.values.n_features;
    return block;
  }

private:
  struct Reading {
    SEXP read, slots;
    int slot, number;
    std::jmp_buf back;
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
  static void leave(void *data, Rboolean jump) {
    if (jump == TRUE)
      std::longjmp(static_cast<Reading *>(data)->back, 1);
  }

  Rcpp::RObject read_;
  std::ptrdiff_t n_blocks_, next_ = 0;
  bool features_in_rows_, jumped_ = false;
  Rcpp::List slots_ = Rcpp::List(2);
  SEXP token_;
};

#endif
