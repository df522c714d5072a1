// A pass over the names of the features, for R/as_newdata.R.
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
