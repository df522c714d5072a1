// Relief with missing values: every feature has neighbours of its own.
//
// walked_relief(), walked_rrelieff() and walked_srelieff() are
// sampled_relief(), rrelieff() and srelieff() for x with missing values (NaN).
// In distances, missing_gaps() stands for the difference in a feature that one
// of two samples lacks. The neighbours for a feature are the nearest samples
// that have it. Required: as for sampled_relief() and so on, and a rule that is
// not pooled. Memory: walked_bytes_needed(). Time: N^2 J pair features, and for
// each value the steps to the k-th neighbour that has the feature.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_WALKED_RELIEF_HPP
#define HITMISS_RELIEF_WALKED_RELIEF_HPP

#include <algorithm>
#include <cmath>
#include <map>
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

/// A neighbour in a WalkList.
struct WalkStep : RankedSample {
  double apart; ///< distance of the two outcomes
};

/// The neighbours of a sample, kind by kind, the nearest first: those of kind c
/// are steps [starts[c], starts[c + 1]).
struct WalkList {
  int sample;
  Array<WalkStep> steps;
  Array<int> starts;
};

/// `kind(n, i)` is the kind of neighbour i of sample n; negative: no neighbour.
template <class Kind, class Apart>
WalkList walk_list(int sample, const double *distances, int n_samples,
                   int n_kinds, Kind kind, const CentredOrder &order,
                   Apart apart) {
  Array<Array<Neighbour>> near(n_kinds);
  for (int i = 0; i < n_samples; ++i)
    if (const int c = kind(sample, i); c >= 0)
      near[c].push_back({distances[i], i, order(distances[i], i)});
  WalkList list{sample, {}, {0}};
  for (auto &some : near) {
    std::sort(some.begin(), some.end());
    for (const Neighbour &i : some) {
      const auto tied = std::upper_bound(
          some.begin(), some.end(), i,
          [](const auto &a, const auto &b) { return a.key < b.key; });
      list.steps.push_back(
          {{i.sample,
            list.starts.back() + static_cast<int>(tied - some.begin())},
           apart(sample, i.sample)});
    }
    list.starts.push_back(static_cast<int>(list.steps.size()));
  }
  return list;
}

/// The numbers whose means are taken over the first k neighbours that have a
/// feature: the difference d in it; or d, the distance t of the outcomes, and
/// t d; or the excess of t above a given mean (at least 0).
enum class WalkSum { difference, outcome, excess };

/// Averages over steps [begin, end) of a list, for the 16 features of a group.
/// count[f]: the number of neighbours, 0 if the sample lacks feature f (NaN);
/// means[q * feature_group + f]: the mean number q of a WalkSum, 0 without
/// neighbours. Neighbours that tie for the last places share these places.
struct WalkJob {
  const double *group;
  Index sample;
  const WalkStep *steps;
  Index begin, end;
  int k;
  double *count, *means;
  const double *above; ///< for `excess`: the given mean, by feature
};

