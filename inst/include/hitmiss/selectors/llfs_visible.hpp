// What a representative sees: itself and the samples it is compared with.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_VISIBLE_HPP
#define HITMISS_SELECTORS_LLFS_VISIBLE_HPP

#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

/// Some samples as a data set of their own, in their order.
struct VisibleSamples {
  Eigen::MatrixXd z;
  ClassIndex y;
  int centre; ///< position of the representative
  AllowedPairs allowed;
};

/// The samples that `centre` is compared with, and itself.
inline VisibleSamples visible_samples(const Eigen::MatrixXd &z,
                                      const ClassIndex &y, int centre,
                                      const AllowedPairs &allowed) {
  Array<int> seen, labels;
  int place = 0;
  for (int n = 0; n < y.n_samples(); ++n) {
    if (n == centre)
      place = static_cast<int>(seen.size());
    else if (!allowed(centre, n))
      continue;
    seen.push_back(n);
    labels.push_back(y[n]);
  }
  Eigen::MatrixXd rows(seen.size(), z.cols());
  for (Index j = 0; j < z.cols(); ++j)
    for (Index r = 0; r < seen.size(); ++r)
      rows(r, j) = z(seen[r], j);
  return {std::move(rows), ClassIndex(labels, y.n_classes()), place,
          allowed.reordered(seen)};
}

} // namespace hitmiss

#endif
