// A temporary file of doubles that any thread may read at any place, and how
// features that only the calling thread can fetch are copied to it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_SCRATCH_FILE_HPP
#define HITMISS_DATA_SCRATCH_FILE_HPP

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
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

#include "../runtime/runtime.hpp"
#include "matrix_view.hpp"

namespace hitmiss {

/// Gone with its owner, also after a crash: the name is removed as soon as the
/// file is open (Windows: deleted on close). Failures throw
/// std::runtime_error. Not copied, and not to be held across a fork.
class ScratchFile {
public:
  /// Creates `path`, which must not exist.
  explicit ScratchFile(const std::string &path) { open(path); }
  ~ScratchFile() { close(); }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  /// Numbers [at, at + count).
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

  /// Calls `move(bytes done, bytes left, offset)` until all is moved.
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

/// A scratch file that holds the samples of one feature after those of the
/// other: number j * n_samples + n is feature j of sample n.
class ScratchTiles final : public RawTiles {
public:
  ScratchTiles(std::shared_ptr<const ScratchFile> file, Index n_samples)
      : file_(std::move(file)), n_samples_(n_samples) {}

  void read(Index first, Index count, double *out) const override {
    file_->read(out, count * n_samples_, first * n_samples_);
  }
  /// copy_to_scratch() refuses values that are not finite, so they are not read
  /// again.
  bool sound(Index n_samples, Index) const override {
    return n_samples == n_samples_;
  }

private:
  std::shared_ptr<const ScratchFile> file_;
  Index n_samples_;
};

/// All samples of features [first, first + values.n_features), as an array.
struct FeatureBlock {
  Index first = 0;
  MatrixView values;
};

class FeatureSource {
public:
  virtual ~FeatureSource() = default;
  virtual Index n_blocks() const = 0;
  /// Block k, which stays valid until its slot (0 or 1) is fetched into again.
  /// Called on the thread that owns the source; may throw.
  virtual FeatureBlock fetch(Index k, int slot) = 0;
};

/// Calls use(block) for every block in order. With more than one thread, block
/// k + 1 is fetched on the calling thread while another one uses block k, so
/// `use` must not touch what belongs to the caller's thread, nor share out
/// work itself.
template <class Use>
void for_each_block(FeatureSource &source, Runtime &runtime, Use use) {
  const Index n = source.n_blocks();
  const int slots = runtime.threads() > 1 ? 2 : 1;
  int slot = 0;
  FeatureBlock block, next;
  if (n > 0)
    next = source.fetch(0, 0);
  for (Index k = 0; k < n; ++k) {
    block = next;
    runtime.checkpoint();
    runtime.overlap([&] { use(block); },
                    [&] {
                      if (k + 1 < n)
                        next = source.fetch(k + 1, slot = (slot + 1) % slots);
                    });
  }
}

/// Thrown where a value is missing or infinite.
struct NotFinite : std::exception {
  NotFinite(Index j, Index n) : feature(j), sample(n) {}
  const char *what() const noexcept override { return "not finite"; }
  Index feature, sample;
};

namespace detail {

template <class In>
void raw_tile_as(const MatrixView &block, Index from, Index count,
                 double *out) {
  const auto *data = static_cast<const In *>(block.data);
  const Index n = block.n_samples;
  // Squares of whole cache lines, whichever way the numbers lie.
  constexpr Index step = 16;
  for (Index f = 0; f < count; f += step)
    for (Index i = 0; i < n; i += step)
      for (Index g = f; g < std::min(f + step, count); ++g) {
        const In *feature = data + (from + g) * block.feature_stride;
        for (Index k = i; k < std::min(i + step, n); ++k)
          out[g * n + k] = number(feature[k * block.sample_stride]);
      }
}

/// Copies features [from, from + count) of a block, feature by feature.
/// Missing ints become NaN.
inline void raw_tile(const MatrixView &block, Index from, Index count,
                     double *out) {
  if (block.type == Scalar::f64)
    raw_tile_as<double>(block, from, count, out);
  else
    raw_tile_as<int>(block, from, count, out);
}

/// The place of the first number that is not finite, or `count`.
inline Index first_not_finite(const double *numbers, Index count) {
  bool bad = false; // without a way out the loop takes whole vectors
  for (Index i = 0; i < count; ++i)
    bad |= !(std::abs(numbers[i]) <= std::numeric_limits<double>::max());
  return !bad ? count : std::find_if(numbers, numbers + count, [](double x) {
                          return !std::isfinite(x);
                        }) - numbers;
}

} // namespace detail

/// Copies a source to a scratch file, samples of a feature side by side.
/// Feature j of the source becomes feature places[j] (empty: j). Throws
/// NotFinite at the first value that is; the file is then incomplete.
inline void copy_to_scratch(FeatureSource &source, const Array<int> &places,
                            ScratchFile &file, Runtime &runtime) {
  constexpr Index step = 256;
  Array<double> tile;
  runtime.monitor().expect(source.n_blocks());
  for_each_block(source, runtime, [&](const FeatureBlock &block) {
    const Index n = block.values.n_samples;
    const Index total = block.values.n_features;
    tile.resize(step * n);
    for (Index f = 0; f < total; f += step) {
      const Index count = std::min(step, total - f);
      detail::raw_tile(block.values, f, count, tile.data());
      const Index bad = detail::first_not_finite(tile.data(), count * n);
      if (bad < count * n)
        throw NotFinite(block.first + f + bad / n, bad % n);
      if (places.empty())
        file.write(tile.data(), count * n, (block.first + f) * n);
      for (Index g = 0; g < count && !places.empty(); ++g) {
        const Index at = block.first + f + g;
        file.write(tile.data() + g * n, n, places[at] * n);
      }
    }
    runtime.monitor().advance();
  });
}

/// A scratch file that holds the features of one sample after those of the
/// other, as blocks of features. O(n_samples) reads for each block.
class TurnedSource final : public FeatureSource {
public:
  TurnedSource(const ScratchFile &file, Index n_samples, Index n_features)
      : file_(file), n_samples_(n_samples), n_features_(n_features),
        step_(std::max<Index>(256, (1 << 20) / std::max<Index>(n_samples, 1))) {
  } // 8 MB

  Index n_blocks() const override { return (n_features_ + step_ - 1) / step_; }
  FeatureBlock fetch(Index k, int slot) override {
    const Index first = k * step_;
    const Index count = std::min(step_, n_features_ - first);
    auto &values = slots_[slot];
    values.resize(count * n_samples_);
    for (Index n = 0; n < n_samples_; ++n)
      file_.read(values.data() + n * count, count, n * n_features_ + first);
    FeatureBlock block;
    block.first = first;
    block.values = view_by_feature(values.data(), n_samples_, count);
    block.values.sample_stride = count;
    block.values.feature_stride = 1;
    return block;
  }

private:
  const ScratchFile &file_;
  Index n_samples_, n_features_, step_;
  Array<double> slots_[2];
};

} // namespace hitmiss

#endif
