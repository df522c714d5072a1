// The only file that knows RcppParallel.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_runtime.h"
#include "r_unwind.h"

// RcppParallel's matrix and vector wrappers are not needed, and the former
// warns under C++17 (std::iterator): keep them out by their include guards.
#define __RCPP_PARALLEL_RMATRIX__
#define __RCPP_PARALLEL_RVECTOR__
#include <RcppParallel.h>

#ifdef __linux__
#include <sched.h>
#endif

namespace {

#if !RCPP_PARALLEL_USE_TBB
class ThreadWorker : public RcppParallel::Worker {
public:
  explicit ThreadWorker(const std::function<void(int)> &thread)
      : work_(thread) {}
  void operator()(std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i)
      work_(static_cast<int>(i));
  }

private:
  const std::function<void(int)> &work_;
};
#endif

class RcppParallelExecutor final : public hitmiss::Executor {
public:
  explicit RcppParallelExecutor(int threads) : threads_(threads) {}
  int threads() const override { return threads_; }

protected:
  void run_threads(const std::function<void(int)> &thread) override {
#if RCPP_PARALLEL_USE_TBB
    // RcppParallel::parallelFor() makes an arena for every call. oneTBB 2021.8
    // (measured) does not free them, and looks through all of them at every
    // later call: 7 kB and soon milliseconds each. The thread's own arena has a
    // place per core; as many tasks as threads keep to `threads`.
    tbb::parallel_for(0, threads_, thread, tbb::simple_partitioner());
#else
    ThreadWorker worker(thread);
    RcppParallel::parallelFor(0, static_cast<std::size_t>(threads_), worker, 1,
                              threads_);
#endif
  }

private:
  int threads_;
};

// Lets R check for interrupts and show progress. The handlers of the caller see
// the conditions of this check, and may even resume. A jump out of it (an
// interrupt, a time limit, an error of the progress function) waits until the
// workers have stopped.
class RMonitor final : public hitmiss::Monitor {
public:
  explicit RMonitor(SEXP progress) : progress_(progress) {}

  HeldJump jump;

protected:
  bool host_wants_stop() override {
    call_r(check, nullptr);
    return jump.jumped();
  }

  void show(double share) override {
    if (Rf_isNull(progress_))
      return;
    Painting painting{progress_, share};
    call_r(paint, &painting);
  }

private:
  struct Painting {
    SEXP progress;
    double share;
  };

  // A handler may fit something else, and this thread then take up work of
  // ours in between: R hears of it when the handler has returned.
  void call_r(SEXP (*work)(void *), void *data) {
    if (jump.jumped() || in_r_)
      return;
    in_r_ = true;
    jump.call(work, data);
    in_r_ = false;
  }

  static SEXP check(void *) {
    R_CheckUserInterrupt();
    return R_NilValue;
  }

  static SEXP paint(void *data) {
    const auto &painting = *static_cast<Painting *>(data);
    SEXP share = PROTECT(Rf_ScalarReal(painting.share));
    SEXP call = PROTECT(Rf_lang2(painting.progress, share));
    Rf_eval(call, R_GlobalEnv);
    UNPROTECT(2);
    return R_NilValue;
  }

  Rcpp::RObject progress_;
  bool in_r_ = false;
};

std::uint64_t read_key(SEXP key) {
  if (Rf_isNull(key))
    return 0;
  const Rcpp::IntegerVector halves(key);
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(halves[0]))
          << 32) |
         static_cast<std::uint32_t>(halves[1]);
}

} // namespace

struct RRuntime::Parts {
  Parts(int threads, SEXP progress, std::uint64_t key)
      : parallel(threads), monitor(progress),
        runtime(threads == 1 ? static_cast<hitmiss::Executor &>(serial)
                             : parallel,
                monitor, key) {}

  hitmiss::SerialExecutor serial;
  RcppParallelExecutor parallel;
  RMonitor monitor;
  hitmiss::Runtime runtime;
};

RRuntime::RRuntime(const Rcpp::List &runtime)
    : parts_(std::make_unique<Parts>(Rcpp::as<int>(runtime["threads"]),
                                     runtime["progress"],
                                     read_key(runtime["key"]))) {}

RRuntime::~RRuntime() = default;

hitmiss::Runtime &RRuntime::core() { return parts_->runtime; }

void RRuntime::go_on_if_jumped() {
  if (parts_->monitor.jump.jumped())
    throw parts_->monitor.jump.go_on();
}

// Cores this process may use (its affinity counts), at least 1.
// [[Rcpp::export(rng = false)]]
int cpp_hardware_threads() {
#ifdef __linux__
  // The C++ library counts all processors, also those that taskset, a batch
  // system or a container keeps from this process.
  for (int most = CPU_SETSIZE; most <= (1 << 20); most *= 2) {
    cpu_set_t *set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr)
      break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const int count =
        sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return count;
  }
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
