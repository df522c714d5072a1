// Passes over vectors as long as the features, for R/check_whole.R and
// R/as_problem.R.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <vector>

#include "r_convert.h"

namespace {

/// A table of texts by where R keeps them: one place for equal ones of one
/// encoding. It holds positions only, so that it stays in the cache.
class Places {
public:
  explicit Places(SEXP texts) : texts_(STRING_PTR_RO(texts)) {
    while (size_ < 2 * static_cast<std::size_t>(Rf_xlength(texts)))
      size_ *= 2;
    slots_.resize(size_, 0);
  }

  /// False if the text at position i is there already.
  bool add(std::uint32_t i) {
    std::uint32_t &slot = slots_[at(texts_[i])];
    if (slot != 0)
      return false;
    slot = i + 1;
    return true;
  }

  /// Its position; -1: it is not there.
  R_xlen_t find(SEXP text) const {
    return static_cast<R_xlen_t>(slots_[at(text)]) - 1;
  }

private:
  /// Its slot, or the free one where it would go.
  std::size_t at(SEXP text) const {
    std::size_t i = (reinterpret_cast<std::uintptr_t>(text) >> 4) *
                        std::uint64_t{0x9E3779B97F4A7C15} >>
                    20;
    while (slots_[i &= size_ - 1] != 0 && texts_[slots_[i] - 1] != text)
      ++i;
    return i;
  }

  const SEXP *texts_;
  std::size_t size_ = 4;
  std::vector<std::uint32_t> slots_; ///< position + 1; 0: free
};

} // namespace

// Are texts known, not empty and all different? NA where that takes more than
// a look at where R keeps them: equal texts in two encodings lie apart.
// [[Rcpp::export(rng = false)]]
SEXP cpp_are_keys(Rcpp::CharacterVector texts) {
  Places places(texts);
  const SEXP *text_at = STRING_PTR_RO(texts);
  const auto n = static_cast<std::uint32_t>(texts.size());
  bool marked = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    const SEXP text = text_at[i];
    if (text == NA_STRING || text == R_BlankString || !places.add(i))
      return Rf_ScalarLogical(0);
    marked = marked || Rf_getCharCE(text) != CE_NATIVE;
  }
  return Rf_ScalarLogical(marked ? NA_LOGICAL : 1);
}

// The places (from 1) of `needed` texts in `all`, NA where one is not there;
// NULL if one is there twice, or if that takes more than a look at where R
// keeps them.
// [[Rcpp::export(rng = false)]]
SEXP cpp_places_of_few(Rcpp::CharacterVector needed,
                       Rcpp::CharacterVector all) {
  Places places(needed);
  const auto n_needed = static_cast<std::uint32_t>(needed.size());
  for (std::uint32_t i = 0; i < n_needed; ++i) {
    const SEXP text = STRING_ELT(needed, i);
    const char *letters = CHAR(text);
    const bool plain = std::all_of(letters, letters + LENGTH(text),
                                   [](char c) { return c > 0; });
    if (!plain || !places.add(i))
      return R_NilValue;
  }
  Rcpp::IntegerVector found(needed.size(), NA_INTEGER);
  const SEXP *text_at = STRING_PTR_RO(all);
  const R_xlen_t n_all = all.size();
  for (R_xlen_t i = 0; i < n_all; ++i) {
    const R_xlen_t which = places.find(text_at[i]);
    if (which < 0)
      continue;
    if (found[which] != NA_INTEGER)
      return R_NilValue;
    found[which] = static_cast<int>(i) + 1;
  }
  return found;
}

// Are scores at these places (from 1) decreasing, and the places of equal ones
// increasing?
// [[Rcpp::export(rng = false)]]
bool cpp_is_in_order(Rcpp::NumericVector scores, Rcpp::IntegerVector ranking) {
  const double *score = scores.begin();
  return std::adjacent_find(ranking.begin(), ranking.end(),
                            [&](int before, int after) {
                              const double a = score[before - 1];
                              const double b = score[after - 1];
                              return !(a > b || (a == b && before < after));
                            }) == ranking.end();
}

// The places (from 1) in `whole` of texts that stand there in the same order,
// or NULL. Texts are compared by where R keeps them.
// [[Rcpp::export(rng = false)]]
SEXP cpp_places_in_order(Rcpp::CharacterVector part,
                         Rcpp::CharacterVector whole) {
  const R_xlen_t n = part.size();
  Rcpp::IntegerVector places(n);
  int *place = places.begin();
  const SEXP *text_at = STRING_PTR_RO(part), *first = STRING_PTR_RO(whole);
  const SEXP *at = first, *end = first + whole.size();
  for (R_xlen_t i = 0; i < n; ++i, ++at) {
    at = std::find(at, end, text_at[i]);
    if (at == end)
      return R_NilValue;
    place[i] = static_cast<int>(at - first) + 1;
  }
  return places;
}

// Do numbers lie between two, and are they known? NA may be let through.
// [[Rcpp::export(rng = false)]]
bool cpp_in_range(SEXP values, double low, double high, bool na) {
  const R_xlen_t n = Rf_xlength(values);
  if (n == 0)
    return true;
  if (TYPEOF(values) == REALSXP) {
    const double *v = REAL(values);
    for (R_xlen_t i = 0; i < n; ++i)
      if (!(v[i] >= low && v[i] <= high) && !(na && R_IsNA(v[i])))
        return false;
    return true;
  }
  const int *v = INTEGER(values);
  for (R_xlen_t i = 0; i < n; ++i)
    if (v[i] == NA_INTEGER ? !na : v[i] < low || v[i] > high)
      return false;
  return true;
}

// Is `selected` the names of the features that are chosen, in the order of
// the ranking? Texts are compared as above.
// [[Rcpp::export(rng = false)]]
bool cpp_is_selection(Rcpp::CharacterVector selected,
                      Rcpp::CharacterVector names, Rcpp::IntegerVector ranking,
                      Rcpp::LogicalVector chosen) {
  const SEXP *text_at = STRING_PTR_RO(selected);
  const SEXP *name_at = STRING_PTR_RO(names);
  const int *is_chosen = chosen.begin();
  const R_xlen_t n = selected.size();
  R_xlen_t k = 0;
  for (const int place : ranking)
    if (is_chosen[place - 1] != 0) {
      if (k == n || text_at[k] != name_at[place - 1])
        return false;
      ++k;
    }
  return k == n;
}

// Is a the positive part of b, but for a factor and rounding?
// [[Rcpp::export(rng = false)]]
bool cpp_is_positive_part(Rcpp::NumericVector a, Rcpp::NumericVector b) {
  const auto most = [](const Rcpp::NumericVector &v) {
    return v.size() == 0 ? 0.0 : *std::max_element(v.begin(), v.end());
  };
  const double most_a = most(a), most_b = most(b);
  if (most_a <= 0.0 || most_b <= 0.0)
    return most_a <= 0.0 && most_b <= 0.0;
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [=](double u, double v) {
        return std::abs(u / most_a - std::max(v, 0.0) / most_b) < 1e-9;
      });
}
