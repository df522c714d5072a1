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
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
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

/// A neighbour in a WalkList. Those before step `end` are equally near.
struct WalkStep {
  int sample, end;
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
          {i.sample, list.starts.back() + static_cast<int>(tied - some.begin()),
           apart(sample, i.sample)});
    }
    list.starts.push_back(static_cast<int>(list.steps.size()));
  }
  return list;
}

/// The numbers whose means are taken over the first k neighbours that have a
/// feature: the difference d in it; or d, the distance t of the outcomes, and
/// t d; or the excess of t above a given mean (at least 0); or d, weighted by
/// RankWeights.
enum class WalkSum { difference, outcome, excess, balanced };

/// Averages over steps [begin, end) of a list, for the 16 features of a group.
/// count[f]: the number of neighbours, 0 if the sample lacks feature f (NaN);
/// means[q * feature_group + f]: the mean number q of a WalkSum, 0 without
/// neighbours. Neighbours that tie for the last places share these places. If
/// balanced, neighbours that tie share the weights of their places, and of each
/// group only the nearest is a neighbour.
struct WalkJob {
  const double *group;
  Index sample;
  const WalkStep *steps;
  Index begin, end;
  int k;
  double *count, *means;
  const double *above; ///< for `excess`: the given mean, by feature
  // If balanced, k and `count` are not used, but:
  const double *const *farthest = nullptr; ///< of RankWeights, by feature
  const double *left = nullptr; ///< the number of ranks; 0: no neighbours
  const AllowedPairs *groups = nullptr;
  double *tied = nullptr; ///< 0, for each group and feature
};

template <WalkSum what> struct WalkKernel {
  template <int Bytes> static HITMISS_INLINE void run(const WalkJob &job) {
    for (Index f = 0; f < feature_group;
         f += n_vectors * Simd<double, Bytes>::lanes)
      walk<Bytes>(job, f);
  }

private:
  static constexpr int n_vectors = 2, n_sums = what == WalkSum::outcome ? 3 : 1;
  static constexpr bool balanced = what == WalkSum::balanced;
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  template <int Bytes>
  static HITMISS_INLINE void walk(const WalkJob &job, Index first) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const V none = {}, one = none + 1.0, k = none + static_cast<double>(job.k);
    V at[n_vectors], above[n_vectors] = {}, left[n_vectors];
    V sum[n_sums][n_vectors] = {};
    constexpr Index width = n_vectors * S::lanes;
    Rows rows;
    const bool grouped = balanced && job.groups != nullptr;
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) {
      const Index f = first + v * S::lanes;
      S::load(at[v], job.group + job.sample * feature_group + f);
      if (what == WalkSum::excess)
        S::load(above[v], job.above + f);
      left[v] = at[v] == at[v] ? k : none; // a NaN needs no neighbours
      if (balanced) {
        S::load(left[v], job.left + f);
        for (Index i = f; i < f + S::lanes; ++i)
          rows.farther[i] = job.farthest[i][static_cast<int>(job.left[i])];
      }
    }
    // A feature that lacks m neighbours needs at least m more steps.
    Index s = job.begin;
    for (Index more; s < job.end && (more = most<S>(left)) > 0;)
      for (const Index stop = std::min(s + more, job.end); s < stop;) {
        const Index end = job.steps[s].end;
        const bool tied = end > s + 1;
        if (grouped)
          each_of_groups<S>(job, s, end, first,
                            [&](V &of_group, int v, const double *values) {
                              V value;
                              S::load(value, values + v * S::lanes);
                              of_group += value == value ? one : none;
                            });
        const Index run = s;
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
            V there = d == d ? one : none;
            if (grouped) {
              V of_group;
              S::load(of_group, place<S>(job, s, first, v));
              there /= of_group > one ? of_group : one;
            }
            here[v] += there;
            if (what == WalkSum::excess) {
              const V more = apart - above[v];
              part[0][v] += there * (more > none ? more : none);
              continue;
            }
            const V difference = d == d ? d : none;
            part[0][v] += grouped ? difference * there : difference;
            if (what == WalkSum::outcome) {
              part[1][v] += there * apart;
              part[2][v] += d == d ? d * apart : none;
            }
          }
        }
