// RReliefF: features that differ where a numeric outcome does.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RRELIEFF_HPP
#define HITMISS_RELIEF_RRELIEFF_HPP

#include <algorithm>
#include <cmath>

#include "relief.hpp"

namespace hitmiss {

/// Bytes beside the data that rrelieff() takes.
inline double outcome_bytes_needed(const FitSize &size,
                                   const NearReliefOptions &options) {
  return detail::listed_bytes(size, options.k * size.n_samples, 0);
}

/// W_j = N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC) over the k nearest
/// allowed samples of each of the m that have any (Robnik-Sikonja and Kononenko
/// 2003), each neighbour with equal weight; the difference of two outcomes is
/// divided by the range of all. A quotient whose divisor is 0 is 0. N^2 J / 2
/// pair features, and k N J for the margins.
inline SampledScores rrelieff(const ScaledView &x, const Array<double> &outcome,
                              const NearReliefOptions &options,
                              Runtime &runtime) {
  detail::require_samples(x);
  options.check();
  options.allowed.check_size(x.n_samples());
  detail::require(outcome.size() == x.n_samples() &&
                      all_finite(outcome.data(), outcome.size()),
                  "one finite outcome per sample is needed");
  const auto ends = std::minmax_element(outcome.begin(), outcome.end());
  const double range = *ends.second - *ends.first;
  detail::require(range > 0.0 && std::isfinite(range),
                  "the outcome must vary within finite bounds");
  const Array<double> ones(x.n_features(), 1.0);
  const SampleDistances distances(x, ones, options.metric, options.simd);
  runtime.monitor().expect(distances.pair_features() +
                           static_cast<double>(x.n_samples()) *
                               static_cast<double>(x.n_features()));
  const auto lists =
      nearest_lists(distances, AllowedKind{options.allowed}, options.k, runtime,
                    options.at_once, detail::order_of(x, options, runtime));
  const auto apart = [&](int n, int i) {
    return std::abs(outcome[n] - outcome[i]) / range;
  };
  double counted = 0.0, differing = 0.0; // m, N_dC
  for (int n = 0; n < outcome.size(); ++n) {
    counted += lists(n, 0).empty() ? 0.0 : 1.0;
    lists.share(n, 0, [&](const Neighbour &i, double share) {
      differing += share * apart(n, i.sample);
    });
  }
  const double same = counted - differing;
  Array<SampleTerms> terms;
  for (int n = 0; n < outcome.size(); ++n) {
    terms.push_back({n, {}});
    lists.share(n, 0, [&](const Neighbour &i, double share) {
      const double tau = apart(n, i.sample);
      const double up = differing > 0.0 ? share * tau / differing : 0.0;
      const double down = same > 0.0 ? share * (1.0 - tau) / same : 0.0;
      terms.back().terms.push_back({i.sample, up - down});
    });
  }
  return {without_noise(sum_of_margins(x, terms, options.simd, runtime)),
          {},
          times_listed(terms, x.n_samples())};
}

} // namespace hitmiss

#endif
