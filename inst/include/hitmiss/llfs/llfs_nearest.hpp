// The nearest sample of a class, and of the others, in a frame: what the votes
// of LLFS' leave-one-out scores come from.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_NEAREST_HPP
#define HITMISS_LLFS_LLFS_NEAREST_HPP

#include <algorithm>
#include <limits>

#include "../data/class_index.hpp"
#include "../runtime/array.hpp"
#include "../runtime/simd.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

/// Least squared distances of some samples from rows [0, n_own) and [n_own,
/// n_rows) of `columns`, each without the sample itself. Both parts are whole
/// vectors.
struct ClassMinimaJob {
  static constexpr Index together = 4; // samples that share a load
  const double *columns;
  Index n_own, n_rows, n_columns;
  Index row[together]; ///< of each sample
  double *own, *other; ///< least, of each
};

struct ClassMinimaKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const ClassMinimaJob &job) {
    part<Simd<double, Bytes>>(job, 0, job.n_own, job.own);
    part<Simd<double, Bytes>>(job, job.n_own, job.n_rows, job.other);
  }

private:
  /// The sums are those of SquaredDistanceKernel, to the last bit.
  template <class S>
  static HITMISS_INLINE void part(const ClassMinimaJob &job, Index begin,
                                  Index end, double *least) {
    constexpr Index together = ClassMinimaJob::together;
    constexpr double never = std::numeric_limits<double>::infinity();
    using V = typename S::Vector;
    V minima[together];
#pragma GCC unroll 4
    for (Index q = 0; q < together; ++q)
      minima[q] = V{} + never;
    for (Index i = begin; i < end; i += S::lanes) {
      V sum[together] = {};
      for (Index k = 0; k < job.n_columns; ++k) {
        const double *column = job.columns + k * job.n_rows;
        V x;
        S::load(x, column + i);
#pragma GCC unroll 4
        for (Index q = 0; q < together; ++q) {
          const V d = x - column[job.row[q]];
          sum[q] += d * d;
        }
      }
#pragma GCC unroll 4
      for (Index q = 0; q < together; ++q) {
        const Index self = job.row[q] - i;
        if (self >= 0 && self < S::lanes)
          sum[q][self] = never;
        minima[q] = sum[q] < minima[q] ? sum[q] : minima[q];
      }
    }
#pragma GCC unroll 4
    for (Index q = 0; q < together; ++q) {
      least[q] = never;
      for (Index lane = 0; lane < S::lanes; ++lane)
        least[q] = std::min<double>(least[q], minima[q][lane]);
    }
  }
};

/// A frame's columns, packed: the samples of one class, then the others.
class ClassMinima {
public:
  static constexpr Index together = ClassMinimaJob::together;

  ClassMinima(const Eigen::MatrixXd &z, const ClassIndex &y,
              const Array<int> &features, int label)
      : row_(z.rows()), n_columns_(features.size()) {
    constexpr double never = std::numeric_limits<double>::infinity();
    constexpr Index lanes = 8; // of the widest vector
    const auto whole = [](Index n) { return (n + lanes - 1) / lanes * lanes; };
    n_own_ = whole(y.count(label));
    n_rows_ = n_own_ + whole(y.n_samples() - y.count(label));
    Index own = 0, other = n_own_;
    for (int n = 0; n < y.n_samples(); ++n)
      row_[n] = y[n] == label ? own++ : other++;
    columns_.resize(n_rows_ * n_columns_, never);
    for (Index k = 0; k < n_columns_; ++k)
      for (Index n = 0; n < z.rows(); ++n)
        columns_[k * n_rows_ + row_[n]] = z(n, features[k]);
  }

  struct Squared {
    double own, other;
  };

  /// Of `together` samples, their own values left out.
  FixedArray<Squared, together>
  of(const FixedArray<int, together> &samples) const {
    double own[together], other[together];
    ClassMinimaJob job{
        columns_.data(), n_own_, n_rows_, n_columns_, {}, own, other};
    for (Index q = 0; q < together; ++q)
      job.row[q] = row_[samples[q]];
    run_alike<ClassMinimaKernel>(job);
    FixedArray<Squared, together> result;
    for (Index q = 0; q < together; ++q)
      result[q] = {own[q], other[q]};
    return result;
  }

private:
  Array<Index> row_; // by sample
  Index n_own_ = 0, n_rows_ = 0, n_columns_;
  Array<double> columns_;
};

} // namespace hitmiss

#endif
