// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/comparators/cox_score.hpp>
#include <hitmiss/comparators/fisher.hpp>
#include <hitmiss/comparators/laplacian.hpp>
#include <hitmiss/comparators/mrmr.hpp>

namespace {

hitmiss::BinOptions bin_options(const Rcpp::List &options) {
  using hitmiss::BinRule;
  hitmiss::BinOptions bin;
  bin.rule = chosen<BinRule>(options["discretise"],
                             {{"frequency", BinRule::frequency},
                              {"mdl", BinRule::mdl},
                              {"threesigma", BinRule::three_sigma}});
  if (bin.rule == hitmiss::BinRule::frequency)
    bin.bins = Rcpp::as<int>(options["bins"]);
  return bin;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_fisher(Rcpp::List problem, std::string form,
                               Rcpp::List runtime) {
  using hitmiss::FisherForm;
  const auto how = chosen<FisherForm>(
      Rcpp::wrap(form),
      {{"means", FisherForm::means}, {"variances", FisherForm::variances}});
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::fisher_scores(view(problem), class_index(problem["y"]),
                                  core, how);
  }));
}

// `times`: list(time, event, stratum).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_cox_scores(Rcpp::List problem, Rcpp::List times, bool squared,
                          Rcpp::List runtime) {
  const hitmiss::CensoredTimes known{
      Rcpp::as<std::vector<int>>(times["time"]), flags(times["event"]),
      Rcpp::as<std::vector<int>>(times["stratum"])};
  RRuntime host(runtime);
  const auto found = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::cox_scores(view(problem), known, squared, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["z"] = found.z, _["effect"] = found.effect);
}

// Says which features are constant, or not among the best `n`.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector cpp_prune_by_fisher(Rcpp::List problem,
                                        Rcpp::List preprocess, int n,
                                        Rcpp::List runtime) {
  auto learned = scaling(preprocess);
  RRuntime host(runtime);
  host.run([&](hitmiss::Runtime &core) {
    hitmiss::prune_by_fisher(view(problem), class_index(problem["y"]), n,
                             learned, core);
    return 0;
  });
  return {learned.constant.begin(), learned.constant.end()};
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_laplacian(Rcpp::List problem, Rcpp::List preprocess,
                                  Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const int neighbours = Rcpp::as<int>(options["k"]);
  const auto simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    return hitmiss::laplacian_scores(x, neighbours, simd, core);
  }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_association(Rcpp::List problem, Rcpp::List options,
                                    Rcpp::List runtime) {
  const auto y = class_index(problem["y"]);
  const auto bin = bin_options(options);
  using hitmiss::Association;
  const auto kind = chosen<Association>(
      options["method"], {{"chisq", Association::chi_squared},
                          {"infogain", Association::information}});
  RRuntime host(runtime);
  return Rcpp::wrap(host.run([&](hitmiss::Runtime &core) {
    const auto binned = hitmiss::bin_features(view(problem), y, bin, core);
    return hitmiss::association_scores(binned, y, kind, core);
  }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_mrmr(Rcpp::List problem, Rcpp::List options,
                    Rcpp::List runtime) {
  const auto y = class_index(problem["y"]);
  const auto bin = bin_options(options);
  hitmiss::MrmrOptions search;
  search.n = Rcpp::as<int>(options["n"]);
  using hitmiss::MrmrCriterion;
  search.criterion = chosen<MrmrCriterion>(
      options["criterion"],
      {{"mid", MrmrCriterion::difference}, {"miq", MrmrCriterion::quotient}});
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    const auto binned = hitmiss::bin_features(view(problem), y, bin, core);
    return hitmiss::mrmr(binned, y, search, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["picked"] = from_one(result.picked),
                            _["relevance"] = result.relevance);
}