template <WalkSum what> struct WalkKernel {
  template <int Bytes> static HITMISS_INLINE void run(const WalkJob &job) {
    for (Index f = 0; f < feature_group;
         f += n_vectors * Simd<double, Bytes>::lanes)
      walk<Bytes>(job, f);
  }

private:
  static constexpr int n_vectors = 2, n_sums = what == WalkSum::outcome ? 3 : 1;

  template <int Bytes>
  static HITMISS_INLINE void walk(const WalkJob &job, Index first) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const V none = {}, one = none + 1.0, k = none + static_cast<double>(job.k);
    V at[n_vectors], above[n_vectors] = {}, left[n_vectors];
    V sum[n_sums][n_vectors] = {};
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) {
      const Index f = first + v * S::lanes;
      S::load(at[v], job.group + job.sample * feature_group + f);
      if (what == WalkSum::excess)
        S::load(above[v], job.above + f);
      left[v] = at[v] == at[v] ? k : none; // a NaN needs no neighbours
    }
    // A feature that lacks m neighbours needs at least m more steps.
    Index s = job.begin;
    for (Index more; s < job.end && (more = most<S>(left)) > 0;)
      for (const Index stop = std::min(s + more, job.end); s < stop;) {
        const Index end = job.steps[s].end;
        const bool tied = end > s + 1;
        V here[n_vectors] = {}, part[n_sums][n_vectors] = {};
        for (; s < end; ++s) {
          const double apart = job.steps[s].apart;
          const double *other =
              job.group + job.steps[s].sample * feature_group + first;
#pragma GCC unroll 2
          for (int v = 0; v < n_vectors; ++v) {
            // g++ computes a comparison lane by lane, unless it is the
            // condition of a conditional expression of its own.
            V d;
            S::load(d, other + v * S::lanes);
            d -= at[v];
            S::absolute(d);
            const V there = d == d ? one : none;
            here[v] += there;
            if (what == WalkSum::excess) {
              const V more = apart - above[v];
              part[0][v] += there * (more > none ? more : none);
              continue;
            }
            part[0][v] += d == d ? d : none;
            if (what == WalkSum::outcome) {
              part[1][v] += there * apart;
              part[2][v] += d == d ? d * apart : none;
            }
          }
        }
#pragma GCC unroll 2
        for (int v = 0; v < n_vectors; ++v) {
          V taken = here[v] < left[v] ? here[v] : left[v];
          left[v] -= taken;
          if (tied)
            taken /= here[v] > one ? here[v] : one;
#pragma GCC unroll 3
          for (int q = 0; q < n_sums; ++q)
            sum[q][v] += part[q][v] * taken;
        }
      }
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) {
      const Index f = first + v * S::lanes;
      const V count = at[v] == at[v] ? k - left[v] : none;
      S::store(job.count + f, count);
#pragma GCC unroll 3
      for (int q = 0; q < n_sums; ++q)
        S::store(job.means + q * feature_group + f,
                 sum[q][v] / (count > one ? count : one));
    }
  }

  /// Returns the largest lane of both vectors.
  template <class S>
  static HITMISS_INLINE Index most(const typename S::Vector *left) {
    const typename S::Vector high = left[0] > left[1] ? left[0] : left[1];
    double most[S::lanes];
    S::store(most, high);
    for (Index half = S::lanes / 2; half > 0; half /= 2)
      for (Index lane = 0; lane < half; ++lane)
        most[lane] = std::max(most[lane], most[lane + half]);
    return static_cast<Index>(most[0]);
  }
};

/// Counts and means for a group over the neighbours of one kind, see WalkJob.
template <WalkSum what>
void walk(const double *group, const WalkList &list, int kind,
          const NeighbourOptions &options, double *count, double *means,
          const double *above = nullptr) {
  run_simd<WalkKernel<what>>(options.simd,
                             WalkJob{group, list.sample, list.steps.data(),
                                     list.starts[kind], list.starts[kind + 1],
                                     options.k, count, means, above});
}

/// Adds to times[n] how often sample n is among the k nearest of one kind.
inline void count_walked(const WalkList &list, int k, Array<double> &times) {
  for (Index c = 0; c + 1 < list.starts.size(); ++c) {
    const int all = list.starts[c + 1] - list.starts[c];
    int end = list.starts[c] + std::min(k, all);
    if (end > list.starts[c])
      end = list.steps[end - 1].end;
    for (int s = list.starts[c]; s < end; ++s)
      times[list.steps[s].sample] += 1.0;
  }
}

/// Calls work(first, count, group, lists) for each group of features, several
/// groups at once (see for_each_group()), with the lists of neighbours of some
/// samples at a time, in order, after count(list) for each of the lists.
/// Returns the number of samples that have neighbours.
template <class Kind, class Apart, class Count, class Work>
double each_walk(const ScaledView &x, const Array<int> &samples, int n_kinds,
                 Kind kind, Apart apart, const NeighbourOptions &options,
                 Runtime &runtime, Count count, Work work) {
  const auto gaps = missing_gaps(x, options.metric, runtime);
  ReferenceDistances distances(x, samples, options.metric, options.simd,
                               options.at_once, runtime, gaps);
  const auto n_samples = static_cast<int>(x.n_samples());
  runtime.monitor().expect(distances.pair_features() +
                           static_cast<double>(distances.n_parts()) *
                               n_samples * static_cast<double>(x.n_features()));
  const bool held = distances.all_at_once();
  CentredOrder order;
  if (options.centre && !held)
    order = {mean_distances(x, options.metric, options.allowed, runtime, gaps),
             options.metric};
  double n_lists = 0.0;
  distances.each_part(runtime, [&](const SampleRange &part,
                                   const PairMatrix<double> &values) {
    if (options.centre && held)
      order = {mean_distances(values, n_samples, options.metric,
                              options.allowed, runtime),
               options.metric};
    Array<WalkList> lists(part.size());
    runtime.for_each(part.size(), [&](Index row, int) {
      lists[row] = walk_list(samples[part.begin + row], values.row(row),
                             n_samples, n_kinds, kind, order, apart);
    });
    for (const WalkList &list : lists) {
      n_lists += list.steps.empty() ? 0.0 : 1.0;
      count(list);
    }
    for_each_group(x, runtime, [&](Index first, Index n, const double *group) {
      work(first, n, group, lists);
      runtime.checkpoint();
    });
  });
  return n_lists;
}

