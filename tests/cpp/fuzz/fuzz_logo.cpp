// LOGO on nasty problems, against its definition.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <hitmiss/logo/logo.hpp>

#include "problem.hpp"
#include "soft_definition.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

using Weights = Array<double>;

/// (2.6) for the neighbours that `point` implies, evaluated at `weights`: with
/// the margins, chances and gradients written out, whatever path the core took.
struct Definition {
  double kkt = 0.0;
  double objective = 0.0;
  double doubt = 0.0; ///< what rounding may have done to either
};

Definition at_weights(const fuzz::Problem &problem,
                      const hitmiss::LogoOptions &options, const Weights &point,
                      const Weights &weights) {
  const auto soft = fuzz::soft_definition(problem, options.sigma, point);
  Definition by;
  Weights gradient(weights.size(), 0.0);
  double total = 0.0;
  for (const double w : weights)
    total += w;
  for (const auto &z : soft.margins) {
    double margin = 0.0;
    for (Index j = 0; j < z.size(); ++j)
      margin += weights[j] * z[j];
    by.objective +=
        std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
    for (Index j = 0; j < z.size(); ++j)
      gradient[j] += z[j] / (1.0 + std::exp(margin));
  }
  by.objective += options.lambda * total;
  for (Index j = 0; j < weights.size(); ++j) {
    if (problem.is_constant(static_cast<int>(j)))
      continue;
    const double pull = gradient[j] - options.lambda;
    by.kkt = std::max(by.kkt, weights[j] > 0.0 ? std::abs(pull) : pull);
  }
  // A margin moves by what its features' do, times the weights; a chance with
  // the margin.
  by.doubt = problem.n * soft.slip * (1.0 + (1.0 + soft.widest) * total);
  return by;
}

/// The answer is T of the point that it was found from: residual and optimality
/// conditions are those of the definition, for margins that the core did not
/// form.
void check_answer(const fuzz::Problem &problem,
                  const hitmiss::LogoOptions &options,
                  const hitmiss::LogoResult &result) {
  const auto &report = result.report;
  fuzz::require(static_cast<int>(report.objective.size()) == report.iterations,
                "one objective per iteration");
  double moved = 0.0;
  for (Index j = 0; j < problem.features; ++j) {
    const double d = result.weights[j] - result.point[j];
    moved += d * d;
  }
  fuzz::require(std::abs(std::sqrt(moved) - report.residual) <=
                    1e-9 * report.residual,
                "the residual is how far the answer moved");
  const auto by = at_weights(problem, options, result.point, result.weights);
  // Weights without bound amplify rounding beyond any use.
  const double tolerance = 1e-8 * std::max(1.0, options.lambda) + by.doubt;
  if (by.doubt >= 1e-3 * options.lambda)
    return;
  fuzz::require(by.kkt <= report.kkt + tolerance,
                "the optimality conditions hold by definition");
  const double last = report.objective[report.iterations - 1];
  fuzz::require(report.status != hitmiss::Status::converged ||
                    std::abs(by.objective - last) <=
                        1e-9 * (1.0 + by.objective) + by.doubt,
                "the objective is that of the definition");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, Index size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Problem problem(bytes);
  hitmiss::LogoOptions options;
  options.sigma = std::ldexp(1.0, bytes.between(-8, 8));
  options.lambda = std::ldexp(1.0, bytes.between(-12, 6));
  options.tol = bytes.coin() ? 0.01 : 1e-6;
  options.max_iter = bytes.between(1, 60);
  options.start = bytes.coin() ? 1.0 : -1.0;
  options.unit_range = problem.in_range();
  options.simd = fuzz::some_level(bytes);
  const auto run = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto result = run(1);
  fuzz::require_finite(result.weights, "weights are finite");
  double norm = 0.0;
  for (int j = 0; j < problem.features; ++j) {
    const double w = result.weights[j];
    fuzz::require(w >= 0.0, "weights are not negative");
    fuzz::require(w == 0.0 || !problem.is_constant(j),
                  "constants get no weight");
    norm += w * w;
  }
  const auto &report = result.report;
  fuzz::require(std::isfinite(report.residual), "residual is finite");
  if (report.status == hitmiss::Status::converged) {
    fuzz::require(report.residual <=
                      options.tol * std::max(1.0, std::sqrt(norm)) * 1.0001,
                  "converged means a small residual");
    fuzz::require(report.kkt < 1e-6, "the inner problem is optimal");
    fuzz::require(report.gap > -1e-9, "no gap below 0");
  }
  check_answer(problem, options, result);
  fuzz::require(run(3).weights == result.weights, "threads do not matter");
  return 0;
}
