// Small problems of Relief, with ties.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_RELIEF_PROBLEM_HPP
#define HITMISS_TESTS_RELIEF_PROBLEM_HPP

#include <algorithm>
#include <cmath>
#include <map>

#include <hitmiss/relief/irelief.hpp>
#include <hitmiss/relief/parzen_relief.hpp>
#include <hitmiss/relief/relief.hpp>

#include "host.hpp"
#include "soft_margins.hpp"

namespace relief_problem {

using hitmiss::Array;
using hitmiss::Index;

constexpr int n = 14, n_features = 5;

/// Values on a grid (ties), three unequal classes of which one has a single
/// sample; feature 3 is constant.
struct ReliefProblem {
  explicit ReliefProblem(std::uint64_t round) {
    hitmiss::RandomStream random(21, round, hitmiss::Purpose::simulation);
    values = grid_values(random, n * n_features, 8);
    std::fill(values.begin() + 3 * n, values.begin() + 4 * n, 0.25);
    raw = hitmiss::view_by_feature(values.data(), n, n_features);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }
  double apart(int a, int b, int j) const {
    return std::abs(view()(a, j) - view()(b, j));
  }
  double distance(int a, int b) const {
    double sum = 0.0;
    for (int j = 0; j < n_features; ++j)
      sum += apart(a, b, j);
    return sum;
  }

  hitmiss::ClassIndex y{{0, 1, 1, 0, 1, 1, 2, 0, 1, 0, 1, 1, 0, 1}, 3};
  Array<double> values;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

/// Mean distance in feature j to the k nearest of class c, of whom those that
/// are as near as the last count their mean; 0 without any.
inline double near_mean(const ReliefProblem &problem, int a, int c, int k,
                        int j) {
  // Sums of sevenths in another order differ in the last bits only.
  std::map<double, Array<double>> near;
  for (int b = 0; b < n; ++b)
    if (b != a && problem.y[b] == c)
      near[std::round(problem.distance(a, b) * 1e9)].push_back(
          problem.apart(a, b, j));
  double sum = 0.0, places = 0.0;
  for (const auto &tied : near) {
    const auto count = static_cast<double>(tied.second.size());
    const double taken = std::min(count, k - places);
    for (const double apart : tied.second)
      sum += apart * taken / count;
    places += taken;
  }
  return places > 0.0 ? sum / places : 0.0;
}

} // namespace relief_problem

#endif
