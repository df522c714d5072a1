// Vectors of a chosen width, and the choice of the instruction set at run time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_SIMD_HPP
#define HITMISS_RUNTIME_SIMD_HPP

#include <cstdint>
#include <limits>
#include <type_traits>

#include "array.hpp"

#if !defined(__GNUC__)
#error                                                                         \
    "hitmiss needs vector extensions: compile with g++ 8 or clang 10, or later"
#endif

// On Windows the stack is aligned to 16 bytes, but g++ writes wider vectors
// there as if it were aligned to their width (GCC bug 54412), which now and
// then crashes the process. The assembler option of src/Makevars.win makes
// these moves accept any alignment. Without the option, g++ on Windows uses the
// baseline only.
#if defined(__x86_64__) && (!defined(_WIN32) || defined(__clang__) ||          \
                            defined(HITMISS_UNALIGNED_MOVES))
#define HITMISS_X86 1
#else
#define HITMISS_X86 0
#endif

/// All that a kernel calls must be inlined into the function that carries the
/// `target` attribute, or it would be compiled for the baseline.
#define HITMISS_INLINE inline __attribute__((always_inline))

/// Keeps g++ from fusing a multiplication and an addition into one operation
/// with one rounding, even if its options ask for it. No effect with clang,
/// which decides for a whole file: it fuses if -mfma or -march=native allow it.
#if defined(__clang__)
#define HITMISS_UNFUSED
#else
#define HITMISS_UNFUSED __attribute__((optimize("fp-contract=off")))
#endif

namespace hitmiss {

/// Selects the instances of the kernels: 16, 32 or 64 byte vectors. Results of
/// different levels agree but for rounding.
enum class SimdLevel { baseline, avx2, avx512 };

inline bool simd_supported(SimdLevel level) {
#if HITMISS_X86
  __builtin_cpu_init();
  if (level == SimdLevel::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (level == SimdLevel::avx512)
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#endif
  return level == SimdLevel::baseline;
}

/// Returns the widest level that this processor supports.
inline SimdLevel best_simd_level() {
  if (simd_supported(SimdLevel::avx512))
    return SimdLevel::avx512;
  return simd_supported(SimdLevel::avx2) ? SimdLevel::avx2
                                         : SimdLevel::baseline;
}

/// A vector of `Bytes` bytes with elements of type T. Arguments are references,
/// because passing wide vectors by value has no stable calling convention below
/// AVX-512.
template <class T, int Bytes> struct Simd {
  typedef T Vector __attribute__((vector_size(Bytes)));
  typedef T Unaligned
      __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
  using Integer =
      std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef Integer Bits __attribute__((vector_size(Bytes)));
  static constexpr Index lanes = Bytes / bytes_of<T>;

  static HITMISS_INLINE void load(Vector &out, const T *from) {
    out = *reinterpret_cast<const Unaligned *>(from);
  }
  static HITMISS_INLINE void store(T *to, const Vector &value) {
    *reinterpret_cast<Unaligned *>(to) = value;
  }
  static HITMISS_INLINE void absolute(Vector &value) {
    constexpr Integer all_but_sign = std::numeric_limits<Integer>::max();
    value = (Vector)((Bits)value & all_but_sign);
  }
  static HITMISS_INLINE void replace_nan(Vector &value, double by) {
    value = value == value ? value : Vector{} + by;
  }
  /// Returns the sum of the lanes, added in order from the lowest lane.
  static HITMISS_INLINE double sum(const Vector &value) {
    double total = 0.0;
    for (Index lane = 0; lane < lanes; ++lane)
      total += value[lane];
    return total;
  }
};

namespace detail {

template <class Kernel, class Job> void run_16(const Job &job) {
  Kernel::template run<16>(job);
}

#if HITMISS_X86
template <class Kernel, class Job>
__attribute__((target("avx2,fma"))) void run_32(const Job &job) {
  Kernel::template run<32>(job);
}

template <class Kernel, class Job>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))) void
run_64(const Job &job) {
  Kernel::template run<64>(job);
}

template <class Kernel, class Job>
__attribute__((target("avx2"))) HITMISS_UNFUSED void
run_32_unfused(const Job &job) {
  Kernel::template run<32>(job);
}

#if !defined(__clang__)
template <class Kernel, class Job>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
HITMISS_UNFUSED void
run_64_unfused(const Job &job) {
  Kernel::template run<64>(job);
}
#endif
#endif

template <class Kernel, class Job>
HITMISS_UNFUSED void run_32_anywhere(const Job &job) {
  Kernel::template run<32>(job);
}

} // namespace detail

/// Runs `Kernel::run<Bytes>(job)` compiled for `level`, which the processor
/// must support. `run` and all it calls must be HITMISS_INLINE.
template <class Kernel, class Job>
void run_simd([[maybe_unused]] SimdLevel level, const Job &job) {
#if HITMISS_X86
  if (level == SimdLevel::avx512)
    return detail::run_64<Kernel>(job);
  if (level == SimdLevel::avx2)
    return detail::run_32<Kernel>(job);
#endif
  detail::run_16<Kernel>(job);
}

/// Runs `Kernel::run<32>(job)`, or `run<64>`, with the same result everywhere,
/// for sums that decide between features: nothing is fused; two vectors of 16
/// bytes can replace one of 32. `run<64>` must add in the order of `run<32>`.
template <class Kernel, class Job> void run_alike(const Job &job) {
#if HITMISS_X86
#if !defined(__clang__)
  static const bool has_64 = simd_supported(SimdLevel::avx512);
  if (has_64)
    return detail::run_64_unfused<Kernel>(job);
#endif
  static const bool has_32 = simd_supported(SimdLevel::avx2);
  if (has_32)
    return detail::run_32_unfused<Kernel>(job);
#endif
  detail::run_32_anywhere<Kernel>(job);
}

} // namespace hitmiss

#endif
