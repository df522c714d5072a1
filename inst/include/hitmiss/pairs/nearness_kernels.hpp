// Kernels on rows of soft near neighbours: nearness, its sums, both directions.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEARNESS_KERNELS_HPP
#define HITMISS_PAIRS_NEARNESS_KERNELS_HPP

#include "../runtime/exponential.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// Replaces row[i] by exp((shift - row[i]) * rate) for begin <= i < end, of
/// which begin is a multiple of 8 and the arguments are at most 700 in size.
struct NearnessJob {
  double *row = nullptr;
  Index begin = 0, end = 0;
  double shift = 0.0, rate = 1.0;
};

struct NearnessKernel {
  template <int Bytes> static HITMISS_INLINE void run(const NearnessJob &job) {
    using S = Simd<double, Bytes>;
    for (Index i = job.begin; i < job.end; i += S::lanes) {
      typename S::Vector e;
      S::load(e, job.row + i);
      e = (job.shift - e) * job.rate;
      detail::exponential<Bytes>(e);
      S::store(job.row + i, e);
    }
  }
};

/// Sums of a row over the samples of one class and over all others. The row is
/// padded with 0 to n samples, a multiple of 32.
struct KindSumJob {
  const double *row = nullptr, *labels = nullptr;
  Index n = 0;
  double own = 0.0;
  double *hits = nullptr, *misses = nullptr;
};

struct KindSumKernel {
  template <int Bytes> static HITMISS_INLINE void run(const KindSumJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    V hits[2] = {}, misses[2] = {};
    for (Index i = 0; i < job.n; i += 2 * S::lanes)
#pragma GCC unroll 2
      for (int k = 0; k < 2; ++k) {
        V value, label;
        S::load(value, job.row + i + k * S::lanes);
        S::load(label, job.labels + i + k * S::lanes);
        const auto hit = label == job.own;
        hits[k] += hit ? value : V{};
        misses[k] += hit ? V{} : value;
      }
    *job.hits = S::sum(hits[0] + hits[1]);
    *job.misses = S::sum(misses[0] + misses[1]);
  }
};

/// s[i] = row[i] f_n + column[i] f_i for n < i < end, where f is `hit` of the
/// sample beside its own class and `miss` of it beside others; total[n] and
/// total[i] grow by s[i]. `end` is a multiple of 32; beyond the last sample
/// all is 0.
template <class T> struct SymmetricJob {
  const double *row = nullptr, *column = nullptr;
  const double *labels = nullptr, *hit = nullptr, *miss = nullptr;
  Index n = 0, end = 0;
  T *s = nullptr;
  double *total = nullptr;
};

template <class T> struct SymmetricKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const SymmetricJob<T> &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr int narrow = S::lanes * sizeof(T);
    typedef T Narrow __attribute__((vector_size(narrow)));
    typedef T Stored
        __attribute__((vector_size(narrow), aligned(sizeof(T)), may_alias));
    const Index n = job.n;
    const double own = job.labels[n];
    double sum = 0.0;
    Index i = n + 1;
    for (; i % S::lanes != 0; ++i) {
      const bool hit = job.labels[i] == own;
      const double value = job.row[i] * (hit ? job.hit[n] : job.miss[n]) +
                           job.column[i] * (hit ? job.hit[i] : job.miss[i]);
      job.s[i] = static_cast<T>(value);
      job.total[i] += value;
      sum += value;
    }
    const V hit_n = V{} + job.hit[n], miss_n = V{} + job.miss[n];
    V sums = {};
    for (; i < job.end; i += S::lanes) {
      V row, column, label, hit_i, miss_i, total;
      S::load(row, job.row + i);
      S::load(column, job.column + i);
      S::load(label, job.labels + i);
      S::load(hit_i, job.hit + i);
      S::load(miss_i, job.miss + i);
      S::load(total, job.total + i);
      const auto hit = label == own;
      const V value =
          row * (hit ? hit_n : miss_n) + column * (hit ? hit_i : miss_i);
      *reinterpret_cast<Stored *>(job.s + i) =
          __builtin_convertvector(value, Narrow);
      S::store(job.total + i, total + value);
      sums += value;
    }
    job.total[n] += sum + S::sum(sums);
  }
};

} // namespace hitmiss

#endif
