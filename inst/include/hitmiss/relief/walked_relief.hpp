// Relief where values are missing: every feature has neighbours of its own.
//
// walked_relief(), walked_rrelieff() and walked_srelieff() take NaN in x, and
// are near_relief(), rrelieff() and srelieff() of what is there: the distance
// of two samples counts a feature that one of them lacks by missing_gaps(), and
// a sample's neighbours of a feature are the nearest that have it. Required:
// as without missing values, but for these; a rule that is not pooled. Memory:
// walked_bytes_needed(). Time: N^2 J pair features, and N J steps by the first
// neighbours that have a feature.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_WALKED_RELIEF_HPP
#define HITMISS_RELIEF_WALKED_RELIEF_HPP

#include <algorithm>
#include <utility>

#include "relief.hpp"
#include "rrelieff.hpp"
#include "srelieff.hpp"

namespace hitmiss {

/// Bytes beside the data that the three functions take.
inline double walked_bytes_needed(const FitSize &size, double samples = 0) {
  return detail::row_bytes(size, samples) +
         (64.0 + 16.0 * static_cast<double>(size.class_sizes.size())) *
             size.n_features;
}

namespace detail {

/// A sample in the order of neighbours of another. All from the one before it
/// that is farther to place `end` are as near.
struct WalkStep {
  double apart; ///< of the two outcomes
  int sample, end;
};

/// The neighbours of a sample, kind by kind, the nearest first: those of kind c
/// are steps [starts[c], starts[c + 1]).
struct WalkList {
  int sample;
  Array<WalkStep> steps;
  Array<int> starts;
};

template <class Kinds, class Apart>
WalkList walk_list(int sample, const double *distances, Index n_samples,
                   const Kinds &kinds, const CentredOrder &order, Apart apart) {
  Array<Array<Neighbour>> near(kinds.count());
  for (int i = 0; i < n_samples; ++i)
    if (const int kind = kinds(sample, i); kind >= 0)
      near[kind].push_back({distances[i], i, order(distances[i], i)});
  WalkList list{sample, {}, {0}};
  for (auto &some : near) {
    std::sort(some.begin(), some.end());
    const Index first = list.steps.size();
    for (const Neighbour &i : some)
      list.steps.push_back({apart(sample, i.sample), i.sample, 0});
    for (Index at = some.size() - 1; at >= 0; --at) {
      const bool tied =
          at + 1 < some.size() && some[at].key == some[at + 1].key;
      list.steps[first + at].end = tied ? list.steps[first + at + 1].end
                                        : static_cast<int>(first + at + 1);
    }
    list.starts.push_back(static_cast<int>(list.steps.size()));
  }
  return list;
}

/// What is summed over the first k neighbours that have a feature: the
/// difference d in it; d, the distance t of the outcomes and t d; or what t is
/// above a mean.
enum class WalkSum { difference, outcome, excess };

/// Walks steps [begin, end) of a list for the 16 features of a group. count[g]
/// is the number of neighbours, 0 where the sample lacks the feature; sums[q *
/// feature_group + g] is sum q. Neighbours that tie for the last places share
/// them.
struct WalkJob {
  const double *group = nullptr;
  int sample = 0;
  const WalkStep *steps = nullptr;
  Index begin = 0, end = 0;
  double k = 0.0;
  const double *mean = nullptr;
  double *count = nullptr, *sums = nullptr;
};

template <WalkSum what> struct WalkKernel {
  template <int Bytes> static HITMISS_INLINE void run(const WalkJob &job) {
    for (Index g = 0; g < feature_group; g += Simd<double, Bytes>::lanes)
      walk<Bytes>(job, g);
  }

private:
  static constexpr int n_sums = what == WalkSum::outcome ? 3 : 1;

  template <int Bytes>
  static HITMISS_INLINE void walk(const WalkJob &job, Index g) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    using Bits = typename S::Bits;
    const V k = V{} + job.k, one = V{} + 1.0;
    V at, mean = {}, count, sum[n_sums] = {};
    S::load(at, job.group + job.sample * feature_group + g);
    if (what == WalkSum::excess)
      S::load(mean, job.mean + g);
    const Bits has = (Bits)(at == at);
    count = k; // where the sample lacks the feature, there is nothing to find
    S::keep(count, ~has);
    const Index least = job.begin + static_cast<Index>(job.k);
    for (Index s = job.begin;
         s < job.end && (s < least || is_below<Bytes>(count, k));) {
      const Index end = job.steps[s].end;
      const bool alone = end == s + 1;
      V here = {}, part[n_sums] = {};
      for (; s < end; ++s)
        add<Bytes>(job, s, g, at, mean, here, part);
      const V left = k - count;
      // Most steps are alone; they are taken where a place is left.
      if (alone) {
        const Bits open = (Bits)(left > V{});
        S::keep(here, open);
        for (int q = 0; q < n_sums; ++q)
          S::keep(part[q], open);
      } else {
        V share = left / here, whole = one, taken = left;
        const Bits over = (Bits)(here > left);
        S::keep(share, over);
        S::keep(whole, ~over);
        share += whole;
        for (int q = 0; q < n_sums; ++q)
          part[q] *= share;
        S::keep(taken, over);
        S::keep(here, ~over);
        here += taken;
      }
      count += here;
      for (int q = 0; q < n_sums; ++q)
        sum[q] += part[q];
    }
    S::keep(count, has);
    S::store(job.count + g, count);
    for (int q = 0; q < n_sums; ++q)
      S::store(job.sums + q * feature_group + g, sum[q]);
  }

