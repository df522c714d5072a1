// Evidence of LLFS' representatives for the class of a sample, which depends on
// its side of the sphere and on the classes of its nearest training samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_EVIDENCE_HPP
#define HITMISS_LLFS_LLFS_EVIDENCE_HPP

#include <algorithm>
#include <cmath>

#include "../data/class_index.hpp"
#include "../runtime/eigen.hpp"

namespace hitmiss {

/// The evidence for class `of` if a sample is inside the sphere (or not) and
/// its nearest training sample has class `near`. Evidence that is not stored is
/// 0, as in a cell without training samples.
struct CellEvidence {
  int inside, near, of;
  double value; ///< add_evidence() subtracts the mean over `of`
};

/// The cell of every training sample in one representative's frame.
struct TrainingCells {
  Array<int> cell;           ///< 2 * (index in `near`) + (1 if inside)
  Array<Array<double>> near; ///< shares of the classes, see share_nearest()
};

/// Counts training samples by cell and class.
class EvidenceCounts {
public:
  explicit EvidenceCounts(int n_classes)
      : k_(n_classes), totals_(n_classes, 0.0),
        counts_(2 * n_classes * n_classes, 0.0) {}

  void add(bool inside, const Array<double> &near, int label, double weight) {
    totals_[label] += weight;
    for (int m = 0; m < k_; ++m)
      at(inside, m, label) += weight * near[m];
  }

  /// For K classes there are 2 K cells. If o of the n samples of a class (of N
  /// in all) are in a cell, q n / N with q = 8 / K is added to o: P(cell) = (o
  /// + q n / N) / (n + 2 K q n / N). log P(cell) is therefore log P of an empty
  /// cell, equal for all classes, plus the value log(1 + o N / (q n)). A class
  /// without samples gets the mean value of the others.
  Array<CellEvidence> evidence() const {
    const double q = 8.0 / k_;
    double all = 0.0, present = 0.0;
    for (const double n : totals_) {
      all += n;
      present += n > 0.0 ? 1.0 : 0.0;
    }
    Array<CellEvidence> result;
    for (int cell = 0; cell < 2 * k_; ++cell) {
      double sum = 0.0;
      for (int k = 0; k < k_; ++k)
        sum += log_ratio(cell, k, all / q);
      for (int k = 0; k < k_ && sum > 0.0; ++k) {
        const double value =
            totals_[k] > 0.0 ? log_ratio(cell, k, all / q) : sum / present;
        if (value > 0.0)
          result.push_back({cell / k_, cell % k_, k, value});
      }
    }
    return result;
  }

private:
  double &at(int inside, int m, int k) {
    return counts_[(inside * k_ + m) * k_ + k];
  }
  double log_ratio(int cell, int k, double scale) const {
    const double count = counts_[cell * k_ + k];
    return count > 0.0 ? std::log1p(count * scale / totals_[k]) : 0.0;
  }

  int k_;
  Array<double> totals_, counts_;
};

/// Adds `weight` times the evidence that a representative gives for a sample.
inline void add_evidence(const Array<CellEvidence> &evidence, bool inside,
                         const Array<double> &near, double weight,
                         Eigen::RowVectorXd &votes) {
  double sum = 0.0;
  for (const CellEvidence &cell : evidence) {
    if (cell.inside != (inside ? 1 : 0))
      continue;
    const double part = weight * near[cell.near] * cell.value;
    votes[cell.of] += part;
    sum += part;
  }
  votes.array() -= sum / static_cast<double>(votes.size());
}

/// Returns the intercepts beta that minimise -sum_j w_j log softmax(row j of
/// similarity + beta)[y_j] + |beta|^2 / 2, by Newton steps. `weights`: w_j by
/// class of sample j.
inline Eigen::RowVectorXd fit_intercepts(const Eigen::MatrixXd &similarity,
                                         const ClassIndex &y,
                                         const Array<double> &weights) {
  const Index classes = similarity.cols(), n = similarity.rows();
  Eigen::RowVectorXd beta = Eigen::RowVectorXd::Zero(classes);
  for (int step = 0; step < 100; ++step) {
    Eigen::RowVectorXd gradient = beta;
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Identity(classes, classes);
    for (Index j = 0; j < n; ++j) {
      const int label = y[static_cast<int>(j)];
      const double w = weights[label];
      Eigen::RowVectorXd p = similarity.row(j) + beta;
      p = (p.array() - p.maxCoeff()).exp();
      p /= p.sum();
      gradient += w * p;
      gradient[label] -= w;
      hessian.diagonal() += w * p.transpose();
      hessian -= w * p.transpose() * p;
    }
    const Eigen::RowVectorXd move =
        hessian.partialPivLu().solve(gradient.transpose()).transpose();
    beta -= move / std::max(1.0, move.cwiseAbs().maxCoeff());
    if (move.cwiseAbs().maxCoeff() < 1e-13)
      break;
  }
  return beta;
}

} // namespace hitmiss

#endif
