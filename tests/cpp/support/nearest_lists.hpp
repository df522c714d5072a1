// The nearest of every row, as a table.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_NEAREST_LISTS_HPP
#define HITMISS_TESTS_NEAREST_LISTS_HPP

#include <hitmiss/pairs/nearest.hpp>

/// The k nearest of each row of one kind, and all that are tied with the last.
template <class Kinds>
hitmiss::Array<hitmiss::Array<hitmiss::Neighbour>>
nearest_lists(const hitmiss::SampleDistances &distances, const Kinds &kinds,
              int k, hitmiss::Runtime &runtime, hitmiss::Index most,
              const hitmiss::AllowedPairs *centred = nullptr) {
  hitmiss::NearestSearch<Kinds> search(distances, kinds, k, most, centred);
  search.run(runtime);
  hitmiss::Array<hitmiss::Array<hitmiss::Neighbour>> found;
  search.for_rows(runtime, [&](const hitmiss::SampleRange &rows,
                               const hitmiss::NearestLists &lists) {
    for (hitmiss::Index n = rows.begin; n < rows.end; ++n)
      found.push_back(lists(n, 0));
  });
  return found;
}

#endif
