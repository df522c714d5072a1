// Between R objects and the core's types. The gate in R/as_problem.R has
// checked everything before; here only shapes are read.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_CONVERT_H
#define HITMISS_R_CONVERT_H

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Rcpp.h>

#include <hitmiss/data/class_index.hpp>
#include <hitmiss/data/matrix_view.hpp>
#include <hitmiss/data/scaling.hpp>
#include <hitmiss/data/sparse_tiles.hpp>
#include <hitmiss/pairs/allowed_pairs.hpp>
#include <hitmiss/pairs/distance_kernel.hpp>
#include <hitmiss/runtime/report.hpp>

#include "r_choice.h"
#include "r_scratch.h"

inline hitmiss::Metric metric_of(SEXP name) {
  return chosen<hitmiss::Metric>(name,
                                 {{"manhattan", hitmiss::Metric::manhattan},
                                  {"euclidean", hitmiss::Metric::euclidean}});
}

/// A dense R matrix (double, integer or logical) as it lies in memory.
inline hitmiss::MatrixView view(SEXP values, bool features_in_rows) {
  if (!Rf_isMatrix(values))
    Rcpp::stop("internal error: values are no matrix");
  const SEXP dim = Rf_getAttrib(values, R_DimSymbol);
  const std::ptrdiff_t rows = INTEGER(dim)[0], columns = INTEGER(dim)[1];
  hitmiss::MatrixView x;
  switch (TYPEOF(values)) {
  case REALSXP:
    x.data = REAL(values);
    x.type = hitmiss::Scalar::f64;
    break;
  case INTSXP:
    x.data = INTEGER(values);
    x.type = hitmiss::Scalar::i32;
    break;
  case LGLSXP:
    x.data = LOGICAL(values);
    x.type = hitmiss::Scalar::i32;
    break;
  default:
    Rcpp::stop("internal error: x has values of type %s",
               Rf_type2char(TYPEOF(values)));
  }
  x.n_samples = features_in_rows ? columns : rows;
  x.n_features = features_in_rows ? rows : columns;
  x.sample_stride = features_in_rows ? rows : 1;
  x.feature_stride = features_in_rows ? 1 : rows;
  return x;
}

/// Throws unless all numbers are finite. A fit may come from a file, and
/// numbers that are compared and sorted must not be NaN.
template <class Values>
inline void require_finite(const Values &values, const char *what) {
  if (!std::all_of(values.begin(), values.end(),
                   [](double v) { return std::isfinite(v); }))
    Rcpp::stop("the fit has %s that are not finite", what);
}

/// A dgCMatrix with samples in rows, used in place.
inline hitmiss::MatrixView sparse_view(const Rcpp::S4 &values) {
  const Rcpp::IntegerVector dim = values.slot("Dim");
  const SEXP p = values.slot("p"), i = values.slot("i"), x = values.slot("x");
  if (TYPEOF(p) != INTSXP || TYPEOF(i) != INTSXP || TYPEOF(x) != REALSXP ||
      dim.size() != 2 || Rf_xlength(p) != R_xlen_t{1} + dim[1] ||
      Rf_xlength(i) != Rf_xlength(x) || INTEGER(p)[dim[1]] > Rf_xlength(i))
    Rcpp::stop("the slots of a sparse matrix contradict each other");
  const hitmiss::SparseColumns columns{INTEGER(p), INTEGER(i), REAL(x)};
  return hitmiss::view_of_columns(columns, dim[0], dim[1],
                                  hitmiss::worth_nonzeros(dim[0], dim[1]));
}

/// The `values` of a `hitmiss_problem`, whatever their storage.
inline hitmiss::MatrixView view(const Rcpp::List &problem) {
  const auto storage = Rcpp::as<std::string>(problem["storage"]);
  if (storage == "sparse")
    return sparse_view(problem["values"]);
  if (storage == "blocks")
    return scratch_view(Rcpp::List(problem["values"])["scratch"]);
  return view(problem["values"],
              Rcpp::as<std::string>(problem["features_in"]) == "rows");
}

/// An R factor; NA becomes `unlabelled`. R has checked it before; codes without
/// a level, which a damaged object may hold, must not become places in memory.
inline hitmiss::ClassIndex class_index(const Rcpp::IntegerVector &y) {
  const auto n_classes = static_cast<int>(Rf_xlength(y.attr("levels")));
  std::vector<int> labels(static_cast<std::size_t>(y.size()));
  for (R_xlen_t i = 0; i < y.size(); ++i) {
    if (y[i] != NA_INTEGER && (y[i] < 1 || y[i] > n_classes))
      Rcpp::stop("label %d has code %d; there are %d classes", i + 1, y[i],
                 n_classes);
    labels[static_cast<std::size_t>(i)] =
        y[i] == NA_INTEGER ? hitmiss::ClassIndex::unlabelled : y[i] - 1;
  }
  return {labels, n_classes};
}

/// Does the same, but every sample must have a class.
inline hitmiss::ClassIndex known_classes(const Rcpp::IntegerVector &y,
                                         R_xlen_t n_samples) {
  if (y.size() != n_samples || n_samples == 0)
    Rcpp::stop("there are %d labels for %d training samples", y.size(),
               n_samples);
  if (std::find(y.begin(), y.end(), NA_INTEGER) != y.end())
    Rcpp::stop("a training sample has no class");
  return class_index(y);
}

inline std::vector<char> flags(const Rcpp::LogicalVector &values) {
  return {values.begin(), values.end()};
}

/// The pairs that the design of a `hitmiss_problem` allows.
inline hitmiss::AllowedPairs allowed_pairs(const Rcpp::List &problem) {
  const auto codes = [&](const char *name) {
    return problem.containsElementNamed(name)
               ? Rcpp::as<std::vector<int>>(problem[name])
               : std::vector<int>();
  };
  return {codes("block"), codes("group"),
          problem.containsElementNamed("matched")};
}

/// The `preprocess` list: center, scale (numeric), constant (logical).
inline hitmiss::Scaling scaling(const Rcpp::List &preprocess) {
  return {Rcpp::as<std::vector<double>>(preprocess["center"]),
          Rcpp::as<std::vector<double>>(preprocess["scale"]),
          flags(preprocess["constant"])};
}

/// Positions as R counts them, from 1.
template <class Positions>
Rcpp::IntegerVector from_one(const Positions &positions) {
  Rcpp::IntegerVector result(positions.begin(), positions.end());
  for (int &position : result)
    ++position;
  return result;
}

/// The solver's part of a fit's `report`; R adds seconds and threads.
inline Rcpp::List to_list(const hitmiss::Report &report) {
  const auto na = [](double value) {
    return std::isnan(value) ? NA_REAL : value;
  };
  using Rcpp::_;
  return Rcpp::List::create(
      _["status"] = hitmiss::to_string(report.status),
      _["iterations"] = report.iterations, _["objective"] = report.objective,
      _["residual"] = na(report.residual), _["kkt"] = na(report.kkt),
      _["gap"] = na(report.gap));
}

#endif
