// Quadratic forms of features over graphs of the samples: SPEC, LSDF and the
// trace ratio are ratios and differences of such forms.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_GRAPH_FORMS_HPP
#define HITMISS_COMPARATORS_GRAPH_FORMS_HPP

#include <algorithm>

#include "../data/for_each_feature.hpp"
#include "../runtime/require.hpp"
#include "laplacian.hpp"

namespace hitmiss {

using GraphEdges = Array<NeighbourGraph::Edge>;

/// Returns f'Lf at [g * n_features + j], with the Laplacian L of graph g and
/// feature j in units of its range, f: the sum over edges of weight (f_a -
/// f_b)^2. Differences are taken first, so that an offset of the feature costs
/// no digits. A feature that does not vary has 0. O(edges J).
inline Array<double> graph_forms(const MatrixView &x,
                                 const Array<GraphEdges> &graphs,
                                 Runtime &runtime) {
  detail::require_values(x, 1);
  for (const auto &graph : graphs)
    for (const auto &edge : graph)
      detail::require(edge.a >= 0 && edge.a < x.n_samples && edge.b >= 0 &&
                          edge.b < x.n_samples && std::isfinite(edge.weight),
                      "an edge must join two samples by a finite weight");
  const Index n_features = x.n_features;
  Array<double> forms(graphs.size() * n_features);
  for_each_feature(x, runtime, [&](Index j, const Array<double> &values) {
    const auto ends = std::minmax_element(values.begin(), values.end());
    const double range = *ends.second - *ends.first;
    for (Index g = 0; g < graphs.size() && range > 0.0; ++g) {
      double total = 0.0;
      for (const auto &edge : graphs[g]) {
        const double step = (values[edge.a] - values[edge.b]) / range;
        total += edge.weight * step * step;
      }
      forms[g * n_features + j] = total;
    }
  });
  return forms;
}

} // namespace hitmiss

#endif
