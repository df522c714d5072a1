// Entropies of counts, exact enough that equal tables give equal bits.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_COUNT_ENTROPY_HPP
#define HITMISS_COMPARATORS_COUNT_ENTROPY_HPP

#include <cmath>
#include <cstdint>

#include "../runtime/array.hpp"

namespace hitmiss {

/// n log n (natural logarithm) for n = 0, ..., total, as whole multiples of a
/// tiny unit. Sums of whole numbers do not depend on their order: two tables
/// with the same counts in other places have the same information, to the bit,
/// and ties between features are not broken by rounding noise.
class CountEntropy {
public:
  explicit CountEntropy(int total) : total_(total), terms_(size(total)) {
    // Terms of 50 bits: a double's own rounding stays below half a unit.
    const double largest = total > 1 ? total * std::log(total) : 1.0;
    int exponent = 0;
    std::frexp(largest, &exponent);
    unit_ = std::ldexp(1.0, exponent - 50);
    for (int n = 2; n <= total; ++n)
      terms_[n] = std::llround(n * std::log(n) / unit_);
  }

  int total() const { return total_; }

  /// n log n, in units.
  std::int64_t operator()(int n) const { return terms_[n]; }

  /// Sum over cells minus rows minus columns plus total, in units, to nats per
  /// sample. What the rounding of `n_terms` terms may have left counts as 0.
  double information(std::int64_t sum, Index n_terms) const {
    if (sum <= n_terms)
      return 0.0;
    return static_cast<double>(sum) * unit_ / total_;
  }

private:
  static Index size(int total) { return total + 1; }

  int total_;
  double unit_ = 1.0;
  Array<std::int64_t> terms_;
};

} // namespace hitmiss

#endif
