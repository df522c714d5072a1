// PWFP: how often a feature is among the closest or the farthest of a pair.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_PWFP_HPP
#define HITMISS_SELECTORS_PWFP_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

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
  Array<double> within, between;
  /// log((within + 1/2) / (n_within + 1)) + log((between + 1/2) / (n_between +
  /// 1)): the larger, the better.
  Array<double> scores;
  std::int64_t n_within = 0, n_between = 0; ///< pairs of each kind
  Index k = 0;
};

namespace detail {

/// The two histograms of one thread, and the samples it has at hand. Counts are
/// integers, shares of a place are integers in units of 2^-bits: sums do not
/// depend on their order, so pairs may be spread over threads by chance.
struct PwfpCounts {
  Array<std::int64_t> places[2];
  Array<std::int64_t> shares[2];
  SampleRows::Buffer row, column;
};

class PwfpCounter {
public:
  /// `rows`: the numbers of `x`.
  PwfpCounter(const ScaledView &x, const SampleRows &rows, const ClassIndex &y,
              Index k, const PwfpOptions &options)
      : x_(rows), y_(y), allowed_(options.allowed), k_(k), simd_(options.simd),
        rounder_(options.round_ties ? tie_rounder : 0.0),
        n_sample_(std::min(x.n_features(), 256 + x.n_features() / 256)),
        sample_(x.n_samples() * n_sample_) {
    Array<double> values(x.n_samples());
    for (Index s = 0; s < n_sample_; ++s) {
      copy_tile(x, s * x.n_features() / n_sample_, 1, values.data(),
                x.n_samples());
      for (Index n = 0; n < values.size(); ++n)
        sample_[n * n_sample_ + s] = values[n];
    }
    const auto pairs =
        static_cast<double>(x.n_samples()) * static_cast<double>(x.n_samples());
    bits_ = 62 - static_cast<int>(std::ceil(std::log2(pairs + 1.0)));
  }

  /// Blocks of 16 x 16 samples with pairs in them.
  Index n_units() const { return blocks() * (blocks() + 1) / 2; }

  void count(Index unit, PwfpCounts &counts, Runtime &runtime) const {
    Index row = 0;
    for (; unit >= blocks() - row; ++row)
      unit -= blocks() - row;
    auto pairs = pairs_of(row, row + unit, counts);
    BandSelector(x_, {k_, n_sample_, rounder_, simd_}).select(pairs, runtime);
    for (const bool same : {true, false})
      mark(pairs, same, counts, runtime);
  }

  double share_unit() const { return std::ldexp(1.0, -bits_); }

private:
  static constexpr Index block = 16;

  Index blocks() const { return (x_.n_samples() + block - 1) / block; }

  Array<SelectedPair> pairs_of(Index row, Index column,
                               PwfpCounts &at_hand) const {
    Array<SelectedPair> pairs;
    const Index n = x_.n_samples();
    const Index first_a = row * block, first_b = column * block;
    const Index end_a = std::min(n, first_a + block);
    const Index end_b = std::min(n, first_b + block);
    const double *rows_a = x_.rows(first_a, end_a - first_a, at_hand.row);
    const double *rows_b =
        row == column ? rows_a
                      : x_.rows(first_b, end_b - first_b, at_hand.column);
    for (Index a = first_a; a < end_a; ++a)
      for (Index b = std::max(a + 1, first_b); b < end_b; ++b) {
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

  void mark(const Array<SelectedPair> &pairs, bool same, PwfpCounts &counts,
            Runtime &runtime) const {
    auto &places = counts.places[same ? 0 : 1];
    places.resize(x_.padded(), 0);
    Array<MarkedPair> marked;
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
    constexpr Index tile = 512;
    for (Index begin = 0; begin < x_.padded(); begin += tile) {
      runtime.checkpoint();
      run_band<MarkKernel>(simd_, same,
                           MarkJob{marked.data(), marked.size(), begin,
                                   std::min(x_.padded(), begin + tile),
                                   rounder_, places.data()});
    }
  }

  void share(const SelectedPair &pair, Array<std::int64_t> &shares) const {
    shares.resize(x_.padded(), 0);
    const double part = static_cast<double>(k_ - pair.n_below) /
                        static_cast<double>(pair.n_equal);
    const std::int64_t units = std::llround(std::ldexp(part, bits_));
    for (Index j = 0; j < x_.n_features(); ++j)
      if (pair_key(pair.a[j], pair.b[j], pair.same, rounder_) == pair.threshold)
        shares[j] += units;
  }

  const SampleRows &x_;
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  Index k_;
  SimdLevel simd_;
  double rounder_;
  Index n_sample_;
  Array<double> sample_; ///< some features of every sample
  int bits_;
};

/// Joins the threads' histograms of one kind.
inline Array<double> join(const Array<PwfpCounts> &threads, int kind,
                          Index n_features, double unit) {
  Array<double> total(n_features, 0.0);
  for (Index j = 0; j < n_features; ++j) {
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
  result.k = std::max<Index>(
      1, static_cast<Index>(std::nearbyint(options.fraction * n_features)));
  const SampleRows rows(x, options.rows, runtime);
  const detail::PwfpCounter counter(x, rows, y, result.k, options);
  Array<detail::PwfpCounts> threads(runtime.threads());
  runtime.monitor().expect(counter.n_units());
  runtime.for_each(counter.n_units(), [&](Index unit, int thread) {
    counter.count(unit, threads[thread], runtime);
    runtime.monitor().advance();
  });
  const Index n = x.n_features();
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
  for (Index j = 0; j < n; ++j)
    result.scores.push_back(log_share(result.within[j], result.n_within) +
                            log_share(result.between[j], result.n_between));
  return result;
}

} // namespace hitmiss

#endif
