// LLFS on nasty problems.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <hitmiss/selectors/llfs.hpp>

#include "problem.hpp"

namespace {

void check_subset(const fuzz::Problem &problem,
                  const hitmiss::Representative &one, double alpha) {
  fuzz::require(!one.subset.empty(), "a subset is not empty");
  fuzz::require(static_cast<double>(one.subset.size()) <= alpha,
                "at most alpha features");
  for (std::size_t k = 0; k < one.subset.size(); ++k) {
    const int j = one.subset[k];
    fuzz::require(j >= 0 && j < problem.features, "a position of the input");
    fuzz::require(!problem.is_constant(j), "constants are not selected");
    fuzz::require(k == 0 || one.subset[k - 1] < j, "in order, each once");
  }
  fuzz::require(std::isfinite(one.radius) && one.radius >= 0.0, "radius");
  fuzz::require(std::isfinite(one.score), "score is finite");
  fuzz::require(std::isfinite(one.objective), "objective is finite");
  fuzz::require(one.beta >= 0.0 && one.beta <= 1.0, "beta within the grid");
  for (const double odds : one.log_odds)
    fuzz::require(std::isfinite(odds), "log odds are finite");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Problem problem(bytes, 9, 14);
  if (problem.all_constant())
    return 0; // refused before the core is called
  hitmiss::LlfsOptions options;
  options.alpha = {static_cast<double>(bytes.between(1, 6))};
  if (bytes.coin())
    options.alpha.push_back(options.alpha[0] + bytes.between(1, 4) / 2.0);
  options.beta = {0.0, bytes.between(1, 49) / 100.0, 0.5, 1.0};
  options.gamma = std::ldexp(1.0, bytes.between(-6, 3));
  options.parsimony = bytes.between(0, 2);
  options.polish = bytes.coin();
  options.evidence = bytes.coin();
  options.enumerate = bytes.between(0, 6);
  options.draws = 20;
  options.working_set = bytes.between(4, 10);
  options.working_set_from = bytes.coin() ? 5 : 500;
  options.init_one = bytes.coin();
  options.cold_start = bytes.coin();
  const auto run = [&](int lanes) {
    return with_lanes(lanes, [&](hitmiss::Runtime &runtime) {
      return hitmiss::llfs(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto one = run(1), two = run(2);
  fuzz::require(static_cast<int>(one.representatives.size()) == problem.n,
                "one subset per sample");
  for (std::size_t i = 0; i < one.representatives.size(); ++i) {
    const auto &a = one.representatives[i], &b = two.representatives[i];
    check_subset(problem, a, options.alpha.back());
    fuzz::require(a.subset == b.subset && a.radius == b.radius &&
                      a.score == b.score,
                  "lanes do not matter");
  }
  return 0;
}