/// Balanced mean differences if each feature has neighbours of its own.
class BalancedWalk {
public:
  BalancedWalk(const ClassIndex &y, const AllowedPairs &allowed)
      : y_(y), allowed_(allowed) {
    std::map<std::pair<int, int>, int> cells;
    for (int n = 0; n < y.n_samples(); ++n)
      cells.insert({{allowed.block(n), y[n]}, static_cast<int>(cells.size())});
    for (int n = 0; n < y.n_samples(); ++n)
      cell_.push_back(cells[{allowed.block(n), y[n]}]);
    n_cells_ = static_cast<int>(cells.size());
  }

  /// Counts the samples of each block and class that have the features of a
  /// group: [f * number of such cells + cell].
  Array<int> known(const double *group) const {
    Array<int> known(feature_group * n_cells_);
    for (Index n = 0; n < cell_.size(); ++n)
      for (Index f = 0; f < feature_group; ++f)
        known[f * n_cells_ + cell_[n]] += has(group, n, f) ? 1 : 0;
    return known;
  }

  /// Sets count[c * feature_group + f] to the number of candidates of class c
  /// for feature f of a group, and at the same place, for a class of misses,
  /// `means` to the mean difference from them, `hits` to that from the hits.
  void run(const double *group, Index n_features, const WalkList &list,
           const Array<int> &known, BalancedWeights &weights, double *count,
           double *means, double *hits) const {
    const int own = y_[list.sample];
    Array<Candidates<WalkStep>> kinds(y_.n_classes());
    for (Index f = 0; f < n_features; ++f) {
      const auto value = [&](Index i) { return group[i * feature_group + f]; };
      const auto there = [&](Index i) { return has(group, i, f); };
      const double at = value(list.sample);
      const bool lacks = !there(list.sample);
      const auto mean = [&](int c, const RankWeights &ranks) {
        double sum = 0.0;
        kinds[c].share(ranks, there, [&](int i, double weight) {
          sum += weight * std::abs(value(i) - at);
        });
        return sum / ranks.k;
      };
      for (int c = 0; c < y_.n_classes(); ++c) {
        kinds[c] = candidates(list, c, there, known.data() + f * n_cells_);
        count[c * feature_group + f] = lacks ? 0.0 : kinds[c].count;
      }
      const int h = kinds[own].count;
      for (int c = 0; c < y_.n_classes() && !lacks && h > 0; ++c)
        if (const int q = kinds[c].count; c != own && q > 0) {
          means[c * feature_group + f] = mean(c, weights(q, h));
          hits[c * feature_group + f] = mean(own, weights(h, q));
        }
    }
  }

  /// Adds to times[n] the weights that sample n has among the neighbours in a
  /// list, if no value were missing.
  void count_listed(const WalkList &list, BalancedWeights &weights,
                    Array<double> &times) const {
    Array<Candidates<WalkStep>> kinds;
    for (int c = 0; c < y_.n_classes(); ++c)
      kinds.push_back(candidates(
          list, c, [](Index) { return true; }, nullptr));
    balanced_terms(
        kinds, y_[list.sample], [&](int c) { return y_.count(c); }, weights,
        [&](int i, double, double listed) { times[i] += listed; });
  }

private:
  static bool has(const double *group, Index n, Index f) {
    return !std::isnan(group[n * feature_group + f]);
  }

