// Terms of neighbours whose weights follow from the outcomes of two samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_OUTCOME_TERMS_HPP
#define HITMISS_RELIEF_OUTCOME_TERMS_HPP

#include "../pairs/nearest.hpp"
#include "sample_margins.hpp"

namespace hitmiss {

/// The terms of the samples `rows`, which are the rows of `lists`, of one kind:
/// coefficient(n, i, share) for each near sample i, whose shares add up to 1.
template <class Coefficient>
Array<SampleTerms> outcome_terms(const NearestLists &lists,
                                 const SampleRange &rows,
                                 Coefficient coefficient) {
  Array<SampleTerms> result;
  for (Index n = rows.begin; n < rows.end; ++n) {
    result.push_back({static_cast<int>(n), {}});
    lists.share(n, 0, [&](const Neighbour &near, double share) {
      result.back().terms.push_back(
          {near.sample, coefficient(n, near.sample, share)});
    });
  }
  return result;
}

} // namespace hitmiss

#endif
