// Names of features that have none: "V1" to "Vn", in a vector that makes them
// when something first looks at one. At 10^6 features they take longer than all
// checks of the values, and a call that is refused never needs them.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>

#include "r_convert.h"

#include <R_ext/Altrep.h>

namespace {

R_altrep_class_t invented_class;

/// data1: how many. data2: the names, once they were looked at.
SEXP names_of(SEXP invented) {
  if (R_altrep_data2(invented) != R_NilValue)
    return R_altrep_data2(invented);
  const R_xlen_t n = Rf_asInteger(R_altrep_data1(invented));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, n));
  char text[16] = {'V'};
  for (R_xlen_t i = 0; i < n; ++i) {
    const auto end = std::to_chars(text + 1, text + sizeof text, i + 1).ptr;
    const auto length = static_cast<int>(end - text);
    SET_STRING_ELT(names, i, Rf_mkCharLenCE(text, length, CE_NATIVE));
  }
  R_set_altrep_data2(invented, names);
  UNPROTECT(1);
  return names;
}

R_xlen_t length_of(SEXP invented) {
  return Rf_asInteger(R_altrep_data1(invented));
}

SEXP element(SEXP invented, R_xlen_t i) {
  return STRING_ELT(names_of(invented), i);
}

void set_element(SEXP invented, R_xlen_t i, SEXP text) {
  SET_STRING_ELT(names_of(invented), i, text);
}

void *pointer(SEXP invented, Rboolean /*writeable*/) {
  return const_cast<SEXP *>(STRING_PTR_RO(names_of(invented)));
}

const void *pointer_if_made(SEXP invented) {
  SEXP names = R_altrep_data2(invented);
  return names == R_NilValue ? nullptr : STRING_PTR_RO(names);
}

} // namespace

// [[Rcpp::init]]
void define_invented_names(DllInfo *dll) {
  invented_class = R_make_altstring_class("invented_names", "hitmiss", dll);
  R_set_altrep_Length_method(invented_class, length_of);
  R_set_altstring_Elt_method(invented_class, element);
  R_set_altstring_Set_elt_method(invented_class, set_element);
  R_set_altvec_Dataptr_method(invented_class, pointer);
  R_set_altvec_Dataptr_or_null_method(invented_class, pointer_if_made);
}

// [[Rcpp::export(rng = false)]]
SEXP cpp_invented_names(int n) {
  const Rcpp::Shield<SEXP> count(Rf_ScalarInteger(n));
  return R_new_altrep(invented_class, count, R_NilValue);
}
