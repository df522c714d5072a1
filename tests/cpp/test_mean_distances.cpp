// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <testthat/vendor/catch.h>

#include <hitmiss/pairs/mean_distances.hpp>
#include <hitmiss/pairs/nearest.hpp>
#include <hitmiss/pairs/neighbour_kinds.hpp>

#include "support/host.hpp"
#include "support/nearest_lists.hpp"

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::Metric;

namespace {

constexpr Index n_samples = 90, n_features = 37;

/// Values of both signs, most features sparse, with ties, two equal samples
/// (0 and 1), a constant feature and offsets that differences do not see.
struct Problem {
  explicit Problem(const Array<int> &order) : values(n_samples * n_features) {
    hitmiss::RandomStream random(3, 0, hitmiss::Purpose::simulation);
    Array<double> first(values.size());
    for (Index j = 0; j < n_features; ++j)
      for (Index i = 0; i < n_samples; ++i) {
        const double drawn = random.uniform();
        const bool zero = j % 3 > 0 && drawn < 0.9;
        double value = j % 2 == 0 ? std::floor(9.0 * random.uniform()) - 3.0
                                  : random.uniform() - 0.2;
        value = j == 5 ? 2.0 : zero ? 0.0 : value + (j % 3 == 0 ? 40.0 : 0.0);
        first[j * n_samples + i] = i == 1 ? first[j * n_samples] : value;
      }
    starts.push_back(0);
    for (Index j = 0; j < n_features; ++j) {
      for (Index i = 0; i < n_samples; ++i) {
        const double value = first[j * n_samples + order[i]];
        values[j * n_samples + i] = value;
        if (value != 0.0) {
          samples.push_back(static_cast<int>(i));
          nonzero.push_back(value);
        }
      }
      starts.push_back(static_cast<int>(samples.size()));
      scaling.center.push_back(j % 3 == 0 ? 40.0 : 0.0);
      scaling.scale.push_back(1.0 + static_cast<double>(j));
      scaling.constant.push_back(j == 5 ? 1 : 0);
    }
    for (const int n : order) {
      block.push_back(n % 3);
      group.push_back(n / 4);
    }
    block[std::find(order.begin(), order.end(), 7) - order.begin()] = 9;
  }

  hitmiss::ScaledView dense() const {
    return {hitmiss::view_by_feature(values.data(), n_samples, n_features),
            &scaling};
  }
  hitmiss::ScaledView sparse() const {
    return {hitmiss::view_of_columns(
                {starts.data(), samples.data(), nonzero.data()}, n_samples,
                n_features, true),
            &scaling};
  }

  Array<double> values, nonzero;
  Array<int> starts, samples, block, group;
  hitmiss::Scaling scaling;
};

/// `gaps` stand for the differences of missing values.
Array<double> plain_means(const Problem &problem, Metric metric,
                          const hitmiss::AllowedPairs &allowed,
                          const Array<double> &gaps = {}) {
  const auto x = problem.dense();
  Array<double> means;
  for (Index n = 0; n < n_samples; ++n) {
    double sum = 0.0, count = 0.0;
    for (Index i = 0; i < n_samples; ++i) {
      if (!allowed(n, i))
        continue;
      count += 1.0;
      for (Index j = 0; j < n_features; ++j) {
        const double d = std::abs(x(n, j) - x(i, j));
        sum +=
            std::isnan(d) ? gaps[j] : (metric == Metric::manhattan ? d : d * d);
      }
    }
    means.push_back(count > 0.0 ? sum / count : 0.0);
  }
  return means;
}

Array<double> means_of_pairs(const Problem &problem, Metric metric,
                             const hitmiss::AllowedPairs &allowed,
                             int threads) {
  return with_threads(threads, [&](hitmiss::Runtime &runtime) {
    return hitmiss::mean_distances(
        hitmiss::sample_distances(problem.dense(),
                                  Array<double>(n_features, 1.0), metric,
                                  hitmiss::best_simd_level(), runtime),
        n_samples, metric, allowed, runtime);
  });
}

Array<int> shuffled() {
  auto order = hitmiss::all_samples(n_samples);
  hitmiss::RandomStream random(8, 0, hitmiss::Purpose::simulation);
  for (Index i = n_samples - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

} // namespace

TEST_CASE("mean distances: the means of all allowed pairs, dense or sparse") {
  const Problem problem(hitmiss::all_samples(n_samples));
  const Array<int> order = shuffled();
  const Problem other(order);
  const auto means = [](const hitmiss::ScaledView &x, Metric metric,
                        const hitmiss::AllowedPairs &allowed, int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::mean_distances(x, metric, allowed, runtime);
    });
  };
  for (const auto metric : {Metric::manhattan, Metric::euclidean})
    for (const bool blocks : {false, true})
      for (const bool groups : {false, true}) {
        const auto allowed = [&](const Problem &p) {
          return hitmiss::AllowedPairs(blocks ? p.block : Array<int>(),
                                       groups ? p.group : Array<int>());
        };
        const auto plain = plain_means(problem, metric, allowed(problem));
        for (const bool sparse : {false, true}) {
          const auto view = [&](const Problem &p) {
            return sparse ? p.sparse() : p.dense();
          };
          const auto found = means(view(problem), metric, allowed(problem), 1);
          for (Index n = 0; n < n_samples; ++n)
            CHECK(found[n] == Approx(plain[n]).epsilon(1e-12).margin(1e-12));
          CHECK(found == means(view(problem), metric, allowed(problem), 3));
          const auto held =
              means_of_pairs(problem, metric, allowed(problem), 1);
          for (Index n = 0; n < n_samples; ++n)
            CHECK(held[n] == Approx(plain[n]).epsilon(1e-12).margin(1e-12));
          CHECK(held == means_of_pairs(problem, metric, allowed(problem), 3));
          if (!blocks && !groups)
            CHECK(held[0] == held[1]);
          const auto turned = means_of_pairs(other, metric, allowed(other), 2);
          for (Index n = 0; n < n_samples; ++n)
            CHECK(turned[n] == held[order[n]]);
          if (!blocks && !groups)
            CHECK(found[0] == found[1]);
          const auto moved = means(view(other), metric, allowed(other), 2);
          for (Index n = 0; n < n_samples; ++n)
            CHECK(moved[n] == found[order[n]]);
        }
        if (blocks)
          CHECK(plain[7] == 0.0);
      }
}

