// From a fuzzer's bytes to a small, nasty problem: ties, duplicates, constants,
// extreme scales, classes of one.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_FUZZ_PROBLEM_HPP
#define HITMISS_FUZZ_PROBLEM_HPP

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <hitmiss/data/class_index.hpp>
#include <hitmiss/data/matrix_view.hpp>
#include <hitmiss/data/scaling.hpp>

#include "../support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace fuzz {

/// An invariant. Stops the fuzzer, which then keeps the input.
inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline void require_finite(const Array<double> &values, const char *what) {
  for (const double value : values)
    require(std::isfinite(value), what);
}

/// Reads what it is given, then zeros.
class Bytes {
public:
  Bytes(const std::uint8_t *data, Index size) : data_(data), left_(size) {}
  unsigned byte() {
    if (left_ == 0)
      return 0;
    --left_;
    return *data_++;
  }
  /// From `low` to `high`, both included.
  int between(int low, int high) {
    return low + static_cast<int>(byte()) % (high - low + 1);
  }
  bool coin() { return byte() % 2 == 1; }
  bool empty() const { return left_ == 0; }

private:
  const std::uint8_t *data_;
  Index left_;
};

/// One feature, of one of several kinds, into `column`.
inline void fill_feature(Bytes &bytes, Array<double> &values, Index n,
                         Index j) {
  double *column = values.data() + n * j;
  const int kind = bytes.between(0, 8);
  const double scale = std::ldexp(1.0, 8 * bytes.between(-12, 12));
  const Index twin = j > 0 ? bytes.byte() % j : 0;
  for (Index i = 0; i < n; ++i) {
    const double digit = bytes.byte();
    switch (kind) {
    case 0: // constant
      column[i] = scale;
      break;
    case 1: // two values
      column[i] = digit < 128 ? 0.0 : 1.0;
      break;
    case 2: // few values, many ties
      column[i] = std::floor(digit / 64);
      break;
    case 3: // a twin of an earlier feature
      column[i] = j > 0 ? values[n * twin + i] : digit;
      break;
    case 4: // nearly constant: about the rounding of a large number
      column[i] = 1e8 + digit * 1e-7;
      break;
    case 5: // most at the floor: without spread within many a class
      column[i] = digit < 208 ? 0.0 : 1.0 + std::floor(digit / 16);
      break;
    default: // any scale
      column[i] = (digit + bytes.byte() / 256.0) * scale;
    }
  }
}

struct Problem {
  explicit Problem(Bytes &bytes, int most_samples = 14, int most_features = 20,
                   bool unlabelled = false)
      : n_classes(bytes.between(2, 4)),
        n(bytes.between(n_classes, most_samples)),
        features(bytes.between(1, most_features)), values(n * features) {
    for (int i = 0; i < n; ++i) // every class has a sample
      labels.push_back(i < n_classes ? i : bytes.between(0, n_classes - 1));
    if (unlabelled)
      for (int i = n_classes; i < n; ++i)
        if (bytes.coin())
          labels[i] = hitmiss::ClassIndex::unlabelled;
    for (int j = 0; j < features; ++j)
      fill_feature(bytes, values, n, j);
    // Samples that are copies of others, with their own label or another.
    for (int copies = bytes.between(0, 3); copies > 0; --copies) {
      const int from = bytes.between(0, n - 1), to = bytes.between(0, n - 1);
      for (int j = 0; j < features; ++j)
        values[n * j + to] = values[n * j + from];
    }
    // Raw values of any scale have no meaningful tolerances.
    method = bytes.coin() ? hitmiss::ScaleMethod::range
                          : hitmiss::ScaleMethod::zscore;
    raw = hitmiss::view_by_feature(values.data(), n, features);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, method, runtime);
    });
  }
  hitmiss::ScaledView x() const { return {raw, &learned}; }
  hitmiss::ClassIndex y() const { return {labels, n_classes}; }
  bool in_range() const { return method == hitmiss::ScaleMethod::range; }
  bool is_constant(int j) const { return learned.constant[j] != 0; }
  bool all_constant() const {
    for (int j = 0; j < features; ++j)
      if (!is_constant(j))
        return false;
    return true;
  }

  int n_classes, n, features;
  Array<double> values;
  Array<int> labels;
  hitmiss::ScaleMethod method = hitmiss::ScaleMethod::range;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

/// A level that this machine has.
inline hitmiss::SimdLevel some_level(Bytes &bytes) {
  const auto level = static_cast<hitmiss::SimdLevel>(bytes.between(0, 2));
  return hitmiss::simd_supported(level) ? level : hitmiss::SimdLevel::baseline;
}

/// Equal but for the rounding of another order of operations.
inline void require_close(const Array<double> &a, const Array<double> &b,
                          double tolerance, const char *what) {
  require(a.size() == b.size(), what);
  for (Index j = 0; j < a.size(); ++j)
    require(std::abs(a[j] - b[j]) <=
                tolerance * (1.0 + std::abs(a[j]) + std::abs(b[j])),
            what);
}

} // namespace fuzz

#endif