  template <int Bytes>
  static HITMISS_INLINE bool
  is_below(const typename Simd<double, Bytes>::Vector &count,
           const typename Simd<double, Bytes>::Vector &k) {
    using Bits = typename Simd<double, Bytes>::Bits;
    const Bits below = (Bits)(count < k);
    std::int64_t any = 0;
    for (Index lane = 0; lane < Simd<double, Bytes>::lanes; ++lane)
      any |= below[lane];
    return any != 0;
  }

  /// Adds the terms of one neighbour where it has the feature.
  template <int Bytes>
  static HITMISS_INLINE void
  add(const WalkJob &job, Index s, Index g,
      const typename Simd<double, Bytes>::Vector &at,
      const typename Simd<double, Bytes>::Vector &mean,
      typename Simd<double, Bytes>::Vector &here,
      typename Simd<double, Bytes>::Vector *part) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const WalkStep &step = job.steps[s];
    V difference, known = V{} + 1.0;
    S::load(difference, job.group + step.sample * feature_group + g);
    difference -= at;
    S::absolute(difference);
    const typename S::Bits there = (typename S::Bits)(difference == difference);
    S::keep(difference, there);
    S::keep(known, there);
    here += known;
    const V apart = known * step.apart;
    if (what == WalkSum::excess) {
      V more = apart - mean;
      const typename S::Bits above = (typename S::Bits)(more > V{});
      S::keep(more, there & above);
      part[0] += more;
      return;
    }
    part[0] += difference;
    if (what == WalkSum::outcome) {
      part[1] += apart;
      part[2] += difference * apart;
    }
  }
};

