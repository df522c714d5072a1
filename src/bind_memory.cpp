// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_relief.h"

#include <hitmiss/bfs/semi_bfs.hpp>
#include <hitmiss/interactions/interactions.hpp>
#include <hitmiss/llfs/llfs_options.hpp>
#include <hitmiss/logo/logo.hpp>
#include <hitmiss/pwfp/pwfp.hpp>
#include <hitmiss/relief/irelief.hpp>
#include <hitmiss/relief/outcome_terms.hpp>
#include <hitmiss/relief/parzen_relief.hpp>
#include <hitmiss/relief/walked_relief.hpp>

namespace {

double option(const Rcpp::List &options, const char *name, double otherwise) {
  return options.containsElementNamed(name) ? Rcpp::as<double>(options[name])
                                            : otherwise;
}

hitmiss::FitSize fit_size(const Rcpp::List &size) {
  hitmiss::FitSize fit;
  fit.n_samples = Rcpp::as<double>(size["n_samples"]);
  fit.n_features = Rcpp::as<double>(size["n_features"]);
  fit.class_sizes = Rcpp::as<std::vector<double>>(size["class_sizes"]);
  fit.nonzeros = Rcpp::as<double>(size["nonzeros"]);
  fit.threads = Rcpp::as<double>(size["threads"]);
  fit.tiles = Rcpp::as<bool>(size["tiles"]);
  fit.files = Rcpp::as<bool>(size["files"]);
  return fit;
}

double near_bytes(const hitmiss::FitSize &size, const Rcpp::List &options,
                  SEXP method) {
  const double samples = option(options, "samples", 0.0);
  if (radius_of(method))
    return hitmiss::bytes_needed(size, hitmiss::RadiusReliefOptions(), samples);
  hitmiss::NearReliefOptions near;
  near.k = static_cast<int>(option(options, "k", near.k));
  near.balanced = option(options, "balanced", 0.0) > 0.0;
  if (Rcpp::as<std::string>(method) != "relieff")
    near.rule = hitmiss::MissRule::pooled;
  return hitmiss::bytes_needed(size, near, samples);
}

double bfs_bytes(const hitmiss::FitSize &size, const Rcpp::List &options,
                 bool gram_only) {
  hitmiss::BfsOptions bfs;
  bfs.n_features =
      static_cast<std::ptrdiff_t>(option(options, "n_features", 50));
  bfs.lambda = option(options, "lambda", bfs.lambda);
  bfs.gram_memory = option(options, "gram_memory", bfs.gram_memory);
  if (gram_only)
    return hitmiss::gram_bytes(size, bfs);
  hitmiss::ManifoldOptions manifold;
  manifold.weight = option(options, "manifold", 0.0);
  manifold.max_pairs = option(options, "max_pairs", manifold.max_pairs);
  manifold.k = static_cast<int>(option(options, "k", manifold.k));
  return manifold.weight > 0.0 ? hitmiss::bytes_needed(size, bfs, manifold)
                               : hitmiss::bytes_needed(size, bfs);
}

double llfs_bytes(const hitmiss::FitSize &size, const Rcpp::List &options) {
  hitmiss::LlfsOptions llfs;
  if (options.containsElementNamed("alpha"))
    llfs.alpha = Rcpp::as<std::vector<double>>(options["alpha"]);
  llfs.program_samples =
      static_cast<int>(option(options, "program_samples", 0));
  llfs.intercept_samples =
      static_cast<int>(option(options, "intercept_samples", 0));
  llfs.frames = option(options, "frames", 1.0) > 0.0;
  return hitmiss::bytes_needed(
      size, llfs, option(options, "representatives", size.n_samples));
}

} // namespace

// Returns the bytes that the core takes beside the data. `method` is a method
// of relief(), the name of another selector, or "gram" for the Gram columns of
// kbfs() alone. `options` are the options of the fit on which the bytes depend.
// [[Rcpp::export(rng = false)]]
double cpp_bytes_needed(std::string method, Rcpp::List size,
                        Rcpp::List options) {
  const auto of = fit_size(size);
  if (Rcpp::as<bool>(size["missing"]))
    return hitmiss::walked_bytes_needed(of, option(options, "samples", 0.0));
  if (method == "logo")
    return hitmiss::bytes_needed(of, hitmiss::LogoOptions());
  if (method == "interactions")
    return hitmiss::bytes_needed(of, hitmiss::InteractionOptions());
  if (method == "llfs")
    return llfs_bytes(of, options);
  if (method == "irelief")
    return hitmiss::bytes_needed(of, hitmiss::IReliefOptions());
  if (method == "parzen")
    return hitmiss::bytes_needed(of, hitmiss::ParzenOptions());
  if (method == "kbfs" || method == "gram")
    return bfs_bytes(of, options, method == "gram");
  if (method == "pwfp")
    return hitmiss::bytes_needed(of, hitmiss::PwfpOptions());
  if (method == "rrelieff" || method == "srelieff") {
    hitmiss::NeighbourOptions near;
    near.k = static_cast<int>(option(options, "k", near.k));
    return hitmiss::bytes_needed(of, near, option(options, "samples", 0.0));
  }
  return near_bytes(of, options, Rcpp::wrap(method));
}