  /// `known`: how many samples of each cell have the feature.
  template <class There>
  Candidates<WalkStep> candidates(const WalkList &list, int c, There there,
                                  const int *known) const {
    Candidates<WalkStep> result{
        list.steps.data(), list.starts[c], list.starts[c + 1], 0, {}};
    const int listed = result.end - result.begin;
    if (allowed_.has_groups())
      result.join_groups(allowed_, there);
    else if (listed > 0)
      result.count = known == nullptr
                         ? listed
                         : known[cell_[result.steps[result.begin].sample]] -
                               (c == y_[list.sample] ? 1 : 0);
    return result;
  }

  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  Array<int> cell_;
  int n_cells_ = 0;
};

/// Means and moments of margins if each feature has neighbours of its own.
class WalkedMargins {
public:
  WalkedMargins(Index n_features, const ClassIndex &y,
                const NearReliefOptions &options, const AllowedCounts &counts,
                const ReferenceSamples &reference)
      : y_(y), prior_(options.rule == MissRule::prior),
        balanced_(options.balanced), counts_(counts), sizes_(reference.sizes),
        moments_(n_features, y.n_classes()), share_(y.n_classes()),
        others_(y.n_classes() > 2 ? n_features * y.n_classes() : 0),
        weights_(others_.size()) {
    for (const int n : reference.samples)
      if (counts.counts(y, n)) {
        moments_.add_sample(y[n]);
        share_[y[n]] += 1.0;
      }
    for (Index c = 0; c < share_.size(); ++c)
      share_[c] = share_[c] > 0.0 ? sizes_[c] / share_[c] : 0.0;
  }

