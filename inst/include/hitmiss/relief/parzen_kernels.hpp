// Gaussian kernel sums over pairs of values: windows of a
// sorted list.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_PARZEN_KERNELS_HPP
#define HITMISS_RELIEF_PARZEN_KERNELS_HPP

#include "../runtime/exponential.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// Beyond this many bandwidths exp(-d^2/2) is below half an ulp of 1.
constexpr double parzen_reach = 8.6;

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
      V own = {}; // short sums: these lose fewer digits
      for (Index i = n + 1; i < end; i += S::lanes) {
        V d, weight;
        S::load(d, job.values + i);
        S::load(weight, weights + i);
        d -= value;
        V e = d * d * -0.5;
        e = e < -700.0 ? V{} - 700.0 : e;
        detail::exponential<Bytes>(e);
        own += e * weight;
      }
      sum += own;
    }
    *job.total = S::sum(sum);
  }
};

} // namespace hitmiss

#endif
