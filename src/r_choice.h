// Choices that R gives by name.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_CHOICE_H
#define HITMISS_R_CHOICE_H

#include <initializer_list>
#include <string>
#include <utility>

#include <Rcpp.h>

/// Looks up a name in a table of choices. R has checked that there is one.
template <class Value>
Value chosen(SEXP name,
             std::initializer_list<std::pair<const char *, Value>> table) {
  const auto wanted = Rcpp::as<std::string>(name);
  for (const auto &row : table)
    if (wanted == row.first)
      return row.second;
  Rcpp::stop("internal error: there is no choice \"%s\"", wanted);
}

#endif
