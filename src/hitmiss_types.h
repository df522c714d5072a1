// What Rcpp::compileAttributes() has RcppExports.cpp include first: the headers
// of R packages, as the system's, whose own sources cause hundreds of warnings.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TYPES_H
#define HITMISS_TYPES_H

#pragma GCC system_header

#include <RcppEigen.h>

#endif
