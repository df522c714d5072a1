// RReliefF: features that differ where a numeric outcome does.
//
// rrelieff(x, outcome, options, runtime) gives a signed score to every feature
// (Robnik-Sikonja, Kononenko 2003), by default from k = 10 neighbours by
// Manhattan distance. Required: finite values, and outcomes that are finite and
// not all equal. Memory: bytes_needed(). Time: N^2 J / 2 pair features.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_RRELIEFF_HPP
#define HITMISS_RELIEF_RRELIEFF_HPP

#include <algorithm>
#include <cmath>

#include "outcome_terms.hpp"
#include "relief.hpp"

namespace hitmiss {

/// Bytes beside the data that rrelieff() takes.
inline double bytes_needed(const FitSize &size,
                           const NeighbourOptions &options) {
  return detail::listed_bytes(
      size,
      std::min(static_cast<double>(options.k + NearestList::tied_room),
               size.n_samples) *
          size.n_samples,
      1.0, 0.0);
}

/// W_j = N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC) over the k nearest
/// allowed samples of each of the m that have any (Robnik-Sikonja and Kononenko
/// 2003), each neighbour with equal weight; the difference of two outcomes is
/// divided by the range of all. A quotient whose divisor is 0 is 0. N^2 J / 2
/// pair features, and k N J for the margins; with many ties as
/// sampled_relief().
inline SampledScores rrelieff(const ScaledView &x, const Array<double> &outcome,
                              const NeighbourOptions &options,
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
  const AllowedKind kinds{options.allowed};
  NearestSearch<AllowedKind> search(distances, kinds, options.k,
                                    options.at_once, options.order(x, runtime));
  search.run(runtime);
  const auto apart = [&](Index n, Index i) {
    return std::abs(outcome[n] - outcome[i]) / range;
  };
  double counted = 0.0, differing = 0.0; // m, N_dC
  search.for_rows(runtime,
                  [&](const SampleRange &rows, const NearestLists &lists) {
                    for (Index n = rows.begin; n < rows.end; ++n) {
                      counted += lists(n, 0).empty() ? 0.0 : 1.0;
                      lists.share(n, 0, [&](const Neighbour &i, double share) {
                        differing += share * apart(n, i.sample);
                      });
                    }
                  });
  const double same = counted - differing;
  SampledScores result{
      Array<double>(x.n_features(), 0.0), {}, Array<int>(x.n_samples())};
  search.for_rows(
      runtime, [&](const SampleRange &rows, const NearestLists &lists) {
        const auto terms =
            outcome_terms(lists, rows, [&](Index n, Index i, double share) {
              const double tau = apart(n, i);
              const double up = differing > 0.0 ? share * tau / differing : 0.0;
              const double down = same > 0.0 ? share * (1.0 - tau) / same : 0.0;
              return up - down;
            });
        count_listed(terms, result.times_listed);
        add_margins(x, terms, options.simd, result.scores, runtime);
      });
  result.scores = without_noise(std::move(result.scores));
  return result;
}

} // namespace hitmiss

#endif
