// Blocks of features that R reads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SOURCE_H
#define HITMISS_R_SOURCE_H

#include "r_convert.h"
#include "r_unwind.h"

#include <hitmiss/data/feature_source.hpp>

/// Blocks that an R function reads; the last one stays protected. fetch() runs
/// inside a parallel loop: a jump of R waits until the loop is left.
class RChunkSource final : public hitmiss::FeatureSource {
public:
  RChunkSource(SEXP read, int n_chunks, bool features_in_rows)
      : read_(read), n_chunks_(n_chunks), features_in_rows_(features_in_rows) {}

  std::ptrdiff_t n_chunks() const override { return n_chunks_; }
  std::ptrdiff_t fetched() const { return next_; }

  hitmiss::FeatureChunk fetch(std::ptrdiff_t k) override {
    Reading reading{read_, values_, static_cast<int>(k + 1)};
    if (!jump_.call(read_block, &reading))
      throw jump_.go_on();
    hitmiss::FeatureChunk chunk{
        next_, view(VECTOR_ELT(values_, 0), features_in_rows_)};
    next_ += chunk.values.n_features;
    return chunk;
  }

private:
  struct Reading {
    SEXP read, values;
    int number;
  };

  static SEXP read_block(void *data) {
    const auto &reading = *static_cast<Reading *>(data);
    // The memory may be used for the new chunk.
    SET_VECTOR_ELT(reading.values, 0, R_NilValue);
    SEXP number = PROTECT(Rf_ScalarInteger(reading.number));
    SEXP call = PROTECT(Rf_lang2(reading.read, number));
    SET_VECTOR_ELT(reading.values, 0, Rf_eval(call, R_GlobalEnv));
    UNPROTECT(2);
    return R_NilValue;
  }

  Rcpp::RObject read_;
  std::ptrdiff_t n_chunks_, next_ = 0;
  bool features_in_rows_;
  Rcpp::List values_ = Rcpp::List(1);
  HeldJump jump_;
};

#endif
