// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_simd.h"

#include <hitmiss/comparators/graph_forms.hpp>

// Returns the graph of the k nearest. Each edge is a row with the positions of
// its two samples and its weight.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_neighbour_graph(Rcpp::List problem,
                                        Rcpp::List preprocess, int k,
                                        std::string simd, Rcpp::List runtime) {
  const auto learned = scaling(preprocess);
  const hitmiss::ScaledView x{view(problem), &learned};
  const std::vector<double> weights(static_cast<std::size_t>(x.n_features()),
                                    1.0);
  RRuntime host(runtime);
  const auto graph = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::neighbour_graph(
        hitmiss::SampleDistances(x, weights, hitmiss::Metric::euclidean,
                                 simd_level(simd)),
        k, core);
  });
  Rcpp::NumericMatrix edges(static_cast<int>(graph.edges.size()), 3);
  for (int row = 0; row < edges.nrow(); ++row) {
    const auto &edge = graph.edges[static_cast<std::size_t>(row)];
    edges(row, 0) = edge.a + 1;
    edges(row, 1) = edge.b + 1;
    edges(row, 2) = edge.weight;
  }
  return edges;
}

// Returns a column for each of the graphs. The graphs are symmetric matrices of
// weights.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_graph_forms(Rcpp::List problem, Rcpp::List graphs,
                                    Rcpp::List runtime) {
  const auto x = view(problem);
  std::vector<hitmiss::GraphEdges> edges;
  for (R_xlen_t g = 0; g < graphs.size(); ++g) {
    const Rcpp::NumericMatrix weights = graphs[g];
    edges.emplace_back();
    for (int b = 0; b < weights.ncol(); ++b)
      for (int a = 0; a < b; ++a)
        if (weights(a, b) != 0.0)
          edges.back().push_back({a, b, weights(a, b)});
  }
  RRuntime host(runtime);
  const auto forms = host.run([&](hitmiss::Runtime &core) {
    return hitmiss::graph_forms(x, edges, core);
  });
  Rcpp::NumericMatrix result(static_cast<int>(x.n_features),
                             static_cast<int>(edges.size()));
  std::copy(forms.begin(), forms.end(), result.begin());
  return result;
}