TEST_CASE("mean distances: what a sample lacks is the mean difference away") {
  Problem problem(hitmiss::all_samples(n_samples));
  for (Index j = 1; j < n_features; j += 3)
    for (Index i = j % 5; i < n_samples; i += 4)
      problem.values[j * n_samples + i] =
          std::numeric_limits<double>::quiet_NaN();
  const auto x = problem.dense();
  for (const auto metric : {Metric::manhattan, Metric::euclidean})
    for (const bool groups : {false, true}) {
      const hitmiss::AllowedPairs allowed(problem.block, groups ? problem.group
                                                                : Array<int>());
      const auto gaps = with_threads(1, [&](hitmiss::Runtime &runtime) {
        return hitmiss::missing_gaps(x, metric, runtime);
      });
      const auto found = with_threads(2, [&](hitmiss::Runtime &runtime) {
        return hitmiss::mean_distances(x, metric, allowed, runtime, gaps);
      });
      const auto plain = plain_means(problem, metric, allowed, gaps);
      for (Index n = 0; n < n_samples; ++n)
        CHECK(found[n] == Approx(plain[n]).epsilon(1e-12).margin(1e-12));
    }
}

TEST_CASE("nearest: neighbours are those of least distance less the mean") {
  const Problem problem(hitmiss::all_samples(n_samples));
  const auto x = problem.dense();
  const Array<double> ones(n_features, 1.0);
  const hitmiss::AllowedPairs all;
  for (const auto metric : {Metric::manhattan, Metric::euclidean}) {
    const bool squared = metric == Metric::euclidean;
    const auto means = plain_means(problem, metric, all);
    const double most = *std::max_element(means.begin(), means.end());
    for (const Index part : {0, 32}) // all distances at once, or not
      with_threads(2, [&](hitmiss::Runtime &runtime) {
        const hitmiss::SampleDistances distances(x, ones, metric,
                                                 hitmiss::best_simd_level());
        const auto lists = nearest_lists(distances, hitmiss::AllowedKind{all},
                                         5, runtime, part, &all);
        const auto d = hitmiss::sample_distances(
            x, ones, metric, hitmiss::best_simd_level(), runtime);
        Index differing = 0;
        for (Index n = 0; n < n_samples; ++n) {
          Array<std::pair<double, int>> order;
          for (int i = 0; i < n_samples; ++i)
            if (i != n)
              order.emplace_back(
                  (squared ? d.row(n)[i] * d.row(n)[i] : d.row(n)[i]) -
                      means[i],
                  i);
          std::sort(order.begin(), order.end());
          const double last = order[4].first + 1e-7 * most;
          for (const auto &near : lists[n]) {
            CHECK(near.distance == d.row(n)[near.sample]);
            CHECK((squared ? near.distance * near.distance : near.distance) -
                      means[near.sample] <=
                  last);
          }
          CHECK(lists[n].size() >= 5);
          auto nearest = order;
          for (auto &entry : nearest)
            entry.first = d.row(n)[entry.second];
          std::sort(nearest.begin(), nearest.end());
          differing += nearest[0].second != order[0].second ? 1 : 0;
        }
        CHECK(differing > 5);
        return 0;
      });
  }
}

TEST_CASE("mean distances: values are sorted whatever their distribution") {
  hitmiss::RandomStream random(2, 0, hitmiss::Purpose::simulation);
  for (const int kind : {0, 1, 2, 3, 4})
    for (const int n : {0, 1, 2, 17, 300}) {
      Array<hitmiss::detail::SampleValue> values;
      for (int i = 0; i < n; ++i) {
        const double u = random.uniform();
        const double value = kind == 0   ? u
                             : kind == 1 ? std::exp(40.0 * u)
                             : kind == 2 ? std::floor(3.0 * u) - 1.0
                             : kind == 3 ? 5.0
                                         : 1e-310 * std::floor(9.0 * u);
        values.push_back({value, i});
      }
      auto expected = values;
      std::sort(expected.begin(), expected.end());
      hitmiss::detail::sort_by_value(values);
      CHECK(std::equal(
          values.begin(), values.end(), expected.begin(), expected.end(),
          [](const auto &a, const auto &b) { return a.value == b.value; }));
    }
}
