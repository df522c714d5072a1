// Counter-based random streams: a draw depends on its stream and its place in
// the stream, never on the thread or on draws from other streams.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_RANDOM_HPP
#define HITMISS_RUNTIME_RANDOM_HPP

#include <cstdint>

#include <threefry.h>

namespace hitmiss {

/// The purpose of a stream. Streams of different purposes never overlap. The
/// results depend on these numbers: never renumber.
enum class Purpose : std::uint64_t {
  rounding = 1,
  pair_sampling = 2,
  simulation = 3,
  reference_samples = 4,
  permutation = 5,
  representatives = 6,
  program_samples = 7,
  score_samples = 8,
  intercept_samples = 9,
};

/// Independent uniform numbers for one (key, unit, purpose).
///
/// Distributions are our own because those of the standard library differ
/// between compilers.
class RandomStream {
public:
  RandomStream(std::uint64_t key, std::uint64_t unit, Purpose purpose) {
    // set_key() is not used, because it leaves the parity word of the cipher
    // stale.
    KeyWords words{{key, unit, static_cast<std::uint64_t>(purpose), 0}};
    engine_.seed(words);
  }

  /// Moves to the start of sub-stream `number`.
  void seek(std::uint64_t number) { engine_.set_counter(0, number, 0, 0); }

  std::uint64_t bits() { return engine_(); }

  /// Draws a number that is uniform on [0, 1), with 53 bits.
  double uniform() {
    return static_cast<double>(bits() >> 11) * (1.0 / 9007199254740992.0);
  }

  /// Draws a number that is uniform on {0, ..., n - 1}, for n >= 1, without
  /// bias.
  template <class Integer> Integer below(Integer n) {
    const auto count = static_cast<std::uint64_t>(n);
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % count;
    std::uint64_t draw = bits();
    while (draw >= limit)
      draw = bits();
    return static_cast<Integer>(draw % count);
  }

private:
  /// The seed sequence that hands the engine its four 64-bit key words.
  struct KeyWords {
    using result_type = std::uint32_t;
    std::uint64_t word[4];
    template <class Out> void generate(Out first, Out last) {
      for (int half = 0; first != last; ++first, ++half)
        *first = static_cast<std::uint32_t>(word[half / 2] >>
                                            (half % 2 == 0 ? 32 : 0));
    }
  };

  sitmo::threefry_engine<std::uint64_t, 64, 20> engine_;
};

} // namespace hitmiss

#endif
