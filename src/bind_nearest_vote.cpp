// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/classify/nearest_vote.hpp>

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nearest_vote(SEXP newdata, Rcpp::List training,
                            Rcpp::List preprocess, std::vector<double> weights,
                            Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView queries{view(newdata, false), &learned};
  const hitmiss::ScaledView x{view(training["values"], false), &learned};
  const auto y = known_classes(training["y"], x.n_samples());
  const auto n = static_cast<std::size_t>(x.n_features());
  if (queries.n_features() != x.n_features() || weights.size() != n ||
      learned.center.size() != n || learned.scale.size() != n ||
      learned.constant.size() != n)
    Rcpp::stop("the parts of the fit differ in their number of features");
  hitmiss::VoteOptions vote;
  vote.k = Rcpp::as<int>(options["k"]);
  if (Rcpp::as<std::string>(options["metric"]) == "euclidean")
    vote.metric = hitmiss::Metric::euclidean;
  vote.simd = simd_path(Rcpp::as<std::string>(options["simd"]));
  RRuntime host(runtime);
  const auto votes = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nearest_vote(queries, x, y, weights, vote, core);
  });
  Rcpp::NumericMatrix share(static_cast<int>(votes.winner.size()),
                            y.n_classes());
  std::copy(votes.share.begin(), votes.share.end(), share.begin());
  using Rcpp::_;
  return Rcpp::List::create(_["winner"] = votes.winner, _["share"] = share);
}
