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

// One for each training sample; positions of features are columns of
// `training`.
std::vector<hitmiss::Representative>
representatives(const Rcpp::List &model, int n_samples, int n_features) {
  const Rcpp::IntegerVector features = model["features"];
  const Rcpp::IntegerVector sizes = model["sizes"];
  const Rcpp::NumericVector radius = model["radius"];
  const Rcpp::NumericMatrix log_odds = model["log_odds"];
  double total = 0;
  for (const int size : sizes)
    total += size < 0 ? NA_REAL : size;
  if (sizes.size() != n_samples || radius.size() != n_samples ||
      log_odds.nrow() != n_samples || log_odds.ncol() != 4 ||
      total != static_cast<double>(features.size()))
    Rcpp::stop("the parts of the representatives differ in length");
  require_finite(radius, "radii");
  require_finite(log_odds, "log odds");
  for (const int j : features)
    if (j < 1 || j > n_features)
      Rcpp::stop("a representative uses feature %d; there are %d", j,
                 n_features);
  std::vector<hitmiss::Representative> result(
      static_cast<std::size_t>(sizes.size()));
  R_xlen_t next = 0;
  for (int i = 0; i < sizes.size(); ++i) {
    auto &r = result[i];
    for (int k = 0; k < sizes[i]; ++k)
      r.subset.push_back(features[next++] - 1);
    r.radius = radius[i];
    for (int c = 0; c < 4; ++c)
      r.log_odds[c] = log_odds(i, c);
  }
  return result;
}

} // namespace

// `themselves`: are `samples` the training samples, and none votes on itself?
// `model`: training (scaled, on the used features), y, features (1-based
// columns of training), sizes, radius, log_odds, neighbour, evidence.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_local_classifier(Rcpp::List model, Rcpp::NumericMatrix samples,
                                bool spheres, Rcpp::List runtime,
                                bool themselves = false) {
  const std::string rule = model["neighbour"];
  const Rcpp::NumericMatrix training = model["training"];
  if (samples.ncol() != training.ncol())
    Rcpp::stop("the samples have %d features, the fit has %d", samples.ncol(),
               training.ncol());
  if (themselves && samples.nrow() != training.nrow())
    Rcpp::stop("there are %d samples, not the %d of training", samples.nrow(),
               training.nrow());
  require_finite(training, "training values");
  const hitmiss::LocalClassifier classifier{
      matrix(training), known_classes(model["y"], training.nrow()),
      representatives(model, training.nrow(), training.ncol()),
      rule == "full"   ? hitmiss::NeighbourRule::full
      : rule == "half" ? hitmiss::NeighbourRule::half
                       : hitmiss::NeighbourRule::none,
      Rcpp::as<bool>(model["evidence"])};
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::classify_locally(classifier, matrix(samples), spheres, core,
                                     themselves);
  });
  const R_xlen_t n = static_cast<R_xlen_t>(result.spheres.size());
  Rcpp::IntegerVector sample(n), representative(n);
  Rcpp::NumericVector distance(n), vote(n);
  for (R_xlen_t k = 0; k < n; ++k) {
    const auto &s = result.spheres[k];
    sample[k] = s.sample + 1;
    representative[k] = s.representative + 1;
    distance[k] = s.distance;
    vote[k] = s.vote;
  }
  const Rcpp::IntegerVector inside(result.inside.begin(), result.inside.end());
  Rcpp::IntegerVector predicted(result.predicted.begin(),
                                result.predicted.end());
  using Rcpp::_;
  return Rcpp::List::create(_["similarity"] = matrix(result.similarity),
                            _["nearest"] = matrix(result.nearest),
                            _["predicted"] = predicted + 1,
                            _["inside"] = inside, _["sample"] = sample,
                            _["representative"] = representative,
                            _["distance"] = distance, _["vote"] = vote);
}
