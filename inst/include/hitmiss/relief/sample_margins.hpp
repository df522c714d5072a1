// Margins of samples from lists of neighbours, margins of classes against the
// rest, and moments of margins by class.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_SAMPLE_MARGINS_HPP
#define HITMISS_RELIEF_SAMPLE_MARGINS_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/for_each_tile.hpp"
#include "../pairs/reference_samples.hpp"

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

/// For each of the 16 features g of a group, adds to margin[g] the sum of
/// coefficient |difference from `sample`| over the terms [begin, end). Feature
/// g of sample n is group[n * feature_group + g].
struct TermListJob {
  const double *group = nullptr;
  int sample = 0;
  const PairTerm *begin = nullptr, *end = nullptr;
  double *margin = nullptr;
};

struct TermListKernel {
  template <int Bytes> static HITMISS_INLINE void run(const TermListJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index n_vectors = feature_group / S::lanes;
    V sum[n_vectors], at[n_vectors];
#pragma GCC unroll 8
    for (int v = 0; v < n_vectors; ++v) {
      S::load(sum[v], job.margin + v * S::lanes);
      S::load(at[v], job.group + job.sample * feature_group + v * S::lanes);
    }
    for (const PairTerm *term = job.begin; term != job.end; ++term) {
      const double *other = job.group + term->sample * feature_group;
#pragma GCC unroll 8
      for (int v = 0; v < n_vectors; ++v) {
        V difference;
        S::load(difference, other + v * S::lanes);
        difference -= at[v];
        S::absolute(difference);
        sum[v] += difference * term->coefficient;
      }
    }
    for (int v = 0; v < n_vectors; ++v)
      S::store(job.margin + v * S::lanes, sum[v]);
  }
};

/// The terms of one class in a list, which end before `end`. They add to the
/// margin of this class against the rest: `of_near` times their sum, less
/// `of_hits` times the sum of the terms of the near hits.
struct ClassTerms {
  const PairTerm *end;
  int of_class;
  double of_near = 0.0, of_hits = 0.0;
};

/// Does the work of a TermListJob, and adds what the sample contributes to the
/// margin of class c to sums[c * feature_group + f].
struct ClassTermsJob {
  TermListJob list;
  const Array<ClassTerms> &parts; ///< near hits first
  int own;                        ///< the class of the sample
  double whole; ///< factor of the sample's margin in that of its class
  double *sums;
};

struct ClassTermsKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const ClassTermsJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index n_vectors = feature_group / S::lanes;
    TermListJob list = job.list;
    V before[n_vectors] = {}, hits[n_vectors] = {}, margin, sum;
    double *sums = nullptr;
    for (const ClassTerms &part : job.parts) {
      list.end = part.end;
      TermListKernel::run<Bytes>(list);
      list.begin = part.end;
      sums = job.sums + part.of_class * feature_group;
#pragma GCC unroll 8
      for (int v = 0; v < n_vectors; ++v) {
        S::load(margin, list.margin + v * S::lanes);
        const V near = margin - before[v];
        before[v] = margin;
        if (part.of_class == job.own)
          hits[v] = near;
        S::load(sum, sums + v * S::lanes);
        sum += near * part.of_near - hits[v] * part.of_hits;
        S::store(sums + v * S::lanes, sum);
      }
    }
    sums = job.sums + job.own * feature_group;
#pragma GCC unroll 8
    for (int v = 0; v < n_vectors; ++v) {
      S::load(sum, sums + v * S::lanes);
      sum += before[v] * job.whole;
      S::store(sums + v * S::lanes, sum);
    }
  }
};

/// The margin of every class against the rest, by feature: the average of two
/// means. One is the mean margin of the samples of the class; the other is the
/// mean, over samples of other classes, of the difference from their near
/// misses in the class less the difference from their near hits.
class ClassMargins {
public:
  /// `reference`: the samples whose margins are added. Those of a class
  /// together have the weight of all samples of the class that count.
  ClassMargins(Index n_features, const ClassIndex &y,
               const AllowedCounts &counts, const ReferenceSamples &reference)
      : n_features_(n_features), y_(y), own_(reference.sizes.size()),
        other_(own_.size()), share_(own_.size()),
        margins_(n_features * own_.size()) {
    for (const int n : reference.samples)
      if (counts.counts(y, n))
        own_[y[n]] += 1.0;
    for (Index c = 0; c < own_.size(); ++c)
      share_[c] = own_[c] > 0.0 ? reference.sizes[c] / own_[c] : 0.0;
    for (const int n : reference.samples)
      for (int c = 0; c < y.n_classes(); ++c)
        if (counts.counts(y, n) && c != y[n] && counts.of_class(n, c) > 0)
          other_[c] += share_[y[n]];
  }

  Index n_classes() const { return own_.size(); }

  /// Returns the terms of a list class by class; near hits must come first.
  Array<ClassTerms> parts(const SampleTerms &list) const {
    const int own = y_[list.sample];
    const PairTerm *at = list.terms.data();
    const PairTerm *const last = at + list.terms.size();
    Array<ClassTerms> parts;
    double hits = 0.0;
    while (at != last) {
      ClassTerms part{at, y_[at->sample]};
      double weight = 0.0;
      for (; at != last && y_[at->sample] == part.of_class; part.end = ++at)
        weight += at->coefficient;
      if (part.of_class == own) {
        hits = 1.0 / weight;
      } else {
        const double each = 0.5 * share_[own] / other_[part.of_class];
        part.of_near = each / weight;
        part.of_hits = each * hits;
      }
      parts.push_back(part);
    }
    return parts;
  }

