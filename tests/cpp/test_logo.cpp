#include <cmath>
#include <vector>

#include <testthat/vendor/catch.h>

#include <hitmiss/selectors/logo.hpp>
#include <hitmiss/selectors/relief.hpp>

#include "support/host.hpp"

namespace {

/// Uniform noise; feature 0 separates the two classes.
struct Problem {
  Problem(std::ptrdiff_t n, std::ptrdiff_t j)
      : values(static_cast<std::size_t>(n * j)),
        labels(static_cast<std::size_t>(n)) {
    hitmiss::RandomStream random(11, 1, hitmiss::Purpose::simulation);
    for (double &value : values)
      value = random.uniform();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<int>(i % 2);
      values[i] = 0.4 * values[i] + 0.5 * labels[i];
    }
    raw = hitmiss::view_by_feature(values.data(), n, j);
    learned = with_lanes(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }
  hitmiss::ClassIndex y() const { return {labels, 2}; }

  std::vector<double> values;
  std::vector<int> labels;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

} // namespace

TEST_CASE("projected Newton reaches the optimality conditions and the gap") {
  Eigen::MatrixXd z(30, 12);
  hitmiss::RandomStream random(5, 2, hitmiss::Purpose::simulation);
  for (Eigen::Index k = 0; k < z.size(); ++k)
    z.data()[k] = random.uniform() - 0.4;
  z.col(5) = z.col(4); // a repeated feature
  z.col(6).setZero();  // a constant one
  for (const double lambda : {0.05, 0.5, 5.0}) {
    hitmiss::NonnegLogisticOptions options;
    options.lambda = lambda;
    const auto result = hitmiss::NonnegLogistic(z, options)
                            .solve(Eigen::VectorXd::Zero(z.cols()));
    CHECK(result.report.status == hitmiss::Status::converged);
    CHECK(result.weights.minCoeff() >= 0.0);
    const Eigen::VectorXd margin = z * result.weights;
    double loss = lambda * result.weights.sum();
    for (Eigen::Index n = 0; n < margin.size(); ++n)
      loss += std::log1p(std::exp(-margin[n]));
    CHECK(result.objective == Approx(loss));
    const Eigen::VectorXd g = z.transpose() * result.chance;
    CHECK(g.maxCoeff() <= lambda + 1e-8);
    CHECK(std::abs(result.weights.dot((g.array() - lambda).matrix())) < 1e-7);
  }
}

TEST_CASE("LOGO: float and double screening agree, lanes do not matter") {
  const Problem problem(60, 900);
  const auto run = [&](bool in_float, int lanes) {
    hitmiss::LogoOptions options;
    options.unit_range = in_float;
    options.tol = 1e-6;
    return with_lanes(lanes, [&](hitmiss::Runtime &runtime) {
      return hitmiss::logo(problem.view(), problem.y(), options, runtime);
    });
  };
  const auto one = run(true, 1), three = run(true, 3), exact = run(false, 1);
  CHECK(one.report.status == hitmiss::Status::converged);
  CHECK(one.report.kkt < 1e-8);
  CHECK(one.report.gap < 1e-7);
  CHECK(one.weights[0] > 0.0);
  CHECK(one.weights == three.weights);
  double worst = 0.0;
  for (std::size_t j = 0; j < one.weights.size(); ++j)
    worst = std::max(worst, std::abs(one.weights[j] - exact.weights[j]));
  CHECK(worst < 1e-5);
}

TEST_CASE("P-Relief: boxes and windows give one sum") {
  const Problem problem(400, 1);
  const auto y = problem.y();
  const hitmiss::detail::ParzenWeights weights(y, false);
  for (const double bandwidth : {0.003, 0.02, 0.3}) {
    std::vector<hitmiss::detail::LabelledValue> sorted;
    double self = 0.0;
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
      sorted.push_back(
          {problem.view()(static_cast<std::ptrdiff_t>(i), 0) / bandwidth,
           static_cast<std::size_t>(problem.labels[i])});
      self += weights.hit[static_cast<std::size_t>(problem.labels[i])];
    }
    std::sort(sorted.begin(), sorted.end());
    double plain = 0.0;
    for (std::size_t a = 0; a < sorted.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const double d = sorted[a].value - sorted[b].value;
        plain +=
            weights(sorted[a].label, sorted[b].label) * std::exp(-0.5 * d * d);
      }
    for (const auto path :
         {hitmiss::SimdPath::baseline, hitmiss::SimdPath::avx2,
          hitmiss::SimdPath::avx512}) {
      if (!hitmiss::simd_supported(path))
        continue;
      const double window = hitmiss::detail::window_sum(sorted, weights, path);
      const double boxes =
          hitmiss::detail::BoxSum(sorted, weights, path).total(self);
      CHECK(window == Approx(plain).epsilon(1e-12));
      CHECK(boxes == Approx(plain).epsilon(1e-12));
    }
  }
}

TEST_CASE("Relief finds the separating feature, on any number of lanes") {
  const Problem problem(50, 300);
  const auto run = [&](int lanes) {
    return with_lanes(lanes, [&](hitmiss::Runtime &runtime) {
      return hitmiss::near_relief(problem.view(), problem.y(), {}, runtime);
    });
  };
  const auto scores = run(1);
  CHECK(std::max_element(scores.begin(), scores.end()) == scores.begin());
  CHECK(scores == run(3));
}
