// Local search over binary feature sets: drop, swap, add.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SWAP_POLISH_HPP
#define HITMISS_LLFS_SWAP_POLISH_HPP

#include <algorithm>
#include <numeric>

#include "rounding.hpp"
#include "separation_path.hpp"

namespace hitmiss {
namespace detail {

/// The columns that a move may bring in: the support of f and the ten columns
/// of smallest reduced cost.
inline Array<int> polish_pool(const SeparationProblem &problem,
                              const SparseVector &f, const PathPoint *point) {
  Array<int> pool;
  for (const auto &entry : f)
    pool.push_back(entry.first);
  if (point != nullptr) {
    const Eigen::VectorXd cost = problem.distances.transpose() * point->weights;
    Array<int> order(cost.size());
    std::iota(order.begin(), order.end(), 0);
    const auto count = std::min<Index>(10, cost.size());
    std::partial_sort(
        order.begin(), order.begin() + count, order.end(), [&](int a, int b) {
          return cost[a] < cost[b] || (cost[a] == cost[b] && a < b);
        });
    pool.insert(pool.end(), order.begin(), order.begin() + count);
  }
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  return pool;
}

} // namespace detail

/// Makes the best feasible move (drop, add or swap one column) until none
/// lowers U1, at most 100 times. If rounding found no set (`from` is empty),
/// the start is the set of the `alpha` largest entries of f, which may be
/// infeasible.
inline Rounded swap_polish(const SeparationProblem &problem,
                           const Rounded &from, const SparseVector &f,
                           const PathPoint *point, double required,
                           double alpha) {
  const Array<int> pool = detail::polish_pool(problem, f, point);
  detail::RoundingSearch search(problem, required, alpha);
  Array<int> current = from.columns;
  if (current.empty()) {
    SparseVector largest = f;
    std::stable_sort(
        largest.begin(), largest.end(),
        [](const auto &a, const auto &b) { return a.second > b.second; });
    for (Index k = 0;
         k < largest.size() && static_cast<double>(k) + 1.0 <= alpha; ++k)
      current.push_back(largest[k].first);
  }
  search.consider(current, {});
  for (int round = 0; round < 100; ++round) {
    const Array<int> before = search.best().columns;
    for (Index out = 0; out <= current.size(); ++out) {
      Array<int> base = current;
      if (out < current.size())
        base.erase(base.begin() + out);
      search.consider(base, {});
      for (int in : pool)
        if (std::find(current.begin(), current.end(), in) == current.end())
          search.consider(base, {in});
    }
    if (search.best().columns.empty() || search.best().columns == before)
      break;
    current = search.best().columns;
  }
  return search.best();
}

} // namespace hitmiss

#endif
