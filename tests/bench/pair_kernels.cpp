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

// Centred at 1, so that the baseline adds larger values, as it does of scaled
// data; distances stay those of x.
struct Centred {
  explicit Centred(const Rcpp::NumericMatrix &x)
      : scaling{std::vector<double>(size_t(x.ncol()), 1.0),
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
  const Centred data(x);
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
  const Centred data(x);
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

namespace {

struct PeakJob {
  std::ptrdiff_t steps;
  double factor, term, *sum;
};

// Multiply and add on registers alone: enough of them that none waits.
template <class T> struct PeakKernel {
  template <int Bytes> static HITMISS_INLINE void run(const PeakJob &job) {
    using S = Simd<T, Bytes>;
    // Different ones: of equal sums the compiler forms one.
    typename S::Vector total[12];
    for (int k = 0; k < 12; ++k)
      total[k] = typename S::Vector{} + static_cast<T>(k);
    const T factor = static_cast<T>(job.factor),
            term = static_cast<T>(job.term);
    for (std::ptrdiff_t i = 0; i < job.steps; ++i)
#pragma GCC unroll 12
      for (int k = 0; k < 12; ++k)
        total[k] = total[k] * factor + term;
    for (const auto &part : total)
      *job.sum += S::sum(part);
  }
};

} // namespace

// Does `steps` times twelve of the widest products and sums that a path has;
// gives how many numbers that were.
// [[Rcpp::export]]
double peak(double steps, int path, bool single) {
  double sum = 0.0;
  const PeakJob job{static_cast<std::ptrdiff_t>(steps), 0.5, 1.0, &sum};
  const auto level = static_cast<SimdLevel>(path);
  if (single)
    run_simd<PeakKernel<float>>(level, job);
  else
    run_simd<PeakKernel<double>>(level, job);
  if (!(sum > 0.0))
    Rcpp::stop("no sum");
  return 12.0 * steps * (16 << path) / (single ? 4 : 8);
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
