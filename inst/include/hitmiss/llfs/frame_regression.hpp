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

/// What a classifier has learned from the similarity of its training samples:
/// a sample x gets sum_j slopes(j, k) kappa(x, learners[j]) for class k, where
/// kappa = 1 + (kappa_F + kappa_C) / 2. kappa_F is the mean over the
/// representatives' frames of 1 / (1 + d^2 / features), and kappa_C the same in
/// the consensus frame, which has all their features, weighted by the roots of
/// the shares of representatives that have them.
struct FrameRegression {
  Array<int> learners;    ///< training samples, increasing
  Eigen::MatrixXd slopes; ///< learners x classes
};

/// The slopes B that minimise -sum_j w_j log softmax(f(x_j))[y_j] + sum_k B_k'
/// kappa B_k / (2 s), with f = kappa B and s = 64. From f = 0, every step
/// minimises a quadratic function that is nowhere below this one, in which 1/2
/// stands for its curvature. The steps end where f changes by less than .001,
/// or after 400. `kernel`: kappa of the samples; its lower triangle is read.
/// `weights`: w of each class's samples.
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
  // Solves for f + 2 (Y - softmax(f)). Each row sums to 0 over the classes.
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
