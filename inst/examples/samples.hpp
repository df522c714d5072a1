// A table of samples from a text file.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_EXAMPLES_SAMPLES_HPP
#define HITMISS_EXAMPLES_SAMPLES_HPP

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <hitmiss/data/class_index.hpp>
#include <hitmiss/data/matrix_view.hpp>

/// A line per sample: the number of its class, from 0, then its features.
struct Samples {
  std::vector<int> labels;
  std::vector<double> values; // sample by sample

  explicit Samples(const char *path) {
    hitmiss::detail::require(path != nullptr, "the name of a file is needed");
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      labels.push_back(0);
      words >> labels.back();
      for (double value; words >> value;)
        values.push_back(value);
    }
    hitmiss::detail::require(!labels.empty(), "the file has no samples");
  }

  /// Nothing is copied: the strides say how the numbers lie.
  hitmiss::MatrixView x() const {
    const auto n = static_cast<std::ptrdiff_t>(labels.size());
    const auto features = static_cast<std::ptrdiff_t>(values.size()) / n;
    return {values.data(), hitmiss::Scalar::f64, n, features, features, 1};
  }
  hitmiss::ClassIndex y() const {
    return {labels, 1 + *std::max_element(labels.begin(), labels.end())};
  }
};

#endif
