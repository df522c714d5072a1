// The terms of all samples together.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_NEAREST_TERMS_HPP
#define HITMISS_TESTS_NEAREST_TERMS_HPP

#include <hitmiss/relief/nearest_terms.hpp>

inline hitmiss::Array<hitmiss::SampleTerms>
nearest_terms_of(const hitmiss::SampleDistances &distances,
                 const hitmiss::Array<int> &samples,
                 const hitmiss::NearRule &rule, hitmiss::Runtime &runtime,
                 hitmiss::Index most = 0) {
  hitmiss::Array<hitmiss::SampleTerms> all;
  hitmiss::Array<double> times(rule.y.n_samples());
  hitmiss::nearest_terms(
      distances, samples, rule, runtime, times,
      [&](const hitmiss::Array<hitmiss::SampleTerms> &terms) {
        all.insert(all.end(), terms.begin(), terms.end());
      },
      most);
  return all;
}

#endif
