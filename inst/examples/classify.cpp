// classify METHOD TRAINING NEW [KEY]: the class of each new sample, a line
// each. METHOD is llfs, relief, logo, bfs or pwfp; the files are as samples.hpp
// says. KEY: 64 random bits, hexadecimal. The same key gives the same answer.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <map>

#include <hitmiss/bfs.hpp>
#include <hitmiss/llfs.hpp>
#include <hitmiss/logo.hpp>
#include <hitmiss/pwfp.hpp>
#include <hitmiss/relief.hpp>

#include "samples.hpp"

namespace hm = hitmiss;

hm::Array<int> llfs(const Samples &known, const Samples &fresh,
                    hm::Runtime &runtime) {
  const auto x = known.x();
  const auto scaling = hm::learn_scaling(x, hm::ScaleMethod::zscore, runtime);
  const auto model = hm::llfs({x, &scaling}, known.y(), {}, runtime);
  return model.predict(fresh.x(), runtime).predicted;
}

hm::Array<int> relief(const Samples &known, const Samples &fresh,
                      hm::Runtime &runtime) {
  const auto x = known.x(), x_new = fresh.x();
  const auto scaling = hm::learn_scaling(x, hm::ScaleMethod::range, runtime);
  const auto scores = hm::near_relief({x, &scaling}, known.y(), {}, runtime);
  return hm::nearest_vote({x_new, &scaling}, {x, &scaling}, known.y(),
                          hm::positive_part(scores), {}, runtime)
      .winner;
}

hm::Array<int> logo(const Samples &known, const Samples &fresh,
                    hm::Runtime &runtime) {
  const auto x = known.x(), x_new = fresh.x();
  const auto scaling = hm::learn_scaling(x, hm::ScaleMethod::range, runtime);
  const auto fit = hm::logo({x, &scaling}, known.y(), {}, runtime);
  return hm::nearest_vote({x_new, &scaling}, {x, &scaling}, known.y(),
                          fit.weights, {}, runtime)
      .winner;
}

hm::Array<int> bfs(const Samples &known, const Samples &fresh,
                   hm::Runtime &runtime) {
  const auto x = known.x(), x_new = fresh.x();
  const auto scaling = hm::learn_scaling(x, hm::ScaleMethod::zscore, runtime);
  const auto fit = hm::bfs({x, &scaling}, known.y(), {}, runtime);
  return hm::nearest_vote({x_new, &scaling}, {x, &scaling}, known.y(), fit.mu,
                          {}, runtime)
      .winner;
}

hm::Array<int> pwfp(const Samples &known, const Samples &fresh,
                    hm::Runtime &runtime) {
  const auto x = known.x(), x_new = fresh.x();
  const auto scaling = hm::learn_scaling(x, hm::ScaleMethod::zscore, runtime);
  const auto fit = hm::pwfp({x, &scaling}, known.y(), {}, runtime);
  hm::Array<double> weights;
  for (hm::Index j = 0; j < x.n_features; ++j)
    weights.push_back(fit.within[j] > 0.0 && fit.between[j] > 0.0 ? 1.0 : 0.0);
  return hm::nearest_vote({x_new, &scaling}, {x, &scaling}, known.y(), weights,
                          {}, runtime)
      .winner;
}

int main(int count, char **arguments) try {
  hm::detail::require(count > 3, "a method and two files are needed");
  const std::map<std::string, decltype(&relief)> methods{{"llfs", llfs},
                                                         {"relief", relief},
                                                         {"logo", logo},
                                                         {"bfs", bfs},
                                                         {"pwfp", pwfp}};
  const std::uint64_t key =
      count > 4 ? std::stoull(arguments[4], nullptr, 16) : 1;
  hm::ThreadExecutor threads(2);
  hm::Monitor monitor;
  hm::Runtime runtime(threads, monitor, key);
  for (const int label : methods.at(arguments[1])(
           Samples(arguments[2]), Samples(arguments[3]), runtime))
    std::cout << label << '\n';
} catch (const std::exception &error) {
  std::cerr << "classify: " << error.what() << '\n';
  return 1;
}
