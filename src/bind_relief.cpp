// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_relief.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/relief/irelief.hpp>
#include <hitmiss/relief/parzen_relief.hpp>
#include <hitmiss/relief/relief.hpp>
#include <hitmiss/relief/rrelieff.hpp>
#include <hitmiss/relief/srelieff.hpp>
#include <hitmiss/relief/walked_relief.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// Gives unused memory back to the system before the fit copies what it keeps of
// the data: the GNU library would hold on to tens of megabytes that nobody
// uses.
void give_back_memory(std::ptrdiff_t n_samples) {
#ifdef __GLIBC__
  if (n_samples > 4096)
    malloc_trim(0);
#else
  static_cast<void>(n_samples);
#endif
}

hitmiss::MissRule miss_rule(const Rcpp::List &options) {
  using hitmiss::MissRule;
  return chosen<MissRule>(options["rule"],
                          {{"pooled", MissRule::pooled},
                           {"map", MissRule::map},
                           {"map15", MissRule::map15},
                           {"prior", MissRule::prior},
                           {"conditional", MissRule::conditional}});
}

template <class Options>
void set_distances(Options &to, const Rcpp::List &problem,
                   const Rcpp::List &options) {
  to.metric = metric_of(options["metric"]);
  to.allowed = allowed_pairs(problem);
  to.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
}

void set_neighbours(hitmiss::NeighbourOptions &to, const Rcpp::List &problem,
                    const Rcpp::List &options) {
  set_distances(to, problem, options);
  to.k = Rcpp::as<int>(options["k"]);
  if (options.containsElementNamed("hubs"))
    to.centre =
        chosen<bool>(options["hubs"], {{"centre", true}, {"none", false}});
}

// Returns signed mean margins, and the weights that eq. (4) makes of them.
Rcpp::List margin_list(const std::vector<double> &margins) {
  using Rcpp::_;
  return Rcpp::List::create(_["scores"] = margins,
                            _["weights"] = hitmiss::positive_part(margins));
}

Rcpp::List near_list(const hitmiss::SampledScores &result, bool whole) {
  auto list = margin_list(result.scores);
  if (!whole)
    list["score_se"] = result.errors;
  if (!result.times_listed.empty())
    list["times_listed"] = result.times_listed;
  if (!result.class_margins.empty()) // features x classes
    list["class_margins"] = Rcpp::NumericMatrix(
        static_cast<int>(result.scores.size()),
        static_cast<int>(result.class_margins.size() / result.scores.size()),
        result.class_margins.begin());
  return list;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_simd_levels() {
  using hitmiss::SimdLevel;
  Rcpp::CharacterVector paths = {"baseline"};
  if (hitmiss::simd_supported(SimdLevel::avx2))
    paths.push_back("avx2");
  if (hitmiss::simd_supported(SimdLevel::avx512))
    paths.push_back("avx512");
  return paths;
}

// Returns scores and weights of features from sums of the margins of their
// columns (a category has several).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_weights(std::vector<double> sums) {
  return margin_list(hitmiss::without_noise(sums));
}

// The nearest neighbours, or those inside a radius, of all samples or of some.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_near_relief(Rcpp::List problem, Rcpp::List preprocess,
                           Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  const bool whole = !options.containsElementNamed("samples");
  const int samples = whole ? 0 : Rcpp::as<int>(options["samples"]);
  const auto radius = radius_of(options["method"]);
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    if (radius) {
      hitmiss::RadiusReliefOptions inside;
      inside.radius = *radius;
      inside.rule = miss_rule(options);
      set_distances(inside, problem, options);
      return hitmiss::radius_relief(x, y, inside, samples, core);
    }
    hitmiss::NearReliefOptions near;
    near.rule = miss_rule(options);
    near.balanced = Rcpp::as<bool>(options["balanced"]);
    set_neighbours(near, problem, options);
    if (problem.containsElementNamed("present"))
      return hitmiss::walked_relief(x, y, near, samples, core);
    return hitmiss::sampled_relief(x, y, near, samples, core);
  });
  give_back_memory(x.n_samples());
  return near_list(result, whole);
}

// A numeric outcome, or survival times as positions.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_outcome_relief(Rcpp::List problem, Rcpp::List preprocess,
                              Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  hitmiss::NeighbourOptions near;
  set_neighbours(near, problem, options);
  const bool whole = !options.containsElementNamed("samples");
  const int samples = whole ? 0 : Rcpp::as<int>(options["samples"]);
  const bool censored = problem.containsElementNamed("position");
  const bool missing = problem.containsElementNamed("present");
  const auto y =
      Rcpp::as<std::vector<double>>(problem[censored ? "position" : "y"]);
  const auto event = censored ? flags(problem["event"]) : std::vector<char>();
  RRuntime host(runtime);
  const auto result =
      host.run([&](hitmiss::Runtime &core) -> hitmiss::SurvivalScores {
        if (censored)
          return (missing ? hitmiss::walked_srelieff : hitmiss::srelieff)(
              x, {y, event}, near, core, samples);
        return {(missing ? hitmiss::walked_rrelieff
                         : hitmiss::rrelieff)(x, y, near, core, samples)};
      });
  give_back_memory(x.n_samples());
  auto list = near_list(result, true);
  list["spread"] = result.spread;
  list["censored"] = result.censored;
  return list;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_parzen_relief(Rcpp::List problem, Rcpp::List preprocess,
                             Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  hitmiss::ParzenOptions parzen;
  parzen.bandwidth = Rcpp::as<double>(options["bandwidth"]);
  parzen.self = Rcpp::as<bool>(options["self"]);
  parzen.allowed = allowed_pairs(problem);
  parzen.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  RRuntime host(runtime);
  const auto margins = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::parzen_margins(x, y, parzen, core);
  });
  return margin_list(margins);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_soft_relief(Rcpp::List problem, Rcpp::List preprocess,
                           Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  hitmiss::IReliefOptions soft;
  soft.sigma = Rcpp::as<double>(options["sigma"]);
  soft.tol = Rcpp::as<double>(options["tol"]);
  soft.max_iter = Rcpp::as<int>(options["max_iter"]);
  soft.allowed = allowed_pairs(problem);
  soft.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::irelief(x, y, soft, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(_["scores"] = result.weights,
                            _["weights"] = result.weights,
                            _["report"] = to_list(result.report));
}