/// Calls work(first, count, group, list) for the samples' lists of neighbours,
/// in order, for each group of features (see for_each_group()), several groups
/// at once. Adds to times[n] the number of lists whose k nearest sample n is
/// among.
template <class Kinds, class Apart, class Work>
void each_walk(const ScaledView &x, const Array<int> &samples,
               const Kinds &kinds, const NeighbourOptions &options,
               Array<int> &times, Runtime &runtime, Apart apart, Work work) {
  const auto gaps = missing_gaps(x, options.metric, runtime);
  ReferenceDistances distances(x, samples, options.metric, options.simd,
                               options.at_once, runtime, gaps);
  runtime.monitor().expect(distances.pair_features() +
                           static_cast<double>(distances.n_parts()) *
                               static_cast<double>(x.n_samples()) *
                               static_cast<double>(x.n_features()));
  const bool held = distances.all_at_once();
  CentredOrder order;
  if (options.centre && !held)
    order = {mean_distances(x, options.metric, options.allowed, runtime, gaps),
             options.metric};
  const auto count = [&](const WalkList &list) {
    for (int kind = 0; kind < kinds.count(); ++kind) {
      const int first = list.starts[kind], end = list.starts[kind + 1];
      if (first < end)
        for (int s = first;
             s < list.steps[std::min(end - first, options.k) + first - 1].end;
             ++s)
          ++times[list.steps[s].sample];
    }
  };
  distances.each_part(runtime, [&](const SampleRange &part,
                                   const PairMatrix<double> &values) {
    if (options.centre && held)
      order = {mean_distances(values, x.n_samples(), options.metric,
                              options.allowed, runtime),
               options.metric};
    Array<WalkList> lists(part.size());
    runtime.for_each(part.size(), [&](Index k, int) {
      lists[k] = walk_list(samples[part.begin + k], values.row(k),
                           x.n_samples(), kinds, order, apart);
    });
    std::for_each(lists.begin(), lists.end(), count);
    for_each_group(x, runtime, [&](Index first, Index n, const double *group) {
      for (const WalkList &list : lists)
        work(first, n, group, list);
      runtime.checkpoint();
    });
  });
}

inline WalkJob walk_job(const double *group, const WalkList &list, int kind,
                        int k, double *count, double *sums) {
  WalkJob job;
  job.group = group;
  job.sample = list.sample;
  job.steps = list.steps.data();
  job.begin = list.starts[kind];
  job.end = list.starts[kind + 1];
  job.k = k;
  job.count = count;
  job.sums = sums;
  return job;
}

/// A list for each class, which is empty if the sample may not be compared with
/// any miss: then it does not count.
struct WalkKinds {
  const ClassIndex &y;
  const AllowedCounts &counts;
  NeighbourKinds kinds;
  int count() const { return kinds.count(); }
  int operator()(Index n, Index i) const {
    return counts.counts(y, n) ? kinds(n, i) : NeighbourKinds::none;
  }
};

/// Means and moments of margins where each feature has neighbours of its own.
class WalkedMargins {
public:
  WalkedMargins(Index n_features, const ClassIndex &y, MissRule rule,
                const AllowedCounts &counts, const ReferenceSamples &reference)
      : y_(y), rule_(rule), counts_(counts), sizes_(reference.sizes),
        moments_(n_features, y.n_classes()), share_(y.n_classes()),
        others_(y.n_classes() > 2 ? n_features * y.n_classes() : 0),
        weights_(others_.size()) {
    Array<double> own(y.n_classes());
    for (const int n : reference.samples)
      if (counts.counts(y, n)) {
        moments_.add_sample(y[n]);
        own[y[n]] += 1.0;
      }
    for (Index c = 0; c < own.size(); ++c)
      share_[c] = own[c] > 0.0 ? sizes_[c] / own[c] : 0.0;
  }

  /// Adds the margins of a sample from means over its neighbours by class:
  /// count[c * feature_group + f] of them, and the sums of their differences.
  void add(int n, Index first, Index n_features, const double *count,
           const double *sums) {
    const int own = y_[n];
    const auto at = [](int c, Index f) { return c * feature_group + f; };
    ClassWeights weights(y_, rule_);
    for (Index f = 0; f < n_features; ++f) {
      const double hits = count[at(own, f)];
      // A sample that may be compared with no hit uses its misses alone.
      if (hits == 0.0 && counts_.of_class(n, own) > 0)
        continue;
      const double near = hits > 0.0 ? sums[at(own, f)] / hits : 0.0;
      weights.enter(n, [&](int c) { return count[at(c, f)] > 0.0; });
      double margin = weights.hit() * near;
      bool any = false;
      for (int c = 0; c < y_.n_classes(); ++c) {
        if (c == own || count[at(c, f)] == 0.0)
          continue;
        const double miss = sums[at(c, f)] / count[at(c, f)];
        margin += weights.miss(c) * miss;
        any = true;
        if (!others_.empty()) {
          const Index place = (first + f) * y_.n_classes() + c;
          others_[place] += share_[own] * (miss - near);
          weights_[place] += share_[own];
        }
      }
      if (any)
        moments_.include(first + f, own, margin);
    }
  }

