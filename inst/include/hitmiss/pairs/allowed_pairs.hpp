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
  /// Of samples with one code, one is compared with a sample of another group.
  /// Codes are 0 ... n_candidates() - 1. Required: has_groups().
  int candidate(Index n) const {
    return matched_ ? static_cast<int>(n) : group_[n];
  }
  Index n_candidates() const { return matched_ ? group_.size() : n_groups_; }

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

/// For each sample, counts the samples of each class it may be compared with.
class AllowedCounts {
public:
  /// `hits`: does a sample need a hit to count? Takes O(N C log N) time for N
  /// samples of C classes.
  AllowedCounts(const ClassIndex &y, const AllowedPairs &allowed,
                bool hits = false)
      : n_classes_(y.n_classes()), hits_(hits),
        counts_(Index{n_classes_} * y.n_samples()) {
    using Cell = std::tuple<bool, int, int, int>; // by group?, group, block, y
    std::map<Cell, int> cells;
    for (int n = 0; n < y.n_samples(); ++n) {
      if (y[n] == ClassIndex::unlabelled)
        continue;
      ++cells[{false, 0, allowed.block(n), y[n]}];
      if (allowed.has_groups() &&
          ++cells[{true, allowed.group(n), allowed.block(n), y[n]}] > 1)
        repeats_ = true;
    }
    const auto count = [&](const Cell &cell) {
      const auto found = cells.find(cell);
      return found == cells.end() ? 0 : found->second;
    };
    for (int n = 0; n < y.n_samples(); ++n)
      for (int c = 0; c < n_classes_; ++c) {
        int here = count({false, 0, allowed.block(n), c});
        if (allowed.has_groups())
          here -= count({true, allowed.group(n), allowed.block(n), c});
        else if (c == y[n])
          --here;
        counts_[place(n, c)] = here;
      }
    for (int n = 0; n < y.n_samples(); ++n) {
      int misses = 0;
      for (int c = 0; c < n_classes_; ++c)
        misses += c == y[n] ? 0 : counts_[place(n, c)];
      misses_.push_back(misses);
      n_counting_ += counts(y, n) ? 1 : 0;
    }
  }

  int of_class(Index n, int c) const { return counts_[place(n, c)]; }
  int misses(Index n) const { return misses_[n]; }
  /// Has some group several samples of one class in one block?
  bool repeats() const { return repeats_; }

  /// Says whether sample n has a margin: it has a label and may be compared
  /// with another class (and with its own, if hits are needed). Sums and means
  /// over samples leave all others out.
  bool counts(const ClassIndex &y, Index n) const {
    return y[n] != ClassIndex::unlabelled && misses(n) > 0 &&
           (!hits_ || of_class(n, y[n]) > 0);
  }
  int n_counting() const { return n_counting_; }

private:
  Index place(Index n, int c) const { return n * n_classes_ + c; }

  int n_classes_;
  bool hits_, repeats_ = false;
  int n_counting_ = 0;
  Array<int> counts_; // sample by class
  Array<int> misses_;
};

} // namespace hitmiss

#endif
