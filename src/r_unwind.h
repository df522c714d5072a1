// Calls into R from where R must not jump away.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_UNWIND_H
#define HITMISS_R_UNWIND_H

#include <csetjmp>

#include <Rcpp.h>

/// Runs R under R_UnwindProtect() and keeps a jump (an interrupt, a time limit,
/// an error, a handler of the caller's) for when no frame is left to jump over.
///
/// Inside a parallel loop R must never jump: the loop's library would go on
/// with a stack that is gone. An interrupt that waits makes R jump out of any
/// allocation that collects garbage, not only out of R code: all that may
/// allocate belongs inside, and the token is made here, before the loop.
class HeldJump {
public:
  HeldJump() : token_(R_MakeUnwindCont()) { R_PreserveObject(token_); }
  // Who continues a jump releases its token.
  ~HeldJump() {
    if (!handed_over_)
      R_ReleaseObject(token_);
  }
  HeldJump(const HeldJump &) = delete;
  HeldJump &operator=(const HeldJump &) = delete;

  /// Calls `work(data)`. False if R jumped; then R must not be called again
  /// before the jump goes on.
  bool call(SEXP (*work)(void *), void *data) {
    std::jmp_buf back;
    if (setjmp(back) != 0) {
      jumped_ = true;
      return false;
    }
    R_UnwindProtect(work, data, leave, &back, token_);
    return true;
  }
  bool jumped() const { return jumped_; }

  /// Returns the exception that R's own thread throws outside of all loops, so
  /// that Rcpp lets R's jump continue.
  Rcpp::LongjumpException go_on() {
    handed_over_ = true;
    return Rcpp::LongjumpException(token_);
  }

private:
  static void leave(void *back, Rboolean jump) {
    if (jump == TRUE)
      std::longjmp(*static_cast<std::jmp_buf *>(back), 1);
  }

  SEXP token_;
  bool jumped_ = false, handed_over_ = false;
};

#endif
