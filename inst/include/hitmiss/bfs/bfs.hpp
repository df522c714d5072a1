// BFS: features whose products over pairs of samples tell if classes are equal.
//
// bfs(x, y, options, runtime) solves eqs (2) and (10) of Zhu, Liu, Zhou, Liu,
// Yin (2014) along a path of the penalty lambda and ranks the features. By
// default the path ends where 50 features are active, the kernel is the product
// of two values, and redundancy has no weight.
//
// Required, else std::invalid_argument: finite values, a centre and a scale for
// each feature, and two labelled samples of different classes that may be
// compared. Samples without a label have no part in the loss. Memory:
// bytes_needed(). Time: O(N J) for each feature that enters the working set.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_BFS_HPP
#define HITMISS_BFS_BFS_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "../data/class_index.hpp"
#include "../data/feature_tile.hpp"
#include "../pairs/bytes_needed.hpp"
#include "../pairs/require_problem.hpp"
#include "nonneg_lasso.hpp"
#include "pair_gram.hpp"

namespace hitmiss {

enum class BfsRank { weight, entry };

/// In Zhu, Liu, Zhou, Liu, Yin (2014) `lambda` is a1 and `redundancy` is a3.
struct BfsOptions {
  Index n_features = 50; ///< the path ends when so many are active
  /// If given (not NaN), the path ends at this lambda and ignores n_features.
  double lambda = std::numeric_limits<double>::quiet_NaN();
  BfsRank rank_by = BfsRank::weight;
  PairKernel kernel;
  double redundancy = 0.0;
  AllowedPairs allowed;
  double gram_memory = 512.0 * 1024 * 1024; ///< bytes for Gram columns
  SimdLevel simd = best_simd_level();
  /// The file that holds the Gram columns; nullptr: memory holds them.
  std::shared_ptr<ScratchFile> columns = nullptr;

  void check() const {
    using detail::require;
    require(n_features >= 1, "n_features must be at least 1");
    require(std::isnan(lambda) || (lambda >= 0.0 && std::isfinite(lambda)),
            "lambda must be at least 0, or NaN for the solution path");
    kernel.check();
    require(redundancy >= 0.0 && std::isfinite(redundancy),
            "redundancy must be at least 0");
    require(gram_memory >= 0.0, "gram_memory must be at least 0");
  }
};

/// The bytes of the Gram columns, at most `gram_memory`. By default an
/// estimate: 200 working features more than `n_features`. To a given lambda all
/// features may become working features.
inline double gram_bytes(const FitSize &size, const BfsOptions &options) {
  const double working =
      std::isnan(options.lambda)
          ? std::min(static_cast<double>(options.n_features) + 200.0,
                     size.n_features)
          : size.n_features;
  return std::min(options.gram_memory, 8.0 * size.n_features * working);
}

/// The bytes that bfs() takes beside the data: Gram columns (unless they lie in
/// a file), the Cholesky factor, matrices over pairs of samples, and tiles. The
/// factor counts as at most `gram_memory`: so many features are seldom active.
inline double bytes_needed(const FitSize &size, const BfsOptions &options) {
  const double active = std::min(
      size.n_features, std::isnan(options.lambda)
                           ? static_cast<double>(options.n_features)
                           : size.n_samples * (size.n_samples - 1.0) / 2.0);
  return (size.files ? 0.0 : gram_bytes(size, options)) +
         std::min(options.gram_memory, 8.0 * active * active) +
         3.0 * detail::pair_matrix_bytes(size) + detail::tile_bytes(size, 256);
}

struct BfsResult {
  Array<double> mu;
  Array<double> target; ///< (Z'T)_j, -infinity for a constant feature
  Array<int> entry;     ///< path point of entry, from 1; 0: never entered
  Array<int> ranking;   ///< features, best first
  Array<LassoPoint> points;
  Report report;
};

/// Returns the order in which samples are read: the labelled samples, then the
/// others; both sorted by block, then by group, ties by their number.
inline Array<int> labelled_first(const ClassIndex &y,
                                 const AllowedPairs &allowed) {
  auto order = all_samples(y.n_samples());
  const auto place = [&](int n) {
    return std::make_tuple(y[n] == ClassIndex::unlabelled, allowed.block(n),
                           allowed.has_groups() ? allowed.group(n) : 0);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return place(a) < place(b); });
  return order;
}

inline ClassIndex reordered(const ClassIndex &y, const Array<int> &order) {
  Array<int> labels;
  for (const int n : order)
    labels.push_back(y[n]);
  return {labels, y.n_classes()};
}

namespace detail {

/// Appends a range with `sign` for every run of equal codes in samples [0, n).
template <class Code>
void add_ranges(Index n, double sign, Code code, Array<PairRange> &ranges) {
  for (Index begin = 0; begin < n;) {
    Index end = begin + 1;
    while (end < n && code(end) == code(begin))
      ++end;
    ranges.push_back({begin, end, sign});
    begin = end;
  }
}

} // namespace detail

