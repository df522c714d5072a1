// Threads of the standard library, for programs without a scheduler of theirs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_THREADS_HPP
#define HITMISS_RUNTIME_THREADS_HPP

#include <system_error>
#include <thread>
#include <vector>

#include "executor.hpp"
#include "require.hpp"

namespace hitmiss {

/// Starts its threads anew for every loop, the calling one among them.
class ThreadExecutor final : public Executor {
public:
  explicit ThreadExecutor(int threads) : threads_(threads) {
    detail::require(threads >= 1, "one thread is needed at least");
  }
  int threads() const override { return threads_; }

protected:
  void run_threads(const std::function<void(int)> &thread) override {
    std::vector<std::thread> workers;
    try {
      for (int i = 1; i < threads_; ++i)
        workers.emplace_back(thread, i);
    } catch (const std::system_error &) {
      // The system gives no more: the threads there are do the work.
    }
    thread(0);
    for (int i = static_cast<int>(workers.size()) + 1; i < threads_; ++i)
      thread(i);
    for (auto &worker : workers)
      worker.join();
  }

private:
  int threads_;
};

} // namespace hitmiss

#endif
