// Runs a fuzzed selector on problems of its corpus, without a fuzzer: each of
// them once broke a promise, or nearly.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <hitmiss/runtime/array.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      hitmiss::Index size);

int main(int n, char **files) {
  for (int i = 1; i < n; ++i) {
    std::printf("%s\n", files[i]);
    std::ifstream file(files[i], std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty())
      return 1;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()),
                           static_cast<hitmiss::Index>(bytes.size()));
  }
  return n > 1 ? 0 : 1;
}
