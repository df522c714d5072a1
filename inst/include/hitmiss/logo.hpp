// LOGO, with the vote that classifies by its weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_HPP
#define HITMISS_LOGO_HPP

#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "logo/logo.hpp"
#include "vote/nearest_vote.hpp"

#endif