  /// Adds the margins of sample n. count[c * feature_group + f] is the number
  /// of its neighbours of class c for feature first + f, and `means` has the
  /// mean difference from them at the same place. `hits`: see BalancedWalk.
  void add(int n, Index first, Index n_features, const double *count,
           const double *means, const double *hits) {
    const int own = y_[n];
    for (Index f = 0; f < n_features; ++f) {
      // A sample that may be compared with no hit uses its misses alone.
      if (count[own * feature_group + f] == 0.0 && counts_.of_class(n, own) > 0)
        continue;
      const double near = balanced_ ? 0.0 : means[own * feature_group + f];
      double misses = 0.0, weight = 0.0; // weights are those of ClassWeights
      for (int c = 0; c < y_.n_classes(); ++c) {
        const Index at = c * feature_group + f;
        if (c == own || count[at] == 0.0)
          continue;
        const double apart = balanced_ ? means[at] - hits[at] : means[at];
        misses += y_.count(c) * apart;
        weight += y_.count(c);
        if (!others_.empty()) {
          const Index place = (first + f) * y_.n_classes() + c;
          others_[place] += share_[own] * (apart - near);
          weights_[place] += share_[own];
        }
      }
      if (weight > 0.0)
        moments_.include(first + f, own,
                         misses / (prior_ ? weight + y_.count(own) : weight) -
                             near);
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
  bool prior_, balanced_;
  const AllowedCounts &counts_;
  const Array<int> &sizes_;
  ClassMoments moments_;
  Array<double> share_, others_, weights_; ///< the last two feature by class
};

/// For one feature, sums over the samples that have neighbours for it. They are
/// sums of means over the neighbours: of d, t, t d, (t - mean of t) d and
/// max(t - mean of t, 0), see WalkSum. `censored` is `excess` of censored ones.
struct OutcomeSums {
  double samples = 0.0, difference = 0.0, outcome = 0.0, product = 0.0;
  double centred = 0.0, excess = 0.0, censored = 0.0;
};

struct WalkedOutcome {
  Array<OutcomeSums> sums; ///< by feature
  Array<double> times_listed;
  double samples; ///< number of samples that have allowed neighbours
};

/// `event`: that of a SurvivalOutcome, or nullptr for a numeric outcome.
template <class Apart>
WalkedOutcome walk_outcome(const ScaledView &x, const NeighbourOptions &options,
                           int samples, Runtime &runtime, Apart apart,
                           const char *event) {
  options.check();
  options.allowed.check_size(x.n_samples());
  WalkedOutcome found{Array<OutcomeSums>(x.n_features()),
                      Array<double>(x.n_samples()), 0.0};
  found.samples = each_walk(
      x, outcome_rows(x.n_samples(), samples, runtime), 1,
      AllowedKind{options.allowed}, apart, options, runtime,
      [&](const WalkList &list) {
        count_walked(list, options.k, found.times_listed);
      },
      [&](Index first, Index n, const double *group,
          const Array<WalkList> &lists) {
        double count[feature_group], means[3 * feature_group];
        double excess[feature_group] = {};
        const double *tau = means + feature_group, *both = tau + feature_group;
        for (const WalkList &list : lists) {
          walk<WalkSum::outcome>(group, list, 0, options, count, means);
          if (event != nullptr)
            walk<WalkSum::excess>(group, list, 0, options, count, excess, tau);
          for (Index f = 0; f < n; ++f) {
            if (count[f] == 0.0)
              continue;
            OutcomeSums &to = found.sums[first + f];
            to.samples += 1.0;
            to.difference += means[f];
            to.outcome += tau[f];
            to.product += both[f];
            to.centred += both[f] - tau[f] * means[f];
            to.excess += excess[f];
            if (event != nullptr && event[list.sample] == 0)
              to.censored += excess[f];
          }
        }
      });
  return found;
}

} // namespace detail

/// sampled_relief() for values that may be missing. W_j = s_j sum_c N_c / N
/// M_c: M_c is the mean margin of class c, s_j the share of samples that have a
/// margin of feature j. Sample n has one if n, a near hit (unless n is allowed
/// none) and a near miss have a value of j. Its neighbours are the k nearest of
/// each class that have a value; a class without any is left out.
inline SampledScores walked_relief(const ScaledView &x, const ClassIndex &y,
                                   const NearReliefOptions &options,
                                   int samples, Runtime &runtime) {
  options.check();
  detail::require_samples(x, 2, true);
  const auto counts = detail::require_classes(x.n_samples(), y, options.allowed,
                                              false, options.balanced);
  detail::require(samples >= 0, "the number of samples must be at least 0");
  detail::require(!is_pooled(options.rule),
                  "near misses must be those of each class");
  const ReferenceSamples reference(y, counts, samples, runtime);
  SampledScores result;
  result.times_listed.resize(x.n_samples());
  detail::WalkedMargins margins(x.n_features(), y, options, counts, reference);
  const detail::BalancedWalk balanced(y, options.allowed);
  BalancedWeights whole(options.k);
  const NeighbourKinds kinds(y, options.allowed, false);
  detail::each_walk(
      x, reference.samples, y.n_classes(),
      // A sample that is allowed no miss does not count: it gets no neighbours.
      [&](Index n, Index i) { return counts.counts(y, n) ? kinds(n, i) : -1; },
      [](Index, Index) { return 0.0; }, options, runtime,
      [&](const detail::WalkList &list) {
        if (options.balanced)
          balanced.count_listed(list, whole, result.times_listed);
        else
          detail::count_walked(list, options.k, result.times_listed);
      },
      [&](Index first, Index n, const double *group, const auto &lists) {
        Array<double> count(y.n_classes() * feature_group), means(count.size()),
            hits(count.size());
        const auto known =
            options.balanced ? balanced.known(group) : Array<int>();
        BalancedWeights weights(options.k);
        for (const detail::WalkList &list : lists) {
          if (options.balanced)
            balanced.run(group, n, list, known, weights, count.data(),
                         means.data(), hits.data());
          for (int c = 0; c < y.n_classes() && !options.balanced; ++c)
            detail::walk<detail::WalkSum::difference>(
                group, list, c, options, count.data() + c * feature_group,
                means.data() + c * feature_group);
          margins.add(list.sample, first, n, count.data(), means.data(),
                      hits.data());
        }
      });
  margins.combine(x.n_features(), result);
  result.scores = without_noise(std::move(result.scores));
  result.class_margins = without_noise(std::move(result.class_margins));
  return result;
}

/// rrelieff() for values that may be missing. Sums are over the samples that
/// have feature j and a neighbour with it; W_j is multiplied by their share.
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

/// srelieff() for values that may be missing. m_n and H are formed over the
/// neighbours for feature j; W_j is multiplied by the share of samples that
/// have such neighbours. `spread` is the sum of H over the features.
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
