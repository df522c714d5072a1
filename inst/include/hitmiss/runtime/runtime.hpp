// Everything a computation needs from its host, as one argument.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_RUNTIME_HPP
#define HITMISS_RUNTIME_RUNTIME_HPP

#include <algorithm>
#include <cstdint>
#include <functional>

#include "executor.hpp"
#include "monitor.hpp"
#include "random.hpp"

namespace hitmiss {

/// Gives a fit its threads, progress, interrupts and random streams. The
/// executor and the monitor are the host's, and must outlive the runtime.
class Runtime {
public:
  Runtime(Executor &executor, Monitor &monitor, std::uint64_t key = 0)
      : executor_(executor), monitor_(monitor), key_(key) {}

  /// The runtime of a unit of work, on its own thread. It counts no progress,
  /// because the function that divided the work does.
  Runtime within(Executor &serial) const {
    Runtime unit(serial, monitor_, key_);
    unit.counts_ = false;
    return unit;
  }

  int threads() const { return executor_.threads(); }

  /// Calls Executor::for_each(), with a checkpoint before every unit. In a unit
  /// longer than 100 ms, `work` must call checkpoint() itself now and then.
  void for_each(Index count, const std::function<void(Index, int)> &work) {
    executor_.for_each(count, [&](Index unit, int thread) {
      monitor_.checkpoint();
      work(unit, thread);
    });
  }

  /// Calls work(begin, end) for all parts of [0, total) that `size` cuts it
  /// into, as for_each() does.
  template <class Work> void for_parts(Index total, Index size, Work work) {
    for_each((total + size - 1) / size, [&](Index part, int) {
      work(part * size, std::min((part + 1) * size, total));
    });
  }

  /// The sum of arrays of `size` numbers, to which work(unit, sums) adds for
  /// every unit in [0, count). Units are always added up in 16 parts, so that
  /// no bit depends on the threads.
  template <class Work>
  Array<double> sum_in_parts(Index count, Index size, Work work) {
    constexpr Index parts = 16;
    Array<Array<double>> sums(parts);
    for_each(std::min(count, parts), [&](Index part, int) {
      sums[part].resize(size);
      for (Index unit = part; unit < count; unit += parts) {
        work(unit, sums[part]);
        checkpoint();
      }
    });
    Array<double> total(size);
    for (const auto &part : sums)
      for (Index i = 0; i < part.size(); ++i)
        total[i] += part[i];
    return total;
  }

  void checkpoint() { monitor_.checkpoint(); }
  /// Counts finished steps of what Monitor::expect() announced.
  void advance(Index steps) {
    if (counts_)
      monitor_.advance(steps);
  }
  Monitor &monitor() { return monitor_; }

  RandomStream stream(std::uint64_t unit, Purpose purpose) const {
    return RandomStream(key_, unit, purpose);
  }

private:
  Executor &executor_;
  Monitor &monitor_;
  std::uint64_t key_;
  bool counts_ = true;
};

} // namespace hitmiss

#endif
