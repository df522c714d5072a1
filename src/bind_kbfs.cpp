// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/bfs/semi_bfs.hpp>

namespace {

hitmiss::BfsOptions bfs_options(const Rcpp::List &problem,
                                const Rcpp::List &options) {
  hitmiss::BfsOptions bfs;
  bfs.allowed = allowed_pairs(problem);
  bfs.n_features = Rcpp::as<int>(options["n_features"]);
  if (!Rf_isNull(options["lambda"]))
    bfs.lambda = Rcpp::as<double>(options["lambda"]);
  bfs.rank_by = chosen<hitmiss::BfsRank>(options["rank_by"],
                                         {{"weight", hitmiss::BfsRank::weight},
                                          {"entry", hitmiss::BfsRank::entry}});
  using Kernel = hitmiss::PairKernel;
  const auto polynomial = Kernel::Family::polynomial;
  const auto kernel = Rcpp::as<std::string>(options["kernel"]);
  bfs.kernel.family = chosen<Kernel::Family>(
      options["kernel"], {{"linear", polynomial},
                          {"polynomial", polynomial},
                          {"gaussian", Kernel::Family::gaussian}});
  if (kernel == "polynomial") {
    bfs.kernel.degree = Rcpp::as<int>(options["degree"]);
    bfs.kernel.offset = Rcpp::as<double>(options["offset"]);
  } else if (kernel == "gaussian") {
    bfs.kernel.width = Rcpp::as<double>(options["width"]);
  }
  bfs.redundancy = Rcpp::as<double>(options["redundancy"]);
  bfs.gram_memory = Rcpp::as<double>(options["gram_memory"]);
  bfs.simd = simd_level(Rcpp::as<std::string>(options["simd"]));
  return bfs;
}

Rcpp::DataFrame path_frame(const std::vector<hitmiss::LassoPoint> &points) {
  const auto n = static_cast<R_xlen_t>(points.size());
  Rcpp::NumericVector lambda(n), objective(n), gap(n);
  Rcpp::IntegerVector active(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const auto &point = points[static_cast<std::size_t>(i)];
    lambda[i] = point.lambda;
    active[i] = point.active;
    objective[i] = point.objective;
    gap[i] = point.gap;
  }
  using Rcpp::_;
  return Rcpp::DataFrame::create(_["lambda"] = lambda, _["active"] = active,
                                 _["objective"] = objective, _["gap"] = gap);
}

Rcpp::IntegerVector or_na(const std::vector<int> &entry) {
  Rcpp::IntegerVector result(entry.begin(), entry.end());
  for (int &point : result)
    if (point == 0)
      point = NA_INTEGER;
  return result;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_kbfs(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const auto y = class_index(problem["y"]);
  auto bfs = bfs_options(problem, options);
  bfs.columns = own_scratch(options["columns"]);
  const hitmiss::ManifoldOptions manifold{
      Rcpp::as<double>(options["manifold"]), Rcpp::as<int>(options["k"]),
      Rcpp::as<double>(options["max_pairs"])};
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return manifold.weight > 0.0 ? hitmiss::semi_bfs(x, y, bfs, manifold, core)
                                 : hitmiss::bfs(x, y, bfs, core);
  });
  using Rcpp::_;
  return Rcpp::List::create(
      _["scores"] = result.mu, _["ranking"] = from_one(result.ranking),
      _["entry"] = or_na(result.entry), _["path"] = path_frame(result.points),
      _["report"] = to_list(result.report));
}
