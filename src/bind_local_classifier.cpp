// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

#include <hitmiss/llfs/local_classifier.hpp>

namespace {

Eigen::MatrixXd matrix(const Rcpp::NumericMatrix &values) {
  return Eigen::Map<const Eigen::MatrixXd>(values.begin(), values.nrow(),
                                           values.ncol());
}

Rcpp::NumericMatrix matrix(const Eigen::MatrixXd &values) {
  Rcpp::NumericMatrix result(static_cast<int>(values.rows()),
                             static_cast<int>(values.cols()));
  std::copy(values.data(), values.data() + values.size(), result.begin());
  return result;
}

double total(const Rcpp::IntegerVector &sizes) {
  double sum = 0;
  for (const int size : sizes)
    sum += size < 0 ? NA_REAL : size;
  return sum;
}

// Returns one representative for each training sample. Positions of features
// are columns of `training`.
std::vector<hitmiss::Representative> representatives(const Rcpp::List &model,
                                                     int n_samples,
                                                     int n_features,
                                                     int n_classes) {
  const Rcpp::IntegerVector features = model["features"];
  const Rcpp::IntegerVector sizes = model["sizes"];
  const Rcpp::NumericVector radius = model["radius"];
  const Rcpp::IntegerVector cells = model["cells"], cell = model["cell"];
  const Rcpp::NumericVector evidence = model["evidence"];
  if (sizes.size() != n_samples || radius.size() != n_samples ||
      cells.size() != n_samples || cell.size() != 3 * evidence.size() ||
      total(sizes) != static_cast<double>(features.size()) ||
      total(cells) != static_cast<double>(evidence.size()))
    Rcpp::stop("the parts of the representatives differ in length");
  require_finite(radius, "radii");
  require_finite(evidence, "evidence");
  for (R_xlen_t k = 0; k < cell.size(); ++k)
    if (cell[k] < (k % 3 == 0 ? 0 : 1) ||
        cell[k] > (k % 3 == 0 ? 1 : n_classes))
      Rcpp::stop("evidence of a cell that there is not");
  for (const int j : features)
    if (j < 1 || j > n_features)
      Rcpp::stop("a representative uses feature %d; there are %d", j,
                 n_features);
  std::vector<hitmiss::Representative> result(
      static_cast<std::size_t>(sizes.size()));
  R_xlen_t next = 0, next_cell = 0;
  for (int i = 0; i < sizes.size(); ++i) {
    auto &r = result[i];
    for (int k = 0; k < sizes[i]; ++k)
      r.subset.push_back(features[next++] - 1);
    r.radius = radius[i];
    for (int c = 0; c < cells[i]; ++c, ++next_cell)
      r.evidence.push_back({cell[3 * next_cell], cell[3 * next_cell + 1] - 1,
                            cell[3 * next_cell + 2] - 1, evidence[next_cell]});
  }
  return result;
}

// What a vote by frames has learned, if it has: `learners` (1-based training
// samples) and `slopes` (learners x classes).
hitmiss::FrameRegression frames(const Rcpp::List &model, int n_samples,
                                int n_classes) {
  const Rcpp::IntegerVector learners = model["learners"];
  const Rcpp::NumericMatrix slopes = model["slopes"];
  require_finite(slopes, "slopes");
  if (slopes.nrow() != learners.size() ||
      (slopes.nrow() > 0 && slopes.ncol() != n_classes))
    Rcpp::stop("the parts of the regression differ in length");
  hitmiss::FrameRegression result;
  for (const int learner : learners) {
    if (learner < 1 || learner > n_samples ||
        (!result.learners.empty() && learner - 1 <= result.learners.back()))
      Rcpp::stop("learners must be training samples, in order");
    result.learners.push_back(learner - 1);
  }
  result.slopes = matrix(slopes);
  return result;
}

// `model`: training (scaled, on the used features), y, features (1-based
// columns of training), sizes, radius, cells, cell, evidence, intercept,
// neighbour, by_evidence, and what frames() reads.
hitmiss::LocalClassifier local_classifier(const Rcpp::List &model) {
  const Rcpp::NumericMatrix training = model["training"];
  const std::string rule = model["neighbour"];
  const Rcpp::NumericVector intercept = model["intercept"];
  require_finite(training, "training values");
  require_finite(intercept, "intercepts");
  auto y = known_classes(model["y"], training.nrow());
  if (intercept.size() > 0 && intercept.size() != y.n_classes())
    Rcpp::stop("there are %d intercepts for %d classes", intercept.size(),
               y.n_classes());
  auto all =
      representatives(model, training.nrow(), training.ncol(), y.n_classes());
  auto regression = frames(model, training.nrow(), y.n_classes());
  return {
      matrix(training),
      std::move(y),
      std::move(all),
      rule == "full"   ? hitmiss::NeighbourRule::full
      : rule == "half" ? hitmiss::NeighbourRule::half
                       : hitmiss::NeighbourRule::none,
      Rcpp::as<bool>(model["by_evidence"]),
      Eigen::Map<const Eigen::RowVectorXd>(intercept.begin(), intercept.size()),
      std::move(regression)};
}

} // namespace

