// LOGO's gradient over all features or some.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_LOGO_GRADIENT_HPP
#define HITMISS_LOGO_LOGO_GRADIENT_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../pairs/require_problem.hpp"
#include "../runtime/require.hpp"
#include "../soft/pair_sums.hpp"

namespace hitmiss {

struct LogoOptions {
  double sigma = 2.0;
  double lambda = 0.5;
  double tol = 0.01;
  int max_iter = 500;
  double start = -1.0; ///< first weight of every feature; < 0: 1 / sqrt(J)
  AllowedPairs allowed;
  bool unit_range = false; ///< features lie in [0, 1], so float may do
  SimdLevel simd = best_simd_level();

  void check() const {
    detail::require(sigma > 0.0 && std::isfinite(sigma),
                    "sigma must be above 0");
    detail::require(lambda >= 0.0 && std::isfinite(lambda),
                    "lambda must be at least 0");
    detail::require(tol >= 0.0 && std::isfinite(tol), "tol must be at least 0");
    detail::require(max_iter >= 1, "max_iter must be at least 1");
    detail::require(std::isfinite(start), "the first weight must be finite");
  }
};

namespace detail {

constexpr Index held_samples = 4096; ///< up to here all are held: 128 MB

} // namespace detail

/// The gradient here is g_j = sum_{n<i} S_ni |x_nj - x_ij| = sum_n r_n z_nj:
/// minus the derivative of the loss in w_j, for fixed neighbours.
class LogoGradient {
public:
  /// A gradient, and the approximate size of its error.
  struct Values {
    Array<double> values;
    double error;
  };

  LogoGradient(const ClassIndex &y, const LogoOptions &options,
               Runtime &runtime)
      : rule_{y, options.allowed, options.sigma, options.simd},
        lambda_(options.lambda), in_float_(options.unit_range),
        runtime_(runtime) {}

  const SoftRule &rule() const { return rule_; }

  /// Returns the distances of x with weights w. Only one DistanceRows may be in
  /// use at a time, because all use the memory of `held_`.
  DistanceRows distances(const ScaledView &x, const Array<double> &w) {
    return DistanceRows(x, w, rule_.simd, detail::held_samples, held_,
                        runtime_);
  }

  /// Returns the gradient for r = `chance`, the chance of a wrong answer of
  /// each sample. It is computed in float if `unit_range` is set and `error` is
  /// below lambda / 10; the true error in float is about 3e-10 sum |S|.
  Values operator()(const ScaledView &x, const SoftNeighbours &margins,
                    const Array<double> &chance) {
    double sum = 0.0;
    for (const double r : chance)
      sum += r;
    const double error = std::max(1e-3 * lambda_, 2e-8 * sum);
    if (in_float_ && error < 0.1 * lambda_)
      return {pair_gradient(x, margins, chance, single_, rule_.simd, runtime_),
              error};
    return {pair_gradient(x, margins, chance, double_, rule_.simd, runtime_),
            1e-9 * lambda_};
  }

  /// The gradient at w = 0.
  Array<double> first(const ScaledView &x) {
    const SoftNeighbours equal(distances(x, Array<double>(x.n_features(), 0.0)),
                               rule_, runtime_);
    return (*this)(x, equal, Array<double>(x.n_samples(), 0.5)).values;
  }

private:
  SoftRule rule_;
  double lambda_;
  bool in_float_;
  Runtime &runtime_;
  PairMatrix<float> single_;
  PairMatrix<double> double_, held_; ///< memory of gradients and distances
};

} // namespace hitmiss

#endif
