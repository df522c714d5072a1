// PWFP against plain selection, over both kinds of pairs and all band paths.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/pwfp/pwfp.hpp>

#include "support/host.hpp"
#include "support/scratch.hpp"

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::SimdLevel;

namespace {

struct Counts {
  Array<double> within, between;
};

Counts plain(const hitmiss::ScaledView &x, const hitmiss::ClassIndex &y,
             Index k, double rounder) {
  const Index features = x.n_features();
  Counts counts{Array<double>(features), Array<double>(features)};
  for (Index a = 0; a < x.n_samples(); ++a)
    for (Index b = a + 1; b < x.n_samples(); ++b) {
      const bool same = y[a] == y[b];
      Array<double> key, sorted;
      for (Index j = 0; j < x.n_features(); ++j)
        key.push_back(hitmiss::pair_key(x(a, j), x(b, j), same, rounder));
      sorted = key;
      std::sort(sorted.begin(), sorted.end());
      const double last = sorted[k - 1];
      double below = 0.0, equal = 0.0;
      for (const double value : key) {
        below += value < last;
        equal += value == last;
      }
      auto &to = same ? counts.within : counts.between;
      for (Index j = 0; j < features; ++j)
        to[j] += key[j] < last    ? 1.0
                 : key[j] == last ? (static_cast<double>(k) - below) / equal
                                  : 0.0;
    }
  return counts;
}

double furthest(const Array<double> &a, const Array<double> &b) {
  double most = 0.0;
  for (Index j = 0; j < a.size(); ++j)
    most = std::max(most, std::abs(a[j] - b[j]));
  return most;
}

} // namespace

TEST_CASE("pwfp: exact counts for every level, kind of data and threads") {
  for (const Index features : {1, 31, 700, 5000})
    for (int kind = 0; kind < 3; ++kind) {
      const Index n = 19;
      hitmiss::RandomStream stream(5, static_cast<std::uint64_t>(features),
                                   hitmiss::Purpose::simulation);
      Array<double> values;
      Array<int> labels;
      for (Index i = 0; i < n; ++i)
        labels.push_back(static_cast<int>(stream.below(4)));
      for (Index i = 0; i < n * features; ++i) {
        const double u = stream.uniform();
        values.push_back(kind == 0   ? u
                         : kind == 1 ? std::floor(4 * u)
                                     : std::exp(20 * u));
      }
      const auto view = hitmiss::view_by_feature(values.data(), n, features);
      const hitmiss::ClassIndex y(labels, 4);
      Array<double> first;
      for (const SimdLevel level :
           {SimdLevel::baseline, SimdLevel::avx2, SimdLevel::avx512})
        for (int threads = 1; threads <= 3; ++threads) {
          if (!hitmiss::simd_supported(level))
            continue;
          with_threads(threads, [&](hitmiss::Runtime &runtime) {
            const auto scaling =
                hitmiss::learn_scaling(view,
                                       kind == 2 ? hitmiss::ScaleMethod::none
                                                 : hitmiss::ScaleMethod::zscore,
                                       runtime);
            const hitmiss::ScaledView x{view, &scaling};
            hitmiss::PwfpOptions options;
            options.fraction = 0.3;
            options.round_ties = kind != 2;
            options.simd = level;
            const auto result = hitmiss::pwfp(x, y, options, runtime);
            if (first.empty()) {
              const auto expected =
                  plain(x, y, result.k, kind == 2 ? 0.0 : hitmiss::tie_rounder);
              CHECK(furthest(result.within, expected.within) < 1e-10);
              CHECK(furthest(result.between, expected.between) < 1e-10);
              first = result.within;
            }
            CHECK(result.within == first);
            options.rows = new_scratch();
            const auto filed = hitmiss::pwfp(x, y, options, runtime);
            CHECK(filed.within == result.within);
            CHECK(filed.between == result.between);
            CHECK(result.n_within + result.n_between == n * (n - 1) / 2);
            return 0;
          });
        }
    }
}

TEST_CASE("pwfp: both scores by hand") {
  using hitmiss::detail::pwfp_score;
  CHECK(pwfp_score(false, 3, 6, 4, 9) ==
        Approx(std::log(3.5 / 7) + std::log(4.5 / 10)));
  CHECK(pwfp_score(true, 3, 6, 3, 9) == Approx(-(1.0 / 6) / (5.0 / 6)));
  CHECK(pwfp_score(true, 3, 9, 3, 6) == Approx(-(1.0 / 6) / (5.0 / 6)));
  CHECK(pwfp_score(true, 0, 6, 0, 9) == -1.0);
}

TEST_CASE("rows of samples are the same in memory and in a file") {
  const Index n = 1500, features = 1500; // three strips
  Array<double> values;
  for (Index i = 0; i < n * features; ++i)
    values.push_back(static_cast<double>((i * 7919) % 1009));
  const auto view = hitmiss::view_by_feature(values.data(), n, features);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    const auto scaling =
        hitmiss::learn_scaling(view, hitmiss::ScaleMethod::range, runtime);
    const hitmiss::ScaledView x{view, &scaling};
    const hitmiss::SampleRows held(x, nullptr, runtime);
    const hitmiss::SampleRows filed(x, new_scratch(), runtime);
    hitmiss::SampleRows::Buffer unused, buffer;
    bool same = true;
    for (const Index first : {0, 16, 1490})
      for (int repeat = 0; repeat < 2; ++repeat) {
        const double *a = held.rows(first, 10, unused);
        const double *b = filed.rows(first, 10, buffer);
        for (Index r = 0; r < 10; ++r)
          for (Index j = 0; j < held.padded(); ++j) {
            const double u = a[r * held.padded() + j];
            const double v = b[r * held.padded() + j];
            same = same && (j < features ? u == v && u == x(first + r, j)
                                         : std::isnan(u) && std::isnan(v));
          }
      }
    CHECK(same);
    return 0;
  });
}
