// PWFP, with the vote that classifies by the features that it ranks first.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PWFP_HPP
#define HITMISS_PWFP_HPP

#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "pwfp/pwfp.hpp"
#include "vote/nearest_vote.hpp"

#endif
