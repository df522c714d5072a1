// The whole core: selectors, voters and what they stand on.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_ALL_HPP
#define HITMISS_ALL_HPP

#include "bfs/bfs.hpp"
#include "bfs/semi_bfs.hpp"
#include "comparators/association.hpp"
#include "comparators/fisher.hpp"
#include "comparators/graph_forms.hpp"
#include "comparators/laplacian.hpp"
#include "comparators/mrmr.hpp"
#include "comparators/rank_products.hpp"
#include "comparators/simba.hpp"
#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "llfs/llfs.hpp"
#include "llfs/local_classifier.hpp"
#include "logo/logo.hpp"
#include "pwfp/pwfp.hpp"
#include "relief/interactions.hpp"
#include "relief/parzen_relief.hpp"
#include "relief/radius_relief.hpp"
#include "relief/relief.hpp"
#include "relief/rrelieff.hpp"
#include "relief/soft_relief.hpp"
#include "vote/nearest_vote.hpp"
#include "vote/nested_vote.hpp"

#endif
