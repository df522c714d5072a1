// Tests of hitmiss/runtime/aligned_buffer.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/runtime/aligned_buffer.hpp>

#include "support/host.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"

namespace pair_data {

TEST_CASE("sizes that no memory has are refused, not wrapped around") {
  constexpr auto most = std::numeric_limits<Index>::max();
  using Buffer = hitmiss::AlignedBuffer<double>;
  CHECK_THROWS_AS(Buffer::uninitialised(-1), std::bad_alloc);
  CHECK_THROWS_AS(Buffer::uninitialised(most / 4), std::bad_alloc);
  CHECK_THROWS_AS(PairMatrix<double>(most / 1024, 1024), std::bad_alloc);
}

} // namespace pair_data
