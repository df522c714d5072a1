// Interactions: pairs of features beside their permutations within classes.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/interactions/interactions.hpp>

#include "support/host.hpp"

namespace {

using hitmiss::Array;
using hitmiss::Index;

constexpr int n_toy = 120;

/// Features 0 and 1 have one sign in the first class, two in the second;
/// feature 2 is higher in the second, feature 3 is noise.
Eigen::MatrixXd interacting_features(Array<int> &labels) {
  hitmiss::RandomStream draw(6, 0, hitmiss::Purpose::simulation);
  Eigen::MatrixXd values(4, n_toy);
  labels.clear();
  for (int i = 0; i < n_toy; ++i) {
    labels.push_back(i % 2);
    const double side = draw.uniform() < 0.5 ? -1.0 : 1.0;
    values(0, i) = side * (0.5 + draw.uniform());
    values(1, i) = (i % 2 == 0 ? side : -side) * (0.5 + draw.uniform());
    values(2, i) = draw.uniform() + i % 2;
    values(3, i) = draw.uniform();
  }
  return values;
}

hitmiss::Interactions
interactions_of(const Eigen::MatrixXd &values, const Array<int> &labels,
                const hitmiss::InteractionOptions &options, int threads) {
  return with_threads(threads, [&](hitmiss::Runtime &runtime) {
    return hitmiss::interactions(values, hitmiss::ClassIndex(labels, 2),
                                 options, runtime);
  });
}

/// Permutations of the samples, each within its block.
Eigen::MatrixXi orders_within(const Array<int> &block, int times) {
  hitmiss::RandomStream draw(7, 0, hitmiss::Purpose::permutation);
  Eigen::MatrixXi orders(n_toy, times);
  for (int t = 0; t < times; ++t) {
    for (int i = 0; i < n_toy; ++i)
      orders(i, t) = i;
    for (int i = n_toy - 1; i > 0; --i) {
      const auto other = static_cast<int>(draw.below(i + 1));
      if (block[i] == block[other])
        std::swap(orders(i, t), orders(other, t));
    }
  }
  return orders;
}

double excess(const hitmiss::Interactions &found, Index j, Index l) {
  return std::abs(found.hits(j, l) - found.misses(j, l) - found.expected(j, l));
}

} // namespace

TEST_CASE("interactions: more than any permutation, on any threads") {
  Array<int> labels, block;
  const auto values = interacting_features(labels);
  hitmiss::InteractionOptions options;
  for (int i = 0; i < n_toy; ++i)
    block.push_back(i < n_toy / 2 ? 3 : 5);
  options.orders = orders_within(block, 19);
  for (const bool blocked : {false, true}) {
    if (blocked)
      options.allowed = hitmiss::AllowedPairs(block, {});
    const auto one = interactions_of(values, labels, options, 1);
    const auto two = interactions_of(values, labels, options, 2);
    REQUIRE(one.largest_by_chance.size() == 19);
    CHECK(one.largest_by_chance == two.largest_by_chance);
    CHECK(one.hits == two.hits);
    for (const double chance : one.largest_by_chance) {
      CHECK(excess(one, 0, 1) > chance);
      CHECK(excess(one, 2, 3) < 3.0 * chance);
    }
  }
}

TEST_CASE("interactions: codes of categories are names, not numbers") {
  Array<int> labels;
  auto values = interacting_features(labels);
  for (int i = 0; i < n_toy; ++i)
    values(0, i) = std::floor(3.0 * values(3, i));
  auto renamed = values;
  for (int i = 0; i < n_toy; ++i)
    renamed(0, i) = values(0, i) == 0.0 ? 2.0 : values(0, i) == 2.0 ? 0.5 : 0.0;
  hitmiss::InteractionOptions options;
  options.categories = {1, 0, 0, 0};
  const auto found = interactions_of(values, labels, options, 1);
  CHECK(found.hits == interactions_of(renamed, labels, options, 1).hits);
  options.categories.clear();
  CHECK(found.hits(0, 1) !=
        interactions_of(values, labels, options, 1).hits(0, 1));
}

TEST_CASE("interactions: a constant feature has none") {
  Array<int> labels;
  auto values = interacting_features(labels);
  values.row(1).setConstant(7.0);
  const auto found = interactions_of(values, labels, {}, 1);
  for (Index j = 0; j < 4; ++j) {
    CHECK(found.hits(1, j) == 0.0);
    CHECK(found.misses(1, j) == 0.0);
  }
}

TEST_CASE("interactions: rows keep their dependence, classes their means") {
  Array<int> labels;
  const auto values = interacting_features(labels);
  hitmiss::InteractionOptions options;
  options.categories = {1, 0, 0, 0};
  const hitmiss::ClassIndex y(labels, 2);
  const auto means = hitmiss::detail::cell_means(values, y, options);
  CHECK(means.row(0).cwiseAbs().maxCoeff() == 0.0);
  Eigen::VectorXi order(n_toy);
  for (int i = 0; i < n_toy; ++i)
    order[i] = (i + 7) % n_toy;
  const auto moved = hitmiss::detail::exchanged_rows(values, means, order);
  for (int i = 0; i < n_toy; ++i) {
    CHECK(moved(0, i) == values(0, order[i]));
    CHECK(moved(2, i) - means(2, i) ==
          Approx(values(2, order[i]) - means(2, order[i])));
  }
  options.orders = Eigen::MatrixXi::Constant(n_toy, 1, n_toy);
  CHECK_THROWS_AS(interactions_of(values, labels, options, 1),
                  std::invalid_argument);
}
