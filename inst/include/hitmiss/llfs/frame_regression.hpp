// A logistic regression on how similar samples are in LLFS' frames.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_FRAME_REGRESSION_HPP
#define HITMISS_LLFS_FRAME_REGRESSION_HPP

#include <algorithm>
#include <cmath>

#include "../data/class_index.hpp"
#include "../runtime/eigen.hpp"
#include "../runtime/require.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

/// A regression on the similarity kappa of samples. A sample x gets sum_j
/// slopes(j, k) kappa(x, learners[j]) for class k, kappa = 1 + (kappa_F +
/// kappa_C) / 2. kappa_F is the mean over the representatives' frames of 1 / (1
/// + d^2 / p), with the distance d in the frame and its number p of features.
/// kappa_C = 1 / (1 + d^2) in the consensus frame of all selected features: d^2
/// is the mean squared difference, a feature's weight the root of the share of
/// representatives that selected it.
struct FrameRegression {
  Array<int> learners;    ///< training samples, increasing
  Eigen::MatrixXd slopes; ///< learners x classes
};

/// Returns the slopes B that minimise -sum_j w_j log softmax(f(x_j))[y_j] +
/// sum_k B_k' kappa B_k / (2 s), with f = kappa B and s = 64. The start is f =
/// 0. Every step minimises a quadratic upper bound, in which the curvature of
/// -log softmax is 1/2. The steps end if f changes by less than .001, or after
/// 400. `kernel`: kappa of the samples, of which the lower triangle is read.
/// `weights`: w_j by class of sample j.
inline Eigen::MatrixXd learn_slopes(Eigen::MatrixXd kernel, const ClassIndex &y,
                                    const Array<double> &weights,
                                    Runtime &runtime) {
  const Index n = kernel.rows(), classes = y.n_classes();
  Eigen::VectorXd ridge(n);
  for (Index j = 0; j < n; ++j)
    ridge[j] = 2.0 / (64.0 * weights[y[j]]);
  kernel.diagonal() += ridge;
  Eigen::Ref<Eigen::MatrixXd> place(kernel);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(place);
  detail::require(factor.info() == Eigen::Success,
                  "the similarities of samples must be positive definite");
  Eigen::MatrixXd f = Eigen::MatrixXd::Zero(n, classes), z(n, classes),
                  slopes(n, classes);
  // Sets z = f + 2 (Y - softmax(f)), whose rows sum to 0, and solves for
  // slopes.
  const auto solve = [&] {
    z = (f.colwise() - f.rowwise().maxCoeff()).array().exp();
    const Eigen::VectorXd halves = 0.5 * z.rowwise().sum();
    z = f - halves.cwiseInverse().asDiagonal() * z;
    for (Index j = 0; j < n; ++j)
      z(j, y[j]) += 2.0;
    runtime.for_each(classes - 1, [&](Index k, int) {
      slopes.col(k) = factor.solve(z.col(k));
    });
    slopes.col(classes - 1) = -slopes.leftCols(classes - 1).rowwise().sum();
  };
  double change = 1.0;
  for (int step = 0; step < 400 && change >= 1e-3; ++step) {
    solve();
    z -= ridge.asDiagonal() * slopes;
    change = (z - f).cwiseAbs().maxCoeff();
    f.swap(z);
  }
  solve();
  return slopes;
}

} // namespace hitmiss

#endif
