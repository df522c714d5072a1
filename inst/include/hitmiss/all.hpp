// The whole core: selectors, voters and what they stand on.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_ALL_HPP
#define HITMISS_ALL_HPP

#include "bfs.hpp"
#include "comparators.hpp"
#include "interactions/interactions.hpp"
#include "llfs.hpp"
#include "logo.hpp"
#include "pwfp.hpp"
#include "relief.hpp"

#endif
