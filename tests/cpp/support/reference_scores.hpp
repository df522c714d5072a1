// Bins and scores of small data.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_REFERENCE_SCORES_HPP
#define HITMISS_TESTS_REFERENCE_SCORES_HPP

#include <cmath>

#include <hitmiss/comparators/fisher.hpp>
#include <hitmiss/comparators/graph_forms.hpp>
#include <hitmiss/comparators/laplacian.hpp>
#include <hitmiss/comparators/mrmr.hpp>
#include <hitmiss/comparators/rank_products.hpp>
#include <hitmiss/comparators/simba.hpp>

#include "host.hpp"

namespace reference_scores {

using hitmiss::Array;
using hitmiss::BinOptions;
using hitmiss::BinRule;
using hitmiss::Index;

using Values = Array<double>;

inline Array<int> codes(const Values &values, const Array<int> &labels,
                        const BinOptions &options, int n_classes = 2) {
  const hitmiss::ClassIndex y(labels, n_classes);
  const Index n = values.size();
  const auto binned = with_threads(1, [&](hitmiss::Runtime &runtime) {
    return hitmiss::bin_features(hitmiss::view_by_feature(values.data(), n, 1),
                                 y, options, runtime);
  });
  return {binned.feature(0), binned.feature(0) + n};
}

inline Array<int> alternating(Index n) {
  Array<int> labels(n);
  for (Index i = 0; i < n; ++i)
    labels[i] = static_cast<int>(i % 2);
  return labels;
}

inline Values
scores(const Values &x, Index n, const Array<int> &labels,
       hitmiss::FisherForm form = hitmiss::FisherForm::variances) {
  const hitmiss::ClassIndex y(labels, 2);
  const auto features = x.size() / n;
  return with_threads(2, [&](hitmiss::Runtime &runtime) {
    return hitmiss::fisher_scores(
        hitmiss::view_by_feature(x.data(), n, features), y, runtime, form);
  });
}

} // namespace reference_scores

#endif
