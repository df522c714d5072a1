// Scalings, learned on two threads.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_LEARN_SCALING_HPP
#define HITMISS_TESTS_LEARN_SCALING_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include <hitmiss/data/class_index.hpp>
#include <hitmiss/data/feature_tile.hpp>
#include <hitmiss/data/require_values.hpp>
#include <hitmiss/pairs/neighbour_key.hpp>

#include "host.hpp"

namespace learn_scaling {

using hitmiss::Array;
using hitmiss::Index;

inline hitmiss::Scaling learn(const hitmiss::MatrixView &x,
                              hitmiss::ScaleMethod how) {
  return with_threads(2, [&](hitmiss::Runtime &runtime) {
    return hitmiss::learn_scaling(x, how, runtime);
  });
}

} // namespace learn_scaling

#endif
