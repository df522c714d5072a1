// RReliefF: features that differ between near samples whose outcomes differ.
//
// rrelieff(x, outcome, options, runtime, samples) gives a signed score to every
// feature (Robnik-Sikonja, Kononenko 2003), by default from k = 10 neighbours
// by Manhattan distance. Required: finite values, and outcomes that are finite
// and not all equal. Memory: bytes_needed(). Time: see outcome_scores().
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RRELIEFF_HPP
#define HITMISS_RELIEF_RRELIEFF_HPP

#include <algorithm>
#include <cmath>

#include "outcome_terms.hpp"

namespace hitmiss {

namespace detail {

/// The range of the outcome of n samples, by which its differences are divided.
inline double outcome_range(const Array<double> &outcome, Index n) {
  require(outcome.size() == n && all_finite(outcome.data(), n),
          "one finite outcome per sample is needed");
  const auto ends = std::minmax_element(outcome.begin(), outcome.end());
  const double range = *ends.second - *ends.first;
  require(range > 0.0 && std::isfinite(range),
          "the outcome must vary within finite bounds");
  return range;
}

} // namespace detail

/// W_j = N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC) (Robnik-Sikonja and
/// Kononenko 2003). N_dC, N_dA and N_dCdA sum three means over the k nearest
/// neighbours, for the m samples that have allowed ones: the mean difference of
/// the outcome, that of feature j, and the mean of their product. Differences
/// of outcomes are divided by the range of the outcome. A quotient whose
/// divisor is 0 is 0. `samples`: see outcome_scores().
inline SampledScores rrelieff(const ScaledView &x, const Array<double> &outcome,
                              const NeighbourOptions &options, Runtime &runtime,
                              int samples = 0) {
  detail::require_samples(x);
  const double range = detail::outcome_range(outcome, x.n_samples());
  const auto apart = [&](Index n, Index i) {
    return std::abs(outcome[n] - outcome[i]) / range;
  };
  double counted = 0.0, differing = 0.0; // m, N_dC
  return outcome_scores(
      x, options, samples, runtime,
      [&](int n, auto near) {
        bool any = false;
        near([&](int i, double share) {
          any = true;
          differing += share * apart(n, i);
        });
        counted += any ? 1.0 : 0.0;
      },
      [&](int n, int i, double share) {
        const double tau = apart(n, i), same = counted - differing;
        const double up = differing > 0.0 ? share * tau / differing : 0.0;
        const double down = same > 0.0 ? share * (1.0 - tau) / same : 0.0;
        return up - down;
      });
}

} // namespace hitmiss

#endif
