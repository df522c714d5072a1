// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

#include <cmath>

#include <hitmiss/data/require_values.hpp>

namespace {

hitmiss::ScaleMethod scale_method(SEXP name) {
  using hitmiss::ScaleMethod;
  return chosen<ScaleMethod>(name, {{"zscore", ScaleMethod::zscore},
                                    {"range", ScaleMethod::range},
                                    {"none", ScaleMethod::none}});
}

/// Converts positions that count from 1 to positions that count from 0.
hitmiss::Array<hitmiss::Index> places(const Rcpp::IntegerVector &positions) {
  hitmiss::Array<hitmiss::Index> at(positions.size());
  for (R_xlen_t i = 0; i < positions.size(); ++i)
    at[i] = positions[i] - 1;
  return at;
}

} // namespace

// Also the means of the raw values by class, and the standard deviation within
// classes, if the problem has classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scaling(Rcpp::List problem, std::string method,
                       Rcpp::List runtime) {
  const auto how = scale_method(Rcpp::wrap(method));
  const auto x = view(problem);
  const hitmiss::ClassIndex classes = problem.containsElementNamed("y")
                                          ? class_index(problem["y"])
                                          : hitmiss::ClassIndex({}, 0);
  Rcpp::NumericMatrix means(
      Rcpp::no_init(static_cast<int>(x.n_features), classes.n_classes()));
  Rcpp::NumericVector spread(static_cast<R_xlen_t>(x.n_features));
  const hitmiss::ClassMeans by_class{&classes, means.begin(), spread.begin()};
  RRuntime host(runtime);
  const auto result = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::learn_scaling(x, how, core, &by_class);
  });
  using Rcpp::_;
  return Rcpp::List::create(
      _["center"] = result.center, _["scale"] = result.scale,
      _["constant"] =
          Rcpp::LogicalVector(result.constant.begin(), result.constant.end()),
      _["class_means"] = means, _["class_spread"] = spread);
}

// Counts the values that are not missing: of each feature in each class (all
// samples, if there are no classes), and of each sample.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_present(Rcpp::List problem, Rcpp::IntegerVector classes,
                       Rcpp::List runtime) {
  const auto x = view(problem);
  const auto y = class_index(classes);
  Rcpp::IntegerMatrix present(static_cast<int>(x.n_features), y.n_classes());
  int *counts = present.begin();
  RRuntime host(runtime);
  const auto of_samples = host.run([&](hitmiss::Runtime &core) {
    constexpr hitmiss::Index step = 64;
    return core.sum_in_parts(
        (x.n_features + step - 1) / step, x.n_samples,
        [&](hitmiss::Index unit, hitmiss::Array<double> &sum) {
          hitmiss::Array<double> buffer;
          const hitmiss::Index first = unit * step;
          const hitmiss::Index n = std::min(step, x.n_features - first);
          const auto part = hitmiss::feature_range(x, first, n, buffer);
          for (hitmiss::Index f = 0; f < n; ++f)
            for (hitmiss::Index i = 0; i < x.n_samples; ++i) {
              const int there = std::isnan(part(i, f)) ? 0 : 1;
              sum[i] += there;
              if (y[i] != hitmiss::ClassIndex::unlabelled)
                counts[y[i] * x.n_features + first + f] += there;
            }
        });
  });
  using Rcpp::_;
  return Rcpp::List::create(_["features"] = present, _["samples"] = of_samples);
}

// Returns raw values, samples x features; positions count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_feature_values(Rcpp::List problem,
                                       Rcpp::IntegerVector features,
                                       Rcpp::List runtime) {
  const auto x = view(problem);
  const auto at = places(features);
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

// Training and test values, see numeric_parts() in R: list(train, test).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scaled_parts(Rcpp::List parts, std::string method,
                            Rcpp::List runtime) {
  const auto x = view(parts["values"],
                      Rcpp::as<std::string>(parts["features_in"]) == "rows");
  const auto columns = places(parts["columns"]);
  const auto train = places(parts["train"]), test = places(parts["test"]);
  const auto part = [&](const hitmiss::Array<hitmiss::Index> &samples) {
    return Rcpp::NumericMatrix(Rcpp::no_init(static_cast<int>(samples.size()),
                                             static_cast<int>(columns.size())));
  };
  Rcpp::NumericMatrix known = part(train), others = part(test);
  double *known_out = known.begin(), *others_out = others.begin();
  RRuntime host(runtime);
  host.run([&](hitmiss::Runtime &core) {
    hitmiss::scale_parts(x, columns, train, test,
                         scale_method(Rcpp::wrap(method)), known_out,
                         others_out, core);
    return 0;
  });
  using Rcpp::_;
  return Rcpp::List::create(_["train"] = known, _["test"] = others);
}

// Returns (x - center) / scale, column by column.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_scaled(Rcpp::NumericMatrix values,
                               std::vector<double> center,
                               std::vector<double> scale) {
  const R_xlen_t rows = values.nrow();
  const auto columns = static_cast<std::ptrdiff_t>(values.ncol());
  const hitmiss::Scaling scaling{center, scale, {}};
  if (scaling.center.size() != columns || scaling.scale.size() != columns)
    Rcpp::stop("there are %d columns, but the scaling has %d", columns,
               center.size());
  Rcpp::NumericMatrix scaled(Rcpp::no_init(values.nrow(), values.ncol()));
  for (std::ptrdiff_t j = 0; j < columns; ++j)
    for (R_xlen_t i = j * rows; i < (j + 1) * rows; ++i)
      scaled[i] = scaling(values[i], j);
  return scaled;
}

// The first value that is NA, NaN or infinite (infinite alone, if others may be
// missing), as a position from 1 (0: none), and how many there are; of doubles,
// integers or logicals.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_not_finite(SEXP values, bool may_miss) {
  const std::ptrdiff_t n = Rf_xlength(values);
  hitmiss::BadEntries bad;
  if (TYPEOF(values) == REALSXP)
    bad = hitmiss::bad_entries(REAL(values), n, [&](double v) {
      return may_miss ? std::isinf(v) : !std::isfinite(v);
    });
  else if (!may_miss)
    bad = hitmiss::bad_entries(TYPEOF(values) == LGLSXP ? LOGICAL(values)
                                                        : INTEGER(values),
                               n, [](int v) { return v == NA_INTEGER; });
  return Rcpp::NumericVector::create(static_cast<double>(bad.first) + 1,
                                     static_cast<double>(bad.count));
}

// Says whether doubles hold neither NA, NaN nor infinite values.
// [[Rcpp::export(rng = false)]]
bool cpp_all_finite(SEXP values) {
  return hitmiss::all_finite(REAL(values), Rf_xlength(values));
}
