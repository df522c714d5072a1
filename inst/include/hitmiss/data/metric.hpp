// The metrics of distances between samples.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_METRIC_HPP
#define HITMISS_DATA_METRIC_HPP

namespace hitmiss {

/// manhattan: sum of w |a - b|; euclidean: root of the sum of w (a - b)^2.
enum class Metric { manhattan, euclidean };

} // namespace hitmiss

#endif
