// The distance kernel alone, and the loops that it is measured against.
// SPDX-License-Identifier: GPL-3.0-or-later
// [[Rcpp::plugins(cpp17)]]
// [[Rcpp::depends(sitmo)]]
#include <cmath>

#include <Rcpp.h>

#include <hitmiss/pairs/distances.hpp>
#include <hitmiss/runtime/executor.hpp>

namespace {

using namespace hitmiss;

struct Unscaled {
  explicit Unscaled(const Rcpp::NumericMatrix &x)
      : scaling{std::vector<double>(size_t(x.ncol()), 0.0),
                std::vector<double>(size_t(x.ncol()), 1.0),
                std::vector<char>(size_t(x.ncol()), 0)},
        view{view_by_feature(x.begin(), x.nrow(), x.ncol()), &scaling} {}
  Scaling scaling;
  ScaledView view;
};

} // namespace

// Distances of all pairs in double, tiles and all, on one thread; path 0, 1, 2
// is baseline, AVX2, AVX-512. Returns the first distance.
// [[Rcpp::export]]
double k1_double(Rcpp::NumericMatrix x, int path) {
  const Unscaled data(x);
  SerialExecutor executor;
  Monitor monitor;
  Runtime runtime(executor, monitor);
  const std::vector<double> ones(size_t(x.ncol()), 1.0);
  return sample_distances(data.view, ones, Metric::manhattan,
                          static_cast<SimdLevel>(path), runtime)
      .row(0)[1];
}

// The same in float.
// [[Rcpp::export]]
double k1_float(Rcpp::NumericMatrix x, int path) {
  constexpr std::ptrdiff_t step = 128;
  const Unscaled data(x);
  const std::ptrdiff_t n = x.nrow(), stride = tile_stride<float>(n);
  AlignedBuffer<float> tile(step * stride);
  const std::vector<float> ones(step, 1.0f);
  PairMatrix<float> distances(n, n);
  for (std::ptrdiff_t first = 0; first < x.ncol(); first += step) {
    DistanceJob<float> job;
    job.n_features = std::min<std::ptrdiff_t>(step, x.ncol() - first);
    copy_tile(data.view, first, job.n_features, tile.data(), stride);
    job.rows = job.columns = {tile.data(), stride};
    job.weights = ones.data();
    job.distances = distances.row(0);
    job.distance_stride = distances.stride();
    job.column_end = n;
    for (job.row_begin = 0; job.row_begin < n; job.row_begin += 32) {
      job.row_end = std::min<std::ptrdiff_t>(job.row_begin + 32, n);
      job.column_begin = job.row_begin;
      run_simd<DistanceKernel<float, Summand::difference>>(
          static_cast<SimdLevel>(path), job);
    }
  }
  return distances.row(0)[1];
}

// The plain pair loop over R's matrix as it lies, samples in rows.
// [[Rcpp::export]]
double loop_over_rows(Rcpp::NumericMatrix x) {
  const int n = x.nrow(), p = x.ncol();
  Rcpp::NumericMatrix d(n, n);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      double sum = 0.0;
      for (int j = 0; j < p; ++j)
        sum += std::fabs(x(a, j) - x(b, j));
      d(a, b) = d(b, a) = sum;
    }
  return d(0, 1);
}

// The same over a transposed copy, where a sample lies together.
// [[Rcpp::export]]
double loop_over_columns(Rcpp::NumericMatrix x) {
  const int p = x.nrow(), n = x.ncol();
  Rcpp::NumericMatrix d(n, n);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) {
      double sum = 0.0;
      const double *first = &x(0, a), *second = &x(0, b);
      for (int j = 0; j < p; ++j)
        sum += std::fabs(first[j] - second[j]);
      d(a, b) = d(b, a) = sum;
    }
  return d(0, 1);
}
