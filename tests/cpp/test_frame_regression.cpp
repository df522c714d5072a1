// Tests of hitmiss/llfs/frame_regression.hpp, and of the vote by it, against
// plain sums over representatives and pairs of samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs.hpp>

#include "support/host.hpp"

namespace frame_regression {

using hitmiss::Array;
using hitmiss::Index;

/// Samples in classes that follow their first feature, with `apart` ties.
hitmiss::LocalClassifier classifier(std::uint64_t seed, int n, int classes,
                                    bool ties) {
  hitmiss::RandomStream draw(seed, 3, hitmiss::Purpose::simulation);
  Eigen::MatrixXd z(n, 5);
  for (Index k = 0; k < z.size(); ++k)
    z.data()[k] = ties ? static_cast<double>(draw.below(3)) : draw.uniform();
  Array<int> labels;
  for (int i = 0; i < n; ++i)
    labels.push_back(i < classes ? i : draw.below(classes));
  hitmiss::LocalClassifier model{z,    hitmiss::ClassIndex(labels, classes),
                                 {},   hitmiss::NeighbourRule::none,
                                 true, {}};
  for (int i = 0; i < n; ++i) {
    hitmiss::Representative r;
    if (i % 7 != 3)
      for (int j = i % 2; j < 4; j += 1 + draw.below(3))
        r.subset.push_back(j);
    r.radius = 0.5;
    for (int c = 0; c < classes; ++c)
      r.evidence.push_back({i % 2, c, c, 0.5 + draw.uniform()});
    model.representatives.push_back(r);
  }
  model.intercept = Eigen::RowVectorXd::Zero(classes);
  return model;
}

double ratio(const hitmiss::LocalClassifier &model, const Eigen::RowVectorXd &x,
             int j, const Array<int> &features, const Array<double> &weights) {
  double squares = 0.0, all = 0.0;
  for (const int m : features) {
    squares += weights[m] * std::pow(x[m] - model.training(j, m), 2);
    all += weights[m];
  }
  return 1.0 / (1.0 + squares / all);
}

double kappa(const hitmiss::LocalClassifier &model, const Eigen::RowVectorXd &x,
             int j) {
  const Array<double> ones(5, 1.0);
  Array<double> roots(5, 0.0);
  double sum = 0.0, frames = 0.0;
  for (const auto &r : model.representatives)
    if (!r.subset.empty()) {
      sum += ratio(model, x, j, r.subset, ones);
      ++frames;
    }
  for (int m = 0; m < 5; ++m) {
    for (const auto &r : model.representatives)
      for (const int j : r.subset)
        roots[m] += j == m ? 1.0 : 0.0;
    roots[m] = std::sqrt(roots[m]);
  }
  return 1.0 +
         0.5 * (sum / frames + ratio(model, x, j, {0, 1, 2, 3, 4}, roots));
}

TEST_CASE("slopes: at the minimum they are 64 w (Y - p)") {
  // The last step changes f by less than .001.
  const auto model = classifier(5, 40, 3, false);
  const Index n = 40;
  Eigen::MatrixXd kernel(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      kernel(i, j) = kappa(model, model.training.row(i), j);
  const Array<double> weights{1.0, 0.5, 2.0};
  const Eigen::MatrixXd slopes =
      with_threads(1, [&](hitmiss::Runtime &runtime) {
        return hitmiss::learn_slopes(kernel, model.y, weights, runtime);
      });
  const Eigen::MatrixXd f = kernel * slopes;
  for (int j = 0; j < n; ++j) {
    const Eigen::ArrayXd e = f.row(j).array().exp();
    for (int k = 0; k < 3; ++k) {
      const double gap = (model.y[j] == k ? 1.0 : 0.0) - e[k] / e.sum();
      CHECK(slopes(j, k) / (64.0 * weights[model.y[j]]) ==
            Approx(gap).margin(1e-3));
    }
  }
}

TEST_CASE(
    "the vote is the mean of evidence and regression, and its parts are") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int classes = 2 + static_cast<int>(seed % 4);
    const int n = seed % 5 == 0 ? 100 : 20 + classes; // several vectors
    auto model = classifier(seed, n, classes, seed % 2 == 0);
    const int wanted = seed % 3 == 0 ? 12 : 0;
    const auto fitted = [&](int threads) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        auto copy = model;
        hitmiss::fit_frames(copy, {}, false, wanted, runtime);
        return copy;
      });
    };
    const auto learned = fitted(1);
    const auto &frames = learned.frames;
    CHECK(frames.slopes == fitted(2).frames.slopes);
    CHECK((frames.learners.size() < n) == (wanted > 0));
    Eigen::MatrixXd x = model.training.topRows(9);
    x.col(1).array() += 0.25;
    const auto ask = [&](const hitmiss::LocalClassifier &by, int threads,
                         bool parts = true) {
      return with_threads(threads, [&](hitmiss::Runtime &runtime) {
        return hitmiss::classify_locally(by, x, parts, runtime);
      });
    };
    const auto vote = ask(learned, 1), evidence = ask(model, 1);
    CHECK(vote.similarity == ask(learned, 2).similarity);
    CHECK(vote.inside == evidence.inside);
    // Without parts the frames are added up together.
    const auto plain = ask(learned, 2, false).similarity;
    CHECK((plain - vote.similarity).cwiseAbs().maxCoeff() < 1e-12);
    Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(x.rows(), classes);
    for (const auto &part : vote.spheres)
      parts.row(part.sample) += part.evidence;
    CHECK((parts - vote.similarity).cwiseAbs().maxCoeff() < 1e-12);
    for (int row = 0; row < x.rows(); ++row) {
      Eigen::RowVectorXd f = Eigen::RowVectorXd::Zero(classes);
      for (Index l = 0; l < frames.learners.size(); ++l)
        f += frames.slopes.row(l) *
             kappa(learned, x.row(row), frames.learners[l]);
      const Eigen::RowVectorXd expected =
          0.5 * (f + evidence.similarity.row(row));
      for (int k = 0; k < classes; ++k)
        CHECK(vote.similarity(row, k) == Approx(expected[k]).margin(1e-10));
    }
    // It has learned from the labels of the training samples.
    CHECK_THROWS(with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::classify_locally(learned, model.training, false, runtime,
                                       true);
    }));
  }
}

TEST_CASE("values without end give numbers") {
  auto model = classifier(3, 20, 2, false);
  const auto vote = with_threads(1, [&](hitmiss::Runtime &runtime) {
    hitmiss::fit_frames(model, {}, true, 0, runtime);
    Eigen::MatrixXd far = Eigen::MatrixXd::Constant(2, 5, 1e200);
    far.row(1).setConstant(-1e30);
    return hitmiss::classify_locally(model, far, false, runtime);
  });
  CHECK(vote.similarity.allFinite());
}

} // namespace frame_regression
