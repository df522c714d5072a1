// Pairs of features that say more together than alone, read off pairs of
// samples. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_INTERACTIONS_HPP
#define HITMISS_SELECTORS_INTERACTIONS_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/contracts.hpp"
#include "../runtime/runtime.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

struct InteractionOptions {
  AllowedPairs allowed;
  Array<char> categories; ///< features that are codes; none if empty
  int times = 0; ///< how often all features are permuted within classes
};

struct Interactions {
  Eigen::MatrixXd hits;   ///< correlations of |differences| over hit pairs
  Eigen::MatrixXd misses; ///< over miss pairs
  /// What hits - misses would be if the features were independent within the
  /// classes. Not 0 where both of them vary more in one class than in another:
  /// hits of the two classes are then two clouds.
  Eigen::MatrixXd expected;
  /// For each permutation, the largest |hits - misses - expected|.
  Array<double> largest_by_chance;
};

namespace detail {

/// Sums, and sums of products, of the differences of pairs of samples. The sums
/// are kept by kind of pair: the two classes.
class DifferenceMoments {
public:
  DifferenceMoments(Index n_features, Index n_kinds)
      : products_(Eigen::MatrixXd::Zero(n_features, n_features)),
        sums_(Eigen::MatrixXd::Zero(n_features, n_kinds)),
        counts_(Eigen::VectorXd::Zero(n_kinds)), buffer_(n_features, 256) {}

  template <class Differences>
  void add(Index kind, const Differences &differences) {
    if (used_ == buffer_.cols())
      flush();
    buffer_.col(used_) = differences;
    sums_.col(kind) += buffer_.col(used_++);
    counts_[kind] += 1.0;
  }

  void flush() {
    // Eigen's blocked product divides by the number of columns.
    if (used_ == 0)
      return;
    const auto filled = buffer_.leftCols(used_);
    products_.selfadjointView<Eigen::Lower>().rankUpdate(filled);
    used_ = 0;
  }

  void add(const DifferenceMoments &other) {
    products_ += other.products_;
    sums_ += other.sums_;
    counts_ += other.counts_;
  }

