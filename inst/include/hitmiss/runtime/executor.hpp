// The port through which the core uses threads. A host (R, a test) implements
// `run_threads`; everything that matters for reproducibility is decided here.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_EXECUTOR_HPP
#define HITMISS_RUNTIME_EXECUTOR_HPP

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

#include "array.hpp"
#include "require.hpp"

namespace hitmiss {

/// Runs independent units of work, several at once where the host allows it.
///
/// The caller must divide the work by the data only, and a unit must write only
/// its own results. Any thread may run any unit, so a result may depend on the
/// unit but must not depend on the thread.
class Executor {
public:
  virtual ~Executor() = default;

  /// The number of units that may run at once (>= 1). Use it to size scratch
  /// space, never to divide the work.
  virtual int threads() const = 0;

  /// Calls `work(unit, thread)` once for every unit in [0, count), with
  /// `thread` in [0, threads()), and returns when all units are done. Units
  /// start in increasing order. After a unit throws, no new units start, and
  /// the exception of the lowest failing unit is rethrown, whatever the number
  /// of threads. Must not be called from within `work`.
  void for_each(Index count, const std::function<void(Index, int)> &work) {
    if (threads() == 1 || count <= 1) {
      for (Index unit = 0; unit < count; ++unit)
        work(unit, 0);
      return;
    }
    std::atomic<Index> next{0};
    std::atomic<bool> failed{false};
    std::mutex guard;
    Index failing_unit = count;
    std::exception_ptr error;
    run_threads([&](int thread) {
      while (!failed.load(std::memory_order_relaxed)) {
        const Index unit = next.fetch_add(1);
        if (unit >= count)
          return;
        try {
          work(unit, thread);
        } catch (...) {
          failed.store(true);
          const std::lock_guard<std::mutex> lock(guard);
          if (unit < failing_unit) {
            failing_unit = unit;
            error = std::current_exception();
          }
        }
      }
    });
    if (error)
      std::rethrow_exception(error);
  }

protected:
  /// Must call `thread(0)` ... `thread(threads() - 1)`, at least one of them on
  /// the calling thread, and return after all these. `thread` never throws.
  virtual void run_threads(const std::function<void(int)> &thread) = 0;
};

/// Runs all units in a plain loop on the calling thread.
class SerialExecutor final : public Executor {
public:
  int threads() const override { return 1; }

protected:
  void run_threads(const std::function<void(int)> &thread) override {
    thread(0);
  }
};

/// Starts new threads for every loop; the calling thread takes part as well.
class ThreadExecutor final : public Executor {
public:
  explicit ThreadExecutor(int threads) : threads_(threads) {
    detail::require(threads >= 1, "at least one thread is needed");
  }
  int threads() const override { return threads_; }

protected:
  void run_threads(const std::function<void(int)> &thread) override {
    Array<std::thread> workers;
    workers.reserve(threads_); // before any of them runs
    int next = 1;
    try {
      for (; next < threads_; ++next)
        workers.emplace_back(thread, next);
    } catch (const std::system_error &) {
      // The system gives no more threads, so those that were started do the
      // work.
    }
    thread(0);
    for (; next < threads_; ++next)
      thread(next);
    for (auto &worker : workers)
      worker.join();
  }

private:
  int threads_;
};

} // namespace hitmiss

#endif
