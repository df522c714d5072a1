// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <memory>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/sparse_tiles.hpp>
#include <hitmiss/pairs/bytes_needed.hpp>
#include <hitmiss/relief/nearest_terms.hpp>

#include "support/host.hpp"
#include "support/nearest_lists.hpp"
#include "support/nearest_terms.hpp"
#include "support/pair_data.hpp"
#include "support/simd_levels.hpp"
#include "support/soft_margins.hpp"
#include <functional>
#include <limits>
#include <new>
#include <utility>

using hitmiss::Array;
using hitmiss::Index;

namespace {

constexpr Index n_rows = 150, n_columns = 40;

/// The same values as an array, by sample, in tiles and as nonzeros; many ties.
struct Storages {
  Storages() : by_feature(n_rows * n_columns), by_sample(n_rows * n_columns) {
    hitmiss::RandomStream random(5, 0, hitmiss::Purpose::simulation);
    starts.push_back(0);
    for (Index j = 0; j < n_columns; ++j) {
      for (Index i = 0; i < n_rows; ++i) {
        const auto value = static_cast<double>(random.below(6));
        const double kept = j % 2 == 0 || value > 4.0 ? value : 0.0;
        by_feature[j * n_rows + i] = kept;
        by_sample[i * n_columns + j] = kept;
        if (kept != 0.0) {
          samples.push_back(static_cast<int>(i));
          nonzero.push_back(kept);
        }
      }
      starts.push_back(static_cast<int>(samples.size()));
    }
    scaling.center.assign(n_columns, 0.0);
    scaling.scale.assign(n_columns, 1.0);
    scaling.constant.assign(n_columns, 0);
  }

  Array<hitmiss::ScaledView> views() const {
    auto rows = hitmiss::view_by_feature(by_sample.data(), n_rows, n_columns);
    rows.sample_stride = n_columns;
    rows.feature_stride = 1;
    const hitmiss::SparseColumns columns{starts.data(), samples.data(),
                                         nonzero.data()};
    return {
        {hitmiss::view_by_feature(by_feature.data(), n_rows, n_columns),
         &scaling},
        {rows, &scaling},
        {hitmiss::view_of_columns(columns, n_rows, n_columns, false), &scaling},
        {hitmiss::view_of_columns(columns, n_rows, n_columns, true), &scaling}};
  }

  Array<double> by_feature, by_sample, nonzero;
  Array<int> starts, samples;
  hitmiss::Scaling scaling;
};

bool same_terms(const Array<hitmiss::SampleTerms> &a,
                const Array<hitmiss::SampleTerms> &b) {
  const auto same_term = [](const auto &p, const auto &q) {
    return p.sample == q.sample && p.coefficient == q.coefficient;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const auto &p, const auto &q) {
                      return p.sample == q.sample &&
                             std::equal(p.terms.begin(), p.terms.end(),
                                        q.terms.begin(), q.terms.end(),
                                        same_term);
                    });
}

} // namespace

TEST_CASE("nearest: the size of the blocks and the threads change no bit") {
  const Storages storages;
  Array<int> labels, block, group;
  for (int i = 0; i < n_rows; ++i) {
    labels.push_back(i % 7 == 0 ? 2 : i % 2);
    block.push_back(i % 3);
    group.push_back(i / 4);
  }
  const hitmiss::ClassIndex y(labels, 3);
  const hitmiss::AllowedPairs every, some(block, group);
  const Array<double> ones(n_columns, 1.0);
  const auto samples = hitmiss::all_samples(n_rows);
  for (const auto &view : storages.views())
    for (const auto *allowed : {&every, &some})
      for (const auto metric :
           {hitmiss::Metric::manhattan, hitmiss::Metric::euclidean})
        for (const auto miss :
             {hitmiss::MissRule::map, hitmiss::MissRule::conditional}) {
          const hitmiss::SampleDistances distances(view, ones, metric,
                                                   hitmiss::best_simd_level());
          const hitmiss::AllowedCounts counts(y, *allowed);
          const auto terms = [&](Index size, int threads) {
            return with_threads(threads, [&](hitmiss::Runtime &runtime) {
              return nearest_terms_of(distances, samples,
                                      {y, *allowed, counts, miss, 3}, runtime,
                                      size);
            });
          };
          const auto whole = terms(n_rows, 1);
          CHECK(same_terms(whole, terms(32, 1)));
          CHECK(same_terms(whole, terms(64, 3)));
        }
}

TEST_CASE("nearest: queries of any number, in blocks") {
  const Storages storages;
  const auto view = storages.views()[0];
  auto queries = view;
  const Array<double> other(storages.by_feature);
  queries.raw.data = other.data();
  const Array<double> ones(n_columns, 0.5);
  const hitmiss::SampleDistances distances(queries, view, ones,
                                           hitmiss::Metric::euclidean,
                                           hitmiss::best_simd_level());
  const auto lists = [&](Index size) {
    return with_threads(2, [&](hitmiss::Runtime &runtime) {
      return nearest_lists(distances, hitmiss::AnyOther{}, 4, runtime, size);
    });
  };
  const auto whole = lists(n_rows), parts = lists(32);
  for (Index q = 0; q < n_rows; ++q) {
    REQUIRE(whole[q].size() >= 4);
    CHECK(whole[q][0].distance == 0.0);
    CHECK(std::equal(whole[q].begin(), whole[q].end(), parts[q].begin(),
                     parts[q].end(), [](const auto &a, const auto &b) {
                       return a.sample == b.sample && a.distance == b.distance;
                     }));
  }
}