  /// The correlations of all pairs, and how much of them the means of the kinds
  /// make. 0 where a feature's differences are all the same.
  void correlations(Eigen::MatrixXd &all, Eigen::MatrixXd &of_means) const {
    const Index n = products_.rows();
    const double count = counts_.sum();
    const Eigen::VectorXd sums = sums_.rowwise().sum();
    Eigen::VectorXd spread(n);
    for (Index j = 0; j < n; ++j) {
      const double square = products_(j, j);
      const double left = square - sums[j] * sums[j] / count;
      spread[j] = left > 1e-12 * square ? std::sqrt(left) : 0.0;
    }
    Eigen::MatrixXd means = sums_;
    for (Index kind = 0; kind < counts_.size(); ++kind)
      means.col(kind) = (sums_.col(kind) / std::max(counts_[kind], 1.0) -
                         sums / std::max(count, 1.0)) *
                        std::sqrt(counts_[kind]);
    all = of_means = Eigen::MatrixXd::Zero(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index l = j + 1; l < n; ++l) {
        if (spread[j] == 0.0 || spread[l] == 0.0)
          continue;
        const double units = spread[j] * spread[l];
        const double r = (products_(l, j) - sums[j] * sums[l] / count) / units;
        all(j, l) = all(l, j) = std::max(-1.0, std::min(1.0, r));
        of_means(j, l) = of_means(l, j) =
            means.row(j).dot(means.row(l)) / units;
      }
  }

private:
  Eigen::MatrixXd products_;
  Eigen::MatrixXd sums_;   ///< features x kinds
  Eigen::VectorXd counts_; ///< pairs of each kind
  Eigen::MatrixXd buffer_;
  Index used_ = 0;
};

/// `z`: features x samples.
inline Interactions pair_correlations(const Eigen::MatrixXd &z,
                                      const ClassIndex &y,
                                      const InteractionOptions &options,
                                      Runtime &runtime) {
  // Parts by the data, never by threads, so that sums have one order.
  const Index n = y.n_samples();
  const Index n_parts = std::min<Index>(n, 16);
  const Index n_classes = y.n_classes();
  Array<DifferenceMoments> hits(n_parts, {z.rows(), n_classes});
  Array<DifferenceMoments> misses(n_parts,
                                  {z.rows(), n_classes * (n_classes - 1) / 2});
  runtime.for_each(n_parts, [&](Index part, int) {
    auto &hit = hits[part];
    auto &miss = misses[part];
    Eigen::VectorXd difference(z.rows());
    for (Index a = part; a < n; a += n_parts) {
      runtime.checkpoint();
      for (Index b = a + 1; b < n; ++b) {
        if (!options.allowed(a, b))
          continue;
        difference = (z.col(b) - z.col(a)).cwiseAbs();
        for (Index j = 0; j < options.categories.size(); ++j) {
          double &d = difference[j];
          if (options.categories[j] && d > 0.0)
            d = 1.0;
        }
        const Index low = std::min(y[a], y[b]), high = y[a] + y[b] - low;
        if (low == high)
          hit.add(low, difference);
        else
          miss.add(high * (high - 1) / 2 + low, difference);
      }
    }
    hit.flush();
    miss.flush();
  });
  for (Index part = 1; part < hits.size(); ++part) {
    hits.front().add(hits[part]);
    misses.front().add(misses[part]);
  }
  Interactions result;
  Eigen::MatrixXd of_misses;
  hits.front().correlations(result.hits, result.expected);
  misses.front().correlations(result.misses, of_misses);
  result.expected -= of_misses;
  return result;
}

/// Each feature permuted by itself, among the samples of one class and block.
inline Eigen::MatrixXd permuted_within_classes(const Eigen::MatrixXd &z,
                                               const ClassIndex &y,
                                               const AllowedPairs &allowed,
                                               RandomStream stream) {
  std::map<std::pair<int, int>, Array<Index>> cells;
  for (int n = 0; n < y.n_samples(); ++n)
    cells[{allowed.block(n), y[n]}].push_back(n);
  Eigen::MatrixXd result = z;
  for (Index j = 0; j < z.rows(); ++j)
    for (const auto &cell : cells) {
      const auto &members = cell.second;
      for (Index k = members.size(); k > 1; --k)
        std::swap(result(j, members[k - 1]),
                  result(j, members[stream.below(k)]));
    }
  return result;
}

} // namespace detail

/// Correlations of the differences of two features over allowed pairs of
/// samples of one class and of two, and what they would be for features that
/// are independent within classes. O(n^2 N^2) for n features.
/// @param values Features x samples, finite.
inline Interactions interactions(const Eigen::MatrixXd &values,
                                 const ClassIndex &y,
                                 const InteractionOptions &options,
                                 Runtime &runtime) {
  detail::require(values.rows() >= 2, "at least two features are needed");
  detail::require_classes(values.cols(), y, options.allowed);
  detail::require(options.categories.empty() ||
                      options.categories.size() == values.rows(),
                  "one flag per feature is needed");
  detail::require(options.times >= 0, "times must be at least 0");
  detail::require(all_finite(values.data(), values.size()),
                  "values must be finite");
  // In units of the range, so that squares neither over- nor underflow.
  Eigen::MatrixXd z = values;
  for (Index j = 0; j < z.rows(); ++j) {
    const double low = z.row(j).minCoeff();
    const double width = z.row(j).maxCoeff() - low;
    if (width > 0.0)
      z.row(j) = (z.row(j).array() - low) / width;
    else
      z.row(j).setZero();
  }
  runtime.monitor().expect(1 + options.times);
  auto result = detail::pair_correlations(z, y, options, runtime);
  runtime.monitor().advance();
  for (int t = 0; t < options.times; ++t) {
    const auto null = detail::pair_correlations(
        detail::permuted_within_classes(
            z, y, options.allowed,
            runtime.stream(static_cast<std::uint64_t>(t),
                           Purpose::permutation)),
        y, options, runtime);
    result.largest_by_chance.push_back(
        (null.hits - null.misses - null.expected).cwiseAbs().maxCoeff());
    runtime.monitor().advance();
  }
  return result;
}

} // namespace hitmiss

#endif
