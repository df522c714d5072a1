// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_llfs.h"
#include "r_runtime.h"

// `wanted` of the samples in `members`, one vector for each class: the
// positions that llfs() draws for `purpose` of sample `unit`, all counted
// from 1. `block`: 0, of scores 1 for the samples inside the sphere, of
// intercepts the class, counted from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_llfs_draw(Rcpp::List members, int wanted,
                                  std::string purpose, int unit, int block,
                                  Rcpp::List runtime) {
  const auto what = purpose == "representatives"
                        ? hitmiss::Purpose::representatives
                    : purpose == "programs" ? hitmiss::Purpose::program_samples
                    : purpose == "scores"   ? hitmiss::Purpose::score_samples
                                          : hitmiss::Purpose::intercept_samples;
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

// `intercept` is empty where it needs a look at the training samples again.
// Subsets come back as one integer vector of 1-based positions, with the
// number of features of each representative beside it; so does its evidence,
// `cell` as three numbers (inside, near, of) each.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_llfs(Rcpp::List problem, Rcpp::List preprocess,
                    Rcpp::List options, Rcpp::List runtime) {
  const auto scaled = scaling(preprocess);
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    auto llfs = llfs_options(options);
    llfs.allowed = allowed_pairs(problem);
    return hitmiss::fit_representatives(
        hitmiss::ScaledView{view(problem), &scaled}, class_index(problem["y"]),
        llfs, core);
  });
  const auto n = static_cast<int>(result.representatives.size());
  Rcpp::IntegerVector sizes(n);
  Rcpp::NumericVector radius(n), alpha(n), beta(n), score(n), objective(n);
  Rcpp::IntegerVector cells(n);
  std::vector<int> all, cell;
  std::vector<double> evidence;
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
    cells[i] = static_cast<int>(r.evidence.size());
    for (const auto &e : r.evidence) {
      cell.insert(cell.end(), {e.inside, e.near + 1, e.of + 1});
      evidence.push_back(e.value);
    }
  }
  using Rcpp::_;
  return Rcpp::List::create(
      _["features"] = all, _["sizes"] = sizes, _["radius"] = radius,
      _["alpha"] = alpha, _["beta"] = beta, _["score"] = score,
      _["objective"] = objective, _["cells"] = cells, _["cell"] = cell,
      _["evidence"] = evidence,
      _["intercept"] = Rcpp::NumericVector(result.intercept.data(),
                                           result.intercept.data() +
                                               result.intercept.size()),
      _["report"] = to_list(result.report));
}
