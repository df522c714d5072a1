// LOGO on nasty problems.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <hitmiss/selectors/logo.hpp>

#include "problem.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Problem problem(bytes);
  hitmiss::LogoOptions options;
  options.sigma = std::ldexp(1.0, bytes.between(-8, 8));
  options.lambda = std::ldexp(1.0, bytes.between(-12, 6));
  options.tol = bytes.coin() ? 0.01 : 1e-6;
  options.max_iter = bytes.between(1, 60);
  options.start = bytes.coin() ? 1.0 : -1.0;
  options.unit_range = problem.in_range();
  options.simd = fuzz::some_path(bytes);
  const auto run = [&](int lanes) {
    return with_lanes(lanes, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto result = run(1);
  fuzz::require_finite(result.weights, "weights are finite");
  double norm = 0.0;
  for (int j = 0; j < problem.features; ++j) {
    const double w = result.weights[static_cast<std::size_t>(j)];
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
  fuzz::require(run(3).weights == result.weights, "lanes do not matter");
  return 0;
}
