// PWFP: in how many pairs of samples a feature differs least, or most.
//
// pwfp(x, y, options, runtime) marks in every pair of samples the features that
// differ least (pairs of one class) or most (of two classes), and counts each
// feature's marks: Happy, Mohanty, Routray (2017), eqs (5) to (7). By default
// half of the features are marked in each pair.
//
// Required: finite values, a centre and a scale for each feature, a class for
// each sample, and two samples of different classes that may be compared; else
// std::invalid_argument. Memory: bytes_needed(). Time: N^2 J / 2 differences.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PWFP_PWFP_HPP
#define HITMISS_PWFP_PWFP_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/bytes_needed.hpp"
#include "../pairs/require_problem.hpp"
#include "band_select.hpp"
#include "sample_rows.hpp"

namespace hitmiss {

/// The options of PWFP (Happy, Mohanty, Routray 2017).
struct PwfpOptions {
  double fraction = 0.5; ///< share of features marked in every pair
  bool by_ratio = false; ///< use the score of the authors' code?
  /// Are differences rounded to multiples of 2^-36? Set it for scaled features,
  /// whose ties rounding noise would break; clear it for raw values.
  bool round_ties = true;
  AllowedPairs allowed; ///< the pairs that are counted
  SimdLevel simd = best_simd_level();
  /// The file that holds the copy of x by samples; nullptr: memory holds it.
  std::shared_ptr<ScratchFile> rows = nullptr;

  void check() const {
    detail::require(fraction > 0.0 && fraction <= 1.0,
                    "fraction must lie in (0, 1]");
  }
};

/// The bytes that pwfp() takes beside the data: a copy by samples and, in every
/// thread, 32 samples as floats and 40 bytes per feature; if the copy lies in a
/// file, also these 32 samples as doubles.
inline double bytes_needed(const FitSize &size, const PwfpOptions &) {
  return (size.files ? 0.0 : 8.0 * size.n_samples * size.n_features) +
         (size.files ? 424.0 : 168.0) * size.n_features * size.threads;
}

/// For every feature, in how many pairs of one class it is among the k with
/// the smallest difference (`within`), and in how many pairs of two classes
/// among the k with the largest (`between`). Features tied at the k-th place
/// share the remaining places.
struct PwfpResult {
  Array<double> within, between;
  /// Larger scores are better, see detail::pwfp_score().
  Array<double> scores;
  std::int64_t n_within = 0, n_between = 0; ///< pairs of one class, of two
  Index k = 0;
};

namespace detail {

/// The rows of up to 16 samples as floats, converted if `begin` changes.
struct FloatRows {
  Index first = -1;
  AlignedBuffer<float> values;

  const float *of(const double *rows, Index begin, Index count,
                  const FloatUnits &floats) {
    if (first != begin) {
      if (values.size() < count)
        values = AlignedBuffer<float>::uninitialised(count);
      std::transform(rows, rows + count, values.data(), floats);
      first = begin;
    }
    return values.data();
  }
};

/// The two histograms of one thread, and the samples that it has in memory.
/// Counts are integers, and shares of a place are integers in units of
/// share_unit(). Sums therefore do not depend on their order, and any thread
/// may count any pair.
struct PwfpCounts {
  Array<std::int64_t> places[2];
  Array<std::int64_t> shares[2];
  SampleRows::Buffer row, column;
  FloatRows float_row, float_column;
};

class PwfpCounter {
public:
  /// `rows`: the values of `x`, sample by sample.
  PwfpCounter(const ScaledView &x, const SampleRows &rows, const ClassIndex &y,
              Index k, const PwfpOptions &options)
      : x_(rows), y_(y), allowed_(options.allowed), k_(k), simd_(options.simd),
        rounder_(options.round_ties ? tie_rounder : 0.0),
        floats_(rows.largest(), rounder_),
        n_sample_(std::min(x.n_features(), 256 + x.n_features() / 64)),
        sample_stride_(padded_floats(n_sample_)),
        sample_(x.n_samples() * sample_stride_,
                std::numeric_limits<float>::quiet_NaN()) {
    Array<double> values(x.n_samples());
    for (Index s = 0; s < n_sample_; ++s) {
      copy_tile(x, s * x.n_features() / n_sample_, 1, values.data(),
                x.n_samples());
      for (Index n = 0; n < values.size(); ++n)
        sample_[n * sample_stride_ + s] = floats_(values[n]);
    }
    const auto pairs =
        static_cast<double>(x.n_samples()) * static_cast<double>(x.n_samples());
    bits_ = 62 - static_cast<int>(std::ceil(std::log2(pairs + 1.0)));
  }

