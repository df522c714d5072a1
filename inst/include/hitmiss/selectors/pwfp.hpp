// PWFP: how often a feature is among the closest or the farthest of a pair.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_PWFP_HPP
#define HITMISS_SELECTORS_PWFP_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/band_select.hpp"
#include "../pairs/contracts.hpp"
#include "../pairs/fit_size.hpp"

namespace hitmiss {

/// Happy, Mohanty, Routray (2017).
struct PwfpOptions {
  double fraction = 0.1; ///< of the features are marked in every pair
  /// Are differences equal if they agree to 2^-36? For scaled features, whose
  /// ties rounding noise would break; raw values are compared as they are.
  bool round_ties = true;
  AllowedPairs allowed; ///< the pairs that are looked at
  SimdLevel simd = best_simd_level();
  /// Where a copy of x by samples goes that memory has no room for.
  std::shared_ptr<ScratchFile> rows = nullptr;

  void check() const {
    detail::require(fraction > 0.0 && fraction <= 1.0,
                    "fraction lies in (0, 1]");
  }
};

/// Bytes beside the data that pwfp() takes: a copy by samples; where that lies
/// in a file, every thread has 16 + 16 samples at hand.
inline double bytes_needed(const FitSize &size, const PwfpOptions &) {
  return (size.files ? 0.0 : 8.0 * size.n_samples * size.n_features) +
         (size.files ? 288.0 : 32.0) * size.n_features * size.threads;
}

/// For every feature, in how many pairs of one class it is among the k with
/// the smallest difference (`within`), and in how many pairs of two classes
/// among the k with the largest (`between`). Features tied at the k-th place
/// share the places left.
struct PwfpResult {
  std::vector<double> within, between;
  /// log((within + 1/2) / (n_within + 1)) + log((between + 1/2) / (n_between +
  /// 1)): the larger, the better.
  std::vector<double> scores;
  std::int64_t n_within = 0, n_between = 0; ///< pairs of each kind
  std::ptrdiff_t k = 0;
};

namespace detail {

/// The two histograms of one thread, and the samples it has at hand. Counts are
/// integers, shares of a place are integers in units of 2^-bits: sums do not
/// depend on their order, so pairs may be spread over threads by chance.
struct PwfpCounts {
  std::vector<std::int64_t> places[2];
  std::vector<std::int64_t> shares[2];
  SampleRows::Buffer row, column;
};

class PwfpCounter {
public:
  /// `rows`: the numbers of `x`.
  PwfpCounter(const ScaledView &x, const SampleRows &rows, const ClassIndex &y,
              std::ptrdiff_t k, const PwfpOptions &options)
      : x_(rows), y_(y), allowed_(options.allowed), k_(k), simd_(options.simd),
        rounder_(options.round_ties ? tie_rounder : 0.0),
        n_sample_(std::min(x.n_features(), 256 + x.n_features() / 256)),
        sample_(static_cast<std::size_t>(x.n_samples() * n_sample_)) {
    std::vector<double> values(static_cast<std::size_t>(x.n_samples()));
    for (std::ptrdiff_t s = 0; s < n_sample_; ++s) {
      copy_tile(x, s * x.n_features() / n_sample_, 1, values.data(),
                x.n_samples());
      for (std::size_t n = 0; n < values.size(); ++n)
        sample_[n * static_cast<std::size_t>(n_sample_) +
                static_cast<std::size_t>(s)] = values[n];
    }
    const auto pairs =
        static_cast<double>(x.n_samples()) * static_cast<double>(x.n_samples());
    bits_ = 62 - static_cast<int>(std::ceil(std::log2(pairs + 1.0)));
  }

  /// Blocks of 16 x 16 samples with pairs in them.
  std::ptrdiff_t n_units() const { return blocks() * (blocks() + 1) / 2; }

  void count(std::ptrdiff_t unit, PwfpCounts &counts, Runtime &runtime) const {
    std::ptrdiff_t row = 0;
    for (; unit >= blocks() - row; ++row)
      unit -= blocks() - row;
    auto pairs = pairs_of(row, row + unit, counts);
    BandSelector(x_, {k_, n_sample_, rounder_, simd_}).select(pairs, runtime);
    for (const bool same : {true, false})
      mark(pairs, same, counts, runtime);
  }

  double share_unit() const { return std::ldexp(1.0, -bits_); }

private:
  static constexpr std::ptrdiff_t block = 16;

  std::ptrdiff_t blocks() const { return (x_.n_samples() + block - 1) / block; }

  std::vector<SelectedPair> pairs_of(std::ptrdiff_t row, std::ptrdiff_t column,
                                     PwfpCounts &at_hand) const {
    std::vector<SelectedPair> pairs;
    const std::ptrdiff_t n = x_.n_samples();
    const std::ptrdiff_t first_a = row * block, first_b = column * block;
    const std::ptrdiff_t end_a = std::min(n, first_a + block);
    const std::ptrdiff_t end_b = std::min(n, first_b + block);
    const double *rows_a = x_.rows(first_a, end_a - first_a, at_hand.row);
    const double *rows_b =
        row == column ? rows_a
                      : x_.rows(first_b, end_b - first_b, at_hand.column);
    for (std::ptrdiff_t a = first_a; a < end_a; ++a)
      for (std::ptrdiff_t b = std::max(a + 1, first_b); b < end_b; ++b) {
        if (!allowed_(a, b))
          continue;
        SelectedPair pair;
        pair.a = rows_a + (a - first_a) * x_.padded();
        pair.b = rows_b + (b - first_b) * x_.padded();
        pair.sample_a = sample_.data() + a * n_sample_;
        pair.sample_b = sample_.data() + b * n_sample_;
        pair.same = y_[a] == y_[b];
        pairs.push_back(pair);
      }
    return pairs;
  }

