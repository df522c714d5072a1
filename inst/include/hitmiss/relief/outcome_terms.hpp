// Scores of features from near samples, weighted by the outcomes of each pair.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_OUTCOME_TERMS_HPP
#define HITMISS_RELIEF_OUTCOME_TERMS_HPP

#include <algorithm>
#include <utility>

#include "relief.hpp"

namespace hitmiss {

/// Bytes beside the data that rrelieff() and srelieff() take. `samples`: see
/// outcome_scores().
inline double bytes_needed(const FitSize &size, const NeighbourOptions &options,
                           double samples = 0) {
  return detail::listed_bytes(
      size,
      std::min(static_cast<double>(options.k + NearestList::room(options.k)),
               size.n_samples) *
          size.n_samples,
      1.0, samples);
}

namespace detail {

/// Draws at least two samples whose neighbours are looked for; 0: takes all.
inline Array<int> outcome_rows(Index n_samples, int samples, Runtime &runtime) {
  require(samples >= 0, "the number of samples must be at least 0");
  auto rows = all_samples(n_samples);
  if (samples == 0 || samples >= n_samples)
    return rows;
  return draw_by_class({rows}, samples,
                       runtime.stream(0, Purpose::reference_samples));
}

} // namespace detail

/// W_j = sum over samples n and their k nearest allowed samples i of
/// coefficient(n, i, share) |x_nj - x_ij|. The shares of the neighbours of n
/// add up to 1. Before that, look(n, near) is called once for every n, to form
/// sums that coefficients need: near(work) calls work(i, share) for each
/// neighbour. Only m = `samples` drawn samples n are used (0: all). Time: m N J
/// pair features (N^2 J / 2 for all), and m J k for the margins; rows with
/// many ties are measured two more times.
template <class Look, class Coefficient>
SampledScores outcome_scores(const ScaledView &x,
                             const NeighbourOptions &options, int samples,
                             Runtime &runtime, Look look,
                             Coefficient coefficient) {
  options.check();
  options.allowed.check_size(x.n_samples());
  const auto rows_are = detail::outcome_rows(x.n_samples(), samples, runtime);
  const detail::ReferenceDistances distances(
      x, rows_are, options.metric, options.simd, options.at_once, runtime);
  runtime.monitor().expect(distances.distances().pair_features() +
                           static_cast<double>(x.n_samples()) *
                               static_cast<double>(x.n_features()));
  const AllowedKind kinds{options.allowed};
  NearestSearch<AllowedKind> search(distances.distances(), kinds, options.k,
                                    options.at_once, options.centred(),
                                    &rows_are);
  search.run(runtime);
  const auto each = [&](const SampleRange &rows, const NearestLists &lists,
                        auto work) {
    for (Index row = rows.begin; row < rows.end; ++row)
      work(rows_are[row], [&](auto near) {
        lists.share(row, 0, [&](const Neighbour &i, double share) {
          near(i.sample, share);
        });
      });
  };
  search.for_rows(runtime, [&](const auto &rows, const auto &lists) {
    each(rows, lists, look);
  });
  SampledScores result{
      Array<double>(x.n_features(), 0.0), {}, Array<double>(x.n_samples()), {}};
  search.for_rows(runtime, [&](const auto &rows, const auto &lists) {
    Array<SampleTerms> terms;
    each(rows, lists, [&](int n, auto near) {
      terms.push_back({n, {}});
      near([&](int i, double share) {
        terms.back().terms.push_back({i, coefficient(n, i, share)});
      });
    });
    count_listed(terms, result.times_listed);
    add_margins(x, terms, options.simd, result.scores, runtime);
  });
  result.scores = without_noise(std::move(result.scores));
  return result;
}

} // namespace hitmiss

#endif
