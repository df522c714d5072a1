// A host without R: std::thread lanes, a monitor that can be told to stop.
#ifndef HITMISS_TESTS_HOST_HPP
#define HITMISS_TESTS_HOST_HPP

#include <thread>
#include <vector>

#include <hitmiss/runtime/runtime.hpp>

class ThreadExecutor final : public hitmiss::Executor {
public:
  explicit ThreadExecutor(int lanes) : lanes_(lanes) {}
  int lanes() const override { return lanes_; }

protected:
  void run_lanes(const std::function<void(int)> &lane) override {
    std::vector<std::thread> workers;
    for (int i = 1; i < lanes_; ++i)
      workers.emplace_back(lane, i);
    lane(0);
    for (auto &worker : workers)
      worker.join();
  }

private:
  int lanes_;
};

class TestMonitor final : public hitmiss::Monitor {
public:
  bool stop = false;

protected:
  bool host_wants_stop() override { return stop; }
};

/// Runs `compute(Runtime&)` on `lanes` threads.
template <class Compute>
auto with_lanes(int lanes, Compute compute, std::uint64_t key = 1) {
  ThreadExecutor executor(lanes);
  TestMonitor monitor;
  hitmiss::Runtime runtime(executor, monitor, key);
  return compute(runtime);
}

#endif
