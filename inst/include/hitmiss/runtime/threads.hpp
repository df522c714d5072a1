// Threads of the standard library, for programs without a scheduler of theirs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_THREADS_HPP
#define HITMISS_RUNTIME_THREADS_HPP

#include <system_error>
#include <thread>

#include "executor.hpp"
#include "require.hpp"

namespace hitmiss {

/// Starts its threads anew for every loop, the calling one among them.
class ThreadExecutor final : public Executor {
public:
  explicit ThreadExecutor(int threads) : threads_(threads) {
    detail::require(threads >= 1, "at least one thread is needed");
  }
  int threads() const override { return threads_; }

protected:
  void run_threads(const std::function<void(int)> &thread) override {
    Array<std::thread> workers;
    int next = 1;
    try {
      for (; next < threads_; ++next)
        workers.emplace_back(thread, next);
    } catch (const std::system_error &) {
      // The system gives no more: the threads there are do the work.
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
