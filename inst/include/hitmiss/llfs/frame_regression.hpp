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
/// the consensus frame, which has all features, in shares by `consensus`.
struct FrameRegression {
  Array<int> learners;       ///< training samples, increasing
  Eigen::MatrixXd slopes;    ///< learners x classes
  Array<double> consensus{}; ///< weight of each feature; 0: it is left out
};

namespace detail {

/// Replaces the lower triangle of a positive definite matrix by its Cholesky
/// factor. Threads share it in parts of a fixed size, so that none of their
/// number changes a bit.
inline void factorise(Eigen::MatrixXd &a, Runtime &runtime) {
  constexpr Index size = 64;
  const Index n = a.rows();
  for (Index k = 0; k < n; k += size) {
    const Index width = std::min(size, n - k), next = k + width;
    Eigen::Ref<Eigen::MatrixXd> place(a.block(k, k, width, width));
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(place);
    require(factor.info() == Eigen::Success,
            "the similarities of samples must be positive definite");
    const Eigen::MatrixXd corner = place;
    runtime.for_parts(n - next, size, [&](Index begin, Index end) {
      auto rows = a.block(next + begin, k, end - begin, width);
      corner.transpose()
          .triangularView<Eigen::Upper>()
          .solveInPlace<Eigen::OnTheRight>(rows);
    });
    runtime.for_parts(n - next, size, [&](Index begin, Index end) {
      const Index from = next + begin, rows = n - from;
      a.block(from, from, rows, end - begin).noalias() -=
          a.block(from, k, rows, width) *
          a.block(from, k, end - begin, width).transpose();
    });
  }
}

/// Writes f + 2 (Y - softmax(f)) into z.
inline void working_response(const Eigen::MatrixXd &f, const ClassIndex &y,
                             Eigen::MatrixXd &z) {
  for (Index j = 0; j < f.rows(); ++j) {
    const double most = f.row(j).maxCoeff();
    double sum = 0.0;
    for (Index k = 0; k < f.cols(); ++k)
      sum += z(j, k) = std::exp(f(j, k) - most);
    for (Index k = 0; k < f.cols(); ++k)
      z(j, k) = f(j, k) - 2.0 * z(j, k) / sum;
    z(j, y[j]) += 2.0;
  }
}

} // namespace detail

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
  detail::factorise(kernel, runtime);
  const Eigen::MatrixXd &lower = kernel;
  Eigen::MatrixXd f = Eigen::MatrixXd::Zero(n, classes), z(n, classes), slopes;
  // Each row sums to 0 over the classes.
  const auto solve = [&] {
    detail::working_response(f, y, z);
    slopes = z;
    runtime.for_each(classes - 1, [&](Index k, int) {
      auto column = slopes.col(k);
      lower.triangularView<Eigen::Lower>().solveInPlace(column);
      lower.transpose().triangularView<Eigen::Upper>().solveInPlace(column);
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
