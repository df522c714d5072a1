// The nearest samples of each class, and how similar samples are, in some of
// the features: LLFS' scores, evidence and votes ask for them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_NEAREST_HPP
#define HITMISS_LLFS_LLFS_NEAREST_HPP

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "../data/class_index.hpp"
#include "../pairs/neighbour_key.hpp"
#include "../runtime/array.hpp"
#include "../runtime/eigen.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// What is added up of the similarity of points and rows: share / (width +
/// squared distance). For row begin[p] + i of a job, with i < of[p + 1] -
/// of[p], and point q it is added to to[q * stride + of[p] + i], that of rows
/// that are skipped, too.
struct SimilaritySums {
  const Index *of; ///< whole vectors, like the job's ranges
  double *to;
  Index stride;
  double width, share;
};

/// Finds, for each of `together` points and each range of the rows, the least
/// squared distance, or the number of rows whose squared distance is at most
/// the point's `reach`. The value of point q on column which[k] is from[k *
/// together + q]. Range p has the rows [begin[p], begin[p + 1]), which are
/// whole vectors; its result for point q is result[p * together + q]. If it is
/// null, only rows with a place in `similar` are looked at.
struct NearestJob {
  static constexpr Index together = 4; // points that share a load
  static constexpr Index block = 32;   // rows
  const double *columns;
  Index stride;
  const int *which;
  Index n_columns;
  const Index *begin;
  Index n_parts;
  const double *from;
  Index left_out[together]; ///< of each point: a row that is skipped, or -1
  const double *reach;
  double *result;
  SimilaritySums similar;
};

/// The sums are those of SquaredDistanceKernel, to the last bit.
template <bool counts, bool similar = false> struct NearestKernel {
  template <int Bytes> static HITMISS_INLINE void run(const NearestJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index together = NearestJob::together, block = NearestJob::block;
    constexpr double never = std::numeric_limits<double>::infinity();
    Index first = job.stride, last = -1; // of the rows that are skipped
    for (const Index row : job.left_out) {
      first = row >= 0 ? std::min(first, row) : first;
      last = std::max(last, row);
    }
    double squares[together][block] = {};
    for (Index p = 0; p < job.n_parts; ++p) {
      const Index begin = job.begin[p];
      Index added = begin;
      if constexpr (similar)
        added += job.similar.of[p + 1] - job.similar.of[p];
      const Index end = job.result ? job.begin[p + 1] : added;
      V found[together];
#pragma GCC unroll 4
      for (Index q = 0; q < together; ++q)
        found[q] = V{} + (counts ? 0.0 : never);
      for (Index i = begin; i < end; i += S::lanes) {
        V sum[together] = {};
        for (Index k = 0; k < job.n_columns; ++k) {
          V x;
          S::load(x, job.columns + job.which[k] * job.stride + i);
#pragma GCC unroll 4
          for (Index q = 0; q < together; ++q) {
            const V d = x - job.from[k * together + q];
            sum[q] += d * d;
          }
        }
        if constexpr (similar)
          if (i < added) {
            const Index at = (i - begin) % block, next = i + S::lanes;
#pragma GCC unroll 4
            for (Index q = 0; q < together; ++q)
              S::store(squares[q] + at, sum[q]);
            if (at + S::lanes == block || next == added)
              for (Index q = 0; q < together; ++q)
                add_block<S>(job.similar, squares[q],
                             job.similar.to + q * job.similar.stride +
                                 job.similar.of[p] + i - begin - at,
                             at + S::lanes);
          }
        if (last >= i && first < i + S::lanes)
          for (Index q = 0; q < together; ++q)
            if (job.left_out[q] >= i && job.left_out[q] < i + S::lanes)
              sum[q][job.left_out[q] - i] = never;
#pragma GCC unroll 4
        for (Index q = 0; q < together; ++q) {
          if constexpr (counts)
            found[q] += sum[q] <= job.reach[q] ? V{} + 1.0 : V{};
          else
            found[q] = sum[q] < found[q] ? sum[q] : found[q];
        }
      }
      if (!job.result)
        continue;
#pragma GCC unroll 4
      for (Index q = 0; q < together; ++q) {
        double all = found[q][0];
        for (Index lane = 1; lane < S::lanes; ++lane)
          all = counts ? all + found[q][lane]
                       : std::min<double>(all, found[q][lane]);
        job.result[p * together + q] = all;
      }
    }
  }

private:
  /// Adds what a block of at most 32 rows has for one point. One division gives
  /// four ratios; the four are at the same places whatever the vectors' width,
  /// so that it changes no bit.
  template <class S>
  static HITMISS_INLINE void add_block(const SimilaritySums &sums,
                                       const double *squares, double *to,
                                       Index rows) {
    using V = typename S::Vector;
    constexpr Index apart = NearestJob::block / 4;
    const V most = V{} + 1e75; // the product of four is finite
    for (Index at = 0; at < apart; at += S::lanes) {
      V a[4];
#pragma GCC unroll 4
      for (Index k = 0; k < 4; ++k) {
        S::load(a[k], squares + at + k * apart);
        a[k] += sums.width;
        a[k] = a[k] < most ? a[k] : most;
        if (k * apart >= rows)
          a[k] = V{} + 1.0;
      }
      const V one = a[0] * a[1], two = a[2] * a[3];
      const V ratio = sums.share / (one * two);
      const V halves[2] = {ratio * two, ratio * one};
#pragma GCC unroll 4
      for (Index k = 0; k < 4; ++k)
        if (k * apart < rows) {
          V old;
          S::load(old, to + at + k * apart);
          old += halves[k / 2] * a[k ^ 1];
          S::store(to + at + k * apart, old);
        }
    }
  }
};

