// llfs FILE [KEY]: the features that each sample selects, a line per sample.
// KEY: 64 random bits, hexadecimal. The same key gives the same features.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "samples.hpp"

int main(int count, char **arguments) try {
  const Samples samples(arguments[1]);
  const std::uint64_t key =
      count > 2 ? std::stoull(arguments[2], nullptr, 16) : 1;
  hitmiss::ThreadExecutor threads(2);
  hitmiss::Monitor monitor;
  hitmiss::Runtime runtime(threads, monitor, key);

  const auto scaling = hitmiss::learn_scaling(
      samples.x(), hitmiss::ScaleMethod::zscore, runtime);
  hitmiss::LlfsOptions options;
  options.alpha = {3.0};
  const auto fit =
      hitmiss::llfs({samples.x(), &scaling}, samples.y(), options, runtime);

  for (const auto &representative : fit.representatives) {
    for (const int j : representative.subset)
      std::cout << j + 1 << ' ';
    std::cout << '\n';
  }
} catch (const std::exception &error) {
  std::cerr << "llfs: " << error.what() << '\n';
  return 1;
}