  /// The number of squares of 16 x 16 samples that hold pairs.
  Index n_units() const { return n_strips() * (n_strips() + 1) / 2; }

  void count(Index unit, PwfpCounts &counts, Runtime &runtime) const {
    for (auto &places : counts.places)
      places.resize(x_.padded(), 0);
    Index row = 0;
    for (; unit >= n_strips() - row; ++row)
      unit -= n_strips() - row;
    auto pairs = pairs_of(row, row + unit, counts);
    BandSelector(
        {k_, x_.n_features(), x_.padded(), n_sample_, rounder_, floats_, simd_})
        .select(pairs, runtime,
                [&](const SelectedPair &pair, const Array<ExactKey> &near) {
                  mark_near(pair, near, counts);
                });
    for (const bool same : {true, false})
      mark(pairs, same, counts, runtime);
  }

  double share_unit() const { return std::ldexp(1.0, -bits_); }

private:
  static constexpr Index strip = 16; ///< samples; a unit compares two strips

  Index n_strips() const { return (x_.n_samples() + strip - 1) / strip; }

  /// The samples of a strip, as doubles and as floats.
  struct Strip {
    Index first, end;
    const double *rows;
    const float *floats;
  };

  Strip samples_of(Index number, SampleRows::Buffer &buffer,
                   FloatRows &floats) const {
    const Index first = number * strip;
    const Index end = std::min(x_.n_samples(), first + strip);
    const double *rows = x_.rows(first, end - first, buffer);
    return {first, end, rows,
            floats.of(rows, first, (end - first) * x_.padded(), floats_)};
  }

  Array<SelectedPair> pairs_of(Index row, Index column,
                               PwfpCounts &at_hand) const {
    Array<SelectedPair> pairs;
    const Strip first = samples_of(row, at_hand.row, at_hand.float_row);
    const Strip second = row == column ? first
                                       : samples_of(column, at_hand.column,
                                                    at_hand.float_column);
    for (Index a = first.first; a < first.end; ++a)
      for (Index b = std::max(a + 1, second.first); b < second.end; ++b) {
        if (!allowed_(a, b))
          continue;
        SelectedPair pair;
        const Index place_a = (a - first.first) * x_.padded();
        const Index place_b = (b - second.first) * x_.padded();
        pair.a = first.rows + place_a;
        pair.b = second.rows + place_b;
        pair.float_a = first.floats + place_a;
        pair.float_b = second.floats + place_b;
        pair.sample_a = sample_.data() + a * sample_stride_;
        pair.sample_b = sample_.data() + b * sample_stride_;
        pair.same = y_[a] == y_[b];
        pairs.push_back(pair);
      }
    return pairs;
  }

  /// Marks the features that are surely below the k-th key.
  void mark(const Array<SelectedPair> &pairs, bool same, PwfpCounts &counts,
            Runtime &runtime) const {
    auto &places = counts.places[same ? 0 : 1];
    Array<MarkedPair> marked;
    for (const auto &pair : pairs)
      if (pair.same == same)
        marked.push_back({pair.float_a, pair.float_b, pair.surely});
    constexpr Index tile = 1024;
    for (Index begin = 0; begin < x_.padded(); begin += tile) {
      runtime.checkpoint();
      run_band<MarkKernel>(simd_, same,
                           MarkJob{marked.data(), marked.size(), begin,
                                   std::min(x_.padded(), begin + tile),
                                   places.data()});
    }
  }

