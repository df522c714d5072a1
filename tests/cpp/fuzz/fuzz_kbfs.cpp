// BFS and semi-BFS on nasty problems, against the explicit pairs.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <hitmiss/bfs/semi_bfs.hpp>

#include "problem.hpp"

namespace {

using hitmiss::Array;
using hitmiss::BfsOptions;
using hitmiss::BfsResult;
using hitmiss::Index;

/// What rounding may leave of a sum of terms that cancel, relative to the sum
/// of their sizes.
constexpr double of_rounding = 1e-14;

/// ||Z mu - T||^2 + lambda 1'mu with explicit pairs.
struct Definition {
  double objective = 0.0;
  double size = 0.0; ///< of the terms that the objective is a difference of
  /// Of the squared products of all samples, with themselves too: from such
  /// sums the core takes those out, which may leave little but rounding.
  double summed = 0.0;
  /// The largest violation of the optimality conditions, relative to the
  /// largest gradient at 0 (but not to one that is only what rounding left of
  /// a sum of zero). Not what rounding leaves of the core's sums, see `summed`.
  double violation = 0.0;
};

Definition by_pairs(const fuzz::Problem &problem, const BfsOptions &options,
                    const Array<double> &mu, double lambda) {
  Definition by;
  const auto x = problem.x();
  const auto y = problem.y();
  Array<double> gradient(mu.size(), lambda), at_zero(mu.size(), 0.0),
      terms(mu.size(), 0.0), summed(mu.size(), 0.0);
  const hitmiss::PairKernel &kernel = options.kernel;
  const auto z = [&](int a, int b, Index j) {
    return kernel(x(a, j), x(b, j));
  };
  const auto size_of = [&](int a, int b, Index j) {
    return kernel.family == hitmiss::PairKernel::Family::gaussian
               ? z(a, b, j)
               : kernel(std::abs(x(a, j)), std::abs(x(b, j)));
  };
  const auto sum_of_sizes = [&](int a, int b) {
    double sum = 0.0;
    for (Index j = 0; j < mu.size(); ++j)
      if (mu[j] != 0.0)
        sum += mu[j] * size_of(a, b, j);
    return sum;
  };
  for (int a = 0; a < problem.n; ++a)
    for (int b = a; b < problem.n; ++b) {
      if (y[a] < 0 || y[b] < 0)
        continue;
      const double sizes = sum_of_sizes(a, b);
      const double times = a == b ? 1.0 : 2.0;
      by.summed += times * sizes * sizes;
      for (Index j = 0; j < mu.size(); ++j)
        summed[j] += times * sizes * size_of(a, b, j);
      if (a == b)
        continue;
      const double target = y[a] == y[b] ? 1.0 : -1.0;
      double error = -target, terms_of_error = 1.0;
      for (Index j = 0; j < mu.size(); ++j)
        if (mu[j] != 0.0) {
          error += mu[j] * z(a, b, j);
          terms_of_error += std::abs(mu[j] * z(a, b, j));
        }
      by.objective += error * error;
      by.size += terms_of_error * terms_of_error;
      for (Index j = 0; j < mu.size(); ++j) {
        gradient[j] += 2.0 * error * z(a, b, j);
        at_zero[j] -= 2.0 * target * z(a, b, j);
        terms[j] += 2.0 * std::abs(z(a, b, j));
      }
    }
  double worst = 0.0, scale = lambda;
  for (Index j = 0; j < mu.size(); ++j) {
    by.objective += lambda * mu[j];
    by.size += lambda * mu[j];
    if (problem.is_constant(static_cast<int>(j)))
      continue;
    scale = std::max({scale, std::abs(at_zero[j]), 1e-10 * terms[j]});
    const double g = gradient[j];
    const double beside = mu[j] > 0.0 ? std::abs(g) : -g;
    worst = std::max(worst, beside - of_rounding * summed[j]);
  }
  by.violation = scale > 0.0 ? worst / scale : 0.0;
  return by;
}

/// @param rounding Of the objectives, beside their last digits.
void check_path(const fuzz::Problem &problem, const BfsResult &result,
                double rounding) {
  fuzz::require_finite(result.mu, "weights are finite");
  for (int j = 0; j < problem.features; ++j) {
    const double mu = result.mu[j];
    fuzz::require(mu >= 0.0, "weights are not negative");
    fuzz::require(mu == 0.0 || !problem.is_constant(j),
                  "constants get no weight");
  }
  Array<char> seen(result.mu.size(), 0);
  for (const int j : result.ranking)
    ++seen[j];
  for (const char times : seen)
    fuzz::require(times == 1, "the ranking is a permutation");
  for (Index i = 0; i < result.points.size(); ++i) {
    const auto &point = result.points[i];
    fuzz::require(std::isfinite(point.objective), "objectives are finite");
    if (i > 0) {
      const auto &last = result.points[i - 1];
      fuzz::require(point.lambda <= last.lambda, "lambda falls");
      fuzz::require(point.objective <=
                        last.objective * (1.0 + 1e-7) + 1e-9 + rounding,
                    "the optimum falls with lambda");
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, Index size) {
  fuzz::Bytes bytes(data, size);
  const bool semi = bytes.between(0, 3) == 0;
  const fuzz::Problem problem(bytes, semi ? 9 : 14, 20, bytes.coin());
  BfsOptions options;
  options.n_features = bytes.between(1, problem.features);
  options.rank_by =
      bytes.coin() ? hitmiss::BfsRank::entry : hitmiss::BfsRank::weight;
  options.kernel.degree = bytes.between(1, 3);
  options.kernel.offset = options.kernel.degree > 1 ? bytes.between(0, 2) : 0.0;
  options.redundancy = bytes.coin() ? 0.0 : bytes.between(0, 20) / 10.0;
  options.gram_memory = bytes.coin() ? 0.0 : 1e6;
  options.simd = fuzz::some_level(bytes);
  hitmiss::ManifoldOptions manifold;
  manifold.weight = bytes.between(1, 30) / 10.0;
  manifold.k = bytes.between(1, 6);
  manifold.max_pairs = bytes.coin() ? 20.0 : 1e9;
  if (bytes.between(0, 3) == 1) {
    options.kernel.family = hitmiss::PairKernel::Family::gaussian;
    options.kernel.width = bytes.between(1, 30) / 10.0;
  }
  const auto run = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return semi ? hitmiss::semi_bfs(problem.x(), problem.y(), options,
                                      manifold, runtime)
                  : hitmiss::bfs(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto result = run(1);
  const double lambda =
      result.points.empty() ? 0.0 : result.points.back().lambda;
  const auto by = by_pairs(problem, options, result.mu, lambda);
  const double rounding = of_rounding * by.summed;
  check_path(problem, result, rounding);
  if (!semi && options.redundancy == 0.0 && !result.points.empty()) {
    const auto &last = result.points.back();
    if (result.report.status == hitmiss::Status::converged)
      fuzz::require(by.violation < 1e-4, "optimal for the explicit pairs");
    // The core takes it from the Gram matrix: a difference of larger terms.
    // That the optimum falls (above) says as much as these numbers are right.
    fuzz::require(std::abs(by.objective - last.objective) <=
                      1e-9 * by.size + rounding,
                  "the objective is that of the explicit pairs");
  }
  fuzz::require(run(3).mu == result.mu, "threads do not matter");
  return 0;
}
