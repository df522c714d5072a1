// A representative and the samples that it is compared with, as a data set.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_VISIBLE_HPP
#define HITMISS_LLFS_LLFS_VISIBLE_HPP

#include <algorithm>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/reference_samples.hpp"
#include "../runtime/eigen.hpp"
#include "llfs_pricing.hpp"

namespace hitmiss {

/// Some of the samples, in their order, as a data set of their own.
struct VisibleSamples {
  ScaledSamples z;
  ClassIndex y;
  int centre; ///< position of the representative
  AllowedPairs allowed;
};

/// `samples` must increase, and `centre` must be among them.
inline VisibleSamples visible_samples(const Eigen::MatrixXd &z,
                                      const ClassIndex &y, int centre,
                                      const AllowedPairs &allowed,
                                      const Array<int> &samples) {
  Array<int> labels;
  for (const int n : samples)
    labels.push_back(y[n]);
  Eigen::MatrixXd rows(samples.size(), z.cols());
  for (Index j = 0; j < z.cols(); ++j)
    for (Index r = 0; r < samples.size(); ++r)
      rows(r, j) = z(samples[r], j);
  const auto place = std::lower_bound(samples.begin(), samples.end(), centre);
  return {{std::move(rows), Eigen::MatrixXd()},
          ClassIndex(labels, y.n_classes()),
          static_cast<int>(place - samples.begin()),
          allowed.reordered(samples)};
}

/// Returns `centre` and the samples that it is compared with.
inline Array<int> seen_by(int centre, int n_samples,
                          const AllowedPairs &allowed) {
  Array<int> seen;
  for (int n = 0; n < n_samples; ++n)
    if (n == centre || allowed(centre, n))
      seen.push_back(n);
  return seen;
}

/// Returns `centre` and `wanted` of the other samples, drawn by class.
inline Array<int> drawn_around(int centre, const ClassIndex &y, int wanted,
                               const RandomStream &stream) {
  Array<Array<int>> members;
  for (int c = 0; c < y.n_classes(); ++c)
    members.push_back(y.members(c));
  auto &own = members[y[centre]];
  own.erase(std::find(own.begin(), own.end(), centre));
  auto drawn = draw_by_class(std::move(members), wanted, stream);
  drawn.insert(std::lower_bound(drawn.begin(), drawn.end(), centre), centre);
  return drawn;
}

} // namespace hitmiss

#endif
