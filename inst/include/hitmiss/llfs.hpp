// LLFS and its localized classifier.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_HPP
#define HITMISS_LLFS_HPP

#include "data/scaling.hpp"
#include "data/sparse_tiles.hpp"
#include "llfs/llfs_model.hpp"

#endif
