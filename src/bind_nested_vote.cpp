// Binding of the nested nearest-neighbour vote, the classifier of curves.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_survival.h"

#include <hitmiss/vote/nested_vote.hpp>

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nested_vote(Rcpp::NumericMatrix queries, Rcpp::NumericMatrix x,
                           Rcpp::IntegerVector y, Rcpp::List options,
                           Rcpp::List runtime) {
  hitmiss::NestedVoteOptions vote;
  for (const int size : Rcpp::as<std::vector<int>>(options["sizes"]))
    vote.sizes.push_back(size);
  const Rcpp::IntegerMatrix k = options["k"];
  for (int s = 0; s < k.nrow(); ++s)
    vote.k.push_back(
        Rcpp::as<std::vector<int>>(Rcpp::wrap(Rcpp::IntegerVector(k.row(s)))));
  vote.want_share = Rcpp::as<bool>(options["share"]);
  const auto labels = known_classes(y, x.nrow());
  RRuntime host(runtime);
  const auto votes = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nested_vote(view(queries, false), view(x, false), labels,
                                vote, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["winner"] = votes.winner,
                            _["share"] = votes.share,
                            _["times_listed"] = votes.times_listed);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_nested_survival(Rcpp::NumericMatrix queries,
                               Rcpp::NumericMatrix x, Rcpp::List voters,
                               std::vector<int> sizes, int k,
                               Rcpp::List runtime) {
  const auto known = survival_voters(voters);
  const hitmiss::Array<hitmiss::Index> columns(sizes.begin(), sizes.end());
  RRuntime host(runtime);
  return to_list(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::nested_survival(view(queries, false), view(x, false), known,
                                    columns, k, core);
  }));
}
