// Gaussian kernel sums over pairs of values: windows of a sorted list, boxes.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PARZEN_KERNELS_HPP
#define HITMISS_PAIRS_PARZEN_KERNELS_HPP

#include "../runtime/exponential.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// Beyond this many bandwidths exp(-d^2/2) is below half an ulp of 1.
constexpr double parzen_reach = 8.6;
constexpr int box_reach = 10; ///< boxes 0 ... 9 apart interact
constexpr int box_terms = 16; ///< 12 would do: (1/4)^12 / 12! < 2e-16
constexpr int box_size = box_reach * box_terms;

/// total = sum over pairs n < i within reach of row_n[i] exp(-d^2/2). Values
/// are sorted, in bandwidths, and followed by 8 of any size >= the last;
/// weights[label * stride + i] is what i counts beside that label, 0 beyond
/// the last.
struct WindowJob {
  const double *values = nullptr;
  const Index *labels = nullptr;
  Index n_values = 0;
  const double *weights = nullptr;
  Index stride = 0;
  double *total = nullptr;
};

struct WindowKernel {
  template <int Bytes> static HITMISS_INLINE void run(const WindowJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    V sum = {};
    Index end = 0;
    for (Index n = 0; n < job.n_values; ++n) {
      const double value = job.values[n];
      while (end < job.n_values && job.values[end] - value <= parzen_reach)
        ++end;
      const double *weights = job.weights + job.labels[n] * job.stride;
      for (Index i = n + 1; i < end; i += S::lanes) {
        V d, weight;
        S::load(d, job.values + i);
        S::load(weight, weights + i);
        d -= value;
        V e = d * d * -0.5;
        e = e < -700.0 ? V{} - 700.0 : e;
        detail::exponential<Bytes>(e);
        sum += e * weight;
      }
    }
    *job.total = S::sum(sum);
  }
};

/// Adds, for every offset u of a list, e^{du - u^2/2} u^p to left[d][p] and
/// e^{-du - u^2/2} u^p to right[d][p]. up and bell are e^u and e^{-u^2/2}.
struct MomentJob {
  double offset, up, bell;
  double *left, *right;
};

struct MomentKernel {
  template <int Bytes> static HITMISS_INLINE void run(const MomentJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    constexpr Index n_vectors = box_terms / S::lanes;
    double powers[box_terms];
    double power = 1.0;
    for (int p = 0; p < box_terms; ++p, power *= job.offset)
      powers[p] = power;
    V vectors[n_vectors];
    for (int v = 0; v < n_vectors; ++v)
      S::load(vectors[v], powers + v * S::lanes);
    double a = job.bell, b = job.bell;
    const double down = 1.0 / job.up;
    for (int d = 0; d < box_reach; ++d, a *= job.up, b *= down)
      for (int v = 0; v < n_vectors; ++v) {
        const Index at = d * box_terms + v * S::lanes;
        V left, right;
        S::load(left, job.left + at);
        S::load(right, job.right + at);
        left += vectors[v] * a;
        right += vectors[v] * b;
        S::store(job.left + at, left);
        S::store(job.right + at, right);
      }
  }
};

/// total = sum over classes c, c' and terms p of weight(c, c') left_c[p]
/// right_c'[p] / p!, in O(classes): weight is hit[c] within a class and
/// -(miss[c] + miss[c']) between two.
struct BoxPairJob {
  const double *left, *right; ///< of class c at c * class_stride
  Index class_stride;
  Index n_classes;
  const double *hit, *miss;
  const double *inverse_factorial; ///< box_terms of them
  double *total;
};

struct BoxPairKernel {
  template <int Bytes> static HITMISS_INLINE void run(const BoxPairJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    double total = 0.0;
    for (Index p = 0; p < box_terms; p += S::lanes) {
      V same = {}, sum_a = {}, sum_b = {}, miss_a = {}, miss_b = {}, scale;
      for (Index c = 0; c < job.n_classes; ++c) {
        const Index at = c * job.class_stride + p;
        V a, b;
        S::load(a, job.left + at);
        S::load(b, job.right + at);
        same += a * b * (job.hit[c] + 2.0 * job.miss[c]);
        sum_a += a;
        sum_b += b;
        miss_a += a * job.miss[c];
        miss_b += b * job.miss[c];
      }
      S::load(scale, job.inverse_factorial + p);
      same = (same - miss_a * sum_b - sum_a * miss_b) * scale;
      total += S::sum(same);
    }
    *job.total = total;
  }
};

} // namespace hitmiss

#endif
