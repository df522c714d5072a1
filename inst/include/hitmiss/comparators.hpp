// Scores of other papers, and votes in growing lists of features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_HPP
#define HITMISS_COMPARATORS_HPP

#include "comparators/association.hpp"
#include "comparators/cox_score.hpp"
#include "comparators/fisher.hpp"
#include "comparators/graph_forms.hpp"
#include "comparators/laplacian.hpp"
#include "comparators/mrmr.hpp"
#include "comparators/rank_products.hpp"
#include "comparators/simba.hpp"
#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "vote/class_densities.hpp"
#include "vote/nested_vote.hpp"

#endif