/// A copy of some features of the samples, whose rows are sorted by class and
/// padded to whole vectors.
class SamplesByClass {
public:
  static constexpr Index together = NearestJob::together;
  using Samples = FixedArray<int, together>;
  using Shares = FixedArray<Array<double>, together>;

  /// The samples `first` (increasing) are the first of their classes.
  SamplesByClass(const Eigen::MatrixXd &z, const Array<int> &features,
                 const ClassIndex &y, const Array<int> &first = {})
      : row_(z.rows(), -1), begin_(y.n_classes() + 1, 0) {
    constexpr Index lanes = 8; // of the widest vector
    constexpr double never = std::numeric_limits<double>::infinity();
    for (int c = 0; c < y.n_classes(); ++c)
      begin_[c + 1] = begin_[c] + (y.count(c) + lanes - 1) / lanes * lanes;
    Array<Index> next(begin_);
    for (const int n : first)
      row_[n] = next[y[n]]++;
    for (int n = 0; n < y.n_samples(); ++n)
      if (row_[n] < 0)
        row_[n] = next[y[n]]++;
    values_.resize(begin_.back(), features.size());
    for (Index k = 0; k < features.size(); ++k) {
      const double *from = z.data() + features[k] * z.rows();
      double *to = values_.data() + k * values_.rows();
      std::fill(to, to + values_.rows(), never);
      for (int n = 0; n < y.n_samples(); ++n)
        to[row_[n]] = from[n];
    }
  }

  double operator()(int sample, int column) const {
    return values_(row_[sample], column);
  }
  Index row(int sample) const { return row_[sample]; }

  /// The first row of each class, and their number.
  const Array<Index> &begin() const { return begin_; }

  /// The least squared distances on the columns `which` from the samples of
  /// each class, without the sample `left_out` (-1: none): result[class *
  /// together + q]. `similar`: sums that are added to, or null.
  void least(const Array<int> &which, const double *from,
             const Samples &left_out, double *result,
             const SimilaritySums *similar = nullptr) const {
    auto least = job(which, from, left_out, result);
    if (!similar)
      return run_alike<NearestKernel<false>>(least);
    least.similar = *similar;
    run_alike<NearestKernel<false, true>>(least);
  }

  /// The nearest samples of a point, all that tie, share one vote: shares[q]
  /// has what each class gets of it, 0 where no sample is at a finite distance.
  void shares(const Array<int> &which, const double *from,
              const Samples &left_out, const NeighbourKey &key, Shares &shares,
              const SimilaritySums *similar = nullptr) const {
    const Index n_classes = begin_.size() - 1;
    Array<double> result(n_classes * together);
    least(which, from, left_out, result.data(), similar);
    double reach[together];
    bool tie = false;
    for (Index q = 0; q < together; ++q) {
      double nearest = result[q];
      for (Index c = 1; c < n_classes; ++c)
        nearest = std::min(nearest, result[c * together + q]);
      const std::int64_t level = key(std::sqrt(nearest));
      shares[q].assign(n_classes, 0.0);
      int holders = 0;
      for (Index c = 0; c < n_classes && std::isfinite(nearest); ++c)
        if (key.reaches(std::sqrt(result[c * together + q]), level)) {
          shares[q][c] = 1.0;
          ++holders;
        }
      reach[q] = holders > 1 ? largest_square(nearest, key) : -1.0;
      tie = tie || holders > 1;
    }
    if (!tie)
      return;
    auto count = job(which, from, left_out, result.data());
    count.reach = reach;
    run_alike<NearestKernel<true>>(count);
    for (Index q = 0; q < together; ++q) {
      double tied = 0.0;
      for (Index c = 0; c < n_classes; ++c)
        tied += result[c * together + q];
      for (Index c = 0; c < n_classes && reach[q] >= 0.0; ++c)
        shares[q][c] = result[c * together + q] / tied;
    }
  }

private:
  NearestJob job(const Array<int> &which, const double *from,
                 const Samples &left_out, double *result) const {
    NearestJob job{values_.data(),
                   values_.rows(),
                   which.data(),
                   which.size(),
                   begin_.data(),
                   begin_.size() - 1,
                   from,
                   {},
                   nullptr,
                   result,
                   {}};
    for (Index q = 0; q < together; ++q)
      job.left_out[q] = left_out[q] < 0 ? -1 : row_[left_out[q]];
    return job;
  }

  /// Returns the largest squared distance whose root has the same key as the
  /// root of `square`. It is found by bisection over the bits, because positive
  /// doubles are ordered as the integers of their bits. Distances with one key
  /// differ by at most 2^-30 of their size.
  static double largest_square(double square, const NeighbourKey &key) {
    const std::int64_t level = key(std::sqrt(square));
    double trial =
        std::min(square * (1.0 + 2e-9), std::numeric_limits<double>::max());
    std::int64_t low, high;
    std::memcpy(&low, &square, sizeof low);
    std::memcpy(&high, &trial, sizeof high);
    while (high > low) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      std::memcpy(&trial, &middle, sizeof trial);
      if (key.reaches(std::sqrt(trial), level))
        low = middle;
      else
        high = middle - 1;
    }
    std::memcpy(&trial, &low, sizeof trial);
    return trial;
  }

  Array<Index> row_, begin_; // by sample; by class
  Eigen::MatrixXd values_;
};

} // namespace hitmiss

#endif
