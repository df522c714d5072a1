// R as the host of the core: threads, progress, interrupts, random key.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_RUNTIME_H
#define HITMISS_R_RUNTIME_H

#include <memory>

#include <Rcpp.h>

#include <hitmiss/runtime/runtime.hpp>

/// What R hands to every computation: a list with `threads` (already resolved
/// and capped, >= 1), `progress` (NULL or an R function of a share in [0, 1])
/// and `key` (two integers, or NULL where no randomness is involved).
class RRuntime {
public:
  explicit RRuntime(const Rcpp::List &runtime);
  ~RRuntime();

  /// Runs `compute(hitmiss::Runtime&)`. An interrupt, a time limit or an error
  /// that R met meanwhile goes on from here, once no worker is left: to the
  /// handlers of who called, as what it was.
  template <class Compute> auto run(Compute compute) {
    try {
      auto result = compute(core());
      go_on_if_jumped();
      return result;
    } catch (...) {
      go_on_if_jumped();
      throw;
    }
  }

private:
  hitmiss::Runtime &core();
  void go_on_if_jumped();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

#endif
