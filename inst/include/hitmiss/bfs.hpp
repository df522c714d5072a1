// BFS and semi-BFS, with the vote that classifies by their weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_HPP
#define HITMISS_BFS_HPP

#include "bfs/bfs.hpp"
#include "bfs/semi_bfs.hpp"
#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "vote/nearest_vote.hpp"

#endif
