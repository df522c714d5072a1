// A fitted LLFS model: its representatives and their classifier.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_MODEL_HPP
#define HITMISS_LLFS_LLFS_MODEL_HPP

#include <iterator>
#include <set>
#include <utility>

#include "../data/require_values.hpp"
#include "llfs.hpp"
#include "local_classifier.hpp"

namespace hitmiss {

/// LlfsModel model = llfs({x, &scaling}, y, options, runtime);
/// model.predict(x_new, runtime).predicted;
struct LlfsModel {
  Array<Representative> representatives; ///< one per centre, in order
  Report report;
  Scaling scaling;
  Array<int> used; ///< feature of each column of the classifier, increasing
  LocalClassifier classifier;

  /// Classifies new samples, unscaled. They must have the features of the fit.
  LocalPrediction predict(const MatrixView &x, Runtime &runtime) const {
    detail::require(x.n_features == scaling.center.size(),
                    "new samples must have the features of the training "
                    "samples");
    detail::require_values(x, 0);
    return classify_locally(classifier,
                            detail::columns_of({x, &scaling}, used, runtime),
                            false, runtime);
  }
};

/// Fits the representatives, see fit_representatives(), and the classifier.
inline LlfsModel llfs(const ScaledView &x, const ClassIndex &y,
                      const LlfsOptions &options, Runtime &runtime) {
  auto fit = fit_representatives(x, y, options, runtime);
  std::set<int> used;
  for (const Representative &r : fit.representatives)
    used.insert(r.subset.begin(), r.subset.end());
  Array<int> columns;
  for (const int feature : used)
    columns.push_back(feature);
  const auto centres =
      options.centres.empty() ? detail::all_centres(y) : options.centres;
  Array<Representative> by_sample(y.n_samples());
  for (Index i = 0; i < centres.size(); ++i) {
    Representative r = fit.representatives[i];
    for (int &feature : r.subset)
      feature =
          static_cast<int>(std::distance(used.begin(), used.find(feature)));
    by_sample[centres[i]] = std::move(r);
  }
  LocalClassifier classifier{detail::columns_of(x, columns, runtime),
                             y,
                             std::move(by_sample),
                             options.neighbour,
                             options.evidence,
                             fit.intercept};
  if (options.evidence && fit.intercept.size() == 0)
    fit_intercept(classifier, options.balanced, options.intercept_samples,
                  runtime);
  if (options.evidence && options.frames)
    fit_frames(classifier, options.allowed, options.balanced,
               options.intercept_samples, runtime);
  return {std::move(fit.representatives), fit.report, *x.scaling,
          std::move(columns), std::move(classifier)};
}

} // namespace hitmiss

#endif
