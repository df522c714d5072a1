// A temporary file of doubles that any thread may read at any place.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SCRATCH_FILE_HPP
#define HITMISS_DATA_SCRATCH_FILE_HPP

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#ifdef _WIN32
#include <mutex>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#include "matrix_view.hpp"

namespace hitmiss {

/// The file is gone with its owner, also after a crash: its name is removed as
/// soon as it is open (on Windows it is deleted on close). Failures throw
/// std::runtime_error. It is not copied, and must not be used after a fork.
class ScratchFile {
public:
  /// Creates the file `path`, which must not exist yet.
  explicit ScratchFile(const std::string &path) { open(path); }
  ~ScratchFile() { close(); }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  /// Write and read the numbers [at, at + count) of the file.
  void write(const double *numbers, Index count, Index at) {
    transfer(at, count, [&](Index done, std::size_t left, Offset from) {
      const char *bytes = reinterpret_cast<const char *>(numbers) + done;
      return put(bytes, left, from);
    });
  }
  void read(double *numbers, Index count, Index at) const {
    transfer(at, count, [&](Index done, std::size_t left, Offset from) {
      return get(reinterpret_cast<char *>(numbers) + done, left, from);
    });
    bytes_read_.fetch_add(count * width, std::memory_order_relaxed);
  }
  std::int64_t bytes_read() const { return bytes_read_.load(); }

private:
  static constexpr Index width = bytes_of<double>;

  [[noreturn]] static void fail(const char *what) {
    throw std::runtime_error(std::string("the scratch file cannot be ") + what +
                             ": " + std::strerror(errno));
  }

#ifdef _WIN32
  using Offset = long long;
  void open(const std::string &path) {
    file_ = std::fopen(path.c_str(), "w+bTD");
    if (file_ == nullptr)
      fail("created");
  }
  void close() { std::fclose(file_); }
  Index put(const char *bytes, std::size_t count, Offset at) {
    const std::lock_guard<std::mutex> lock(guard_);
    if (_fseeki64(file_, at, SEEK_SET) != 0)
      return -1;
    const Index n = std::fwrite(bytes, 1, count, file_);
    return n == 0 ? -1 : n;
  }
  Index get(char *bytes, std::size_t count, Offset at) const {
    const std::lock_guard<std::mutex> lock(guard_);
    if (_fseeki64(file_, at, SEEK_SET) != 0)
      return -1;
    const Index n = std::fread(bytes, 1, count, file_);
    return n == 0 ? -1 : n;
  }
  std::FILE *file_ = nullptr;
  mutable std::mutex guard_;
#else
  using Offset = off_t;
  void open(const std::string &path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file_ < 0)
      fail("created");
    ::unlink(path.c_str());
  }
  void close() { ::close(file_); }
  Index put(const char *bytes, std::size_t count, Offset at) {
    return ::pwrite(file_, bytes, count, at);
  }
  Index get(char *bytes, std::size_t count, Offset at) const {
    return ::pread(file_, bytes, count, at);
  }
  int file_ = -1;
#endif

  /// Calls move(bytes done, bytes left, offset), which may move fewer bytes
  /// than are left, until all bytes are moved.
  template <class Move> static void transfer(Index at, Index count, Move move) {
    const Index total = count * width;
    Index done = 0;
    while (done < total) {
      const Offset from = at * width + done;
      const Index moved =
          move(done, static_cast<std::size_t>(total - done), from);
      if (moved > 0)
        done += moved;
      else if (moved == 0 || errno != EINTR)
        fail(moved == 0 ? "read to its end" : "used");
    }
  }

  mutable std::atomic<std::int64_t> bytes_read_{0};
};

/// Reads a scratch file that holds the data feature by feature: number j *
/// n_samples + n is feature j of sample n.
class ScratchTiles final : public RawTiles {
public:
  /// `missing`: does the file hold missing values?
  ScratchTiles(std::shared_ptr<const ScratchFile> file, Index n_samples,
               bool missing = false)
      : file_(std::move(file)), n_samples_(n_samples), missing_(missing) {}

  void read(Index first, Index count, double *out) const override {
    file_->read(out, count * n_samples_, first * n_samples_);
  }
  /// Reads nothing: copy_to_scratch() has refused infinite values.
  bool sound(Index n_samples, Index, bool may_miss) const override {
    return n_samples == n_samples_ && (may_miss || !missing_);
  }

private:
  std::shared_ptr<const ScratchFile> file_;
  Index n_samples_;
  bool missing_;
};

} // namespace hitmiss

#endif