// Returns the intercepts of a fit by evidence. They are fitted to about
// `wanted` training samples, or to all if `wanted` is 0.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_llfs_intercept(Rcpp::List model, bool balanced,
                                       int wanted, Rcpp::List runtime) {
  auto classifier = local_classifier(model);
  RRuntime host(runtime);
  host.run([&](hitmiss::Runtime &core) {
    hitmiss::fit_intercept(classifier, balanced, wanted, core);
    return 0;
  });
  return Rcpp::NumericVector(classifier.intercept.data(),
                             classifier.intercept.data() +
                                 classifier.intercept.size());
}

// Returns the regression of a fit by frames, which learns from about `wanted`
// training samples, or from all if `wanted` is 0. `problem`: its design.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_llfs_frames(Rcpp::List model, Rcpp::List problem, bool balanced,
                           int wanted, Rcpp::List runtime) {
  auto classifier = local_classifier(model);
  RRuntime host(runtime);
  host.run([&](hitmiss::Runtime &core) {
    hitmiss::fit_frames(classifier, allowed_pairs(problem), balanced, wanted,
                        core);
    return 0;
  });
  using Rcpp::_;
  return Rcpp::List::create(_["learners"] =
                                from_one(classifier.frames.learners),
                            _["slopes"] = matrix(classifier.frames.slopes));
}

// `themselves` says that `samples` are the training samples, and then none
// votes on itself.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_local_classifier(Rcpp::List model, Rcpp::NumericMatrix samples,
                                bool spheres, Rcpp::List runtime,
                                bool themselves = false) {
  const Rcpp::NumericMatrix training = model["training"];
  if (samples.ncol() != training.ncol())
    Rcpp::stop("the samples have %d features, the fit has %d", samples.ncol(),
               training.ncol());
  if (themselves && samples.nrow() != training.nrow())
    Rcpp::stop("there are %d samples, not the %d of training", samples.nrow(),
               training.nrow());
  const auto classifier = local_classifier(model);
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::classify_locally(classifier, matrix(samples), spheres, core,
                                     themselves);
  });
  const R_xlen_t n = static_cast<R_xlen_t>(result.spheres.size());
  Rcpp::IntegerVector sample(n), representative(n);
  Rcpp::NumericVector distance(n), vote(n);
  Rcpp::LogicalVector within(n);
  for (R_xlen_t k = 0; k < n; ++k) {
    const auto &s = result.spheres[k];
    sample[k] = s.sample + 1;
    representative[k] = s.representative + 1; // 0, -1: see SphereVote
    distance[k] = s.distance;
    vote[k] = s.vote;
    within[k] = s.inside;
  }
  const R_xlen_t classes = result.similarity.cols();
  Rcpp::NumericMatrix evidence(static_cast<int>(n), static_cast<int>(classes));
  for (R_xlen_t k = 0; k < n; ++k)
    for (R_xlen_t l = 0; l < result.spheres[k].evidence.size(); ++l)
      evidence(k, l) = result.spheres[k].evidence[l];
  const Rcpp::IntegerVector inside(result.inside.begin(), result.inside.end());
  using Rcpp::_;
  return Rcpp::List::create(_["similarity"] = matrix(result.similarity),
                            _["nearest"] = matrix(result.nearest),
                            _["predicted"] = from_one(result.predicted),
                            _["inside"] = inside, _["sample"] = sample,
                            _["representative"] = representative,
                            _["distance"] = distance, _["vote"] = vote,
                            _["within"] = within, _["evidence"] = evidence);
}
