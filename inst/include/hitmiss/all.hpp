// The whole core: selectors, voters and what they stand on.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_ALL_HPP
#define HITMISS_ALL_HPP

#include "llfs/local_classifier.hpp"
#include "vote/nearest_vote.hpp"
#include "vote/nested_vote.hpp"
#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "comparators/association.hpp"
#include "bfs/bfs.hpp"
#include "comparators/fisher.hpp"
#include "comparators/graph_forms.hpp"
#include "relief/interactions.hpp"
#include "comparators/laplacian.hpp"
#include "llfs/llfs.hpp"
#include "logo/logo.hpp"
#include "comparators/mrmr.hpp"
#include "relief/parzen_relief.hpp"
#include "pwfp/pwfp.hpp"
#include "relief/radius_relief.hpp"
#include "comparators/rank_products.hpp"
#include "relief/relief.hpp"
#include "relief/rrelieff.hpp"
#include "bfs/semi_bfs.hpp"
#include "comparators/simba.hpp"
#include "relief/soft_relief.hpp"

#endif
