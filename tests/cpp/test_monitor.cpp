// Progress, as a host sees it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <testthat/vendor/catch.h>

#include "support/host.hpp"
#include <atomic>
#include <hitmiss/all.hpp>
#include <hitmiss/runtime/runtime.hpp>
#include <stdexcept>
#include <thread>

using hitmiss::Array;
using hitmiss::Index;

namespace {

using namespace hitmiss;

/// Asks at every checkpoint, and keeps all that it is shown.
class EagerMonitor final : public Monitor {
public:
  EagerMonitor() : Monitor(std::chrono::milliseconds(0)) {}
  Array<double> shares;

protected:
  void show(double share) override { shares.push_back(share); }
};

using Fit = std::function<void(const ScaledView &, const ClassIndex &,
                               const Array<double> &, Runtime &)>;

/// Selectors whose work lies in sums over pairs of samples.
Array<std::pair<std::string, Fit>> fits() {
  using X = const ScaledView &;
  using Y = const ClassIndex &;
  using Outcome = const Array<double> &;
  Array<std::pair<std::string, Fit>> all{
      {"relief",
       [](X x, Y y, Outcome, Runtime &r) { sampled_relief(x, y, {}, 0, r); }},
      {"relief of a draw",
       [](X x, Y y, Outcome, Runtime &r) { sampled_relief(x, y, {}, 90, r); }},
      {"multisurf",
       [](X x, Y y, Outcome, Runtime &r) { radius_relief(x, y, {}, 0, r); }},
      {"surf",
       [](X x, Y y, Outcome, Runtime &r) {
         RadiusReliefOptions options;
         options.radius.own = false;
         radius_relief(x, y, options, 0, r);
       }},
      {"rrelieff", [](X x, Y, Outcome outcome,
                      Runtime &r) { rrelieff(x, outcome, {}, r); }},
      {"irelief",
       [](X x, Y y, Outcome, Runtime &r) {
         IReliefOptions options;
         options.max_iter = 3;
         irelief(x, y, options, r);
       }},
      {"logo", [](X x, Y y, Outcome, Runtime &r) { logo(x, y, {}, r); }},
      {"pwfp", [](X x, Y y, Outcome, Runtime &r) { pwfp(x, y, {}, r); }},
      {"laplacian", [](X x, Y, Outcome, Runtime &r) {
         laplacian_scores(x, 5, best_simd_level(), r);
       }}};
  return all;
}

} // namespace

TEST_CASE(
    "monitor: progress begins within a tenth of the work and only grows") {
  const Index n = 200, n_features = 20000;
  Array<double> values(n * n_features), outcome(n);
  Array<int> labels(n);
  RandomStream draw(1, 0, Purpose::simulation);
  for (double &value : values)
    value = draw.uniform();
  for (Index i = 0; i < n; ++i) {
    labels[i] = static_cast<int>(i % 2);
    outcome[i] = draw.uniform();
    values[i] += labels[i];
  }
  const Scaling plain{Array<double>(n_features, 0.0),
                      Array<double>(n_features, 1.0), Array<char>(n_features)};
  const ScaledView x{view_by_feature(values.data(), n, n_features), &plain};
  const ClassIndex y(labels, 2);
  for (const auto &fit : fits()) {
    INFO(fit.first);
    SerialExecutor serial;
    EagerMonitor monitor;
    Runtime runtime(serial, monitor);
    fit.second(x, y, outcome, runtime);
    const auto &shares = monitor.shares;
    const auto first = std::find_if(shares.begin(), shares.end(),
                                    [](double share) { return share > 0.0; });
    REQUIRE(first != shares.end());
    CHECK(*first <= 0.1);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(shares.back() <= 1.0);
    // Iterations may end long before the number that is allowed.
    if (fit.first != "irelief" && fit.first != "laplacian")
      CHECK(shares.back() > 0.8);
  }
}

TEST_CASE("a stop request ends the run as Interrupted") {
  for (int threads = 1; threads <= 3; ++threads) {
    ThreadExecutor executor(threads);
    TestMonitor monitor;
    monitor.stop = true;
    hitmiss::Runtime runtime(executor, monitor);
    CHECK_THROWS_AS(runtime.for_each(1000,
                                     [](Index, int) {
                                       std::this_thread::sleep_for(
                                           std::chrono::milliseconds(1));
                                     }),
                    hitmiss::Interrupted);
  }
}
