// SPDX-License-Identifier: GPL-3.0-or-later

#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs/boxed_dual_simplex.hpp>

#include "support/host.hpp"

namespace {

struct Program {
  hitmiss::Array<double> cost;
  hitmiss::Array<hitmiss::Array<double>> rows;
  hitmiss::Array<double> lower, upper;
};

Program random_program(std::uint64_t seed, int columns, int rows) {
  hitmiss::RandomStream draw(seed, 0, hitmiss::Purpose::simulation);
  Program p;
  for (int j = 0; j < columns; ++j)
    p.cost.push_back(draw.below(5) == 0 ? 0.5 : draw.uniform() - 0.2);
  p.rows.push_back(hitmiss::Array<double>(p.cost.size(), 1.0));
  p.lower.push_back(1.0);
  p.upper.push_back(3.0);
  for (int r = 1; r < rows; ++r) {
    hitmiss::Array<double> q;
    for (int j = 0; j < columns; ++j)
      q.push_back(draw.uniform());
    p.rows.push_back(q);
    p.lower.push_back(0.5 + 1.2 * draw.uniform());
    p.upper.push_back(1e3);
  }
  return p;
}

double dot(const hitmiss::Array<double> &q,
           const hitmiss::Array<std::pair<int, double>> &f) {
  double sum = 0.0;
  for (const auto &entry : f)
    sum += q[entry.first] * entry.second;
  return sum;
}

/// Checks primal feasibility and the duality gap of a solved program.
void check_optimal(const Program &p, const hitmiss::BoxedDualSimplex &lp) {
  const auto f = lp.solution();
  double dual_objective = 0.0;
  hitmiss::Array<double> reduced = p.cost;
  for (hitmiss::Index r = 0; r < p.rows.size(); ++r) {
    const double activity = dot(p.rows[r], f);
    CHECK(activity >= p.lower[r] - 1e-7);
    CHECK(activity <= p.upper[r] + 1e-7);
    const double y = lp.dual(static_cast<int>(r));
    dual_objective += y > 0 ? y * p.lower[r] : y * p.upper[r];
    for (hitmiss::Index j = 0; j < reduced.size(); ++j)
      reduced[j] -= y * p.rows[r][j];
  }
  for (double d : reduced)
    dual_objective += std::min(0.0, d);
  CHECK(std::abs(dot(p.cost, f) - dual_objective) < 1e-7);
}

} // namespace

TEST_CASE("the dual simplex ends with a zero duality gap") {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const int columns = 2 + static_cast<int>(seed % 40);
    const auto p =
        random_program(seed, columns, 1 + static_cast<int>(seed % 6));
    hitmiss::BoxedDualSimplex lp(columns);
    lp.set_cost(p.cost);
    for (hitmiss::Index r = 0; r < p.rows.size(); ++r)
      lp.add_row(p.rows[r], p.lower[r], p.upper[r]);
    if (lp.solve()) {
      ++solved;
      check_optimal(p, lp);
    }
  }
  CHECK(solved > 200);
}

TEST_CASE("changes of cost, bounds and rows keep the basis usable") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto p = random_program(seed, 30, 4);
    hitmiss::BoxedDualSimplex lp(30);
    lp.set_cost(p.cost);
    for (hitmiss::Index r = 0; r < p.rows.size(); ++r)
      lp.add_row(p.rows[r], p.lower[r], p.upper[r]);
    if (!lp.solve())
      continue;
    p.cost = random_program(seed + 1000, 30, 1).cost;
    p.lower[2] *= 0.8;
    lp.set_cost(p.cost);
    lp.set_row_lower(2, p.lower[2]);
    REQUIRE(lp.solve());
    check_optimal(p, lp);
    for (int r = 3; r > 0; --r)
      if (lp.is_slack(r)) {
        lp.remove_row(r);
        p.rows.erase(p.rows.begin() + r);
        p.lower.erase(p.lower.begin() + r);
        p.upper.erase(p.upper.begin() + r);
      }
    REQUIRE(lp.solve());
    check_optimal(p, lp);
  }
}

TEST_CASE("an impossible program is reported") {
  hitmiss::BoxedDualSimplex lp(2);
  lp.set_cost({1.0, 1.0});
  lp.add_row({1.0, 1.0}, 3.0, 4.0);
  CHECK_FALSE(lp.solve());
}