  void combine(Index n_features, SampledScores &result) const {
    moments_.combine(sizes_, result.scores, result.errors);
    const int n_classes = y_.n_classes();
    result.class_margins.resize(others_.size());
    for (Index j = 0; j < n_features; ++j) {
      const double share = moments_.share_with(j, sizes_);
      result.scores[j] *= share;
      result.errors[j] *= share;
      for (int c = 0; c < n_classes && !others_.empty(); ++c) {
        const Index at = j * n_classes + c;
        const double other =
            weights_[at] > 0.0 ? others_[at] / weights_[at] : 0.0;
        result.class_margins[c * n_features + j] =
            0.5 * share * (moments_.mean(j, c) + other);
      }
    }
  }

private:
  const ClassIndex &y_;
  MissRule rule_;
  const AllowedCounts &counts_;
  const Array<int> &sizes_;
  ClassMoments moments_;
  Array<double> share_, others_, weights_; ///< the last two feature by class
};

/// Sums over the samples that have a neighbour for a feature, of means over
/// these: d, t, t d and (t - its mean) d, see WalkSum; what t is above its
/// mean, and the part of it that censored samples have.
struct OutcomeSums {
  double samples = 0.0, difference = 0.0, outcome = 0.0, product = 0.0;
  double centred = 0.0, excess = 0.0, censored = 0.0;
};

struct WalkedOutcome {
  Array<OutcomeSums> sums; ///< by feature
  Array<int> times_listed;
  double samples; ///< that may be compared with any other
};

/// `event`: of survival times, or nullptr.
template <class Apart>
WalkedOutcome walk_outcome(const ScaledView &x, const NeighbourOptions &options,
                           int samples, Runtime &runtime, Apart apart,
                           const char *event) {
  options.check();
  options.allowed.check_size(x.n_samples());
  const auto rows = outcome_rows(x.n_samples(), samples, runtime);
  const AllowedKind kinds{options.allowed};
  WalkedOutcome found{Array<OutcomeSums>(x.n_features()),
                      Array<int>(x.n_samples()), 0.0};
  for (const int n : rows)
    for (int i = 0; i < x.n_samples(); ++i)
      if (options.allowed(n, i)) {
        found.samples += 1.0;
        break;
      }
  each_walk(
      x, rows, kinds, options, found.times_listed, runtime, apart,
      [&](Index first, Index n, const double *group, const WalkList &list) {
        double count[feature_group], sums[3 * feature_group];
        double mean[feature_group] = {}, excess[feature_group] = {};
        WalkJob job = walk_job(group, list, 0, options.k, count, sums);
        run_simd<WalkKernel<WalkSum::outcome>>(options.simd, job);
        for (Index f = 0; f < n; ++f)
          mean[f] = count[f] > 0.0 ? sums[feature_group + f] / count[f] : 0.0;
        if (event != nullptr) {
          double again[feature_group];
          job.mean = mean;
          job.count = again;
          job.sums = excess;
          run_simd<WalkKernel<WalkSum::excess>>(options.simd, job);
        }
        for (Index f = 0; f < n; ++f) {
          if (count[f] == 0.0)
            continue;
          OutcomeSums &to = found.sums[first + f];
          const double d = sums[f] / count[f];
          const double product = sums[2 * feature_group + f] / count[f];
          to.samples += 1.0;
          to.difference += d;
          to.outcome += mean[f];
          to.product += product;
          to.centred += product - mean[f] * d;
          const double more = excess[f] / count[f];
          to.excess += more;
          if (event != nullptr && event[list.sample] == 0)
            to.censored += more;
        }
      });
  return found;
}

} // namespace detail

