// The association of a binned feature with the class: chi-squared, information.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_ASSOCIATION_HPP
#define HITMISS_COMPARATORS_ASSOCIATION_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "../runtime/require.hpp"
#include "discretise.hpp"

namespace hitmiss {

/// n log n (natural logarithm) for n = 0, ..., total, as whole multiples of a
/// tiny unit. Sums of whole numbers do not depend on their order: two tables
/// with the same counts in another order have the same information, to the bit,
/// and ties between features are not broken by rounding noise.
class CountEntropy {
public:
  explicit CountEntropy(int total) : total_(total), terms_(total + 1) {
    // Terms have 50 bits: a double's own rounding then stays below half a unit.
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

  /// Converts `sum` = cells - rows - columns + total (sums of n log n) from
  /// units to nats per sample. A sum up to `n_terms`, the number of rounded
  /// terms, can come of rounding alone and becomes 0.
  double information(std::int64_t sum, Index n_terms) const {
    if (sum <= n_terms)
      return 0.0;
    return static_cast<double>(sum) * unit_ / total_;
  }

private:
  int total_;
  double unit_ = 1.0;
  Array<std::int64_t> terms_;
};

enum class Association { chi_squared, information };

/// The samples, grouped by their codes in one variable. Comparison compares
/// other variables with this one.
class CodeGroups {
public:
  template <class Code>
  CodeGroups(const Code *codes, int n_codes, Index n_samples)
      : starts_(n_codes + 1, 0), samples_(n_samples) {
    for (Index i = 0; i < n_samples; ++i)
      ++starts_[codes[i] + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    auto next = starts_;
    for (int i = 0; i < n_samples; ++i)
      samples_[next[codes[i]]++] = i;
  }

  Index n_samples() const { return samples_.size(); }
  Index n_codes() const { return starts_.size() - 1; }
  int count(Index code) const { return starts_[code + 1] - starts_[code]; }

  /// Calls work(a, code, number of samples with both) for every code and the
  /// codes a < n_a of another variable. Unless `all`, codes a that do not occur
  /// with `code` may be left out. `counts` must be 0 before, and is 0 after.
  /// O(samples + codes), or all pairs of codes.
  template <class Code, class Work>
  void cells(const Code *codes, int n_a, bool all, Array<int> &counts,
             Work work) const {
    counts.resize(std::max<Index>(counts.size(), n_a));
    const auto take = [&](int a, Index code) {
      work(a, code, counts[a]);
      counts[a] = 0;
    };
    for (Index code = 0; code < n_codes(); ++code) {
      for (int k = starts_[code]; k < starts_[code + 1]; ++k)
        ++counts[codes[samples_[k]]];
      if (all || n_a <= count(code))
        for (int a = 0; a < n_a; ++a)
          take(a, code);
      else
        for (int k = starts_[code]; k < starts_[code + 1]; ++k)
          if (counts[codes[samples_[k]]] > 0)
            take(codes[samples_[k]], code);
    }
  }

private:
  Array<int> starts_, samples_;
};

/// Compares the variable of `given` with others, one after the other.
class Comparison {
public:
  Comparison(const CodeGroups &given, const CountEntropy &entropy)
      : given_(given), entropy_(entropy) {
    for (Index code = 0; code < given.n_codes(); ++code)
      own_ += entropy(given.count(code));
  }

  /// Returns sum (O - E)^2 / E over observed and expected counts; cells with E
  /// = 0 are skipped. Terms are added in increasing order, so that a table in
  /// another order gives equal bits.
  template <class Code> double chi_squared(const Code *codes, int n_codes) {
    const auto n = static_cast<double>(given_.n_samples());
    totals_.assign(n_codes, 0);
    for (Index i = 0; i < given_.n_samples(); ++i)
      ++totals_[codes[i]];
    terms_.clear();
    given_.cells(codes, n_codes, true, counts_, [&](int a, Index b, int count) {
      const double expected =
          static_cast<double>(totals_[a]) * given_.count(b) / n;
      const double off = count - expected;
      if (expected > 0.0)
        terms_.push_back(off * off / expected);
    });
    std::sort(terms_.begin(), terms_.end());
    return std::accumulate(terms_.begin(), terms_.end(), 0.0);
  }

  /// Returns sum O / N log(O N / (row sum * column sum)) in nats.
  template <class Code> double information(const Code *codes, int n_codes) {
    std::int64_t sum = entropy_(entropy_.total()) - own_;
    totals_.assign(n_codes, 0);
    given_.cells(codes, n_codes, false, counts_, [&](int a, Index, int count) {
      sum += entropy_(count);
      totals_[a] += count;
    });
    for (const int total : totals_)
      sum -= entropy_(total);
    return entropy_.information(sum,
                                (given_.n_codes() + 1) * (n_codes + 1) - 1);
  }

private:
  const CodeGroups &given_;
  const CountEntropy &entropy_;
  std::int64_t own_ = 0;
  Array<int> counts_, totals_;
  Array<double> terms_;
};

/// The association of every feature with the class. Time O(N J); chi-squared
/// sorts the c = bins * classes cells of each feature's table: O((N + c log c)
/// J).
inline Array<double> association_scores(const BinnedFeatures &x,
                                        const ClassIndex &y,
                                        Association measure, Runtime &runtime) {
  detail::require(y.n_samples() == x.n_samples &&
                      y.n_labelled() == y.n_samples(),
                  "one label per sample is needed");
  detail::require(x.is_sound(), "codes must lie below their feature's levels");

  Array<int> labels;
  for (Index n = 0; n < x.n_samples; ++n)
    labels.push_back(y[n]);
  const CodeGroups classes(labels.data(), y.n_classes(), x.n_samples);
  const CountEntropy entropy(y.n_samples());
  Array<double> scores(x.n_features);
  runtime.for_parts(x.n_features, 256, [&](Index first, Index end) {
    Comparison with(classes, entropy);
    for (Index j = first; j < end; ++j)
      scores[j] = measure == Association::information
                      ? with.information(x.feature(j), x.levels[j])
                      : with.chi_squared(x.feature(j), x.levels[j]);
  });
  return scores;
}

} // namespace hitmiss

#endif
