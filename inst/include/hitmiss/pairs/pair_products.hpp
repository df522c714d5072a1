// Inner products of features in the space of all pairs, never forming a pair.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PAIR_PRODUCTS_HPP
#define HITMISS_PAIRS_PAIR_PRODUCTS_HPP

#include <algorithm>
#include <array>
#include <cmath>

#include "../data/class_index.hpp"
#include "../data/panel_source.hpp"
#include "allowed_pairs.hpp"
#include "panel_product.hpp"

namespace hitmiss {

/// z_ab(j) = k(x_aj, x_bj) = sum over terms of b u^q v^q: one term per power.
struct KernelTerm {
  int power;
  double coefficient;
};

/// (u v + offset)^degree; degree 1 and offset 0 is the linear kernel.
inline Array<KernelTerm> kernel_terms(int degree, double offset) {
  Array<KernelTerm> terms;
  double choose = 1.0;
  for (int q = degree; q >= 0; --q) {
    const double b = choose * std::pow(offset, degree - q);
    if (b != 0.0)
      terms.push_back({q, b});
    choose = choose * q / (degree - q + 1);
  }
  return terms;
}

inline double integer_power(double x, int power) {
  double result = 1.0;
  for (int i = 0; i < power; ++i)
    result *= x;
  return result;
}

/// All pairs of the samples from `begin` to `end`, which are counted (sign 1)
/// or taken out again (-1).
struct PairRange {
  Index begin, end;
  double sign;
};

/// What products need of the whole data set. `x` holds the labelled samples
/// first; the loss runs over pairs of those, correlations over all samples.
struct PairSpace {
  PanelSource x;
  Index n_labelled = 0;
  AllowedPairs allowed;    ///< of the samples as x has them
  Array<PairRange> ranges; ///< the same for the labelled, as sums of squares
  Array<KernelTerm> terms;
  double redundancy = 0.0;    ///< a3 of paper eq. (6)
  Array<double> mean;         ///< of every feature
  Array<double> inverse_norm; ///< 1 / ||x_j - mean_j||, 0 if constant
  SimdLevel simd = SimdLevel::baseline;
};

/// Means and norms over all samples, for the correlations of eq. (6); left at 0
/// without that term.
inline void learn_moments(PairSpace &space, const Array<char> &constant,
                          Runtime &runtime) {
  const Index n = space.x.n_samples();
  const Index padded = space.x.n_panels() * panel_width;
  space.mean.assign(padded, 0.0);
  space.inverse_norm.assign(padded, 0.0);
  if (space.redundancy == 0.0)
    return;
  constexpr Index group = PanelSource::Reader::group * panel_width;
  runtime.for_parts(space.x.n_features(), group, [&](Index first, Index end) {
    PanelSource::Reader read(space.x);
    for (Index j = first; j < end; ++j) {
      if (constant[j])
        continue;
      const double *lane = read(j / panel_width) + j % panel_width;
      double mean = 0.0, squares = 0.0;
      for (Index a = 0; a < n; ++a)
        mean += lane[a * panel_width];
      mean /= static_cast<double>(n);
      for (Index a = 0; a < n; ++a)
        squares +=
            (lane[a * panel_width] - mean) * (lane[a * panel_width] - mean);
      space.mean[j] = mean;
      space.inverse_norm[j] = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
    }
  });
}

/// The powers of one panel of 16 features, for its 16 lanes.
class PanelPowers {
public:
  explicit PanelPowers(const PairSpace &space)
      : space_(space), diagonal_(space.n_labelled * panel_width) {
    for (const auto &term : space.terms)
      powers_.emplace_back(term.power == 1 ? 0
                                           : space.x.n_samples() * panel_width);
  }

  /// `panel`: n_samples x 16, borrowed until the next call.
  void load(const double *panel) {
    panel_ = panel;
    for (Index q = 0; q < powers_.size(); ++q)
      for (Index i = 0; i < powers_[q].size(); ++i)
        powers_[q][i] = integer_power(panel[i], space_.terms[q].power);
    for (Index i = 0; i < diagonal_.size(); ++i) {
      double d = 0.0;
      for (Index q = 0; q < powers_.size(); ++q)
        d += space_.terms[q].coefficient * power(q)[i] * power(q)[i];
      diagonal_[i] = d;
    }
  }

  const double *plain() const { return panel_; }
  const double *power(Index q) const {
    return space_.terms[q].power == 1 ? panel_ : powers_[q].data();
  }
  /// k(x_aj, x_aj): the self pairs, which are no pairs.
  const double *diagonal() const { return diagonal_.data(); }

private:
  const PairSpace &space_;
  const double *panel_ = nullptr;
  Array<AlignedBuffer<double>> powers_;
  AlignedBuffer<double> diagonal_;
};

/// (Z'T)_j of the feature in one lane, T = +1 for pairs of one class and -1
/// otherwise. Over all ordered pairs and self pairs of a range x'Tx is 2 sum
/// over classes (class sum)^2 - (sum)^2.
inline double target_product(const PairSpace &space, const ClassIndex &y,
                             const PanelPowers &powers, Index lane) {
  double value = 0.0;
  for (Index q = 0; q < space.terms.size(); ++q)
    for (const PairRange &range : space.ranges) {
      Array<double> sums(y.n_classes(), 0.0);
      double all = 0.0, square = 0.0;
      for (Index a = range.begin; a < range.end; ++a) {
        const double x = powers.power(q)[a * panel_width + lane];
        sums[y[a]] += x;
        all += x;
        square += x * x;
      }
      double quadratic = -all * all - square;
      for (const double sum : sums)
        quadratic += 2.0 * sum * sum;
      value += 0.5 * range.sign * space.terms[q].coefficient * quadratic;
    }
  return value;
}

/// A few features packed as the columns of products.
class PackedFeatures {
public:
  /// `values`: all samples of each of the features.
  PackedFeatures(const PairSpace &space, const Array<Index> &features,
                 const Array<double> *values)
      : diagonal_(space.n_labelled, count(features)),
        centred_(space.redundancy > 0.0 ? space.x.n_samples() : 0,
                 count(features)) {
    for (Index q = 0; q < space.terms.size(); ++q)
      powers_.emplace_back(space.n_labelled, count(features));
    for (Index k = 0; k < count(features); ++k)
      pack(space, features[k], values[k], k);
  }