  /// Marks the other features up to the k-th key. Features tied at the k-th
  /// key share the remaining places.
  void mark_near(const SelectedPair &pair, const Array<ExactKey> &near,
                 PwfpCounts &counts) const {
    const int histogram = pair.same ? 0 : 1;
    auto &places = counts.places[histogram];
    auto &shares = counts.shares[histogram];
    const bool shared = pair.n_below + pair.n_equal > k_;
    if (shared)
      shares.resize(x_.padded(), 0);
    const double share = static_cast<double>(k_ - pair.n_below) /
                         static_cast<double>(pair.n_equal);
    const std::int64_t units = std::llround(std::ldexp(share, bits_));
    for (const ExactKey &at : near) {
      if (at.key < pair.threshold || (at.key == pair.threshold && !shared))
        ++places[at.feature];
      else if (at.key == pair.threshold)
        shares[at.feature] += units;
    }
  }

  const SampleRows &x_;
  const ClassIndex &y_;
  const AllowedPairs &allowed_;
  Index k_;
  SimdLevel simd_;
  double rounder_;
  FloatUnits floats_;
  Index n_sample_, sample_stride_;
  Array<float> sample_; ///< some features of every sample
  int bits_;
};

/// Joins the histograms of all threads, for pairs of one class (0) or of two
/// (1).
inline Array<double> join(const Array<PwfpCounts> &threads, int histogram,
                          Index n_features, double unit) {
  Array<double> total(n_features, 0.0);
  for (Index j = 0; j < n_features; ++j) {
    std::int64_t places = 0, shares = 0;
    for (const auto &thread : threads) {
      places +=
          thread.places[histogram].empty() ? 0 : thread.places[histogram][j];
      shares +=
          thread.shares[histogram].empty() ? 0 : thread.shares[histogram][j];
    }
    total[j] = static_cast<double>(places) + static_cast<double>(shares) * unit;
  }
  return total;
}

/// Returns the score of a feature that is marked in `within` of the n_within
/// pairs of one class and in `between` of the n_between pairs of two:
/// log((within + 1/2) / (n_within + 1)) + log((between + 1/2) / (n_between +
/// 1)). With `by_ratio` it is -|P - Q| / (P + Q) for P = within / n_within and
/// Q = between / n_between, or -1 if both are 0.
inline double pwfp_score(bool by_ratio, double within, double n_within,
                         double between, double n_between) {
  if (by_ratio) {
    const double p = within / n_within;
    const double q = between / n_between;
    return p + q > 0.0 ? -std::abs(p - q) / (p + q) : -1.0;
  }
  return std::log((within + 0.5) / (n_within + 1.0)) +
         std::log((between + 0.5) / (n_between + 1.0));
}

} // namespace detail

/// Computes eqs (5) to (7) exactly, and the scores. Memory: bytes_needed();
/// most of it is one copy of x, sample by sample, which may lie in a file.
inline PwfpResult pwfp(const ScaledView &x, const ClassIndex &y,
                       const PwfpOptions &options, Runtime &runtime) {
  const auto counts = detail::require_problem(x, y, options.allowed);
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
  for (int s = 0; s < y.n_samples(); ++s) { // both samples of a pair count it
    result.n_within += counts.of_class(s, y[s]);
    result.n_between += counts.misses(s);
  }
  result.n_within /= 2;
  result.n_between /= 2;
  for (Index j = 0; j < n; ++j)
    result.scores.push_back(detail::pwfp_score(
        options.by_ratio, result.within[j],
        static_cast<double>(result.n_within), result.between[j],
        static_cast<double>(result.n_between)));
  return result;
}

} // namespace hitmiss

#endif
