// PWFP against plain selection, over both kinds of pairs and all band paths.
#include <algorithm>
#include <cmath>
#include <vector>

#include <testthat/vendor/catch.h>

#include <hitmiss/selectors/pwfp.hpp>

#include "support/host.hpp"
#include "support/scratch.hpp"

using hitmiss::SimdLevel;

namespace {

struct Counts {
  std::vector<double> within, between;
};

Counts plain(const hitmiss::ScaledView &x, const hitmiss::ClassIndex &y,
             std::ptrdiff_t k, double rounder) {
  const auto features = static_cast<std::size_t>(x.n_features());
  Counts counts{std::vector<double>(features), std::vector<double>(features)};
  for (std::ptrdiff_t a = 0; a < x.n_samples(); ++a)
    for (std::ptrdiff_t b = a + 1; b < x.n_samples(); ++b) {
      const bool same = y[a] == y[b];
      std::vector<double> key, sorted;
      for (std::ptrdiff_t j = 0; j < x.n_features(); ++j)
        key.push_back(hitmiss::pair_key(x(a, j), x(b, j), same, rounder));
      sorted = key;
      std::sort(sorted.begin(), sorted.end());
      const double last = sorted[static_cast<std::size_t>(k - 1)];
      double below = 0.0, equal = 0.0;
      for (const double value : key) {
        below += value < last;
        equal += value == last;
      }
      auto &to = same ? counts.within : counts.between;
      for (std::size_t j = 0; j < features; ++j)
        to[j] += key[j] < last    ? 1.0
                 : key[j] == last ? (static_cast<double>(k) - below) / equal
                                  : 0.0;
    }
  return counts;
}

double furthest(const std::vector<double> &a, const std::vector<double> &b) {
  double most = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j)
    most = std::max(most, std::abs(a[j] - b[j]));
  return most;
}

} // namespace

TEST_CASE("pwfp: exact counts for every level, kind of data and threads") {
  for (const std::ptrdiff_t features : {1, 31, 700, 5000})
    for (int kind = 0; kind < 3; ++kind) {
      const std::ptrdiff_t n = 19;
      hitmiss::RandomStream stream(5, static_cast<std::uint64_t>(features),
                                   hitmiss::Purpose::simulation);
      std::vector<double> values;
      std::vector<int> labels;
      for (std::ptrdiff_t i = 0; i < n; ++i)
        labels.push_back(static_cast<int>(stream.below(4)));
      for (std::ptrdiff_t i = 0; i < n * features; ++i) {
        const double u = stream.uniform();
        values.push_back(kind == 0   ? u
                         : kind == 1 ? std::floor(4 * u)
                                     : std::exp(20 * u));
      }
      const auto view = hitmiss::view_by_feature(values.data(), n, features);
      const hitmiss::ClassIndex y(labels, 4);
      std::vector<double> first;
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

TEST_CASE("rows of samples are the same in memory and in a file") {
  const std::ptrdiff_t n = 1500, features = 1500; // three strips
  std::vector<double> values;
  for (std::ptrdiff_t i = 0; i < n * features; ++i)
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
    for (const std::ptrdiff_t first : {0, 16, 1490})
      for (int repeat = 0; repeat < 2; ++repeat) {
        const double *a = held.rows(first, 10, unused);
        const double *b = filed.rows(first, 10, buffer);
        for (std::ptrdiff_t r = 0; r < 10; ++r)
          for (std::ptrdiff_t j = 0; j < held.padded(); ++j) {
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
