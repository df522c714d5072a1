// The pairs of samples that are compared: within blocks, between groups.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_ALLOWED_PAIRS_HPP
#define HITMISS_PAIRS_ALLOWED_PAIRS_HPP

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "../data/class_index.hpp"
#include "../runtime/require.hpp"

namespace hitmiss {

/// Two samples are compared if they are of one block (batch, chip, matched set)
/// and of different groups (patient, donor). By default all pairs are compared.
class AllowedPairs {
public:
  AllowedPairs() = default;

  /// Each array has one code per sample (any integer), or is empty. Blocks that
  /// are all equal and groups that are all different exclude no pair: they are
  /// dropped, so that the fit is identical to a fit without them. Groups that
  /// are `matched` sets (a case and its controls) hold independent samples for
  /// all others.
  AllowedPairs(Array<int> block, Array<int> group, bool matched = false)
      : block_(std::move(block)), group_(std::move(group)), matched_(matched) {
    detail::require(block_.empty() || group_.empty() ||
                        block_.size() == group_.size(),
                    "blocks and groups must have the same length");
    if (std::adjacent_find(block_.begin(), block_.end(),
                           std::not_equal_to<int>()) == block_.end())
      block_.clear();
    Array<int> codes(group_);
    std::sort(codes.begin(), codes.end());
    const auto end = std::unique(codes.begin(), codes.end());
    if (end == codes.end())
      group_.clear();
    for (int &code : group_)
      code = static_cast<int>(std::lower_bound(codes.begin(), end, code) -
                              codes.begin());
    n_groups_ = group_.empty() ? 0 : static_cast<int>(end - codes.begin());
  }

  /// Returns these pairs for reordered samples: sample n was sample order[n].
  AllowedPairs reordered(const Array<int> &order) const {
    AllowedPairs result;
    result.n_groups_ = n_groups_;
    result.matched_ = matched_;
    for (const int n : order) {
      if (!block_.empty())
        result.block_.push_back(block_[n]);
      if (!group_.empty())
        result.group_.push_back(group_[n]);
    }
    return result;
  }

  bool all() const { return block_.empty() && group_.empty(); }
  bool has_blocks() const { return !block_.empty(); }
  bool has_groups() const { return !group_.empty(); }

  bool operator()(Index n, Index i) const {

    return n != i && (block_.empty() || block_[n] == block_[i]) &&
           (group_.empty() || group_[n] != group_[i]);
  }

  int block(Index n) const { return block_.empty() ? 0 : block_[n]; }
  /// Returns the group of sample n, 0 ... n_groups() - 1. Required:
  /// has_groups().
  int group(Index n) const { return group_[n]; }
  int n_groups() const { return n_groups_; }
  /// Is of each group only the sample compared that is nearest?
  bool joins_groups() const { return has_groups() && !matched_; }

  /// Throws unless blocks and groups have no codes or `n_samples` codes each.
  void check_size(Index n_samples) const {
    for (const auto *codes : {&block_, &group_})
      detail::require(codes->empty() || codes->size() == n_samples,
                      "one block and one group per sample are needed");
  }

private:
  Array<int> block_, group_;
  int n_groups_ = 0;
  bool matched_ = false;
};

/// For each sample, counts the samples of each class it may be compared with,
/// and the groups that have such samples.
class AllowedCounts {
public:
  /// `hits`: does a sample need a hit to count? Takes O(N C log N) time for N
  /// samples of C classes.
  AllowedCounts(const ClassIndex &y, const AllowedPairs &allowed,
                bool hits = false)
      : n_classes_(y.n_classes()), hits_(hits),
        counts_((Index{n_classes_} + 1) * y.n_samples()) {
    // Kind c is class c, kind C + c all classes but c.
    using Cell = std::tuple<int, int, int>; // kind, block, group
    constexpr int every = -1;               // ... or all samples
    std::map<Cell, Count> cells;
    const bool joins = allowed.joins_groups();
    for (int n = 0; n < y.n_samples(); ++n)
      for (int c = 0; c < n_classes_ && y[n] != ClassIndex::unlabelled; ++c) {
        const int kind = c == y[n] ? c : n_classes_ + c;
        const int here =
            allowed.has_groups()
                ? ++cells[{kind, allowed.block(n), allowed.group(n)}].samples
                : 1;
        auto &all = cells[{kind, allowed.block(n), every}];
        ++all.samples;
        all.groups += here == 1 || !joins ? 1 : 0;
        most_[1] = std::max(most_[1], joins ? here : 1);
        if (c == y[n])
          most_[0] = std::max(most_[0], joins ? here : 1);
      }
    for (int n = 0; n < y.n_samples(); ++n) {
      if (y[n] == ClassIndex::unlabelled)
        continue;
      for (int c = 0; c <= n_classes_; ++c) {
        const int kind = c < n_classes_ ? c : n_classes_ + y[n];
        const auto all = cells.find({kind, allowed.block(n), every});
        Count own{c == y[n] ? 1 : 0, 1};
        if (allowed.has_groups()) {
          const auto found =
              cells.find({kind, allowed.block(n), allowed.group(n)});
          own = found == cells.end() ? Count() : found->second;
        }
        if (all != cells.end())
          counts_[place(n, c)] = {
              all->second.samples - own.samples,
              all->second.groups -
                  (joins ? std::min(own.samples, 1) : own.samples)};
      }
      n_counting_ += counts(y, n) ? 1 : 0;
    }
  }

  int of_class(Index n, int c) const { return counts_[place(n, c)].samples; }
  int misses(Index n) const { return of_class(n, n_classes_); }
  /// These are the samples, unless of a group only the nearest is compared.
  int groups_of_class(Index n, int c) const {
    return counts_[place(n, c)].groups;
  }
  int groups_of_misses(Index n) const { return groups_of_class(n, n_classes_); }
  /// The most samples that a group has of a class in a block; if `pooled`, of
  /// all classes but one.
  int most_in_group(bool pooled) const { return most_[pooled ? 1 : 0]; }

  /// Says whether sample n has a margin: it has a label and may be compared
  /// with another class (and with its own, if hits are needed). Sums and means
  /// over samples leave all others out.
  bool counts(const ClassIndex &y, Index n) const {
    return y[n] != ClassIndex::unlabelled && misses(n) > 0 &&
           (!hits_ || of_class(n, y[n]) > 0);
  }
  int n_counting() const { return n_counting_; }

private:
  struct Count {
    int samples = 0, groups = 0;
  };

  Index place(Index n, int c) const { return n * (n_classes_ + 1) + c; }

  int n_classes_;
  bool hits_;
  int n_counting_ = 0, most_[2] = {};
  Array<Count> counts_; ///< sample by class; the last: all classes but its own
};

} // namespace hitmiss

#endif
