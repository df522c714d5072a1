// relieff FILE: the features in the order of their ReliefF scores (k = 10).
// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <numeric>

#include "samples.hpp"

int main(int, char **arguments) try {
  const Samples samples(arguments[1]);
  hitmiss::ThreadExecutor threads(2);
  hitmiss::Monitor monitor;
  hitmiss::Runtime runtime(threads, monitor);

  const auto scaling =
      hitmiss::learn_scaling(samples.x(), hitmiss::ScaleMethod::range, runtime);
  const auto scores =
      hitmiss::near_relief({samples.x(), &scaling}, samples.y(), {}, runtime);

  std::vector<std::size_t> ranking(scores.size());
  std::iota(ranking.begin(), ranking.end(), std::size_t{0});
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](auto a, auto b) { return scores[a] > scores[b]; });
  std::cout.precision(17);
  for (const std::size_t j : ranking)
    std::cout << j + 1 << ' ' << scores[j] << '\n';
} catch (const std::exception &error) {
  std::cerr << "relieff: " << error.what() << '\n';
  return 1;
}
