// Samples in the order of their values in one feature.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_SORTED_SAMPLES_HPP
#define HITMISS_COMPARATORS_SORTED_SAMPLES_HPP

#include <algorithm>

#include "../data/class_index.hpp"

namespace hitmiss {

/// Returns the samples in the order of increasing values.
inline Array<int> sorted_samples(const Array<double> &values) {
  auto order = all_samples(values.size());
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return values[a] < values[b]; });
  return order;
}

/// Calls work(first, end) for each run of equal values, at places [first, end)
/// of `order`.
template <class Work>
void each_tie(const Array<double> &values, const Array<int> &order, Work work) {
  for (Index first = 0, end; first < order.size(); first = end) {
    for (end = first + 1;
         end < order.size() && values[order[end]] == values[order[first]];)
      ++end;
    work(first, end);
  }
}

} // namespace hitmiss

#endif
