// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/llfs/llfs.hpp>

namespace {

hitmiss::LlfsOptions llfs_options(const Rcpp::List &list) {
  hitmiss::LlfsOptions options;
  options.alpha = Rcpp::as<std::vector<double>>(list["alpha"]);
  options.gamma = list["gamma"];
  options.impurity_by_count = list["impurity_by_count"];
  options.beta = Rcpp::as<std::vector<double>>(list["beta"]);
  options.parsimony = list["parsimony"];
  options.polish = list["polish"];
  options.evidence = list["evidence"];
  options.tolerance = list["tol"];
  options.draws = list["draws"];
  options.enumerate = list["enumerate"];
  options.working_set = list["working_set"];
  options.working_set_from = list["working_set_from"];
  options.init_one = list["init_one"];
  options.cold_start = list["cold_start"];
  options.program_samples = list["program_samples"];
  options.score_samples = list["score_samples"];
  options.simd = simd_level(Rcpp::as<std::string>(list["simd"]));
  options.centres = Rcpp::as<std::vector<int>>(list["centres"]);
  return options;
}

} // namespace

// `wanted` of the samples in `members`, one vector for each class: the
// positions that llfs() draws for `purpose` of sample `unit`, all counted
// from 1. `block`: 0, or of scores 1 for the samples inside the sphere.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_llfs_draw(Rcpp::List members, int wanted,
                                  std::string purpose, int unit, int block,
                                  Rcpp::List runtime) {
  const auto what = purpose == "representatives"
                        ? hitmiss::Purpose::representatives
                    : purpose == "programs" ? hitmiss::Purpose::program_samples
                                            : hitmiss::Purpose::score_samples;
  hitmiss::Array<hitmiss::Array<int>> classes;
  for (const Rcpp::IntegerVector some : members)
    classes.emplace_back(some.begin(), some.end());
  RRuntime host(runtime);
  const auto drawn = host.run([&](hitmiss::Runtime &core) {
    auto stream = core.stream(static_cast<std::uint64_t>(unit - 1), what);
    stream.seek(static_cast<std::uint64_t>(block));
    return hitmiss::draw_by_class(classes, wanted, stream);
  });
  return Rcpp::IntegerVector(drawn.begin(), drawn.end());
}

// Subsets come back as one integer vector of 1-based positions, with the
// number of features of each representative beside it.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_llfs(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto scaled = scaling(preprocess);
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    auto llfs = llfs_options(options);
    llfs.allowed = allowed_pairs(problem);
    return hitmiss::llfs(hitmiss::ScaledView{view(problem), &scaled},
                         class_index(problem["y"]), llfs, core);
  });
  const auto n = static_cast<int>(result.representatives.size());
  Rcpp::IntegerVector sizes(n);
  Rcpp::NumericVector radius(n), alpha(n), beta(n), score(n), objective(n);
  Rcpp::NumericMatrix log_odds(n, 4);
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    const auto &r = result.representatives[i];
    for (int feature : r.subset)
      all.push_back(feature + 1);
    sizes[i] = static_cast<int>(r.subset.size());
    radius[i] = r.radius;
    alpha[i] = r.alpha;
    beta[i] = r.beta;
    score[i] = r.score;
    objective[i] = r.objective;
    for (int c = 0; c < 4; ++c)
      log_odds(i, c) = r.log_odds[c];
  }
  using Rcpp::_;
  return Rcpp::List::create(
      _["features"] = all, _["sizes"] = sizes, _["radius"] = radius,
      _["alpha"] = alpha, _["beta"] = beta, _["score"] = score,
      _["objective"] = objective, _["log_odds"] = log_odds,
      _["report"] = to_list(result.report));
}

// The relaxed solutions and the sets of one representative (tests, benchmarks).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_llfs_path(Rcpp::List problem, Rcpp::List preprocess,
                         Rcpp::List options, int centre, Rcpp::List runtime) {
  const auto scaled = scaling(preprocess);
  RRuntime host(runtime);
  auto core_options = llfs_options(options);
  core_options.allowed = allowed_pairs(problem);
  const auto path = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::llfs_path(hitmiss::ScaledView{view(problem), &scaled},
                              class_index(problem["y"]), centre - 1,
                              core_options, core);
  });
  Rcpp::List sets;
  Rcpp::NumericVector objective;
  for (const auto &set : path.sets) {
    const Rcpp::IntegerVector chosen(set.features.begin(), set.features.end());
    sets.push_back(chosen + 1);
    objective.push_back(set.objective);
  }
  using Rcpp::_;
  return Rcpp::List::create(
      _["f"] =
          Rcpp::NumericMatrix(static_cast<int>(path.f.rows()),
                              static_cast<int>(path.f.cols()), path.f.data()),
      _["sets"] = sets, _["objective"] = objective, _["eps_max"] = path.eps_max,
      _["sigma"] = path.gain.sigma, _["lambda"] = path.gain.lambda);
}
