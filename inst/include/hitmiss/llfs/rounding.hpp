// LLFS' randomised rounding of relaxed weights to a binary feature set; all
// roundings are tried if there are few.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_ROUNDING_HPP
#define HITMISS_LLFS_ROUNDING_HPP

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "../runtime/random.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

struct RoundingOptions {
  int enumerate = 10; ///< try all subsets up to this many fractional entries
  int draws = 1000;   ///< random subsets to try otherwise
  double alpha = 1.0; ///< largest size of a set
};

/// A binary set of columns and its within-class spread U1. No columns mean that
/// no set was found.
struct Rounded {
  Array<int> columns;
  double spread = 0.0;
};

namespace detail {

/// A linear bound of U2: because U2 is concave, no 0/1 weights x separate more
/// than U2(f) + gradient (x - f).
class SeparationBound {
public:
  SeparationBound(const SeparationProblem &problem, const SparseVector &f) {
    GainTerms terms;
    terms.form(problem.gain, problem.other_totals(f), problem.n_other);
    for (const auto &entry : f)
      columns_.push_back(entry.first);
    gradient_.resize(f.size());
    column_products(problem.others(), columns_, terms.weights.data(),
                    gradient_.data());
    rest_ = terms.mean + 1e-11;
    for (Index k = 0; k < f.size(); ++k)
      rest_ -= gradient_[k] * f[k].second;
  }
  /// The bound of the empty set, and the increase by a column of f.
  double rest() const { return rest_; }
  double of(int column) const {
    return gradient_[std::lower_bound(columns_.begin(), columns_.end(),
                                      column) -
                     columns_.begin()];
  }

private:
  Array<int> columns_;
  Array<double> gradient_;
  double rest_;
};

/// Keeps the feasible set of least spread, and of sets with equal spread the
/// first.
class RoundingSearch {
public:
  RoundingSearch(const SeparationProblem &problem, double required,
                 double alpha)
      : problem_(problem), required_(required), alpha_(alpha) {}

  void consider(const Array<int> &base, const Array<int> &extra) {
    const Index size = base.size() + extra.size();
    if (size == 0 || static_cast<double>(size) > alpha_)
      return;
    SparseVector f;
    for (const Array<int> *columns : {&base, &extra})
      for (int j : *columns)
        f.push_back({j, 1.0});
    std::sort(f.begin(), f.end());
    const double spread = problem_.spread(problem_.same_totals(f));
    if (!is_wider(spread) &&
        problem_.separation(problem_.other_totals(f)) >= required_)
      keep(f, spread);
  }

  /// Tries the base with every subset of `open`, in the order of the subsets'
  /// bit masks.
  void consider_all(const Array<int> &base, const SparseVector &open,
                    const SeparationBound &bound) {
    SparseVector f, all;
    double most = bound.rest();
    for (int j : base) {
      f.push_back({j, 1.0});
      most += bound.of(j);
    }
    all = f;
    Array<int> extra;
    linear_.clear();
    for (const auto &entry : open) {
      all.push_back({entry.first, 1.0});
      extra.push_back(entry.first);
      linear_.push_back(bound.of(entry.first));
      most += linear_.back();
    }
    within_.assign(open.size() + 1, problem_.same_totals(f));
    most_apart_.assign(open.size() + 1, problem_.other_totals(all));
    extend(f, extra, open.size(), problem_.spread(within_.back()),
           problem_.separation(most_apart_.back()), most);
  }