/// sampled_relief() of values that may be missing: W_j = s_j sum_c N_c / N
/// times the mean of the margins of class c. Sample n has a margin of feature j
/// if it has a value, and a near hit and a near miss of any class that have
/// one: the k first of its order; a class without any is left out. s_j is the
/// share of the samples that have a margin.
inline SampledScores walked_relief(const ScaledView &x, const ClassIndex &y,
                                   const NearReliefOptions &options,
                                   int samples, Runtime &runtime) {
  detail::require_samples(x, 2, true);
  const auto counts =
      detail::require_classes(x.n_samples(), y, options.allowed);
  options.check();
  detail::require(samples >= 0, "the number of samples must be at least 0");
  detail::require(!is_pooled(options.rule),
                  "near misses must be those of each class");
  const ReferenceSamples reference(y, counts, samples, runtime);
  SampledScores result;
  result.times_listed.resize(x.n_samples());
  detail::WalkedMargins margins(x.n_features(), y, options.rule, counts,
                                reference);
  const detail::WalkKinds kinds{y, counts, {y, options.allowed, false}};
  detail::each_walk(
      x, reference.samples, kinds, options, result.times_listed, runtime,
      [](int, int) { return 0.0; },
      [&](Index first, Index n, const double *group,
          const detail::WalkList &list) {
        Array<double> count(y.n_classes() * feature_group), sums(count.size());
        for (int c = 0; c < y.n_classes(); ++c)
          run_simd<detail::WalkKernel<detail::WalkSum::difference>>(
              options.simd, detail::walk_job(group, list, c, options.k,
                                             count.data() + c * feature_group,
                                             sums.data() + c * feature_group));
        margins.add(list.sample, first, n, count.data(), sums.data());
      });
  margins.combine(x.n_features(), result);
  result.scores = without_noise(std::move(result.scores));
  result.class_margins = without_noise(std::move(result.class_margins));
  return result;
}

/// rrelieff() of values that may be missing: its sums over the samples that
/// have feature j and a neighbour that has it, times the share of these.
inline SampledScores walked_rrelieff(const ScaledView &x,
                                     const Array<double> &outcome,
                                     const NeighbourOptions &options,
                                     Runtime &runtime, int samples = 0) {
  detail::require_samples(x, 2, true);
  const double range = detail::outcome_range(outcome, x.n_samples());
  auto found = detail::walk_outcome(
      x, options, samples, runtime,
      [&](Index n, Index i) {
        return std::abs(outcome[n] - outcome[i]) / range;
      },
      nullptr);
  Array<double> scores;
  for (const auto &sums : found.sums) {
    const double same = sums.samples - sums.outcome;
    const double up = sums.outcome > 0.0 ? sums.product / sums.outcome : 0.0;
    const double down =
        same > 0.0 ? (sums.difference - sums.product) / same : 0.0;
    scores.push_back(
        found.samples > 0.0 ? (up - down) * sums.samples / found.samples : 0.0);
  }
  return {
      without_noise(std::move(scores)), {}, std::move(found.times_listed), {}};
}

/// srelieff() of values that may be missing: m_n and H are those of the
/// neighbours of feature j; times the share of the samples that have any.
inline SurvivalScores walked_srelieff(const ScaledView &x,
                                      const SurvivalOutcome &outcome,
                                      const NeighbourOptions &options,
                                      Runtime &runtime, int samples = 0) {
  detail::require_samples(x, 2, true);
  outcome.check(x.n_samples());
  auto found = detail::walk_outcome(
      x, options, samples, runtime,
      [&](Index n, Index i) { return outcome.apart(n, i); },
      outcome.event.data());
  Array<double> scores;
  double spread = 0.0, censored = 0.0;
  for (const auto &sums : found.sums) {
    scores.push_back(sums.excess > 0.0 ? sums.centred / sums.excess *
                                             sums.samples / found.samples
                                       : 0.0);
    spread += sums.excess;
    censored += sums.censored;
  }
  return {
      {without_noise(std::move(scores)), {}, std::move(found.times_listed), {}},
      spread,
      spread > 0.0 ? censored / spread : 0.0};
}

} // namespace hitmiss

#endif
