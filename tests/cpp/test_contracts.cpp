// Wrong uses of the entry functions throw; options have working defaults.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <limits>
#include <stdexcept>

#include <testthat/vendor/catch.h>

#include <hitmiss/classify/nearest_vote.hpp>
#include <hitmiss/selectors/fisher.hpp>
#include <hitmiss/selectors/interactions.hpp>
#include <hitmiss/selectors/laplacian.hpp>
#include <hitmiss/selectors/llfs.hpp>
#include <hitmiss/selectors/logo.hpp>
#include <hitmiss/selectors/pwfp.hpp>
#include <hitmiss/selectors/radius_relief.hpp>
#include <hitmiss/selectors/relief.hpp>
#include <hitmiss/selectors/rrelieff.hpp>
#include <hitmiss/selectors/semi_bfs.hpp>

#include "support/host.hpp"

namespace contracts {
namespace {

using namespace hitmiss;

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Eight samples of two classes and three features, of which the first tells.
struct Toy {
  Array<double> values{0, 1, 0, 2, 9, 8, 9, 7, 3, 1, 4, 1,
                       5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  Array<int> labels{0, 0, 0, 0, 1, 1, 1, 1};
  Scaling scaling{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
  ClassIndex y{labels, 2};
  ScaledView x() const {
    return {view_by_feature(values.data(), 8, 3), &scaling};
  }
};

/// Every entry function, with its default options, on data of one's own.
struct Entry {
  const char *name;
  std::function<void(const ScaledView &, const ClassIndex &,
                     const AllowedPairs &, Runtime &)>
      run;
};

template <class Options> Options within(const AllowedPairs &allowed) {
  Options options;
  options.allowed = allowed;
  return options;
}

const Array<Entry> &entries() {
  using X = const ScaledView &;
  using Y = const ClassIndex &;
  using A = const AllowedPairs &;
  using R = Runtime &;
  static const Array<Entry> all{
      {"near_relief",
       [](X x, Y y, A a, R r) {
         near_relief(x, y, within<NearReliefOptions>(a), r);
       }},
      {"radius_relief",
       [](X x, Y y, A a, R r) {
         radius_relief(x, y, within<NearReliefOptions>(a), {}, 0, r);
       }},
      {"sampled_relief",
       [](X x, Y y, A a, R r) {
         sampled_relief(x, y, within<NearReliefOptions>(a), 4, r);
       }},
      {"parzen_margins",
       [](X x, Y y, A a, R r) {
         parzen_margins(x, y, within<ParzenOptions>(a), r);
       }},
      {"soft_relief",
       [](X x, Y y, A a, R r) {
         soft_relief(x, y, within<SoftReliefOptions>(a), r);
       }},
      {"logo",
       [](X x, Y y, A a, R r) { logo(x, y, within<LogoOptions>(a), r); }},
      {"bfs", [](X x, Y y, A a, R r) { bfs(x, y, within<BfsOptions>(a), r); }},
      {"semi_bfs", [](X x, Y y, A a,
                      R r) { semi_bfs(x, y, within<BfsOptions>(a), {}, r); }},
      {"pwfp",
       [](X x, Y y, A a, R r) { pwfp(x, y, within<PwfpOptions>(a), r); }},
      {"llfs",
       [](X x, Y y, A a, R r) { llfs(x, y, within<LlfsOptions>(a), r); }},
      {"llfs_path", [](X x, Y y, A a, R r) {
         llfs_path(x, y, 0, within<LlfsOptions>(a), r);
       }}};
  return all;
}

/// Does `options`, changed by `spoil`, throw?
template <class Options, class Spoil> bool refused(Spoil spoil) {
  Options options;
  spoil(options);
  try {
    options.check();
  } catch (const std::invalid_argument &) {
    return true;
  }
  return false;
}

} // namespace

TEST_CASE("contracts: labels lie within the classes") {
  CHECK_THROWS_AS(ClassIndex({0, 2}, 2), std::invalid_argument);
  CHECK_THROWS_AS(ClassIndex({0, -2}, 2), std::invalid_argument);
  CHECK_THROWS_AS(ClassIndex({0}, -1), std::invalid_argument);
  CHECK(ClassIndex({0, -1}, 1).n_labelled() == 1);
}

TEST_CASE("contracts: every entry works by default and refuses wrong data") {
  const Toy toy;
  const Scaling short_scaling{{0}, {1}, {0}};
  const Array<int> labels{0, 0, 0, 1, 1, 1, 1};
  for (const Entry &entry : entries())
    with_threads(2, [&](Runtime &runtime) {
      INFO(entry.name);
      const auto run = [&](const ScaledView &x, const ClassIndex &y,
                           const AllowedPairs &allowed) {
        entry.run(x, y, allowed, runtime);
      };
      const auto refuses = [&](const ScaledView &x, const ClassIndex &y,
                               const AllowedPairs &allowed) {
        CHECK_THROWS_AS(run(x, y, allowed), std::invalid_argument);
      };
      const auto x = toy.x();
      CHECK_NOTHROW(run(x, toy.y, {}));
      refuses(x, ClassIndex(labels, 2), {});
      refuses(x, ClassIndex(Array<int>(8, 0), 1), {});
      refuses(x, ClassIndex(Array<int>(8, 1), 2), {});
      refuses(x, ClassIndex(Array<int>(8, -1), 2), {});
      refuses({x.raw, &short_scaling}, toy.y, {});
      refuses({x.raw, nullptr}, toy.y, {});
      refuses({view_by_feature(nullptr, 8, 3), &toy.scaling}, toy.y, {});
      refuses({view_by_feature(toy.values.data(), 8, 0), &toy.scaling}, toy.y,
              {});
      refuses(x, toy.y, AllowedPairs({0, 1}, {}));
      refuses(x, toy.y, AllowedPairs({0, 0, 0, 0, 1, 1, 1, 1}, {}));
      refuses(x, toy.y, AllowedPairs({}, Array<int>(8, 3)));
      return 0;
    });
}

TEST_CASE("contracts: only BFS takes samples without a label") {
  const Toy toy;
  const ClassIndex y({0, 0, 0, -1, 1, 1, 1, -1}, 2);
  for (const Entry &entry : entries())
    with_threads(1, [&](Runtime &runtime) {
      INFO(entry.name);
      const std::string name = entry.name;
      if (name == "bfs" || name == "semi_bfs")
        CHECK_NOTHROW(entry.run(toy.x(), y, {}, runtime));
      else
        CHECK_THROWS_AS(entry.run(toy.x(), y, {}, runtime),
                        std::invalid_argument);
      return 0;
    });
}

TEST_CASE("contracts: options out of their domain are refused") {
  using Near = NearReliefOptions;
  CHECK(refused<Near>([](Near &o) { o.k = 0; }));
  CHECK(refused<Near>([](Near &o) { o.block = -1; }));
  using Soft = SoftReliefOptions;
  for (const double bad : {0.0, -1.0, nan}) {
    CHECK(refused<Soft>([&](Soft &o) { o.sigma = bad; }));
    CHECK(refused<Soft>([&](Soft &o) { o.tol = bad; }));
    CHECK(refused<ParzenOptions>([&](auto &o) { o.bandwidth = bad; }));
    CHECK(refused<LogoOptions>([&](auto &o) { o.sigma = bad; }));
    CHECK(refused<PwfpOptions>([&](auto &o) { o.fraction = bad; }));
    CHECK(refused<BfsOptions>([&](auto &o) { o.path_end = bad; }));
    CHECK(refused<ManifoldOptions>([&](auto &o) { o.max_pairs = bad; }));
  }
  CHECK(refused<Soft>([](Soft &o) { o.max_iter = 0; }));
  CHECK(refused<LogoOptions>([](auto &o) { o.lambda = -1.0; }));
  CHECK(refused<LogoOptions>([](auto &o) { o.lambda = nan; }));
  CHECK(refused<LogoOptions>([](auto &o) { o.max_iter = 0; }));
  CHECK(refused<LogoOptions>([](auto &o) { o.tol = -1.0; }));
  CHECK(refused<PwfpOptions>([](auto &o) { o.fraction = 1.5; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.n_features = 0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.lambda = -1.0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.kernel.degree = 0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.kernel.degree = 1000000; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.kernel.offset = nan; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.redundancy = -1.0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.path_points = 0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.path_end = 1.0; }));
  CHECK(refused<BfsOptions>([](auto &o) { o.gram_memory = -1.0; }));
  CHECK(refused<ManifoldOptions>([](auto &o) { o.weight = -1.0; }));
  CHECK(refused<ManifoldOptions>([](auto &o) { o.neighbours = 0; }));
}

TEST_CASE("contracts: LLFS refuses options out of their domain") {
  const Toy toy;
  const auto refuses = [&](auto spoil) {
    LlfsOptions options;
    spoil(options);
    with_threads(1, [&](Runtime &runtime) {
      CHECK_THROWS_AS(llfs(toy.x(), toy.y, options, runtime),
                      std::invalid_argument);
      return 0;
    });
  };
  refuses([](LlfsOptions &o) { o.alpha.clear(); });
  refuses([](LlfsOptions &o) { o.alpha = {0.5}; });
  refuses([](LlfsOptions &o) { o.alpha = {nan}; });
  refuses([](LlfsOptions &o) { o.beta.clear(); });
  refuses([](LlfsOptions &o) { o.beta = {0.0, 0.5, 0.5, 1.0}; });
  refuses([](LlfsOptions &o) { o.beta = {0.0, nan, 1.0}; });
  refuses([](LlfsOptions &o) { o.beta = {0.1, 1.0}; });
  refuses([](LlfsOptions &o) { o.beta = {0.0, 0.9}; });
  refuses([](LlfsOptions &o) { o.gamma = 0.0; });
  refuses([](LlfsOptions &o) { o.parsimony = -1.0; });
  refuses([](LlfsOptions &o) { o.tolerance = 0.0; });
  refuses([](LlfsOptions &o) { o.draws = 0; });
  refuses([](LlfsOptions &o) { o.working_set = 0; });
  refuses([](LlfsOptions &o) { o.centres = {8}; });
  refuses([](LlfsOptions &o) { o.centres = {-1}; });
  with_threads(1, [&](Runtime &runtime) {
    CHECK_THROWS_AS(llfs_path(toy.x(), toy.y, 8, {}, runtime),
                    std::invalid_argument);
    const Scaling constant{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    CHECK_THROWS_AS(llfs({toy.x().raw, &constant}, toy.y, {}, runtime),
                    std::invalid_argument);
    return 0;
  });
}

TEST_CASE("contracts: a numeric outcome, and pairs of features") {
  const Toy toy;
  const Array<double> outcome{1, 2, 3, 4, 5, 6, 7, 8};
  with_threads(1, [&](Runtime &runtime) {
    const auto fit = [&](const Array<double> &y) {
      return rrelieff(toy.x(), y, {}, runtime);
    };
    CHECK_NOTHROW(fit(outcome));
    CHECK_THROWS_AS(fit({1, 2}), std::invalid_argument);
    CHECK_THROWS_AS(fit(Array<double>(8, 1.0)), std::invalid_argument);

    const Eigen::MatrixXd values = Eigen::MatrixXd::Random(3, 8);
    const auto pairs = [&](const Eigen::MatrixXd &x, const ClassIndex &y,
                           const InteractionOptions &options) {
      return interactions(x, y, options, runtime);
    };
    CHECK_NOTHROW(pairs(values, toy.y, {}));
    CHECK_THROWS_AS(pairs(values.topRows(1), toy.y, {}), std::invalid_argument);
    CHECK_THROWS_AS(pairs(values, ClassIndex({0, 1}, 2), {}),
                    std::invalid_argument);
    InteractionOptions options;
    options.categories = {true};
    CHECK_THROWS_AS(pairs(values, toy.y, options), std::invalid_argument);
    options.categories.clear();
    options.times = -1;
    CHECK_THROWS_AS(pairs(values, toy.y, options), std::invalid_argument);
    return 0;
  });
}

TEST_CASE("contracts: votes and reference scores") {
  const Toy toy;
  const auto x = toy.x();
  const Array<double> ones(3, 1.0);
  with_threads(1, [&](Runtime &runtime) {
    const auto vote = [&](const ScaledView &queries, const ClassIndex &y,
                          const Array<double> &weights, int k) {
      VoteOptions options;
      options.k = k;
      nearest_vote(queries, x, y, weights, options, runtime);
    };
    CHECK_NOTHROW(vote(x, toy.y, ones, 3));
    CHECK_THROWS_AS(vote(x, toy.y, ones, 0), std::invalid_argument);
    CHECK_THROWS_AS(vote(x, toy.y, {1.0}, 3), std::invalid_argument);
    CHECK_THROWS_AS(vote(x, ClassIndex({0, 1}, 2), ones, 3),
                    std::invalid_argument);
    const Scaling two{{0, 0}, {1, 1}, {0, 0}};
    CHECK_THROWS_AS(
        vote({view_by_feature(toy.values.data(), 8, 2), &two}, toy.y, ones, 3),
        std::invalid_argument);
    CHECK_THROWS_AS(nearest_mean(x, x, {1.0}, ones, {}, runtime),
                    std::invalid_argument);
    CHECK_THROWS_AS(laplacian_scores(x, 0, best_simd_level(), runtime),
                    std::invalid_argument);
    CHECK_THROWS_AS(fisher_scores(x.raw, ClassIndex({0, 1}, 2), runtime),
                    std::invalid_argument);
    CHECK_THROWS_AS(fisher_scores(x.raw, ClassIndex(toy.labels, 3), runtime),
                    std::invalid_argument);
    return 0;
  });
}

} // namespace contracts
