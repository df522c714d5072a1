// The port through which the core reports progress and learns of an interrupt.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_MONITOR_HPP
#define HITMISS_RUNTIME_MONITOR_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

namespace hitmiss {

/// Thrown by `Monitor::checkpoint()` when the user asked to stop.
struct Interrupted : std::exception {
  const char *what() const noexcept override { return "interrupted"; }
};

/// Takes progress from any thread, and calls the host from one thread only.
///
/// The thread that constructs a monitor owns it. Only the owner calls the host,
/// at most once per `pause` (R must not be called from other threads). All
/// other threads only use atomics. Progress is therefore shown slightly late.
class Monitor {
public:
  /// `pause` is the least time between two calls of the host.
  explicit Monitor(
      std::chrono::milliseconds pause = std::chrono::milliseconds(50))
      : owner_(std::this_thread::get_id()), pause_(pause) {}
  virtual ~Monitor() = default;
  Monitor(const Monitor &) = delete;
  Monitor &operator=(const Monitor &) = delete;

  /// A thread that works must call this at least every 100 ms. Throws
  /// Interrupted once the user has asked to stop.
  void checkpoint() {
    if (std::this_thread::get_id() == owner_)
      poll_host();
    if (stop_.load(std::memory_order_relaxed))
      throw Interrupted();
  }

  /// Announces `total` steps of work and resets finished steps to 0. The owner
  /// must call it. `total` may be an estimate: a share above 1 is shown as 1.
  void expect(std::int64_t total) {
    total_.store(total);
    done_.store(0);
  }
  void expect(double total) {
    expect(static_cast<std::int64_t>(std::min(total, 0x1p62)));
  }

  /// Counts finished steps. Any thread may call it.
  void advance(std::int64_t steps = 1) { done_.fetch_add(steps); }

protected:
  /// Must say whether the user asked to stop. It is called by the owner.
  virtual bool host_wants_stop() { return false; }
  /// Shows progress as a share in [0, 1]. It is called by the owner.
  virtual void show(double /*share*/) {}

private:
  void poll_host() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_poll_ < pause_)
      return;
    last_poll_ = now;
    if (host_wants_stop())
      stop_.store(true);
    const std::int64_t total = total_.load();
    if (total > 0)
      show(std::min(1.0, static_cast<double>(done_.load()) /
                             static_cast<double>(total)));
  }

  const std::thread::id owner_;
  const std::chrono::milliseconds pause_;
  std::chrono::steady_clock::time_point last_poll_{};
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> total_{0};
  std::atomic<std::int64_t> done_{0};
};

} // namespace hitmiss

#endif
