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

/// Sums of the similarities between points and rows. For point q and row
/// begin[p] + i of a job, with i < of[p + 1] - of[p], share / (width + squared
/// distance) is added to to[q * stride + of[p] + i]. Rows that the job leaves
/// out are added, too.
struct SimilaritySums {
  const Index *of; ///< multiples of NearestJob::whole
  double *to;
  Index stride;
  double width, share;
};

/// Finds, for each of `together` points and each range of the rows, the least
/// squared distance, or the number of rows whose squared distance is at most
/// the point's `reach`. The value of point q on column which[k] is from[k *
/// together + q]. Range p has the rows [begin[p], begin[p + 1]); begin[p] must
/// be a multiple of `whole`. The result of point q is result[p * together + q].
/// If `result` is null, only rows that `similar` adds are read.
struct NearestJob {
  static constexpr Index together = 4; // points that share a load
  static constexpr Index whole = 8;    // rows of the widest vector
  const double *columns;
  Index stride;
  const int *which;
  Index n_columns;
  const Index *begin;
  Index n_parts;
  const double *from;
  Index left_out[together]; ///< row that each point skips, or -1
  const double *reach;
  double *result;
  SimilaritySums similar;
};

/// Squared distances equal those of SquaredDistanceKernel to the last bit.
template <bool counts, bool similar = false> struct NearestKernel {
  template <int Bytes> static HITMISS_INLINE void run(const NearestJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index together = NearestJob::together, apart = NearestJob::whole;
    // The similarities of four rows share a division. Only so many points are
    // taken at once that their sums stay in registers.
    constexpr Index parts = similar ? 4 : 1;
    constexpr Index points = similar && Bytes < 64 ? 2 : together;
    constexpr double never = std::numeric_limits<double>::infinity();
    constexpr double numbers[apart] = {0, 1, 2, 3, 4, 5, 6, 7};
    V number; // 0, 1, ... in the rows of a vector
    S::load(number, numbers);
    Index first = job.stride, last = -1; // of the rows skipped by any point
    for (const Index row : job.left_out) {
      first = row >= 0 ? std::min(first, row) : first;
      last = std::max(last, row);
    }
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
      for (Index block = begin; block < end; block += parts * apart)
        for (Index i = block; i < block + apart; i += S::lanes)
#pragma GCC unroll 2
          for (Index q = 0; q < together; q += points) {
            V sum[points][parts];
#pragma GCC unroll 4
            for (Index s = 0; s < points; ++s)
#pragma GCC unroll 4
              for (Index r = 0; r < parts; ++r)
                sum[s][r] = V{};
            Index at[parts]; // row i again for rows beyond `end`
#pragma GCC unroll 4
            for (Index r = 0; r < parts; ++r)
              at[r] = i + r * apart < end ? i + r * apart : i;
            for (Index k = 0; k < job.n_columns; ++k) {
              const double *column = job.columns + job.which[k] * job.stride;
              const double *from = job.from + k * together + q;
#pragma GCC unroll 4
              for (Index r = 0; r < parts; ++r) {
                V x;
                S::load(x, column + at[r]);
#pragma GCC unroll 4
                for (Index s = 0; s < points; ++s) {
                  const V d = x - from[s];
                  sum[s][r] += d * d;
                }
              }
            }
            if constexpr (similar)
              if (i < added)
#pragma GCC unroll 4
                for (Index s = 0; s < points; ++s)
                  add<S>(job.similar, sum[s],
                         job.similar.to + (q + s) * job.similar.stride +
                             job.similar.of[p] + i - begin,
                         added - i);
            if (last >= i && first < i + (parts - 1) * apart + S::lanes)
#pragma GCC unroll 4
              for (Index s = 0; s < points; ++s)
#pragma GCC unroll 4
                for (Index r = 0; r < parts; ++r)
                  sum[s][r] = number == V{} + static_cast<double>(
                                                  job.left_out[q + s] - at[r])
                                  ? V{} + never
                                  : sum[s][r];
#pragma GCC unroll 4
            for (Index s = 0; s < points; ++s)
#pragma GCC unroll 4
              for (Index r = 0; r < parts; ++r) {
                if constexpr (counts)
                  found[q + s] +=
                      sum[s][r] <= job.reach[q + s] ? V{} + 1.0 : V{};
                else
                  found[q + s] =
                      sum[s][r] < found[q + s] ? sum[s][r] : found[q + s];
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
  /// Adds the similarities of one point to the rows of four vectors; vector r
  /// counts if it starts before row `rows`. One division gives the ratios of
  /// four rows. These are the same four at every SIMD level, so that results do
  /// not differ.
  template <class S>
  static HITMISS_INLINE void add(const SimilaritySums &sums,
                                 const typename S::Vector (&squares)[4],
                                 double *to, Index rows) {
    using V = typename S::Vector;
    const V most = V{} + 1e75; // so that the product of four is finite
    V a[4];
#pragma GCC unroll 4
    for (Index r = 0; r < 4; ++r) {
      a[r] = squares[r] + sums.width;
      a[r] = a[r] < most ? a[r] : most;
    }
    const V one = a[0] * a[1], two = a[2] * a[3];
    const V ratio = sums.share / (one * two);
    const V halves[2] = {ratio * two, ratio * one};
#pragma GCC unroll 4
    for (Index r = 0; r < 4; ++r)
      if (r * NearestJob::whole < rows) {
        V old;
        S::load(old, to + r * NearestJob::whole);
        old += halves[r / 2] * a[r ^ 1];
        S::store(to + r * NearestJob::whole, old);
      }
  }
};

/// A copy of some features of the samples. Its rows are sorted by class, and
/// every class is padded to whole vectors.
class SamplesByClass {
public:
  static constexpr Index together = NearestJob::together;
  using Samples = FixedArray<int, together>;
  using Shares = FixedArray<Array<double>, together>;

  /// The samples `first` (increasing) get the first rows of their classes.
  SamplesByClass(const Eigen::MatrixXd &z, const Array<int> &features,
                 const ClassIndex &y, const Array<int> &first = {})
      : row_(z.rows(), -1), begin_(y.n_classes() + 1, 0) {
    constexpr Index lanes = NearestJob::whole;
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

  /// The first row of each class, then the number of rows.
  const Array<Index> &begin() const { return begin_; }

  /// Sets result[class * together + q] to the least squared distance of point q
  /// from the samples of the class but left_out[q] (-1: none), on the columns
  /// `which`. `from`: see NearestJob. `similar`: sums to add to, or null.
  void least(const Array<int> &which, const double *from,
             const Samples &left_out, double *result,
             const SimilaritySums *similar = nullptr) const {
    auto least = job(which, from, left_out, result);
    if (!similar)
      return run_alike<NearestKernel<false>>(least);
    least.similar = *similar;
    run_alike<NearestKernel<false, true>>(least);
  }

  /// The nearest samples of point q, all that tie, share one vote: shares[q][c]
  /// is the part of class c. It is 0 if no sample is at a finite distance.
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
