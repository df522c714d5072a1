// What llfs() goes through for one representative.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_LLFS_PATH_HPP
#define HITMISS_TESTS_LLFS_PATH_HPP

#include <hitmiss/llfs/llfs.hpp>

namespace hitmiss {

/// The relaxed problem of one representative for one alpha, and the sets that
/// came of it. Empty for a sample that is compared with no other class.
struct LlfsPath {
  Eigen::MatrixXd f;     ///< features x betas above 0
  Array<Candidate> sets; ///< one per beta; empty where none is feasible
  double eps_max = 0.0;
  LogisticGain gain;
};

inline LlfsPath llfs_path(const ScaledView &x, const ClassIndex &y, int centre,
                          const LlfsOptions &options, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check(y.n_samples());
  detail::require(centre >= 0 && centre < y.n_samples(),
                  "the centre must be the number of a sample");
  const auto z = detail::scaled_matrix(x, runtime);
  LlfsPath path;
  const auto solve = [&](const ScaledSamples &values, const ClassIndex &labels,
                         int place, const AllowedPairs &) {
    const auto search_in = [&](const auto &...of) {
      CandidateSearch search(of..., centre, options, runtime);
      path.sets = search.solve(options.alpha.front(), 0);
      const auto relaxed = search.relax(options.alpha.front());
      const auto last = relaxed.path.size();
      path.f = Eigen::MatrixXd::Zero(x.n_features(), last + 1);
      for (Index b = 0; b <= last; ++b)
        for (const auto &entry :
             b < last ? relaxed.path[b].f : relaxed.largest.f)
          path.f(z.features[search.feature(entry.first)], b) = entry.second;
      path.eps_max = relaxed.largest.value;
      path.gain = search.gain();
    };
    detail::among_drawn(values, labels, place, centre, options, runtime,
                        search_in);
  };
  detail::among_allowed(z.samples, y, centre, options, solve);
  for (Candidate &set : path.sets)
    for (int &feature : set.features)
      feature = z.features[feature];
  return path;
}

} // namespace hitmiss

#endif
