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
  explicit ThreadExecutor(int lanes) : lanes_(lanes) {
    detail::require(lanes >= 1, "one thread is needed at least");
  }
  int lanes() const override { return lanes_; }

protected:
  void run_lanes(const std::function<void(int)> &lane) override {
    std::vector<std::thread> workers;
    try {
      for (int i = 1; i < lanes_; ++i)
        workers.emplace_back(lane, i);
    } catch (const std::system_error &) {
      // The system gives no more: the threads there are do the work.
    }
    lane(0);
    for (int i = static_cast<int>(workers.size()) + 1; i < lanes_; ++i)
      lane(i);
    for (auto &worker : workers)
      worker.join();
  }

private:
  int lanes_;
};

} // namespace hitmiss

#endif
