// BFS by explicit pairs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_EXPLICIT_PAIRS_HPP
#define HITMISS_TESTS_EXPLICIT_PAIRS_HPP

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <hitmiss/bfs/semi_bfs.hpp>

#include "host.hpp"
#include "scratch.hpp"
#include "simd_levels.hpp"

namespace explicit_pairs {

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::SimdLevel;

struct Toy {
  Index n, features;
  Array<double> values;
  Array<int> labels;

  Toy(Index samples, Index count, std::uint64_t key)
      : n(samples), features(count) {
    hitmiss::RandomStream stream(key, 0, hitmiss::Purpose::simulation);
    for (Index i = 0; i < n; ++i)
      labels.push_back(static_cast<int>(i % 3));
    for (Index j = 0; j < features; ++j)
      for (Index i = 0; i < n; ++i)
        values.push_back(stream.uniform() + (j % 5 == labels[i]));
  }
  hitmiss::MatrixView view() const {
    return hitmiss::view_by_feature(values.data(), n, features);
  }
};

using hitmiss::PairKernel;

inline PairKernel polynomial(int degree, double offset) {
  PairKernel kernel;
  kernel.degree = degree;
  kernel.offset = offset;
  return kernel;
}
inline PairKernel gaussian(double width) {
  PairKernel kernel;
  kernel.family = PairKernel::Family::gaussian;
  kernel.width = width;
  return kernel;
}

inline double value(const PairKernel &kernel, double u, double v) {
  if (kernel.family == PairKernel::Family::gaussian)
    return std::exp(-(u - v) * (u - v) / (2.0 * kernel.width * kernel.width));
  return std::pow(u * v + kernel.offset, kernel.degree);
}

/// Z: for every feature, its value for each allowed pair a < b of the samples.
inline Array<Array<double>> explicit_pairs(const hitmiss::ScaledView &x,
                                           const hitmiss::AllowedPairs &allowed,
                                           const PairKernel &kernel) {
  Array<Array<double>> z;
  for (Index j = 0; j < x.n_features(); ++j) {
    z.emplace_back();
    for (Index a = 0; a < x.n_samples(); ++a)
      for (Index b = a + 1; b < x.n_samples(); ++b)
        if (allowed(a, b))
          z.back().push_back(value(kernel, x(a, j), x(b, j)));
  }
  return z;
}

/// No design, and one of blocks and groups.
inline Array<hitmiss::AllowedPairs> designs(Index n) {
  Array<int> block, group;
  for (int i = 0; i < n; ++i) {
    block.push_back(i % 5 < 3 ? 0 : 1);
    group.push_back(i / 2);
  }
  return {hitmiss::AllowedPairs(), hitmiss::AllowedPairs(block, group)};
}

inline double dot(const Array<double> &a, const Array<double> &b) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace explicit_pairs

#endif