  const Rounded &best() const { return best_; }

private:
  /// Tries f with every subset of the first `left` columns of `open`. `spread`
  /// is U1 of f, from the distances `within_[left]`. `separation` is U2 of f
  /// with all these columns, from the distances `most_apart_[left]`, and `most`
  /// is a linear bound on the same U2. U1 and U2 grow with every column, so f
  /// is not extended if U1 is too large already or U2 too small with all
  /// columns.
  void extend(SparseVector &f, const Array<int> &open, Index left,
              double spread, double separation, double most) {
    if (static_cast<double>(f.size()) > alpha_ || is_wider(spread) ||
        separation < required_ - (left > 0 ? 1e-12 : 0.0))
      return;
    if (left == 0) {
      if (!f.empty())
        keep(f, spread);
      return;
    }
    const int j = open[left - 1];
    const auto column = problem_.distances.col(j);
    if (most - linear_[left - 1] >= required_) {
      within_[left - 1] = within_[left];
      most_apart_[left - 1] =
          most_apart_[left] - column.tail(problem_.other_rows());
      extend(f, open, left - 1, spread,
             problem_.separation(most_apart_[left - 1]),
             most - linear_[left - 1]);
    }
    if (static_cast<double>(f.size()) + 1.0 > alpha_)
      return;
    f.push_back({j, 1.0});
    within_[left - 1] = within_[left] + column.head(problem_.same_rows());
    most_apart_[left - 1] = most_apart_[left];
    extend(f, open, left - 1, problem_.spread(within_[left - 1]), separation,
           most);
    f.pop_back();
  }

  bool is_wider(double spread) const {
    return !best_.columns.empty() && spread >= best_.spread - 1e-12;
  }

  void keep(const SparseVector &f, double spread) {
    best_.spread = spread;
    best_.columns.clear();
    for (const auto &entry : f)
      best_.columns.push_back(entry.first);
    std::sort(best_.columns.begin(), best_.columns.end());
  }

  const SeparationProblem &problem_;
  double required_, alpha_;
  Rounded best_;
  Array<Eigen::VectorXd> within_, most_apart_; // of extend(), by `left`
  Array<double> linear_; // what each of `open` adds to the linear bound
};

} // namespace detail

/// Rounds the weights of one beta after the other. Required: the required
/// separation does not decrease from call to call.
class RoundingPath {
public:
  RoundingPath(const SeparationProblem &problem, double largest,
               const RoundingOptions &options)
      : problem_(problem), edge_(1e-9 * largest), options_(options) {}

  /// Returns, among the sets S to which f can be rounded, the one with the
  /// least U1 that has 1 <= |S| <= alpha and U2(S) >= required - 1e-9 *
  /// largest. If more than `enumerate` entries of f are fractional, sets are
  /// drawn, and only then `stream` is used.
  Rounded round(const SparseVector &f, double required, RandomStream &stream) {
    constexpr double edge = 1e-6;
    Array<int> base, places;
    SparseVector open;
    for (const auto &entry : f) {
      if (entry.second > 1.0 - edge)
        base.push_back(entry.first);
      else if (entry.second > edge)
        open.push_back(entry);
    }
    for (const auto &entry : open)
      places.push_back(entry.first);
    required -= edge_;
    // If the sets to try are the same as in the last enumeration, the best one
    // stays the best while it is feasible.
    if (base == base_ && places == open_ && is_enough(last_, required))
      return last_;
    const detail::SeparationBound bound(problem_, f);
    detail::RoundingSearch search(problem_, required, options_.alpha);
    base_.clear();
    open_.clear();
    if (static_cast<int>(open.size()) > options_.enumerate) {
      draw(base, open, bound, required, stream, search);
    } else {
      search.consider_all(base, open, bound);
      base_ = base;
      open_ = places;
      last_ = search.best();
    }
    return search.best();
  }

private:
  bool is_enough(const Rounded &set, double required) const {
    SparseVector f;
    for (const int j : set.columns)
      f.push_back({j, 1.0});
    return set.columns.empty() ||
           problem_.separation(problem_.other_totals(f)) >= required;
  }

  void draw(const Array<int> &base, const SparseVector &open,
            const detail::SeparationBound &bound, double required,
            RandomStream &stream, detail::RoundingSearch &search) const {
    double rest = bound.rest();
    for (const int j : base)
      rest += bound.of(j);
    Array<int> extra;
    std::set<Array<int>> seen;
    for (int draw = 0; draw < options_.draws; ++draw) {
      double most = rest;
      extra.clear();
      for (const auto &entry : open)
        if (stream.uniform() < entry.second) {
          extra.push_back(entry.first);
          most += bound.of(entry.first);
        }
      if (most >= required && seen.insert(extra).second)
        search.consider(base, extra);
    }
  }

  const SeparationProblem &problem_;
  double edge_;
  const RoundingOptions options_;
  Array<int> base_, open_; // of the last enumeration
  Rounded last_;
};

} // namespace hitmiss

#endif
