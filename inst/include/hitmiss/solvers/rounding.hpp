// From relaxed weights to a binary feature set: LLFS' randomised rounding, or
// all roundings where there are few.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_ROUNDING_HPP
#define HITMISS_SOLVERS_ROUNDING_HPP

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "../runtime/random.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

struct RoundingOptions {
  int enumerate = 10; ///< try all subsets up to this many fractional entries
  int draws = 1000;   ///< otherwise this many random ones
  double alpha = 1.0; ///< largest size of a set
};

/// A binary set of columns and its within-class spread U1; empty: none found.
struct Rounded {
  std::vector<int> columns;
  double spread = 0.0;
};

namespace detail {

/// Keeps the feasible set of least spread; the first of equals.
class RoundingSearch {
public:
  RoundingSearch(const SeparationProblem &problem, double required,
                 double alpha)
      : problem_(problem), required_(required), alpha_(alpha) {}

  void consider(const std::vector<int> &base, const std::vector<int> &extra) {
    const std::size_t size = base.size() + extra.size();
    if (size == 0 || static_cast<double>(size) > alpha_)
      return;
    SparseVector f;
    for (int j : base)
      f.push_back({j, 1.0});
    for (int j : extra)
      f.push_back({j, 1.0});
    std::sort(f.begin(), f.end());
    judge(f, problem_.totals(f));
  }

  /// The base with every subset of `open`, in the order of the subsets' masks.
  void consider_all(const std::vector<int> &base,
                    const std::vector<int> &open) {
    SparseVector f;
    for (int j : base)
      f.push_back({j, 1.0});
    extend(f, problem_.totals(f), open, open.size());
  }

  const Rounded &best() const { return best_; }

private:
  /// With and without each of the first `left` of `open`. U1 only grows with
  /// more features: what is too wide already stays so.
  void extend(SparseVector &f, const Eigen::VectorXd &totals,
              const std::vector<int> &open, std::size_t left) {
    if (static_cast<double>(f.size()) > alpha_ ||
        (left > 2 && is_wider(problem_.within(totals))))
      return;
    if (left == 0) {
      if (!f.empty())
        judge(f, totals);
      return;
    }
    extend(f, totals, open, left - 1);
    const int j = open[left - 1];
    f.push_back({j, 1.0});
    extend(f, totals + problem_.distances.col(j), open, left - 1);
    f.pop_back();
  }

  bool is_wider(double spread) const {
    return !best_.columns.empty() && spread >= best_.spread - 1e-12;
  }

  void judge(const SparseVector &f, const Eigen::VectorXd &totals) {
    const double spread = problem_.within(totals);
    if (is_wider(spread) || problem_.between(totals) < required_)
      return;
    best_.spread = spread;
    best_.columns.clear();
    for (const auto &entry : f)
      best_.columns.push_back(entry.first);
    std::sort(best_.columns.begin(), best_.columns.end());
  }

  const SeparationProblem &problem_;
  double required_, alpha_;
  Rounded best_;
};

} // namespace detail

/// The feasible rounding of f with the least U1: 1 <= |S| <= alpha and
/// U2(S) >= required, less 1e-9 of `largest`. `stream` is used only above
/// `enumerate` fractional entries.
inline Rounded round_weights(const SeparationProblem &problem,
                             const SparseVector &f, double required,
                             double largest, const RoundingOptions &options,
                             RandomStream &stream) {
  constexpr double edge = 1e-6;
  std::vector<int> base;
  SparseVector open;
  for (const auto &entry : f) {
    if (entry.second > 1.0 - edge)
      base.push_back(entry.first);
    else if (entry.second > edge)
      open.push_back(entry);
  }
  detail::RoundingSearch search(problem, required - 1e-9 * largest,
                                options.alpha);
  std::vector<int> extra;
  if (static_cast<int>(open.size()) <= options.enumerate) {
    for (const auto &entry : open)
      extra.push_back(entry.first);
    search.consider_all(base, extra);
    return search.best();
  }
  std::set<std::vector<int>> seen;
  for (int draw = 0; draw < options.draws; ++draw) {
    extra.clear();
    for (const auto &entry : open)
      if (stream.uniform() < entry.second)
        extra.push_back(entry.first);
    if (seen.insert(extra).second)
      search.consider(base, extra);
  }
  return search.best();
}

} // namespace hitmiss

#endif