inline PairSpace pair_space(const ScaledView &x, const ClassIndex &y,
                            const BfsOptions &options, Runtime &runtime) {
  const auto order = labelled_first(y, options.allowed);
  PairSpace space{order,
                  reordered(y, order),
                  TileSource(x, order),
                  options.allowed.reordered(order),
                  options.kernel,
                  options.redundancy,
                  options.simd};
  // The allowed pairs are the pairs within each block, without the pairs within
  // each of its groups.
  const AllowedPairs &own = space.allowed;
  detail::add_ranges(
      space.n_labelled, 1.0, [&](Index n) { return own.block(n); },
      space.ranges);
  if (own.has_groups())
    detail::add_ranges(
        space.n_labelled, -1.0,
        [&](Index n) { return std::make_pair(own.block(n), own.group(n)); },
        space.ranges);
  learn_unit_scales(space, runtime);
  return space;
}

namespace detail {

/// Returns the grid of lambda. It is logarithmic and goes from lambda_max down
/// to a thousandth of it. If the user gives a lambda, the grid has its values
/// above this lambda, and then lambda itself.
inline Array<double> lambda_grid(double largest, const BfsOptions &options) {
  Array<double> lambdas;
  if (largest <= 0.0)
    return {std::isnan(options.lambda) ? 0.0 : options.lambda};
  constexpr int points = 60;
  for (int i = 0; i < points; ++i)
    lambdas.push_back(largest * std::pow(1e-3, i / (points - 1.0)));
  if (std::isnan(options.lambda))
    return lambdas;
  lambdas.erase(std::find_if(lambdas.begin(), lambdas.end(),
                             [&](double l) { return l <= options.lambda; }),
                lambdas.end());
  lambdas.push_back(options.lambda);
  return lambdas;
}

/// Returns the features, best first. By weight, a larger mu comes first, then a
/// larger Z'T. By entry, the order is that of entry to the path, then mu at
/// that point, then Z'T. Ties go to the lower index.
inline Array<int> rank_features(const BfsResult &result,
                                const Array<double> &entry_mu,
                                BfsRank rank_by) {
  auto ranking = all_samples(result.mu.size());
  const auto &first = rank_by == BfsRank::weight ? result.mu : entry_mu;
  const auto point = [&](Index j) {
    const bool counts = rank_by == BfsRank::entry && result.entry[j] > 0;
    return counts ? result.entry[j] : std::numeric_limits<int>::max();
  };
  std::stable_sort(ranking.begin(), ranking.end(), [&](int a, int b) {
    const Index i = a, k = b;
    if (point(i) != point(k))
      return point(i) < point(k);
    if (first[i] != first[k])
      return first[i] > first[k];
    return result.target[i] > result.target[k];
  });
  return ranking;
}

} // namespace detail

/// Solves the path over `gram` and ranks the features.
template <class Gram>
BfsResult bfs_path(Gram &gram, const BfsOptions &options, Runtime &runtime) {
  LassoOptions lasso;
  lasso.lambdas = detail::lambda_grid(lambda_max(gram), options);
  lasso.enough = std::isnan(options.lambda)
                     ? std::min(options.n_features, gram.n_features())
                     : std::numeric_limits<Index>::max();
  runtime.monitor().expect(lasso.lambdas.size());
  LassoPath path = nonneg_lasso_path(gram, lasso, runtime);

  BfsResult result;
  result.target = gram.target_correlations();
  const Index n_features = result.target.size();
  Array<double> entry_mu(n_features, 0.0);
  result.mu.assign(n_features, 0.0);
  result.entry.assign(n_features, 0);
  for (Index k = 0; k < path.features.size(); ++k) {
    const Index j = path.features[k];
    result.mu[j] = path.mu[k];
    result.entry[j] = path.entry[k];
    entry_mu[j] = path.entry_mu[k];
  }
  result.ranking = detail::rank_features(result, entry_mu, options.rank_by);
  result.points = path.points;
  result.report.status = path.status;
  result.report.iterations = path.rounds;
  result.report.kkt = result.report.gap = 0.0;
  for (const auto &point : path.points) {
    result.report.objective.push_back(point.objective);
    result.report.kkt = std::max(result.report.kkt, point.kkt);
    result.report.gap = std::max(result.report.gap, point.gap);
  }
  return result;
}

/// Supervised BFS, eqs (2) and (10): the loss runs over the allowed pairs of
/// labelled samples. Time: O(N J (1 + m)) if m features enter the working set.
/// Memory: bytes_needed(); x is packed in pieces whenever it is read. The bits
/// are the same whether Gram columns lie in memory or in a file.
inline BfsResult bfs(const ScaledView &x, const ClassIndex &y,
                     const BfsOptions &options, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed, true);
  options.check();
  const auto space = pair_space(x, y, options, runtime);
  PairGram gram(space,
                static_cast<Index>(std::min(options.gram_memory, 0x1p62)),
                runtime, options.columns);
  return bfs_path(gram, options, runtime);
}

} // namespace hitmiss

#endif
