// Which of a sample's lists of neighbours another sample belongs to.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEIGHBOUR_BINS_HPP
#define HITMISS_PAIRS_NEIGHBOUR_BINS_HPP

#include <algorithm>

#include "../data/class_index.hpp"
#include "allowed_pairs.hpp"

namespace hitmiss {

/// Near hits and near misses are found class by class, or the misses of all
/// classes together. Does not own.
class NeighbourBins {
public:
  static constexpr int none = -1;

  NeighbourBins(const ClassIndex &y, const AllowedPairs &allowed, bool pooled)
      : y_(y), allowed_(allowed), pooled_(pooled) {
    allowed.check_size(y.n_samples());
  }

  int count() const { return pooled_ ? 2 : y_.n_classes(); }

  /// The bin of sample i among n's neighbours, or none.
  int operator()(Index n, Index i) const {
    if (!allowed_(n, i) || y_[i] == ClassIndex::unlabelled)
      return none;
    return pooled_ ? (y_[i] == y_[n] ? 0 : 1) : y_[i];
  }

  /// At least as many as any sample has neighbours in the bin.
  Index largest(int bin) const {
    if (!pooled_)
      return y_.count(bin);
    int most = 0;
    for (int c = 0; c < y_.n_classes(); ++c)
      most =
          std::max(most, bin == 0 ? y_.count(c) : y_.n_samples() - y_.count(c));
    return most;
  }

private:
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  bool pooled_;
};

/// All other samples alike that are allowed.
struct AllowedBin {
  Index n_samples;
  const AllowedPairs &allowed;
  int count() const { return 1; }
  int operator()(Index n, Index i) const { return allowed(n, i) ? 0 : -1; }
  Index largest(int) const { return n_samples; }
};

/// All samples alike, for queries that are none of them.
struct AnyOther {
  Index n_samples;
  int count() const { return 1; }
  int operator()(Index, Index) const { return 0; }
  Index largest(int) const { return n_samples; }
};

} // namespace hitmiss

#endif
