// How much a binned feature says about the class: chi-squared, information.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_ASSOCIATION_HPP
#define HITMISS_COMPARATORS_ASSOCIATION_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../runtime/require.hpp"
#include "discretise.hpp"

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

enum class Association { chi_squared, information };

/// How many samples have code a in one variable and code b in another.
class CrossTable {
public:
  template <class A, class B>
  void count(const A *a, int n_a, const B *b, int n_b, Index n) {
    columns_ = n_b;
    cells_.assign(n_a * columns_, 0);
    row_.assign(n_a, 0);
    column_.assign(columns_, 0);
    for (Index i = 0; i < n; ++i)
      ++cells_[a[i] * columns_ + b[i]];
    for (Index at = 0; at < cells_.size(); ++at) {
      row_[at / columns_] += cells_[at];
      column_[at % columns_] += cells_[at];
    }
  }

  /// sum (O - E)^2 / E; cells that expect nothing are skipped. Terms are added
  /// by size, so that equal tables in another order give equal bits.
  double chi_squared(Index n) {
    terms_.clear();
    for (Index at = 0; at < cells_.size(); ++at) {
      const double expected = static_cast<double>(row_[at / columns_]) *
                              column_[at % columns_] / static_cast<double>(n);
      const double off = cells_[at] - expected;
      if (expected > 0.0)
        terms_.push_back(off * off / expected);
    }
    std::sort(terms_.begin(), terms_.end());
    double sum = 0.0;
    for (const double term : terms_)
      sum += term;
    return sum;
  }

  /// sum O / N log(O N / (row column)), nats, by counts only.
  double information(const CountEntropy &entropy) const {
    std::int64_t sum = entropy(entropy.total());
    for (const int count : cells_)
      sum += entropy(count);
    for (const int count : row_)
      sum -= entropy(count);
    for (const int count : column_)
      sum -= entropy(count);
    return entropy.information(sum,
                               cells_.size() + row_.size() + column_.size());
  }

private:
  Index columns_ = 0;
  Array<int> cells_, row_, column_;
  Array<double> terms_;
};

/// The association of every feature with the class. O(N J).
inline Array<double> association_scores(const BinnedFeatures &x,
                                        const ClassIndex &y, Association kind,
                                        Runtime &runtime) {
  detail::require(y.n_samples() == x.n_samples &&
                      y.n_labelled() == y.n_samples(),
                  "one label per sample is needed");
  detail::require(x.is_sound(), "codes must lie below their feature's levels");

  Array<int> labels;
  for (Index n = 0; n < x.n_samples; ++n)
    labels.push_back(y[n]);
  const CountEntropy entropy(y.n_samples());
  Array<double> scores(x.n_features);
  runtime.for_parts(x.n_features, 256, [&](Index first, Index end) {
    CrossTable table;
    for (Index j = first; j < end; ++j) {
      table.count(x.feature(j), x.levels[j], labels.data(), y.n_classes(),
                  x.n_samples);
      scores[j] = kind == Association::information
                      ? table.information(entropy)
                      : table.chi_squared(x.n_samples);
    }
  });
  return scores;
}

} // namespace hitmiss

#endif