#pragma GCC unroll 2
        for (int v = 0; v < n_vectors; ++v) {
          if (grouped) // the sum of some 1 / n is a whole number
            here[v] = (here[v] + 0x1.8p52) - 0x1.8p52;
          V taken = here[v] < left[v] ? here[v] : left[v];
          left[v] -= taken;
          if (balanced)
            taken = one;
          if (tied)
            taken /= here[v] > one ? here[v] : one;
          if (balanced) {
            add_row<S>(rows, first + v * S::lanes, part[0][v] * taken, left[v]);
            continue;
          }
#pragma GCC unroll 3
          for (int q = 0; q < n_sums; ++q)
            sum[q][v] += part[q][v] * taken;
        }
        if (balanced && ++rows.count == Rows::most)
          weigh(job, rows, first, width);
        if (grouped) // a group that had a neighbour has no more
          each_of_groups<S>(
              job, run, end, first, [&](V &of_group, int, const double *) {
                of_group = of_group > none ? none + infinite : none;
              });
      }
    if (grouped)
      each_of_groups<S>(
          job, job.begin, s, first,
          [&](V &of_group, int, const double *) { of_group = none; });
    if (balanced) {
      weigh(job, rows, first, width);
      std::copy_n(rows.sum + first, width, job.means + first);
      return;
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

  /// Where the group of a step has its place in `tied`.
  template <class S>
  static HITMISS_INLINE double *place(const WalkJob &job, Index s, Index first,
                                      int v) {
    return job.tied + job.groups->group(job.steps[s].sample) * feature_group +
           first + v * S::lanes;
  }

  /// Calls work(of_group, v, values) for steps [s, end) and both vectors.
  template <class S, class Work>
  static HITMISS_INLINE void each_of_groups(const WalkJob &job, Index s,
                                            Index end, Index first, Work work) {
    for (; s < end; ++s)
      for (int v = 0; v < n_vectors; ++v) {
        typename S::Vector of_group;
        S::load(of_group, place<S>(job, s, first, v));
        work(of_group, v,
             job.group + job.steps[s].sample * feature_group + first);
        S::store(place<S>(job, s, first, v), of_group);
      }
  }

  /// Differences of tied neighbours, on average, and the ranks left after them.
  struct Rows {
    static constexpr Index most = 64;
    Index count = 0;
    double part[most][feature_group];
    std::int32_t left[most][feature_group];
    /// By feature: weighted sums, and weights of the ranks left.
    double sum[feature_group] = {}, farther[feature_group];
  };

  template <class S>
  static HITMISS_INLINE void add_row(Rows &rows, Index f,
                                     const typename S::Vector &part,
                                     const typename S::Vector &left) {
    typedef std::int32_t Whole
        __attribute__((vector_size(S::lanes * sizeof(std::int32_t))));
    const Whole places = __builtin_convertvector(left, Whole);
    std::memcpy(rows.left[rows.count] + f, &places, sizeof places);
    S::store(rows.part[rows.count] + f, part);
  }

  /// Adds the rows to the sums of n features. Looking up weights is no work for
  /// vectors; four features at a time keep the processor busy.
  static HITMISS_INLINE void weigh(const WalkJob &job, Rows &rows, Index first,
                                   Index n) {
    constexpr int together = 4;
    for (Index f = first; f < first + n; f += together) {
      double sum[together], before[together];
      for (int i = 0; i < together; ++i) {
        sum[i] = rows.sum[f + i];
        before[i] = rows.farther[f + i];
      }
      for (Index r = 0; r < rows.count; ++r)
#pragma GCC unroll 4
        for (int i = 0; i < together; ++i) {
          const double after = job.farthest[f + i][rows.left[r][f + i]];
          sum[i] += (before[i] - after) * rows.part[r][f + i];
          before[i] = after;
        }
      for (int i = 0; i < together; ++i) {
        rows.sum[f + i] = sum[i];
        rows.farther[f + i] = before[i];
      }
    }
    rows.count = 0;
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

/// Balanced mean margins if each feature has neighbours of its own.
class BalancedWalk {
public:
  BalancedWalk(const ClassIndex &y, const AllowedPairs &allowed, int k)
      : y_(y), allowed_(allowed), weights_(k) {
    std::map<int, int> blocks;
    std::map<std::pair<int, int>, Own> own; // by cell and group
    const bool joins = allowed.joins_groups();
    for (int n = 0; n < y.n_samples(); ++n) {
      const auto block =
          blocks.insert({allowed.block(n), static_cast<int>(blocks.size())});
      first_cell_.push_back(block.first->second * y.n_classes());
      Own &of_group = own[{first_cell_[n] + y[n], group(n)}];
      if (!joins || of_group.parts == 0) {
        of_group.part = static_cast<int>(cells_.size());
        ++of_group.parts;
        cells_.push_back(first_cell_[n] + y[n]);
      }
      part_.push_back(of_group.part);
    }
    n_cells_ = static_cast<int>(blocks.size()) * y.n_classes();
    for (int n = 0; n < y.n_samples(); ++n)
      for (int c = 0; c < y.n_classes(); ++c) {
        const auto found = own.find({first_cell_[n] + c, group(n)});
        own_.push_back(found == own.end() ? Own() : found->second);
      }
  }

  /// The margins for a group of features.
  class Features {
  public:
    Features(const BalancedWalk &walk, const double *group, SimdLevel simd)
        : walk_(walk), group_(group), simd_(simd),
          parts_(walk.cells_.size() * feature_group),
          cells_(walk.n_cells_ * feature_group),
          pairs_(std::min<Index>(walk.n_cells_ * walk.y_.n_classes(), 256)),
          tied_(walk.allowed_.joins_groups()
                    ? walk.allowed_.n_groups() * feature_group
                    : 0) {
      for (Index n = 0; n < walk.part_.size(); ++n)
        for (Index f = 0; f < feature_group; ++f)
          if (!std::isnan(group[n * feature_group + f]))
            parts_[walk.part_[n] * feature_group + f] = 1;
      for (Index part = 0; part < walk.cells_.size(); ++part)
        for (Index f = 0; f < feature_group; ++f)
          cells_[walk.cells_[part] * feature_group + f] +=
              parts_[part * feature_group + f];
    }

    /// For each class of misses, sets margins[c * feature_group + f] to the
    /// mean difference from the misses less that from the hits, and `count`
    /// above 0 there and for the class of the sample, if it has both for
    /// feature f. All else is set to 0.
    void run(const WalkList &list, double *count, double *margins) {
      const int n = list.sample, own = walk_.y_[n];
      for (double *of : {count, margins})
        std::fill_n(of, walk_.y_.n_classes() * feature_group, 0.0);
      for (int c = 0; c < walk_.y_.n_classes(); ++c) {
        if (c == own)
          continue;
        Ranks hits, misses;
        for (Index f = 0; f < feature_group; ++f) {
          if (std::isnan(group_[n * feature_group + f]))
            continue;
          const int h = candidates(n, own, f), q = candidates(n, c, f);
          if (h == 0 || q == 0)
            continue;
          const auto &pair = weights(n, c, f, h, q);
          hits.set(f, *pair.hits);
          misses.set(f, *pair.misses);
          count[own * feature_group + f] = count[c * feature_group + f] = 1.0;
        }
        double near[feature_group];
        mean(list, own, hits, near);
        double *far = margins + c * feature_group;
        mean(list, c, misses, far);
        for (Index f = 0; f < feature_group; ++f)
          far[f] -= near[f];
      }
    }

  private:
    /// The weights of the features for hits or misses, see WalkJob.
    struct Ranks {
      const double *farthest[feature_group];
      double left[feature_group] = {};
      Ranks() { std::fill_n(farthest, feature_group, left); }
      void set(Index f, const RankWeights &ranks) {
        farthest[f] = ranks.farthest.data();
        left[f] = static_cast<double>(ranks.weights.size());
      }
    };
    struct Weights {
      int n_hits = -1, n_misses = -1;
      std::shared_ptr<const RankWeights> hits, misses;
    };
    /// Weights of samples of one block and class against another class. Their
    /// own group may have a sample of that class or not.
    struct Pair {
      int cell = -1, c = -1;
      Weights weights[2][feature_group];
    };

    /// How many candidates of class c has sample n for feature f?
    int candidates(int n, int c, Index f) const {
      const Index cell = walk_.first_cell_[n] + c;
      return cells_[cell * feature_group + f] - in_own(n, c, f);
    }
    int in_own(int n, int c, Index f) const {
      const Own &own = walk_.own_[Index{n} * walk_.y_.n_classes() + c];
      const bool known = own.parts > 0 && parts_[own.part * feature_group + f];
      return known ? own.parts : 0;
    }
    const Weights &weights(int n, int c, Index f, int h, int q) {
      const int cell = walk_.first_cell_[n] + walk_.y_[n];
      auto &pair =
          pairs_[(Index{cell} * walk_.y_.n_classes() + c) % pairs_.size()];
      if (pair.cell != cell || pair.c != c) {
        pair = Pair();
        pair.cell = cell;
        pair.c = c;
      }
      auto &found = pair.weights[in_own(n, c, f) > 0 ? 1 : 0][f];
      if (found.n_hits != h || found.n_misses != q)
        found = {h, q, walk_.weights_(h, q), walk_.weights_(q, h)};
      return found;
    }

    void mean(const WalkList &list, int c, const Ranks &ranks, double *means) {
      run_simd<WalkKernel<WalkSum::balanced>>(
          simd_,
          WalkJob{group_, list.sample, list.steps.data(), list.starts[c],
                  list.starts[c + 1], 0, nullptr, means, nullptr,
                  ranks.farthest, ranks.left,
                  tied_.empty() ? nullptr : &walk_.allowed_, tied_.data()});
    }

    const BalancedWalk &walk_;
    const double *group_;
    SimdLevel simd_;
    /// By feature: is it known of a part, and of how many parts of a cell?
    Array<int> parts_, cells_;
    Array<Pair> pairs_;
    Array<double> tied_;
  };

private:
  /// The parts of the own group of a sample, of which a feature is known in all
  /// or in none: several only of a matched set. `part` is one of them.
  struct Own {
    int part = -1, parts = 0;
  };

  /// Without groups every sample is one.
  int group(int n) const {
    return allowed_.has_groups() ? allowed_.group(n) : n;
  }

  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  mutable BalancedWeights weights_;
  /// A cell is a class in a block; a part of it, a candidate: what is of one
  /// group, or a sample.
  Array<int> first_cell_, part_; ///< by sample
  Array<Own> own_;               ///< by sample and class
  Array<int> cells_;             ///< by part
  int n_cells_ = 0;
};

/// Means and moments of margins if each feature has neighbours of its own.
class WalkedMargins {
public:
  WalkedMargins(Index n_features, const ClassIndex &y, bool prior,
                const AllowedCounts &counts, const ReferenceSamples &reference)
      : y_(y), prior_(prior), counts_(counts), sizes_(reference.sizes),
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
  /// mean difference from them at the same place; or, for each class of misses,
  /// that less the mean difference from the hits, and 0 for the hits.
  void add(int n, Index first, Index n_features, const double *count,
           const double *means) {
    const int own = y_[n];
    for (Index f = 0; f < n_features; ++f) {
      // A sample that may be compared with no hit uses its misses alone.
      if (count[own * feature_group + f] == 0.0 && counts_.of_class(n, own) > 0)
        continue;
      const double near = means[own * feature_group + f];
      double misses = 0.0, weight = 0.0; // weights are those of ClassWeights
      for (int c = 0; c < y_.n_classes(); ++c) {
        const Index at = c * feature_group + f;
        if (c == own || count[at] == 0.0)
          continue;
        misses += y_.count(c) * means[at];
        weight += y_.count(c);
        if (!others_.empty()) {
          const Index place = (first + f) * y_.n_classes() + c;
          others_[place] += share_[own] * (means[at] - near);
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
  bool prior_;
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
  detail::WalkedMargins margins(
      x.n_features(), y, options.rule == MissRule::prior, counts, reference);
  const NearRule rule{y, options.allowed, counts, options.rule, options.k};
  detail::BalancedLists whole(rule);
  const detail::BalancedWalk balanced(y, options.allowed, options.k);
  const NeighbourKinds kinds(y, options.allowed, false);
  detail::each_walk(
      x, reference.samples, y.n_classes(),
      // A sample that is allowed no miss does not count: it gets no neighbours.
      [&](Index n, Index i) { return counts.counts(y, n) ? kinds(n, i) : -1; },
      [](Index, Index) { return 0.0; }, options, runtime,
      [&](const detail::WalkList &list) {
        if (options.balanced && !list.steps.empty())
          whole.terms(
              list.sample,
              [&](int c) {
                Array<Neighbour> near; // in the same order
                for (int s = list.starts[c]; s < list.starts[c + 1]; ++s)
                  near.push_back(
                      {1.0 * list.steps[s].end, list.steps[s].sample});
                return near;
              },
              result.times_listed);
        else if (!options.balanced)
          detail::count_walked(list, options.k, result.times_listed);
      },
      [&](Index first, Index n, const double *group, const auto &lists) {
        Array<double> count(y.n_classes() * feature_group), means(count.size());
        std::unique_ptr<detail::BalancedWalk::Features> features;
        if (options.balanced)
          features = std::make_unique<detail::BalancedWalk::Features>(
              balanced, group, options.simd);
        for (const detail::WalkList &list : lists) {
          if (options.balanced)
            features->run(list, count.data(), means.data());
          for (int c = 0; c < y.n_classes() && !options.balanced; ++c)
            detail::walk<detail::WalkSum::difference>(
                group, list, c, options, count.data() + c * feature_group,
                means.data() + c * feature_group);
          margins.add(list.sample, first, n, count.data(), means.data());
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
