// The features that an LLFS program holds as its columns.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_WORKING_SET_HPP
#define HITMISS_SELECTORS_LLFS_WORKING_SET_HPP

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "../solvers/separation_problem.hpp"

namespace hitmiss {

/// A feature outside the program and what it would cost; negative: it pays.
using PricedFeature = std::pair<double, int>;

/// Keeps the distances of `problem` and which feature each column is.
class WorkingSet {
public:
  /// `rows`: the sample of each row of the program. The references are kept.
  WorkingSet(const Eigen::MatrixXd &z, int centre, const std::vector<int> &rows,
             SeparationProblem &problem)
      : z_(z), centre_(centre), rows_(rows), problem_(problem) {}

  void reset(const std::vector<int> &features) {
    columns_.clear();
    held_.assign(static_cast<std::size_t>(z_.cols()), 0);
    problem_.distances.resize(static_cast<Eigen::Index>(rows_.size()), 0);
    append(features);
  }

  void append(const std::vector<int> &features) {
    Eigen::MatrixXd &a = problem_.distances;
    Eigen::Index next = a.cols();
    a.conservativeResize(Eigen::NoChange,
                         next + static_cast<Eigen::Index>(features.size()));
    for (int m : features) {
      for (std::size_t r = 0; r < rows_.size(); ++r)
        a(static_cast<Eigen::Index>(r), next) =
            std::abs(z_(rows_[r], m) - z_(centre_, m));
      ++next;
      columns_.push_back(m);
      held_[static_cast<std::size_t>(m)] = 1;
    }
  }

  /// Appends the at most `most` cheapest features that are not held yet, ties
  /// to the lower index; false if there is none.
  bool append_cheapest(std::vector<PricedFeature> priced, std::size_t most) {
    priced.erase(
        std::remove_if(priced.begin(), priced.end(),
                       [&](const PricedFeature &p) { return holds(p.second); }),
        priced.end());
    const std::size_t count = std::min(most, priced.size());
    std::partial_sort(priced.begin(),
                      priced.begin() + static_cast<std::ptrdiff_t>(count),
                      priced.end());
    std::vector<int> features;
    for (std::size_t k = 0; k < count; ++k)
      features.push_back(priced[k].second);
    append(features);
    return count > 0;
  }

  bool holds(int feature) const {
    return held_[static_cast<std::size_t>(feature)] != 0;
  }
  int feature(int column) const {
    return columns_[static_cast<std::size_t>(column)];
  }
  /// The column of a feature that is held.
  int column_of(int feature) const {
    const auto at = std::find(columns_.begin(), columns_.end(), feature);
    return static_cast<int>(at - columns_.begin());
  }

private:
  const Eigen::MatrixXd &z_;
  const int centre_;
  const std::vector<int> &rows_;
  SeparationProblem &problem_;
  std::vector<int> columns_; ///< feature of each column
  std::vector<char> held_;   ///< by feature
};

} // namespace hitmiss

#endif
