// Centring and scaling of features, learned on training samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SCALING_HPP
#define HITMISS_DATA_SCALING_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "class_index.hpp"
#include "feature_tile.hpp"
#include "for_each_feature.hpp"
#include "require_values.hpp"

namespace hitmiss {

/// zscore: mean and standard deviation (divisor n - 1); range: minimum and
/// maximum - minimum, so that values lie in [0, 1].
enum class ScaleMethod { none, zscore, range };

namespace detail {

struct CenterScale {
  double center;
  double scale;
  bool constant;
};

/// The centre and scale of the `n` contiguous values of one feature.
inline CenterScale center_scale(const double *values, Index n,
                                ScaleMethod method) {
  if (n == 0)
    return {0.0, 1.0, true};
  double low = values[0], high = values[0];
  for (Index i = 1; i < n; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  const double largest = std::max(std::abs(low), std::abs(high));
  // The differences of values must be finite. Without scaling, squares of
  // values must be finite as well, and squares of differences must not vanish.
  const bool tiny = high > low && high - low < 1e-140;
  if (!std::isfinite(high - low) ||
      (method == ScaleMethod::none && (largest > 1e150 || tiny)))
    return {0.0, std::numeric_limits<double>::infinity(), false};
  // A range of a few units in the last place is nothing but rounding error.
  if (high - low <= 8.0 * std::numeric_limits<double>::epsilon() * largest)
    return {method == ScaleMethod::none ? 0.0 : low, 1.0, true};
  if (method == ScaleMethod::none)
    return {0.0, 1.0, false};
  if (method == ScaleMethod::range)
    return {low, high - low, false};

  // Computes with the difference from the minimum, in units of the range: then
  // neither an offset (milliseconds since 1970) nor the size of squares (of
  // values such as 1e-200) costs digits.
  const double range = high - low;
  double mean = 0.0;
  for (Index i = 0; i < n; ++i)
    mean += (values[i] - low) / range;
  mean /= static_cast<double>(n);
  double squares = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double d = (values[i] - low) / range - mean;
    squares += d * d;
  }
  const double deviation = std::sqrt(squares / static_cast<double>(n - 1));
  return {low + mean * range, deviation * range, false};
}

/// The mean over a class. Four partial sums hide the latency of scattered
/// reads; sample k always goes to sum k mod 4, so results are reproducible.
inline double class_mean(const double *values, const Array<int> &members) {
  const auto n = static_cast<double>(members.size());
  const auto total = [&](double divisor) {
    double sum[4] = {};
    for (Index i = 0; i < members.size(); ++i)
      sum[i % 4] += values[members[i]] / divisor;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  };
  const double sum = total(1.0);
  return std::isfinite(sum) ? sum / n : total(n); // else the sum overflowed
}

/// Returns the pooled standard deviation within classes, NaN if no class has
/// two samples. `means[c * stride]` is the mean of class c.
inline double class_spread(const double *values,
                           const Array<Array<int>> &classes,
                           const double *means, Index stride) {
  Index freedom = 0;
  for (const auto &members : classes)
    freedom += std::max<Index>(members.size() - 1, 0);
  double largest = 0.0;
  const auto squares = [&](double unit) {
    double sum[4] = {};
    for (Index c = 0; c < classes.size(); ++c) {
      const auto &members = classes[c];
      for (Index k = 0; k < members.size(); ++k) {
        const double d = values[members[k]] - means[c * stride];
        sum[k % 4] += (d / unit) * (d / unit);
        largest = std::max(largest, std::abs(d));
      }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  };
  double unit = 1.0, sum = squares(unit);
  // If squares vanish or overflow, the sum is computed again with differences
  // in units of the largest one.
  if ((sum < 1e-200 || sum > 1e200) && largest > 0.0) {
    unit = largest;
    sum = squares(unit);
  }
  return unit * std::sqrt(sum / static_cast<double>(freedom));
}

} // namespace detail

/// Optional outputs of learn_scaling(): the mean of the raw values of feature j
/// in class c goes to values[c * n_features + j], the pooled standard deviation
/// within classes to spread[j].
struct ClassMeans {
  const ClassIndex *classes; ///< unlabelled samples do not count
  double *values;            ///< n_features x n_classes
  double *spread;            ///< n_features
};

namespace detail {

/// Learns the scaling of feature j from its values that are not missing (NaN).
inline void learn_feature(Index j, const Array<double> &values,
                          ScaleMethod method, const ClassMeans *means,
                          Scaling &result) {
  const bool whole = all_finite(values.data(), values.size());
  Array<double> known;
  Array<Array<int>> members;
  if (!whole) {
    known = values;
    leave_known(known, [](double value) { return value; });
    if (means != nullptr)
      members = means->classes->members();
    for (auto &some : members)
      leave_known(some, [&](int n) { return values[n]; });
  }
  const auto &used = whole ? values : known;
  const auto s = center_scale(used.data(), used.size(), method);
  result.center[j] = s.center;
  result.scale[j] = s.scale;
  result.constant[j] = s.constant ? 1 : 0;
  if (means == nullptr)
    return;
  const auto &classes = whole ? means->classes->members() : members;
  const Index n_features = result.center.size();
  for (Index c = 0; c < classes.size(); ++c)
    means->values[c * n_features + j] = class_mean(values.data(), classes[c]);
  means->spread[j] =
      class_spread(values.data(), classes, means->values + j, n_features);
}

} // namespace detail

/// Learns the scaling of every feature of `x` from the values that are not
/// missing (NaN). O(n_samples n_features).
/// The scale of a feature is infinite if its range is more than a double can
/// hold or, without scaling, if squares of its values overflow or squares of
/// their differences underflow.
inline Scaling learn_scaling(const MatrixView &x, ScaleMethod method,
                             Runtime &runtime,
                             const ClassMeans *means = nullptr) {
  const Index n_features = x.n_features;
  detail::require(n_features == 0 || x.n_samples >= 1,
                  "there is no sample to learn a scaling from");
  detail::require(n_features == 0 || x.data != nullptr || x.tiles,
                  "x has no values");
  detail::require(means == nullptr || means->classes->n_classes() == 0 ||
                      means->classes->n_samples() == x.n_samples,
                  "one label per sample is needed");
  Scaling result{Array<double>(n_features), Array<double>(n_features),
                 Array<char>(n_features)};
  for_each_feature(x, runtime, [&](Index j, const Array<double> &values) {
    detail::learn_feature(j, values, method, means, result);
  });
  return result;
}

/// Scales the features `columns` of the samples `train` and `test` as learned
/// on `train`: train_out[k * train.size() + i] is feature columns[k] of sample
/// train[i], and test_out likewise. A feature that is constant in `train`
/// becomes 0 in both outputs, unless the method is none. Required: `x` is an
/// array, because single values are read in place.
inline void scale_parts(const MatrixView &x, const Array<Index> &columns,
                        const Array<Index> &train, const Array<Index> &test,
                        ScaleMethod method, double *train_out, double *test_out,
                        Runtime &runtime) {
  detail::require(!x.tiles, "x must be in memory: single values are read");
  detail::require_places(columns, x.n_features);
  detail::require_places(train, x.n_samples);
  detail::require_places(test, x.n_samples);
  detail::require(!train.empty() || method == ScaleMethod::none,
                  "there is no sample to learn a scaling from");
  const auto gather = [&](Index column, const Array<Index> &samples,
                          double *out) {
    for (Index i = 0; i < samples.size(); ++i)
      out[i] = x(samples[i], column);
  };
  runtime.for_parts(columns.size(), 64, [&](Index first, Index end) {
    for (Index k = first; k < end; ++k) {
      double *known = train_out + k * train.size();
      double *others = test_out + k * test.size();
      gather(columns[k], train, known);
      gather(columns[k], test, others);
      if (method == ScaleMethod::none)
        continue;
      const auto s = detail::center_scale(known, train.size(), method);
      const auto scale = [&](double value) {
        return s.constant ? 0.0 : (value - s.center) / s.scale;
      };
      std::transform(known, known + train.size(), known, scale);
      std::transform(others, others + test.size(), others, scale);
    }
  });
}

} // namespace hitmiss

#endif