  /// Runs a ClassTermsJob for `job`, which adds to `sums`.
  void run(const TermListJob &job, const Array<ClassTerms> &parts,
           SimdLevel simd, Array<double> &sums) const {
    const int own = y_[job.sample];
    run_simd<ClassTermsKernel>(
        simd, ClassTermsJob{job, parts, own, 0.5 / own_[own], sums.data()});
  }

  /// Adds the sums of a group to the margins.
  void add(const Array<double> &sums, Index first, Index count) {
    for (Index c = 0; c < own_.size(); ++c)
      for (Index f = 0; f < count; ++f)
        margins_[c * n_features_ + first + f] += sums[c * feature_group + f];
  }

  /// The margins, class by class. The object is empty after this.
  Array<double> take() { return std::move(margins_); }

private:
  Index n_features_;
  const ClassIndex &y_;
  Array<double> own_, other_, share_, margins_;
};

/// Calls work(first, count, list, margin) for every group of features, several
/// groups at once, and for every list in order: margin[f] is the margin of its
/// sample in feature first + f. Adds to `by_class` unless it is null. Counts
/// the values of x as progress. Time: O(J (N + number of terms)).
template <class Work>
void for_margins(const ScaledView &x, const Array<SampleTerms> &lists,
                 SimdLevel simd, ClassMargins *by_class, Runtime &runtime,
                 Work work) {
  const Index n_classes = by_class != nullptr ? by_class->n_classes() : 0;
  Array<Array<ClassTerms>> parts;
  for (Index l = 0; by_class != nullptr && l < lists.size(); ++l)
    parts.push_back(by_class->parts(lists[l]));
  detail::for_each_group(
      x, runtime, [&](Index first, Index count, const double *group) {
        Array<double> sums(n_classes * feature_group);
        for (Index l = 0; l < lists.size(); ++l) {
          const SampleTerms &list = lists[l];
          double margin[feature_group] = {};
          const PairTerm *terms = list.terms.data();
          const TermListJob job{group, list.sample, terms,
                                terms + list.terms.size(), margin};
          if (by_class != nullptr)
            by_class->run(job, parts[l], simd, sums);
          else
            run_simd<TermListKernel>(simd, job);
          work(first, count, list, margin);
        }
        if (by_class != nullptr)
          by_class->add(sums, first, count);
        runtime.checkpoint();
      });
}

/// Adds the margins of all lists in feature j to sums[j], for every j.
inline void add_margins(const ScaledView &x, const Array<SampleTerms> &lists,
                        SimdLevel simd, Array<double> &sums, Runtime &runtime,
                        ClassMargins *by_class = nullptr) {
  for_margins(
      x, lists, simd, by_class, runtime,
      [&](Index first, Index count, const SampleTerms &, const double *margin) {
        for (Index f = 0; f < count; ++f)
          sums[first + f] += margin[f];
      });
}

/// Collects means and squared deviations of the samples' margins, by class and
/// feature. Samples are added in one fixed order, whatever the number of
/// threads.
class ClassMoments {
public:
  ClassMoments(Index n_features, int n_classes)
      : n_classes_(n_classes), samples_(n_classes),
        counts_(n_features * n_classes), means_(counts_.size()),
        squares_(counts_.size()) {}

  /// Adds the margins of samples with their neighbours, see for_margins().
  void add(const ScaledView &x, const ClassIndex &y,
           const Array<SampleTerms> &lists, SimdLevel simd, Runtime &runtime,
           ClassMargins *by_class = nullptr) {
    for (const SampleTerms &list : lists)
      add_sample(y[list.sample]);
    for_margins(x, lists, simd, by_class, runtime,
                [&](Index first, Index count, const SampleTerms &list,
                    const double *margin) {
                  for (Index f = 0; f < count; ++f)
                    include(first + f, y[list.sample], margin[f]);
                });
  }

  /// Counts a sample of class c. Its margins must be passed to include().
  void add_sample(int c) { samples_[c] += 1.0; }
  /// Includes the margin of one sample of class c in one feature.
  void include(Index feature, int c, double value) {
    const Index at = feature * n_classes_ + c;
    counts_[at] += 1.0;
    const double off = value - means_[at];
    means_[at] += off / counts_[at];
    squares_[at] += off * (value - means_[at]);
  }

  double mean(Index feature, int c) const {
    return means_[feature * n_classes_ + c];
  }
  /// The share of all samples (sizes[c] of class c) that have a margin of the
  /// feature, estimated from the samples that were added.
  double share_with(Index feature, const Array<int> &sizes) const {
    double total = 0.0, with = 0.0;
    for (int c = 0; c < n_classes_; ++c) {
      total += sizes[c];
      if (sizes[c] > 0)
        with += sizes[c] * (counts_[feature * n_classes_ + c] / samples_[c]);
    }
    return with / total;
  }

  /// For feature j: score = sum_c N_c / N mean_c; error = the root of sum_c
  /// (N_c / N)^2 s_c^2 / m_cj (1 - m_c / N_c). Of N samples, N_c = sizes[c] are
  /// of class c; m_c of them were added, and m_cj of the added ones have a
  /// margin of the feature, with mean mean_c and variance s_c^2.
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
        const double m = counts_[at], all = sizes[c];
        const double share = all / total;
        scores[j] += share * means_[at];
        if (m > 1.0)
          errors[j] += share * share * squares_[at] / (m - 1.0) / m *
                       (1.0 - samples_[c] / all);
      }
      errors[j] = std::sqrt(errors[j]);
    }
  }

private:
  int n_classes_;
  Array<double> samples_;                  ///< by class
  Array<double> counts_, means_, squares_; ///< feature by class
};

} // namespace hitmiss

#endif
