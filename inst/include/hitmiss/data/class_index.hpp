// Class labels as small integers, with the members of every class at hand.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_CLASS_INDEX_HPP
#define HITMISS_DATA_CLASS_INDEX_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include "../runtime/require.hpp"

namespace hitmiss {

/// Labels 0 ... n_classes - 1 of the samples; `unlabelled` marks a sample
/// whose class is unknown (semi-supervised methods only).
class ClassIndex {
public:
  static constexpr int unlabelled = -1;

  /// Throws std::invalid_argument on any other label.
  ClassIndex(std::vector<int> labels, int n_classes)
      : labels_(std::move(labels)) {
    detail::require(n_classes >= 0, "a number of classes is not negative");
    members_.resize(static_cast<std::size_t>(n_classes));
    for (std::size_t n = 0; n < labels_.size(); ++n) {
      const int label = labels_[n];
      if (label == unlabelled)
        continue;
      detail::require(label >= 0 && label < n_classes,
                      "labels lie in 0 ... n_classes - 1, or are unlabelled");
      members_[static_cast<std::size_t>(label)].push_back(static_cast<int>(n));
    }
  }

  int n_samples() const { return static_cast<int>(labels_.size()); }
  int n_classes() const { return static_cast<int>(members_.size()); }
  int operator[](std::ptrdiff_t n) const {
    return labels_[static_cast<std::size_t>(n)];
  }
  /// Samples of class c, increasing.
  const std::vector<int> &members(int c) const {
    return members_[static_cast<std::size_t>(c)];
  }
  int count(int c) const { return static_cast<int>(members(c).size()); }
  int n_labelled() const {
    int n = 0;
    for (const auto &m : members_)
      n += static_cast<int>(m.size());
    return n;
  }

private:
  std::vector<int> labels_;
  std::vector<std::vector<int>> members_;
};

} // namespace hitmiss

#endif
