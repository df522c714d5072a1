// The options of llfs(), from R.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_LLFS_H
#define HITMISS_R_LLFS_H

#include "r_convert.h"
#include "r_simd.h"

#include <hitmiss/llfs/llfs.hpp>

inline hitmiss::LlfsOptions llfs_options(const Rcpp::List &list) {
  hitmiss::LlfsOptions options;
  options.alpha = Rcpp::as<std::vector<double>>(list["alpha"]);
  options.gamma = list["gamma"];
  options.impurity_by_count = list["impurity_by_count"];
  options.beta = Rcpp::as<std::vector<double>>(list["beta"]);
  options.parsimony = list["parsimony"];
  options.polish = list["polish"];
  options.size_penalty = list["size_penalty"];
  options.evidence = list["evidence"];
  options.balanced = list["balanced"];
  options.tol = list["tol"];
  options.draws = list["draws"];
  options.enumerate = list["enumerate"];
  options.working_set = list["working_set"];
  options.working_set_from = list["working_set_from"];
  options.init_one = list["init_one"];
  options.cold_start = list["cold_start"];
  options.program_samples = list["program_samples"];
  options.score_samples = list["score_samples"];
  options.intercept_samples = list["intercept_samples"];
  options.simd = simd_level(Rcpp::as<std::string>(list["simd"]));
  options.centres = Rcpp::as<std::vector<int>>(list["centres"]);
  return options;
}

#endif
