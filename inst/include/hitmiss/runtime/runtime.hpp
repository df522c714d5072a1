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

/// Gives a fit its threads, progress, interrupts and random streams. The host
/// owns the executor and the monitor, which must outlive the runtime.
class Runtime {
public:
  Runtime(Executor &executor, Monitor &monitor, std::uint64_t key = 0)
      : executor_(executor), monitor_(monitor), key_(key) {}

  /// Returns a runtime for loops inside a unit of work. It counts no progress,
  /// because the function that runs the unit counts it.
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

  /// Calls work(begin, end) for consecutive parts of [0, total), of `size` each
  /// but the last, as for_each() does.
  template <class Work> void for_parts(Index total, Index size, Work work) {
    for_each((total + size - 1) / size, [&](Index part, int) {
      work(part * size, std::min((part + 1) * size, total));
    });
  }

  /// Returns `size` sums. For every unit in [0, count), work(unit, sums) must
  /// add its terms to `sums`. There are always 16 partial sums, so that no bit
  /// depends on the number of threads.
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
  /// Counts `steps` as finished, of those that Monitor::expect() announced.
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
