// Margins by sample from lists of neighbours, and their moments by class.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_SAMPLE_MARGINS_HPP
#define HITMISS_RELIEF_SAMPLE_MARGINS_HPP

#include <algorithm>
#include <cmath>

#include "../data/class_index.hpp"
#include "../pairs/for_each_tile.hpp"

namespace hitmiss {

/// A neighbour of a sample, and the coefficient of the difference from it.
struct PairTerm {
  int sample;
  double coefficient;
};

/// The neighbours of one sample.
struct SampleTerms {
  int sample;
  Array<PairTerm> terms;
};

/// margin[g] = sum of coefficient |x_at - x_sample| over a list, for the 16
/// features of a group, which lie together: group[n * feature_group + g].
struct TermListJob {
  const double *group = nullptr;
  const SampleTerms *list = nullptr;
  double *margin = nullptr;
};

struct TermListKernel {
  template <int Bytes> static HITMISS_INLINE void run(const TermListJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index n_vectors = feature_group / S::lanes;
    V sum[n_vectors] = {}, at[n_vectors];
#pragma GCC unroll 8
    for (int v = 0; v < n_vectors; ++v)
      S::load(at[v],
              job.group + job.list->sample * feature_group + v * S::lanes);
    for (const PairTerm &term : job.list->terms) {
      const double *other = job.group + term.sample * feature_group;
#pragma GCC unroll 8
      for (int v = 0; v < n_vectors; ++v) {
        V difference;
        S::load(difference, other + v * S::lanes);
        difference -= at[v];
        S::absolute(difference);
        sum[v] += difference * term.coefficient;
      }
    }
    for (int v = 0; v < n_vectors; ++v)
      S::store(job.margin + v * S::lanes, sum[v]);
  }
};

/// Adds the margins of all lists to the sum of every feature; counts the values
/// of x as progress. O(J (N + the terms)).
inline void add_margins(const ScaledView &x, const Array<SampleTerms> &lists,
                        SimdLevel simd, Array<double> &sums, Runtime &runtime) {
  detail::for_each_group(
      x, runtime, [&](Index first, Index count, const double *group) {
        for (const SampleTerms &list : lists) {
          double margin[feature_group];
          run_simd<TermListKernel>(simd, TermListJob{group, &list, margin});
          for (Index f = 0; f < count; ++f)
            sums[first + f] += margin[f];
        }
        runtime.checkpoint();
      });
}

/// Means and squared deviations of the samples' margins, by class and feature.
/// Samples are added in one fixed order, whatever the threads.
class ClassMoments {
public:
  ClassMoments(Index n_features, int n_classes)
      : n_classes_(n_classes), counts_(n_classes),
        means_(n_features * n_classes), squares_(means_.size()) {}

  /// Adds the margins of samples with their neighbours; counts the values of x
  /// as progress. O(J (N + the terms)).
  void add(const ScaledView &x, const ClassIndex &y,
           const Array<SampleTerms> &lists, SimdLevel simd, Runtime &runtime) {
    detail::for_each_group(
        x, runtime, [&](Index first, Index count, const double *group) {
          Array<double> seen(counts_);
          for (const SampleTerms &list : lists) {
            double margin[feature_group];
            run_simd<TermListKernel>(simd, TermListJob{group, &list, margin});
            const int c = y[list.sample];
            const double now = ++seen[c];
            for (Index f = 0; f < count; ++f)
              include((first + f) * n_classes_ + c, margin[f], now);
          }

          runtime.checkpoint();
        });
    for (const SampleTerms &list : lists)
      ++counts_[y[list.sample]];
  }

  /// scores = sum_c share_c mean_c; errors = the root of sum_c share_c^2 s_c^2
  /// / m_c (1 - m_c / N_c), where m_c samples were added of the N_c = sizes[c].
  void combine(const Array<int> &sizes, Array<double> &scores,
               Array<double> &errors) const {
    double total = 0.0;
    for (const int some : sizes)
      total += some;
    const Index n_features = means_.size() / n_classes_;
    scores.assign(n_features, 0.0);
    errors.assign(n_features, 0.0);
    for (Index j = 0; j < n_features; ++j) {
      for (int c = 0; c < n_classes_; ++c) {
        const Index at = j * n_classes_ + c;
        const double m = counts_[c], all = sizes[c];
        const double share = all / total;
        scores[j] += share * means_[at];
        if (m > 1.0)
          errors[j] +=
              share * share * squares_[at] / (m - 1.0) / m * (1.0 - m / all);
      }
      errors[j] = std::sqrt(errors[j]);
    }
  }

private:
  void include(Index at, double value, double count) {
    const double off = value - means_[at];
    means_[at] += off / count;
    squares_[at] += off * (value - means_[at]);
  }

  int n_classes_;
  Array<double> counts_;
  Array<double> means_, squares_; ///< feature by class
};

} // namespace hitmiss

#endif
