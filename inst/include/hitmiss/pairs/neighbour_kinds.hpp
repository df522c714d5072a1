// The kinds of neighbours: a sample has one list of neighbours for each kind.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEIGHBOUR_KINDS_HPP
#define HITMISS_PAIRS_NEIGHBOUR_KINDS_HPP

#include <algorithm>

#include "../data/class_index.hpp"
#include "allowed_pairs.hpp"

namespace hitmiss {

/// One kind for each class; if `pooled`, kind 0 for hits and kind 1 for misses
/// of all other classes. The object keeps references to its arguments, which
/// must outlive it.
class NeighbourKinds {
public:
  static constexpr int none = -1;

  NeighbourKinds(const ClassIndex &y, const AllowedPairs &allowed, bool pooled)
      : y_(y), allowed_(allowed), pooled_(pooled) {
    allowed.check_size(y.n_samples());
  }

  int count() const { return pooled_ ? 2 : y_.n_classes(); }

  /// The kind of sample i among the neighbours of sample n, or `none`.
  int operator()(Index n, Index i) const {
    if (!allowed_(n, i) || y_[i] == ClassIndex::unlabelled)
      return none;
    return pooled_ ? (y_[i] == y_[n] ? 0 : 1) : y_[i];
  }

private:
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  bool pooled_;
};

/// One kind: all allowed samples, whatever their class.
struct AllowedKind {
  const AllowedPairs &allowed;
  int count() const { return 1; }
  int operator()(Index n, Index i) const { return allowed(n, i) ? 0 : -1; }
};

/// One kind: all samples. If `themselves`, query n is sample n, and no sample
/// is a neighbour of itself.
struct AnyOther {
  bool themselves = false;
  int count() const { return 1; }
  int operator()(Index n, Index i) const {
    return themselves && n == i ? -1 : 0;
  }
};

} // namespace hitmiss

#endif
