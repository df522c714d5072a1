// The terms of all samples together.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_NEAR_TERMS_HPP
#define HITMISS_TESTS_NEAR_TERMS_HPP

#include <hitmiss/relief/near_terms.hpp>

inline hitmiss::Array<hitmiss::SampleTerms>
near_terms_of(const hitmiss::SampleDistances &distances,
              const hitmiss::Array<int> &samples, const hitmiss::NearRule &rule,
              hitmiss::Runtime &runtime, hitmiss::Index most = 0) {
  hitmiss::Array<hitmiss::SampleTerms> all;
  hitmiss::near_terms(
      distances, samples, rule, runtime,
      [&](const hitmiss::Array<hitmiss::SampleTerms> &terms) {
        all.insert(all.end(), terms.begin(), terms.end());
      },
      most);
  return all;
}

#endif
