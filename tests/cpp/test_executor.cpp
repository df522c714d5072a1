// Tests of hitmiss/runtime/executor.hpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include <testthat/vendor/catch.h>

#include <hitmiss/runtime/executor.hpp>
#include <hitmiss/runtime/runtime.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

TEST_CASE("every unit runs once, for any number of threads") {
  for (int threads = 1; threads <= 4; ++threads) {
    // Catch is not made for several threads: its checks come afterwards.
    Array<int> runs(1000, 0), on(1000, -1);
    with_threads(threads, [&](hitmiss::Runtime &runtime) {
      runtime.for_each(1000, [&](Index unit, int thread) {
        ++runs[unit];
        on[unit] = thread;
      });
      return 0;
    });
    CHECK(runs == Array<int>(1000, 1));
    for (const int thread : on)
      REQUIRE((thread >= 0 && thread < threads));
  }
}

TEST_CASE("the lowest failing unit's exception reaches the caller") {
  for (int threads = 1; threads <= 4; ++threads)
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::string message;
      with_threads(threads, [&](hitmiss::Runtime &runtime) {
        try {
          runtime.for_each(200, [&](Index unit, int) {
            if (unit % 7 == 6)
              throw std::runtime_error(std::to_string(unit));
          });
        } catch (const std::runtime_error &error) {
          message = error.what();
        }
        return 0;
      });
      CHECK(message == "6");
    }
}

TEST_CASE("when several units fail at once, the lowest is reported") {
  for (int threads = 2; threads <= 4; ++threads) {
    std::atomic<int> started{0};
    std::string message;
    with_threads(threads, [&](hitmiss::Runtime &runtime) {
      try {
        // Every thread has begun a unit before any of them fails.
        runtime.for_each(threads, [&](Index unit, int) {
          ++started;
          while (started < threads)
            std::this_thread::yield();
          throw std::runtime_error(std::to_string(unit));
        });
      } catch (const std::runtime_error &error) {
        message = error.what();
      }
      return 0;
    });
    CHECK(message == "0");
  }
}

TEST_CASE("overlap runs both parts once, one of them on the calling thread") {
  for (int threads = 1; threads <= 3; ++threads)
    for (const bool first_fails : {false, true})
      for (const bool second_fails : {false, true}) {
        int first = 0, second = 0;
        std::thread::id where;
        std::string message = "none";
        with_threads(threads, [&](hitmiss::Runtime &runtime) {
          try {
            runtime.overlap(
                [&] {
                  ++first;
                  if (first_fails)
                    throw std::runtime_error("elsewhere");
                },
                [&] {
                  ++second;
                  where = std::this_thread::get_id();
                  if (second_fails)
                    throw std::runtime_error("here");
                });
          } catch (const std::runtime_error &error) {
            message = error.what();
          }
          return 0;
        });
        CHECK(first == 1);
        CHECK(second == (threads == 1 && first_fails ? 0 : 1));
        if (second > 0)
          CHECK((where == std::this_thread::get_id()));
        CHECK(message == (first_fails    ? "elsewhere"
                          : second_fails ? "here"
                                         : "none"));
      }
}

TEST_CASE("overlap needs no second thread") {
  // A host whose threads are all on the calling thread, or none of them.
  struct OneSided final : hitmiss::Executor {
    explicit OneSided(bool caller) : on_caller(caller) {}
    int threads() const override { return 2; }
    bool on_caller;

  protected:
    void run_threads(const std::function<void(int)> &thread) override {
      const auto both = [&] {
        thread(0);
        thread(1);
      };
      if (on_caller)
        both();
      else
        std::thread(both).join();
    }
  };
  for (const bool on_caller : {false, true}) {
    OneSided executor(on_caller);
    int runs = 0;
    executor.overlap([&] { ++runs; }, [&] { runs += 10; });
    CHECK(runs == 11);
  }
}
