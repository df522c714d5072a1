// The whole core: selectors, voters and what they stand on.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_ALL_HPP
#define HITMISS_ALL_HPP

#include "classify/local_classifier.hpp"
#include "classify/nearest_vote.hpp"
#include "classify/nested_vote.hpp"
#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "selectors/association.hpp"
#include "selectors/bfs.hpp"
#include "selectors/fisher.hpp"
#include "selectors/graph_forms.hpp"
#include "selectors/interactions.hpp"
#include "selectors/laplacian.hpp"
#include "selectors/llfs.hpp"
#include "selectors/logo.hpp"
#include "selectors/mrmr.hpp"
#include "selectors/parzen_relief.hpp"
#include "selectors/pwfp.hpp"
#include "selectors/radius_relief.hpp"
#include "selectors/rank_products.hpp"
#include "selectors/relief.hpp"
#include "selectors/rrelieff.hpp"
#include "selectors/semi_bfs.hpp"
#include "selectors/simba.hpp"
#include "selectors/soft_relief.hpp"

#endif
