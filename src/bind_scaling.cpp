// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

#include <cmath>

#include <hitmiss/data/all_finite.hpp>

// Also the means of the raw values by class, if the problem has classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scaling(Rcpp::List problem, std::string method,
                       Rcpp::List runtime) {
  const auto how = method == "zscore"  ? hitmiss::ScaleMethod::zscore
                   : method == "range" ? hitmiss::ScaleMethod::range
                                       : hitmiss::ScaleMethod::none;
  const auto x = view(problem);
  const hitmiss::ClassIndex classes = problem.containsElementNamed("y")
                                          ? class_index(problem["y"])
                                          : hitmiss::ClassIndex({}, 0);
  Rcpp::NumericMatrix means(
      Rcpp::no_init(static_cast<int>(x.n_features), classes.n_classes()));
  const hitmiss::ClassMeans by_class{&classes, means.begin()};
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::learn_scaling(x, how, core, &by_class);
  });
  using Rcpp::_;
  return Rcpp::List::create(
      _["center"] = result.center, _["scale"] = result.scale,
      _["constant"] =
          Rcpp::LogicalVector(result.constant.begin(), result.constant.end()),
      _["class_means"] = means);
}

// Raw values, samples x features; positions from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_feature_values(Rcpp::List problem,
                                       Rcpp::IntegerVector features,
                                       Rcpp::List runtime) {
  const auto x = view(problem);
  std::vector<std::ptrdiff_t> at(features.begin(), features.end());
  for (std::ptrdiff_t &j : at)
    --j;
  Rcpp::NumericMatrix values(Rcpp::no_init(static_cast<int>(x.n_samples),
                                           static_cast<int>(at.size())));
  double *out = values.begin();
  RRuntime host(runtime);
  host.run([&](hitmiss::Runtime &core) {
    hitmiss::copy_raw_features(x, at, out, core);
    return 0;
  });
  return values;
}

// The first value that is NA, NaN or infinite, as a position from 1 (0: none),
// and how many there are; of doubles, integers or logicals.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_not_finite(SEXP values) {
  const std::ptrdiff_t n = Rf_xlength(values);
  hitmiss::BadEntries bad;
  if (TYPEOF(values) == REALSXP)
    bad = hitmiss::bad_entries(REAL(values), n,
                               [](double v) { return !std::isfinite(v); });
  else
    bad = hitmiss::bad_entries(TYPEOF(values) == LGLSXP ? LOGICAL(values)
                                                        : INTEGER(values),
                               n, [](int v) { return v == NA_INTEGER; });
  return Rcpp::NumericVector::create(static_cast<double>(bad.first) + 1,
                                     static_cast<double>(bad.count));
}

// Whether doubles hold neither NA, NaN nor infinite values.
// [[Rcpp::export(rng = false)]]
bool cpp_all_finite(SEXP values) {
  return hitmiss::all_finite(REAL(values), Rf_xlength(values));
}
