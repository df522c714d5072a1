// Exact distances between pairs of samples in the space of a pair kernel.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_PAIR_DISTANCE_HPP
#define HITMISS_PAIRS_PAIR_DISTANCE_HPP

#include <algorithm>
#include <array>

#include "../runtime/runtime.hpp"
#include "../runtime/simd.hpp"
#include "pair_products.hpp"

namespace hitmiss {

/// Two samples, as positions in PairSpace::x.
struct SamplePair {
  int a, b;
};

/// distance += sum over panels and lanes of (k(a, b) - k(c, d))^2. The four
/// point to 16 features of a sample; its next panel is `stride` further.
/// c = d = nullptr: the squared norm of pair (a, b).
struct PairDistanceJob {
  const double *a, *b, *c, *d;
  Index n_panels, stride;
  const PairKernel *kernel;
  double *distance;
};

struct PairDistanceKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const PairDistanceJob &job) {
    using S = Simd<double, Bytes>;
    constexpr Index vectors = panel_width / S::lanes;
    typename S::Vector sum[vectors] = {};
    for (Index p = 0; p < job.n_panels; ++p)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const Index at = p * job.stride + v * S::lanes;
        typename S::Vector first, second = {};
        value<Bytes>(first, job, job.a + at, job.b + at);
        if (job.c != nullptr)
          value<Bytes>(second, job, job.c + at, job.d + at);
        first -= second;
        sum[v] += first * first;
      }
    for (int v = 0; v < vectors; ++v)
      *job.distance += S::sum(sum[v]);
  }

private:
  template <int Bytes>
  static HITMISS_INLINE void value(typename Simd<double, Bytes>::Vector &out,
                                   const PairDistanceJob &job, const double *u,
                                   const double *w) {
    typename Simd<double, Bytes>::Vector second;
    Simd<double, Bytes>::load(out, u);
    Simd<double, Bytes>::load(second, w);
    job.kernel->template apply<Bytes>(out, second);
  }
};

/// A distance that is asked for: from pair `from` to pair `to`, or the norm of
/// `from` if `to` is negative.
struct DistanceQuery {
  Index from, to;
  double squared = 0.0;
};

/// Answers all queries, in double. O(features) each; tiles of features that
/// stay in fast memory are the outer loop.
inline void pair_distances(const PairSpace &space,
                           const Array<SamplePair> &pairs,
                           Array<DistanceQuery> &queries, Runtime &runtime) {
  const Index stride = space.x.n_samples() * panel_width;
  const Index tile = std::max<Index>(1, 65536 / std::max<Index>(1, stride));

  for (Index first = 0; first < space.x.n_panels(); first += tile) {
    const double *x = space.x.held().panel(first);
    const Index panels = std::min(tile, space.x.n_panels() - first);
    runtime.for_parts(queries.size(), 1024, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        auto &query = queries[i];
        const auto row = [&](int n) { return x + n * panel_width; };
        const auto &p = pairs[query.from];
        PairDistanceJob job{row(p.a), row(p.b), nullptr,       nullptr,
                            panels,   stride,   &space.kernel, &query.squared};
        if (query.to >= 0) {
          const auto &q = pairs[query.to];
          job.c = row(q.a);
          job.d = row(q.b);
        }
        run_simd<PairDistanceKernel>(space.simd, job);
      }
    });
  }
}

} // namespace hitmiss

#endif
