// Class labels as small integers, with the members of every class at hand.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_CLASS_INDEX_HPP
#define HITMISS_DATA_CLASS_INDEX_HPP

#include <numeric>
#include <utility>

#include "../runtime/array.hpp"
#include "../runtime/require.hpp"

namespace hitmiss {

/// The samples 0 ... n - 1.
inline Array<int> all_samples(Index n) {
  Array<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Labels 0 ... n_classes - 1 of the samples; `unlabelled` marks a sample
/// whose class is unknown (semi-supervised methods only).
class ClassIndex {
public:
  static constexpr int unlabelled = -1;

  /// Throws std::invalid_argument if there is any other label.
  ClassIndex(Array<int> labels, int n_classes) : labels_(std::move(labels)) {
    detail::require(n_classes >= 0, "the number of classes must be at least 0");
    members_.resize(n_classes);
    for (int n = 0; n < labels_.size(); ++n) {
      const int label = labels_[n];
      if (label == unlabelled)
        continue;
      detail::require(
          label >= 0 && label < n_classes,
          "labels must lie in 0 ... n_classes - 1 or be unlabelled");
      members_[label].push_back(n);
    }
  }

  int n_samples() const { return static_cast<int>(labels_.size()); }
  int n_classes() const { return static_cast<int>(members_.size()); }
  int operator[](Index n) const { return labels_[n]; }
  /// The samples of class c, in increasing order.
  const Array<int> &members(int c) const { return members_[c]; }
  const Array<Array<int>> &members() const { return members_; }
  int count(int c) const { return static_cast<int>(members(c).size()); }
  int n_labelled() const {
    int n = 0;
    for (int c = 0; c < n_classes(); ++c)
      n += count(c);
    return n;
  }

private:
  Array<int> labels_;
  Array<Array<int>> members_;
};

} // namespace hitmiss

#endif
