// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"
#include "r_survival.h"

#include <hitmiss/vote/nearest_survival.hpp>

namespace {

// New samples, the training samples of a fit, and how they are compared.
class Space {
public:
  Space(SEXP newdata, const Rcpp::List &training, const Rcpp::List &preprocess,
        const std::vector<double> &weights, const Rcpp::List &options)
      : learned_(scaling(preprocess)), queries{view(newdata, false), &learned_},
        x{view(training["values"], false), &learned_} {
    const hitmiss::Index n = x.n_features();
    if (queries.n_features() != n ||
        static_cast<hitmiss::Index>(weights.size()) != n ||
        learned_.center.size() != n || learned_.scale.size() != n ||
        learned_.constant.size() != n)
      Rcpp::stop("the parts of the fit differ in their number of features");
    require_finite(learned_.center, "centers");
    require_finite(learned_.scale, "scales");
    require_finite(weights, "weights");
    if (!std::all_of(learned_.scale.begin(), learned_.scale.end(),
                     [](double s) { return s > 0; }))
      Rcpp::stop("the fit has scales that are not above 0");
    vote.missing = Rcpp::as<bool>(options["missing"]);
    const auto values = Rcpp::as<Rcpp::NumericMatrix>(training["values"]);
    if (!vote.missing)
      require_finite(values, "training values");
    else if (std::any_of(values.begin(), values.end(),
                         [](double v) { return std::isinf(v); }))
      Rcpp::stop("the fit has training values that are infinite");
    vote.k = Rcpp::as<int>(options["k"]);
    vote.themselves = options.containsElementNamed("themselves");
    vote.metric = metric_of(options["metric"]);
    vote.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  }
  Space(const Space &) = delete;
  Space &operator=(const Space &) = delete;

private:
  hitmiss::Scaling learned_;

public:
  hitmiss::ScaledView queries, x;
  hitmiss::VoteOptions vote;
};

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nearest_vote(SEXP newdata, Rcpp::List training,
                            Rcpp::List preprocess, std::vector<double> weights,
                            Rcpp::List options, Rcpp::List runtime) {
  const Space space(newdata, training, preprocess, weights, options);
  const auto y = known_classes(training["y"], space.x.n_samples());
  RRuntime host(runtime);
  const auto votes = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nearest_vote(space.queries, space.x, y, weights, space.vote,
                                 core);
  });
  Rcpp::NumericMatrix share(static_cast<int>(votes.winner.size()),
                            y.n_classes());
  std::copy(votes.share.begin(), votes.share.end(), share.begin());
  using Rcpp::_;
  return Rcpp::List::create(_["winner"] = votes.winner, _["share"] = share);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_nearest_mean(SEXP newdata, Rcpp::List training,
                                     Rcpp::List preprocess,
                                     std::vector<double> weights,
                                     Rcpp::List options, Rcpp::List runtime) {
  const Space space(newdata, training, preprocess, weights, options);
  const auto y = Rcpp::as<std::vector<double>>(training["y"]);
  require_finite(y, "outcomes");
  if (static_cast<std::ptrdiff_t>(y.size()) != space.x.n_samples() || y.empty())
    Rcpp::stop("there are %d outcomes for %d training samples", y.size(),
               space.x.n_samples());
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nearest_mean(space.queries, space.x, y, weights, space.vote,
                                 core);
  }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nearest_survival(SEXP newdata, Rcpp::List training,
                                Rcpp::List preprocess,
                                std::vector<double> weights, Rcpp::List options,
                                Rcpp::List runtime) {
  const Space space(newdata, training, preprocess, weights, options);
  const auto voters = survival_voters(training["voters"]);
  RRuntime host(runtime);
  return to_list(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nearest_survival(space.queries, space.x, voters, weights,
                                     space.vote, core);
  }));
}

// Columns are queries: their nearest training samples, from 0, and distances.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nearest_samples(SEXP newdata, Rcpp::List training,
                               Rcpp::List preprocess,
                               std::vector<double> weights, Rcpp::List options,
                               Rcpp::List runtime) {
  const Space space(newdata, training, preprocess, weights, options);
  RRuntime host(runtime);
  const auto found = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nearest_samples(space.queries, space.x, weights, space.vote,
                                    core);
  });
  const int k = space.vote.k;
  const auto n = static_cast<int>(space.queries.n_samples());
  using Rcpp::_;
  return Rcpp::List::create(
      _["sample"] = Rcpp::IntegerMatrix(k, n, found.sample.begin()),
      _["distance"] = Rcpp::NumericMatrix(k, n, found.distance.begin()));
}
