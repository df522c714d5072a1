// Checks the contracts of the entry functions: a breach throws an exception.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_REQUIRE_HPP
#define HITMISS_RUNTIME_REQUIRE_HPP

#include <stdexcept>

namespace hitmiss::detail {

/// Throws std::invalid_argument unless `met`; `contract` says what is required.
/// `met` must be false for a NaN: write require(value > 0.0, ...).
inline void require(bool met, const char *contract) {
  if (!met)
    throw std::invalid_argument(contract);
}

} // namespace hitmiss::detail

#endif
