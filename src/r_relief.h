// The options of the Relief family by their names in R.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_RELIEF_H
#define HITMISS_R_RELIEF_H

#include <optional>

#include <hitmiss/relief/radius_relief.hpp>

#include "r_convert.h"

/// Returns the rule of the radius of a method, or none if the method uses the
/// nearest neighbours.
inline std::optional<hitmiss::RadiusRule> radius_of(SEXP method) {
  using hitmiss::RadiusRule;
  return chosen<std::optional<RadiusRule>>(
      method, {{"relieff", {}},
               {"relief", {}},
               {"map", {}},
               {"map15", {}},
               {"surf", RadiusRule{false, false}},
               {"surfstar", RadiusRule{false, true}},
               {"multisurf", RadiusRule{true, false}},
               {"multisurfstar", RadiusRule{true, true}}});
}

#endif