TEST_CASE("nearest: the number of listed neighbours is counted beforehand") {
  Array<int> labels(30, 2);
  std::fill(labels.begin(), labels.begin() + 10, 1);
  std::fill(labels.begin(), labels.begin() + 3, 0);
  const hitmiss::ClassIndex y(labels, 3);
  for (const double k : {1.0, 5.0, 100.0})
    for (const bool pooled : {false, true}) {
      double listed = 0.0;
      for (int n = 0; n < 30; ++n) {
        double misses = 0.0;
        for (int c = 0; c < 3; ++c) {
          const double others = y.count(c) - (c == y[n] ? 1.0 : 0.0);
          if (c == y[n] || !pooled)
            listed += std::min(k, others);
          else
            misses += others;
        }
        listed += std::min(k, misses);
      }
      CHECK(hitmiss::detail::listed_neighbours({3, 7, 20}, k, pooled) ==
            listed);
    }
}

TEST_CASE("nearest: with more ties than lists hold, all the same") {
  // One feature of two values: every sample ties with half of all.
  constexpr Index n = 100;
  Array<double> values(n);
  Array<int> labels(n);
  for (Index i = 0; i < n; ++i) {
    values[i] = static_cast<double>(i % 5 < 2);
    labels[i] = static_cast<int>(i % 3);
  }
  const hitmiss::Scaling plain{{0.0}, {1.0}, {0}};
  const hitmiss::ScaledView x{hitmiss::view_by_feature(values.data(), n, 1),
                              &plain};
  const hitmiss::ClassIndex y(labels, 3);
  const hitmiss::AllowedPairs every;
  const hitmiss::AllowedCounts counts(y, every);
  const auto samples = hitmiss::all_samples(n);
  const hitmiss::SampleDistances distances(x, {1.0}, hitmiss::Metric::manhattan,
                                           hitmiss::best_simd_level());
  for (const int k : {1, 4, 1000})
    for (const Index most : {Index{32}, n})
      with_threads(2, [&](hitmiss::Runtime &runtime) {
        const hitmiss::NeighbourKinds kinds(y, every, false);
        hitmiss::NearestSearch<hitmiss::NeighbourKinds> search(distances, kinds,
                                                               k, most);
        search.run(runtime);
        for (int time = 0; time < 2; ++time) // they are collected twice
          search.for_rows(runtime, [&](const hitmiss::SampleRange &rows,
                                       const hitmiss::NearestLists &some) {
            for (Index a = rows.begin; a < rows.end; ++a)
              for (int c = 0; c < 3; ++c) {
                // The definition: all at most as far as the k-th.
                Array<hitmiss::Neighbour> all;
                for (int i = 0; i < n; ++i)
                  if (i != a && labels[i] == c)
                    all.push_back({std::abs(values[i] - values[a]), i});
                std::sort(all.begin(), all.end());
                Index size = std::min<Index>(k, all.size());
                while (size < all.size() && all[size].key == all[size - 1].key)
                  ++size;
                all.resize(size);
                const auto same = [](const auto &p, const auto &q) {
                  return p.sample == q.sample && p.distance == q.distance;
                };
                REQUIRE(std::equal(some(a, c).begin(), some(a, c).end(),
                                   all.begin(), all.end(), same));
              }
          });
        return 0;
      });
}

namespace pair_data {

TEST_CASE("nearest: what is kept does not depend on the order of offers") {
  hitmiss::RandomStream random(4, 0, hitmiss::Purpose::simulation);
  Array<hitmiss::Neighbour> all;
  for (int i = 0; i < 60; ++i)
    all.push_back({static_cast<double>(random.below(9)), i});
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end());
  for (const int k : {1, 3, 10, 59, 60, 70}) {
    Array<hitmiss::Neighbour> expected;
    const double last = sorted[std::min(k, 60) - 1].distance;
    for (const auto &near : sorted)
      if (near.distance <= last)
        expected.push_back(near);
    for (int round = 0; round < 20; ++round) {
      for (Index i = 59; i > 0; --i)
        std::swap(all[i], all[random.below(i + 1)]);
      hitmiss::NearestList list(k);
      for (const auto &near : all)
        list.offer(near);
      list.sort();
      CHECK(std::equal(
          expected.begin(), expected.end(), list.neighbours().begin(),
          list.neighbours().end(),
          [](const auto &a, const auto &b) { return a.sample == b.sample; }));
      double sum = 0.0;
      hitmiss::share_nearest(
          list.neighbours(), k,
          [&](const hitmiss::Neighbour &, double share) { sum += share; });
      CHECK(sum == Approx(1.0));
    }
  }
}

} // namespace pair_data
