// The sums over samples of LLFS' programs, against their definitions.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <utility>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs/gain_kernels.hpp>
#include <hitmiss/llfs/logistic_gain.hpp>

#include "support/fused.hpp"
#include "support/host.hpp"

namespace {

Eigen::VectorXd random_vector(hitmiss::RandomStream &draw, hitmiss::Index n,
                              double most) {
  Eigen::VectorXd x(n);
  for (hitmiss::Index i = 0; i < n; ++i)
    x[i] = draw.uniform() * most;
  return x;
}

const hitmiss::LogisticGain gain{0.7, 0.02};

/// As many numbers, and zeros up to the end of the last vector.
Eigen::VectorXd padded(const Eigen::VectorXd &x) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(hitmiss::padded_part(x.size()));
  all.head(x.size()) = x;
  return all;
}

double first_derivative(double z) {
  const double e = std::exp(-gain.sigma * z);
  return gain.sigma * e / ((1.0 + e) * (1.0 + e)) + gain.lambda;
}

/// Lengths around those of the vectors, none and one included.
const hitmiss::Array<hitmiss::Index> lengths{0, 1, 2,  3,  4,  5,
                                             7, 8, 11, 64, 103};

/// Both instances, each on numbers of its own, to the bit (see fused.hpp).
template <class Kernel, class Job>
void same_everywhere(const Job &job, const double *result, hitmiss::Index n) {
  hitmiss::detail::run_32_anywhere<Kernel>(job);
  const hitmiss::Array<double> portable(result, result + n);
  hitmiss::run_alike<Kernel>(job);
  CHECK(std::equal(portable.begin(), portable.end(), result,
                   [](double a, double b) {
                     return std::abs(a - b) <= fused_rounding * std::abs(a);
                   }));
}

} // namespace

TEST_CASE("kernels of gains are sums of the definition", "[kernels]") {
  hitmiss::RandomStream draw(11, 0, hitmiss::Purpose::simulation);
  for (const hitmiss::Index n : lengths) {
    if (n == 0)
      continue;
    // Some so far that the exponential would underflow.
    const double most = n % 2 == 0 ? 5.0 : 5000.0;
    const auto from = padded(random_vector(draw, n, most));
    const auto way = padded(random_vector(draw, n, 1.0));
    const Eigen::VectorXd z = from + 0.3 * way;
    double value = 0.0, slope = 0.0;
    for (hitmiss::Index i = 0; i < n; ++i) {
      value += gain.value(z[i]);
      slope += first_derivative(z[i]) * way[i];
    }
    const auto count = static_cast<double>(n);
    hitmiss::GainTerms terms;
    const auto at = hitmiss::gain_slope(gain, from, way, 0.3, n, terms);
    CHECK(at.slope == Approx(slope / count).epsilon(1e-13));
    CHECK(at.bend == -terms.curvatures.cwiseProduct(way).dot(way));
    CHECK(terms.mean == hitmiss::mean_gain(gain, z, n));
    CHECK(terms.mean == Approx(value / count).epsilon(1e-13));
    CHECK(terms.weights == hitmiss::gain_weights(gain, z, n));
    for (hitmiss::Index i = 0; i < n; ++i) {
      CHECK(terms.weights[i] * count ==
            Approx(first_derivative(z[i])).epsilon(1e-13));
      const double e = std::exp(-gain.sigma * z[i]);
      CHECK(terms.curvatures[i] * count ==
            Approx(gain.sigma * gain.sigma * e * (1.0 - e) /
                   std::pow(1.0 + e, 3.0))
                .margin(1e-16));
    }
  }
  CHECK(hitmiss::mean_gain(gain, Eigen::VectorXd(), 0) == 0.0);
  CHECK(hitmiss::mean_gain(gain, Eigen::VectorXd::Zero(8), 7) == 0.0);
}

TEST_CASE("kernels of columns are sums of the definition", "[kernels]") {
  hitmiss::RandomStream draw(12, 0, hitmiss::Purpose::simulation);
  for (const hitmiss::Index n : lengths)
    for (const hitmiss::Index columns : {1, 4, 6}) {
      const hitmiss::Index end = hitmiss::padded_part(n);
      Eigen::MatrixXd x(end + 2, columns);
      for (hitmiss::Index j = 0; j < columns; ++j)
        x.col(j) = random_vector(draw, end + 2, 1.0);
      const auto weights = padded(random_vector(draw, n, 1.0));
      Eigen::VectorXd products(columns), sums(end), squares(n);
      hitmiss::Array<int> all;
      for (int j = 0; j < columns; ++j)
        all.push_back(j);
      const double *first = x.data() + 1; // row 1
      same_everywhere<hitmiss::ColumnProductKernel>(
          hitmiss::ColumnProductJob{first, end + 2, end, all.data(), columns,
                                    weights.data(), products.data()},
          products.data(), columns);
      const hitmiss::Array<std::pair<int, double>> entries{
          {0, 0.5}, {static_cast<int>(columns) - 1, 2.0}};
      same_everywhere<hitmiss::WeightedSumKernel>(
          hitmiss::WeightedSumJob{first, end + 2, end, entries.data(), 2,
                                  sums.data()},
          sums.data(), end);
      const int which[] = {static_cast<int>(columns) - 1};
      const double from[] = {0.25};
      same_everywhere<hitmiss::SquaredDistanceKernel>(
          hitmiss::SquaredDistanceJob{first, end + 2, n, which, from, 1,
                                      squares.data()},
          squares.data(), n);
      const auto rows = x.middleRows(1, end);
      for (hitmiss::Index j = 0; j < columns; ++j)
        CHECK(products[j] ==
              Approx(rows.col(j).dot(weights)).epsilon(1e-13).margin(1e-300));
      for (hitmiss::Index i = 0; i < end; ++i) {
        const double last = rows(i, columns - 1);
        CHECK(sums[i] == Approx(0.5 * rows(i, 0) + 2.0 * last).epsilon(1e-13));
        if (i < n)
          CHECK(squares[i] == Approx((last - 0.25) * (last - 0.25)));
      }
    }
}

TEST_CASE("kernels of gains have the same bits everywhere", "[kernels]") {
  hitmiss::RandomStream draw(13, 0, hitmiss::Purpose::simulation);
  for (const hitmiss::Index n : lengths) {
    const auto z = padded(random_vector(draw, n, 9.0));
    Eigen::VectorXd weights(z.size()), curvatures(z.size());
    double sum = 0.0;
    const hitmiss::GainJob job{
        z.data(),    z.size(), static_cast<double>(n), gain.sigma,
        gain.lambda, &sum,     weights.data(),         curvatures.data()};
    same_everywhere<hitmiss::GainKernel<false>>(job, &sum, 1);
    same_everywhere<hitmiss::GainKernel<true>>(job, &sum, 1);
    same_everywhere<hitmiss::GainKernel<true>>(job, weights.data(), n);
    same_everywhere<hitmiss::GainKernel<true>>(job, curvatures.data(), n);
  }
}
