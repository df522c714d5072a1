// Which of a sample's lists of neighbours another sample belongs to.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEIGHBOUR_KINDS_HPP
#define HITMISS_PAIRS_NEIGHBOUR_KINDS_HPP

#include <algorithm>

#include "../data/class_index.hpp"
#include "allowed_pairs.hpp"

namespace hitmiss {

/// Near hits and near misses are found class by class, or the misses of all
/// classes together. Does not own.
class NeighbourKinds {
public:
  static constexpr int none = -1;

  /// `samples`: whose neighbours are looked for, by row.
  NeighbourKinds(const ClassIndex &y, const AllowedPairs &allowed, bool pooled,
                 const Array<int> &samples)
      : y_(y), allowed_(allowed), pooled_(pooled), samples_(samples) {
    allowed.check_size(y.n_samples());
  }

  int count() const { return pooled_ ? 2 : y_.n_classes(); }

  /// The kind of sample i among a row's neighbours, or none.
  int operator()(Index row, Index i) const {
    const int n = samples_[row];
    if (!allowed_(n, i) || y_[i] == ClassIndex::unlabelled)
      return none;
    return pooled_ ? (y_[i] == y_[n] ? 0 : 1) : y_[i];
  }

private:
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  bool pooled_;
  const Array<int> &samples_;
};

/// All other samples alike that are allowed.
struct AllowedKind {
  const AllowedPairs &allowed;
  int count() const { return 1; }
  int operator()(Index n, Index i) const { return allowed(n, i) ? 0 : -1; }
};

/// All samples alike, for queries that are none of them.
struct AnyOther {
  int count() const { return 1; }
  int operator()(Index, Index) const { return 0; }
};

} // namespace hitmiss

#endif
