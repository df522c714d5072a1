// The features that an optimisation problem of LLFS holds as its columns.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_WORKING_SET_HPP
#define HITMISS_LLFS_LLFS_WORKING_SET_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "separation_problem.hpp"

namespace hitmiss {

/// The reduced cost of a feature that is outside the problem, and the feature.
/// If the cost is negative, adding the feature improves the solution.
using PricedFeature = std::pair<double, int>;

/// Keeps the columns of `problem`, and knows the feature of each column.
class WorkingSet {
public:
  /// `rows` is the sample of each row of the problem. References to all
  /// arguments but `centre` are kept.
  WorkingSet(const Eigen::MatrixXd &z, int centre, const Array<int> &rows,
             SeparationProblem &problem)
      : z_(z), centre_(centre), rows_(rows), problem_(problem) {}

  void reset(const Array<int> &features) {
    columns_.clear();
    held_.assign(z_.cols(), 0);
    problem_.distances.resize(rows_.size(), 0);
    append(features);
  }

  void append(const Array<int> &features) {
    Eigen::MatrixXd &a = problem_.distances;
    Index next = a.cols();
    a.conservativeResize(Eigen::NoChange, next + features.size());
    for (int m : features) {
      const double *from = z_.data() + m * z_.rows();
      double *to = a.data() + next * a.rows();
      const double own = from[centre_];
      for (const int row : rows_)
        *to++ = std::abs(from[row] - own);
      ++next;
      columns_.push_back(m);
      held_[m] = 1;
    }
  }

  /// Appends the cheapest features that are not columns yet, at most `most`;
  /// ties go to the lower index. Returns false if there are none.
  bool append_cheapest(Array<PricedFeature> priced, Index most) {
    priced.erase(
        std::remove_if(priced.begin(), priced.end(),
                       [&](const PricedFeature &p) { return holds(p.second); }),
        priced.end());
    const Index count = std::min(most, priced.size());
    std::partial_sort(priced.begin(), priced.begin() + count, priced.end());
    Array<int> features;
    for (Index k = 0; k < count; ++k)
      features.push_back(priced[k].second);
    append(features);
    return count > 0;
  }

  bool holds(int feature) const { return held_[feature] != 0; }
  int feature(int column) const { return columns_[column]; }
  /// Returns the column of `feature`, which must have one.
  int column_of(int feature) const {
    const auto at = std::find(columns_.begin(), columns_.end(), feature);
    return static_cast<int>(at - columns_.begin());
  }

private:
  const Eigen::MatrixXd &z_;
  const int centre_;
  const Array<int> &rows_;
  SeparationProblem &problem_;
  Array<int> columns_; ///< feature of each column
  Array<char> held_;   ///< by feature
};

} // namespace hitmiss

#endif