  void mark(const std::vector<SelectedPair> &pairs, bool same,
            PwfpCounts &counts, Runtime &runtime) const {
    auto &places = counts.places[same ? 0 : 1];
    places.resize(static_cast<std::size_t>(x_.padded()), 0);
    std::vector<MarkedPair> marked;
    for (const auto &pair : pairs) {
      if (pair.same != same)
        continue;
      const bool shared = pair.n_below + pair.n_equal > k_;
      const double infinity = std::numeric_limits<double>::infinity();
      marked.push_back({pair.a, pair.b,
                        shared ? std::nextafter(pair.threshold, -infinity)
                               : pair.threshold});
      if (shared)
        share(pair, counts.shares[same ? 0 : 1]);
    }
    constexpr std::ptrdiff_t tile = 512;
    for (std::ptrdiff_t begin = 0; begin < x_.padded(); begin += tile) {
      runtime.checkpoint();
      run_band<MarkKernel>(simd_, same,
                           MarkJob{marked.data(),
                                   static_cast<std::ptrdiff_t>(marked.size()),
                                   begin, std::min(x_.padded(), begin + tile),
                                   rounder_, places.data()});
    }
  }

  void share(const SelectedPair &pair,
             std::vector<std::int64_t> &shares) const {
    shares.resize(static_cast<std::size_t>(x_.padded()), 0);
    const double part = static_cast<double>(k_ - pair.n_below) /
                        static_cast<double>(pair.n_equal);
    const std::int64_t units = std::llround(std::ldexp(part, bits_));
    for (std::ptrdiff_t j = 0; j < x_.n_features(); ++j)
      if (pair_key(pair.a[j], pair.b[j], pair.same, rounder_) == pair.threshold)
        shares[static_cast<std::size_t>(j)] += units;
  }

  const SampleRows &x_;
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  std::ptrdiff_t k_;
  SimdLevel simd_;
  double rounder_;
  std::ptrdiff_t n_sample_;
  std::vector<double> sample_; ///< some features of every sample
  int bits_;
};

/// Joins the threads' histograms of one kind.
inline std::vector<double> join(const std::vector<PwfpCounts> &threads,
                                int kind, std::size_t n_features, double unit) {
  std::vector<double> total(n_features, 0.0);
  for (std::size_t j = 0; j < n_features; ++j) {
    std::int64_t places = 0, shares = 0;
    for (const auto &thread : threads) {
      places += thread.places[kind].empty() ? 0 : thread.places[kind][j];
      shares += thread.shares[kind].empty() ? 0 : thread.shares[kind][j];
    }
    total[j] = static_cast<double>(places) + static_cast<double>(shares) * unit;
  }
  return total;
}

} // namespace detail

/// Eqs. (5) to (7), exact. About 0.5 ns per pair and feature with AVX-512;
/// memory: one copy of x by samples, 32 bytes per feature and thread; with a
/// file for that copy 288 bytes per feature and thread.
inline PwfpResult pwfp(const ScaledView &x, const ClassIndex &y,
                       const PwfpOptions &options, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  PwfpResult result;
  const auto n_features = static_cast<double>(x.n_features());
  result.k =
      std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(std::nearbyint(
                                      options.fraction * n_features)));
  const SampleRows rows(x, options.rows, runtime);
  const detail::PwfpCounter counter(x, rows, y, result.k, options);
  std::vector<detail::PwfpCounts> threads(
      static_cast<std::size_t>(runtime.threads()));
  runtime.monitor().expect(counter.n_units());
  runtime.for_each(counter.n_units(), [&](std::ptrdiff_t unit, int thread) {
    counter.count(unit, threads[static_cast<std::size_t>(thread)], runtime);
    runtime.monitor().advance();
  });
  const auto n = static_cast<std::size_t>(x.n_features());
  result.within = detail::join(threads, 0, n, counter.share_unit());
  result.between = detail::join(threads, 1, n, counter.share_unit());
  const AllowedCounts counts(y, options.allowed);
  for (int s = 0; s < y.n_samples(); ++s) { // both samples of a pair count it
    result.n_within += counts.of_class(s, y[s]);
    result.n_between += counts.misses(s);
  }
  result.n_within /= 2;
  result.n_between /= 2;
  const auto log_share = [](double count, std::int64_t pairs) {
    return std::log((count + 0.5) / (static_cast<double>(pairs) + 1.0));
  };
  for (std::size_t j = 0; j < n; ++j)
    result.scores.push_back(log_share(result.within[j], result.n_within) +
                            log_share(result.between[j], result.n_between));
  return result;
}

} // namespace hitmiss

#endif
