// Relief, M-Relief, I-Relief and P-Relief on nasty problems.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <hitmiss/relief/irelief.hpp>
#include <hitmiss/relief/parzen_relief.hpp>
#include <hitmiss/relief/relief.hpp>

#include "problem.hpp"
#include "soft_definition.hpp"

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::Runtime;

namespace {

/// Margins of scaled features in [0, 1] lie in [-1, 1], those of constant ones
/// are 0, and neither level nor threads matter.
template <class Compute>
void check_margins(const fuzz::Problem &problem, fuzz::Bytes &bytes,
                   Compute compute) {
  const auto level = fuzz::some_level(bytes);
  const auto one = compute(level, 1);
  fuzz::require(static_cast<int>(one.size()) == problem.features, "size");
  fuzz::require_finite(one, "margins are finite");
  for (int j = 0; j < problem.features; ++j) {
    const double margin = one[j];
    if (problem.in_range())
      fuzz::require(std::abs(margin) <= 1.0 + 1e-9, "margins within [-1, 1]");
    if (problem.is_constant(j))
      fuzz::require(margin == 0.0, "constant features score 0");
  }
  fuzz::require(compute(level, 3) == one, "threads do not matter");
  fuzz::require_close(compute(hitmiss::SimdLevel::baseline, 1), one, 1e-9,
                      "levels do not matter");
}

void check_near(const fuzz::Problem &problem, fuzz::Bytes &bytes) {
  hitmiss::NearReliefOptions options;
  options.rule = static_cast<hitmiss::MissRule>(bytes.between(0, 3));
  options.k = bytes.between(1, 6);
  options.metric = static_cast<hitmiss::Metric>(bytes.between(0, 1));
  check_margins(problem, bytes, [&](hitmiss::SimdLevel level, int threads) {
    options.simd = level;
    return with_threads(threads, [&](Runtime &runtime) {
      return hitmiss::near_relief(problem.x(), problem.y(), options, runtime);
    });
  });
}

void check_parzen(const fuzz::Problem &problem, fuzz::Bytes &bytes) {
  hitmiss::ParzenOptions options;
  options.bandwidth = std::ldexp(1.0, -bytes.between(0, 30));
  check_margins(problem, bytes, [&](hitmiss::SimdLevel level, int threads) {
    options.simd = level;
    return with_threads(threads, [&](Runtime &runtime) {
      return hitmiss::parzen_margins(problem.x(), problem.y(), options,
                                     runtime);
    });
  });
}

/// One iteration of I-Relief from equal weights, whatever level the core took:
/// the margins of eq. (4) with chances written out. More iterations may amplify
/// rounding without bound, and stop elsewhere.
void check_first(const fuzz::Problem &problem,
                 const hitmiss::IReliefOptions &options,
                 const Array<double> &weights) {
  const double start = 1.0 / std::sqrt(static_cast<double>(problem.features));
  const auto soft = fuzz::soft_definition(problem, options.sigma,
                                          Array<double>(weights.size(), start));
  Array<double> expected;
  double squares = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    double margin = 0.0;
    for (Index a = 0; a < soft.margins.size(); ++a)
      margin += soft.hit_mass[a] * soft.margins[a][j] / problem.n;
    expected.push_back(
        problem.is_constant(static_cast<int>(j)) ? 0.0 : std::max(0.0, margin));
    squares += expected.back() * expected.back();
  }
  // Margins that are nothing but rounding have no direction.
  const double norm = std::sqrt(squares);
  if (!(soft.slip < 1e-6 * norm))
    return;
  for (Index j = 0; j < weights.size(); ++j)
    fuzz::require(std::abs(weights[j] - expected[j] / norm) <=
                      soft.slip / norm * (1.0 + std::sqrt(problem.features)) +
                          1e-12,
                  "the first iteration is that of the definition");
}

void check_soft(const fuzz::Problem &problem, fuzz::Bytes &bytes) {
  hitmiss::IReliefOptions options;
  options.sigma = std::ldexp(1.0, bytes.between(-10, 10));
  options.max_iter = bytes.between(1, 40);
  options.simd = fuzz::some_level(bytes);
  const auto run = [&](int threads) {
    return with_threads(threads, [&](Runtime &runtime) {
      return hitmiss::irelief(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto result = run(1);
  fuzz::require_finite(result.weights, "weights are finite");
  double norm = 0.0;
  for (const double w : result.weights) {
    fuzz::require(w >= 0.0, "weights are not negative");
    norm += w * w;
  }
  fuzz::require(norm == 0.0 || std::abs(norm - 1.0) < 1e-9, "unit norm, or 0");
  if (result.report.status == hitmiss::Status::converged)
    fuzz::require(!(result.report.residual > options.tol), "residual");
  fuzz::require(run(2).weights == result.weights, "threads do not matter");
  options.max_iter = 1;
  check_first(problem, options, run(1).weights);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, Index size) {
  fuzz::Bytes bytes(data, size);
  const int which = bytes.between(0, 2);
  const fuzz::Problem problem(bytes);
  if (which == 0)
    check_near(problem, bytes);
  else if (which == 1)
    check_parzen(problem, bytes);
  else
    check_soft(problem, bytes);
  return 0;
}
