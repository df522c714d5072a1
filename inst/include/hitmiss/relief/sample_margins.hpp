// Margins by sample from lists of neighbours; of a class against the rest;
// moments by class.
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

/// Adds coefficient |x_at - x_sample| of the terms [begin, end) of a sample to
/// margin[g], for the 16 features of a group, which lie together: group[n *
/// feature_group + g].
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

/// The terms of a list up to `end`, all of one class, and what they add to its
/// margin against the rest: `of_near` times their sum less `of_hits` times that
/// of the near hits.
struct ClassTerms {
  const PairTerm *end;
  int of_class;
  double of_near = 0.0, of_hits = 0.0;
};

/// Does the work of a TermListJob, and adds to the margins of the classes, that
/// of class c to sums[c * feature_group + f].
struct ClassTermsJob {
  TermListJob list;
  const Array<ClassTerms> &parts; ///< near hits first
  int own;                        ///< the class of the sample
  double whole; ///< what the margin of the sample counts in its class
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

/// The margin of every class against the rest, by feature. Half of it is the
/// mean margin of the samples of the class; the other half is the mean, over
/// all other samples, of the difference from their near ones of the class less
/// that from their near hits.
class ClassMargins {
public:
  /// `reference`: the samples whose margins are added; those of a class count
  /// as much as all of its samples that count.
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

  /// Does a job and adds to the sums of a group of features.
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

/// Calls work(first, count, list, margin) with the margins of every list for
/// the features of a group, in order; adds them to `by_class` unless that is
/// null. Counts the values of x as progress. O(J (N + the terms)).
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

/// Adds the margins of all lists to the sum of every feature.
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

  /// Counts a sample of a class, which has a margin for some features.
  void add_sample(int c) { samples_[c] += 1.0; }
  /// Includes its margin of one feature.
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
  /// The share of the samples that have a margin of a feature, of which sizes
  /// tells the number by class.
  double share_with(Index feature, const Array<int> &sizes) const {
    double total = 0.0, with = 0.0;
    for (int c = 0; c < n_classes_; ++c) {
      total += sizes[c];
      if (sizes[c] > 0)
        with += sizes[c] * (counts_[feature * n_classes_ + c] / samples_[c]);
    }
    return with / total;
  }

  /// scores = sum_c N_c / N mean_c; errors = the root of sum_c (N_c / N)^2
  /// s_c^2 / m_cj (1 - m_c / N_c) for feature j. Of the N_c = sizes[c] samples
  /// of a class m_c were added, and m_cj of these have a margin of the feature.
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
