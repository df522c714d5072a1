// PWFP on nasty problems.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include <hitmiss/pwfp/pwfp.hpp>

#include "problem.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

void check_counts(const Array<double> &counts, std::int64_t pairs, Index k) {
  fuzz::require_finite(counts, "counts are finite");
  const auto all = static_cast<double>(pairs);
  for (const double count : counts)
    fuzz::require(count >= 0.0 && count <= all + 1e-9, "from 0 to all pairs");
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  fuzz::require(std::abs(total - all * static_cast<double>(k)) <= 1e-6,
                "k marks in every pair");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, Index size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Problem problem(bytes, 14, 40);
  hitmiss::PwfpOptions options;
  options.fraction = (1.0 + bytes.byte()) / 256.0;
  options.round_ties = bytes.coin();
  const auto run = [&](hitmiss::SimdLevel level, int threads) {
    options.simd = level;
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::pwfp(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto level = fuzz::some_level(bytes);
  const auto one = run(level, 1), three = run(level, 3),
             plain = run(hitmiss::SimdLevel::baseline, 1);
  check_counts(one.within, one.n_within, one.k);
  check_counts(one.between, one.n_between, one.k);
  fuzz::require(one.within == three.within && one.between == three.between,
                "threads do not matter");
  fuzz::require_close(one.within, plain.within, 1e-9, "levels do not matter");
  fuzz::require_close(one.between, plain.between, 1e-9, "levels do not matter");
  return 0;
}
