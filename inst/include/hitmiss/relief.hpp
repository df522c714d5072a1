// The Relief family, with the vote that classifies by its weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_HPP
#define HITMISS_RELIEF_HPP

#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "relief/irelief.hpp"
#include "relief/parzen_relief.hpp"
#include "relief/radius_relief.hpp"
#include "relief/relief.hpp"
#include "relief/rrelieff.hpp"
#include "relief/srelieff.hpp"
#include "relief/walked_relief.hpp"
#include "vote/nearest_survival.hpp"
#include "vote/nearest_vote.hpp"

#endif
