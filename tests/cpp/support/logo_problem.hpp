// Noise of which one feature separates the classes.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_LOGO_PROBLEM_HPP
#define HITMISS_TESTS_LOGO_PROBLEM_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include <hitmiss/logo/logo.hpp>
#include <hitmiss/relief/parzen_relief.hpp>
#include <hitmiss/relief/relief.hpp>

#include "host.hpp"
#include "soft_margins.hpp"

namespace logo_problem {

using hitmiss::Array;
using hitmiss::Index;

/// Uniform noise; feature 0 separates the two classes.
struct Problem {
  Problem(Index n, Index j) : values(n * j), labels(n) {
    hitmiss::RandomStream random(11, 1, hitmiss::Purpose::simulation);
    for (double &value : values)
      value = random.uniform();
    for (Index i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<int>(i % 2);
      values[i] = 0.4 * values[i] + 0.5 * labels[i];
    }
    raw = hitmiss::view_by_feature(values.data(), n, j);
    learned = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::learn_scaling(raw, hitmiss::ScaleMethod::range, runtime);
    });
  }
  hitmiss::ScaledView view() const { return {raw, &learned}; }
  hitmiss::ClassIndex y() const { return {labels, 2}; }

  Array<double> values;
  Array<int> labels;
  hitmiss::MatrixView raw;
  hitmiss::Scaling learned;
};

} // namespace logo_problem

#endif
