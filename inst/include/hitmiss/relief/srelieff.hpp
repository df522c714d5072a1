// Features that differ between near samples whose survival times differ.
//
// srelieff(x, outcome, options, runtime, samples) gives a signed score to every
// feature (in [-1, 1] if its range is 1), from the k nearest neighbours of the
// samples. Required: finite values, and a position in [0, 1] for each sample.
// Memory: bytes_needed(). Time: see outcome_scores().
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_SRELIEFF_HPP
#define HITMISS_RELIEF_SRELIEFF_HPP

#include <algorithm>
#include <cmath>

#include "outcome_terms.hpp"

namespace hitmiss {

/// Right-censored times as Kaplan-Meier shares of samples that have had the
/// event. An event is at its position; a censored sample is anywhere between
/// its position and 1, with a uniform distribution.
struct SurvivalOutcome {
  Array<double> position;
  Array<char> event;

  void check(Index n_samples) const {
    detail::require(
        position.size() == n_samples && event.size() == n_samples &&
            std::all_of(position.begin(), position.end(),
                        [](double p) { return p >= 0.0 && p <= 1.0; }),
        "one position in [0, 1] per sample is needed");
  }

  /// The expected distance of the positions of two samples.
  double apart(Index n, Index i) const {
    if (position[i] < position[n])
      std::swap(n, i);
    const double low = position[n], high = position[i];
    const double left = 1.0 - high, all = 1.0 - low;
    if (event[n] ? event[i] || left <= 0.0 : all <= 0.0)
      return high - low;
    if (event[n])
      return (1.0 + high) / 2.0 - low;
    if (event[i])
      return ((high - low) * (high - low) + left * left) / (2.0 * all);
    return (high - low) / 2.0 + left * left / (3.0 * all);
  }
};

struct SurvivalScores : SampledScores {
  double spread = 0.0;   ///< H; if 0 (no neighbours differ), scores are 0
  double censored = 0.0; ///< share of H from censored samples n
};

/// W_j = sum_n sum_i s_ni (tau_ni - m_n) |x_nj - x_ij| / H over the k nearest
/// allowed samples i of n. The shares s_ni of a sample n add up to 1, tau_ni =
/// SurvivalOutcome::apart(n, i), m_n = sum_i s_ni tau_ni and H = sum_n sum_i
/// s_ni max(tau_ni - m_n, 0). `samples`: see outcome_scores().
inline SurvivalScores srelieff(const ScaledView &x,
                               const SurvivalOutcome &outcome,
                               const NeighbourOptions &options,
                               Runtime &runtime, int samples = 0) {
  detail::require_samples(x);
  outcome.check(x.n_samples());
  Array<double> mean(x.n_samples());
  double spread = 0.0, censored = 0.0;
  auto scores = outcome_scores(
      x, options, samples, runtime,
      [&](int n, auto near) {
        near([&](int i, double share) {
          mean[n] += share * outcome.apart(n, i);
        });
        near([&](int i, double share) {
          const double more =
              share * std::max(outcome.apart(n, i) - mean[n], 0.0);
          spread += more;
          censored += outcome.event[n] ? 0.0 : more;
        });
      },
      [&](int n, int i, double share) {
        return spread > 0.0 ? share * (outcome.apart(n, i) - mean[n]) / spread
                            : 0.0;
      });
  return {{std::move(scores)}, spread, spread > 0.0 ? censored / spread : 0.0};
}

} // namespace hitmiss

#endif
