// A host without R: threads, and a monitor that can be told to stop.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_HOST_HPP
#define HITMISS_TESTS_HOST_HPP

#include <hitmiss/data/scaling.hpp>
#include <hitmiss/runtime/executor.hpp>
#include <hitmiss/runtime/runtime.hpp>

using hitmiss::ThreadExecutor;

/// How many of `n` random problems: a third where a sanitizer slows them down.
constexpr std::uint64_t some_of(std::uint64_t n) {
#ifdef HITMISS_FEW_PROBLEMS
  return (n + 2) / 3;
#else
  return n;
#endif
}

class TestMonitor final : public hitmiss::Monitor {
public:
  bool stop = false;

protected:
  bool host_wants_stop() override { return stop; }
};

/// Random values from 0 to 1 that are multiples of 1 / (levels - 1).
inline hitmiss::Array<double> grid_values(hitmiss::RandomStream &random,
                                          hitmiss::Index count, int levels) {
  hitmiss::Array<double> values(count);
  for (double &value : values)
    value = static_cast<double>(random.below(levels)) / (levels - 1.0);
  return values;
}

/// Runs `compute(Runtime&)` on `threads` threads.
template <class Compute>
auto with_threads(int threads, Compute compute, std::uint64_t key = 1) {
  ThreadExecutor executor(threads);
  TestMonitor monitor;
  hitmiss::Runtime runtime(executor, monitor, key);
  return compute(runtime);
}

#endif