  Index n_groups() const { return diagonal_.n_groups(); }
  const PackedColumns<double> &power(Index q) const { return powers_[q]; }
  const PackedColumns<double> &diagonal() const { return diagonal_; }
  const PackedColumns<double> &centred() const { return centred_; }

private:
  static Index count(const Array<Index> &features) { return features.size(); }

  void pack(const PairSpace &space, Index feature, const Array<double> &values,
            Index k) {
    for (Index a = 0; a < space.n_labelled; ++a) {
      double d = 0.0;
      for (Index q = 0; q < space.terms.size(); ++q) {
        const double p = integer_power(values[a], space.terms[q].power);
        powers_[q](a, k) = p;
        d += space.terms[q].coefficient * p * p;
      }
      diagonal_(a, k) = d;
    }
    for (Index a = 0; a < centred_.length(); ++a)
      centred_(a, k) =
          (values[a] - space.mean[feature]) * space.inverse_norm[feature];
  }

  Array<PackedColumns<double>> powers_;
  PackedColumns<double> diagonal_;
  PackedColumns<double> centred_;
};

/// One panel against one group: 4 columns x 16 lanes.
constexpr Index panel_block = column_group * panel_width;
using PanelBlock = FixedArray<double, panel_block>;

namespace detail {

/// Sums over the samples from `begin` to `end`.
inline PanelBlock multiply(SimdLevel level, const double *panel,
                           const PackedColumns<double> &columns, Index g,
                           Index begin, Index end) {
  alignas(64) PanelBlock out;
  PanelJob<double> job;
  job.panel = panel + begin * panel_width;
  job.lanes = panel_width;
  job.columns = columns.group(g) + begin * column_group;
  job.length = end - begin;
  job.out = out.data();
  job.out_stride = panel_width;
  panel_product(level, job);
  return out;
}

} // namespace detail

/// (Z'Z)_jk + a3 cor(x_j, x_k)^2 for the 16 features j of a loaded panel and
/// group `g` of the packed features k. `inverse_norm`: of the panel's lanes.
/// The pair sum of a range is half of (all ordered pairs less the self pairs).
inline PanelBlock gram_block(const PairSpace &space, const PanelPowers &panel,
                             const double *inverse_norm,
                             const PackedFeatures &columns, Index g) {
  PanelBlock out{};
  for (const PairRange &range : space.ranges) {
    auto sums = detail::multiply(space.simd, panel.diagonal(),
                                 columns.diagonal(), g, range.begin, range.end);
    for (double &value : sums)
      value = -value;
    for (Index q = 0; q < space.terms.size(); ++q)
      for (Index r = 0; r < space.terms.size(); ++r) {
        const double b =
            space.terms[q].coefficient * space.terms[r].coefficient;
        const auto dot =
            detail::multiply(space.simd, panel.power(q), columns.power(r), g,
                             range.begin, range.end);
        for (Index i = 0; i < panel_block; ++i)
          sums[i] += b * dot[i] * dot[i];
      }
    for (Index i = 0; i < panel_block; ++i)
      out[i] += 0.5 * range.sign * sums[i];
  }
  if (space.redundancy > 0.0) {
    const auto dot =
        detail::multiply(space.simd, panel.plain(), columns.centred(), g, 0,
                         columns.centred().length());
    for (Index i = 0; i < panel_block; ++i) {
      const double correlation = dot[i] * inverse_norm[i % panel_width];
      out[i] += space.redundancy * correlation * correlation;
    }
  }
  return out;
}

/// x_j' R x_j for the 16 features j of a panel.
class QuadraticForm {
public:
  /// `r`: symmetric, n x n, row by row.
  QuadraticForm(const Array<double> &r, Index n) : lower_(n, n) {
    for (Index a = 0; a < n; ++a)
      for (Index b = 0; b <= a; ++b)
        lower_(b, a) = (a == b ? 1.0 : 2.0) * r[a * n + b];
  }

  void operator()(SimdLevel level, const double *panel, double *out) const {
    const Index n = lower_.length();
    std::fill_n(out, panel_width, 0.0);
    alignas(64) PanelBlock row;
    PanelJob<double> job;
    job.panel = panel;
    job.lanes = panel_width;
    job.out = row.data();
    job.out_stride = panel_width;
    for (Index g = 0; g < lower_.n_groups(); ++g) {
      const Index end = std::min(n, (g + 1) * column_group);
      job.columns = lower_.group(g);
      job.length = end;
      panel_product(level, job);
      for (Index a = g * column_group; a < end; ++a)
        for (Index lane = 0; lane < panel_width; ++lane)
          out[lane] += panel[a * panel_width + lane] *
                       row[(a - g * column_group) * panel_width + lane];
    }
  }

private:
  PackedColumns<double> lower_;
};

} // namespace hitmiss

#endif
