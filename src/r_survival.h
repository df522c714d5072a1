// Survival times and votes between R and the core.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SURVIVAL_H
#define HITMISS_R_SURVIVAL_H

#include <hitmiss/vote/nearest_survival.hpp>

#include "r_convert.h"

/// Reads list(position, step, event, grid); the core checks the numbers.
inline hitmiss::SurvivalVoters survival_voters(const Rcpp::List &voters) {
  require_finite(Rcpp::NumericVector(SEXP(voters["position"])), "positions");
  return {Rcpp::as<std::vector<double>>(voters["position"]),
          Rcpp::as<std::vector<int>>(voters["step"]), flags(voters["event"]),
          Rcpp::as<std::vector<int>>(voters["grid"])};
}

inline Rcpp::List to_list(const hitmiss::SurvivalVotes &votes) {
  using Rcpp::_;
  return Rcpp::List::create(_["risk"] = votes.risk, _["curve"] = votes.curve);
}

#endif
