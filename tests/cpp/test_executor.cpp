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
